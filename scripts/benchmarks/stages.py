"""A server in a process of its own and the load's link to it, for each of the exchanges that are compared."""

from __future__ import annotations

import json
import re
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import plain_servers
from benchmarks.children import Child, running
from benchmarks.game_link import GameLink, pack_play
from benchmarks.links import Link, PlainZmqLink, TcpLink
from benchmarks.measure import Cores, resident_kib
from benchmarks.score import DEAL_NUMBER, Score
from speed_common import wire
from speed_common.cards import HIDDEN
from speed_common.events import Played

FLOOR: Final = "tcp"
GAME: Final = "game"
FAIR: Final = "game, fair"
"""The same server with the full fair order: plays are held and shown to all at once."""
KINDS: Final = (FLOOR, "zmq", "curve", GAME)
_ORDERS: Final = {GAME: "off", FAIR: "full"}

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GAME_TOLD: Final = re.compile(r"speed-client \S+:(\d+)\s")
_PLAIN_TOLD: Final = re.compile(r"(\d+) ?(\S*)\n")
DOOR_S: Final = 3.0


class Sizes(NamedTuple):
    """Bytes of a play and of the delta that tells of it; the plain exchanges send as much."""

    up: int
    down: int


class Stage(NamedTuple):
    """A running server's process, its memory before anybody came, and the link to it."""

    pid: int
    empty_kib: int
    link: Link


def game_sizes() -> Sizes:
    """The sizes of a message in the middle of an evening."""
    revision, tick, at = 2_000, 100_000, 20_000_000
    up = pack_play(bytes(wire.TICKET_BYTES), 100, 30, 1, revision, 10**12)
    delta = wire.Delta(revision, tick, (Played(at, 1, 3, 30, 1, HIDDEN),))
    return Sizes(len(up), len(wire.encode(delta)))


def deal_code(number: int) -> str:
    """The six characters that name a deal on the command line."""
    code = ""
    for _ in range(6):
        number, digit = divmod(number, 36)
        code = _DIGITS[digit] + code
    return code


def game_command(folder: Path, fairness: str, extra: Sequence[str]) -> list[str]:
    """The command that starts the real server without any waits, and with the same deal always."""
    options = ["--host", "127.0.0.1", "--port", "0", "--data", str(folder / "data"), "--fairness", fairness]
    waits = ["--countdown", "0", "--gap", "0", "--flip-delay", "0", "--deal", deal_code(DEAL_NUMBER)]
    waits += ["--player-rate", "0"]
    return [sys.executable, "-m", "speed_server", *options, *waits, *extra]


class Theatre:
    """Starts stages: servers on their core, links from this process, each ended with its `with` block."""

    def __init__(self, cores: Cores, score: Score, extra: Sequence[str] = ()) -> None:
        self.sizes = game_sizes()
        self._cores = cores
        self._score = score
        self._extra = extra

    @contextmanager
    def stage(self, kind: str, tables: int) -> Iterator[Stage]:
        """A server of this kind with two players at each of `tables` tables, before the first deal."""
        with tempfile.TemporaryDirectory(prefix="speed-bench-") as name:
            folder = Path(name)
            if kind in _ORDERS:
                command, told = game_command(folder, _ORDERS[kind], self._extra), _GAME_TOLD
            else:
                command = [sys.executable, str(plain_servers.__file__), kind, *map(str, self.sizes)]
                told = _PLAIN_TOLD
            with running(command, folder, self._cores.server, told) as child:
                empty_kib = resident_kib(child.pid)
                with closing(self._connect(kind, child, tables)) as link:
                    yield Stage(child.pid, empty_kib, link)

    def _connect(self, kind: str, child: Child, tables: int) -> Link:
        port = int(child.said[1])
        if kind in _ORDERS:
            return GameLink(tables, self._score, *_read_door(port))
        if kind == FLOOR:
            return TcpLink(tables, self._score, port, *self.sizes)
        return PlainZmqLink(tables, self._score, port, child.said[2].encode(), self.sizes.up)


def _read_door(port: int) -> tuple[int, bytes]:
    with socket.create_connection(("127.0.0.1", port), DOOR_S) as visitor, visitor.makefile("rb") as said:
        line = json.loads(said.readline())
    return line["play"], line["key"].encode()
