"""A tournament's evening: a server, a director at a client, eight players on the JSON interface, and who watches.

`--headless`: what happens is printed as a spectator is told it, then the final standings; exit code 0 means that it
came to a champion. Without it the spectator's screen is shown in this terminal until it is left.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import BIN, Player, Program, Programs, Server, Told

NAMES = ("anna", "bob", "cho", "dev", "eva", "finn", "gus", "hana")
NAME = "friday-cup"
EVENING_S = 600.0
# Programs need no time to look; whoever watches them does.
BRISK = ("--countdown", "0", "--gap", "0.02", "--flip-delay", "0.05")
CALM = ("--countdown", "1", "--gap", "0.4", "--flip-delay", "0.5")


class Entrant(Player):
    """A player of the tournament: comes when he is called, plays, and knows when it is over."""

    def heard(self, line: str) -> None:
        """Play, and shorten the rest between two deals by being ready."""
        super().heard(line)
        if self.told[-1]["type"] == "room" and self.room["phase"] == "over" and self.room.get("match"):
            self.ask(ready=True)

    @property
    def stands(self) -> Told:
        """How he stands; empty before he was told."""
        told = self.of_type("mine")
        return told[-1] if told else {}

    @property
    def entered(self) -> bool:
        """Whether the tournament counts him."""
        return bool(self.stands.get("player"))

    @property
    def done(self) -> bool:
        """Whether no match is to come for him."""
        return self.entered and not self.stands["match"]


def direct(programs: Programs, server: Server, *lines: str) -> None:
    """Say these lines to the server as its director. Raises `AssertionError` when one is refused."""
    command = [str(BIN / "speed-client"), server.address, "--direct", str(server.data / "director")]
    director = programs.add(Program("director", command, programs.folder))
    for line in lines:
        director.say(line)
    assert director.process.stdin is not None
    director.process.stdin.close()
    programs.until(lambda: director.ended, "end of the director's lines")
    assert director.process.returncode == 0, [*director.lines, director.complaints]


def open_evening(programs: Programs, server: Server, match: str) -> list[Entrant]:
    """A double elimination at two tables, everybody in it, and the first matches called."""
    direct(
        programs,
        server,
        'new "Friday Cup"',
        "set format double",
        f"set match {match}",
        "set tables 2",
        "set rest 0",
    )
    options = ("--tournament", NAME, "--ready")
    players = [programs.add(Entrant(name, server, options, programs.folder, ())) for name in NAMES]
    programs.until(lambda: all(player.entered for player in players), "entry of everybody")
    direct(programs, server, "draw", "start")
    return players


def play_headless(programs: Programs) -> None:
    """Play it to the end, printing what a spectator in the line mode is told."""
    server = programs.server(*BRISK, "--no-announce")
    players = open_evening(programs, server, "bo1")
    command = [str(BIN / "speed-client"), server.address, "--watch", "--plain"]
    watcher = programs.add(Program("watcher", command, programs.folder))
    shown = 0

    def told() -> None:
        nonlocal shown
        for line in watcher.lines[shown:]:
            if line.startswith(("Friday Cup", "Note")) or " beats " in line or "without playing" in line:
                print(line, flush=True)
        shown = len(watcher.lines)

    def done() -> bool:
        told()
        return all(player.done for player in players)

    def over() -> bool:
        told()
        return any("champion" in line for line in watcher.lines)

    programs.until(done, "end of the last match", EVENING_S)
    direct(programs, server, "finish")
    programs.until(over, "champion")
    said = len(watcher.lines)
    watcher.say("standings")
    programs.until(lambda: len(watcher.lines) >= said + len(NAMES), "final standings")
    print("final standings:")
    for line in watcher.lines[said:]:
        print(f"  {line}")


def show(programs: Programs, options: list[str]) -> None:
    """Show the spectator's screen in this terminal while it runs."""
    server = programs.server(*CALM, "--no-announce")
    open_evening(programs, server, "25")
    screen = subprocess.Popen([str(BIN / "speed-client"), server.address, "--watch", *options])
    try:
        programs.until(lambda: screen.poll() is not None, "end of the screen", 24 * 3600.0)
    finally:
        screen.terminate()
        screen.wait()


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description="A tournament of programs.", allow_abbrev=False)
    parser.add_argument("--headless", action="store_true", help="print what happens instead of showing it")
    found, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="speed-") as folder, Programs(Path(folder)) as programs:
        if found.headless:
            play_headless(programs)
        else:
            show(programs, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
