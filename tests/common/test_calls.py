"""Calling "Speed!" with the last card gone, being caught, and calling too early."""

from __future__ import annotations

import pytest
from msgspec import convert
from tests.common.helpers import P0, P1, A, B, Deal, cards, kinds, ok, refused, us

from speed_common.cards import NO_CARD, parse_card
from speed_common.events import (
    AskFlip,
    Autoplay,
    Call,
    Draw,
    Drew,
    Drop,
    Emptied,
    Freed,
    Frozen,
    Lift,
    Play,
    Request,
    Stuck,
    Took,
    Tucked,
    Voided,
    Waiting,
    Won,
)
from speed_common.rules import Rules
from speed_common.table import CALLING, OVER, PLAYING, STUCK

CALLS = Rules(call_speed=True)


def emptied(rules: Rules = CALLS, centre: tuple[str, str] = ("5S 6S 7C", "QC")) -> Deal:
    """The first player has just played the last card, at 1 s."""
    deal = Deal(("8H", "2D 2H"), centre, draws=("", "5C"), rules=rules)
    deal.reveal()
    assert deal.events(deal.play(P0, "8H", A, at=1.0))[1] == Emptied(us(1.0), P0, us(3.0))
    assert (deal.table.phase, deal.table.emptied, deal.table.due) == (CALLING, P0, us(3.0))
    return deal


def test_who_calls_in_time_has_won() -> None:
    assert emptied().events(emptied().call(P0, at=1.4)) == (Won(us(1.4), P0, 3),)


def test_at_the_windows_end_nobody_has_called_and_the_owner_has_won() -> None:
    deal = emptied()
    assert refused(deal.due(2.999)) == "not_due"
    assert deal.events(deal.due(3.001)) == (Won(us(3.0), P0, 3),)
    assert refused(deal.call(P1, at=3.1)) == "deal_over"


def test_while_a_call_is_awaited_no_card_moves() -> None:
    deal = emptied()
    at = us(1.1)
    requests: list[Request] = [Play(P1, parse_card("2D"), A, at), Draw(P1, at), Lift(P1, 0, at)]
    for request in requests:
        assert refused(deal.ask(request)) == "calling"
    assert deal.ask(Drop(P1, at)) == ()
    assert refused(deal.ask(AskFlip(P1, at))) == "not_due"
    assert refused(deal.ask(Autoplay(at))) == "not_due"


def test_who_is_caught_takes_the_smallest_pile_without_its_top_and_draws_a_hand() -> None:
    deal = emptied()
    deal.table.under[B] = cards("KC 3H")
    answer = deal.events(deal.call(P1, at=1.5))
    assert answer[0] == Took(us(1.5), P0, B, tuple(cards("3H KC -- -- --")), (), 0, P1)
    assert kinds(answer) == [Took], "a king goes on the queen"
    assert deal.table.phase == PLAYING
    assert (deal.table.under[B], deal.table.tops[B]) == ([], parse_card("QC"))


def test_of_equal_piles_the_lower_one_is_taken_and_bare_ones_are_passed_over() -> None:
    deal = emptied(centre=("7C", "KC QC"))
    took, *_ = deal.events(deal.call(P1, at=1.5))
    assert isinstance(took, Took)
    assert took.pile == A, "one card lies under each"
    deal = emptied()
    took, *_ = deal.events(deal.call(P1, at=1.5))
    assert isinstance(took, Took)
    assert took.pile == A, "nothing lies under the other"


def test_with_manual_refill_the_pile_taken_must_be_drawn_from() -> None:
    deal = Deal(("8H", "2D 2H 4D 4H 4S"), ("5S 3D 7C", "QC"), rules=Rules(call_speed=True, refill="manual"))
    deal.reveal()
    deal.play(P0, "8H", A, at=1.0)
    answer = deal.events(deal.call(P1, at=1.5))
    assert answer[0] == Took(us(1.5), P0, A, (NO_CARD,) * 5, tuple(cards("5S 3D 7C")), 0, P1)
    assert kinds(answer) == [Took, Waiting]
    assert deal.table.due == us(2.5)
    assert kinds(deal.draw(P0, at=1.6)) == [Drew, Freed], "a seven goes on the eight"


def test_after_taking_a_pile_of_no_use_the_table_is_stuck() -> None:
    deal = emptied(centre=("2S 3S 7C", "QC"))
    deal.table.under[A] = cards("2S 3S")
    assert kinds(deal.call(P1, at=1.5)) == [Took, Stuck]
    assert deal.table.due == us(2.5)


def test_where_no_pile_has_anything_to_take_the_owner_wins_though_caught() -> None:
    deal = emptied()
    deal.table.under = [[], []]
    assert deal.events(deal.call(P1, at=1.5)) == (Won(us(1.5), P0, 3),)


def test_between_two_players_who_leaves_instead_of_calling_loses() -> None:
    assert emptied().leave(P0, at=1.5) == (Won(us(1.5), P1, 0, forfeit=True),)
    assert emptied().leave(P1, at=1.5) == (Won(us(1.5), P0, 3, forfeit=True),)


def early(false_call: str, **changes: str) -> Deal:
    rules = convert({"call_speed": True, "false_call": false_call, **changes}, Rules)
    deal = Deal(("8H 2C", "8D 2D"), ("5S 6S 7C", "QC"), draws=("5D", "5C 5H"), rules=rules)
    deal.reveal()
    return deal


