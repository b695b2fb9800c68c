"""Whole programs around one table, driven from outside as a person or a shell would: a server, players, watchers.

The demonstration, the headless match and the end-to-end tests play through this: real processes and real sockets, by
command lines, standard streams and the client's JSON interface. Nothing of the game is imported here, so whatever can
be done here can be done by anybody's own program.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

Told: TypeAlias = dict[str, Any]

BIN = Path(sys.executable).parent
PATIENCE_S = 20.0
ENDING_S = 5.0
# A program can have said its last word a moment before it has ended.
GLANCE_S = 0.1
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class Program:
    """A running program: what it says line by line, what it complained of, how it ended."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, *, hears: bool = True) -> None:
        """Start `command`. Its profile and the record of its complaints are in `folder`.

        Without `hears` its standard input is closed from the start.
        """
        self.name = name
        self.home = folder / f"{name}.home"
        self.lines: list[str] = []
        self._rest = b""
        self._complaints = folder / f"{name}.err"
        with self._complaints.open("ab") as complaints:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE if hears else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
                cwd=folder,
                env=os.environ | {"SPEED_HOME": str(self.home)},
            )

    @property
    def complaints(self) -> str:
        """All that it wrote to standard error."""
        return self._complaints.read_text()

    @property
    def ended(self) -> bool:
        """Whether it is no longer running."""
        return self.process.poll() is not None

    def fileno(self) -> int:
        """The descriptor of its standard output, so that a selector can wait for it."""
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def say(self, line: str) -> None:
        """Write a line to its standard input. A program that has gone hears nothing more, and that is no error here."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()

    def listen(self) -> bool:
        """Take in what it has said since; false when it will say nothing more."""
        data = os.read(self.fileno(), 1 << 16)
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            text = line.decode()
            self.lines.append(text)
            self.heard(text)
        return bool(data)

    def heard(self, line: str) -> None:
        """Act on one line of its output. A plain program's lines are only kept."""

    def end(self, signal: int | None = None) -> int:
        """Send a signal, or none to one that is about to end by itself; its exit code (-N: ended by signal N).

        Raises `TimeoutExpired` when it is still there after `ENDING_S`.
        """
        if signal is not None:
            self.process.send_signal(signal)
        return self.process.wait(ENDING_S)

    def close(self) -> None:
        """End it however it can be ended."""
        if not self.ended:
            self.process.terminate()
            try:
                self.process.wait(ENDING_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


class Server(Program):
    """A server, and where it says that it listens."""

    def __init__(self, host: str, options: Sequence[str], folder: Path, inside: Sequence[str], *, hears: bool) -> None:
        self.host = host
        self.port = 0
        self.data = folder / "server"
        command = [str(BIN / "speed-server"), "--host", host, "--port", "0", "--data", str(self.data), *options]
        super().__init__("server", [*inside, *command], folder, hears=hears)

    @property
    def address(self) -> str:
        """What a client is given: host and port."""
        return f"{self.host}:{self.port}"

    def heard(self, line: str) -> None:
        """Find the port of the door."""
        if found := re.match(r"ports: door (\d+)", line):
            self.port = int(found[1])


class JsonClient(Program):
    """A client in JSON mode: everything that it was told, and the table as it knows it now."""

    def __init__(self, name: str, server: Server, options: Sequence[str], folder: Path, inside: Sequence[str]) -> None:
        self.told: list[Told] = []
        self.room: Told = {}
        self.state: Told = {}
        self.public: dict[int, Told] = {}
        command = [str(BIN / "speed-client"), server.address, "--json", *options]
        super().__init__(name, [*inside, *command], folder)

    def heard(self, line: str) -> None:
        """Take in one thing that it was told."""
        told: Told = json.loads(line)
        self.told.append(told)
        if told["type"] == "room":
            self.room = told
        if state := told.get("state"):
            self.state = state
            self.public[state["revision"]] = {key: value for key, value in state.items() if key != "hand"}

    def of_type(self, kind: str) -> list[Told]:
        """All that it was told of one kind."""
        return [told for told in self.told if told["type"] == kind]

    @property
    def links(self) -> list[str]:
        """The states of the link that it was told of, oldest first."""
        return [told["link"] for told in self.of_type("link")]

    def ask(self, **request: object) -> None:
        """Send one request, as `ask(play=0, pile=None)`."""
        self.say(json.dumps(request))


class Player(JsonClient):
    """A player on the JSON interface who lays the first card that fits, as soon as it does, while `eager`.

    One play is under way at a time: the next waits for the answer.
    """

    def __init__(self, name: str, server: Server, options: Sequence[str], folder: Path, inside: Sequence[str]) -> None:
        self.eager = True
        self._under_way = False
        super().__init__(name, server, ["--name", name, *options], folder, inside)

    @property
    def seat(self) -> int | None:
        """The own seat; None before there is one."""
        seat: int | None = self.room.get("you")
        return seat

    @property
    def is_playing(self) -> bool:
        """Whether the deal is on and its cards are turned."""
        return self.state.get("phase") in {"playing", "stuck"} and not self.room.get("paused_until_ns")

    @property
    def cards_left(self) -> int:
        """How many cards the player still holds."""
        left: int = self.state["left"][self.seat]
        return left

    @property
    def result(self) -> Told | None:
        """How the last deal ended; None while one is on."""
        result: Told | None = self.room.get("result")
        return result

    def heard(self, line: str) -> None:
        """Take it in, and play."""
        super().heard(line)
        told = self.told[-1]
        answered = told["type"] in {"room", "refused", "error"}
        if answered or (told["type"] == "played" and told["seat"] == self.seat):
            self._under_way = False
        self.act()

    def act(self) -> None:
        """Lay a card if one fits."""
        if self.eager and self.is_playing and not self._under_way and not self.ended:
            for slot, pile in self._fitting():
                self._under_way = True
                self.ask(play=slot, pile=pile)
                return

    def _fitting(self) -> Iterator[tuple[int, int]]:
        for slot, card in enumerate(self.state["hand"]):
            for pile, top in enumerate(self.state["tops"]):
                if card and (RANKS.index(card[:-1]) - RANKS.index(top[:-1])) % len(RANKS) in {1, len(RANKS) - 1}:
                    yield slot, pile


Kind = TypeVar("Kind", bound=Program)


class Programs:
    """All programs of one evening. Leaving the `with` block ends every one of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._all: list[Program] = []
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for program in reversed(self._all):
            program.close()
        self._selector.close()

    def add(self, program: Kind) -> Kind:
        """Listen to a program from now on, and end it at the end."""
        self._all.append(program)
        self._selector.register(program, selectors.EVENT_READ)
        return program

    def server(self, *options: str, host: str = "127.0.0.1", inside: Sequence[str] = (), hears: bool = True) -> Server:
        """A server on free ports that is ready for players. `inside` goes before the command."""
        server = self.add(Server(host, options, self.folder, inside, hears=hears))
        self.until(lambda: server.port or server.ended, "port of the server")
        assert not server.ended, server.complaints
        return server

    def player(self, name: str, server: Server, *options: str, inside: Sequence[str] = ()) -> Player:
        """A player who sits down at once."""
        return self.add(Player(name, server, options, self.folder, inside))

    def watcher(self, server: Server, *options: str, inside: Sequence[str] = ()) -> JsonClient:
        """A spectator of all tables, as soon as it is told of them."""
        watcher = self.add(JsonClient("watcher", server, ["--watch", *options], self.folder, inside))
        self.until(lambda: watcher.of_type("lobby"), "list of tables for the watcher")
        return watcher

    def until(self, done: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
        """Listen to all of them until `done()` is true.

        Raises `TimeoutError` with what everybody said last when that takes longer than `patience_s` seconds.
        """
        deadline = time.monotonic() + patience_s
        while not done():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no {what} within {patience_s} s\n{self._last_words()}")
            for key, _ in self._selector.select(min(left, GLANCE_S)):
                program = key.fileobj
                assert isinstance(program, Program)
                if not program.listen():
                    self._selector.unregister(program)

    def _last_words(self) -> str:
        said = []
        for program in self._all:
            said.append(f"--- {program.name} (exit code {program.process.poll()})")
            said.extend(program.lines[-8:])
            said.extend(program.complaints.splitlines()[-8:])
        return "\n".join(said)
