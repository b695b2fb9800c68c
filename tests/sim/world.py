"""One evening: a real hub behind a rim of simulated sockets, one heap of (time, counter, call), one seeded generator.

The server's clock is the world's. Everything that the hub says or does is looked at on the spot: see `Watch`.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, Protocol

from tests.sim.machines import Connection, Pipe
from tests.sim.options import Options
from tests.sim.seating import TIME, Cause
from tests.sim.truth import Breach, session_by_ticket
from tests.sim.watch import Watch

from speed_common import wire
from speed_server.hub import Hub
from speed_server.settings import MS, SECOND

START_NS: Final = 1_000 * SECOND
NOTICED_NS: Final = 4 * SECOND
"""How long a transport takes to notice that the other end is silent."""
MOST_AT_ONCE: Final = 1_000


class Client(Protocol):
    """Who can have a connection to the play socket."""

    name: str

    def take(self, connection: Connection, data: bytes) -> None: ...
    def broken(self, connection: Connection) -> None: ...


class Follower(Protocol):
    """Who can subscribe at the watch socket."""

    topics: set[bytes]
    pipe: Pipe

    def passed_over(self) -> bool: ...


class World:
    """The hub, its connections, and time."""

    def __init__(self, options: Options, random: Random) -> None:
        self.options = options
        self.random = random
        self.now = START_NS
        self.calm = False
        """Whether the quiet phase has begun: nothing fails any more, and nobody cheats."""
        self.calm_since: int | None = None
        self.more_deals = True
        """Whether people still want to play another deal."""
        self.met: Counter[str] = Counter()
        self.trace: deque[tuple[int, str, str, bytes]] = deque(maxlen=30)
        self.digest = hashlib.blake2b(digest_size=16)
        self.steps = 0
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._count = itertools.count()
        self.settings = options.settings()
        self.hub = Hub(self.settings, "simulated", Random(random.getrandbits(64)).randbytes, self.now)
        self.watch = Watch(self.hub, self.settings, self.met)
        self.connections: dict[bytes, Connection] = {}
        self._owners: dict[bytes, Client] = {}
        self._followers: list[Follower] = []
        self._inbox: deque[tuple[bytes, bytes]] = deque()
        self._serving = False
        self._busy_until = 0
        self._armed: int | None = None
        self._at_once = 0

    # --- time -------------------------------------------------------------------------------------------------------

    def at(self, time: int, call: Callable[[], None]) -> None:
        heapq.heappush(self._heap, (max(time, self.now), next(self._count), call))

    def after(self, duration: int, call: Callable[[], None]) -> None:
        self.at(self.now + duration, call)

    def run(self, until: int) -> None:
        heap = self._heap
        while heap and heap[0][0] <= until:
            self.now, _, call = heapq.heappop(heap)
            self.steps += 1
            call()
        self.now = max(self.now, until)

    def note(self, what: str, who: str, data: bytes = b"") -> None:
        """Something happened that belongs to the trace."""
        self.trace.append((self.now, what, who, data))
        self.digest.update(b"%d %s %s " % (self.now, what.encode(), who.encode()))
        self.digest.update(data)

    # --- connections ------------------------------------------------------------------------------------------------

    def connect(self, client: Client) -> Connection:
        options, random = self.options, self.random
        origin = b"\0" + random.getrandbits(32).to_bytes(4, "big")
        shape = (options.delay_ns, options.jitter_ns, options.spike)
        if self.calm:
            shape = (min(options.delay_ns, 5 * MS), 0, 0)
        up = Pipe(self, random, *shape, partial(self._arrive, origin))
        connection = Connection(origin, up, Pipe(self, random, *shape, lambda data: client.take(connection, data)))
        self.connections[origin] = connection
        self._owners[origin] = client
        self.watch.came(origin)
        return connection

    def cut(self, connection: Connection, server_notices_ns: int, client_notices_ns: int) -> None:
        """The connection is gone with all that is in it; each side notices after a time."""
        connection.up.dead = connection.down.dead = True
        self.note("cut", self._owners[connection.origin].name)
        self.after(server_notices_ns, partial(self.forget, connection))
        self.after(client_notices_ns, partial(self._tell_broken, connection))

    def close(self, connection: Connection, *, politely: bool = True) -> None:
        """The client closes it. Politely, what it has sent still arrives."""
        connection.known_to_client = False
        connection.down.dead = True
        if not politely:
            connection.up.dead = True
        self.after(2 * self.options.delay_ns + self.options.jitter_ns * 5, partial(self.forget, connection))

    def forget(self, connection: Connection) -> None:
        """The server's transport knows that the connection is gone: whatever is sent there fails."""
        connection.known_to_server = False

    def _tell_broken(self, connection: Connection) -> None:
        if connection.known_to_client:
            connection.known_to_client = False
            self._owners[connection.origin].broken(connection)

    def inject(self, origin: bytes, data: bytes) -> None:
        """Bytes that come from a connection out of nowhere."""
        self._arrive(origin, data)

    # --- the watch socket ---------------------------------------------------------------------------------------------

    def follow(self, follower: Follower) -> None:
        self._followers.append(follower)

    def subscribe(self, follower: Follower, topics: set[bytes]) -> None:
        """The follower follows these topics from now on, and no others."""
        for topic in sorted(topics - follower.topics):
            new = not any(topic in other.topics for other in self._followers)
            follower.topics.add(topic)
            if new or self.random.random() < 0.5:  # XPUB passes each new subscriber's on
                self.hub.watched(topic, self.now)
        for topic in sorted(follower.topics - topics):
            follower.topics.discard(topic)
            if not any(topic in other.topics for other in self._followers):
                self.hub.unwatched(topic, self.now)
        self._look(TIME)
        self._turn()

    # --- the server's turn --------------------------------------------------------------------------------------------

    def hiccup(self, duration_ns: int) -> None:
        """The server does nothing for a while."""
        self.met["hiccup"] += 1
        self._busy_until = self.now + duration_ns

    def _arrive(self, origin: bytes, data: bytes) -> None:
        self._inbox.append((origin, data))
        if not self._serving:
            self._serving = True
            self.at(max(self.now, self._busy_until), self._serve)

    def _serve(self) -> None:
        if self.now < self._busy_until:
            self.at(self._busy_until, self._serve)
            return
        self._serving = False
        while self._inbox:
            self._receive(*self._inbox.popleft())
        self._turn()

    def _receive(self, origin: bytes, data: bytes) -> None:
        self.note("up", self._name(origin), data)
        message, session = None, None
        try:
            message = wire.decode_up(data)
        except wire.WireError:
            self.met["rubbish"] += 1
        else:
            if message.ticket:
                session = session_by_ticket(self.hub, message.ticket)
                if session is not None:
                    self.watch.showed(origin, message.ticket)
            if type(message) is wire.Resync:
                self.met["resync"] += 1
                self.watch.owed.discard(origin)  # from here on the server owes the whole table
        self.hub.receive(origin, data, self.now)
        self._look(Cause(origin, message, session))

    def _tick(self) -> None:
        if self.now < self._busy_until:
            self.at(self._busy_until, self._tick)
            return
        if self._armed is not None and self._armed <= self.now:
            self._armed = None
        self._turn()

    def _turn(self) -> None:
        """As the server's loop does when it has read all: run what is due, then send."""
        hub = self.hub
        due = hub.next_due()
        if hub.dirty or (due is not None and self.now >= due):
            hub.advance(self.now)
            self._look(TIME)
        self._send()
        due = hub.next_due()
        if due is None:
            return
        self._at_once = self._at_once + 1 if due <= self.now else 0
        if self._at_once > MOST_AT_ONCE:
            raise Breach("the hub is due at one and the same instant for ever")
        if self._armed is None or due < self._armed:
            self._armed = max(due, self.now + 1)
            self.at(self._armed, self._tick)

    def _look(self, cause: Cause) -> None:
        self.watch.look(cause, self.now)

    def _send(self) -> None:
        hub, place = self.hub, 0
        while place < len(hub.outbox):
            origin, data = hub.outbox[place]
            place += 1
            connection = self.connections.get(origin)
            if connection is None or not connection.known_to_server:
                self.connections.pop(origin, None)
                hub.unreachable(origin, self.now)
                self._look(TIME)
            elif connection.full:
                self.met["lagging"] += 1
                hub.lagging(origin, self.now)
                self._look(TIME)
            else:
                self._send_down(connection, data)
        hub.outbox.clear()
        self.watch.sent_all()
        # The hub keeps topics in a set; which of two comes first means nothing, so here it is always the same.
        for topic, data in sorted(hub.bulletins, key=lambda bulletin: bulletin[0]):
            for follower in self._followers:
                if topic in follower.topics and not follower.passed_over():
                    follower.pipe.send(topic + b"\0" + data)
        hub.bulletins.clear()

    def _send_down(self, connection: Connection, data: bytes) -> None:
        self.note("down", self._name(connection.origin), data)
        options, kind = self.options, wire.Delta.__struct_config__.tag
        delta = len(data) > 1 and data[1] == kind
        if not self.calm and delta and options.lost_deltas and self.random.random() < options.lost_deltas:
            self.met["lost delta"] += 1
            self.watch.owed.add(connection.origin)
            return
        connection.down.send(data)
        if not self.calm and options.twice and self.random.random() < options.twice:
            self.met["twice"] += 1
            connection.down.send(data)

    def _name(self, origin: bytes) -> str:
        owner = self._owners.get(origin)
        return owner.name if owner is not None else "stranger"
