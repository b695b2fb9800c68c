"""Spectators: a real `Watching` each, fed by a pipe that may pass bulletins over, as an XPUB does for who is slow."""

from __future__ import annotations

from random import Random

from tests.sim.machines import MachineClock, Pipe
from tests.sim.truth import Breach
from tests.sim.world import World

from speed_client.watching import Watching
from speed_common.wire import LOBBY_TOPIC
from speed_server.settings import MS


class Spectator:
    """Somebody who only looks on."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.topics: set[bytes] = set()
        self.random = Random(world.random.getrandbits(64))
        options = world.options
        self.clock = MachineClock(self.random.randrange(10**15), 0)
        self.pipe = Pipe(world, self.random, options.delay_ns, options.jitter_ns, options.spike, self.take)
        self.watching = Watching(self.random.choice([0, 0, 1]), self.read())
        self._armed: int | None = None
        self._compared: dict[int, tuple[int, int]] = {}
        world.follow(self)

    def read(self) -> int:
        return self.clock.read(self.world.now)

    def begin(self) -> None:
        self.watching.connected(self.read())
        self.world.subscribe(self, self.watching.subscriptions() | {LOBBY_TOPIC})

    def end(self) -> None:
        self.world.subscribe(self, set())

    def gap(self) -> None:
        """The connection falls and comes back a moment later."""
        self.watching.lost(self.read())
        self.world.subscribe(self, set())
        self.world.after(300 * MS, self.begin)

    def passed_over(self) -> bool:
        if self.world.calm or not self.world.options.lost_deltas or self.random.random() >= 0.1:
            return False
        self.world.met["missed bulletin"] += 1
        return True

    def take(self, bulletin: bytes) -> None:
        topic, _, data = bulletin.partition(b"\0")
        self.watching.receive(topic, data, self.read())
        self._hear()

    def _hear(self) -> None:
        self.watching.news.clear()
        wanted = self.watching.subscriptions()
        if self.topics and wanted != self.topics:
            self.world.subscribe(self, wanted)
        for number, mirror in sorted(self.watching.tables.items()):
            if self._compared.get(number) != (mirror.revision, id(mirror.table)):
                self._compared[number] = (mirror.revision, id(mirror.table))
                self.world.watch.mirrors_the_truth(mirror, self.name)
        due = self.watching.next_due()
        if due is not None:
            at = max(self.clock.when(due), self.world.now + 1)
            if self._armed is None or at < self._armed:
                self._armed = at
                self.world.at(at, self._alarm)

    def _alarm(self) -> None:
        if self._armed is not None and self._armed <= self.world.now:
            self._armed = None
        due = self.watching.next_due()
        if due is not None and self.read() >= due:
            self.watching.due(self.read())
        self._hear()

    def sees_all(self, tables: set[int]) -> None:
        """At rest: every table that is laid, as it is."""
        seen = self.watching.tables
        for number in tables:
            if self.watching.focus not in {0, number}:
                continue
            if number not in seen:
                raise Breach(f"{self.name} does not see table {number}")
            self.world.watch.mirrors_the_truth(seen[number], self.name, at_rest=True)
