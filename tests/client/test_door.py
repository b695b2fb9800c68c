from __future__ import annotations

import asyncio

import pytest
from tests.client.serving import KEY, closed_port, door, door_line

from speed_client.door import Address, DoorError, Server, fingerprint, knock, parse_line

HERE = Address("127.0.0.1", 7770)


def complaint(host: str, port: int, seconds: float = 2.5) -> str:
    with pytest.raises(DoorError) as refused:
        asyncio.run(knock(Address(host, port), seconds))
    text = str(refused.value)
    assert "\n" not in text
    return text


def test_a_server_says_who_it_is() -> None:
    with door(door_line()) as port:
        server = asyncio.run(knock(Address("localhost", port)))
    assert (server.line.name, server.line.key, server.line.play) == ("anna's laptop", KEY, 7771)
    assert server.numeric == "127.0.0.1"
    assert server.endpoint(7771) == "tcp://127.0.0.1:7771"


def test_an_ipv6_endpoint_has_brackets() -> None:
    line = parse_line(door_line(), HERE)
    assert Server(HERE, "fe80::1%eth0", line).endpoint(7) == "tcp://[fe80::1%eth0]:7"
    assert str(Address("fd00::7", 9)) == "[fd00::7]:9"
    assert str(HERE) == "127.0.0.1:7770"


def test_a_line_may_come_in_pieces_and_have_fields_of_later_versions() -> None:
    with door(door_line(colour="green")[:-1]) as port:
        assert asyncio.run(knock(Address("127.0.0.1", port))).line.players == 3


def test_a_wrong_host_is_told_apart() -> None:
    assert "no machine is called 'no-such-host.invalid'" in complaint("no-such-host.invalid", 7770)
    assert "no machine is called" in complaint("a" * 300, 7770)


def test_a_closed_port_is_told_apart() -> None:
    port = closed_port()
    assert complaint("127.0.0.1", port) == f"nothing listens on 127.0.0.1:{port}: is speed-server running there?"


@pytest.mark.parametrize(
    "data", [b"SSH-2.0-OpenSSH_9.6\r\n", b"", b"{}\n", b"[1]\n", b"\xff\x00\n", b"x" * 100_000, b'{"speed": "chess"}\n']
)
def test_another_service_is_told_apart(data: bytes) -> None:
    with door(data) as port:
        assert "it is not speed-server" in complaint("127.0.0.1", port)


def test_a_service_that_says_nothing_is_told_apart_when_the_time_is_up() -> None:
    with door(b"", hold=True) as port:
        assert "it is not speed-server" in complaint("127.0.0.1", port, seconds=0.2)


@pytest.mark.parametrize(
    ("protocol", "theirs", "remedy"),
    [
        ([2, 2], "2", "update the client here"),
        ([3, 5], "3 to 5", "update the client here"),
        ([0, 0], "0", "server there"),
    ],
)
def test_another_protocol_names_both_and_what_to_do(protocol: list[int], theirs: str, remedy: str) -> None:
    with door(door_line(protocol=protocol, version="0.9.0", play="later versions may change this")) as port:
        text = complaint("127.0.0.1", port)
    assert f"protocol {theirs} (version 0.9.0), this client 1 (version " in text
    assert text.endswith(remedy)


@pytest.mark.parametrize(
    "change",
    [
        {"key": "short"},
        {"key": "#" * 40},
        {"key": "\u00e9" * 40},
        {"id": "../../etc"},
        {"play": 0},
        {"name": 7},
        {"protocol": [1]},
        {"watch": 70_000},
    ],
)
def test_a_line_that_makes_no_sense_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(DoorError, match="makes no sense"):
        parse_line(door_line(**change), HERE)


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": [9, 9], "version": "\x1b[2J\n\u009b31m\u202e"},
        {"protocol": [9 * 10**3000, 9 * 10**3000]},
        {"protocol": [9, 9], "version": {"\x1b": "\x07"}},
        {"name": "\x1b" * 500},
    ],
)
def test_nothing_that_a_terminal_obeys_gets_through_a_complaint(change: dict[str, object]) -> None:
    with pytest.raises(DoorError) as refused:
        parse_line(door_line(**change), HERE)
    text = str(refused.value)
    assert text.isprintable()
    assert len(text) < 500


def test_a_fingerprint_can_be_read_aloud_and_differs() -> None:
    assert len(fingerprint(KEY).split()) == 4
    assert fingerprint(KEY) != fingerprint(KEY[::-1])


def test_a_server_without_encryption_is_taken_on_its_own_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with door(door_line(insecure=True)) as port:
        assert asyncio.run(knock(Address("127.0.0.1", port))).line.insecure
    monkeypatch.setattr("speed_client.door.is_loopback", lambda _: False)
    with door(door_line(insecure=True)) as port:
        assert "encrypts nothing" in complaint("127.0.0.1", port)
