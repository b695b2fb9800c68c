"""The load's end of an exchange: all players of many tables in one process, and cheap enough to load another core.

A `Link` has two players at each table, whose plays follow a score; the next play of a table waits until the one before
reached the other player. `arrived` collects (table, when) of every play that reached the other player, `free` the
tables whose next play may go out. Times are `perf_counter_ns`.
"""

from __future__ import annotations

import select
import socket
import time
from abc import ABC, abstractmethod
from collections import deque
from typing import ClassVar

from benchmarks.crowd import Crowd
from benchmarks.measure import NS_PER_S, BenchError
from benchmarks.score import Score

SETUP_S = 20.0
RECEIVE_BYTES = 4096
NOBODY = -1


class Link(ABC):
    """All players of `tables` tables. A player is number 2 * table + seat."""

    kind: ClassVar[str]

    def __init__(self, tables: int, score: Score) -> None:
        self.tables = tables
        self.score = score
        self.both = False
        """Whether both players of a table play at once where the score lets them."""
        self.arrived: list[tuple[int, int]] = []
        self.free: deque[int] = deque()
        self.down_bytes = 0
        """Payload of all deltas, to both players of a table."""

    @abstractmethod
    def play(self, table: int) -> int:
        """Send the next play, or with `both` the next two, of a table that was in `free`; when it went out."""

    @abstractmethod
    def wait(self, seconds: float) -> bool:
        """Wait until something came, at most so long; whether it did."""

    @abstractmethod
    def receive(self) -> None:
        """Take in all that came."""

    def tend(self, now: int) -> None:  # noqa: B027  # most have nothing to do
        """Send what is due besides plays: heartbeats. The plain exchanges have none."""

    @abstractmethod
    def close(self) -> None:
        """Close every connection."""

    def settle(self) -> None:
        """Receive until every table is free. Raises `BenchError` when that takes too long."""
        deadline = time.perf_counter_ns() + int(SETUP_S * NS_PER_S)
        while len(self.free) < self.tables:
            now = time.perf_counter_ns()
            if now > deadline:
                raise BenchError(f"{self.kind}: {self.tables - len(self.free)} of {self.tables} tables stand still")
            self.tend(now)
            if self.wait(0.05):
                self.receive()
        self.arrived.clear()


class PlainLink(Link):
    """A link to a server without a game: every play has the same bytes, every delta too."""

    def __init__(self, tables: int, score: Score, up: int) -> None:
        super().__init__(tables, score)
        self._message = bytes(up)
        self._at = [0] * tables
        # The first answer tells the second player of a table that both are known.
        self._listener = [2 * table + 1 for table in range(tables)]
        self._sent = [1] * tables
        self._flying = [1] * tables
        self._heard = [0] * (2 * tables)

    def play(self, table: int) -> int:
        """See `Link`."""
        steps, at = self.score.steps, self._at[table]
        step = steps[at]
        player = 2 * table + step.seat
        count = 2 if self.both and step.together else 1
        self._at[table] = (at + count) % len(steps)
        self._sent[table] += count
        self._flying[table] = count
        self._listener[table] = player ^ 1
        sent = time.perf_counter_ns()
        self.send(player, self._message)
        if count > 1:
            self.send(player ^ 1, self._message)
        return sent

    @abstractmethod
    def send(self, player: int, data: bytes) -> None:
        """Send a message of a player."""

    def join(self, player: int) -> None:
        """Say which table a player sits at."""
        self.send(player, (player >> 1).to_bytes(4).ljust(len(self._message), b"\0"))

    def count(self, player: int, messages: int) -> None:
        """So many deltas came to a player. A table is free again when its listener has heard all that was sent."""
        self._heard[player] += messages
        table = player >> 1
        if self._listener[table] == player and self._heard[player] == self._sent[table]:
            self._listener[table] = NOBODY
            self.arrived += [(table, time.perf_counter_ns())] * self._flying[table]
            self.free.append(table)


class TcpLink(PlainLink):
    """The floor: one TCP connection a player, messages of fixed size."""

    kind = "tcp"

    def __init__(self, tables: int, score: Score, port: int, up: int, down: int) -> None:
        super().__init__(tables, score, up)
        self._epoll = select.epoll()
        self._down = down
        self._half = [0] * (2 * tables)
        self._sockets = []
        self._player: dict[int, int] = {}
        for player in range(2 * tables):
            connection = socket.create_connection(("127.0.0.1", port), timeout=SETUP_S)
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._epoll.register(connection, select.EPOLLIN)
            self._sockets.append(connection)
            self._player[connection.fileno()] = player
            self.join(player)

    def send(self, player: int, data: bytes) -> None:
        """See `PlainLink`."""
        self._sockets[player].send(data)

    def wait(self, seconds: float) -> bool:
        """See `Link`."""
        return bool(select.select((self._epoll,), (), (), seconds)[0])

    def receive(self) -> None:
        """See `Link`."""
        for fd, _ in self._epoll.poll(0):
            player = self._player[fd]
            data = self._sockets[player].recv(RECEIVE_BYTES)
            if not data:
                raise BenchError("the TCP server closed a connection")
            self.down_bytes += len(data)
            messages, self._half[player] = divmod(self._half[player] + len(data), self._down)
            if messages:
                self.count(player, messages)

    def close(self) -> None:
        """See `Link`."""
        self._epoll.close()
        for connection in self._sockets:
            connection.close()


class PlainZmqLink(PlainLink):
    """The same exchange as the floor's over ZeroMQ, with CURVE when there is a key."""

    kind = "zmq"

    def __init__(self, tables: int, score: Score, port: int, key: bytes, up: int) -> None:
        super().__init__(tables, score, up)
        self._crowd = Crowd(2 * tables, port, key)
        for player in range(2 * tables):
            self.join(player)

    def send(self, player: int, data: bytes) -> None:
        """See `PlainLink`."""
        self._crowd.send(player, data)

    def wait(self, seconds: float) -> bool:
        """See `Link`."""
        return self._crowd.wait(seconds)

    def receive(self) -> None:
        """See `Link`."""
        self._crowd.receive(self._take)

    def close(self) -> None:
        """See `Link`."""
        self._crowd.close()

    def _take(self, player: int, data: bytes) -> None:
        self.down_bytes += len(data)
        self.count(player, 1)
