"""The connections behind libzmq's own descriptors: looked at, and shut down, by copies.

A descriptor's number is used again soon after libzmq closed it, so who is at its other end is asked before anything is
done to it; a peer is (address, port).
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from typing import Final, NamedTuple, TypeAlias

NS_PER_US: Final = 1_000

_BYTES: Final = struct.Struct("=128xQ")
"""Where `struct tcp_info` of Linux 4.1 and later has the bytes that came."""

_LEAST: Final = struct.Struct("=148xI")
"""Where that of Linux 4.6 and later has the least round trip of the last minutes, in microseconds."""

_NEVER: Final = 0xFFFF_FFFF

Peer: TypeAlias = tuple[str, int]


class TcpInfo(NamedTuple):
    """What the kernel knows of a connection: all bytes that ever came, and its own least round trip, if it tells."""

    bytes_received: int
    least_rtt_ns: int | None


def copy_of(descriptor: int) -> socket.socket:
    """A copy to look at; closing it leaves libzmq's own open. Raises `OSError` for what is no open descriptor."""
    return socket.socket(fileno=os.dup(descriptor))


def shut_down(descriptor: int, peer: Peer) -> None:
    """End the connection, if this peer is still at its other end; libzmq then closes what is its own."""
    with contextlib.suppress(OSError), copy_of(descriptor) as copy:
        if _is(copy, peer):
            copy.shutdown(socket.SHUT_RDWR)


def tcp_info(descriptor: int, peer: Peer) -> TcpInfo | None:
    """What the kernel knows of the connection to this peer; None where that cannot be told."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError, struct.error), copy_of(descriptor) as copy:
        if _is(copy, peer):
            return read_info(copy.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LEAST.size))
    return None


def read_info(said: bytes) -> TcpInfo:
    """The figures in a `struct tcp_info`. Raises `struct.error` for one too short to hold the bytes."""
    received = int(_BYTES.unpack_from(said)[0])
    least_us = int(_LEAST.unpack_from(said)[0]) if len(said) >= _LEAST.size else _NEVER
    return TcpInfo(received, None if least_us == _NEVER else least_us * NS_PER_US)


def _is(copy: socket.socket, peer: Peer) -> bool:
    return bool(copy.getpeername()[:2] == peer)
