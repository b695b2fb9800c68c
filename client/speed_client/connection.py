"""One end over one socket after the other, in the running asyncio loop. Part of the rim.

A key pair is made for each connection, unless a passcode stands for one; the server's key comes from its door. A socket
whose handshake failed, or that brought no welcome in three seconds, may never come back (a CURVE client that met
another service does not): it is closed, the door is asked again, since ports or key may have changed, and a new one is
made. A server that refused our passcode is not asked again: that would only be a second wrong guess.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter_ns
from types import TracebackType
from typing import Final, Protocol, Self

import zmq
import zmq.asyncio
from zmq.utils.monitor import recv_monitor_message

from speed_client.door import DoorError, Server, knock
from speed_client.passes import TOO_MANY, not_admitted
from speed_common.wire import MAX_DOWN_BYTES

WELCOME_SECONDS: Final = 3.0
KNOCK_AGAIN_SECONDS: Final = 1.0
GOODBYE_MS: Final = 200
_AWAY_SECONDS: Final = 0.3
_LOOK_SECONDS: Final = 0.5
_LOCKED_OUT_SECONDS: Final = 5.0

CURVE_OVERHEAD: Final = 33
"""What CURVE adds to a frame, which ZeroMQ counts: a command name, a nonce, a flag and a seal."""

_CONNECTED: Final = int(zmq.Event.HANDSHAKE_SUCCEEDED)
_LOST: Final = int(zmq.Event.DISCONNECTED)
_REFUSED: Final = int(zmq.Event.HANDSHAKE_FAILED_AUTH)
_FAILED: Final = frozenset(
    {
        int(zmq.Event.HANDSHAKE_FAILED_NO_DETAIL),
        int(zmq.Event.HANDSHAKE_FAILED_PROTOCOL),
        _REFUSED,
    }
)

Recheck = Callable[[Server], None]
"""Called with every new answer of the door; raises `DoorError` when that server must not be trusted."""


class End(Protocol):
    """What a session and a spectator have in common."""

    @property
    def ended(self) -> object | None:
        """Why it is over; None while it is not."""

    def connected(self, now: int, /) -> None:
        """A connection stands."""

    def lost(self, now: int, /) -> None:
        """The connection fell."""

    def due(self, now: int, /) -> None:
        """Do what is due."""

    def next_due(self) -> int | None:
        """When `due` must be called next; None when nothing waits for time."""

    def stop(self, word: str, text: str, /) -> None:
        """End for a reason that only the rim can know."""


class Connection:
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
        self._admitted = False
        self._locked_out = False

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

    async def _run(self, end: End, changed: Callable[[], None]) -> None:
        while end.ended is None:
            await self._one_socket(end, changed)
            if end.ended is None:
                await self._knock_again(end)
                changed()

    async def _one_socket(self, end: End, changed: Callable[[], None]) -> None:
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
            # Without a pause in between: a second cancel would come down in it, and a context waits for ever for a
            # socket that was left open.
            for task in (*tasks, broken):
                task.cancel()
            self._disarm()
            monitor.close(linger=0)
            self._close_socket(GOODBYE_MS if end.ended is not None else 0)
            if end.ended is None:
                end.lost(perf_counter_ns())
            await asyncio.gather(*tasks, broken, return_exceptions=True)

    async def _knock_again(self, end: End) -> None:
        if self._locked_out:
            self._locked_out = False
            await asyncio.sleep(_LOCKED_OUT_SECONDS)
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
        self._server = replace(server, pass_=self._server.pass_)

    async def _monitor(self, monitor: zmq.asyncio.Socket, end: End, changed: Callable[[], None]) -> None:
        while True:
            message = await recv_monitor_message(monitor)
            event = int(message["event"])
            if event == _CONNECTED:
                self._let_in()
                end.connected(perf_counter_ns())
            elif event == _LOST:
                end.lost(perf_counter_ns())
            elif event in _FAILED:
                if event == _REFUSED:
                    self._turned_away(end, int(message["value"]))
                self._broken.set()
            changed()

    def _let_in(self) -> None:
        if not self._admitted and self._server.pass_ is not None:
            self._server.pass_.admitted()
        self._admitted = True

    def _turned_away(self, end: End, code: int) -> None:
        """The server did not take our key. Who was in before waits out what others guessed at the same address."""
        if self._admitted and code == TOO_MANY:
            self._locked_out = True
        else:
            end.stop("locked", not_admitted(self._server, code))

    async def _watchdog(self, end: End) -> None:
        """Give a socket up that stayed without a welcome for too long."""
        loop = asyncio.get_running_loop()
        good = loop.time()
        while loop.time() - good < WELCOME_SECONDS:
            await asyncio.sleep(_LOOK_SECONDS)
            if self._stands(end):
                good = loop.time()
        self._broken.set()

    def _arm(self, end: End, changed: Callable[[], None]) -> None:
        """Let the loop call `due` when the end next wants it."""
        due = end.next_due()
        if due == self._timer_due and self._timer is not None:
            return
        self._disarm()
        self._timer_due = due
        if due is not None and end.ended is None:
            seconds = max(0, due - perf_counter_ns()) / 1e9
            self._timer = asyncio.get_running_loop().call_later(seconds, self._due, end, changed)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timer_due = None

    def _due(self, end: End, changed: Callable[[], None]) -> None:
        self._timer = None
        end.due(perf_counter_ns())
        changed()

    def _close_socket(self, linger: int) -> None:
        socket, self._socket = self._socket, None
        if socket is not None and not socket.closed:
            socket.disable_monitor()
            socket.close(linger=linger)

    def _secure(self, socket: zmq.asyncio.Socket) -> None:
        if not self._server.line.insecure:
            pass_ = self._server.pass_
            public, secret = (pass_.public, pass_.secret) if pass_ is not None else zmq.curve_keypair()
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
        socket.maxmsgsize = MAX_DOWN_BYTES + CURVE_OVERHEAD

    def _open(self) -> zmq.asyncio.Socket:
        raise NotImplementedError

    def _connect(self, socket: zmq.asyncio.Socket) -> None:
        raise NotImplementedError

    async def _receive(self, socket: zmq.asyncio.Socket, end: End, changed: Callable[[], None]) -> None:
        raise NotImplementedError

    def _stands(self, end: End) -> bool:
        raise NotImplementedError
