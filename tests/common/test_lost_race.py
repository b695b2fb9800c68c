"""Races for a pile: who was first, who is told how late, and who was no opponent."""

from __future__ import annotations

import pytest
from tests.common.helpers import P0, P1, A, B, Deal, cards, kinds, ok, refused, us

from speed_common.cards import parse_card
from speed_common.events import AUTO_PILE, Played, Refusal, Stuck
from speed_common.presets import make_rules


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
    assert refused(deal.play(P1, "6D", A, at=2.7)) == "beaten"
    assert refused(deal.play(P1, "6D", A, at=2.700001)) == "illegal"


def test_nobody_is_beaten_by_an_own_play_or_by_a_flip() -> None:
    deal = Deal(("8H 6H 2C", "KD KC"), ("7C", "JC"))
    deal.reveal()
    assert ok(deal.play(P0, "8H", A, at=1.0))
    assert refused(deal.play(P0, "6H", A, at=1.1)) == "illegal"
    deal = Deal(("2C 9H", "6C 9D"), ("7C", "8C"), draws=("9S", "9C"), sides=("QC", "QD"))
    deal.reveal()
    for seat, card in ((P0, "9H"), (P1, "9D")):
        assert refused(deal.play(seat, card, A)) == "illegal"


def test_a_play_that_comes_after_a_flip_is_judged_by_the_new_top() -> None:
    deal = Deal(("2C 2D", "5H 5C"), ("7C", "JC"), sides=("3C", "9C"))
    deal.reveal()
    deal.due(1.0)
    assert ok(deal.play(P0, "2C", A, at=1.01))
    assert refused(deal.play(P1, "5H", B, at=1.02)) == "illegal"


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
