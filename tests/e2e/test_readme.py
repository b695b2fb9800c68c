"""What the README says is so: its pictures, its options, and the player that it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from headless import BRISK
from processes import BIN, Program, Programs

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
HEAVIEST = 40_000
PROGRAMS = ("speed-server", "speed-client", "speed-bot", "speed-sim", "speed-replay")
SCRIPTS = {
    "--headless",
    "--quick",
    "--mutants",
    "--fuzz",
    "--client",
    "--tables",
    "--watchers",
    "--minutes",
    "--attack",
}


def block(language: str, holds: str) -> str:
    """The first code block of a language that holds a text."""
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(found for found in blocks if holds in found)


def options_of(program: str) -> set[str]:
    """All options that a program's help names."""
    ended = subprocess.run([str(BIN / program), "--help"], capture_output=True, text=True, check=True, timeout=20)
    return set(OPTION.findall(ended.stdout))


def test_every_picture_is_there_and_none_is_heavy() -> None:
    shown = re.findall(r"!\[[^]]+\]\(([^)]+\.png)\)", README)
    assert "docs/pictures/table-80x24-dark.png" in shown
    assert all((ROOT / picture).read_bytes().startswith(b"\x89PNG") for picture in shown)
    assert all(picture.stat().st_size < HEAVIEST for picture in (ROOT / "docs" / "pictures").glob("*.png"))


def test_every_option_of_the_server_is_in_its_table() -> None:
    table = "\n".join(line for line in README.splitlines() if line.startswith("| `--"))
    assert options_of("speed-server") - {"--help", "--version"} == set(OPTION.findall(table))


def test_no_option_is_promised_that_no_program_has() -> None:
    known = set().union(*map(options_of, PROGRAMS)) | SCRIPTS
    assert set(OPTION.findall(README)) <= known


def test_the_printed_player_plays_and_asks_for_a_rematch(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is run as a reader would: `speed-client` on the path and the server's address as its argument."""
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    server = programs.server(*BRISK)
    printed = programs.folder / "robo.py"
    printed.write_text(block("python", "subprocess.Popen"), encoding="utf-8")
    robo = programs.add(Program("robo", [sys.executable, str(printed), server.address], programs.folder))
    bob = programs.player("bob", server, "--ready")
    programs.until(lambda: robo.lines, "result that the printed player prints", 60)
    bob.ask(rematch=True)
    programs.until(lambda: len(robo.lines) > 1, "result of the rematch", 60)
    assert "winner" in robo.lines[0]
    bob.ask(leave=True)
