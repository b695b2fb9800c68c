"""Jokers, open and declared."""

from __future__ import annotations

from tests.common.helpers import P0, P1, A, B, Deal, kinds, ok, refused, us

from speed_common.cards import RANK_NAMES
from speed_common.events import AUTO_PILE, Flipped, Played, Won
from speed_common.presets import make_rules


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
    assert refused(deal.play(P0, "*1", A, named="Q")) == "illegal"
    assert ok(deal.play(P0, "*1", A, named="10"))
    assert refused(deal.play(P0, "QD", A)) == "illegal"
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
    assert refused(declared("*1 7C").play(P0, "*1", AUTO_PILE, named="K")) == "illegal"


def test_a_joker_may_be_the_last_card_and_counts_one() -> None:
    deal = Deal(("*1", "*2"), ("9S", "4C"), rules=make_rules(jokers=2))
    deal.reveal()
    assert deal.events(deal.play(P0, "*1"))[1] == Won(us(1.0), P0, 1)


def test_t17_a_named_joker_without_a_pile_covers_the_top_that_costs_fewest_pairs() -> None:
    rules = make_rules(jokers=1, out=1, joker_mode="declared", wrap=False, same_rank=True)
    deal = Deal(("*1 QH 2S", "2C 2D"), ("QD", "10S"), rules=rules)
    deal.reveal()
    (played, *_) = deal.events(deal.play(P0, "*1", AUTO_PILE, named="J"))
    assert isinstance(played, Played)
    assert played.pile == B, "the queen then fits both piles, on the queen only one"
