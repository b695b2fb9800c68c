from __future__ import annotations

import pytest

from speed_client.pulse import LONGEST_BEAT_NS, MILLISECOND_NS, QUICK_BEATS, Pulse
from speed_common.wire import IDLE_BEAT_FACTOR, Beat, BeatBack

TICKET = b"t" * 16
MS = MILLISECOND_NS


def after_the_quick_ones(pulse: Pulse) -> int:
    """When the last of the quick beats left."""
    for _ in range(QUICK_BEATS - 1):
        pulse.heard(pulse.beat_at)
        pulse.beat(TICKET, pulse.beat_at)
    return pulse.beat_at


@pytest.mark.parametrize(("beat_us", "beat_ns"), [(300_000, 300 * MS), (9_000_000, LONGEST_BEAT_NS), (-5, MS), (0, MS)])
def test_the_servers_pace_is_kept_within_reason(beat_us: int, beat_ns: int) -> None:
    pulse = Pulse(0)
    pulse.start(beat_us, 0)
    pulse.deal_runs(True, 0)
    now = after_the_quick_ones(pulse)
    pulse.heard(now)
    pulse.beat(TICKET, now)
    assert pulse.beat_at == now + beat_ns
    pulse.deal_runs(False, now)
    pulse.beat(TICKET, pulse.beat_at)
    assert pulse.beat_at == now + beat_ns + IDLE_BEAT_FACTOR * beat_ns


def test_a_deal_that_goes_on_does_not_hasten_the_heart() -> None:
    pulse = Pulse(0)
    now = after_the_quick_ones(pulse)
    pulse.beat(TICKET, now)
    pulse.deal_runs(True, now + 5)
    assert pulse.beat_at == now + 5
    pulse.beat(TICKET, now + 5)
    pulse.deal_runs(True, now + 6)
    assert pulse.beat_at == now + 5 + LONGEST_BEAT_NS


def test_an_answer_tells_the_clock_and_the_way_and_is_echoed() -> None:
    pulse = Pulse(0)
    assert (pulse.server_now(5), pulse.rtt_ns) == (None, None)
    pulse.answered(BeatBack(1_000, 701_500, 701_600), 2_100)
    assert pulse.server_now(2_100) == pytest.approx(702_100, abs=2)
    assert pulse.rtt_ns == 1_000
    assert pulse.beat(TICKET, 3_000) == Beat(TICKET, 3_000, 701_600, 2_100)


def test_an_answer_to_a_beat_of_the_future_is_ignored() -> None:
    pulse = Pulse(0)
    pulse.answered(BeatBack(9_000, 1, 2), 2_100)
    assert pulse.rtt_ns is None


def test_stamped_messages_bound_the_clock_until_the_first_answer() -> None:
    pulse = Pulse(0)
    pulse.stamped(500, 100)
    pulse.stamped(900, 600)
    assert pulse.server_now(1_000) == 1_400, "the one that was on its way for the shortest time counts"
    assert pulse.own_time(1_400) == 1_000


def test_a_new_welcome_forgets_the_old_clock() -> None:
    pulse = Pulse(0)
    pulse.stamped(500, 100)
    pulse.start(500_000, 200)
    assert pulse.server_now(300) is None
    assert pulse.own_time(1) == 200, "at once: it is not known when"
    assert pulse.beat_at == 200
