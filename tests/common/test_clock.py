"""The interval that two clocks' difference is known within."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speed_common import clock as clocks
from speed_common.clock import BUCKET_NS, BUCKETS, DRIFT_PPM, ENOUGH_SAMPLES, Clock

MS = 1_000_000
SECOND = 1_000 * MS

delays = st.integers(0, 200 * MS)
offsets = st.integers(-(1 << 50), 1 << 50)


class Path:
    """Two clocks and the way between them: theirs shows `mine + offset + drift`."""

    def __init__(self, offset: int, drift_ppm: float = 0) -> None:
        self.offset = offset
        self.drift_ppm = drift_ppm
        self.clock = Clock()

    def theirs(self, mine: int) -> int:
        return mine + self.theta(mine)

    def theta(self, mine: int) -> int:
        return self.offset + round(mine * self.drift_ppm / 1e6)

    def synced(self) -> bool:
        return self.clock.synced

    def exchange(self, now: int, up: int, down: int) -> int:
        """A message there and its answer; returns when the answer is here."""
        there = self.theirs(now + up)
        back = now + up + down
        self.clock.heard(there, back)
        self.clock.told(now, there, back)
        return back


@given(offsets, st.lists(st.tuples(delays, delays, st.integers(0, 3 * SECOND)), min_size=1, max_size=30))
def test_the_true_difference_is_always_inside_the_bounds(offset: int, trips: list[tuple[int, int, int]]) -> None:
    path, now = Path(offset), 0
    for up, down, pause in trips:
        now = path.exchange(now + pause, up, down)
        bounds = path.clock.bounds(now)
        assert bounds is not None
        assert bounds[0] <= offset <= bounds[1]
        error, theta = path.clock.error(now), path.clock.theta(now)
        assert error is not None
        assert theta is not None
        assert abs(theta - offset) <= error + 1
    assert path.clock.epoch == 0


@given(offsets, delays, delays)
def test_an_asymmetric_path_misleads_by_at_most_half_the_round_trip(offset: int, up: int, down: int) -> None:
    path = Path(offset)
    now = path.exchange(0, up, down)
    theta, error = path.clock.theta(now), path.clock.error(now)
    assert theta is not None
    assert abs(theta - offset - (up - down) // 2) <= 1
    assert error == (up + down) // 2


@given(offsets, st.floats(-DRIFT_PPM, DRIFT_PPM), st.integers(0, 1 << 30))
def test_a_drift_of_fifty_in_a_million_never_makes_the_bounds_wrong(offset: int, drift: float, seed: int) -> None:
    path, random, now = Path(offset, drift), Random(seed), 0
    for _ in range(60):
        now = path.exchange(
            now + random.randrange(SECOND), random.randrange(MS, 30 * MS), random.randrange(MS, 30 * MS)
        )
        bounds = path.clock.bounds(now)
        assert bounds is not None
        assert bounds[0] - 1 <= path.theta(now) <= bounds[1] + 1
    assert path.clock.epoch == 0


@pytest.mark.parametrize("step", [-SECOND, SECOND])
def test_a_step_of_either_clock_raises_the_epoch_and_starts_anew(step: int) -> None:
    path, now = Path(5 * SECOND), 0
    for _ in range(10):
        now = path.exchange(now + 100 * MS, 2 * MS, 2 * MS)
    assert path.synced()
    path.offset += step
    now = path.exchange(now + 100 * MS, 2 * MS, 2 * MS)
    assert path.clock.epoch == 1
    assert not path.synced()
    for _ in range(ENOUGH_SAMPLES + 1):
        now = path.exchange(now + 100 * MS, 2 * MS, 2 * MS)
    assert path.synced()
    assert path.clock.theta(now) == pytest.approx(path.offset, abs=2 * MS)
    assert path.clock.epoch == 1


def test_one_side_alone_tells_nothing() -> None:
    clock = Clock()
    assert clock.theta(0) is None
    clock.heard(100, 5)
    assert clock.bounds(5) is None
    assert clock.error(5) is None
    clock.told(0, 103, 6)
    assert clock.bounds(6) == (95, 103)


def test_it_takes_eight_samples_each_way_to_go_by() -> None:
    path = Path(0)
    synced = []
    for n in range(ENOUGH_SAMPLES + 1):
        path.exchange(n * 20 * MS, MS, MS)
        synced.append(path.clock.synced)
    assert synced == [False] * (ENOUGH_SAMPLES - 1) + [True, True]


def test_a_lucky_sample_is_kept_and_loosens_with_age_until_it_is_too_old() -> None:
    path = Path(0)
    path.exchange(0, MS // 10, MS // 10)
    errors = []
    for n in range(1, BUCKETS + 5):
        now = path.exchange(n * BUCKET_NS, 20 * MS, 20 * MS)
        errors.append(path.clock.error(now) or 0)
    early, late = errors[: BUCKETS - 2], errors[BUCKETS + 1 :]
    assert all(older < newer < MS for older, newer in pairwise(early))
    assert all(19 * MS < error < 21 * MS for error in late)


def test_bounds_that_never_loosen_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: no allowance for drift."""
    monkeypatch.setattr(clocks, "DRIFT_PPM", 0)
    path, now = Path(0, 50), 0
    for _ in range(60):
        now = path.exchange(now + SECOND // 10, 1_000, 1_000)
    bounds = path.clock.bounds(now)
    right = bounds is not None and bounds[0] <= path.theta(now) <= bounds[1] and path.clock.epoch == 0
    assert not right
