"""A recording man in the middle: clients come to its three ports, and it passes all on to a server's.

It understands ZMTP 3 as spoken without encryption (https://rfc.zeromq.org/spec/23/): a greeting of 64 bytes, then
frames of a flag byte, a length of one byte or eight, and a body. So what it tells is what was on the wire.
"""

from __future__ import annotations

import json
import selectors
import socket
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

GREETING = 64
MORE, LONG, COMMAND = 1, 2, 4
GLANCE_S = 0.1


class Way:
    """One connection, and the bytes that came down it."""

    def __init__(self, port: str, client: socket.socket, server: socket.socket) -> None:
        self.port = port
        self.ends = {client: server, server: client}
        self.server = server
        self.down = bytearray()

    def messages(self) -> Iterator[list[bytes]]:
        """Every whole message that came down, as its frames."""
        data, at = bytes(self.down), GREETING
        frames: list[bytes] = []
        while at + 2 <= len(data):
            flags = data[at]
            size = 8 if flags & LONG else 1
            length = int.from_bytes(data[at + 1 : at + 1 + size])
            at += 1 + size
            body, at = data[at : at + length], at + length
            if at > len(data):
                return
            if flags & COMMAND:
                continue
            frames.append(body)
            if not flags & MORE:
                yield frames
                frames = []


class Relay:
    """Stands before the server whose door is at `door`; `port` is its own door. Ends with its `with` block."""

    host = "127.0.0.1"

    def __init__(self, door: int) -> None:
        self._doors = {"door": door, "play": door + 1, "watch": door + 2}
        self._listeners = {port: socket.create_server((self.host, 0)) for port in self._doors}
        self.ways: list[Way] = []
        self._by_end: dict[socket.socket, Way] = {}
        self._selector = selectors.DefaultSelector()
        for port, listener in self._listeners.items():
            self._selector.register(listener, selectors.EVENT_READ, port)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)

    @property
    def address(self) -> str:
        """What a client is given instead of the server's own."""
        return f"{self.host}:{self._port('door')}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join()
        for end in [*self._listeners.values(), *self._by_end]:
            end.close()
        self._selector.close()

    def _port(self, name: str) -> int:
        return int(self._listeners[name].getsockname()[1])

    def _run(self) -> None:
        while not self._ending.is_set():
            for key, _ in self._selector.select(GLANCE_S):
                end = key.fileobj
                assert isinstance(end, socket.socket)
                if key.data:
                    self._meet(key.data, end)
                else:
                    self._pass_on(end)

    def _meet(self, port: str, listener: socket.socket) -> None:
        client, _ = listener.accept()
        server = socket.create_connection((self.host, self._doors[port]))
        if port == "door":
            with client, server, server.makefile("rb") as said:
                line = json.loads(said.readline())
                line |= {name: self._port(name) for name in ("play", "watch")}
                client.sendall(json.dumps(line).encode() + b"\n")
            return
        way = Way(port, client, server)
        self.ways.append(way)
        for end in way.ends:
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._by_end[end] = way
            self._selector.register(end, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        way = self._by_end.get(end)
        if way is None:
            return  # both ends had something, and the other one's was the end of both
        try:
            data = end.recv(1 << 16)
            way.ends[end].sendall(data)
        except OSError:
            data = b""
        if end is way.server:
            way.down += data
        if not data:
            for one in way.ends:
                self._selector.unregister(one)
                del self._by_end[one]
                one.close()
