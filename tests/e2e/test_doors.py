"""A closed server as people meet it: the line to type, the sentence for who has no passcode, and coming back."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from processes import BIN, Programs, Server

SOON_S = 3.0
STARTING_S = 3.0
"""What Python takes to start on a busy machine; the three seconds are the program's own."""


def client(home: Path, *words: str) -> tuple[int, str, float]:
    """Exit code, what was said on standard error, and how long it took."""
    began = time.monotonic()
    ended = subprocess.run(
        [str(BIN / "speed-client"), *words],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "SPEED_HOME": str(home)},
    )
    return ended.returncode, ended.stdout + ended.stderr, time.monotonic() - began


def printed_invite(server: Server) -> str:
    line = next(line for line in server.lines if "--invite" in line)
    return line.split("--invite ")[1]


@pytest.mark.parametrize("words", [["--json"], ["--plain"], ["--json", "--watch"]])
def test_a_closed_server_is_one_sentence_within_three_seconds(
    programs: Programs, tmp_path: Path, words: list[str]
) -> None:
    server = programs.server("--passcode", "green frog")
    code, said, took = client(tmp_path / "home", server.address, *words)
    assert code == 1
    assert "is closed: ask its host" in said
    assert said.count("\n") == 1
    assert took < SOON_S + STARTING_S


@pytest.mark.parametrize("words", [["--json"], ["--plain"], ["--json", "--watch"]])
def test_a_wrong_passcode_is_a_sentence_within_three_seconds(
    programs: Programs, tmp_path: Path, words: list[str]
) -> None:
    server = programs.server("--passcode", "green frog")
    code, said, took = client(tmp_path / "home", server.address, "--passcode", "blue frog", *words)
    assert code == 1
    assert "did not take this passcode" in said
    assert "Traceback" not in said
    assert took < SOON_S + STARTING_S


def test_the_sixth_guess_is_told_to_wait(programs: Programs, tmp_path: Path) -> None:
    server = programs.server("--passcode", "green frog")
    said = [client(tmp_path / "home", server.address, "--json", "--passcode", f"frog {n}")[1] for n in range(6)]
    assert all("did not take this passcode" in text for text in said[:5])
    assert "wait a minute" in said[5]


def test_the_printed_invitation_lets_in_and_the_second_time_nothing_need_be_typed(programs: Programs) -> None:
    server = programs.server("--invite")
    programs.until(lambda: any("--invite" in line for line in server.lines), "line to type")
    anna = programs.player("anna", server, "--invite", printed_invite(server))
    programs.until(lambda: anna.room, "seat for anna")
    anna.ask(leave=True)
    programs.until(lambda: anna.ended, "end of anna")
    again = programs.player("anna", server)
    programs.until(lambda: again.room, "seat for anna who came back")
    again.ask(leave=True)


def test_watchers_get_in_by_their_own_word_and_do_not_play_by_it(programs: Programs, tmp_path: Path) -> None:
    server = programs.server("--passcode", "green frog", "--watch-passcode", "blue frog")
    programs.watcher(server, "--passcode", "Blue  Frog")
    _, said, _ = client(tmp_path / "home", server.address, "--json", "--passcode", "blue frog")
    assert "did not take this passcode" in said


def test_without_encryption_a_server_serves_its_own_machine(programs: Programs) -> None:
    server = programs.server("--insecure")
    anna = programs.player("anna", server)
    programs.until(lambda: anna.room, "seat for anna")
    programs.watcher(server)
    anna.ask(leave=True)
