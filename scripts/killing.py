"""A live tournament whose server is killed at random moments: what `scripts/soak --kill N` runs.

Real programs and real sockets: a server, computer players of level 10 in a double elimination at four tables, and a
spectator. Whatever the spectator was told must be in the log at the end, no clock may have run out while the server was
down, and after each kill somebody must be playing again soon.
"""

from __future__ import annotations

import random
import signal
import socket
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from processes import BIN, JsonClient, Program, Programs, Server
from speed_server.journal_file import read_chain
from speed_server.tournament import events as ev
from speed_server.tournament.entries import Entry

TID: Final = "soak"
SETTINGS: Final = (
    "new Soak",
    "set format double",
    "set match 1",
    "set tables 4",
    "set rest 0s",
    "set cooling 0s",
)
BACK_S: Final = 3.0
"""How long after a kill somebody must be playing again."""

PATIENCE_S: Final = 900.0
_LATEST_KILL_S: Final = 30.0
"""Longer than a deal takes: else none would ever be over."""


class _Fixed(Server):
    """A server on a port that it gets again after each start."""

    def __init__(self, port: int, folder: Path) -> None:
        self.host, self.port, self.data = "127.0.0.1", 0, folder / "server"
        command = [str(BIN / "speed-server"), "--host", self.host, "--port", str(port), "--data", str(self.data)]
        Program.__init__(self, "server", [*command, "--no-announce", "--countdown", "1"], folder, hears=False)


class Evening:
    """The tournament, and what the spectator was told of it."""

    def __init__(self, programs: Programs, players: int) -> None:
        self.programs = programs
        self.port = _free_ports()
        self.server = self._start()
        self.announced: dict[tuple[Any, ...], float] = {}
        self.back_s: list[float] = []
        self._told = 0
        self._phase = ""
        self._playing_at = 0.0
        self._direct(*SETTINGS)
        address = self.server.address
        bots = [str(BIN / "speed-bot"), address, "--speed", "10", "--count", str(players), "--tournament", TID]
        self.bots = programs.add(Program("bots", bots, programs.folder, hears=False))
        self.watcher = programs.add(JsonClient("watcher", self.server, ["--watch"], programs.folder, ()))
        self._until(lambda: self._entered() == players, "every player in the tournament")
        self._direct("draw", "start")

    def kill(self, dice: random.Random) -> None:
        """Let it be played for a while, kill the server and start it again."""
        self._until(lambda: self._playing_at > 0, "match being played")
        moment = time.monotonic() + dice.uniform(0.2, _LATEST_KILL_S)
        self._until(lambda: time.monotonic() >= moment or self.over, "moment to kill")
        if self.over:
            return
        self.server.end(signal.SIGKILL)
        killed = time.monotonic()
        self._playing_at = 0.0
        self._told = len(self.watcher.told)
        self.server = self._start()
        self._until(lambda: self._playing_at > 0 or self.over, "match being played again")
        self.back_s.append(time.monotonic() - killed)

    def finish(self) -> None:
        """Let it be played to its end, and stop the server in order."""
        self._until(lambda: self.over, "end of the tournament")
        self.server.end(signal.SIGTERM)

    @property
    def over(self) -> bool:
        """Whether the spectator knows that it is."""
        self._listen()
        return self._phase == "finished"

    def _start(self) -> Server:
        server = self.programs.add(_Fixed(self.port, self.programs.folder))
        self.programs.until(lambda: server.port or server.ended, "port of the server")
        if server.ended:
            raise RuntimeError(f"the server does not start: {server.complaints}")
        return server

    def _direct(self, *lines: str) -> None:
        secret = str(self.server.data / "director")
        director = self.programs.add(
            Program(
                "director", [str(BIN / "speed-client"), self.server.address, "--direct", secret], self.programs.folder
            )
        )
        for line in lines:
            director.say(line)
        assert director.process.stdin is not None
        director.process.stdin.close()
        self.programs.until(lambda: director.ended, "answer to the director")

    def _entered(self) -> int:
        boards = self.watcher.of_type("board")
        return sum(bool(name) for name in boards[-1]["players"]) if boards else 0

    def _until(self, done: Any, what: str) -> None:
        def looked() -> object:
            self._listen()
            return done()

        self.programs.until(looked, what, PATIENCE_S)

    def _listen(self) -> None:
        for told in self.watcher.told[self._told :]:
            if told["type"] == "board":
                self._phase = told["phase"]
                if any(table["status"] == "playing" for table in told["tables"]):
                    self._playing_at = time.monotonic()
            elif told["type"] == "board_page":
                for match in told["matches"]:
                    if match["kind"]:
                        key = (match["match"], match["kind"], match["winner"], match["score_a"], match["score_b"])
                        self.announced.setdefault(key, time.monotonic())
        self._told = len(self.watcher.told)


def soak_kills(kills: int, seed: int, players: int = 16) -> tuple[dict[str, Any], str]:
    """Kill a tournament's server so often; what was found as an object and in words."""
    dice = random.Random(seed)  # noqa: S311  # no secret
    with tempfile.TemporaryDirectory(prefix="speed-kill-") as folder, Programs(Path(folder)) as programs:
        evening = Evening(programs, players)
        for number in range(kills):
            evening.kill(dice)
            print(
                f"\r{number + 1}/{kills} kills, {len(evening.announced)} results", end="", file=sys.stderr, flush=True
            )
        evening.finish()
        entries = _log(evening.server.data / "tournaments.db")
    finished = {_key(event) for event in (entry.event for entry in entries) if isinstance(event, ev.MatchFinished)}
    lost = sorted(key for key in evening.announced if key not in finished)
    expired = sorted(key for key in finished if "walkover" in key[1])
    starts = sum(entry.kind == "server_started" for entry in entries)
    slow = [round(back, 2) for back in evening.back_s if back > BACK_S]
    found = {
        "ok": not (lost or expired or slow) and starts >= len(evening.back_s),
        "kills": len(evening.back_s),
        "entries": len(entries),
        "announced": len(evening.announced),
        "lost": lost,
        "walkovers": expired,
        "back_s": [round(back, 2) for back in evening.back_s],
    }
    text = (
        f"\n{found['kills']} kills, {len(entries)} entries in one chain, {len(evening.announced)} results announced\n"
    )
    text += f"announced and lost: {lost or 'none'}; lost by a clock: {expired or 'none'}\n"
    worst = max(evening.back_s, default=0.0)
    text += f"playing again after {worst:.1f} s at most (allowed: {BACK_S:.0f} s)"
    return found, text


def _key(event: ev.MatchFinished) -> tuple[Any, ...]:
    return (event.match, event.result.kind, event.result.winner, *(event.result.score or (0, 0)))


def _log(path: Path) -> list[Entry]:
    with closing(sqlite3.connect(path)) as connection:
        return read_chain(connection, path)


def _free_ports() -> int:
    """The first of three ports in a row that are free now."""
    while True:
        with socket.socket() as one, socket.socket() as two, socket.socket() as three:
            one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
            try:
                two.bind(("127.0.0.1", port + 1))
                three.bind(("127.0.0.1", port + 2))
            except (OSError, OverflowError):
                continue
            return port
