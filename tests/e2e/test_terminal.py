"""The interactive client in a terminal: played by keys, resized, killed; the terminal is as before every time."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e.terminal import Terminal

from processes import BIN, Programs, Server

# The own draw pile's line is the last that says "draw".
_DRAW = re.compile(r"draw\D*(\d+)")


@contextmanager
def at_the_table(server: Server, home: Path, *options: str, **env: str) -> Iterator[Terminal]:
    """A person's terminal with the client in it, as soon as the person has cards."""
    command = [str(BIN / "speed-client"), server.address, "--name", "anna", "--bot", "1", "--ready", *options]
    with Terminal(command, {"SPEED_HOME": str(home), **env}) as terminal:
        terminal.until(lambda: "1-5 play" in terminal.shown, "table on the screen")
        yield terminal


def own_draw_pile(terminal: Terminal) -> int | None:
    """How many cards the screen says are in the own draw pile."""
    counts = _DRAW.findall(terminal.shown)
    return int(counts[-1]) if counts else None


@pytest.fixture
def server(programs: Programs) -> Server:
    return programs.server("--countdown", "0")


def play_one(terminal: Terminal) -> None:
    """Try every card until one has gone."""
    before = own_draw_pile(terminal)
    assert before is not None

    def played() -> bool:
        now = own_draw_pile(terminal)
        if now is not None and now < before:
            return True
        terminal.press("12345")
        return False

    terminal.until(played, "card played by a key")


def test_a_deal_is_played_by_keys_and_left(server: Server, tmp_path: Path) -> None:
    with at_the_table(server, tmp_path) as terminal:
        play_one(terminal)
        play_one(terminal)
        terminal.press("\x03")
        terminal.until(lambda: "leave" in terminal.shown.lower(), "question whether to leave")
        terminal.press("y")
        assert terminal.end() == 0
        terminal.assert_restored()


def test_a_window_of_one_cell_and_back(server: Server, tmp_path: Path) -> None:
    with at_the_table(server, tmp_path) as terminal:
        for columns, rows in [(40, 12), (1, 1), (200, 60), (10, 3), (80, 24)]:
            terminal.resize(columns, rows)
        terminal.until(lambda: own_draw_pile(terminal) is not None, "table after the window was small")
        play_one(terminal)


def test_a_window_dragged_about_writes_nothing_but_tables(server: Server, tmp_path: Path) -> None:
    with at_the_table(server, tmp_path) as terminal:
        before = len(terminal.written)
        for step in range(2_000):
            terminal.resize(80 + step % 40, 24 + step % 9)
        terminal.resize(80, 24)
        play_one(terminal)
        said = terminal.written[before:]
        assert b"Exception" not in said
        assert said.count(b"\x1b[2J") < 2_000


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(server: Server, tmp_path: Path, ending: signal.Signals) -> None:
    with at_the_table(server, tmp_path) as terminal:
        terminal.process.send_signal(ending)
        if ending == signal.SIGINT:
            terminal.until(lambda: "leave" in terminal.shown.lower(), "question whether to leave")
            terminal.press("y")
        terminal.end()
        terminal.assert_restored()


def test_a_killed_server_is_seen_and_the_terminal_given_back(server: Server, tmp_path: Path) -> None:
    with at_the_table(server, tmp_path) as terminal:
        server.process.kill()
        terminal.until(lambda: "no link" in terminal.shown.lower(), "word that the link is gone")
        terminal.process.send_signal(signal.SIGTERM)
        terminal.end()
        terminal.assert_restored()


def test_a_server_that_stops_says_so(server: Server, tmp_path: Path) -> None:
    with at_the_table(server, tmp_path) as terminal:
        server.process.terminate()
        terminal.until(lambda: "stopp" in terminal.shown.lower(), "word that the server stops")
        if terminal.process.poll() is None:
            terminal.process.send_signal(signal.SIGTERM)
        terminal.end()
        terminal.assert_restored()


def test_a_dumb_terminal_gets_lines(server: Server, tmp_path: Path) -> None:
    command = [str(BIN / "speed-client"), server.address, "--bot", "1", "--ready"]
    with Terminal(command, {"SPEED_HOME": str(tmp_path), "TERM": "dumb"}) as terminal:
        terminal.until(lambda: "hand" in terminal.shown.lower(), "hand in words")
        assert b"\x1b" not in terminal.written


def test_no_colour_is_still_a_table(server: Server, tmp_path: Path) -> None:
    with at_the_table(server, tmp_path, NO_COLOR="1") as terminal:
        assert not re.search(rb"\x1b\[[\d;]*(?:3|4)[0-8][;m]", terminal.written)


def test_a_latin_terminal_gets_ascii_cards(server: Server, tmp_path: Path) -> None:
    with at_the_table(server, tmp_path, PYTHONIOENCODING="latin-1") as terminal:
        assert terminal.shown.isascii()


def test_a_fault_while_playing_is_told_at_the_end_and_the_terminal_given_back(server: Server, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from speed_client.player import Player\n"
        "def play(*_): raise ValueError('planted')\n"
        "Player.play = play\n"
        "from speed_client.__main__ import main\n"
        "sys.exit(main())"
    )
    command = [sys.executable, "-c", code, server.address, "--bot", "1", "--ready"]
    with Terminal(command, {"SPEED_HOME": str(tmp_path)}) as terminal:
        terminal.until(lambda: "1-5 play" in terminal.shown, "table on the screen")
        terminal.press("1?")
        terminal.until(lambda: "KEYS" in terminal.shown, "help after the fault")
        terminal.process.send_signal(signal.SIGTERM)
        terminal.end()
        assert b"planted" in terminal.written
        terminal.assert_restored()
