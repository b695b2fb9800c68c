from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from speed_server.deal_clock import DealClock
from speed_server.settings import MS, SECOND

MINUTE = 60 * SECOND


def started(countdown_ns: int = 3 * SECOND) -> DealClock:
    clock = DealClock()
    clock.start(MINUTE, countdown_ns)
    return clock


def test_deal_time_is_counted_from_the_reveal() -> None:
    clock = started()
    assert clock.at(MINUTE) == -3_000_000
    assert clock.at(MINUTE + 4 * SECOND) == 1_000_000
    assert clock.server_time(1_000_000) == MINUTE + 4 * SECOND


def test_deal_time_stands_still_while_stopped_and_goes_on_where_it_stood() -> None:
    clock = started()
    clock.stop(MINUTE + 5 * SECOND)
    assert clock.at(MINUTE + 90 * SECOND) == 2_000_000
    clock.go(MINUTE + 90 * SECOND)
    assert clock.at(MINUTE + 91 * SECOND) == 3_000_000
    assert clock.resumed_at_ns == MINUTE + 90 * SECOND


def test_told_beforehand_it_stands_still_until_the_instant_comes() -> None:
    clock = started()
    clock.stop(MINUTE + 5 * SECOND)
    clock.go(MINUTE + 12 * SECOND)
    assert not clock.stopped
    assert clock.at(MINUTE + 10 * SECOND) == clock.at(MINUTE + 12 * SECOND) == 2_000_000
    assert clock.at(MINUTE + 13 * SECOND) == 3_000_000


def test_a_stop_before_that_instant_loses_no_deal_time() -> None:
    clock = started()
    clock.stop(MINUTE + 5 * SECOND)
    clock.go(MINUTE + 12 * SECOND)
    clock.stop(MINUTE + 11 * SECOND)
    assert clock.at(MINUTE + 50 * SECOND) == 2_000_000
    clock.go(MINUTE + 60 * SECOND)
    assert clock.at(MINUTE + 61 * SECOND) == 3_000_000


def test_a_hastened_reveal_is_the_lead_away_also_when_the_clock_stands() -> None:
    clock = started()
    clock.stop(MINUTE + SECOND)
    clock.hasten(MINUTE + 50 * SECOND, 250 * MS)
    clock.go(MINUTE + 60 * SECOND)
    assert clock.reveal_at_ns == MINUTE + 60 * SECOND + 250 * MS


def test_hastening_never_puts_a_reveal_off() -> None:
    clock = started(100 * MS)
    clock.hasten(MINUTE, 250 * MS)
    assert clock.reveal_at_ns == MINUTE + 100 * MS


@given(st.lists(st.tuples(st.sampled_from(["stop", "go", "wait"]), st.integers(0, MINUTE)), max_size=30))
def test_deal_time_never_goes_back(steps: list[tuple[str, int]]) -> None:
    clock, now = started(), MINUTE
    before = clock.at(now)
    for step, duration in steps:
        now += duration
        if step == "stop":
            clock.stop(now)
        elif step == "go":
            clock.go(now)
        assert clock.at(now) >= before
        before = clock.at(now)