def test_a_false_call_freezes_the_caller_for_two_seconds() -> None:
    deal = early("freeze")
    assert deal.call(P0, at=1.0) == (Frozen(us(1.0), P0, us(3.0)),)
    requests: list[Request] = [Play(P0, parse_card("8H"), A, us(2.9)), Call(P0, us(2.9)), Lift(P0, 0, us(2.9))]
    for request in requests:
        assert refused(deal.ask(request)) == "frozen"
    assert ok(deal.play(P1, "8D", A, at=2.9)), "the other goes on"
    deal = early("freeze")
    deal.call(P0, at=1.0)
    assert ok(deal.play(P0, "8H", A, at=3.0))


@pytest.mark.parametrize("late", [P0, P1])
def test_a_call_that_lost_the_race_for_the_call_is_no_false_call(late: int) -> None:
    deal = emptied()
    deal.call(P1, at=1.5)
    assert refused(deal.call(late, at=2.2)) == "illegal"
    assert kinds(deal.call(late, at=2.201)) == [Frozen]


def test_who_is_frozen_does_not_draw_and_catches_nobody() -> None:
    deal = early("freeze", refill="manual")
    deal.play(P1, "8D", A, at=0.5)
    deal.call(P1, at=1.0)
    assert refused(deal.draw(P1, at=1.5)) == "frozen"
    deal = Deal(("8H", "2D 2H"), ("7C", "QC"), rules=CALLS)
    deal.reveal()
    deal.call(P1, at=0.5)
    deal.play(P0, "8H", A, at=1.0)
    assert refused(deal.call(P1, at=1.1)) == "frozen"


def test_a_table_on_which_only_the_frozen_can_play_is_not_stuck() -> None:
    deal = Deal(("8H 2C", "2D 2H"), ("7C", "QC"), rules=CALLS)
    deal.reveal()
    assert kinds(deal.call(P0, at=1.0)) == [Frozen]
    assert (deal.table.phase, deal.table.due) == (PLAYING, None)


def test_a_false_call_may_cost_nothing_and_is_only_refused() -> None:
    assert refused(early("none").call(P0, at=1.0)) == "illegal"


def test_a_false_call_may_cost_a_pile_that_goes_under_the_own_draw_pile() -> None:
    deal = early("cards")
    took = Took(us(1.0), P0, A, tuple(cards("8H 2C 5D 6S 5S")), (), 0)
    assert deal.call(P0, at=1.0) == (took,), "the empty slots are filled from the top"
    assert refused(deal.call(P0, at=1.1)) == "illegal", "there is nothing more to take"
    deal = early("cards", refill="manual")
    assert deal.call(P0, at=1.0) == (Took(us(1.0), P0, A, tuple(cards("8H 2C -- -- --")), tuple(cards("5S 6S 5D")), 0),)


def stuck(**changes: str) -> Deal:
    rules = convert({"call_speed": True, "false_call": "cards", **changes}, Rules)
    deal = Deal(("2C 2H 2S 3C 3D", "4D 4H 4S 4C 5D"), ("9S 6S 9C", "QC"), rules=rules)
    assert kinds(deal.reveal())[1:] == [Stuck]
    return deal


def test_cards_taken_by_a_false_call_may_free_a_stuck_table() -> None:
    deal = stuck()
    deal.table.hands[P0][4], deal.table.held[P0] = NO_CARD, deal.table.held[P0] & ~(1 << parse_card("3D"))
    deal.table.under[A] = cards("KC")
    assert kinds(deal.call(P0, at=0.5)) == [Took, Freed]
    assert (deal.table.phase, deal.table.due) == (PLAYING, None)


def test_a_false_call_that_helps_nobody_lets_the_stuck_delay_run() -> None:
    deal = stuck()
    assert kinds(deal.call(P0, at=0.5)) == [Took]
    assert (deal.table.phase, deal.table.due) == (STUCK, us(1.0))


def test_with_manual_refill_cards_to_draw_turn_the_stuck_delay_into_a_wait() -> None:
    deal = stuck(refill="manual")
    deal.table.hands[P0][4], deal.table.held[P0] = NO_CARD, deal.table.held[P0] & ~(1 << parse_card("3D"))
    assert kinds(deal.call(P0, at=0.5)) == [Took, Waiting]
    assert (deal.table.phase, deal.table.due) == (PLAYING, us(1.5))


def test_where_all_piles_were_taken_the_stuck_table_tucks_or_the_deal_is_void() -> None:
    for tuck in (True, False):
        deal = Deal(
            ("2C 2H", "3D 3H"), ("9S", "QC"), draws=("5C", "KC"), sides=("", ""),
            rules=Rules(hand_size=2, call_speed=True, tuck=tuck),
        )  # fmt: skip
        deal.reveal()
        deal.table.played_since_filling = True
        assert kinds(deal.due(1.0))[0] is (Tucked if tuck else Voided)


@pytest.mark.parametrize("call_speed", [True, False])
def test_a_call_is_refused_before_and_after_the_deal_and_where_the_rules_have_none(call_speed: bool) -> None:  # noqa: FBT001
    deal = Deal(("8H", "2D 2H"), ("7C", "QC"), rules=Rules(call_speed=call_speed, false_call="none"))
    assert refused(deal.call(P0, at=0.0)) == "not_started"
    deal.reveal()
    assert refused(deal.call(P0, at=0.5)) == "illegal"
    deal.play(P0, "8H", A, at=1.0)
    if not call_speed:
        assert deal.table.phase == OVER
        assert refused(deal.call(P0, at=1.1)) == "deal_over"
