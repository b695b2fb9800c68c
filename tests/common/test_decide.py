"""The worked vectors of the rules, through decide and evolve: V for whole hands, T for one edge case each."""

from __future__ import annotations

import pytest
from tests.common.helpers import P0, P1, P2, P3, A, B, C, Deal, cards, kinds, ok, refused, us

from speed_common.cards import NO_CARD, card_name, parse_card
from speed_common.decide import decide
from speed_common.deck import CodeStream, lay_out
from speed_common.events import (
    AUTO_PILE,
    Draw,
    Drop,
    Flipped,
    Leave,
    Lift,
    Play,
    Played,
    Refusal,
    Request,
    Reveal,
    Stuck,
    Won,
)
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import DEALT, OVER, evolve, new_table


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


@pytest.mark.parametrize(("first", "second"), [(P0, P1), (P1, P0)])
def test_t03_of_two_last_cards_the_earlier_wins_and_the_other_counts_one(first: int, second: int) -> None:
    last = {P0: ("8H", A), P1: ("QD", B)}
    deal = Deal(("8H", "QD"), ("7C", "JC"))
    deal.reveal()
    card, pile = last[first]
    assert deal.events(deal.play(first, card, pile, at=9.0))[1] == Won(us(9.0), first, 1)
    card, pile = last[second]
    assert refused(deal.play(second, card, pile, at=9.0)) == "deal_over"
    assert deal.table.cards_left(second) == 1
    assert deal.table.tops[last[second][1]] == cards("7C JC")[last[second][1]]
    assert (deal.table.phase, deal.table.winner, deal.table.score) == (OVER, first, 1)


def test_t04_a_play_still_pending_at_the_end_counts_among_the_cards_left() -> None:
    deal = Deal(("8H", "QD 2C 2D"), ("7C", "JC"), draws=("", "5S"))
    deal.reveal()
    assert deal.events(deal.play(P0, "8H", A, at=10.0))[1] == Won(us(10.0), P0, 4)
    assert refused(deal.play(P1, "QD", B, at=10.02)) == "deal_over"


def test_without_manual_refill_nobody_draws() -> None:
    deal = Deal(("8H 2C", "6D 3C"), ("7C", "JC"), draws=("5S 9H", "5D KC"))
    deal.reveal()
    assert refused(deal.draw(P0, at=1.0)) == "illegal"


def test_t12_without_wrap_a_king_takes_only_a_queen_and_an_ace_only_a_two() -> None:
    rules = make_rules(wrap=False)
    deal = Deal(("AH KS", "2C QD"), ("KD", "AC"), rules=rules)
    deal.reveal()
    assert refused(deal.play(P0, "AH", A)) == "illegal"
    assert refused(deal.play(P0, "KS", B)) == "illegal"
    assert ok(deal.play(P1, "2C", B))
    assert ok(deal.play(P1, "QD", A))


@pytest.mark.parametrize("same_rank", [True, False])
def test_t13_the_same_rank_fits_only_with_stacking(same_rank: bool) -> None:  # noqa: FBT001
    deal = Deal(("7H 8C", "2C"), ("7S", "KC"), rules=make_rules(same_rank=same_rank))
    deal.reveal()
    assert ok(deal.play(P0, "7H", A)) == same_rank


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
        assert refused(deal.ask(request)) == "deal_over"
    assert refused(deal.due(5.0)) == "not_due"


@pytest.mark.parametrize("refill", ["auto", "manual"])
def test_a_draw_is_refused_before_and_after_play(refill: str) -> None:
    deal = Deal(("8H", "QD"), ("7C", "JC"), rules=make_rules(refill=refill))
    if refill == "manual":
        assert refused(deal.ask(Draw(P0, 0))) == "not_started"
    deal.reveal()
    deal.play(P0, "8H", A, at=1.0)
    if refill == "manual":
        assert refused(deal.ask(Draw(P1, us(2)))) == "deal_over"


@pytest.mark.parametrize("card", [NO_CARD, -2, parse_card("KS"), parse_card("QD"), 107])
def test_a_card_that_is_not_in_the_hand_cannot_be_played(card: int) -> None:
    deal = Deal(("8H 2C", "QD"), ("7C", "JC"))
    deal.reveal()
    assert deal.ask(Play(P0, card, A, us(1))) == Refusal("not_in_hand")


