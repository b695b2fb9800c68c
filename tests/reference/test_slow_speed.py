"""The reference pinned by the worked vectors of the rules: V for whole hands, T for one edge case each."""

from __future__ import annotations

from typing import Any

import pytest
from tests.reference.laying import ILLEGAL, IS_OVER, Game, beaten, card, names, ok, suited, us
from tests.reference.slow_speed import Refused, kinds
from tests.reference.slow_state import DEALT, OVER, PLAYING, STUCK, WAITING

P0, P1, P2 = 0, 1, 2
A, B = 0, 1


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("same_rank", [True, False])
def test_v0_the_worked_hand_of_the_rule_page(wrap: bool, same_rank: bool) -> None:  # noqa: FBT001
    game = Game(
        ("9D TS QC 3H 7S", "JS 4C 4D 6C 6D"),
        ("8C", "JH"),
        ("8D 8H TC TD TH JC JD QD QH QS KC 6S 5H 2C KD", "7C"),
        ("3C 3D 3S 2D 4S", "2H 2S AC AH AD"),
        wrap=wrap,
        same_rank=same_rank,
    )
    for at, word, pile, left in [(1.0, "9D", A, 14), (2, "TS", A, 13), (3, "QC", B, 12), (4, "KD", B, 11)]:
        assert ok(game.play(P0, word, pile, at))
        assert (len(game.table.held(P0)), len(game.table.draws[P0])) == (5, left)
    assert game.hand(P0) == "6S 2C 5H 3H 7S"
    assert kinds(game.play(P1, "JS", A, 4.5)) == ["played", "stuck"]
    assert (game.table.due, game.tops()) == (us(5.5), "JS KD")
    assert game.due(5.4) == Refused("not_due")
    assert ok(game.due(5.5))
    assert (game.tops(), [len(side) for side in game.table.sides], game.table.phase) == ("4S AD", [4, 4], PLAYING)
    for at, word, pile in [(6.0, "5H", A), (6.3, "6S", A), (6.6, "7S", A), (6.9, "2C", B), (7.2, "3H", B)]:
        assert ok(game.play(P0, word, pile, at))
    assert (len(game.table.held(P0)), len(game.table.draws[P0])) == (5, 6)


def danish(*, wrap: bool = True) -> Game:
    return Game(("5H 6H 9H AH KH", "4D 8C 8S TC TD"), ("4S", "QS"), ("8D", "2C"), wrap=wrap)


def test_v1_a_play_that_comes_second_is_beaten() -> None:
    game = danish()
    assert ok(game.play(P0, "5H", A, 0.0))
    assert ok(game.play(P1, "4D", A, 0.3))
    assert game.play(P0, "6H", A, 0.5) == beaten(0.2, P1, A)
    assert "6H" in game.hand(P0)


def test_v1_undisturbed_the_row_goes_down() -> None:
    game = danish()
    assert ok(game.play(P0, "5H", A, 0.0))
    assert ok(game.play(P0, "6H", A, 0.5))


@pytest.mark.parametrize("wrap", [True, False])
def test_v1_ace_on_king_needs_the_wrap(wrap: bool) -> None:  # noqa: FBT001
    game = danish(wrap=wrap)
    assert ok(game.play(P0, "KH", B, 0.0))
    assert ok(game.play(P0, "AH", B, 0.5)) is wrap


def test_t01_same_pile_same_moment() -> None:
    game = Game(("8H 2C", "6D 3C"), ("7C", "JC"), ("9H", "KC"))
    assert ok(game.play(P0, "8H", A, 2.0))
    assert game.hand(P0) == "9H 2C"
    assert game.play(P1, "6D", A, 2.05) == beaten(0.05, P0, A)
    assert (game.hand(P1), game.pile(P1)) == ("6D 3C", "KC")


def test_t02_the_second_may_still_fit() -> None:
    game = Game(("8H 2C", "9D 3C"), ("7C", "JC"), ("9H", "KC"))
    assert ok(game.play(P0, "8H", A, 2.0))
    assert ok(game.play(P1, "9D", A, 2.05))
    assert names(game.table.centre[A]) == "7C 8H 9D"


