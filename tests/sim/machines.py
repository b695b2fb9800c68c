"""Machines and what joins them: clocks that drift, step and sleep, and connections that keep order and fail."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Final, Protocol

MILLION: Final = 1_000_000


class Agenda(Protocol):
    """What a pipe needs of the world: the time, and to be called again."""

    now: int

    def at(self, time: int, call: Callable[[], None]) -> None: ...


class MachineClock:
    """A machine's `perf_counter_ns` against the world's time; it never goes back."""

    def __init__(self, ahead_ns: int, drift_ppm: int) -> None:
        self._world, self._own = 0, ahead_ns
        self._drift = drift_ppm

    def read(self, now: int) -> int:
        passed = max(0, now - self._world)
        return self._own + passed + passed * self._drift // MILLION

    def when(self, reading: int) -> int:
        """The earliest world time at which the clock shows so much; a past one may be of the present."""
        guess = self._world + (reading - self._own) * MILLION // (MILLION + self._drift) - 2
        while self.read(guess) < reading:
            guess += 1
        return guess

    def step(self, now: int, forward_ns: int) -> None:
        self._own, self._world = self.read(now) + forward_ns, now

    def stand_still(self, now: int, duration_ns: int) -> None:
        """The machine sleeps and its clock with it."""
        self._own, self._world = self.read(now), now + duration_ns


class Pipe:
    """One direction of a connection: it keeps order, takes its time, can stall and can die with all that is in it."""

    def __init__(
        self,
        world: Agenda,
        random: Random,
        delay_ns: int,
        jitter_ns: int,
        spike: float,
        arrive: Callable[[bytes], None],
    ) -> None:
        self._world = world
        self._random = random
        self._delay_ns, self._jitter_ns, self._spike = delay_ns, jitter_ns, spike
        self._arrive = arrive
        self._free_at = 0
        self._stalled_until = 0
        self._held: deque[bytes] = deque()
        self.inside = 0
        self.dead = False

    def send(self, data: bytes) -> None:
        if self.dead:
            return
        delay = self._delay_ns
        if self._jitter_ns:
            delay += int(self._random.random() * self._jitter_ns)
            if self._spike and self._random.random() < self._spike:
                delay += 4 * self._jitter_ns
        self._free_at = max(self._free_at, self._world.now + delay)
        self.inside += 1
        self._world.at(self._free_at, lambda: self._come(data))

    def stall(self, until: int) -> None:
        self._stalled_until = max(self._stalled_until, until)
        self._world.at(until, self._release)

    def calm(self, delay_ns: int) -> None:
        """From now on nothing is wrong with it any more."""
        self._delay_ns, self._jitter_ns, self._spike = delay_ns, 0, 0
        self._stalled_until = 0
        self._release()

    def _come(self, data: bytes) -> None:
        if self._held or self._world.now < self._stalled_until:
            self._held.append(data)
        else:
            self._take(data)

    def _release(self) -> None:
        while self._held and self._world.now >= self._stalled_until:
            self._take(self._held.popleft())

    def _take(self, data: bytes) -> None:
        self.inside -= 1
        if not self.dead:
            self._arrive(data)


class Connection:
    """A player's connection as both sides see it: a routing id, and a pipe each way."""

    MOST_INSIDE: Final = 24
    """Messages down that are under way before the server hears EAGAIN."""

    def __init__(self, origin: bytes, up: Pipe, down: Pipe) -> None:
        self.origin = origin
        self.up, self.down = up, down
        self.known_to_client = True
        self.known_to_server = True

    @property
    def full(self) -> bool:
        return self.down.inside >= self.MOST_INSIDE
