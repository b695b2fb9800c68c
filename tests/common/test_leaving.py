"""Leaving in mid-deal: between two players it ends the deal, between more it goes on without the one who left."""

from __future__ import annotations

import pytest
from tests.common.helpers import P0, P1, P2, A, Deal, cards, kinds, ok, refused, us

from speed_common.cards import NO_CARD, parse_card
from speed_common.events import (
    AskFlip,
    Call,
    Draw,
    Drop,
    Emptied,
    Flipped,
    Leave,
    Left,
    Lift,
    Play,
    Played,
    Request,
    Stuck,
    Tucked,
    Won,
)
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import CALLING, OVER, PLAYING, STUCK


def test_who_leaves_forfeits_the_cards_left() -> None:
    deal = Deal(("8H 2C", "QD 3C"), ("7C", "JC"), draws=("5C", "5D 5H"))
    deal.reveal()
    assert deal.events(deal.leave(P1, at=3.0)) == (Won(us(3.0), P0, 4, forfeit=True),)
    assert (deal.table.phase, deal.table.winner) == (OVER, P0)


THREE = Rules(players=3)


def three(*, sides: tuple[str, str] = ("3C 3D", "KS"), rules: Rules = THREE) -> Deal:
    """The second player holds the only card that fits."""
    deal = Deal(
        ("2C 2D", "8H 4C -- 4D", "3H 3S"), ("7C", "QC"), draws=("5C", "9C 9D", "6C 6D"), sides=sides, rules=rules
    )
    deal.reveal()
    return deal


def test_of_three_the_leavers_cards_go_under_the_side_piles_in_turn() -> None:
    deal = three()
    left, *_ = deal.events(deal.leave(P1, at=3.0))
    assert left == Left(us(3.0), P1, (tuple(cards("8H 4D 9D 3C 3D")), tuple(cards("4C 9C KS"))), 0)
    assert deal.table.sides == [cards("8H 4D 9D 3C 3D"), cards("4C 9C KS")]
    assert deal.table.cards_left(P1) == 0
    assert deal.table.gone == [False, True, False]


def test_when_the_only_one_who_could_play_leaves_the_table_is_stuck() -> None:
    deal = three()
    assert kinds(deal.leave(P1, at=3.0)) == [Left, Stuck]
    assert deal.table.due == us(4.0)


def test_when_another_leaves_who_can_play_plays_on() -> None:
    deal = three()
    assert kinds(deal.leave(P0, at=3.0)) == [Left]
    assert ok(deal.play(P1, "8H", A, at=3.1))


def test_a_stuck_delay_runs_on_when_somebody_leaves() -> None:
    deal = three()
    assert kinds(deal.play(P1, "8H", A, at=1.0)) == [Played], "the nine that is drawn fits the eight"
    assert kinds(deal.play(P1, "9D", A, at=1.5)) == [Played, Stuck]
    assert kinds(deal.leave(P0, at=2.0)) == [Left]
    assert (deal.table.phase, deal.table.due) == (STUCK, us(2.5))


def test_who_is_gone_has_no_say_in_the_deal_any_more() -> None:
    deal = three()
    deal.leave(P1, at=3.0)
    at = us(3.1)
    requests: list[Request] = [
        Play(P1, parse_card("8H"), A, at),
        Draw(P1, at),
        Call(P1, at),
        AskFlip(P1, at),
        Leave(P1, at),
        Lift(P1, 0, at),
        Drop(P1, at),
    ]
    for request in requests:
        assert refused(deal.ask(request)) == "deal_over"


def test_when_all_but_one_have_left_that_one_wins_the_last_leavers_cards() -> None:
    deal = three()
    deal.leave(P1, at=3.0)
    assert deal.events(deal.leave(P0, at=4.0)) == (Won(us(4.0), P2, 3, forfeit=True),)


def test_who_is_gone_counts_for_nothing_in_the_winners_score() -> None:
    deal = Deal(("8H", "2C 2D 2H", "3H 3S"), ("7C", "QC"), draws=("", "9C 9D", "6C"), rules=THREE)
    deal.reveal()
    deal.leave(P1, at=0.5)
    assert deal.events(deal.play(P0, "8H", A, at=1.0))[1] == Won(us(1.0), P0, 3)


def test_a_card_that_was_lifted_is_let_go_by_who_leaves() -> None:
    deal = three()
    deal.ask(Lift(P1, 0, us(1)))
    deal.leave(P1, at=1.1)
    assert deal.table.lifted == [-1, -1, -1]


def test_a_tuck_passes_over_who_is_gone() -> None:
    deal = three(sides=("", ""), rules=Rules(players=3, hand_size=2))
    deal.table.under = [[], []]
    deal.table.hands[P1], deal.table.draws[P1] = [NO_CARD, NO_CARD], []
    deal.table.held[P1] = 0
    assert kinds(deal.leave(P1, at=1.0)) == [Left, Stuck]
    assert kinds(deal.due(2.0))[0] is Tucked
    assert deal.hand(P1) == [NO_CARD, NO_CARD]
    assert deal.hand(P0) == cards("5C 2C")


def test_when_all_who_remain_have_asked_for_the_flip_it_comes_as_the_last_other_leaves() -> None:
    deal = Deal(
        ("2C 2D", "3H 3D", "3C 3S"),
        ("7C", "QC"),
        sides=("9C 4C", "9S KD"),
        rules=Rules(players=3, flip_trigger="all_ready"),
    )
    deal.reveal()
    deal.ask_flip(P0, at=1.0)
    deal.ask_flip(P2, at=2.0)
    assert kinds(deal.leave(P1, at=3.0)) == [Left, Flipped]
    assert deal.table.asked == [False] * 3


@pytest.mark.parametrize(("leaver", "phase"), [(P0, PLAYING), (P1, CALLING)])
def test_only_the_one_who_had_to_call_ends_the_wait_for_the_call_by_leaving(leaver: int, phase: int) -> None:
    deal = Deal(("8H", "9C 2D", "3C 3S"), ("7C", "QC"), rules=Rules(players=3, call_speed=True))
    deal.reveal()
    assert kinds(deal.play(P0, "8H", A)) == [Played, Emptied]
    sides = [pile[:] for pile in deal.table.sides]
    assert kinds(deal.leave(leaver, at=1.5)) == [Left]
    assert deal.table.phase == phase
    assert (deal.table.emptied == P0) == (phase == CALLING)
    assert (deal.table.sides == sides) == (leaver == P0)


def test_a_deal_that_ends_while_some_have_asked_for_the_flip_forgets_who() -> None:
    deal = Deal(("7H 2C", "7D 2D"), ("7C", "JC"), draws=("3C", "3D"), rules=make_rules(flip_trigger="all_ready"))
    deal.reveal()
    assert ok(deal.ask(AskFlip(P0, us(0.5))))
    assert deal.table.asked == [True, False]
    deal.ask(Leave(P1, us(1.0)))
    assert deal.table.phase == OVER
    assert deal.table.asked == [False, False]
