"""A LAN in memory: the real hub, real sessions and spectators, links that take a time, and a number for a clock."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from speed_client.news import Happened, News
from speed_client.session import Session
from speed_client.watching import Watching
from speed_client.wishes import Want
from speed_common.cards import NO_CARD
from speed_common.events import Event
from speed_common.rules import Rules
from speed_common.table import CALLING, STUCK
from speed_common.tactics import best_play
from speed_common.wire import NEW_TABLE
from speed_server.hub import Hub
from speed_server.settings import MS, SECOND, HubSettings

SERVER_ID = "0123456789abcdef"
DELAY_NS = 2 * MS


@dataclass
class Guest:
    """A session behind a link. `ahead_ns` is how far its clock is ahead of the true time."""

    lan: Lan
    session: Session
    ahead_ns: int
    origin: bytes = b""
    delay_ns: int = DELAY_NS
    stalled: bool = False
    news: list[News] = field(default_factory=list)

    @property
    def clock(self) -> int:
        return self.lan.now + self.ahead_ns

    def connect(self) -> None:
        self.origin = f"{id(self)}-{next(self.lan.numbers)}".encode()
        self.session.connected(self.clock)
        self.lan.settle()

    def cut(self, *, noticed: bool = True) -> None:
        """The link breaks; the client's socket may notice, or not."""
        origin, self.origin = self.origin, b""
        if noticed:
            self.session.lost(self.clock)
        self.lan.hub.unreachable(origin, self.lan.now)
        self.lan.settle()

    def play(self, slot: int, pile: int = -1) -> bool:
        sent = self.session.play(slot, pile, self.clock, self.clock)
        self.lan.settle()
        return sent

    def play_best(self) -> bool:
        table, seat = self.session.mirror.table, self.session.mirror.seat
        if table is None or self.session.pending:
            return False
        found = best_play(table.hands[seat], table.held[seat], table.reach, table.fits)
        return found is not None and self.play(*found)

    def do_best(self) -> None:
        """Play, or call or ask for the flip where that is what there is to do."""
        table, seat, session = self.session.mirror.table, self.session.mirror.seat, self.session
        if table is not None and seat >= 0 and table.phase == CALLING and table.emptied == seat:
            session.call(self.clock, self.clock)
        elif table is not None and table.phase == STUCK and table.rules.flip_trigger == "all_ready":
            if not table.asked[seat]:
                session.flip(self.clock)
        elif table is not None and NO_CARD in self.hand and table.draws[seat] and table.rules.refill == "manual":
            session.draw(self.clock, self.clock)
        else:
            self.play_best()
        self.lan.settle()

    def ready(self) -> None:
        assert self.session.ready(self.clock)
        self.lan.settle()

    def told(self, kind: type[News]) -> list[News]:
        return [item for item in self.news if isinstance(item, kind)]

    @property
    def hand(self) -> list[int]:
        table = self.session.mirror.table
        assert table is not None
        return table.hands[self.session.mirror.seat]


