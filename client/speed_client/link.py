"""A session or a spectator joined to a server: what each sends and hears over its socket. Part of the rim."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from time import perf_counter_ns

import zmq
import zmq.asyncio

from speed_client.connection import Connection, End, Recheck
from speed_client.contact import Contact
from speed_client.door import Server
from speed_client.watching import Watching


class Link(Connection):
    """A player's session, or a director, joined to the play socket. `keep` is given each new ticket."""

    def __init__(
        self,
        server: Server,
        recheck: Recheck = lambda _: None,
        keep: Callable[[bytes], None] = lambda _: None,
        context: zmq.asyncio.Context | None = None,
    ) -> None:
        super().__init__(server, recheck, context)
        self._keep = keep
        self._kept = b""

    async def run(self, session: Contact, on_change: Callable[[], None]) -> None:
        """Keep the session going until it has ended. `on_change` is called after anything that may have made news."""

        def changed() -> None:
            self.flush(session)
            if session.welcomed and session.ticket != self._kept:
                self._kept = session.ticket
                self._keep(session.ticket)
            on_change()
            self.flush(session)
            self._arm(session, changed)
            if session.ended is not None:
                self._broken.set()

        await self._run(session, changed)

    def flush(self, session: Contact) -> None:
        """Send what the session has to say, now. Without a connection it is dropped: it would be stale later."""
        if self._socket is not None:
            for data in session.outbox:
                sent = self._socket.send(data, flags=zmq.NOBLOCK)
                assert isinstance(sent, asyncio.Future), "without blocking, the answer is there at once"
                with contextlib.suppress(zmq.Again):
                    sent.result()
        session.outbox.clear()
        if session.ended is not None:
            self._broken.set()

    def _open(self) -> zmq.asyncio.Socket:
        socket: zmq.asyncio.Socket = self._context.socket(zmq.DEALER)
        self._secure(socket)
        return socket

    def _connect(self, socket: zmq.asyncio.Socket) -> None:
        socket.connect(self._server.endpoint(self._server.line.play))

    async def _receive(self, socket: zmq.asyncio.Socket, end: End, changed: Callable[[], None]) -> None:
        assert isinstance(end, Contact)
        while True:
            data = await socket.recv()
            end.receive(data, perf_counter_ns())
            changed()

    def _stands(self, end: End) -> bool:
        return isinstance(end, Contact) and end.welcomed


class WatchLink(Connection):
    """A spectator joined to the watch socket."""

    def __init__(
        self, server: Server, recheck: Recheck = lambda _: None, context: zmq.asyncio.Context | None = None
    ) -> None:
        super().__init__(server, recheck, context)
        self._subscribed: set[bytes] = set()

    async def run(self, watching: Watching, on_change: Callable[[], None]) -> None:
        """Keep the spectator going until it has ended. `on_change` as for a player's link."""

        def changed() -> None:
            on_change()
            self.flush(watching)
            self._arm(watching, changed)
            if watching.ended is not None:
                self._broken.set()

        await self._run(watching, changed)

    def flush(self, watching: Watching) -> None:
        """Bring the subscriptions up to what the spectator follows."""
        if self._socket is not None:
            wanted = watching.subscriptions()
            for topic in wanted - self._subscribed:
                self._socket.subscribe(topic)
            for topic in self._subscribed - wanted:
                self._socket.unsubscribe(topic)
            self._subscribed = wanted
        if watching.ended is not None:
            self._broken.set()

    def _open(self) -> zmq.asyncio.Socket:
        socket: zmq.asyncio.Socket = self._context.socket(zmq.SUB)
        self._secure(socket)
        self._subscribed = set()
        return socket

    def _connect(self, socket: zmq.asyncio.Socket) -> None:
        socket.connect(self._server.endpoint(self._server.line.watch))

    async def _receive(self, socket: zmq.asyncio.Socket, end: End, changed: Callable[[], None]) -> None:
        assert isinstance(end, Watching)
        while True:
            topic, *payload = await socket.recv_multipart()
            for data in payload[:1]:
                end.receive(topic, data, perf_counter_ns())
                changed()

    def _stands(self, end: End) -> bool:
        return isinstance(end, Watching) and end.link == "up"
