"""The play socket (ROUTER) and the watch socket (XPUB), both behind CURVE, and nothing of the game.

Every call is the cheap one: two `recv` and two `send` a message instead of `*_multipart`, nothing that blocks, and on
the hot way the backend's own methods with plain integers, which take half the time of the typed ones above them. A
ZeroMQ descriptor wakes a sleeper once for what came, not for as long as something waits, and any call on the socket may
swallow that wake-up. So what was touched since it was last found empty is asked again before a sleep: `pending`.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import secrets
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import zmq
from zmq.backend import Socket as RawSocket
from zmq.backend import zmq_poll

from speed_common.wire import MAX_UP_BYTES, WireError, decode_up
from speed_server.addresses import Place
from speed_server.door import BACKLOG, cannot_listen
from speed_server.keys import Keys
from speed_server.limits import Limits
from speed_server.visitors import Visitors
from speed_server.zap import OPEN, PLAY_DOMAIN, WATCH_DOMAIN, Doorkeeper, Locks

ZmqSocket: TypeAlias = "zmq.Socket[bytes]"
Clock: TypeAlias = Callable[[], int]

PLAY_QUEUE: Final = 64
"""Messages waiting for one player, or from one: a stuck reader is found early, a flood stays in the sender's kernel."""

WATCH_QUEUE: Final = 256
"""Messages waiting for one watcher, who may follow every table; what is dropped the next keyframe heals."""

WATCH_BYTES: Final = 512
"""Longest message of a watcher, who has no more to say than a topic. libzmq keeps what is subscribed to byte by byte,
at some fifty bytes each, whether we know the topic or not; the handshake needs about three hundred."""

SEND_BUFFER: Final = 64 * 1_024
"""Kernel bytes a connection: larger ones hide a stalled peer behind seconds of old messages."""

DRAIN_NS: Final = 5_000_000
"""The play socket is drained to empty, or one peer would be served before another; a flood may not stretch that."""

FEW: Final = 3
"""Most wake-ups bring a message or two: after each of so many the socket is asked for more, which takes a third of the
time of a receive that finds nothing."""

CURVE_BYTES: Final = 33
"""What encryption adds to a frame before libzmq measures it."""

_NOW: Final = int(zmq.NOBLOCK)
_NOW_AND_MORE: Final = int(zmq.NOBLOCK | zmq.SNDMORE)
_INPUT: Final = int(zmq.POLLIN)
_LAST_PORT: Final = 65_535
_SOURCE: Final = int(zmq.SRCFD)
_SUBSCRIBED: Final = 1
_LONGEST_TOPIC: Final = 64

_OPTIONS: Final = {
    zmq.LINGER: 0,
    zmq.BACKLOG: BACKLOG,
    zmq.SNDBUF: SEND_BUFFER,
    zmq.HANDSHAKE_IVL: 2_000,
    # No HEARTBEAT_IVL: libzmq 4.3.5 aborts when its own ping falls due on a connection that hung up while its queue was
    # full, so a few clients could end the server. The clients' pings carry a TTL, and their beats tell who is here.
}


