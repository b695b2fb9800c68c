"""The sockets of the client: a session or a spectator joined to a server, in the running asyncio loop. Part of the rim.

A key pair is made for each connection; the server's key comes from its door. A socket whose handshake failed, or that
brought no welcome in three seconds, may never come back (a CURVE client that met another service does not): it is
closed, the door is asked again, since ports or key may have changed, and a new one is made.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from time import perf_counter_ns
from types import TracebackType
from typing import Final, Protocol, Self

import zmq
import zmq.asyncio
from zmq.utils.monitor import recv_monitor_message

from speed_client.door import DoorError, Server, knock
from speed_client.session import Session
from speed_client.watching import Watching
from speed_common.wire import MAX_DOWN_BYTES

WELCOME_SECONDS: Final = 3.0
KNOCK_AGAIN_SECONDS: Final = 1.0
GOODBYE_MS: Final = 200
_AWAY_SECONDS: Final = 0.3
_LOOK_SECONDS: Final = 0.5

_CONNECTED: Final = int(zmq.Event.HANDSHAKE_SUCCEEDED)
_LOST: Final = int(zmq.Event.DISCONNECTED)
_FAILED: Final = frozenset(
    {
        int(zmq.Event.HANDSHAKE_FAILED_NO_DETAIL),
        int(zmq.Event.HANDSHAKE_FAILED_PROTOCOL),
        int(zmq.Event.HANDSHAKE_FAILED_AUTH),
    }
)

Recheck = Callable[[Server], None]
"""Called with every new answer of the door; raises `DoorError` when that server must not be trusted."""


class _End(Protocol):
    """What a session and a spectator have in common."""

    @property
    def ended(self) -> object | None: ...
    def connected(self, now: int, /) -> None: ...
    def lost(self, now: int, /) -> None: ...
    def due(self, now: int, /) -> None: ...
    def next_due(self) -> int | None: ...
    def stop(self, word: str, text: str, /) -> None: ...


class _Base:
    """One end over one socket after the other."""

    def __init__(
        self, server: Server, recheck: Recheck = lambda _: None, context: zmq.asyncio.Context | None = None
    ) -> None:
        self._server = server
        self._recheck = recheck
        self._context = context or zmq.asyncio.Context()
        self._own_context = context is None
        self._socket: zmq.asyncio.Socket | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_due: int | None = None
        self._broken = asyncio.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close everything; what was said last gets a moment to leave."""
        self._close_socket(GOODBYE_MS)
        if self._own_context:
            self._context.destroy(linger=GOODBYE_MS)

    async def _run(self, end: _End, changed: Callable[[], None]) -> None:
        while end.ended is None:
            await self._one_socket(end, changed)
            if end.ended is None:
                await self._knock_again(end)
                changed()

    async def _one_socket(self, end: _End, changed: Callable[[], None]) -> None:
        """Live with one socket until the end has ended, or until the socket is not to be trusted any more."""
        self._broken.clear()
        socket = self._open()
        self._socket = socket
        monitor = socket.get_monitor_socket(_CONNECTED | _LOST | sum(_FAILED))
        self._connect(socket)
        tasks = [
            asyncio.create_task(self._monitor(monitor, end, changed)),
            asyncio.create_task(self._receive(socket, end, changed)),
            asyncio.create_task(self._watchdog(end)),
        ]
        broken = asyncio.create_task(self._broken.wait())
        try:
            changed()
            done, _ = await asyncio.wait([*tasks, broken], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (*tasks, broken):
                task.cancel()
            await asyncio.gather(*tasks, broken, return_exceptions=True)
            if self._timer is not None:
                self._timer.cancel()
                self._timer = self._timer_due = None
            if not socket.closed:
                socket.disable_monitor()
            monitor.close(linger=0)
            self._close_socket(GOODBYE_MS if end.ended is not None else 0)
            if end.ended is None:
                end.lost(perf_counter_ns())

    async def _knock_again(self, end: _End) -> None:
        try:
            server = await knock(self._server.address, KNOCK_AGAIN_SECONDS)
        except DoorError:
            await asyncio.sleep(_AWAY_SECONDS)
            return
        try:
            self._recheck(server)
        except DoorError as error:
            end.stop("key_changed", str(error))
            return
        self._server = server

    async def _monitor(self, monitor: zmq.asyncio.Socket, end: _End, changed: Callable[[], None]) -> None:
        while True:
            event = int((await recv_monitor_message(monitor))["event"])
            if event == _CONNECTED:
                end.connected(perf_counter_ns())
            elif event == _LOST:
                end.lost(perf_counter_ns())
            elif event in _FAILED:
                self._broken.set()
            changed()

    async def _watchdog(self, end: _End) -> None:
        """Give a socket up that stayed without a welcome for too long."""
        loop = asyncio.get_running_loop()
        good = loop.time()
        while loop.time() - good < WELCOME_SECONDS:
            await asyncio.sleep(_LOOK_SECONDS)
            if self._stands(end):
                good = loop.time()
        self._broken.set()

    def _arm(self, end: _End, changed: Callable[[], None]) -> None:
        """Let the loop call `due` when the end next wants it."""
        due = end.next_due()
        if due == self._timer_due and self._timer is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_due = due
        if due is not None and end.ended is None:
            seconds = max(0, due - perf_counter_ns()) / 1e9
            self._timer = asyncio.get_running_loop().call_later(seconds, self._due, end, changed)

    def _due(self, end: _End, changed: Callable[[], None]) -> None:
        self._timer = None
        end.due(perf_counter_ns())
        changed()

    def _close_socket(self, linger: int) -> None:
        if self._socket is not None:
            self._socket.close(linger=linger)
            self._socket = None

    def _secure(self, socket: zmq.asyncio.Socket) -> None:
        public, secret = zmq.curve_keypair()
        socket.curve_publickey, socket.curve_secretkey = public, secret
        socket.curve_serverkey = self._server.line.key.encode()
        socket.linger = 0
        socket.ipv6 = True
        socket.immediate = True
        socket.connect_timeout = 1_000
        socket.reconnect_ivl = 100
        socket.reconnect_ivl_max = 1_000
        socket.handshake_ivl = 2_000
        socket.heartbeat_ivl = 1_000
        socket.heartbeat_timeout = 4_000
        socket.heartbeat_ttl = 4_000
        socket.maxmsgsize = MAX_DOWN_BYTES

    def _open(self) -> zmq.asyncio.Socket:
        raise NotImplementedError

    def _connect(self, socket: zmq.asyncio.Socket) -> None:
        raise NotImplementedError

    async def _receive(self, socket: zmq.asyncio.Socket, end: _End, changed: Callable[[], None]) -> None:
        raise NotImplementedError

    def _stands(self, end: _End) -> bool:
        raise NotImplementedError


class Link(_Base):
    """A player's session joined to the play socket. `keep` is given each new ticket."""

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

    async def run(self, session: Session, on_change: Callable[[], None]) -> None:
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

    def flush(self, session: Session) -> None:
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

    async def _receive(self, socket: zmq.asyncio.Socket, end: _End, changed: Callable[[], None]) -> None:
        assert isinstance(end, Session)
        while True:
            data = await socket.recv()
            end.receive(data, perf_counter_ns())
            changed()

    def _stands(self, end: _End) -> bool:
        return isinstance(end, Session) and end.welcomed


class WatchLink(_Base):
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

    async def _receive(self, socket: zmq.asyncio.Socket, end: _End, changed: Callable[[], None]) -> None:
        assert isinstance(end, Watching)
        while True:
            topic, *payload = await socket.recv_multipart()
            for data in payload[:1]:
                end.receive(topic, data, perf_counter_ns())
                changed()

    def _stands(self, end: _End) -> bool:
        return isinstance(end, Watching) and end.link == "up"
