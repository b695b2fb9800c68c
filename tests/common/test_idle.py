"""Idle players: when a card is played for one of them, and for whom."""

from __future__ import annotations

import pytest
from tests.common.helpers import P0, P1, A, Deal, ok, refused, us

from speed_common.cards import NO_CARD, parse_card
from speed_common.events import Autoplay, Event, Played, Refusal, Won
from speed_common.idle import autoplay_due
from speed_common.rules import Rules

IDLE = Rules(idle_autoplay_us=20_000_000)


def waiting(rules: Rules = IDLE, hands: tuple[str, str] = ("2C 2H", "8H 5S 9D")) -> Deal:
    """Only the second player can play, and does not."""
    deal = Deal(hands, ("7C", "QC"), draws=("5C", "5D"), rules=rules)
    deal.reveal()
    return deal


def autoplay(deal: Deal, at: float) -> tuple[Event, ...] | Refusal:
    return deal.ask(Autoplay(us(at)))


def test_after_long_enough_the_best_card_is_played_for_who_could_play() -> None:
    deal = waiting()
    assert autoplay_due(deal.table) == us(20)
    assert refused(autoplay(deal, 19.999)) == "not_due"
    (played,) = deal.events(autoplay(deal, 20.5))
    assert played == Played(us(20.5), P1, 0, parse_card("8H"), A, parse_card("5D"))


def test_every_play_begins_the_wait_anew() -> None:
    deal = waiting()
    deal.play(P1, "8H", A, at=5.0)
    assert refused(autoplay(deal, 20.0)) == "not_due"
    assert autoplay_due(deal.table) == us(25)
    assert ok(autoplay(deal, 25.0))


def test_of_several_the_lowest_seat_that_can_play_is_moved() -> None:
    deal = waiting(hands=("8C 2H", "8H 5S 9D"))
    (played,) = deal.events(autoplay(deal, 20.0))
    assert isinstance(played, Played)
    assert played.seat == P0


def test_nobody_is_moved_who_is_frozen() -> None:
    rules = Rules(call_speed=True, idle_autoplay_us=20_000_000)
    deal = waiting(rules)
    deal.call(P1, at=19.0)
    assert autoplay_due(deal.table) == us(21)
    assert refused(autoplay(deal, 20.0)) == "not_due"
    deal = waiting(rules, ("8C 2H", "8H 5S 9D"))
    deal.call(P0, at=19.0)
    (played,) = deal.events(autoplay(deal, 20.0))
    assert isinstance(played, Played)
    assert played.seat == P1


@pytest.mark.parametrize("idle_us", [0, 20_000_000])
def test_a_stuck_table_and_one_without_the_rule_wait_for_nobody(idle_us: int) -> None:
    hands = ("2C 2H", "3H 5S") if idle_us else ("2C 2H", "8H 5S")
    deal = waiting(Rules(idle_autoplay_us=idle_us), hands)
    assert autoplay_due(deal.table) is None
    assert refused(autoplay(deal, 60.0)) == "not_due"


def test_an_autoplay_may_be_the_last_card() -> None:
    deal = Deal(("8H", "2C 2D"), ("7C", "QC"), rules=IDLE)
    assert refused(autoplay(deal, 60.0)) == "not_due"
    deal.reveal()
    assert deal.events(autoplay(deal, 20.0))[1] == Won(us(20), P0, 2)
    assert refused(autoplay(deal, 60.0)) == "not_due"


def test_with_manual_refill_a_card_is_played_and_none_drawn() -> None:
    deal = waiting(Rules(idle_autoplay_us=20_000_000, refill="manual"))
    (played, *_) = deal.events(autoplay(deal, 20.0))
    assert isinstance(played, Played)
    assert played.refill == NO_CARD
