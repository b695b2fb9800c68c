from __future__ import annotations

import random
from statistics import mean

import pytest
from tests.common.helpers import Deal, cards

from speed_common.cards import parse_card
from speed_common.computer import JITTER, LEVELS, Computer, period_us
from speed_common.decide import decide
from speed_common.deck import CodeStream, lay_out
from speed_common.events import (
    AskFlip,
    Call,
    Draw,
    Drop,
    Dropped,
    Due,
    Event,
    FlipAsked,
    Lift,
    Lifted,
    Play,
    Played,
    Refusal,
    Reveal,
    Took,
    Won,
)
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import CALLING, OVER, PLAYING, STUCK, Table, evolve, new_table
from speed_common.views import hide, hide_event

ME, RIVAL = 0, 1


def always_playable() -> Deal:
    deal = Deal(("8H 6H 8S 6S 8C", "QS QD QH"), ("7C", "7D"), draws=("9C 9D 9H", "KC KD"))
    deal.reveal()
    return deal


def wake(computer: Computer, deal: Deal, at: float) -> object:
    """Call the computer at its due time, which must be `at` seconds, and apply what it asks for."""
    assert computer.next_due() == round(at * 1_000_000)
    now = round(at * 1_000_000)
    request = computer.due(now, deal.table, ME)
    if request is not None and isinstance(deal.ask(request), Refusal):
        computer.refused(now)
    return request


def test_the_ten_periods_each_are_fifteen_percent_shorter() -> None:
    table = [2.800, 2.380, 2.023, 1.720, 1.462, 1.242, 1.056, 0.898, 0.763, 0.649]
    assert [round(period_us(level) / 1e6, 3) for level in range(1, LEVELS + 1)] == pytest.approx(table, abs=1e-3)


@pytest.mark.parametrize("level", [0, 11, -1])
def test_there_are_no_other_levels(level: int) -> None:
    with pytest.raises(ValueError, match="speed 1 to 10"):
        Computer(level)


def test_t26_speed_3_lifts_a_quarter_of_a_second_before_each_play() -> None:
    deal, computer = always_playable(), Computer(3)
    assert computer.next_due() is None
    computer.revealed(0)
    assert isinstance(wake(computer, deal, 1.773), Lift)
    assert isinstance(wake(computer, deal, 2.023), Play)
    assert isinstance(wake(computer, deal, 3.796), Lift)
    assert isinstance(wake(computer, deal, 4.046), Play)
    assert [type(event) for event in deal.log[1:]] == [Lifted, Played, Lifted, Played]


def test_t26_a_card_whose_pile_is_covered_in_the_lift_drops_and_nothing_is_played() -> None:
    deal = Deal(("8H 2C 2D 2H 2S", "6S 3C"), ("7C", "KD"), draws=("9C 9D", "5C"))
    deal.reveal()
    computer = Computer(3)
    computer.revealed(0)
    assert isinstance(wake(computer, deal, 1.773), Lift)
    deal.play(RIVAL, "6S", 0, at=1.9)
    assert isinstance(wake(computer, deal, 2.023), Play)
    assert wake(computer, deal, 2.023) == Drop(ME, 2_023_000)
    assert isinstance(deal.log[-1], Dropped)
    assert deal.hand(ME)[0] == parse_card("8H")
    assert computer.next_due() == 3_796_000


def test_with_nothing_that_fits_it_skips_to_the_next_due() -> None:
    deal = Deal(("2C 2D 2H", "8S 8C"), ("7C", "7D"))
    deal.reveal()
    computer = Computer(1)
    computer.revealed(0)
    assert wake(computer, deal, 2.55) is None
    assert computer.next_due() == 5_350_000


def test_a_flip_starts_the_interval_anew_unless_a_card_is_lifted() -> None:
    deal, computer = always_playable(), Computer(3)
    computer.revealed(0)
    computer.flipped(1_000_000)
    assert isinstance(wake(computer, deal, 2.773), Lift)
    computer.flipped(2_800_000)
    assert isinstance(wake(computer, deal, 3.023), Play)


