"""What befalls programs in mid-evening, with real processes: they stand still, run out, or are lied to about time."""

from __future__ import annotations

import shutil
import signal
import socket
import sys
import time

import pytest

from headless import CALM, pair
from processes import BIN, Program, Programs, Server

ENDING_S = 10.0
FEW_DESCRIPTORS = 96

JUMPING = """
import random, sys, time
real, dice = time.time, random.Random(1)
time.time = lambda: real() + dice.choice([0, 3600, -3600, 86400 * 400, -86400 * 400])
from speed_server.__main__ import main
sys.exit(main(sys.argv[2:]))
"""

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals")
linux = pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit")


def over(programs: Programs, *players: object) -> None:
    programs.until(lambda: all(player.result for player in players), "result", 60)  # type: ignore[attr-defined]


@posix
def test_a_server_that_stood_still_goes_on_with_the_deal(programs: Programs) -> None:
    server = programs.server(*CALM)
    anna, bob = pair(programs, server)
    programs.until(lambda: all(player.is_playing for player in (anna, bob)), "deal")
    server.process.send_signal(signal.SIGSTOP)
    programs.until(lambda: all("lost" in player.links for player in (anna, bob)), "word that there is no link")
    server.process.send_signal(signal.SIGCONT)
    programs.until(lambda: all(player.links[-1] == "up" for player in (anna, bob)), "link")
    for player in (anna, bob):
        player.act()
    over(programs, anna, bob)
    assert anna.result == bob.result
    assert anna.result is not None
    assert not anna.result["forfeit"]
    assert server.complaints == ""


@posix
def test_a_client_that_stood_still_is_waited_for_and_plays_on(programs: Programs) -> None:
    server = programs.server(*CALM)
    anna, bob = pair(programs, server)
    programs.until(lambda: all(player.is_playing for player in (anna, bob)), "deal")
    anna.process.send_signal(signal.SIGSTOP)
    programs.until(lambda: bob.room["paused_until_ns"], "pause before the other")
    anna.process.send_signal(signal.SIGCONT)
    programs.until(lambda: not bob.room["paused_until_ns"], "end of the pause")
    for player in (anna, bob):
        player.act()
    over(programs, anna, bob)
    assert anna.result == bob.result
    assert anna.result is not None
    assert not anna.result["forfeit"]


@posix
def test_a_server_ends_within_ten_seconds_though_a_client_stands_still(programs: Programs) -> None:
    server = programs.server(*CALM)
    anna, bob = pair(programs, server)
    anna.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(ENDING_S) == 0
    assert time.monotonic() - began < ENDING_S
    programs.until(lambda: bob.of_type("end"), "word to the other")
    anna.process.send_signal(signal.SIGCONT)


def test_a_clock_of_the_day_that_jumps_changes_nothing(programs: Programs) -> None:
    server = programs.server(
        *CALM, "--hand", "5", "--draw", "8", "--side", "12", inside=(sys.executable, "-c", JUMPING)
    )
    anna, bob = pair(programs, server)
    over(programs, anna, bob)
    assert anna.result == bob.result
    assert server.end(signal.SIGTERM) == 0
    assert server.complaints == ""
    (record,) = (server.data / "records").glob("*.jsonl")
    verified = programs.add(Program("replay", [str(BIN / "speed-replay"), str(record), "--verify"], programs.folder))
    programs.until(lambda: verified.lines, "verdict on the record")
    assert verified.lines[0].startswith("verified: ")


def crowd(server: Server, count: int) -> list[socket.socket]:
    """So many connections that say nothing."""
    return [socket.create_connection((server.host, server.port + 1 + number % 2), timeout=5) for number in range(count)]


@linux
def test_a_server_without_descriptors_left_plays_on_and_takes_people_again(programs: Programs) -> None:
    limited = ("prlimit", f"--nofile={FEW_DESCRIPTORS}:{FEW_DESCRIPTORS}")
    server = programs.server(*CALM, inside=limited)
    anna, bob = pair(programs, server)
    programs.until(lambda: all(player.is_playing for player in (anna, bob)), "deal")
    strangers = crowd(server, FEW_DESCRIPTORS)
    over(programs, anna, bob)
    assert anna.result == bob.result
    assert not server.ended
    for stranger in strangers:
        stranger.close()
    carl = programs.player("carl", server)
    programs.until(lambda: carl.room, "seat for who comes after them")
    assert server.complaints == ""


def test_connections_that_never_finish_their_handshake_are_closed_and_disturb_nobody(programs: Programs) -> None:
    server = programs.server(*CALM)
    anna, bob = pair(programs, server)
    strangers = crowd(server, 40)
    for number, stranger in enumerate(strangers):
        stranger.sendall((b"", b"\xff", b"\xff\0\0\0\0\0\0\0\1\x7f\3")[number % 3])
    over(programs, anna, bob)
    assert anna.result == bob.result
    assert anna.links == bob.links == ["up"]
    for stranger in strangers:
        stranger.settimeout(ENDING_S)
        while stranger.recv(4_096):
            pass
        stranger.close()
