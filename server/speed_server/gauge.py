"""How well the server keeps its times, and what it refused: measured where it happens. Pure.

A timer's lateness runs from when it was due to when the loop came to it, as the loop itself sees it: a machine that is
too slow, a disturbed one, and a loop that does too much in one turn all show there, and nowhere else so directly.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, TypedDict

STEP_NS: Final = 100_000
MOST_STEPS: Final = 10_000
"""Later than a second counts as a second here; `worst_ms` tells the truth."""

_NS_PER_MS: Final = 1_000_000


class Lateness(TypedDict):
    """Milliseconds; `steps` counts by tenths of one, rounded up, so that figures of several stretches can be added."""

    ticks: int
    p50_ms: float
    p99_ms: float
    worst_ms: float
    longest_turn_ms: float
    steps: dict[str, int]


class Gauge:
    """Counts for one stretch of time after another: `take` gives what was since the last one."""

    def __init__(self) -> None:
        self.lagging = 0
        """How often a player's queue was full, since the start."""
        self._steps: Counter[int] = Counter()
        self._worst_ns = self._longest_turn_ns = self._woke_ns = 0
        self._known_ns: int | None = None

    def sleeps(self, due_ns: int | None) -> None:
        """The loop is about to wait; this timer is the next that it knows of."""
        self._known_ns = due_ns

    def wakes(self, now: int) -> None:
        """The loop has waited."""
        self._woke_ns = now

    def ticks(self, due_ns: int | None, now: int) -> None:
        """The loop serves what is due by `now`; `due_ns` is the first of it.

        What was due before anybody knew of it, as the list that a first watcher asks for, is late from this turn on.
        """
        if due_ns is None or due_ns > now:
            return
        known = self._known_ns is not None and self._known_ns <= due_ns
        late_ns = now - (due_ns if known else max(due_ns, self._woke_ns))
        self._steps[min(-(-late_ns // STEP_NS), MOST_STEPS)] += 1
        self._worst_ns = max(self._worst_ns, late_ns)

    def rests(self, now: int) -> None:
        """The loop has done all that there was to do in this turn."""
        self._longest_turn_ns = max(self._longest_turn_ns, now - self._woke_ns)

    def take(self) -> Lateness:
        """What was measured since this was last asked."""
        steps, self._steps = self._steps, Counter()
        worst_ns, self._worst_ns = self._worst_ns, 0
        turn_ns, self._longest_turn_ns = self._longest_turn_ns, 0
        return Lateness(
            ticks=steps.total(),
            p50_ms=share_of(steps, 0.5),
            p99_ms=share_of(steps, 0.99),
            worst_ms=round(worst_ns / _NS_PER_MS, 3),
            longest_turn_ms=round(turn_ns / _NS_PER_MS, 3),
            steps={str(step): steps[step] for step in sorted(steps)},
        )


def share_of(steps: Counter[int], share: float) -> float:
    """The lateness in milliseconds that `share` (0..1) of these counts do not exceed; 0 for none."""
    left = share * steps.total()
    for step in sorted(steps):
        left -= steps[step]
        if left <= 0:
            return step * STEP_NS / _NS_PER_MS
    return 0.0