class Sockets:
    """Both sockets, bound. `descriptors` are what a sleeper waits on. `keys` None: without encryption, to look inside.

    Raises `CannotListenError` when a port cannot be had.
    """

    def __init__(
        self,
        place: Place,
        play_port: int,
        watch_port: int,
        keys: Keys | None,
        locks: Locks = OPEN,
        limits: Limits | None = None,
    ) -> None:
        limits = limits or Limits()
        self._context: zmq.Context[ZmqSocket] = zmq.Context()
        seed_routing_ids()
        self._doorkeeper = Doorkeeper(self._context, locks, limits)
        self._play = self._context.socket(zmq.ROUTER)
        self._watch = self._context.socket(zmq.XPUB)
        self._play_touched = self._watch_touched = True
        self._play_items, self._watch_items = [(self._play, _INPUT)], [(self._watch, _INPUT)]
        self.malformed = 0
        self._visitors: list[Visitors] = []
        doors = (
            (self._play, play_port, PLAY_DOMAIN, limits.play_bytes_per_second, limits.play_bytes_burst),
            (self._watch, watch_port, WATCH_DOMAIN, limits.watch_bytes_per_second, limits.watch_bytes_burst),
        )
        try:
            _set(self._play, {zmq.ROUTER_MANDATORY: 1, zmq.ROUTER_HANDOVER: 0, zmq.SNDHWM: PLAY_QUEUE})
            _set(self._play, {zmq.RCVHWM: PLAY_QUEUE, zmq.MAXMSGSIZE: MAX_UP_BYTES + CURVE_BYTES})
            _set(self._watch, {zmq.XPUB_VERBOSE: 1, zmq.SNDHWM: WATCH_QUEUE})
            _set(self._watch, {zmq.MAXMSGSIZE: WATCH_BYTES})
            for guarded, port, domain, per_second, burst in doors:
                _set(guarded, _OPTIONS)
                if keys is not None:
                    _guard(guarded, keys, domain)
                self._visitors.append(Visitors(guarded, limits, bytes_per_second=per_second, bytes_burst=burst))
                _bind(guarded, place, port)
        except BaseException:
            self.close()
            raise
        self.descriptors: dict[int, Callable[[], None]] = {
            _descriptor(self._doorkeeper.socket): self._doorkeeper.answer,
            **{_descriptor(visitors.socket): visitors.read for visitors in self._visitors},
        }
        self._players, self._watchers = self._visitors
        self.play_descriptor = _descriptor(self._play)
        self.watch_descriptor = _descriptor(self._watch)

    @property
    def connected(self) -> int:
        """How many connections stand at both sockets, handshake done or not."""
        return sum(visitors.connected for visitors in self._visitors)

    @property
    def failed_handshakes(self) -> int:
        """How many connections ended before they could say anything."""
        return sum(visitors.failed_handshakes for visitors in self._visitors)

    @property
    def refused_handshakes(self) -> int:
        """How many had no key, or a wrong passcode."""
        return self._doorkeeper.refused

    @property
    def cut_off(self) -> Counter[str]:
        """How many connections were ended by us, and why."""
        return sum((visitors.cut_off for visitors in self._visitors), Counter())

    def cut(self, origin: bytes) -> None:
        """End a player's connection."""
        self._players.cut_origin(origin, "flood")

    def take_left(self) -> list[bytes]:
        """The players' connections that ended since this was last asked."""
        left = self._players.left
        if left:
            self._players.left = []
        return left

    def take_round_trips(self) -> dict[bytes, int]:
        """The kernel's least round trip (ns) to each player who was looked at since this was last asked."""
        found = self._players.round_trips
        if found:
            self._players.round_trips = {}
        return found

    def next_look_ns(self) -> int | None:
        """When `look` is to be called next; None while nobody is connected."""
        players, watchers = self._players.next_look_ns, self._watchers.next_look_ns
        if players is None or watchers is None:
            return watchers if players is None else players
        return min(players, watchers)

    def look(self, now: int) -> None:
        """Look after some of those who are connected; see `Visitors.look`."""
        for visitors in self._visitors:
            if visitors.next_look_ns is not None and visitors.next_look_ns <= now:
                visitors.look(now)

    def play_pending(self) -> bool:
        """Whether messages wait that the descriptor may not tell of."""
        return self._play_touched and _has_input(self._play_items)

    def watch_pending(self) -> bool:
        """Whether subscriptions wait that the descriptor may not tell of."""
        return self._watch_touched and _has_input(self._watch_items)

    def drain_play(self, receive: Callable[[bytes, bytes, int], None], clock: Clock) -> None:
        """Give every waiting message to `receive(origin, data, now)`, stamped as it is read.

        A message of more frames than one is no message of ours: it is dropped and counted.
        """
        play, recv, silent = self._play, RawSocket.recv, self._players.silent
        self._play_touched = True
        received, last = 0, 0
        while True:
            try:
                origin = recv(play, _NOW)
            except zmq.Again:
                self._play_touched = False
                return
            # A frame knows whether more follow; to ask the socket takes longer than to make the frame.
            data = recv(play, _NOW, False)
            now = clock()
            if silent:
                self._hear(origin, data)
            if data.more:
                while recv(play, _NOW, False).more:
                    pass
                self.malformed += 1
            else:
                receive(origin, data.bytes, now)
            received += 1
            if received <= FEW:
                last = last or now + DRAIN_NS
                if not zmq_poll(self._play_items, 0):
                    self._play_touched = False
                    return
            elif now > last:
                return

    def drain_watch(
        self, watched: Callable[[bytes, int], None], unwatched: Callable[[bytes, int], None], clock: Clock
    ) -> None:
        """Tell each new subscription, and each topic that lost its last subscriber.

        Who asks for something longer than a topic, or for topics without end, is cut off.
        """
        self._watch_touched = True
        last = clock() + DRAIN_NS
        while (now := clock()) <= last:
            try:
                frame = self._watch.recv(_NOW, copy=False)
            except zmq.Again:
                self._watch_touched = False
                return
            said, descriptor = frame.bytes, _source(frame)
            if said and said[0] <= _SUBSCRIBED and len(said) <= _LONGEST_TOPIC:
                if descriptor is not None:
                    self._watchers.spoke(descriptor)
                    self._watchers.subscribed(descriptor)
                (watched if said[0] == _SUBSCRIBED else unwatched)(said[1:], now)
            elif descriptor is not None:
                self._watchers.cut(descriptor, "rubbish")

    def send(
        self,
        outbox: Iterable[tuple[bytes, bytes]],
        lagging: Callable[[bytes, int], None],
        unreachable: Callable[[bytes, int], None],
        clock: Clock,
    ) -> None:
        """Send each (origin, data); whose queue is full is `lagging`, whose connection is gone `unreachable`.

        What these two put into the outbox meanwhile is sent as well.
        """
        play, send = self._play, RawSocket.send
        self._play_touched = True
        for origin, data in outbox:
            try:
                send(play, origin, _NOW_AND_MORE)
                send(play, data, _NOW)
            except zmq.Again:
                lagging(origin, clock())
            except zmq.ZMQError as error:
                if error.errno != zmq.EHOSTUNREACH:
                    raise
                unreachable(origin, clock())

    def publish(self, bulletins: Iterable[tuple[bytes, bytes]]) -> None:
        """Publish each (topic, data); a watcher whose queue is full misses it."""
        watch, send = self._watch, RawSocket.send
        self._watch_touched = True
        for topic, data in bulletins:
            send(watch, topic, _NOW_AND_MORE)
            send(watch, data, _NOW)

    def _hear(self, origin: bytes, data: zmq.Frame) -> None:
        """Note whose message it is where somebody has said nothing yet; who makes sense counts as a client."""
        descriptor = _source(data)
        if descriptor is None or descriptor not in self._players.silent:
            return
        self._players.speaks_as(descriptor, origin)
        if not data.more:
            with contextlib.suppress(WireError):
                decode_up(data.bytes)
                self._players.spoke(descriptor)

    def close(self, linger_ms: int = 0) -> None:
        """Close everything; what was sent to players has `linger_ms` to get out. May be called twice."""
        if self._context.closed:
            return
        for visitors in self._visitors:
            visitors.close()
        self._watch.close(0)
        self._play.close(linger_ms)
        self._doorkeeper.close()
        self._context.term()


