import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import zmq

from speed_server.addresses import Place
from speed_server.app import App, Stats, Summary
from speed_server.door import Door, Plate
from speed_server.keys import Keys
from speed_server.records import Finished
from speed_server.sockets import Sockets

Socket = zmq.Socket[bytes]
LOOPBACK = Place("127.0.0.1", socket.AF_INET)
PATIENCE_S = 10
MS = 1_000_000
PUBLIC, SECRET = (key.decode() for key in zmq.curve_keypair())
KEYS = Keys("0123456789abcdef", PUBLIC, SECRET)


class EchoCore:
    """A hub that knows no game: it says everything back at the next tick, and writes down what it is told."""

    def __init__(self) -> None:
        self.outbox: list[tuple[bytes, bytes]] = []
        self.bulletins: list[tuple[bytes, bytes]] = []
        self.records: list[Finished] = []
        self.broken_messages = 0
        self.waiting: list[tuple[bytes, bytes]] = []
        self.ticks: list[int] = []
        self.due: int | None = None
        self.told: list[tuple[str, bytes]] = []
        self.round_trips: list[tuple[bytes, int]] = []
        self.origins: list[bytes] = []
        self.after_tick: Callable[[], None] = lambda: None

    @property
    def dirty(self) -> bool:
        return bool(self.waiting)

    def receive(self, origin: bytes, data: bytes, now: int) -> None:  # noqa: ARG002
        self.origins.append(origin)
        self.waiting.append((origin, data))

    def watched(self, topic: bytes, now: int) -> None:  # noqa: ARG002
        self.bulletins.append((topic, b"keyframe"))

    def unwatched(self, topic: bytes, now: int) -> None:  # noqa: ARG002
        self.told.append(("unwatched", topic))

    def lagging(self, origin: bytes, now: int) -> None:  # noqa: ARG002
        self.told.append(("lagging", origin))

    def unreachable(self, origin: bytes, now: int) -> None:  # noqa: ARG002
        self.told.append(("unreachable", origin))
        if self.origins:
            self.outbox.append((self.origins[0], b"somebody left"))

    def measured(self, origin: bytes, rtt_ns: int) -> None:
        self.round_trips.append((origin, rtt_ns))

    def next_due(self) -> int | None:
        return self.due

    def advance(self, now: int) -> None:
        self.ticks.append(now)
        self.outbox += self.waiting
        self.waiting.clear()
        self.due = None
        self.after_tick()

    def stop(self, now: int) -> None:  # noqa: ARG002
        self.outbox += [(origin, b"goodbye") for origin in self.origins]

    def summary(self) -> Summary:
        return SimpleNamespace(players=len(self.origins), tables=7)


