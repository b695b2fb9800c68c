"""Who is connected, as libzmq's monitor tells: counted by address, looked after, and cut off where need be.

The monitor must be read always: some 2,000 unread events stop libzmq's own thread, and with it everybody's play.

libzmq ends no connection on request. But each is a descriptor of this process: a copy of it is shut down, which ends
the connection for both sides; see `descriptors`.
"""

from __future__ import annotations

import contextlib
import ipaddress
import itertools
import socket
import struct
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Final

import zmq

from speed_server.budget import Bucket
from speed_server.descriptors import Peer, copy_of, shut_down, tcp_info
from speed_server.limits import KNOWN_BEFORE, Limits
from speed_server.settings import MS

LOOK_NS: Final = 100 * MS
"""Between two looks at some of the visitors."""

MEASURE_NS: Final = 5_000 * MS
"""Between two looks at a visitor's round trip, where its bytes are not counted: 400 idle ones cost 0.9 % of a core."""

MOST_AT_ONCE: Final = 64
"""Visitors looked at in one go, about half a millisecond: a crowd must not delay a tick."""

_EVENT = struct.Struct("=Hi")
_FAILURES: Final = int(
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_AUTH
)


class _Visitor:
    __slots__ = ("address", "bytes", "bytes_seen", "came_at", "measured_at", "origin", "peer", "topics")

    def __init__(self, peer: Peer, address: str, now: int) -> None:
        self.peer = peer
        self.address = address
        self.came_at = now
        self.bytes: Bucket | None = None
        self.bytes_seen = 0
        self.measured_at = -MEASURE_NS
        self.topics: Bucket | None = None
        self.origin: bytes | None = None


