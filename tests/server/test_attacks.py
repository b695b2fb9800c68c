"""Peers who mean ill, on real sockets: what each of them tries ends, and whoever plays meanwhile notices nothing."""

from __future__ import annotations

import os
import select
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator

import pytest
import zmq
from zmq.utils import z85

from speed_common import __version__, wire
from speed_server.addresses import Place
from speed_server.app import App
from speed_server.door import Door, Plate
from speed_server.hub import Hub
from speed_server.keys import Keys
from speed_server.limits import Limits
from speed_server.settings import MS, HubSettings
from speed_server.sockets import Sockets
from speed_server.zap import OPEN, Locks

Socket = zmq.Socket[bytes]
LOOPBACK = Place("127.0.0.1", socket.AF_INET)
PATIENCE_S = 10
PUBLIC, SECRET = (key.decode() for key in zmq.curve_keypair())
KEYS = Keys("0123456789abcdef", PUBLIC, SECRET)
PAIR = zmq.curve_keypair()
BRIEF = Limits(silence_ns=200 * MS)
HELLO = wire.encode(wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, __version__, "anna"))


class Siege:
    """A real server on loopback, turned by hand, and those who come to it."""

    def __init__(self, limits: Limits, locks: Locks = OPEN) -> None:
        self.door = Door(LOOPBACK, 0)
        with socket.create_server(("127.0.0.1", 0)) as play, socket.create_server(("127.0.0.1", 0)) as watch:
            self.play, self.watch = (int(one.getsockname()[1]) for one in (play, watch))
        self.sockets = Sockets(LOOPBACK, self.play, self.watch, KEYS, locks, limits)
        self.hub = Hub(HubSettings(), KEYS.server_id, os.urandom, time.perf_counter_ns())
        plate = Plate("here", KEYS, self.door.port)
        self.app = App(self.hub, self.sockets, self.door, plate, time.perf_counter_ns, limits=limits)
        self.context: zmq.Context[Socket] = zmq.Context()
        self.peers: list[Socket] = []
        self.strangers: list[socket.socket] = []

    def peer(self, kind: int, pair: tuple[bytes, bytes] | None = PAIR, key: str = PUBLIC) -> Socket:
        peer = self.context.socket(kind)
        self.peers.append(peer)
        peer.linger = 0
        peer.sndhwm = 0
        peer.rcvtimeo = peer.sndtimeo = PATIENCE_S * 1_000
        if pair is not None:
            peer.curve_serverkey = key.encode()
            peer.curve_publickey, peer.curve_secretkey = pair
        peer.connect(f"tcp://127.0.0.1:{self.watch if kind == zmq.SUB else self.play}")
        return peer

    def player(self) -> Socket:
        """One who is at the server, welcomed."""
        player = self.peer(zmq.DEALER, zmq.curve_keypair())
        player.send(HELLO)
        self.until(lambda: player.poll(0))
        assert isinstance(wire.decode_down(player.recv()), wire.Welcome)
        return player

    def stranger(self, port: int, said: bytes = b"") -> socket.socket:
        stranger = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.strangers.append(stranger)
        stranger.sendall(said)
        return stranger

    def monitor(self, peer: Socket, events: int) -> Socket:
        monitor = peer.get_monitor_socket(events)
        self.peers.append(monitor)
        return monitor

    def until(self, done: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < deadline, "waited in vain"
            self.app.turn(5 * MS)

    def assert_serves(self) -> None:
        """Somebody new comes in and is welcomed."""
        self.player()

    def close(self) -> None:
        self.app.close()
        for stranger in self.strangers:
            stranger.close()
        for peer in self.peers:
            if not peer.closed:
                peer.disable_monitor()
                peer.close()
        self.context.term()


@pytest.fixture
def siege() -> Iterator[Siege]:
    siege = Siege(BRIEF)
    yield siege
    siege.close()


@pytest.fixture
def closed() -> Iterator[Siege]:
    siege = Siege(Limits(), Locks(frozenset({z85.decode(PAIR[0])})))
    yield siege
    siege.close()


def has_ended(stranger: socket.socket) -> bool:
    """Whether the other end closed; what it said before is read away."""
    while select.select([stranger], [], [], 0)[0]:
        try:
            if not stranger.recv(65_536):
                return True
        except ConnectionError:
            return True
    return False


def client_hello() -> bytes:
    """How a TLS client begins."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="here.example")
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    return outgoing.read()


# --- the handshake ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("port", ["play", "watch"])
@pytest.mark.parametrize(
    "said",
    [b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" * 4, client_hello(), b"\xff" + bytes(200), os.urandom(2_000)],
    ids=["http", "tls", "half a greeting", "noise"],
)
def test_another_protocol_ends_before_anything_of_it_is_heard(siege: Siege, port: str, said: bytes) -> None:
    stranger = siege.stranger(getattr(siege, port), said)
    siege.until(lambda: has_ended(stranger))
    assert siege.hub.broken_messages == 0
    siege.assert_serves()


@pytest.mark.parametrize("said", [b"", b"\xff\0\0\0\0\0\0\0\1\x7f"], ids=["nothing", "half a greeting"])
def test_who_does_not_finish_the_handshake_is_cut_off_as_silent(siege: Siege, said: bytes) -> None:
    strangers = [siege.stranger(port, said) for port in (siege.play, siege.watch)]
    siege.until(lambda: all(map(has_ended, strangers)))
    assert siege.sockets.cut_off["silent"] == 2
    siege.assert_serves()


def test_a_flood_of_wrong_keys_never_gets_in_and_players_do(siege: Siege) -> None:
    player = siege.player()
    other = zmq.curve_keypair()[0].decode()
    for _ in range(50):
        siege.peer(zmq.DEALER, zmq.curve_keypair(), other).send(HELLO)
    siege.until(lambda: siege.sockets.failed_handshakes >= 50)
    player.send(HELLO)
    siege.until(lambda: player.poll(0))
    assert siege.hub.summary().players == 1


def test_who_does_not_encrypt_stays_outside(siege: Siege) -> None:
    siege.peer(zmq.DEALER, None).send(HELLO)
    siege.until(lambda: siege.sockets.failed_handshakes)
    assert siege.hub.summary().players == 0


# --- the passcode -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [zmq.DEALER, zmq.SUB], ids=["play", "watch"])
def test_a_stranger_at_a_closed_server_is_refused_in_the_handshake(closed: Siege, kind: int) -> None:
    locks = Locks(*[frozenset({z85.decode(PAIR[0])})] * 2)
    siege = Siege(Limits(), locks)
    stranger = siege.peer(kind, zmq.curve_keypair())
    monitor = siege.monitor(stranger, zmq.EVENT_HANDSHAKE_FAILED_AUTH)
    siege.until(lambda: monitor.poll(0))
    assert int.from_bytes(monitor.recv()[2:6], sys.byteorder) == 400
    assert siege.hub.summary().players == 0
    siege.close()
    assert closed.sockets.refused_handshakes == 0


def test_who_knows_the_passcode_comes_in(closed: Siege) -> None:
    player = closed.peer(zmq.DEALER)
    player.send(HELLO)
    closed.until(lambda: player.poll(0))
    assert isinstance(wire.decode_down(player.recv()), wire.Welcome)


def test_the_sixth_guess_of_an_address_is_not_even_looked_at(closed: Siege) -> None:
    codes = []
    for pair in [*[zmq.curve_keypair() for _ in range(5)], PAIR]:
        guesser = closed.peer(zmq.DEALER, pair)
        monitor = closed.monitor(guesser, zmq.EVENT_HANDSHAKE_FAILED_AUTH)
        closed.until(lambda: monitor.poll(0))  # noqa: B023  # it is asked within this turn
        codes.append(int.from_bytes(monitor.recv()[2:6], sys.byteorder))
        guesser.disable_monitor()
        guesser.close()
    assert codes == [400] * 5 + [500]


def test_who_is_in_plays_on_while_others_guess(closed: Siege) -> None:
    player = closed.peer(zmq.DEALER)
    player.send(HELLO)
    closed.until(lambda: player.poll(0))
    for _ in range(8):
        closed.peer(zmq.DEALER, zmq.curve_keypair()).send(HELLO)
    closed.until(lambda: closed.sockets.refused_handshakes >= 8)
    player.recv()
    player.send(HELLO)
    closed.until(lambda: player.poll(0))


# --- inside -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [None, b"rubbish", wire.encode(wire.Goodbye("name", "no"))])
def test_who_says_nothing_that_makes_sense_is_cut_off(siege: Siege, said: bytes | None) -> None:
    silent = siege.peer(zmq.DEALER)
    silent.reconnect_ivl = -1
    if said is not None:
        silent.send(said)
    player = siege.player()
    siege.until(lambda: siege.sockets.cut_off["silent"])
    player.send(HELLO)
    siege.until(lambda: player.poll(0))
    assert siege.sockets.cut_off["silent"] == 1


def test_a_watcher_who_asks_for_nothing_is_cut_off_and_one_who_does_is_not(siege: Siege) -> None:
    siege.peer(zmq.SUB)
    watcher = siege.peer(zmq.SUB)
    watcher.subscribe(b"lobby")
    siege.until(lambda: siege.sockets.cut_off["silent"])
    siege.until(lambda: watcher.poll(0))
    assert siege.sockets.cut_off["silent"] == 1


@pytest.mark.parametrize("said", [HELLO, b"rubbish"], ids=["hello", "rubbish"])
def test_a_flood_is_cut_off_and_the_others_play_on(siege: Siege, said: bytes) -> None:
    player, flood = siege.player(), siege.peer(zmq.DEALER, zmq.curve_keypair())
    gone = siege.monitor(flood, zmq.EVENT_DISCONNECTED)
    for _ in range(2_000):
        flood.send(said)
    siege.until(lambda: gone.poll(0))
    assert siege.sockets.cut_off["flood"] >= 1
    player.send(HELLO)
    siege.until(lambda: player.poll(0))
    assert siege.hub.broken_messages < 200


def test_requests_over_the_budget_are_refused_as_too_fast(siege: Siege) -> None:
    player = siege.player()
    play = wire.encode(wire.PlayCard(b"t" * wire.TICKET_BYTES, 7, 0, -1, 0, 1))
    for _ in range(60):
        player.send(play)
    words: list[str] = []

    def refused() -> bool:
        while player.poll(0):
            said = wire.decode_down(player.recv())
            words.append(said.word if isinstance(said, wire.Refused | wire.Goodbye) else "")
        return "too_fast" in words

    siege.until(refused)
    assert siege.sockets.cut_off["flood"] == 0


@pytest.mark.parametrize("topic", [b"table/%d/", b"x%d"])
def test_a_subscription_bomb_is_cut_off_and_watchers_watch_on(siege: Siege, topic: bytes) -> None:
    watcher, bomb = siege.peer(zmq.SUB), siege.peer(zmq.SUB)
    watcher.subscribe(b"lobby")
    siege.until(lambda: watcher.poll(0))
    watcher.recv_multipart()
    gone = siege.monitor(bomb, zmq.EVENT_DISCONNECTED)
    for number in range(3_000):
        bomb.subscribe(topic % number)
    siege.until(lambda: gone.poll(0))
    assert siege.sockets.cut_off["topics"] + siege.sockets.cut_off["bytes"] >= 1
    siege.player()
    siege.until(lambda: watcher.poll(0))


def test_an_endless_topic_is_cut_off(siege: Siege) -> None:
    greedy = siege.peer(zmq.SUB)
    gone = siege.monitor(greedy, zmq.EVENT_DISCONNECTED)
    greedy.subscribe(b"x" * 200)
    siege.until(lambda: gone.poll(0))
    assert siege.sockets.cut_off["rubbish"] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="bytes are told by Linux")
def test_who_sends_more_bytes_than_its_requests_can_have_is_cut_off() -> None:
    """Frames of a message that never ends would do it too; no library sends such, and nobody counts those messages."""
    siege = Siege(Limits(requests_per_second=0))
    player, greedy = siege.player(), siege.peer(zmq.DEALER, zmq.curve_keypair())
    gone = siege.monitor(greedy, zmq.EVENT_DISCONNECTED)
    for _ in range(400):
        greedy.send(b"x" * 4_000)
    siege.until(lambda: gone.poll(0))
    assert siege.sockets.cut_off["bytes"] == 1
    player.send(HELLO)
    siege.until(lambda: player.poll(0))
    siege.close()


def test_honest_connections_stay_however_long(siege: Siege) -> None:
    """Longer than anybody may be silent at first, with a word now and then."""
    player, watcher = siege.player(), siege.peer(zmq.SUB)
    watcher.subscribe(b"lobby")
    gone = [siege.monitor(peer, zmq.EVENT_DISCONNECTED) for peer in (player, watcher)]
    end = time.perf_counter_ns() + 3 * BRIEF.silence_ns
    siege.until(lambda: time.perf_counter_ns() > end)
    assert not any(monitor.poll(0) for monitor in gone)
    assert not siege.sockets.cut_off
