"""Without a host: the list of servers, a server's tables, a seat, and back again."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from tests.e2e.terminal import Terminal

from processes import BIN, Programs

CLIENT = str(BIN / "speed-client")


def test_from_the_list_to_a_table_and_back(programs: Programs, tmp_path: Path) -> None:
    server = programs.server("--countdown", "0", "--name", "the club")
    home = tmp_path / "home"
    env = {**os.environ, "SPEED_HOME": str(home)}
    # A server on loopback is announced to nobody; one that was joined before is remembered.
    visit = [CLIENT, server.address, "--plain"]
    subprocess.run(visit, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=20, env=env)
    with Terminal([CLIENT, "--name", "anna"], {"SPEED_HOME": str(home)}) as terminal:
        terminal.until(lambda: "the club" in terminal.shown and " ms" in terminal.shown, "server in the list")
        terminal.press("\r")
        terminal.until(lambda: "0 tables" in terminal.shown, "lobby")
        terminal.press("n")
        terminal.until(lambda: "NEW TABLE" in terminal.shown, "form")
        terminal.press("jl")
        terminal.until(lambda: "computer of speed 1" in terminal.shown, "computer in the second seat")
        terminal.press("\r")
        terminal.until(lambda: "TABLE 1" in terminal.shown and "bot-1" in terminal.shown, "table")
        terminal.press("\x03")
        terminal.until(lambda: "the club" in terminal.shown and "any" in terminal.shown, "lobby again")
        terminal.press("\x7f")
        terminal.until(lambda: "servers in this network" in terminal.shown, "list again")
        terminal.press("\x7f")
        assert terminal.end() == 0
        terminal.assert_restored()


@pytest.mark.parametrize(("key", "inside"), [("\r", "0 tables"), ("w", "no table")])
def test_a_closed_server_asks_for_its_passcode_until_it_is_right(
    programs: Programs, tmp_path: Path, key: str, inside: str
) -> None:
    server = programs.server("--name", "the club", "--passcode", "green frog")
    env = {"SPEED_HOME": str(tmp_path / "home")}
    # A server on loopback is announced to nobody; one that was joined before is remembered.
    visit = [CLIENT, server.address, "--plain", "--passcode", "green frog"]
    subprocess.run(
        visit, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=20, env={**os.environ, **env}
    )
    for kept in (tmp_path / "home").rglob("*pass*"):
        kept.unlink()
    with Terminal([CLIENT, "--name", "anna"], env) as terminal:
        terminal.until(lambda: "the club" in terminal.shown and " ms" in terminal.shown, "server in the list")
        terminal.press(key)
        terminal.until(lambda: "passcode: _ · 'the club'" in terminal.shown, "question")
        terminal.press("blue frog\r")
        terminal.until(lambda: "did not take this" in " ".join(terminal.shown.split()), "refusal")
        terminal.press("\x7f" if key == "w" else "")
        terminal.until(lambda: "passcode: _" in terminal.shown, "question again")
        assert "frog" not in terminal.shown
        terminal.press("green frog\r")
        terminal.until(lambda: inside in terminal.shown, "inside")
        terminal.press("\x7f")
        terminal.until(lambda: "servers in this network" in terminal.shown, "list again")
        terminal.press("\x7f")
        assert terminal.end() == 0


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_list_and_gives_the_terminal_back(tmp_path: Path, ending: signal.Signals) -> None:
    with Terminal([CLIENT], {"SPEED_HOME": str(tmp_path)}) as terminal:
        terminal.until(lambda: "no server was found" in terminal.shown or " ms" in terminal.shown, "end of the search")
        terminal.process.send_signal(ending)
        assert terminal.end() == 0
        terminal.assert_restored()


def test_without_a_terminal_and_without_a_host_it_says_what_to_type(tmp_path: Path) -> None:
    env = {**os.environ, "SPEED_HOME": str(tmp_path)}
    ended = subprocess.run([CLIENT], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=env)
    assert ended.returncode == 2
    assert "speed-client HOST" in ended.stderr
    assert ended.stderr.count("\n") == 1