def test_after_the_deal_it_is_due_no_more() -> None:
    deal, computer = always_playable(), Computer(5)
    computer.revealed(0)
    computer.stopped()
    assert computer.next_due() is None
    computer.flipped(5)
    computer.refused(5)
    assert computer.next_due() is None
    assert computer.due(10, deal.table, ME) is None


def test_a_driver_that_slept_long_finds_no_heap_of_plays_due() -> None:
    deal, computer = always_playable(), Computer(10)
    computer.revealed(0)
    assert isinstance(computer.due(90_000_000, deal.table, ME), Lift)
    assert isinstance(computer.due(90_250_000, deal.table, ME), Play)
    assert computer.next_due() == 90_250_000 + period_us(10) - 250_000


def test_lateness_of_its_driver_does_not_add_up() -> None:
    deal, computer = always_playable(), Computer(3)
    computer.revealed(0)
    assert isinstance(computer.due(1_780_000, deal.table, ME), Lift)
    assert isinstance(computer.due(2_030_000, deal.table, ME), Play)
    assert computer.next_due() == 3_796_000


def test_it_draws_by_itself_where_refill_is_manual() -> None:
    rules = make_rules(refill="manual")
    deal = Deal(("8H 2C 2D 2H 2S", "QS"), ("7C", "KD"), draws=("9C 9D", "KC"), rules=rules)
    deal.reveal()
    computer = Computer(3)
    computer.revealed(0)
    wake(computer, deal, 1.773)
    wake(computer, deal, 2.023)
    assert wake(computer, deal, 2.123) == Draw(ME, 2_123_000)
    assert wake(computer, deal, 2.123) is None
    assert deal.hand(ME) == cards("9D 2C 2D 2H 2S")
    assert computer.next_due() == 3_796_000


def test_a_lifted_card_that_a_tuck_took_away_is_dropped() -> None:
    deal, computer = always_playable(), Computer(3)
    computer.revealed(0)
    lifted = computer.due(1_773_000, deal.table, ME)
    assert isinstance(lifted, Lift)
    deal.table.hands[ME][lifted.slot] = parse_card("KH")
    assert computer.due(2_023_000, deal.table, ME) == Drop(ME, 2_023_000)


def told(computer: Computer, deal: Deal, answer: tuple[Event, ...] | Refusal) -> None:
    for event in deal.events(answer):
        computer.happened(event, deal.table, ME)


def calling(rival: str = "2S 3S") -> tuple[Computer, Deal]:
    deal = Deal(("8H", rival), ("5S 7C", "KD"), rules=Rules(call_speed=True))
    deal.reveal()
    computer = Computer(3)
    computer.revealed(0)
    return computer, deal


def test_it_calls_a_quarter_of_a_second_after_its_last_card() -> None:
    computer, deal = calling()
    wake(computer, deal, 1.773)
    wake(computer, deal, 2.023)
    told(computer, deal, tuple(deal.log[-2:]))
    assert wake(computer, deal, 2.273) == Call(ME, 2_273_000)
    assert isinstance(deal.log[-1], Won)


def test_a_lifted_card_drops_and_nothing_is_lifted_while_a_call_is_awaited() -> None:
    computer, deal = calling("8S")
    deal.table.hands[ME][1], deal.table.held[ME] = cards("6D")[0], deal.table.held[ME] | 1 << cards("6D")[0]
    assert isinstance(wake(computer, deal, 1.773), Lift)
    told(computer, deal, deal.play(RIVAL, "8S", 0, at=1.9))
    assert deal.table.phase == CALLING
    assert wake(computer, deal, 1.9) == Drop(ME, 1_900_000)
    assert wake(computer, deal, 3.796) is None, "its beat goes on, and it does not look"
    assert wake(computer, deal, 3.923) == Call(ME, 3_923_000), "another's call it takes up after its own period"
    assert isinstance(deal.log[-1], Took)


def test_after_a_pile_was_taken_its_beat_starts_anew() -> None:
    computer, deal = calling()
    told(computer, deal, deal.play(ME, "8H", at=1.0))
    told(computer, deal, deal.call(RIVAL, at=1.1))
    assert deal.table.phase in {PLAYING, STUCK}
    assert computer.next_due() == 1_100_000 + 2_023_000 - 250_000


