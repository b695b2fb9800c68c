from __future__ import annotations

import pytest

from speed_common import wire
from speed_server.budget import FINE, KICK, OVER, Bucket, Budgets, Window, too_fast
from speed_server.limits import KNOWN_BEFORE, Limits
from speed_server.settings import MS, SECOND

TICKET = b"t" * wire.TICKET_BYTES
PLAY = wire.encode(wire.PlayCard(TICKET, 1, 0, -1, 0, 1))
BEAT = wire.encode(wire.Beat(TICKET, 1))
ECHO = wire.encode(wire.ProbeBack(TICKET, 1, 1, 1))


def verdicts(budgets: Budgets, data: bytes, times: list[int], origin: bytes = b"anna") -> list[int]:
    return [budgets.judge(origin, data, now) for now in times]


def every(step_ns: int, length_ns: int, start: int = 0) -> list[int]:
    return list(range(start, start + length_ns, step_ns))


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    bucket = Bucket(10, 3)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(99 * MS), bucket.take(100 * MS), bucket.take(100 * MS)] == [False, True, False]


def test_a_bucket_that_was_left_alone_is_full_and_no_fuller() -> None:
    bucket = Bucket(10, 3)
    assert sum(bucket.take(100 * SECOND) for _ in range(9)) == 3


def test_what_a_bucket_refused_costs_nothing_of_it() -> None:
    bucket = Bucket(10, 3)
    assert not bucket.take(0, 4)
    assert bucket.take(0, 3)


def test_a_window_counts_from_its_first_and_begins_anew() -> None:
    window = Window(3, 100)
    assert [window.too_many(now) for now in (0, 50, 99)] == [False, False, True]
    assert [window.too_many(now) for now in (100, 150)] == [False, False]


def test_a_held_key_with_the_densest_heartbeats_is_never_punished() -> None:
    """A key repeats 30 times a second, heartbeats and probes come every 10 ms: ten minutes of both."""
    budgets = Budgets(Limits())
    said = sorted(
        [(now, PLAY) for now in every(SECOND // 30, 600 * SECOND)]
        + [(now, BEAT) for now in every(10 * MS, 600 * SECOND)]
        + [(now, ECHO) for now in every(10 * MS, 600 * SECOND, 5 * MS)]
    )
    assert {budgets.judge(b"anna", data, now) for now, data in said} == {FINE}
    assert (budgets.over, budgets.kicked) == (0, 0)


def test_what_piles_up_behind_a_stall_is_never_kicked_and_its_heartbeats_count() -> None:
    """After four seconds a stalled connection is given up; all that a held key and the clocks said comes at once."""
    budgets = Budgets(Limits())
    assert KICK not in verdicts(budgets, PLAY, [SECOND] * 120)
    assert set(verdicts(budgets, BEAT, [SECOND] * 400)) == {FINE}


def test_a_hasty_player_is_refused_what_is_too_much_and_not_more() -> None:
    budgets = Budgets(Limits())
    said = verdicts(budgets, PLAY, every(SECOND // 100, 10 * SECOND))
    assert said.count(FINE) == pytest.approx(20 + 40 * 10, abs=2)
    assert said.count(OVER) == len(said) - said.count(FINE)


def test_a_flood_is_kicked_once_within_its_window() -> None:
    budgets = Budgets(Limits())
    said = verdicts(budgets, PLAY, every(SECOND // 10_000, SECOND // 10))
    assert said.index(KICK) == Limits().flood_requests - 1
    assert said.count(KICK) == 1
    assert set(said[said.index(KICK) + 1 :]) == {OVER}
    assert budgets.was_kicked(b"anna")
    assert budgets.kicked == 1


def test_who_stays_below_a_flood_and_goes_on_is_kicked_too() -> None:
    budgets = Budgets(Limits())
    said = verdicts(budgets, PLAY, every(SECOND // 1_000, SECOND))
    assert said.count(KICK) == 1


def test_a_flood_of_heartbeats_is_one_too() -> None:
    budgets = Budgets(Limits())
    assert KICK in verdicts(budgets, BEAT, [SECOND] * 1_100)


@pytest.mark.parametrize("data", [b"", b"\x90", b"rubbish", b"\x00" * 4_000])
def test_rubbish_has_the_budget_of_requests(data: bytes) -> None:
    assert verdicts(Budgets(Limits()), data, [0] * 21) == [FINE] * 20 + [OVER]


def test_one_s_flood_is_not_another_s() -> None:
    budgets = Budgets(Limits())
    verdicts(budgets, PLAY, [0] * 300)
    assert budgets.judge(b"bob", PLAY, 0) == FINE


def test_a_connection_that_ended_leaves_nothing_and_made_up_ones_do_not_pile_up() -> None:
    budgets = Budgets(Limits())
    verdicts(budgets, PLAY, [0] * 300)
    budgets.forget(b"anna")
    assert len(budgets) == 0
    assert budgets.judge(b"anna", PLAY, 0) == FINE
    for number in range(KNOWN_BEFORE + 10):
        budgets.judge(b"%d" % number, PLAY, 0)
    assert len(budgets) == KNOWN_BEFORE


def test_a_host_may_set_no_limit_to_requests() -> None:
    budgets = Budgets(Limits(requests_per_second=0))
    assert set(verdicts(budgets, PLAY, [0] * 1_000)) == {FINE}
    assert KICK in verdicts(budgets, BEAT, [0] * 1_100)


def test_a_request_over_the_budget_is_answered_and_what_has_no_answer_is_not() -> None:
    assert wire.decode_down(too_fast(PLAY) or b"") == wire.Refused(1, "too_fast")
    assert too_fast(wire.encode(wire.Ready(TICKET))) is None
    assert too_fast(b"rubbish") is None