class Visitors:
    """The monitor of one socket that is not yet bound. Poll `socket`; when it has something, call `read`.

    `bytes_per_second` and `bytes_burst` are what a visitor may send; they are looked at where the system tells them.
    """

    def __init__(
        self,
        watched: zmq.Socket[bytes],
        limits: Limits | None = None,
        clock: Callable[[], int] = time.perf_counter_ns,
        bytes_per_second: int = 0,
        bytes_burst: int = 0,
    ) -> None:
        self.failed_handshakes = 0
        self.shut_out = 0
        self.cut_off: Counter[str] = Counter()
        self.silent: set[int] = set()
        """The descriptors of those who have said nothing yet that makes sense."""
        self._limits = limits or Limits()
        self._clock = clock
        self.left: list[bytes] = []
        """The origins of connections that ended, for whoever keeps something for each; to be emptied by the reader."""
        self._by_origin: dict[bytes, int] = {}
        self.round_trips: dict[bytes, int] = {}
        """The kernel's least round trip (ns) to each origin that was looked at; to be emptied by the reader."""
        self._rate = (bytes_per_second, bytes_burst)
        self._watched = watched
        self._by_descriptor: dict[int, _Visitor] = {}
        self._by_address: Counter[str] = Counter()
        self._arrivals: OrderedDict[str, Bucket] = OrderedDict()
        self._round: Iterator[int] = iter(())
        self.next_look_ns: int | None = None
        """When `look` is to be called next; None while nobody is connected."""
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

    def spoke(self, descriptor: int) -> None:
        """What came over the descriptor made sense: a client is there."""
        self.silent.discard(descriptor)

    def speaks_as(self, descriptor: int, origin: bytes) -> None:
        """What comes over this descriptor has this origin."""
        visitor = self._by_descriptor.get(descriptor)
        if visitor is not None and visitor.origin is None:
            visitor.origin = origin
            self._by_origin[origin] = descriptor

    def subscribed(self, descriptor: int) -> None:
        """A topic was asked for over the descriptor, or given up. Who does that without end is cut off."""
        visitor = self._by_descriptor.get(descriptor)
        if visitor is None:
            return
        if visitor.topics is None:
            visitor.topics = Bucket(self._limits.topics_per_second, self._limits.topics_burst)
        if not visitor.topics.take(self._clock()):
            self.cut(descriptor, "topics")

    def cut_origin(self, origin: bytes, why: str) -> None:
        """End the connection of an origin; see `cut`."""
        descriptor = self._by_origin.get(origin)
        if descriptor is not None:
            self.cut(descriptor, why)

    def cut(self, descriptor: int, why: str) -> None:
        """End the connection behind a descriptor; `why` is what it is counted as."""
        visitor = self._by_descriptor.get(descriptor)
        if visitor is not None:
            self.silent.discard(descriptor)
            self.cut_off[why] += 1
            shut_down(descriptor, visitor.peer)

    def look(self, now: int) -> None:
        """Look at the next of them: who is still silent, and who sends too much, is cut off."""
        self.read()
        self.next_look_ns = now + LOOK_NS if self._by_descriptor else None
        few = list(itertools.islice(self._round, MOST_AT_ONCE))
        for descriptor in few:
            self._look_at(descriptor, now)
        if len(few) < MOST_AT_ONCE:
            self._round = iter(list(self._by_descriptor))

    def close(self) -> None:
        """Stop listening to the monitor."""
        self._watched.disable_monitor()
        self.socket.close(0)

    def _look_at(self, descriptor: int, now: int) -> None:
        visitor = self._by_descriptor.get(descriptor)
        if visitor is None:
            return
        if descriptor in self.silent and now - visitor.came_at > self._limits.silence_ns:
            self.cut(descriptor, "silent")
            return
        per_second, burst = self._rate
        if not per_second and now - visitor.measured_at < MEASURE_NS:
            return
        visitor.measured_at = now
        info = tcp_info(descriptor, visitor.peer)
        if info is None:
            return
        if visitor.origin is not None and info.least_rtt_ns is not None:
            self.round_trips[visitor.origin] = info.least_rtt_ns
        if not per_second:
            return
        if visitor.bytes is None:
            visitor.bytes = Bucket(per_second, burst)
        new, visitor.bytes_seen = info.bytes_received - visitor.bytes_seen, info.bytes_received
        if not visitor.bytes.take(now, max(0, new)):
            self.cut(descriptor, "bytes")

    def _came(self, descriptor: int) -> None:
        self._went(descriptor)
        # The descriptor is libzmq's: only ever a copy of it is used, and shut down instead of closed.
        with contextlib.suppress(OSError, ValueError), copy_of(descriptor) as copy:
            peer = copy.getpeername()
            address, now = plain_address(str(peer[0])), self._clock()
            self._by_descriptor[descriptor] = _Visitor((str(peer[0]), int(peer[1])), address, now)
            self.silent.add(descriptor)
            self._by_address[address] += 1
            if self.next_look_ns is None:
                self.next_look_ns = now + LOOK_NS
            if self._is_one_too_many(address, now):
                self.shut_out += 1
                copy.shutdown(socket.SHUT_RDWR)

    def _is_one_too_many(self, address: str, now: int) -> bool:
        if ipaddress.ip_address(address).is_loopback:
            return False
        arrivals = self._arrivals.pop(address, None)
        if arrivals is None:
            arrivals = Bucket(self._limits.arrivals_per_second, self._limits.arrivals_burst)
        self._arrivals[address] = arrivals
        if len(self._arrivals) > KNOWN_BEFORE:
            self._arrivals.popitem(last=False)
        return not arrivals.take(now) or self._by_address[address] > self._limits.connections_of_one_address

    def _went(self, descriptor: int) -> None:
        self.silent.discard(descriptor)
        visitor = self._by_descriptor.pop(descriptor, None)
        if visitor is not None:
            if visitor.origin is not None:
                del self._by_origin[visitor.origin]
                self.left.append(visitor.origin)
            self._by_address[visitor.address] -= 1
            if not self._by_address[visitor.address]:
                del self._by_address[visitor.address]


def plain_address(text: str) -> str:
    """The address without its zone, and an IPv4 one that came over IPv6 as IPv4."""
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
