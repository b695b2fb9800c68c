"""`scripts/lab --live`: races between two machines' worth of real clients on a real server, over emulated links."""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from lab_live.gates import check_live
from lab_live.judge import LOST, races
from lab_live.pressed import Pressed, Task
from lab_live.spaces import Spaces, why_not
from lab_sim.figures import Figures, as_dict, figures_of
from lab_sim.gates import COLUMNS
from lab_sim.world import MS, SECOND
from speed_common.codes import PEOPLE, format_code
from speed_common.fair_settings import PRESETS
from speed_common.presets import make_rules
from speed_common.record_read import Record, RecordError
from speed_common.verify import verify

TABLES: Final = 4
"""Played at the same time, so that races come quicker; with many more all would wait for the processor."""

MORE: Final = 1.25
"""Lost races in the records for each one that is wanted."""

LONGEST_S: Final = 900.0
_LOOK_S: Final = 2.0
_OFFSET_NS: Final = 1_000 * SECOND
_PPM: Final = 50.0
_TOLD: Final = re.compile(r"speed-client (\S+):(\d+)\s")
_MACHINES: Final = ("cable", "link")


class LiveError(Exception):
    """The lab could not run; the text says why."""


def main(links: list[str], wanted: int, seed: int, options: argparse.Namespace) -> int:
    """Run what was asked for. 0 when every gate holds, or when this machine cannot: then the reason is printed."""
    from lab_sim.app import show, show_gates  # noqa: PLC0415  # which gives the command line to this module

    reason = why_not()
    if reason:
        print(json.dumps({"skipped": reason}) if options.json else f"skipped: {reason}")
        return 0
    report: dict[str, Any] = {"seed": seed, "links": {}, "gates": {}}
    passed = True
    for link in links:
        try:
            figures, deals = run(link, wanted, seed, options.preset)
        except LiveError as error:
            sys.stderr.write(f"lab: {error}\n")
            return 1
        column = next((each for each in COLUMNS.values() if each.links == ("cable", link)), None)
        gates = [] if column is None else check_live(column, figures, PRESETS[options.preset].hold_cap_ns / MS)
        passed &= all(gate.passed for gate in gates)
        report["links"][f"cable/{link}"] = {"deals": deals, "reaction": as_dict(figures)}
        report["gates"][f"cable/{link}"] = [gate._asdict() for gate in gates]
        if not options.json:
            show(("cable", link), "live, reaction", figures)
            print(f"  {deals} deals, each record found right")
            show_gates(f"cable/{link}", gates)
    report["passed"] = passed
    print(json.dumps(report) if options.json else f"\n{'all gates met' if passed else 'NOT ALL GATES MET'}")
    return 0 if passed else 1


def run(link: str, wanted: int, seed: int, preset: str) -> tuple[Figures, int]:
    """The figures of some `wanted` races over a cable (seat 0) and `link` (seat 1), and how many deals were recorded.

    Raises `LiveError` when something does not start or no races come.
    """
    with tempfile.TemporaryDirectory(prefix="speed-lab-") as name:
        folder = Path(name)
        records = Records(folder / "records")
        written = _play(folder, records, link, wanted, seed, preset)
        found = races(records.read(), written)
    if not any(race.lone < 0 for race in found):
        raise LiveError("no race came about: look whether the server and the players still work")
    return figures_of(found), len(records.read())


def _play(folder: Path, records: Records, link: str, wanted: int, seed: int, preset: str) -> list[Pressed]:
    """Let both machines play until there are races enough; what their fingers did."""
    dice = random.Random(seed)  # noqa: S311  # clocks that are wrong, not secrets
    with Spaces() as spaces:
        for space in ("server", *_MACHINES):
            spaces.add(space)
        for number, (space, kind) in enumerate(zip(_MACHINES, ("cable", link), strict=True), 1):
            spaces.join("server", space, kind, f"198.19.{number}")
        port = _serve(spaces, folder, preset)
        codes = tuple(format_code(PEOPLE, make_rules(), dice.randrange(36**6)) for _ in range(TABLES))
        players = []
        for machine, space in enumerate(_MACHINES):
            offset, ppm = dice.randrange(-_OFFSET_NS, _OFFSET_NS), dice.uniform(-_PPM, _PPM)
            player = spaces.run(space, sys.executable, "-m", "lab_live.player", stdout=subprocess.PIPE)
            task = Task(f"198.19.{machine + 1}.1", port, machine, codes, seed, offset, ppm)
            assert player.stdin is not None
            player.stdin.write(msgspec.json.encode(task).decode() + "\n")
            player.stdin.flush()
            players.append(player)
        _wait(records, wanted, players)
        said = [player.communicate()[0] for player in players]
    return [msgspec.json.decode(line, type=Pressed) for text in said for line in text.splitlines()]


def _serve(spaces: Spaces, folder: Path, preset: str) -> int:
    """A server in its namespace; its door's port."""
    command = [
        sys.executable,
        "-m",
        "speed_server",
        "--data",
        str(folder / "data"),
        "--records",
        str(folder / "records"),
    ]
    command += ["--no-announce", "--countdown", "1", "--fairness", "full", "--fair-preset", preset, "--port", "0"]
    server = spaces.run("server", *command, stdout=subprocess.PIPE)
    assert server.stdout is not None
    for line in server.stdout:
        told = _TOLD.search(line)
        if told is not None:
            return int(told[2])
    raise LiveError("the server did not start")


def _wait(records: Records, wanted: int, players: list[subprocess.Popen[str]]) -> None:
    """Until the records hold races enough; they do not tell whether both fingers went for the same top."""
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end:
        time.sleep(_LOOK_S)
        if any(player.poll() is not None for player in players):
            raise LiveError("a player's process ended before its time")
        lost = sum(line.verdict in LOST for record in records.read() for line in record.lines)
        if lost >= wanted * MORE:
            return


class Records:
    """The records that a server has written, each found right once. Raises `LiveError` for one that is not."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._found: dict[Path, Record] = {}

    def read(self) -> list[Record]:
        """All of them up to now."""
        for path in sorted(self._folder.glob("*.jsonl")):
            if path not in self._found:
                try:
                    self._found[path] = verify(path.read_bytes())
                except RecordError as error:
                    raise LiveError(f"the record {path.name} is not right: {error}") from None
        return list(self._found.values())