class Lan:
    """Everybody, and the true time."""

    def __init__(self, seed: int = 1, settings: HubSettings | None = None) -> None:
        self.now = 1_000 * SECOND
        self.settings = settings or HubSettings(countdown_ns=SECOND)
        self.seed = seed
        self.numbers = count()
        self.guests: list[Guest] = []
        self.watchers: list[Watching] = []
        self.topics: set[bytes] = set()
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self.hub = self._new_hub()

    def _new_hub(self) -> Hub:
        return Hub(self.settings, SERVER_ID, random.Random(self.seed).randbytes, self.now)

    def restart_server(self) -> None:
        """The server is killed and started anew: it knows nobody, and every link falls."""
        self.seed += 1
        self.hub = self._new_hub()
        self._heap.clear()
        for guest in self.guests:
            guest.origin = b""
            guest.session.lost(guest.clock)

    def guest(
        self,
        name: str = "anna",
        *,
        ahead_ns: int = 0,
        ticket: bytes = b"",
        want: Want | None = None,
    ) -> Guest:
        session = Session(name, ticket, want or Want(), self.now + ahead_ns)
        guest = Guest(self, session, ahead_ns)
        self.guests.append(guest)
        guest.connect()
        self.run(20 * MS)
        return guest

    def watcher(self, focus: int = 0) -> Watching:
        watching = Watching(focus, self.now)
        watching.connected(self.now)
        self.watchers.append(watching)
        self.settle()
        return watching

    def pair(self) -> tuple[Guest, Guest]:
        """Two at one table, their clocks far apart."""
        anna, bob = self.guest("anna", ahead_ns=500 * SECOND), self.guest("bob", ahead_ns=-300 * SECOND)
        self.run(300 * MS)
        return anna, bob

    def dealt_pair(self) -> tuple[Guest, Guest]:
        anna, bob = self.pair()
        anna.ready()
        bob.ready()
        self.run(self.settings.countdown_ns + 50 * MS)
        return anna, bob

    def dealt(self, rules: Rules) -> tuple[Guest, ...]:
        """As many as the rules want at one table, in a deal that was just revealed."""
        first, *others = ("anna", "bob", "cho", "dev")[: rules.players]
        guests = [self.guest(first, want=Want(NEW_TABLE, rules=rules))]
        room = guests[0].session.mirror.room
        assert room is not None
        guests += [self.guest(name, want=Want(room.table)) for name in others]
        self.run(300 * MS)
        for guest in guests:
            guest.ready()
        self.run(self.settings.countdown_ns + 50 * MS)
        return tuple(guests)

    def play_out(self, *guests: Guest, most: int = 3_000) -> None:
        """They lay down the best card they have, in turn, until the deal is over."""
        for _ in range(most):
            room = guests[0].session.mirror.room
            assert room is not None
            if room.result is not None:
                return
            for guest in guests:
                guest.do_best()
                self.run(70 * MS)
        raise AssertionError("the deal never ended")

    def settle(self) -> None:
        """Put on the way what anybody has to send."""
        for guest in self.guests:
            for data in guest.session.outbox:
                if guest.origin and not guest.stalled:
                    self._later(guest.delay_ns, self._to_hub(guest.origin, data))
            guest.session.outbox.clear()
            guest.news += guest.session.news
            guest.session.news.clear()
        for watching in self.watchers:
            for topic in watching.subscriptions() - self.topics:
                self.topics.add(topic)
                self.hub.watched(topic, self.now)
        for origin, data in self.hub.outbox:
            for guest in self.guests:
                if guest.origin == origin and not guest.stalled:
                    self._later(guest.delay_ns, self._to_guest(guest, origin, data))
        self.hub.outbox.clear()
        for topic, data in self.hub.bulletins:
            self._later(DELAY_NS, self._to_watchers(topic, data))
        self.hub.bulletins.clear()

    def run(self, duration_ns: int) -> None:
        """Let time pass, with all that happens on the way."""
        end = self.now + duration_ns
        while True:
            due = min((time for time in self._times() if time is not None), default=end + 1)
            if due > end:
                self.now = end
                return
            self.now = max(self.now, due)
            self._step()

    def _times(self) -> list[int | None]:
        times: list[int | None] = [self._heap[0][0] if self._heap else None]
        times.append(self.now if self.hub.dirty else self.hub.next_due())
        for guest in self.guests:
            due = guest.session.next_due()
            times.append(None if due is None else due - guest.ahead_ns)
        times += [watching.next_due() for watching in self.watchers]
        return times

    def _step(self) -> None:
        while self._heap and self._heap[0][0] <= self.now:
            heapq.heappop(self._heap)[2]()
        due = self.hub.next_due()
        if self.hub.dirty or (due is not None and due <= self.now):
            self.hub.advance(self.now)
        for guest in self.guests:
            due = guest.session.next_due()
            if due is not None and due <= guest.clock:
                guest.session.due(guest.clock)
        for watching in self.watchers:
            due = watching.next_due()
            if due is not None and due <= self.now:
                watching.due(self.now)
        self.settle()

    def _later(self, delay_ns: int, call: Callable[[], None]) -> None:
        heapq.heappush(self._heap, (self.now + delay_ns, next(self.numbers), call))

    def _to_hub(self, origin: bytes, data: bytes) -> Callable[[], None]:
        def deliver() -> None:
            if any(guest.origin == origin for guest in self.guests):
                self.hub.receive(origin, data, self.now)

        return deliver

    def _to_guest(self, guest: Guest, origin: bytes, data: bytes) -> Callable[[], None]:
        def deliver() -> None:
            if guest.origin == origin:
                guest.session.receive(data, guest.clock)

        return deliver

    def _to_watchers(self, topic: bytes, data: bytes) -> Callable[[], None]:
        def deliver() -> None:
            for watching in self.watchers:
                if any(topic.startswith(wanted) for wanted in watching.subscriptions()):
                    watching.receive(topic, data, self.now)

        return deliver


def events(guest: Guest, kind: type[Event]) -> list[Event]:
    """The events of a kind that a guest was shown."""
    return [item.event for item in guest.news if isinstance(item, Happened) and isinstance(item.event, kind)]
