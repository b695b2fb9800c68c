"""Who is connected, as libzmq's monitor tells: counted by address, so that one machine cannot take every place.

The monitor must be read always: some 2,000 unread events stop libzmq's own thread, and with it everybody's play.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import struct
from collections import Counter
from typing import Final

import zmq

MOST_OF_ONE_ADDRESS: Final = 512
"""Connections of one address to one socket. This machine's own are not counted: benchmarks and bots live there."""

_EVENT = struct.Struct("=Hi")
_FAILURES: Final = int(
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_AUTH
)


class Visitors:
    """The monitor of one socket that is not yet bound. Poll `socket`; when it has something, call `read`."""

    def __init__(self, watched: zmq.Socket[bytes], most: int = MOST_OF_ONE_ADDRESS) -> None:
        self.most = most
        self.failed_handshakes = 0
        self.shut_out = 0
        self._watched = watched
        self._by_descriptor: dict[int, str] = {}
        self._by_address: Counter[str] = Counter()
        self.socket: zmq.Socket[bytes] = watched.get_monitor_socket(
            int(zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED) | _FAILURES
        )
        # A ZeroMQ descriptor tells of a first message only to a reader who has once found nothing.
        self.read()

    @property
    def connected(self) -> int:
        """How many connections stand, handshake done or not."""
        return len(self._by_descriptor)

    def read(self) -> None:
        """Read all that the monitor says."""
        recv = self.socket.recv
        while True:
            try:
                event, value = _EVENT.unpack(recv(zmq.NOBLOCK))
                recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            if event == zmq.EVENT_ACCEPTED:
                self._came(value)
            elif event == zmq.EVENT_DISCONNECTED:
                self._went(value)
            elif event & _FAILURES:
                self.failed_handshakes += 1

    def close(self) -> None:
        """Stop listening to the monitor."""
        self._watched.disable_monitor()
        self.socket.close(0)

    def _came(self, descriptor: int) -> None:
        self._went(descriptor)
        # The descriptor is libzmq's: only ever a copy of it is used, and shut down instead of closed.
        with contextlib.suppress(OSError, ValueError), socket.socket(fileno=os.dup(descriptor)) as copy:
            address = plain_address(str(copy.getpeername()[0]))
            self._by_descriptor[descriptor] = address
            self._by_address[address] += 1
            if self._by_address[address] > self.most and not ipaddress.ip_address(address).is_loopback:
                self.shut_out += 1
                copy.shutdown(socket.SHUT_RDWR)

    def _went(self, descriptor: int) -> None:
        address = self._by_descriptor.pop(descriptor, None)
        if address is not None:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]


def plain_address(text: str) -> str:
    """The address without its zone, and an IPv4 one that came over IPv6 as IPv4."""
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