@pytest.mark.parametrize("first", [P0, P1])
def test_t03_of_two_last_cards_the_first_wins(first: int) -> None:
    game = Game(("8H", "QD"), ("7C", "JC"))
    plays = [(P0, "8H", A), (P1, "QD", B)]
    assert kinds(game.play(*plays[first], 9.0)) == ["played", "won"]
    assert game.play(*plays[1 - first], 9.0) == IS_OVER
    assert (game.table.winner, game.table.score, game.table.left(1 - first)) == (first, 1, 1)


def test_t04_a_play_that_was_on_its_way_counts_for_nothing() -> None:
    game = Game(("8H", "QD 2C 2D"), ("7C", "JC"), ("", "5C"))
    assert ok(game.play(P0, "8H", A, 10.0))
    assert (game.table.winner, game.table.score, game.table.phase) == (P0, 4, OVER)
    assert game.play(P1, "QD", B, 10.02) == IS_OVER


def test_t05_an_empty_hand_is_no_win_while_the_draw_pile_has_cards() -> None:
    game = Game(("8H", "2C 2D 2S 3D 3H"), ("7C", "JC"), ("5C 2H 9C", ""), refill="manual", hand_size=5)
    assert kinds(game.play(P0, "8H", A, 1.0)) == ["played", "waiting"]
    assert (game.table.left(P0), len(game.table.held(P0)), game.table.winner) == (3, 0, None)
    assert game.table.phase == WAITING
    assert kinds(game.draw(P0, 1.2)) == ["drew", "freed"]
    assert game.hand(P0) == "9C -- -- -- --"
    assert ok(game.play(P0, "9C", A, 1.5))


def test_t07_stuck_with_full_draw_piles_flips_the_side_piles() -> None:
    game = Game(("2C 3C", "2D 3D"), ("7C", "JC"), ("KC KD", "KH KS"), ("9C 4C", "9S TD"))
    assert kinds(game.revealed) == ["revealed", "stuck"]
    assert ok(game.due(1.0))
    assert game.tops() == "4C TD"
    assert [len(pile) for pile in (*game.table.draws, *game.table.sides, *game.table.centre)] == [2, 2, 1, 1, 2, 2]


def test_t08_only_the_pile_that_has_a_side_card_flips() -> None:
    game = Game(("2H 2D", "2C 2S"), ("KC 7S", "QC JS"), sides=("", "3C"))
    assert game.due(1.0) == [("flipped", us(1), [None, card("3C")])]
    assert (game.tops(), game.table.sides) == ("7S 3C", [[], []])
    assert ok(game.play(P0, "2H", B, 1.2))


def test_t09_an_odd_reshuffle_deals_alternately() -> None:
    game = Game(("2H 2D", "2C 2S"), ("5C 6C 8C 9C TC JC 7S", "QC KC 3H JS"), sides=("", ""))
    game.table.played_since_filling = True
    answer = game.due(1.0)
    assert kinds(answer) == ["reshuffled", "flipped"]
    assert answer[0] == ("reshuffled", us(1), [5, 4])
    assert [game.side(pile) for pile in (A, B)] == ["5C 8C TC QC", "6C 9C JC"]
    assert [names(pile) for pile in game.table.centre] == ["7S 3H", "JS KC"]


def test_per_pile_every_centre_pile_keeps_its_own_cards() -> None:
    game = Game(("2H 2D", "2C 2S"), ("5C 6C 8C 7S", "JS"), sides=("", ""), reshuffle="per_pile")
    game.table.played_since_filling = True
    assert game.due(1.0)[0] == ("reshuffled", us(1), [3, 0])
    assert (game.side(A), game.side(B), game.tops()) == ("5C 6C", "", "8C JS")


def test_t10_with_nothing_to_reshuffle_the_hands_are_tucked() -> None:
    game = Game(("2H 2D", "2C 2S"), ("7C", "JC"), ("6H", "KC"), ("", ""))
    assert kinds(game.due(1.0)) == ["tucked"]
    assert (game.hand(P0), game.hand(P1), game.pile(P0), game.pile(P1)) == ("6H 2H", "KC 2C", "2D", "2S")


def test_t10_with_nothing_to_tuck_either_the_deal_is_void() -> None:
    game = Game(("2H 2D", "2C 2S"), ("7C", "JC"), sides=("", ""))
    assert kinds(game.due(1.0)) == ["voided"]
    assert (game.table.phase, game.table.winner, game.table.score) == (OVER, None, 0)


def test_a_player_without_a_draw_pile_keeps_the_hand_in_a_tuck() -> None:
    game = Game(("2H 2D", "2C"), ("7C", "JC"), ("6H", ""), ("", ""))
    assert kinds(game.due(1.0)) == ["tucked"]
    assert game.hand(P1) == "2C --"


@pytest.mark.parametrize("tuck", [True, False])
def test_when_all_piles_were_taken_even_after_a_play_only_a_tuck_saves_the_deal(tuck: bool) -> None:  # noqa: FBT001
    game = Game(("2H 2D", "2C 2S"), ("7C", "JC"), ("6H", "KC"), ("", ""), tuck=tuck)
    game.table.played_since_filling = True
    assert kinds(game.due(1.0)) == ["tucked" if tuck else "voided"]


def test_t12_without_the_wrap_a_king_takes_only_a_queen_and_an_ace_only_a_two() -> None:
    game = Game(("AH KS", "2C QD"), ("KD", "AC"), wrap=False)
    assert game.play(P0, "AH", A, 1.0) == ILLEGAL
    assert game.play(P0, "KS", B, 1.0) == ILLEGAL
    assert ok(game.play(P1, "2C", B, 1.0))
    assert ok(game.play(P1, "QD", A, 1.0))


@pytest.mark.parametrize("wrap", [True, False])
def test_t12_kings_and_aces_alone_are_stuck_without_the_wrap(wrap: bool) -> None:  # noqa: FBT001
    game = Game(("AH KS", "KH AS"), ("KD", "AC"), wrap=wrap)
    assert (game.table.phase == STUCK) is not wrap
    assert ok(game.play(P0, "AH", A, 0.5)) is wrap


@pytest.mark.parametrize("same_rank", [True, False])
def test_t13_stacking(same_rank: bool) -> None:  # noqa: FBT001
    game = Game(("7H 8H", "2C 2D"), ("7S", "JC"), same_rank=same_rank)
    assert ok(game.play(P0, "7H", A, 1.0)) is same_rank


def test_t14_an_open_joker_goes_on_anything_and_takes_anything() -> None:
    game = Game(("*1 3C KD", "*2 9D"), ("9S", "JC"), jokers=2)
    assert ok(game.play(P0, "*1", A, 1.0))
    assert ok(game.play(P1, "*2", A, 1.1))
    assert ok(game.play(P0, "3C", A, 1.2))


@pytest.mark.parametrize("mode", ["open", "declared"])
def test_t14_a_joker_turned_by_a_flip_takes_anything(mode: str) -> None:
    game = Game(("2C 2D", "2H 2S"), ("7C", "JC"), sides=("*1", "9C"), jokers=2, joker_mode=mode)
    assert ok(game.due(1.0))
    assert ok(game.play(P0, "2C", A, 1.5))


def test_t15_a_declared_joker_stands_for_its_rank() -> None:
    game = Game(("*1 2C 2D", "QD *2 9D"), ("9S", "4C"), jokers=2, joker_mode="declared")
    assert game.play(P0, "*1", A, 1.0, "Q") == ILLEGAL
    assert ok(game.play(P0, "*1", A, 1.0, "T"))
    assert game.play(P1, "QD", A, 1.1) == ILLEGAL
    assert ok(game.play(P1, "*2", A, 1.2, "J"))
    assert ok(game.play(P1, "QD", A, 1.3))


def test_t15_the_named_rank_is_what_beats_a_card() -> None:
    game = Game(("*1 2C 2D", "8D 9D 2H"), ("9S", "4C"), jokers=2, joker_mode="declared")
    assert ok(game.play(P0, "*1", A, 1.0, "T"))
    assert game.play(P1, "8D", A, 1.2) == beaten(0.2, P0, A)


def test_an_unnamed_declared_joker_stands_for_the_rank_with_most_follow_ups() -> None:
    game = Game(("*1 7C 7D 3C", "2H 2S"), ("9S", "9C"), jokers=1, joker_mode="declared")
    assert ok(game.play(P0, "*1", None, 1.0))
    assert game.table.tops()[A] == (card("*1"), 8)


def test_an_unnamed_declared_joker_takes_the_higher_rank_and_the_lower_pile_on_ties() -> None:
    game = Game(("*1 3C", "2H 2S"), ("9S", "9C"), jokers=1, joker_mode="declared")
    assert ok(game.play(P0, "*1", None, 1.0))
    assert game.table.tops()[A] == (card("*1"), 10)


