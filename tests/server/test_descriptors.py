"""What the kernel tells of a connection, and who is asked."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterator

import pytest

from speed_server.descriptors import Peer, TcpInfo, read_info, shut_down, tcp_info

NEVER = 0xFFFF_FFFF


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as host:
        guest = socket.create_connection(host.getsockname(), timeout=5)
        here, _ = host.accept()
    with guest, here:
        yield here, guest


def peer_of(here: socket.socket) -> Peer:
    address, port = here.getpeername()
    return str(address), int(port)


def test_bytes_and_round_trip_are_read_from_their_places() -> None:
    assert read_info(struct.pack("=128xQ12xI", 1 << 40, 1_500)) == TcpInfo(1 << 40, 1_500_000)


@pytest.mark.parametrize("said", [struct.pack("=128xQ", 77), struct.pack("=128xQ12xI", 77, NEVER)])
def test_a_kernel_that_has_no_round_trip_tells_the_bytes_alone(said: bytes) -> None:
    assert read_info(said) == TcpInfo(77, None)


@pytest.mark.skipif(sys.platform != "linux", reason="this is told by Linux")
def test_what_came_over_a_connection_is_told_to_who_knows_its_peer(pair: tuple[socket.socket, socket.socket]) -> None:
    here, guest = pair
    guest.sendall(b"twelve bytes")
    here.recv(4_096)
    info = tcp_info(here.fileno(), peer_of(here))
    assert info is not None
    assert info.bytes_received == len(b"twelve bytes")
    assert info.least_rtt_ns is not None
    assert info.least_rtt_ns > 0


def test_another_peer_behind_the_number_is_left_alone(pair: tuple[socket.socket, socket.socket]) -> None:
    here, guest = pair
    address, port = peer_of(here)
    assert tcp_info(here.fileno(), (address, port ^ 1)) is None
    shut_down(here.fileno(), (address, port ^ 1))
    guest.sendall(b"still here")
    assert here.recv(4_096) == b"still here"


def test_a_connection_is_shut_down_for_both(pair: tuple[socket.socket, socket.socket]) -> None:
    here, guest = pair
    shut_down(here.fileno(), peer_of(here))
    assert guest.recv(4_096) == b""
    assert here.recv(4_096) == b""


def test_a_number_that_is_no_descriptor_is_no_error() -> None:
    assert tcp_info(1 << 20, ("127.0.0.1", 1)) is None
    shut_down(1 << 20, ("127.0.0.1", 1))
