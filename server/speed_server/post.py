"""What goes out: every message to a player or to the watchers, hidden for its receiver, encoded once where it can be.

The only place from which cards leave the server. Players are told by their session; spectators by topic on the watch
socket, where a keyframe (the whole public table) goes out once a second and at once for a new subscriber.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from speed_common import wire
from speed_common.events import Event
from speed_common.table import SPECTATOR
from speed_common.views import hide_events, insiders_of
from speed_server.lobby import Lobby
from speed_server.room import Room
from speed_server.sessions import Session


class Post:
    """Two trays: `outbox` of (connection, bytes) and `bulletins` of (topic, bytes). The rim sends and empties them."""

    def __init__(self, lobby: Lobby) -> None:
        self.outbox: list[tuple[bytes, bytes]] = []
        self.bulletins: list[tuple[bytes, bytes]] = []
        self.topics: set[bytes] = set()
        self._lobby = lobby

    def send(self, origin: bytes, message: wire.Down) -> None:
        """To a connection, whoever it is."""
        self.outbox.append((origin, wire.encode(message)))

    def tell(self, session: Session, message: wire.Down) -> None:
        """To a player, unless the connection is gone or takes no more (then a snapshot will make good for it)."""
        if session.reachable:
            self.send(session.origin, message)

    def tell_events(
        self, room: Room, seated: Collection[Session], revision: int, tick: int, events: tuple[Event, ...]
    ) -> None:
        """One delta to each player at the table, as that seat may see it, and the public one to the watchers.

        Who sees no more than the public is told first: the rival of who played, and a player waits for the rival's card
        as for no own one, which the screen shows already.
        """
        while len(events) > wire.MAX_EVENTS:  # a machine that slept wakes to more than one message may hold
            self.tell_events(room, seated, revision, tick, events[: wire.MAX_EVENTS])
            revision, events = revision + wire.MAX_EVENTS, events[wire.MAX_EVENTS :]
        public = wire.encode(wire.Delta(revision, tick, hide_events(events, SPECTATOR)))
        seats = insiders_of(events)
        insiders: list[Session] = []
        for session in seated:
            if session.seat in seats:
                insiders.append(session)
            elif session.reachable:
                self.outbox.append((session.origin, public))
        for session in insiders:
            if session.reachable:
                own = wire.encode(wire.Delta(revision, tick, hide_events(events, session.seat)))
                self.outbox.append((session.origin, own))
        if room.topic in self.topics:
            self.bulletins.append((room.topic, public))

    def tell_table(self, session: Session, now: int) -> None:
        """The whole table as the session's seat may see it; nothing to who has no seat."""
        room = session.room
        if room is not None:
            view = room.view(session.seat)
            self.tell(session, wire.Snapshot(room.revision, now, session.seat, room.describe(), view))

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
        """The table's keyframe, if anybody watches it."""
        if room.topic in self.topics:
            keyframe = wire.Snapshot(room.revision, now, SPECTATOR, room.describe(), room.view(SPECTATOR))
            self.bulletins.append((room.topic, wire.encode(keyframe)))

    def publish(self, topic: bytes, now: int) -> None:
        """The keyframe of a topic; nothing for a topic that is about nothing."""
        if topic == wire.LOBBY_TOPIC:
            self.bulletins.append((topic, wire.encode(self._lobby.message())))
            return
        room = self._lobby.by_topic(topic)
        if room is not None:
            self.publish_table(room, now)
