"""Two clocks, one interval: what the other end's clock is ahead of mine, known only within bounds.

Each sample bounds the difference `theta` (theirs minus mine) from one side. A message of theirs, stamped `sent` there
and read here at `got`, was on its way for some time >= 0, so `theta >= sent - got`. One of mine, read there at
`their_got` after I sent it at `my_sent`, gives `theta <= their_got - my_sent`. Bounds age by the drift that two quartz
clocks may have. All values are nanoseconds. Bounds that contradict each other mean that a clock stepped or a machine
slept: everything known is dropped and `epoch` goes up.
"""

from __future__ import annotations

from typing import Final

BUCKET_NS: Final = 500_000_000
BUCKETS: Final = 20
DRIFT_PPM: Final = 50
ENOUGH_SAMPLES: Final = 8

_MILLION: Final = 1_000_000


class _Bound:
    """The least `sign * value` of the last buckets, loosened by its age; at most one sample a bucket is kept.

    A sample that a later one beats can never be the least again, so `kept` is in rising order and its first is the
    least. Samples are kept as they would be at time 0, in millionths, so that ageing them all is one addition.
    """

    __slots__ = ("kept", "samples", "sign")

    def __init__(self, sign: int) -> None:
        self.sign = sign
        self.samples = 0
        self.kept: list[tuple[int, int]] = []

    def add(self, value: int, now: int) -> None:
        self.samples += 1
        bucket, sample = now // BUCKET_NS, self.sign * value * _MILLION - now * DRIFT_PPM
        kept = self.kept
        while kept and kept[-1][1] >= sample:
            kept.pop()
        if not kept or kept[-1][0] < bucket:
            kept.append((bucket, sample))

    def at(self, now: int) -> int | None:
        kept, oldest = self.kept, now // BUCKET_NS - BUCKETS
        while kept and kept[0][0] <= oldest:
            del kept[0]
        return self.sign * ((kept[0][1] + now * DRIFT_PPM) // _MILLION) if kept else None


class Clock:
    """The other end's clock, seen from here. Feed it samples; ask `theta`, `error` and the conversions."""

    __slots__ = ("_lower", "_upper", "epoch")

    def __init__(self) -> None:
        self.epoch = 0
        self._upper = _Bound(+1)
        self._lower = _Bound(-1)

    def heard(self, their_sent: int, got: int) -> None:
        """A message of theirs, stamped when it left there, came here at `got`. Whether it agrees, `told` will see."""
        self._lower.add(their_sent - got, got)

    def told(self, my_sent: int, their_got: int, now: int) -> None:
        """A message of mine, sent at `my_sent`, was read there at `their_got`, as I learn at `now`."""
        self._upper.add(their_got - my_sent, now)
        self._check(now)

    def bounds(self, now: int) -> tuple[int, int] | None:
        """The interval (lower, upper) that holds theta, or None while one side is unknown."""
        lower, upper = self._lower.at(now), self._upper.at(now)
        return None if lower is None or upper is None else (lower, upper)

    def theta(self, now: int) -> int | None:
        """The best guess of theirs minus mine: the middle of the interval."""
        known = self.bounds(now)
        return None if known is None else (known[0] + known[1]) // 2

    def error(self, now: int) -> int | None:
        """How wrong `theta` can be at most."""
        known = self.bounds(now)
        return None if known is None else (known[1] - known[0]) // 2

    @property
    def synced(self) -> bool:
        """Whether enough samples came each way to go by."""
        return min(self._upper.samples, self._lower.samples) >= ENOUGH_SAMPLES

    def _check(self, now: int) -> None:
        known = self.bounds(now)
        if known is not None and known[0] > known[1]:
            self.epoch += 1
            self._upper, self._lower = _Bound(+1), _Bound(-1)