class Evening:
    """An app over an `EchoCore` on loopback, with clients."""

    def __init__(self, clock: Callable[[], int] = time.perf_counter_ns, stats: Stats | None = None) -> None:
        self.core = EchoCore()
        self.door = Door(LOOPBACK, 0)
        with socket.create_server(("127.0.0.1", 0)) as play, socket.create_server(("127.0.0.1", 0)) as watch:
            self.play_port, self.watch_port = (int(one.getsockname()[1]) for one in (play, watch))
        sockets = Sockets(LOOPBACK, self.play_port, self.watch_port, KEYS)
        plate = Plate("here", KEYS, self.door.port)
        self.app = App(self.core, sockets, self.door, plate, clock, stats=stats)
        self.context: zmq.Context[Socket] = zmq.Context()
        self.peers: list[Socket] = []

    def peer(self, kind: int) -> Socket:
        peer = self.context.socket(kind)
        self.peers.append(peer)
        peer.linger = 0
        peer.rcvtimeo = PATIENCE_S * 1_000
        peer.curve_serverkey = PUBLIC.encode()
        peer.curve_publickey, peer.curve_secretkey = zmq.curve_keypair()
        peer.connect(f"tcp://127.0.0.1:{self.watch_port if kind == zmq.SUB else self.play_port}")
        return peer

    def until(self, done: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < deadline, "waited in vain"
            self.app.turn(5 * MS)

    def answer_to(self, peer: Socket) -> list[bytes]:
        self.until(lambda: peer.poll(0))
        return peer.recv_multipart()

    def close(self) -> None:
        self.app.close()
        for peer in self.peers:
            peer.close()
        self.context.term()


@pytest.fixture
def evening() -> Iterator[Evening]:
    evening = Evening()
    yield evening
    evening.close()


class Hand:
    """A clock that a test turns by hand."""

    def __init__(self) -> None:
        self.now = 1_000 * MS

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def slow(hand: Hand) -> Iterator[Evening]:
    evening = Evening(hand)
    yield evening
    evening.close()


def test_what_a_player_says_is_ticked_and_answered(evening: Evening) -> None:
    player = evening.peer(zmq.DEALER)
    for word in (b"one", b"two"):
        player.send(word)
        assert evening.answer_to(player) == [word]


@pytest.mark.skipif(sys.platform != "linux", reason="round trips are told by Linux")
def test_the_core_is_told_the_kernels_round_trip_to_each_player(evening: Evening) -> None:
    players = [evening.peer(zmq.DEALER) for _ in range(2)]
    for player in players:
        player.send(b"hello")
        evening.answer_to(player)
    evening.until(lambda: len({origin for origin, _ in evening.core.round_trips}) == len(players))
    assert {origin for origin, _ in evening.core.round_trips} == set(evening.core.origins)
    assert all(0 < rtt_ns < 1_000 * MS for _, rtt_ns in evening.core.round_trips)


def test_a_watcher_gets_a_keyframe_at_once(evening: Evening) -> None:
    watcher = evening.peer(zmq.SUB)
    watcher.subscribe(b"lobby")
    assert evening.answer_to(watcher) == [b"lobby", b"keyframe"]
    watcher.close()
    evening.until(lambda: evening.core.told)
    assert evening.core.told == [("unwatched", b"lobby")]


def test_the_network_is_told_the_counts_every_ten_seconds_even_if_nothing_happens(slow: Evening, hand: Hand) -> None:
    told: list[tuple[int, int]] = []
    slow.app._teller = SimpleNamespace(tell=lambda players, tables: told.append((players, tables)))
    slow.app.turn(0)
    assert told == []
    for _ in range(3):
        hand.now += 10_000 * MS
        slow.app.turn()
        slow.app.turn(0)
    assert told == [(0, 7)] * 3


def test_the_door_tells_who_is_here(evening: Evening) -> None:
    evening.peer(zmq.DEALER).send(b"hello")
    evening.until(lambda: evening.core.origins)
    with socket.create_connection(("127.0.0.1", evening.door.port), timeout=PATIENCE_S) as visitor:
        visitor.setblocking(False)
        said = b""

        def complete() -> bool:
            nonlocal said
            try:
                said += visitor.recv(4096)
            except BlockingIOError:
                return False
            return said.endswith(b"\n")

        evening.until(complete)
    line = json.loads(said)
    assert (line["name"], line["players"], line["tables"]) == ("here", 1, 7)


def test_what_was_received_is_run_at_once(hand: Hand, slow: Evening) -> None:
    core = slow.core
    core.waiting.append((b"nobody", b"one"))
    slow.app.turn(0)
    assert core.ticks == [hand.now]
    slow.app.turn(0)
    assert core.ticks == [hand.now]


def test_a_timer_is_not_run_before_its_time(hand: Hand, slow: Evening) -> None:
    core = slow.core
    core.due = hand.now + 10 * MS
    hand.now += 10 * MS - 1
    slow.app.turn(0)
    assert core.ticks == []
    hand.now += 1
    slow.app.turn(0)
    assert core.ticks == [hand.now]


def test_an_idle_server_does_not_tick(hand: Hand, slow: Evening) -> None:
    hand.now += 3_600_000 * MS
    slow.app.turn(0)
    assert slow.core.ticks == []


def test_a_timer_wakes_the_sleeper(evening: Evening) -> None:
    due = evening.core.due = time.perf_counter_ns() + 3 * MS
    while not evening.core.ticks:
        evening.app.turn()
    assert evening.core.ticks[0] >= due


def test_what_the_core_says_about_a_lost_player_goes_out_as_well(evening: Evening) -> None:
    player = evening.peer(zmq.DEALER)
    player.send(b"hello")
    assert evening.answer_to(player) == [b"hello"]
    evening.core.waiting.append((b"\x00gone", b"are you there?"))
    assert evening.answer_to(player) == [b"somebody left"]
    assert evening.core.told == [("unreachable", b"\x00gone")]


def test_stop_ends_the_run_and_everybody_hears_of_it(evening: Evening) -> None:
    player = evening.peer(zmq.DEALER)
    player.send(b"hello")
    evening.core.after_tick = evening.app.stop
    evening.app.run()
    evening.app.close()
    assert [player.recv(), player.recv()] == [b"hello", b"goodbye"]


def test_stop_before_the_wait_is_not_slept_over(evening: Evening) -> None:
    evening.app.stop()
    evening.app.run()


def test_a_byte_at_the_wake_descriptor_ends_the_wait(evening: Evening) -> None:
    with socket.socket(fileno=evening.app.wake_descriptor) as waker:
        waker.send(b"\x0f")
        waker.detach()
    evening.app.turn()


def test_garbage_is_collected_while_nothing_is_due_and_only_then(
    hand: Hand, slow: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    collections: list[int] = []
    monkeypatch.setattr("gc.isenabled", lambda: False)
    monkeypatch.setattr("gc.collect", lambda: collections.append(hand.now))
    hand.now += 11_000 * MS
    slow.core.due = hand.now + 5 * MS
    slow.app.turn(0)
    assert collections == []
    slow.core.due = None
    slow.app.turn(0)
    assert collections == [hand.now]
    hand.now += 61_000 * MS
    slow.core.due = hand.now + 5 * MS
    slow.app.turn(0)
    assert collections[1:] == [hand.now]


class Figures:
    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def write(self, figures: dict[str, Any]) -> None:
        self.lines.append(figures)


def test_the_figures_say_how_late_a_timer_was_and_come_every_five_seconds() -> None:
    shift, figures = 0, Figures()
    evening = Evening(lambda: time.perf_counter_ns() + shift, figures)
    evening.core.due = time.perf_counter_ns() + 2 * MS
    evening.until(lambda: evening.core.ticks)
    assert not figures.lines
    shift = 5_000 * MS
    evening.until(lambda: figures.lines)
    (line,) = figures.lines
    assert line["late"]["ticks"] == 1
    assert line["connections"] == line["lagging"] == 0
    assert line["tables"] == 7
    evening.close()
