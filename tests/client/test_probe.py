from __future__ import annotations

import os
import pty
import select
import termios
import threading
from collections.abc import Iterator

import pytest

from speed_client.probe import ask, probe, read_answers
from speed_client.style import Traits
from speed_client.terminal import drop_waiting


def answers(*columns: int, colour: str = "") -> bytes:
    """What a terminal says: the ground's colour, if it tells one, and where its cursor stood after each sign."""
    ground = f"\x1b]11;rgb:{colour}\x1b\\" if colour else ""
    return (ground + "".join(f"\x1b[3;{column}R" for column in columns)).encode()


@pytest.mark.parametrize(
    ("said", "traits"),
    [
        (answers(2, 2, 2), Traits()),
        (answers(3, 2, 2), Traits(wide_suits=True)),
        (answers(2, 3, 2), Traits(wide_lines=True)),
        (answers(3, 3, 3), Traits(wide_suits=True, wide_lines=True)),
        (answers(3), Traits()),
        (b"", Traits()),
        (b"abc\x1b[", Traits()),
        (answers(2, 2, 2, colour="ffff/ffff/dddd"), Traits(light=True)),
        (answers(2, 2, 2, colour="1e/1e/2e"), Traits(light=False)),
        (answers(colour="f/f/f"), Traits(light=True)),
    ],
)
def test_the_answers_are_read_and_what_is_missing_changes_nothing(said: bytes, traits: Traits) -> None:
    assert read_answers(said, Traits()) == traits


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    yield master, slave
    os.close(slave)
    os.close(master)


def test_all_is_asked_in_one_write_and_the_terminal_is_left_as_it_was(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    before = termios.tcgetattr(slave)
    asked: list[bytes] = []

    def answer() -> None:
        asked.append(os.read(master, 1024))
        os.write(master, answers(3, 2, 2, colour="ffff/ffff/ffff"))

    thread = threading.Thread(target=answer)
    thread.start()
    said = ask(slave, slave)
    thread.join()
    assert read_answers(said, Traits()) == Traits(light=True, wide_suits=True)
    assert all(sign in asked[0].decode() for sign in "♠─█")
    assert asked[0].count(b"\x1b[6n") == 3
    assert termios.tcgetattr(slave) == before


def test_a_mute_terminal_is_not_waited_for_long(terminal: tuple[int, int]) -> None:
    assert ask(terminal[1], terminal[1]) == b""


@pytest.mark.parametrize("term", ["dumb", "linux", ""])
def test_a_terminal_that_has_no_answers_is_not_asked(term: str) -> None:
    assert probe({"TERM": term}, "utf-8") == Traits(term=term)


def test_a_pipe_is_not_asked() -> None:
    assert probe({"TERM": "xterm"}, "utf-8") == Traits(term="xterm")


def test_what_was_typed_and_not_read_is_thrown_away(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    os.write(master, b"12345\n")
    select.select([slave], [], [], 5)
    drop_waiting(slave)
    assert not select.select([slave], [], [], 0)[0]


def test_where_there_is_no_terminal_nothing_is_thrown_away() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"1")
    drop_waiting(reading)
    assert os.read(reading, 1) == b"1"
    os.close(reading)
    os.close(writing)
