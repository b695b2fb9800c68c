from __future__ import annotations

from typing import Any

import pytest

from speed_client.door import Address, DoorLine
from speed_client.finding import (
    ASK_AGAIN_NS,
    MOST_ADDRESSES,
    MOST_SERVERS,
    SEARCH_NS,
    Finding,
    Sighting,
    read_sighting,
    shown,
)

ANNA, CLUB, OLD = "a" * 16, "c" * 16, "0" * 16
HOME = Address("192.168.1.20", 7770)
OTHER = Address("192.168.1.31", 7770)
SECOND = 1_000_000_000
MS = 1_000_000


def line(server_id: str, name: str = "anna's laptop", **changes: Any) -> DoorLine:
    fields = {"speed": "speed-lan", "protocol": (1, 1), "version": "0.1.0", "key": "k" * 40, "play": 1, "watch": 2}
    return DoorLine(**{**fields, "id": server_id, "name": name, **changes})


def sighting(server_id: str = ANNA, *hosts: str, **changes: Any) -> Sighting:
    addresses = tuple(Address(host, 7770) for host in hosts or ("192.168.1.20",))
    return Sighting(server_id, **{"name": "anna's laptop", "addresses": addresses, **changes})


def test_a_server_on_several_interfaces_is_one_row() -> None:
    finding = Finding(0)
    finding.announced(sighting(ANNA, "192.168.1.20", "10.0.0.2", "fd00::7"), 0)
    finding.announced(sighting(ANNA, "10.0.0.2"), 0)
    assert [row.id for row in finding.rows] == [ANNA]
    assert [address.host for address in finding.rows[0].addresses] == ["10.0.0.2", "192.168.1.20", "fd00::7"]


def test_a_remembered_server_that_is_announced_stays_one_row_and_is_sought_where_it_is_now() -> None:
    finding = Finding(0)
    finding.remember(ANNA, "anna's", Address("10.0.0.9", 7770), 0)
    finding.announced(sighting(), 0)
    (row,) = finding.rows
    assert (row.recent, row.announced, row.address) == (0, True, HOME)


def test_what_the_door_says_counts_for_more_than_what_was_announced() -> None:
    finding = Finding(0)
    finding.announced(sighting(players=9, tables=9, locked=True), 0)
    finding.answered(ANNA, HOME, line(ANNA, "Anna", players=3, tables=2), 2 * MS, 0)
    finding.answered(ANNA, HOME, line(ANNA, "Anna", players=3, tables=2), 1 * MS, 0)
    (row,) = finding.rows
    assert (row.name, row.players, row.tables, row.locked, row.state) == ("Anna", 3, 2, False, "here")
    assert row.ping_ns == 1 * MS


def test_the_last_used_come_first_and_the_silent_last() -> None:
    finding = Finding(0)
    finding.remember(OLD, "old", OTHER, 0)
    finding.remember(ANNA, "anna", HOME, 0)
    finding.announced(sighting(CLUB, name="club"), 0)
    finding.silent(OLD, "nothing listens there")
    finding.answered(ANNA, HOME, line(ANNA), 1, 0)
    assert [row.id for row in finding.rows] == [ANNA, CLUB, OLD]
    assert finding.rows[2].why == "nothing listens there"


def test_another_server_at_a_remembered_address_is_another_row() -> None:
    finding = Finding(0)
    finding.remember(OLD, "old", HOME, 0)
    finding.answered(OLD, HOME, line(ANNA), 1, 0)
    assert [(row.id, row.state) for row in finding.rows] == [(ANNA, "here"), (OLD, "silent")]
    assert "another server answers at 192.168.1.20" in finding.rows[1].why


