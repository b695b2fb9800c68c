from __future__ import annotations

from pathlib import Path

import pytest
from tests.client.screens import SECOND, TICKET

from speed_client.directing import read_secret
from speed_client.director import LONGEST_LINE, Director, DirectorLines
from speed_client.door import DoorError
from speed_common.wire import Direct, Directed, Welcome, decode_up, encode


class Desk:
    """A director at a client whose server is the test."""

    def __init__(self) -> None:
        self.director = Director("director", b"", "open sesame", "run", 0)
        self.lines = DirectorLines(self.director)
        self.now = SECOND

    def welcome(self) -> None:
        self.director.connected(self.now)
        self.director.receive(encode(Welcome(1, "0.1.0", "f" * 16, "director", TICKET, 250_000)), self.now)

    def say(self, line: str) -> list[str]:
        return list(self.lines.command(line, self.now, self.now))

    def sent(self) -> list[Direct]:
        found = list(self.director.outbox)
        self.director.outbox.clear()
        return [message for message in map(decode_up, found) if isinstance(message, Direct)]

    def answer(self, command: str, *lines: str, ok: bool = True) -> list[str]:
        self.director.receive(encode(Directed(command, ok, lines)), self.now)
        return list(self.lines.changed(self.now))


def at_the_desk() -> Desk:
    desk = Desk()
    desk.welcome()
    desk.sent()
    return desk


def test_each_line_goes_under_an_id_of_its_own_once_the_one_before_is_answered() -> None:
    desk = at_the_desk()
    desk.say("new Friday")
    desk.say("add anna bob")
    (first,) = desk.sent()
    desk.answer(first.command, "done")
    (second,) = desk.sent()
    assert (first.line, second.line) == ("new Friday", "add anna bob")
    assert first.command != second.command
    assert first.secret == "open sesame"


def test_an_answer_is_printed_once() -> None:
    desk = at_the_desk()
    desk.say("status")
    (sent,) = desk.sent()
    assert desk.answer(sent.command, "running", "2 tables") == ["running", "2 tables"]
    assert desk.answer(sent.command, "running") == []


def test_a_line_without_an_answer_is_said_again_under_the_same_id_after_a_reconnect() -> None:
    desk = at_the_desk()
    desk.say("result M1 25:3")
    (sent,) = desk.sent()
    desk.director.lost(desk.now)
    desk.welcome()
    (again,) = desk.sent()
    assert (again.command, again.line) == (sent.command, sent.line)
    desk.answer(sent.command, "done")
    desk.director.lost(desk.now)
    desk.welcome()
    assert desk.sent() == []


def test_a_line_said_before_there_is_a_connection_waits_for_it() -> None:
    desk = Desk()
    desk.say("status")
    assert desk.sent() == []
    desk.welcome()
    assert [message.line for message in desk.sent()] == ["status"]


def test_comments_empty_lines_and_lines_that_are_too_long_are_not_sent() -> None:
    desk = at_the_desk()
    assert desk.say("") == desk.say("  # set up") == []
    assert "at most" in desk.say("x" * (LONGEST_LINE + 1))[0]
    assert desk.sent() == []


def test_when_the_input_ends_the_last_answers_are_waited_for() -> None:
    desk = at_the_desk()
    desk.say("start")
    list(desk.lines.closed(desk.now))
    assert desk.director.ended is None
    (sent,) = desk.sent()
    desk.answer(sent.command, "started")
    assert desk.director.ended is not None


def test_a_refused_line_makes_the_command_fail() -> None:
    desk = at_the_desk()
    desk.say("start")
    (sent,) = desk.sent()
    assert desk.answer(sent.command, "nothing is drawn: `draw`", ok=False) == ["nothing is drawn: `draw`"]
    assert desk.lines.failed


def test_what_a_server_says_is_made_safe_for_the_terminal() -> None:
    desk = at_the_desk()
    desk.say("status")
    (sent,) = desk.sent()
    assert desk.answer(sent.command, "a\x1b[2Jb") == ["a?[2Jb"]


def test_the_secret_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "director"
    file.write_text("open sesame\n", encoding="utf-8")
    assert read_secret(str(file), terminal=False) == "open sesame"


@pytest.mark.parametrize("content", [b"", b"x" * 65, b"\xff\xfe"])
def test_a_file_that_holds_no_secret_is_named_in_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "director"
    file.write_bytes(content)
    with pytest.raises(DoorError, match="secret") as error:
        read_secret(str(file), terminal=False)
    assert "\n" not in str(error.value)


def test_where_nobody_can_be_asked_a_file_is_needed(tmp_path: Path) -> None:
    with pytest.raises(DoorError, match="--direct FILE"):
        read_secret("", terminal=False)
    with pytest.raises(DoorError, match="cannot be read"):
        read_secret(str(tmp_path / "none"), terminal=False)
