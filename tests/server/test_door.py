import errno
import json
import select
import socket
from collections.abc import Iterator

import pytest

from speed_common import __version__
from speed_server.addresses import CannotListenError, Place
from speed_server.door import MOST_AT_ONCE, Door, Plate
from speed_server.keys import Keys

KEYS = Keys("0123456789abcdef", "p" * 40, "s" * 40)
LOOPBACK = Place("127.0.0.1", socket.AF_INET)
LINE = b'{"speed": "speed-lan"}\n'


@pytest.fixture
def door() -> Iterator[Door]:
    door = Door(LOOPBACK, 0)
    yield door
    door.close()


def visit(door: Door, host: str = "127.0.0.1") -> socket.socket:
    visitor = socket.create_connection((host, door.port), timeout=5)
    assert select.select([door.socket], [], [], 5)[0]
    return visitor


def read_all(visitor: socket.socket) -> bytes:
    return b"".join(iter(lambda: visitor.recv(65_536), b""))


def test_the_line_tells_everything_that_a_client_needs_before_it_connects() -> None:
    line = Plate("anna's laptop", KEYS, 7770).line(players=3, tables=2)
    assert line.endswith(b"\n")
    assert json.loads(line) == {
        "speed": "speed-lan",
        "name": "anna's laptop",
        "id": "0123456789abcdef",
        "protocol": [1, 1],
        "version": __version__,
        "key": "p" * 40,
        "play": 7771,
        "watch": 7772,
        "players": 3,
        "tables": 2,
        "locked": False,
        "watch_locked": False,
    }


def test_a_closed_door_says_what_takes_a_passcode() -> None:
    line = json.loads(Plate("x", KEYS, 7770, locked=True, watch_locked=True).line(0, 0))
    assert (line["locked"], line["watch_locked"]) == (True, True)


def test_the_line_is_one_line_of_ascii_whatever_the_name() -> None:
    line = Plate("Zoë ♠\u2028 house", KEYS, 7770).line(0, 0)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line)["name"] == "Zoë ♠\u2028 house"


def test_the_secret_key_is_not_on_the_door() -> None:
    assert b"s" * 40 not in Plate("x", KEYS, 7770).line(0, 0)


def test_a_visitor_gets_the_line_and_then_the_end(door: Door) -> None:
    with visit(door) as visitor:
        assert door.answer(LINE) == 1
        assert read_all(visitor) == LINE


def test_a_visitor_who_left_before_the_answer_harms_nobody(door: Door) -> None:
    visit(door).close()
    with visit(door) as second:
        door.answer(LINE)
        assert read_all(second) == LINE


def test_nobody_at_the_door_is_no_error(door: Door) -> None:
    assert door.answer(LINE) == 0


def test_a_crowd_is_answered_in_portions(door: Door) -> None:
    crowd = [visit(door) for _ in range(MOST_AT_ONCE + 6)]
    assert door.answer(LINE) == MOST_AT_ONCE
    assert door.answer(LINE) == 6
    for visitor in crowd:
        with visitor:
            assert read_all(visitor) == LINE


def test_a_line_that_no_buffer_takes_is_cut_and_not_waited_for(door: Door) -> None:
    with visit(door) as visitor:
        assert door.answer(b"x" * 20_000_000) == 1
        assert 0 < len(read_all(visitor)) < 20_000_000


def test_a_port_in_use_names_the_remedy(door: Door) -> None:
    with pytest.raises(CannotListenError, match=rf"port {door.port} is in use.*--port") as caught:
        Door(LOOPBACK, door.port)
    assert caught.value.taken


def test_an_address_of_another_machine_names_the_remedy() -> None:
    with pytest.raises(CannotListenError, match=r"203\.0\.113\.9 is no address of this machine.*--host"):
        Door(Place("203.0.113.9", socket.AF_INET), 0)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_one_door_serves_both_families() -> None:
    door = Door(Place("", socket.AF_INET6), 0)
    try:
        for host in ("127.0.0.1", "::1"):
            with visit(door, host) as visitor:
                door.answer(LINE)
                assert read_all(visitor) == LINE
    finally:
        door.close()


class _FullHouse:
    """A listening socket of a process that has no descriptor left until one is given back."""

    def __init__(self, visitor: socket.socket) -> None:
        self.visitor: socket.socket | None = visitor
        self.asked = 0

    def accept(self) -> tuple[socket.socket, str]:
        self.asked += 1
        if self.asked == 1:
            raise OSError(errno.EMFILE, "too many open files")
        if self.visitor is None:
            raise BlockingIOError
        visitor, self.visitor = self.visitor, None
        return visitor, ""


def test_without_a_descriptor_left_the_visitor_is_turned_away_and_not_left_to_wake_us_for_ever(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = socket.socketpair()
    with theirs, monkeypatch.context() as patch:
        house = _FullHouse(ours)
        patch.setattr(door, "socket", house)
        assert door.answer(LINE) == 0
        assert read_all(theirs) == b""
    with visit(door) as visitor:
        assert door.answer(LINE) == 1
        assert read_all(visitor) == LINE
