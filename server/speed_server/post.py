"""What goes out: every message to a player or to the watchers, hidden for its receiver, encoded once where it can be.

The only place from which cards leave the server. Players are told by their session; spectators by topic on the watch
socket, where a keyframe (the whole public table) goes out once a second and at once for a new subscriber.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable
from itertools import count

from speed_common import wire
from speed_common.cards import HIDDEN
from speed_common.table import SPECTATOR
from speed_common.views import hide_events
from speed_server.deal_clock import NS_PER_US
from speed_server.lobby import Lobby
from speed_server.outcomes import Batch
from speed_server.room import Room
from speed_server.sessions import Session


class Post:
    """Two trays: `outbox` of (connection, bytes) and `bulletins` of (topic, bytes). The rim sends and empties them.

    What must not leave yet waits here until `release`: an event is sent to each player as early as the link needs to
    show it with everybody else, and to the watchers when it is shown.
    """

    def __init__(self, lobby: Lobby) -> None:
        self.outbox: list[tuple[bytes, bytes]] = []
        self.bulletins: list[tuple[bytes, bytes]] = []
        self.topics: set[bytes] = set()
        self.owed: set[bytes] = set()
        """Topics whose keyframe would have shown too much when it was due: it is to come once all is shown."""
        self._lobby = lobby
        self._later: list[tuple[int, int, Session | bytes, Room | None, bytes]] = []
        self._count = count()

    def next_due(self) -> int | None:
        """When the first message that waits may leave."""
        return self._later[0][0] if self._later else None

    def release(self, now: int) -> None:
        """Put out what may leave by now."""
        later = self._later
        while later and later[0][0] <= now:
            _, _, to, room, data = heapq.heappop(later)
            if isinstance(to, bytes):
                self.bulletins.append((to, data))
            elif to.reachable and to.room is room:  # who has left the table meanwhile is told nothing of it
                self.outbox.append((to.origin, data))

    def send(self, origin: bytes, message: wire.Down) -> None:
        """To a connection, whoever it is."""
        self.outbox.append((origin, wire.encode(message)))

    def tell(self, session: Session, message: wire.Down) -> None:
        """To a player, unless the connection is gone or takes no more (then a snapshot will make good for it)."""
        if session.reachable:
            self.send(session.origin, message)

    def answer(self, session: Session, message: wire.Down, when_ns: int, now: int) -> None:
        """To a player, not before `when_ns` and behind all that was told to go out before it."""
        self._hand_over(session, wire.encode(message), when_ns, now)

    def tell_events(
        self, room: Room, seated: Collection[Session], revision: int, tick: int, batch: Batch, now: int
    ) -> None:
        """One delta to each player at the table, as that seat may see it, and the public one to the watchers.

        Who sees no more than the public is told first: the rival of who played, and a player waits for the rival's card
        as for no own one, which the screen shows already.
        """
        showing = batch.showing
        show_us = None if showing.at_ns <= now else -((room.clock.reveal_at_ns - showing.at_ns) // NS_PER_US)
        events, race = batch.events, batch.race
        public = wire.encode(wire.Delta(revision, tick, hide_events(events, SPECTATOR), show_us, race=race))
        insiders: list[Session] = []
        for session in seated:
            if session.seat in batch.ahead:
                insiders.append(session)
            else:
                self._hand_over(session, public, showing.send_at_ns[session.seat], now)
        for session in insiders:
            seat = session.seat
            own = wire.encode(wire.Delta(revision, tick, hide_events(events, seat), show_us, batch.ahead[seat]))
            self._hand_over(session, own, showing.send_at_ns[seat], now)
        if room.topic in self.topics:
            if show_us is not None:  # it leaves at that very instant
                public = wire.encode(wire.Delta(revision, tick, hide_events(events, SPECTATOR), race=race))
            self._publish_at(room.topic, public, showing.at_ns, now)

    def _hand_over(self, session: Session, data: bytes, when_ns: int, now: int) -> None:
        if when_ns > now or session.behind_ns > now:
            session.behind_ns = when_ns = max(when_ns, session.behind_ns)
            heapq.heappush(self._later, (when_ns, next(self._count), session, session.room, data))
        elif session.reachable:
            self.outbox.append((session.origin, data))

    def _publish_at(self, topic: bytes, data: bytes, when_ns: int, now: int) -> None:
        if when_ns > now:
            heapq.heappush(self._later, (when_ns, next(self._count), topic, None, data))
        else:
            self.bulletins.append((topic, data))

    def tell_table(self, session: Session, now: int) -> None:
        """The whole table as the session's seat may see it; nothing to who has no seat."""
        room = session.room
        if room is not None:
            view, ahead = room.view(session.seat), room.ahead(session.seat)
            self.tell(session, wire.Snapshot(room.revision, now, session.seat, room.describe(), view, ahead))

    def tell_lobby(self, session: Session) -> None:
        """The list of tables."""
        self.tell(session, self._lobby.message())

    def announce_lobby(self, sessions: Iterable[Session]) -> None:
        """The list of tables to everybody without a seat and to the watchers."""
        message = wire.encode(self._lobby.message())
        for session in sessions:
            if session.room is None and session.reachable:
                self.outbox.append((session.origin, message))
        if wire.LOBBY_TOPIC in self.topics:
            self.bulletins.append((wire.LOBBY_TOPIC, message))

    def tell_watchers(self, message: wire.Down) -> None:
        """To everybody on the watch socket, once by each topic that is followed."""
        data = wire.encode(message)
        self.bulletins += [(topic, data) for topic in self.topics]

    def publish_table(self, room: Room, now: int) -> None:
        """The table's keyframe, if anybody watches it; later, if it would show what is not shown yet."""
        if room.topic not in self.topics:
            return
        if now < room.quiet_at_ns:
            self.owed.add(room.topic)
            return
        self.owed.discard(room.topic)
        view = room.view(SPECTATOR)
        keyframe = wire.Snapshot(room.revision, now, SPECTATOR, room.describe(), view, HIDDEN)
        self.bulletins.append((room.topic, wire.encode(keyframe)))

    def publish(self, topic: bytes, now: int) -> None:
        """The keyframe of a topic; nothing for a topic that is about nothing."""
        if topic == wire.LOBBY_TOPIC:
            self.bulletins.append((topic, wire.encode(self._lobby.message())))
            return
        room = self._lobby.by_topic(topic)
        if room is not None:
            self.publish_table(room, now)
