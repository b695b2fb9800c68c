"""The scripts that a newcomer runs first. They use the environment that these tests run in."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.terminal import Terminal

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    Path(sys.prefix) != ROOT / ".venv" or not list((ROOT / ".venv").glob(".installed-*")),
    reason="the scripts would install into .venv: run scripts/setup first, and these tests in it",
)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """A script without a terminal."""
    return subprocess.run(
        [str(ROOT / "scripts" / command[0]), *command[1:]],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def processes_of(folder: str) -> list[str]:
    """The command lines of what still runs with this folder in it (Linux; empty elsewhere)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(word.startswith(folder) for word in words):
            found.append(" ".join(words))
    return found


def test_play_without_a_terminal_plays_a_match() -> None:
    ended = run("play")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1].startswith("result: ")


def test_the_demonstration_compares_what_all_saw() -> None:
    ended = run("demo", "--headless")
    assert ended.returncode == 0, ended.stderr
    assert "the spectator's last state is the players'" in ended.stdout


@pytest.mark.parametrize("ending", ["leave", "hang up"])
def test_play_in_a_terminal_shows_a_table_and_leaves_nothing(tmp_path: Path, ending: str) -> None:
    kept, passing = tmp_path / "kept", tmp_path / "passing"
    passing.mkdir()
    home = {"SPEED_HOME": str(kept), "TMPDIR": str(passing)}
    with Terminal([str(ROOT / "scripts" / "play")], home) as terminal:
        terminal.until(lambda: "LESSON" in terminal.shown, "lesson before the first practice")
        terminal.press("\x1b")
        if ending == "leave":
            terminal.until(lambda: "Esc menu" in terminal.shown and "bot-3" in terminal.shown, "table")
            terminal.press(" ")
            terminal.until(lambda: "1-5 play" in terminal.shown, "cards on the screen")
            terminal.press("\x03")
            terminal.until(lambda: "leave" in terminal.shown.lower(), "question whether to leave")
            terminal.press("y")
            assert terminal.end() == 0
        else:
            terminal.until(lambda: "bot-3" in terminal.shown, "table")
            terminal.hang_up(signal.SIGHUP)
            terminal.end()
        terminal.assert_restored()
    assert list(passing.iterdir()) == []


def test_the_demonstration_in_a_terminal_is_the_spectators_screen(tmp_path: Path) -> None:
    with Terminal([str(ROOT / "scripts" / "demo")], {"TMPDIR": str(tmp_path)}) as terminal:
        terminal.until(lambda: "WATCHING" in terminal.shown, "list of tables")
        terminal.hang_up(signal.SIGHUP)
        terminal.end()
        terminal.assert_restored()
    assert processes_of(str(tmp_path)) == []


def test_a_small_house_under_load_is_measured() -> None:
    loaded = run("load", "--tables", "10", "--watchers", "4", "--minutes", "0.1", "--attack", "silent", "--json")
    found = json.loads(loaded.stdout)
    assert loaded.stderr == ""
    assert found["alive"]
    assert found["plays"] > 0
    assert found["ticks"] > 0
    assert found["watchers"] | {"messages": 0} == {"watchers": 4, "saw_nothing": 0, "messages": 0, "gaps": 0}
    assert found["attack"]["sent"] > 0
    assert found["connections"] >= 2 * 8 + 4