def test_t17_holds_for_a_joker_of_a_named_rank_as_well() -> None:
    game = Game(("*1 QH 2S", "2C 2D"), ("QD", "TS"), jokers=1, joker_mode="declared", wrap=False, same_rank=True)
    assert ok(game.play(P0, "*1", None, 1.0, "J"))
    assert game.table.tops()[B] == (card("*1"), 11), "the queen then fits both piles, on the queen only one"


@pytest.mark.parametrize(("rest", "pile"), [("5C 9C 9D", A), ("5C 5D 9C", B), ("2C 2D", A)])
def test_t17_the_automatic_pile(rest: str, pile: int) -> None:
    game = Game(("7H " + rest, "KC KD"), ("6S", "8S"))
    assert ok(game.play(P0, "7H", None, 1.0))
    assert names(game.table.centre[pile]).endswith("7H")


def test_t19_stuck_while_a_play_is_on_its_way() -> None:
    game = Game(("6H KS 2S", "4D AC KD"), ("5S", "9S"), ("KC", "2H"), ("3H JS", "JD JH"))
    assert kinds(game.play(P1, "4D", A, 1.05)) == ["played", "stuck"]
    assert game.play(P0, "6H", A, 1.08) == beaten(0.03, P1, A)
    assert (game.hand(P0), game.table.due) == ("6H KS 2S", us(2.05))
    assert kinds(game.due(2.05))[0] == "flipped"
    assert game.tops() == "JS JH"


def dead(*, tuck: bool) -> Game:
    rows = suited(
        "6 8 7 7 8", "8 5 5 6 7", "9 J K 6 K T 5 J 6 4 5 3 3 8 9", "J Q Q Q 4 4 2 9 K 2 7 4 A 9",
        "T", "2 3", "3 2 T Q T", "J A A K A",
    )  # fmt: skip
    game = Game((rows[0], rows[1]), (rows[4], rows[5]), (rows[2], rows[3]), (rows[6], rows[7]), tuck=tuck)
    game.table.played_since_filling = True
    return game


