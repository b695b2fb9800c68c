"""Where people come in and get lost: hello, the ticket that takes a seat over, heartbeats, and who is missed.

A session outlives its connection: who drops keeps the seat for a while (see `room`), and comes back by the ticket from
any connection.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from speed_common import __version__, wire
from speed_server.deal_clock import NS_PER_US
from speed_server.post import Post
from speed_server.room import Room
from speed_server.sessions import NO_ORIGIN, Session, Sessions
from speed_server.settings import HubSettings


class Book(Protocol):
    """Who wants to know who is here: `floor.Floor`."""

    def knows(self, key: bytes) -> bool: ...  # noqa: D102
    def attend(self, session: Session, now: int, *, here: bool) -> None: ...  # noqa: D102
    def forget(self, session: Session) -> None: ...  # noqa: D102


class Reception:
    """Opens, moves, drops sessions. `touch(room)` asks for a tick, `show(session, now)` sends all there is to see.

    `book` is told who is here, and knows tickets of an earlier run.
    """

    def __init__(
        self,
        sessions: Sessions,
        post: Post,
        settings: HubSettings,
        server_id: str,
        touch: Callable[[Room], None],
        show: Callable[[Session, int], None],
        book: Book,
    ) -> None:
        self._sessions = sessions
        self._post = post
        self._settings = settings
        self._server_id = server_id
        self._touch = touch
        self._show = show
        self._book = book

    def hello(self, origin: bytes, hello: wire.Hello, now: int) -> None:
        """The first words of a connection: a new session, or the one that its ticket opens."""
        if hello.low > wire.PROTOCOL_HIGH or hello.high < wire.PROTOCOL_LOW:
            text = (
                f"this server ({__version__}) speaks protocol {wire.PROTOCOL_LOW} to {wire.PROTOCOL_HIGH}, "
                f"your program ({hello.version}) {hello.low} to {hello.high}: install the same version on both"
            )
            self._post.send(origin, wire.Goodbye("protocol", text))
            return
        session = self._sessions.by_ticket(hello.ticket) if hello.ticket else None
        resumed, ticket = session is not None, hello.ticket
        if session is not None:
            session.last_heard_ns = now
            self.take_over(session, origin, now)
        else:
            opened = self._open(origin, hello, now)
            if isinstance(opened, wire.Goodbye):
                self._post.send(origin, opened)
                return
            session, ticket = opened
        protocol = min(hello.high, wire.PROTOCOL_HIGH)
        beat_us = self._settings.beat_ns // 1_000
        self._post.tell(
            session,
            wire.Welcome(protocol, __version__, self._server_id, session.name, ticket, beat_us, resumed),
        )
        self._show(session, now)
        if not resumed:
            self._book.attend(session, now, here=True)

    def _open(self, origin: bytes, hello: wire.Hello, now: int) -> tuple[Session, bytes] | wire.Goodbye:
        """A new session and its ticket, in place of one without a seat; or why there can be none."""
        stale = self._sessions.by_origin(origin)
        if stale is not None and stale.room is not None:
            return wire.Goodbye("seated", "this connection has a seat already: leave it first")
        if stale is not None:
            self._sessions.close(stale)
        if len(self._sessions) >= self._settings.max_players and not self._sessions.close_a_stale_one():
            return wire.Goodbye("full", "the server is full: try again later, or watch")
        try:
            kept = hello.ticket if hello.ticket and self._book.knows(self._sessions.key_of(hello.ticket)) else b""
            return self._sessions.open(hello.name, origin, now, hello.grain_us * NS_PER_US, kept)
        except ValueError as error:
            return wire.Goodbye("name", str(error))

    def take_over(self, session: Session, origin: bytes, now: int) -> None:
        """The ticket came from another connection than before: the session goes there, and the old one is told."""
        other = self._sessions.by_origin(origin)
        if other is not None and other is not session:
            self.drop(other, now)
        before = self._sessions.attach(session, origin)
        if before != NO_ORIGIN:
            self._post.send(before, wire.Goodbye("taken_over", "your seat was taken up from another window or machine"))
        session.lagging = False
        if session.room is not None:
            session.room.back(session.seat, now)
            self._touch(session.room)
        self._book.attend(session, now, here=True)

    def drop(self, session: Session, now: int) -> None:
        """The player's connection is gone: the table is told, the session stays."""
        self._sessions.detach(session)
        if session.room is not None:
            session.room.dropped(session.seat, now)
            self._touch(session.room)
        self._book.attend(session, now, here=False)

    def sweep(self, now: int) -> None:
        """Drop who fell silent; forget who has no seat and stayed silent for long."""
        for session in self._sessions:
            silence = now - session.last_heard_ns
            running = session.room is not None and session.room.running
            most = self._settings.silence_ns if running else self._settings.idle_silence_ns
            if session.origin != NO_ORIGIN and silence > most:
                self.drop(session, now)
            if session.room is None and silence > self._settings.forget_ns:
                self._sessions.close(session)
                self._book.forget(session)

    def beat(self, session: Session, beat: wire.Beat, now: int) -> None:
        """Answer a heartbeat."""
        self._post.tell(session, wire.BeatBack(beat.c_send, now, now, session.fair.beat_ns // NS_PER_US))
