"""The worked vectors of the rules, through decide and evolve: V for whole hands, T for one edge case each."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.common.helpers import DEADLOCK, Deal, cards, deadlock, hopeless, run_out, us

from speed_common.cards import NO_CARD, RANK_NAMES, card_name, parse_card
from speed_common.events import (
    AUTO_PILE,
    NOBODY,
    Draw,
    Drew,
    Drop,
    Event,
    Flipped,
    Freed,
    Leave,
    Lift,
    Play,
    Played,
    Refusal,
    Request,
    Reshuffled,
    Reveal,
    Stuck,
    Tucked,
    Voided,
    Waiting,
    Won,
)
from speed_common.rules import make_rules
from speed_common.table import DEALT, OVER, PLAYING

P0, P1 = 0, 1
A, B = 0, 1
ILLEGAL, BEATEN, DEAL_OVER = "illegal", "beaten", "deal_over"


def ranks(some: list[int]) -> str:
    return " ".join(RANK_NAMES[card % 13].replace("10", "T") for card in some)


def refused(answer: tuple[Event, ...] | Refusal) -> str:
    assert isinstance(answer, Refusal)
    return answer.word


def ok(answer: tuple[Event, ...] | Refusal) -> bool:
    return not isinstance(answer, Refusal)


def kinds(answer: tuple[Event, ...] | Refusal) -> list[type]:
    assert not isinstance(answer, Refusal)
    return [type(event) for event in answer]


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("same_rank", [True, False])
def test_v0_the_worked_hand(wrap: bool, same_rank: bool) -> None:  # noqa: FBT001
    deal = Deal(
        ("9D 10S QC 3H 7S", "JS 4C 4H 6C 6D"),
        ("8C", "JH"),
        draws=("8D 8H 8S 9C 9H 9S 10C 10D 10H JC JD 6S 5H 2C KD", "5C 7C"),
        sides=("3C 3D 3S 5D 4S", "7D 7H QD QH AD"),
        rules=make_rules(wrap=wrap, same_rank=same_rank),
    )
    assert deal.reveal()
    for at, card, pile, drawn in [(1, "9D", A, "KD"), (2, "10S", A, "2C"), (3, "QC", B, "5H"), (4, "KD", B, "6S")]:
        (played,) = deal.events(deal.play(P0, card, pile, at=at))
        assert isinstance(played, Played)
        assert card_name(played.refill) == drawn
    assert len(deal.table.draws[P0]) == 11
    answer = deal.play(P1, "JS", A, at=4.5)
    assert kinds(answer) == [Played, Stuck]
    assert deal.hand(P0) == cards("6S 2C 5H 3H 7S")
    assert deal.table.due == us(5.5)
    assert kinds(deal.due(5.5)) == [Flipped]
    assert deal.table.tops == cards("4S AD")
    assert [len(side) for side in deal.table.sides] == [4, 4]
    plays = [(6.0, "5H", A), (6.3, "6S", A), (6.6, "7S", A), (6.9, "2C", B), (7.2, "3H", B)]
    assert all(ok(deal.play(P0, card, pile, at=at)) for at, card, pile in plays)
    assert (deal.table.hand_count(P0), len(deal.table.draws[P0])) == (5, 6)


def danish(*, wrap: bool = True) -> Deal:
    deal = Deal(
        ("5H 6H 9H AH KH", "4D 8C 8H 8S 9C"), ("4S", "QS"), draws=("2D 8D", "9S 9D"), rules=make_rules(wrap=wrap)
    )
    deal.reveal()
    return deal


def test_v1_a_pile_taken_by_the_opponent_beats_the_planned_next_card() -> None:
    deal = danish()
    assert ok(deal.play(P0, "5H", A, at=0.0))
    assert ok(deal.play(P1, "4D", A, at=0.3))
    before = list(deal.hand(P0))
    answer = deal.play(P0, "6H", A, at=0.5)
    assert answer == Refusal("beaten", late=us(0.2), by=P1, pile=A, took=parse_card("4D"))
    assert deal.hand(P0) == before


def test_v1_without_the_opponent_the_sequence_goes_through() -> None:
    deal = danish()
    assert ok(deal.play(P0, "5H", A, at=0.0))
    assert ok(deal.play(P0, "6H", A, at=0.5))


@pytest.mark.parametrize("wrap", [True, False])
def test_v1_the_ace_goes_on_the_king_only_with_wrap(wrap: bool) -> None:  # noqa: FBT001
    deal = danish(wrap=wrap)
    assert ok(deal.play(P0, "KH", B, at=0.1))
    assert ok(deal.play(P0, "AH", B, at=0.2)) == wrap


def same_pile(second: str) -> Deal:
    deal = Deal(("8H 2C", f"{second} 3C"), ("7C", "JC"), draws=("5S 9H", "5D KC"))
    deal.reveal()
    return deal


def test_t01_the_second_card_on_the_same_pile_goes_back() -> None:
    deal = same_pile("6D")
    (played,) = deal.events(deal.play(P0, "8H", A, at=2.0))
    assert isinstance(played, Played)
    assert (played.slot, played.refill) == (0, parse_card("9H"))
    assert deal.play(P1, "6D", A, at=2.05) == Refusal("beaten", us(0.05), P0, A, parse_card("8H"))
    assert deal.hand(P1)[:2] == cards("6D 3C")
    assert deal.table.draws[P1] == cards("5D KC")


def test_t02_the_second_card_stays_where_it_still_fits() -> None:
    deal = same_pile("9D")
    assert ok(deal.play(P0, "8H", A, at=2.0))
    assert ok(deal.play(P1, "9D", A, at=2.05))
    assert [*deal.table.under[A], deal.table.tops[A]] == cards("7C 8H 9D")


@pytest.mark.parametrize(("first", "second"), [(P0, P1), (P1, P0)])
def test_t03_of_two_last_cards_the_earlier_wins_and_the_other_counts_one(first: int, second: int) -> None:
    last = {P0: ("8H", A), P1: ("QD", B)}
    deal = Deal(("8H", "QD"), ("7C", "JC"))
    deal.reveal()
    card, pile = last[first]
    assert deal.events(deal.play(first, card, pile, at=9.0))[1] == Won(us(9.0), first, 1)
    card, pile = last[second]
    assert refused(deal.play(second, card, pile, at=9.0)) == DEAL_OVER
    assert deal.table.cards_left(second) == 1
    assert deal.table.tops[last[second][1]] == cards("7C JC")[last[second][1]]
    assert (deal.table.phase, deal.table.winner, deal.table.score) == (OVER, first, 1)


def test_t04_a_play_still_pending_at_the_end_counts_among_the_cards_left() -> None:
    deal = Deal(("8H", "QD 2C 2D"), ("7C", "JC"), draws=("", "5S"))
    deal.reveal()
    assert deal.events(deal.play(P0, "8H", A, at=10.0))[1] == Won(us(10.0), P0, 4)
    assert refused(deal.play(P1, "QD", B, at=10.02)) == DEAL_OVER


def test_t05_with_manual_refill_an_empty_hand_is_no_win_and_must_draw() -> None:
    deal = Deal(("8H", "2S 2C 2D 3D 3H"), ("7C", "JC"), draws=("5C 2H 9C", ""), rules=make_rules(refill="manual"))
    deal.reveal()
    answer = deal.play(P0, "8H", A, at=1.0)
    assert kinds(answer) == [Played, Waiting]
    assert (deal.table.hand_count(P0), len(deal.table.draws[P0]), deal.table.phase) == (0, 3, PLAYING)
    assert deal.events(deal.draw(P0, at=1.2)) == (Drew(us(1.2), P0, 0, parse_card("9C")), Freed(us(1.2)))
    assert ok(deal.play(P0, "9C", A, at=1.5))


def test_with_manual_refill_the_hands_are_filled_for_those_who_do_not_draw() -> None:
    deal = Deal(("8H", "2S 2C 2D 3D 3H"), ("7C", "JC"), draws=("5C 4H 5D", ""), rules=make_rules(refill="manual"))
    deal.reveal()
    assert refused(deal.draw(P1, at=0.5)) == "hand_full"
    deal.play(P0, "8H", A, at=1.0)
    assert kinds(deal.draw(P0, at=1.2)) == [Drew], "still nobody can play, the wait goes on"
    assert deal.table.due == us(2.0)
    assert refused(deal.due(1.9)) == "not_due"
    assert kinds(deal.due(2.0)) == [Drew, Drew, Stuck]
    assert deal.hand(P0) == cards("5D 4H 5C -- --")
    assert deal.table.due == us(3.0)
    assert refused(deal.draw(P0, at=2.1)) == "nothing_to_draw"


def test_without_manual_refill_nobody_draws() -> None:
    deal = same_pile("6D")
    assert refused(deal.draw(P0, at=1.0)) == ILLEGAL


def test_t07_a_stuck_table_flips_and_leaves_full_draw_piles_alone() -> None:
    deal = Deal(
        ("2C 2D", "3C 3D"), ("7C", "JC"), draws=("5C 5D", "KC KD"), sides=("9C 4C", "9S 10D"), rules=make_rules()
    )
    assert deal.reveal()[1] == Stuck(0, us(1.0))
    assert refused(deal.due(0.999)) == "not_due"
    deal.due(1.0)
    assert deal.table.tops == cards("4C 10D")
    assert [len(pile) for pile in (*deal.table.draws, *deal.table.sides, *deal.table.under)] == [2, 2, 1, 1, 1, 1]


def test_t08_a_lone_side_pile_flips_alone() -> None:
    deal = Deal(("2H 2D", "2C 2S"), ("KC 7S", "QC JS"), sides=("", "3C"))
    deal.reveal()
    assert kinds(deal.due(1.0)) == [Flipped]
    assert deal.table.tops == cards("7S 3C")
    assert deal.table.sides == [[], []]
    assert ok(deal.play(P0, "2H", B, at=1.5))


def test_t09_an_odd_reshuffle_gives_the_first_pile_one_more() -> None:
    deal = Deal(("2H 2D", "2C 2S"), ("5C 6C 8C 9C 10C JC 7S", "QC KC 3H JS"), sides=("", ""))
    deal.reveal()
    deal.table.played_since_filling = True
    assert kinds(deal.due(1.0)) == [Reshuffled, Flipped]
    assert deal.table.sides == [cards("5C 8C 10C QC"), cards("6C 9C JC")]
    assert [[*under, top] for under, top in zip(deal.table.under, deal.table.tops, strict=True)] == [
        cards("7S 3H"),
        cards("JS KC"),
    ]


def test_a_reshuffle_by_pile_gives_each_side_pile_its_own_centre_pile_back() -> None:
    deal = Deal(("2H 2D", "2C 2S"), ("5C 6C 8C 7S", "QC JS"), sides=("", ""), rules=make_rules(reshuffle="per_pile"))
    deal.reveal()
    deal.table.played_since_filling = True
    assert kinds(deal.due(1.0)) == [Reshuffled, Flipped, Stuck]
    assert deal.table.sides == [cards("5C 6C"), []]
    assert deal.table.tops == cards("8C QC")
    assert kinds(deal.due(2.0)) == [Flipped, Stuck], "a lone flip of the pile that has cards"
    assert deal.table.tops == cards("6C QC")


@pytest.mark.parametrize("with_piles", [True, False])
def test_t10_with_nothing_to_reshuffle_hands_are_tucked_or_the_deal_is_void(with_piles: bool) -> None:  # noqa: FBT001
    deal = Deal(
        ("2H 2D", "2C 2S"),
        ("7C", "JC"),
        draws=("6H", "KC") if with_piles else ("", ""),
        sides=("", ""),
        rules=make_rules(hand_size=2),
    )
    deal.reveal()
    if not with_piles:
        assert kinds(deal.due(1.0)) == [Voided]
        assert (deal.table.phase, deal.table.winner, deal.table.score) == (OVER, NOBODY, 0)
        return
    assert kinds(deal.due(1.0)) == [Tucked]
    assert deal.table.hands == [cards("6H 2H"), cards("KC 2C")]
    assert deal.table.draws == [cards("2D"), cards("2S")]


def test_t12_without_wrap_a_king_takes_only_a_queen_and_an_ace_only_a_two() -> None:
    rules = make_rules(wrap=False)
    deal = Deal(("AH KS", "2C QD"), ("KD", "AC"), rules=rules)
    deal.reveal()
    assert refused(deal.play(P0, "AH", A)) == ILLEGAL
    assert refused(deal.play(P0, "KS", B)) == ILLEGAL
    assert ok(deal.play(P1, "2C", B))
    assert ok(deal.play(P1, "QD", A))


@pytest.mark.parametrize("wrap", [True, False])
def test_t12_aces_and_kings_alone_are_stuck_at_once_only_without_wrap(wrap: bool) -> None:  # noqa: FBT001
    deal = Deal(("AH KS", "KH AS"), ("KD", "AC"), rules=make_rules(wrap=wrap))
    assert kinds(deal.reveal())[1:] == ([] if wrap else [Stuck])
    if wrap:
        assert ok(deal.play(P0, "AH", A))


@pytest.mark.parametrize("same_rank", [True, False])
def test_t13_the_same_rank_fits_only_with_stacking(same_rank: bool) -> None:  # noqa: FBT001
    deal = Deal(("7H 8C", "2C"), ("7S", "KC"), rules=make_rules(same_rank=same_rank))
    deal.reveal()
    assert ok(deal.play(P0, "7H", A)) == same_rank


def test_t14_an_open_joker_goes_on_anything_and_takes_anything() -> None:
    deal = Deal(("*1 3C KD", "*2 9D"), ("9S", "JC"), rules=make_rules(jokers=2))
    deal.reveal()
    assert ok(deal.play(P0, "*1", A))
    assert ok(deal.play(P1, "*2", A))
    assert ok(deal.play(P0, "3C", A))


def test_t14_a_joker_turned_up_by_a_flip_takes_anything() -> None:
    for mode in ("open", "declared"):
        deal = Deal(("2C", "2D 2H"), ("7C", "JC"), sides=("*1", "QC"), rules=make_rules(jokers=2, joker_mode=mode))
        deal.reveal()
        assert kinds(deal.due(1.0)) == [Flipped]
        assert ok(deal.play(P0, "2C", A))


def declared(hand: str, other: str = "3C 3D") -> Deal:
    deal = Deal((hand, other), ("9S", "4C"), rules=make_rules(jokers=2, joker_mode="declared"))
    deal.reveal()
    return deal


def test_t15_a_declared_joker_counts_as_the_named_rank() -> None:
    deal = declared("*1 *2 QD QH", "2C QC")
    assert refused(deal.play(P0, "*1", A, named="Q")) == ILLEGAL
    assert ok(deal.play(P0, "*1", A, named="10"))
    assert refused(deal.play(P0, "QD", A)) == ILLEGAL
    assert ok(deal.play(P0, "*2", A, named="J"))
    assert ok(deal.play(P0, "QD", A))
    assert deal.table.named == [-1, -1]


def test_a_joker_without_a_rank_gets_the_one_with_most_follow_ups_and_of_those_the_higher() -> None:
    deal = declared("*1 7C 7D JC")
    (played,) = deal.events(deal.play(P0, "*1", A))
    assert isinstance(played, Played)
    assert RANK_NAMES[played.named] == "8"
    deal = declared("*1 KC KD")
    (played,) = deal.events(deal.play(P0, "*1", A))
    assert isinstance(played, Played)
    assert RANK_NAMES[played.named] == "10"


def test_a_named_joker_without_a_pile_goes_where_the_rank_is_legal() -> None:
    deal = declared("*1 7C")
    (played, *_) = deal.events(deal.play(P0, "*1", AUTO_PILE, named="5"))
    assert isinstance(played, Played)
    assert (played.pile, RANK_NAMES[played.named]) == (B, "5")
    assert refused(declared("*1 7C").play(P0, "*1", AUTO_PILE, named="K")) == ILLEGAL


def test_a_joker_may_be_the_last_card_and_counts_one() -> None:
    deal = Deal(("*1", "*2"), ("9S", "4C"), rules=make_rules(jokers=2))
    deal.reveal()
    assert deal.events(deal.play(P0, "*1"))[1] == Won(us(1.0), P0, 1)


@pytest.mark.parametrize(("rest", "pile"), [("5C 9C 9D", A), ("5C 5D 9C", B), ("2C 2D", A), ("6C 8C 8D", A), ("KC", A)])
def test_t17_the_automatic_pile_keeps_most_follow_ups(rest: str, pile: int) -> None:
    deal = Deal((f"{rest} 7H", "3C"), ("6S", "8S"))
    deal.reveal()
    (played, *_) = deal.events(deal.play(P0, "7H", AUTO_PILE))
    assert isinstance(played, Played)
    assert played.pile == pile


def test_the_automatic_pile_looks_at_pairs_when_as_many_cards_follow() -> None:
    deal = Deal(("5C 9D 6C 6D 7H", "3C"), ("6S", "8S"))
    deal.reveal()
    (played, *_) = deal.events(deal.play(P0, "7H", AUTO_PILE))
    assert isinstance(played, Played)
    assert played.pile == A


def test_a_tapped_card_that_fits_nowhere_any_more_is_late_by_the_smaller_of_its_piles() -> None:
    deal = Deal(("8H 2C", "8D 10C 4C"), ("7C", "9D"), draws=("", "5D KC"))
    deal.reveal()
    assert ok(deal.play(P1, "8D", A, at=2.0))
    assert ok(deal.play(P1, "10C", B, at=2.3))
    assert deal.play(P0, "8H", AUTO_PILE, at=2.5) == Refusal("beaten", us(0.2), P1, B, parse_card("10C"))
    assert deal.play(P0, "8H", A, at=2.5) == Refusal("beaten", us(0.5), P1, A, parse_card("8D"))


def test_a_press_from_before_the_change_that_comes_too_late_blames_the_link() -> None:
    deal = same_pile("6D")
    assert ok(deal.play(P0, "8H", A, at=2.0))
    assert deal.play(P1, "6D", A, at=1.99) == Refusal("late_link", us(-0.01), P0, A, parse_card("8H"))


def test_beaten_ends_with_its_window() -> None:
    deal = same_pile("6D")
    assert ok(deal.play(P0, "8H", A, at=2.0))
    assert refused(deal.play(P1, "6D", A, at=2.7)) == BEATEN
    assert refused(deal.play(P1, "6D", A, at=2.700001)) == ILLEGAL


def test_nobody_is_beaten_by_an_own_play_or_by_a_flip() -> None:
    deal = Deal(("8H 6H 2C", "KD KC"), ("7C", "JC"))
    deal.reveal()
    assert ok(deal.play(P0, "8H", A, at=1.0))
    assert refused(deal.play(P0, "6H", A, at=1.1)) == ILLEGAL
    deal = Deal(("2C 9H", "6C 9D"), ("7C", "8C"), draws=("9S", "9C"), sides=("QC", "QD"))
    deal.reveal()
    for seat, card in ((P0, "9H"), (P1, "9D")):
        assert refused(deal.play(seat, card, A)) == ILLEGAL


def test_a_play_that_comes_after_a_flip_is_judged_by_the_new_top() -> None:
    deal = Deal(("2C 2D", "5H 5C"), ("7C", "JC"), sides=("3C", "9C"))
    deal.reveal()
    deal.due(1.0)
    assert ok(deal.play(P0, "2C", A, at=1.01))
    assert refused(deal.play(P1, "5H", B, at=1.02)) == ILLEGAL


def test_t19_a_play_in_flight_when_the_table_gets_stuck_is_beaten_and_the_flip_stays_due() -> None:
    deal = Deal(
        ("6H KS 2S", "4D AC KD"),
        ("5S", "9S"),
        draws=("KC", "2H"),
        sides=("3H JS", "JD JH"),
        rules=make_rules(wrap=False),
    )
    deal.reveal()
    assert kinds(deal.play(P1, "4D", A, at=1.05)) == [Played, Stuck]
    assert deal.play(P0, "6H", A, at=1.08) == Refusal("beaten", us(0.03), P1, A, parse_card("4D"))
    assert deal.hand(P0)[:3] == cards("6H KS 2S")
    assert deal.table.due == us(2.05)
    deal.due(2.05)
    assert deal.table.tops == cards("JS JH")


def test_the_deadlock_is_laid_from_one_full_deck() -> None:
    deal = deadlock(tuck=True)
    assert ranks(deal.hand(P0)) == "6 8 7 7 8"
    assert ranks(deal.hand(P1)) == "8 5 5 6 7"
    piles = (*DEADLOCK["hands"], *DEADLOCK["draws"], *DEADLOCK["centre"], *DEADLOCK["sides"])
    assert sorted(cards(" ".join(piles))) == list(range(52))


def test_a_play_before_the_reveal_and_one_after_the_end_are_told_apart() -> None:
    deal = Deal(("8H", "QD"), ("7C", "JC"))
    assert deal.table.phase == DEALT
    early: list[Request] = [Play(P0, parse_card("8H"), A, 0), Leave(P0, 0), Lift(P0, 0, 0)]
    for request in early:
        assert refused(deal.ask(request)) == "not_started"
    assert refused(deal.due(5.0)) == "not_due"
    deal.reveal()
    assert refused(deal.ask(Reveal())) == "not_due"
    deal.play(P0, "8H", A, at=1.0)
    later: list[Request] = [Play(P1, parse_card("QD"), B, us(2)), Leave(P1, us(2)), Lift(P1, 0, us(2)), Drop(P1, us(2))]
    for request in later:
        assert refused(deal.ask(request)) == DEAL_OVER
    assert refused(deal.due(5.0)) == "not_due"


@pytest.mark.parametrize("refill", ["auto", "manual"])
def test_a_draw_is_refused_before_and_after_play(refill: str) -> None:
    deal = Deal(("8H", "QD"), ("7C", "JC"), rules=make_rules(refill=refill))
    if refill == "manual":
        assert refused(deal.ask(Draw(P0, 0))) == "not_started"
    deal.reveal()
    deal.play(P0, "8H", A, at=1.0)
    if refill == "manual":
        assert refused(deal.ask(Draw(P1, us(2)))) == DEAL_OVER


@pytest.mark.parametrize("card", [NO_CARD, -2, parse_card("KS"), parse_card("QD"), 107])
def test_a_card_that_is_not_in_the_hand_cannot_be_played(card: int) -> None:
    deal = Deal(("8H 2C", "QD"), ("7C", "JC"))
    deal.reveal()
    assert deal.ask(Play(P0, card, A, us(1))) == Refusal("not_in_hand")


@pytest.mark.parametrize("pile", [2, 3, 7, -2])
def test_a_pile_that_is_not_there_takes_nothing(pile: int) -> None:
    deal = Deal(("8H 2C", "QD"), ("7C", "JC"))
    deal.reveal()
    assert refused(deal.play(P0, "8H", pile)) == ILLEGAL


def test_t24_at_the_end_a_played_slot_stays_empty() -> None:
    deal = Deal(("8H 2C 3C 4C 5C", "QC"), ("7C", "JC"))
    deal.reveal()
    (played,) = deal.events(deal.play(P0, "8H", A))
    assert isinstance(played, Played)
    assert played.refill == NO_CARD
    assert deal.hand(P0) == cards("-- 2C 3C 4C 5C")


def test_who_leaves_forfeits_the_cards_left() -> None:
    deal = Deal(("8H 2C", "QD 3C"), ("7C", "JC"), draws=("5C", "5D 5H"))
    deal.reveal()
    assert deal.events(deal.leave(P1, at=3.0)) == (Won(us(3.0), P0, 4, forfeit=True),)
    assert (deal.table.phase, deal.table.winner) == (OVER, P0)


def test_a_lift_names_a_card_in_the_hand_and_a_drop_without_one_is_nothing() -> None:
    deal = Deal(("8H 2C", "QD 3C"), ("7C", "JC"))
    deal.reveal()
    assert deal.ask(Drop(P0, 0)) == ()
    assert refused(deal.ask(Lift(P0, 4, 0))) == "not_in_hand"
    assert ok(deal.ask(Lift(P0, 0, us(0.5))))
    assert deal.table.lifted == [0, -1]
    assert ok(deal.play(P0, "8H", A))
    assert deal.table.lifted == [-1, -1]


def test_a_deal_that_no_tuck_can_help_is_void_by_the_guard() -> None:
    deal = hopeless(make_rules(hand_size=1))
    deal.reveal()
    happened = [type(event) for _, event in run_out(deal)]
    assert happened[-1] is Voided
    for kind, following in pairwise(kind for kind in happened if kind in {Tucked, Reshuffled}):
        assert kind != following, "a pass over the whole table lies between two tucks"
    assert happened.count(Tucked) == 4, "two windows make K = 2; more than K + 1 tucks without a play end the deal"
    assert deal.table.winner == NOBODY


def test_without_tuck_a_dead_deal_is_void() -> None:
    deal = hopeless(make_rules(hand_size=1, tuck=False))
    deal.reveal()
    happened = [type(event) for _, event in run_out(deal)]
    assert happened[-1] is Voided
    assert Tucked not in happened


def test_after_a_play_the_empty_side_piles_are_filled_and_no_hand_is_tucked() -> None:
    deal = Deal(("8H 2C", "2D 2H"), ("7C 7D", "QC QH"), draws=("2S", "KC"), sides=("", ""))
    deal.reveal()
    deal.table.barren = 2
    assert kinds(deal.play(P0, "8H", A)) == [Played, Stuck]
    assert deal.table.barren == 0
    assert kinds(deal.due(2.0))[:2] == [Reshuffled, Flipped]


def test_t23_a_true_deadlock_ends_in_a_tuck_after_which_both_can_play() -> None:
    deal = deadlock(tuck=True)
    happened = run_out(deal)
    flips = [at for at, event in happened if isinstance(event, Flipped)]
    (reshuffled,) = [event for _, event in happened if isinstance(event, Reshuffled)]
    (tucked,) = [(at, event) for at, event in happened if isinstance(event, Tucked)]
    assert flips == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [len(side) for side in reshuffled.sides] == [6, 5]
    assert reshuffled.at == us(6)
    lone = [event for _, event in happened if isinstance(event, Flipped) and NO_CARD in event.tops]
    assert lone[-1].at == us(11)
    assert tucked[0] == 12
    assert [ranks(list(hand)) for hand in tucked[1].hands] == ["9 8 3 3 5", "9 A 4 7 2"]
    assert deal.table.phase == PLAYING
    assert all(held & (deal.table.reach[A] | deal.table.reach[B]) for held in deal.table.held)


def test_t23_without_tuck_it_never_ends_and_is_void() -> None:
    deal = deadlock(tuck=False)
    happened = run_out(deal)
    assert isinstance(happened[-1][1], Voided)