def run_out(game: Game) -> list[tuple[int, str]]:
    log = []
    while game.table.phase == STUCK:
        assert game.table.due is not None
        at = game.table.due
        log += [(at // us(1), word) for word in kinds(game.table.due_now(at)) if word != "stuck"]
    return log


def test_t23_a_dead_deal_is_saved_by_the_tuck() -> None:
    game = dead(tuck=True)
    assert game.pile(P0).startswith("9C JC KC")
    assert len(game.table.everything()) == len(set(game.table.everything())) == 52
    assert run_out(game) == [
        *((second, "flipped") for second in range(1, 6)),
        (6, "reshuffled"),
        *((second, "flipped") for second in range(6, 12)),
        (12, "tucked"),
    ]
    assert [" ".join(word[0] for word in game.hand(player).split()) for player in (P0, P1)] == [
        "9 8 3 3 5",
        "9 A 4 7 2",
    ]
    assert all(game.table.can_play(player) for player in (P0, P1))


def test_t23_without_the_tuck_a_dead_deal_is_void_after_more_passes_than_could_be_needed() -> None:
    log = run_out(dead(tuck=False))
    assert log[-1] == (24, "voided")
    assert [at for at, word in log if word == "reshuffled"] == [6, 12, 18]


def test_more_tucks_than_there_are_hands_full_and_one_make_the_deal_void() -> None:
    game = Game(("3C", "3D"), ("7C", "KC"), ("3H", "3S"), ("7D", "KD"))
    log = run_out(game)
    assert log[-1] == (9, "voided")
    assert [at for at, word in log if word == "tucked"] == [2, 4, 6, 8]


def test_t24_no_refill_from_an_empty_draw_pile() -> None:
    game = Game(("8H 2C 3C 4C 5C", "KC KD"), ("7C", "JC"))
    assert ok(game.play(P0, "8H", A, 1.0))
    assert game.hand(P0) == "-- 2C 3C 4C 5C"


def test_a_card_that_is_not_held_is_refused() -> None:
    game = Game(("8H 2C", "6D 3C"), ("7C", "JC"))
    assert game.play(P0, "6D", A, 1.0) == Refused("not_in_hand")


def test_a_tap_that_fits_nowhere_any_more_names_the_smallest_lateness() -> None:
    game = Game(("8H KD 2C 2D", "8D QD 3D 2H"), ("7C", "9C"), ("", "QH"))
    assert ok(game.play(P1, "8D", A, 1.0))
    assert ok(game.play(P0, "8H", None, 1.1))
    game = Game(("8H 2C", "6D TD 2H"), ("7C", "9C"))
    assert ok(game.play(P1, "6D", A, 1.0))
    assert ok(game.play(P1, "TD", B, 1.3))
    assert game.play(P0, "8H", None, 1.5) == beaten(0.2, P1, B)
    assert game.play(P0, "8H", A, 1.7) == beaten(0.7, P1, A)
    assert game.play(P0, "8H", A, 1.8) == ILLEGAL


def test_a_play_that_was_pressed_first_and_came_too_late_is_late_by_less_than_nothing() -> None:
    game = Game(("8H 2C", "6D TD 2H"), ("7C", "9C"))
    assert ok(game.play(P1, "6D", A, 1.0))
    assert game.play(P0, "8H", A, 0.9) == Refused("late_link", us(-0.1), P1, A)


def test_neither_an_own_play_nor_a_flip_beats_a_card() -> None:
    game = Game(("8H 6H 2C", "KD KH"), ("7C", "JC"))
    assert ok(game.play(P0, "6H", A, 1.0))
    assert game.play(P0, "8H", A, 1.1) == ILLEGAL
    assert ok(game.due(2.0))
    assert game.play(P0, "6H", A, 2.1) == Refused("not_in_hand")


def test_the_server_fills_the_hands_of_those_who_wait() -> None:
    game = Game(("8H", "2D 2C"), ("7C", "JC"), ("9C 5C 2H", "4C"), refill="manual", hand_size=3)
    assert kinds(game.play(P0, "8H", A, 1.0)) == ["played", "waiting"]
    assert kinds(game.due(2.0)) == ["drew", "drew", "drew", "drew", "freed"]
    assert (game.hand(P0), game.hand(P1)) == ("2H 5C 9C", "2D 2C 4C")
    assert game.draw(P0, 2.1) == Refused("hand_full")


def test_nothing_is_played_before_the_reveal() -> None:
    game = Game(("8H", "2D 2C"), ("7C", "JC"))
    game.table.phase = DEALT
    assert game.play(P0, "8H", A, 0.0) == Refused("not_started")


def stuck_game(**how: Any) -> Game:
    return Game(("2H 2D", "2C 2S"), ("7C", "JC"), sides=("6C 7D", "6D JD"), flip_trigger="all_ready", **how)


def test_the_flip_comes_as_soon_as_all_have_asked() -> None:
    game = stuck_game()
    assert ok(game.ask(P0, 0.5))
    assert game.ask(P0, 0.6) == []
    assert kinds(game.ask(P1, 0.7)) == ["asked", "flipped", "stuck"]
    assert (game.tops(), game.table.asked, game.table.due) == ("7D JD", set(), us(10.7))


def test_a_flip_that_nobody_asks_for_comes_after_ten_seconds() -> None:
    game = stuck_game()
    assert game.due(9.9) == Refused("not_due")
    assert kinds(game.due(10.0)) == ["flipped", "stuck"]


def test_asking_is_for_the_stuck_and_for_tables_that_ask() -> None:
    assert Game(("8H", "2D 2C"), ("7C", "JC"), flip_trigger="all_ready").ask(P0, 1.0) == Refused("not_due")
    assert Game(("2H", "2D 2C"), ("7C", "JC")).ask(P0, 0.5) == Refused("not_due")


def calling(**how: Any) -> Game:
    game = Game(("8H", "KD KH 2C"), ("4H 9C 6C 7C", "2H 3H 5H 5D TS JC"), ("", "4C"), call_speed=True, **how)
    assert kinds(game.play(P0, "8H", A, 3.0)) == ["played", "calling"]
    return game


def test_the_owner_who_calls_first_wins() -> None:
    game = calling()
    assert game.play(P1, "KD", A, 3.1) == Refused("calling")
    assert game.call(P0, 3.2) == [("won", us(3.2), P0, 4, "out")]


def test_the_window_that_ends_without_a_call_is_a_win() -> None:
    game = calling()
    assert game.due(4.9) == Refused("not_due")
    assert game.due(5.1) == [("won", us(5.0), P0, 4, "out")]


def test_the_owner_who_is_caught_takes_the_smallest_pile_without_its_top() -> None:
    game = calling()
    assert kinds(game.call(P1, 3.2)) == ["took"]
    assert (game.hand(P0), game.pile(P0)) == ("7C 6C 9C", "4H")
    assert [names(pile) for pile in game.table.centre] == ["8H", "2H 3H 5H 5D TS JC"]
    assert game.table.phase == PLAYING


def test_the_owner_who_is_caught_with_nothing_to_take_wins() -> None:
    game = calling()
    game.table.centre = [pile[-1:] for pile in game.table.centre]
    assert game.call(P1, 3.2) == [("won", us(3.2), P0, 4, "out")]


def test_who_refills_by_hand_also_takes_up_the_caught_cards_by_hand() -> None:
    game = calling(refill="manual")
    assert kinds(game.call(P1, 3.2)) == ["took", "waiting"]
    assert (game.hand(P0), game.pile(P0)) == ("-- -- --", "4H 9C 6C 7C")
    assert ok(game.draw(P0, 3.3))


def test_a_call_that_lost_the_race_for_the_call_is_no_false_call() -> None:
    game = calling()
    assert ok(game.call(P1, 3.2))
    assert game.call(P0, 3.9) == ILLEGAL
    assert kinds(game.call(P0, 3.91)) == ["frozen"]


def test_a_false_call_freezes() -> None:
    game = Game(("8H 9C", "6D TD"), ("7C", "JC"), call_speed=True)
    assert kinds(game.call(P0, 1.0)) == ["frozen"]
    assert game.play(P0, "8H", A, 2.9) == Refused("frozen")
    assert game.call(P0, 2.9) == Refused("frozen")
    assert ok(game.play(P0, "8H", A, 3.0))


def test_a_false_call_may_cost_cards_that_go_under_the_draw_pile() -> None:
    game = Game(
        ("8H 9C", "6D TD"), ("3D 4D 7C", "2D JC"), ("5C", ""), call_speed=True, false_call="cards", refill="manual"
    )
    assert kinds(game.call(P0, 1.0)) == ["took"]
    assert (game.pile(P0), names(game.table.centre[B])) == ("2D 5C", "JC")


def test_a_false_call_with_nothing_to_take_or_no_penalty_is_illegal() -> None:
    for false_call in ("cards", "none"):
        game = Game(("8H 9C", "6D TD"), ("7C", "JC"), call_speed=True, false_call=false_call)
        assert game.call(P0, 1.0) == ILLEGAL
    assert Game(("8H 9C", "6D TD"), ("7C", "JC")).call(P0, 1.0) == ILLEGAL


def test_of_three_a_leaver_deals_the_cards_under_the_side_piles() -> None:
    game = Game(("8H 9C", "6D TD", "2C 2D"), ("7C", "JC"), ("", "", "3D 3H"), ("4C", "4D"))
    assert ok(game.leave(P2, 1.0))
    assert (game.side(A), game.side(B)) == ("2C 3D 4C", "2D 3H 4D")
    assert game.play(P2, "2C", A, 1.1) == IS_OVER
    assert game.leave(P0, 2.0)[-1:] == [("won", us(2.0), P1, 2, "forfeit")]


def test_the_last_ask_may_be_spared_by_leaving() -> None:
    game = Game(("2H 2D", "2C 2S", "3C 3D"), ("7C", "JC"), sides=("6C 7D", "6D JD"), flip_trigger="all_ready")
    assert ok(game.ask(P0, 0.5))
    assert ok(game.ask(P1, 0.5))
    assert kinds(game.leave(P2, 0.8)) == ["left", "flipped", "stuck"]


def test_an_owner_who_leaves_while_the_call_is_open_wins_nothing() -> None:
    game = calling()
    assert game.leave(P0, 3.1)[-1] == ("won", us(3.1), P1, 0, "forfeit")
    game = Game(("8H", "KD KH", "2C 2D"), ("7C", "JC"), call_speed=True)
    assert ok(game.play(P0, "8H", A, 3.0))
    assert kinds(game.leave(P0, 3.1)) == ["left", "stuck"]