def test_a_call_that_came_too_late_is_not_made() -> None:
    computer, deal = calling("8S")
    told(computer, deal, deal.play(RIVAL, "8S", 0, at=1.0))
    told(computer, deal, deal.call(RIVAL, at=1.1))
    assert computer.next_due() is None, "the deal is won"


def test_who_is_frozen_waits_a_beat() -> None:
    computer, deal = calling()
    deal.table.frozen[ME] = 2_500_000
    assert wake(computer, deal, 1.773) is None
    assert isinstance(wake(computer, deal, 3.796), Lift)


def stuck(trigger: str) -> tuple[Computer, Deal]:
    deal = Deal(("2C 2D", "3C"), ("7C", "QC"), sides=("8C", "9D"), rules=make_rules(flip_trigger=trigger))
    computer = Computer(3)
    computer.revealed(0)
    told(computer, deal, deal.reveal())
    assert deal.table.phase == STUCK
    return computer, deal


def test_it_asks_for_the_flip_one_period_after_the_table_got_stuck() -> None:
    computer, deal = stuck("all_ready")
    assert wake(computer, deal, 1.773) is None
    assert wake(computer, deal, 2.023) == AskFlip(ME, 2_023_000)
    assert isinstance(deal.log[-1], FlipAsked)
    assert wake(computer, deal, 3.796) is None, "once is enough"


def test_a_flip_that_came_before_it_asked_is_not_asked_for() -> None:
    computer, deal = stuck("all_ready")
    told(computer, deal, deal.due(10.0))
    assert wake(computer, deal, 10 + 1.773) is None
    computer, deal = stuck("auto")
    wake(computer, deal, 1.773)
    assert computer.next_due() == 3_796_000


def test_jitter_stays_within_a_tenth_and_evens_out() -> None:
    deal = Deal(("2C", "2D"), ("7C", "7D"))
    deal.reveal()
    computer = Computer(4, random.Random(1).random)
    computer.revealed(0)
    waits, before = [], 0
    for _ in range(10_000):
        now = computer.next_due()
        assert now is not None
        computer.due(now, deal.table, ME)
        if before:
            waits.append((now - before) / period_us(4))
        before = now
    assert 1 - JITTER - 1e-6 <= min(waits) < 0.91
    assert 1.09 < max(waits) <= 1 + JITTER + 1e-6
    assert mean(waits) == pytest.approx(1, abs=0.01)


def test_it_plays_the_same_from_a_view_of_its_seat_as_from_the_whole_table() -> None:
    for number in range(30):
        rules, stream = make_rules(), CodeStream(number)
        table = new_table(rules, lay_out(rules, stream), stream)
        views = [hide(table, seat) for seat in range(2)]
        blind = [Computer(level, random.Random(level).random) for level in (8, 10)]
        open_eyed = [Computer(level, random.Random(level).random) for level in (8, 10)]
        happen(table, views, decide(table, Reveal()))
        for computer in blind + open_eyed:
            computer.revealed(0)
        while table.phase != OVER:
            times = [computer.next_due() or 0 for computer in blind]
            seat = times.index(min(times))
            if table.phase == STUCK and table.due is not None and table.due <= times[seat]:
                at = table.due
                happen(table, views, decide(table, Due(at)))
                for computer in blind + open_eyed:
                    computer.flipped(at)
                continue
            request = blind[seat].due(times[seat], views[seat], seat)
            assert open_eyed[seat].due(times[seat], table, seat) == request
            if request is not None:
                answer = decide(table, request)
                if isinstance(answer, Refusal):
                    blind[seat].refused(times[seat])
                    open_eyed[seat].refused(times[seat])
                happen(table, views, answer)


def happen(table: Table, views: list[Table], answer: tuple[Event, ...] | Refusal) -> None:
    for event in () if isinstance(answer, Refusal) else answer:
        evolve(table, event)
        for view in views:
            evolve(view, hide_event(event, view.viewer))