@pytest.mark.parametrize("pile", [2, 3, 7, -2])
def test_a_pile_that_is_not_there_takes_nothing(pile: int) -> None:
    deal = Deal(("8H 2C", "QD"), ("7C", "JC"))
    deal.reveal()
    assert refused(deal.play(P0, "8H", pile)) == "illegal"


def test_t24_at_the_end_a_played_slot_stays_empty() -> None:
    deal = Deal(("8H 2C 3C 4C 5C", "QC"), ("7C", "JC"))
    deal.reveal()
    (played,) = deal.events(deal.play(P0, "8H", A))
    assert isinstance(played, Played)
    assert played.refill == NO_CARD
    assert deal.hand(P0) == cards("-- 2C 3C 4C 5C")


def test_a_lift_names_a_card_in_the_hand_and_a_drop_without_one_is_nothing() -> None:
    deal = Deal(("8H 2C", "QD 3C"), ("7C", "JC"))
    deal.reveal()
    assert deal.ask(Drop(P0, 0)) == ()
    assert refused(deal.ask(Lift(P0, 4, 0))) == "not_in_hand"
    assert ok(deal.ask(Lift(P0, 0, us(0.5))))
    assert deal.table.lifted == [0, -1]
    assert ok(deal.play(P0, "8H", A))
    assert deal.table.lifted == [-1, -1]


FOUR = make_rules("four")


def four() -> Deal:
    """Four players, of whom the first three each hold a card for one pile."""
    deal = Deal(
        ("8H 2C", "8D 2D", "QS 2H", "2S 3S"),
        ("7C", "JC", "KD", "KS"),
        draws=("5C", "5D 5H", "5S", "4C 4D"),
        rules=FOUR,
    )
    deal.reveal()
    return deal


def test_each_of_four_players_plays_on_each_of_four_piles() -> None:
    deal = four()
    assert kinds(deal.play(P0, "8H", A, at=1.0)) == [Played]
    assert kinds(deal.play(P2, "QS", C, at=1.1)) == [Played, Stuck]
    assert deal.table.tops == cards("8H JC QS KS")
    assert refused(deal.play(P3, "3S", 4, at=1.2)) == "illegal"


def test_of_three_who_want_one_pile_the_first_has_it_and_the_others_hear_who_was_first() -> None:
    deal = Deal(("8H 2C", "8D 2D", "6S 2H"), ("7C", "KC"), draws=("5C",) * 3, rules=Rules(players=3))
    deal.reveal()
    assert ok(deal.play(P1, "8D", A, at=1.0))
    for seat, card, late in ((P0, "8H", 0.02), (P2, "6S", 0.03)):
        assert deal.play(seat, card, A, at=1.0 + late) == Refusal("beaten", us(late), P1, A, parse_card("8D"))


def test_of_four_players_the_winner_scores_the_cards_of_all_others() -> None:
    deal = Deal(("8H", "8D 2D", "QS 2H", "2S 3S"), ("7C", "JC", "KD", "KS"), draws=("", "5D", "", "4C 4D"), rules=FOUR)
    deal.reveal()
    assert deal.events(deal.play(P0, "8H", A))[1] == Won(us(1.0), P0, 3 + 2 + 4)


def test_of_four_players_one_who_can_play_keeps_the_table_going() -> None:
    deal = four()
    assert kinds(deal.play(P0, "8H", A, at=1.0)) == [Played], "the others look on, the fourth has nothing"
    assert kinds(deal.play(P2, "QS", B, at=1.1)) == [Played, Stuck]
    assert refused(deal.play(P1, "8D", A, at=1.2)) == "beaten"


def test_cards_set_aside_lie_on_the_table_and_are_in_nobodys_hand() -> None:
    rules = Rules(players=3, decks=1, hand_size=5, draw_size=6, piles=3, side_size=5, out=1)
    layout = lay_out(rules, CodeStream(5))
    table = new_table(rules, layout, CodeStream(5))
    assert len(table.out) == 1
    answer = decide(table, Reveal())
    assert not isinstance(answer, Refusal)
    for event in answer:
        evolve(table, event)
    assert refused(decide(table, Play(P0, table.out[0], A, 0))) == "not_in_hand"
