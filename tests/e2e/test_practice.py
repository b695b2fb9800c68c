"""Practice as a person sees it: one command, a lesson once, deals against a computer, and nothing left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e.terminal import PLAIN_ENVIRONMENT, Terminal

from processes import BIN

CLIENT = str(BIN / "speed-client")
PATIENCE_S = 20.0


@contextmanager
def practice(folder: Path, *options: str, taught: bool = True) -> Iterator[Terminal]:
    home, passing = folder / "home", folder / "passing"
    passing.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    if taught:
        (home / "practice.json").write_text('{"taught": true}')
    with Terminal([CLIENT, "--practice", *options], {"SPEED_HOME": str(home), "TMPDIR": str(passing)}) as terminal:
        yield terminal


def until_nothing_is_left(folder: Path) -> None:
    """The server removes its folder as the last thing that it does."""
    deadline = time.monotonic() + PATIENCE_S
    while list((folder / "passing").iterdir()):
        assert time.monotonic() < deadline, "the server of a practice was left behind"
        time.sleep(0.05)


def test_the_first_practice_begins_with_a_lesson_and_the_second_does_not(tmp_path: Path) -> None:
    with practice(tmp_path, taught=False) as terminal:
        terminal.until(lambda: "press 1" in terminal.shown, "first step of the lesson")
        terminal.press("1")
        terminal.until(lambda: "LESSON 2" in terminal.shown, "second step")
        terminal.press("\x1b")
        terminal.until(lambda: "bot-3" in terminal.shown, "table")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 0
        terminal.assert_restored()
    assert json.loads((tmp_path / "home" / "practice.json").read_text())["taught"] is True
    with practice(tmp_path, "2", taught=False) as terminal:
        terminal.until(lambda: "bot-2" in terminal.shown, "table")
        assert b"LESSON" not in terminal.written
    until_nothing_is_left(tmp_path)


def test_a_deal_by_code_is_played_by_keys_and_left(tmp_path: Path) -> None:
    with practice(tmp_path, "--code", "A01KX-1K9Z4Q") as terminal:
        terminal.until(lambda: "A01KX-1K9Z4Q" in terminal.shown, "code in the title")
        terminal.press(" ")
        terminal.until(lambda: "1-5 play" in terminal.shown, "cards")

        def played() -> bool:
            terminal.press("12345")
            counts = re.findall(r"draw\D*(\d+)", terminal.shown)
            return bool(counts) and int(counts[-1]) < 15

        terminal.until(played, "card played by a key")
        terminal.press("\x03")
        terminal.until(lambda: "LEAVE THIS DEAL" in terminal.shown, "question whether to leave")
        terminal.press("y")
        assert terminal.end() == 0
        terminal.assert_restored()
    assert list((tmp_path / "passing").iterdir()) == []


def test_a_client_that_is_killed_takes_its_server_with_it(tmp_path: Path) -> None:
    with practice(tmp_path) as terminal:
        terminal.until(lambda: "bot-3" in terminal.shown, "table")
        assert len(list((tmp_path / "passing").iterdir())) == 1
        terminal.process.kill()
        terminal.end()
    until_nothing_is_left(tmp_path)


def test_a_speed_that_is_not_open_says_what_opens_it(tmp_path: Path) -> None:
    ended = subprocess.run(
        [CLIENT, "--practice", "7", "--plain"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "SPEED_HOME": str(tmp_path)},
    )
    assert ended.returncode == 1
    assert ended.stderr == (
        "speed-client: speed 7 is not open yet: a win against speed 6 opens it (open now: 1 to 3)\n"
    )


@pytest.mark.parametrize("face", ["--plain", "--json"])
def test_practice_without_a_screen_tells_the_deal(tmp_path: Path, face: str) -> None:
    with subprocess.Popen(
        [CLIENT, "--practice", "1", face],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=PLAIN_ENVIRONMENT | {"SPEED_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said = ""
        while "bot-1" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        process.stdin.write('{"leave": true}\n' if face == "--json" else "leave\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == []
