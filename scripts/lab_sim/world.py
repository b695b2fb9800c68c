"""A fake clock with a heap, the clocks of players' machines, and links that keep their order. Times are nanoseconds."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from typing import Final

MS: Final = 1_000_000
SECOND: Final = 1_000_000_000
GRAIN_NS: Final = 15_600_000
GOOD_BURSTS: Final = 0.01
BAD_BURSTS: Final = 0.1
LOSS: Final = 0.02
STALL_NS: Final = 90 * MS
STALL_EVERY_NS: Final = 1_500 * MS
LINKS: Final = ("cable", "good", "bad", "bad-loss", "slow-up", "slow-down", "spike")


class World:
    """Things to come, in order of their time and then of their making; the same seed gives the same world."""

    def __init__(self, seed: str) -> None:
        self.now = 0
        self.random = Random(seed)  # noqa: S311  # a simulation must come out the same again
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    def at(self, when: int, what: Callable[[], None]) -> None:
        """Do this then, or now if then is past."""
        self._count += 1
        heapq.heappush(self._heap, (max(when, self.now), self._count, what))

    def run_until(self, done: Callable[[], bool], limit: int) -> None:
        """Let time pass until `done()`, or to `limit`."""
        heap = self._heap
        while heap and not done() and heap[0][0] <= limit:
            self.now, _, what = heapq.heappop(heap)
            what()


class MachineClock:
    """What a player's machine reads: an offset, a drift, steps, and perhaps a coarse grain."""

    def __init__(self, offset_ns: int, ppm: float, grain_ns: int = 0) -> None:
        self.offset_ns = offset_ns
        self.ppm = ppm
        self.grain_ns = grain_ns

    def read(self, now: int) -> int:
        """The reading at the true time `now`."""
        fine = self.offset_ns + now + int(now * self.ppm / 1e6)
        return fine - fine % self.grain_ns if self.grain_ns else fine

    def wait(self, duration: int) -> int:
        """How long a machine truly waits that means to wait `duration`."""
        return int(duration / (1 + self.ppm / 1e6))


class Wire:
    """One direction of a link. What is sent on it comes in the order in which it was sent, or, cut, not at all."""

    def __init__(self, random: Random, kind: str, *, up: bool) -> None:
        self.kind = kind
        self.up = up
        self.cut = False
        self._random = random
        self._last_arrival = 0
        self._last_sent = -SECOND
        self._phase = random.randrange(STALL_EVERY_NS)

    def arrival(self, now: int) -> int | None:
        """When a message sent now comes; None: never."""
        if self.cut:
            return None
        when = now + self._delay(now)
        if self.kind == "spike":
            into = (now + self._phase) % STALL_EVERY_NS
            if into < STALL_NS:
                when = max(when, now - into + STALL_NS)
        self._last_sent = now
        self._last_arrival = max(self._last_arrival + 1_000, when)
        return self._last_arrival

    def _delay(self, now: int) -> int:
        random = self._random
        if self.kind == "good":
            extra = random.uniform(10, 30) if random.random() < GOOD_BURSTS else 0.0
            return int((1.2 + random.expovariate(1 / 1.5) + extra) * MS)
        if self.kind in {"bad", "bad-loss"}:
            extra = random.uniform(10, 50) if random.random() < BAD_BURSTS else 0.0
            delay = min(60.0, 5 + random.expovariate(1 / 6) + extra)
            if self.kind == "bad-loss" and random.random() < LOSS:
                # TCP learns of a loss a round trip after the next message; with none behind it, only by its timer. The
                # next one is taken to be as far behind as the last one was before.
                behind = max(10.0, (now - self._last_sent) / MS)
                delay += min(behind + random.uniform(15, 35), random.uniform(200, 240))
            return int(delay * MS)
        base = 0.15
        if self.kind in {"slow-up", "slow-down"}:
            base = 30.0 if self.up == (self.kind == "slow-up") else 3.0
        return int((base + random.expovariate(1 / 0.02)) * MS)