def test_a_server_that_takes_its_leave_is_gone_unless_it_is_remembered() -> None:
    finding = Finding(0)
    finding.remember(OLD, "old", HOME, 0)
    finding.announced(sighting(OLD), 0)
    finding.announced(sighting(CLUB), 0)
    finding.due(0)
    finding.gone(OLD)
    finding.gone(CLUB)
    finding.gone(ANNA)
    assert [(row.id, row.announced) for row in finding.rows] == [(OLD, False)]
    assert [row.id for row in finding.due(1)] == [OLD]


def test_every_door_is_asked_at_once_then_now_and_then() -> None:
    finding = Finding(0)
    finding.announced(sighting(), 5)
    assert finding.next_due() == 5
    assert [row.id for row in finding.due(5)] == [ANNA]
    assert finding.due(6) == []
    for _ in range(3):
        finding.answered(ANNA, HOME, line(ANNA), 1, 6)
    now = finding.next_due() or 0
    assert finding.due(now)
    assert finding.next_due() == now + ASK_AGAIN_NS


def test_a_search_says_nothing_before_its_time() -> None:
    finding = Finding(10)
    assert not finding.searched(10 + SEARCH_NS - 1)
    assert finding.searched(finding.searched_at)
    finding.begin_again(20 * SECOND)
    assert not finding.searched(20 * SECOND)
    finding.announced(sighting(), 0)
    finding.begin_again(90 * SECOND)
    assert finding.searched(90 * SECOND)
    assert finding.next_due() == 90 * SECOND


def test_a_flood_of_announcements_is_bounded() -> None:
    finding = Finding(0)
    for number in range(200):
        finding.announced(sighting(f"{number:016x}"), 0)
    for number in range(50):
        finding.announced(sighting(f"{0:016x}", f"10.0.0.{number}"), 0)
    assert len(finding.rows) == MOST_SERVERS
    assert max(len(row.addresses) for row in finding.rows) == MOST_ADDRESSES


def test_an_announcement_is_read_and_what_can_be_typed_comes_first() -> None:
    found = read_sighting(
        f"{ANNA}._speed._tcp.local.",
        8000,
        ["fe80::1%eth0", "fd00::7", "192.168.1.20", "192.168.1.20"],
        {b"name": "anna's ♥".encode(), b"players": b"3", b"tables": b"2", b"locked": b"1", b"version": b"0.1.0"},
    )
    assert found is not None
    assert (found.id, found.name, found.players, found.tables, found.locked) == (ANNA, "anna's ♥", 3, 2, True)
    assert [str(address) for address in found.addresses] == [
        "192.168.1.20:8000",
        "[fd00::7]:8000",
        "[fe80::1%eth0]:8000",
    ]


def test_an_announcement_cannot_hurt_a_terminal_or_fill_a_screen() -> None:
    said = {
        b"name": b"\x1b[2J" + b"x" * 99,
        b"players": b"-1",
        b"tables": b"9" * 30,
        b"version": None,
        b"\xff": b"\xff",
    }
    found = read_sighting(f"{ANNA}.x", 7770, ["192.168.1.20"], said)
    assert found is not None
    assert found.name.isprintable()
    assert len(found.name) == 40
    assert (found.players, found.tables, found.version) == (0, 0, "")


@pytest.mark.parametrize(
    ("instance", "port", "hosts"),
    [
        ("stranger.x", 7770, ["1.2.3.4"]),
        (f"{ANNA}.x", None, ["1.2.3.4"]),
        (f"{ANNA}.x", 0, ["1.2.3.4"]),
        (ANNA, 7770, []),
    ],
)
def test_what_is_no_server_of_ours_is_no_sighting(instance: str, port: int | None, hosts: list[str]) -> None:
    assert read_sighting(instance, port, hosts, {}) is None


def test_an_address_is_shown_as_it_is_typed() -> None:
    assert shown(Address("192.168.1.20", 7770)) == "192.168.1.20"
    assert shown(Address("192.168.1.20", 8000)) == "192.168.1.20:8000"
    assert shown(Address("fd00::7", 8000)) == "[fd00::7]:8000"