def seed_routing_ids() -> None:
    """Seed C's `rand()`, which libzmq numbers its peers from and nobody seeds. Must come before the first socket."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        library.srand(ctypes.c_uint(secrets.randbits(32)))


def _guard(guarded: ZmqSocket, keys: Keys, domain: bytes) -> None:
    guarded.setsockopt(zmq.CURVE_SERVER, 1)
    guarded.setsockopt(zmq.CURVE_SECRETKEY, keys.secret.encode("ascii"))
    guarded.setsockopt(zmq.ZAP_DOMAIN, domain)
    guarded.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)


def _bind(guarded: ZmqSocket, place: Place, port: int) -> None:
    if port > _LAST_PORT:
        raise cannot_listen(errno.EADDRINUSE, place, port)
    ipv6 = place.family == socket.AF_INET6
    guarded.setsockopt(zmq.IPV6, int(ipv6))
    address = "*" if place.everywhere else f"[{place.address}]" if ipv6 else place.address
    try:
        guarded.bind(f"tcp://{address}:{port}")
    except zmq.ZMQError as error:
        raise cannot_listen(error.errno, place, port) from None


def _source(frame: zmq.Frame) -> int | None:
    """The descriptor that a message came over; None for one that libzmq made up, as when a watcher has gone."""
    try:
        return int(frame.get(_SOURCE))
    except (zmq.ZMQError, ValueError):
        return None


def _set(guarded: ZmqSocket, options: dict[zmq.SocketOption, int]) -> None:
    for option, value in options.items():
        guarded.setsockopt(option, value)


def _has_input(items: list[tuple[ZmqSocket, int]]) -> bool:
    # The option EVENTS tells the same, but pyzmq makes an enumeration's member of its number first: twice as slow.
    return bool(zmq_poll(items, 0))


def _descriptor(guarded: ZmqSocket) -> int:
    return int(guarded.getsockopt(zmq.FD))
