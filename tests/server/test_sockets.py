import select
import socket
import time
from collections.abc import Callable, Iterator

import pytest
import zmq

from speed_common.wire import MAX_UP_BYTES
from speed_server.addresses import CannotListenError, Place
from speed_server.keys import Keys
from speed_server.sockets import Sockets, seed_routing_ids

Socket = zmq.Socket[bytes]
LOOPBACK = Place("127.0.0.1", socket.AF_INET)
PATIENCE_S = 10
PUBLIC, SECRET = (key.decode() for key in zmq.curve_keypair())
KEYS = Keys("0123456789abcdef", PUBLIC, SECRET)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Rim:
    """Bound sockets on loopback, what came out of them, and peers to come in."""

    def __init__(self) -> None:
        self.play_port, self.watch_port = free_port(), free_port()
        self.sockets = Sockets(LOOPBACK, self.play_port, self.watch_port, KEYS)
        self.received: list[tuple[bytes, bytes, int]] = []
        self.topics: list[tuple[str, bytes]] = []
        self.lagging: list[bytes] = []
        self.unreachable: list[bytes] = []
        self.context: zmq.Context[Socket] = zmq.Context()
        self.peers: list[Socket] = []

    def peer(self, kind: int, *, key: str | None = PUBLIC) -> Socket:
        peer = self.context.socket(kind)
        self.peers.append(peer)
        peer.linger = 0
        peer.rcvtimeo = peer.sndtimeo = PATIENCE_S * 1_000
        if key is not None:
            peer.curve_serverkey = key.encode()
            peer.curve_publickey, peer.curve_secretkey = zmq.curve_keypair()
        port = self.watch_port if kind == zmq.SUB else self.play_port
        peer.connect(f"tcp://127.0.0.1:{port}")
        return peer

    def until(self, done: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        sockets = self.sockets
        while not done():
            assert time.monotonic() < deadline, "waited in vain"
            waits = 0.0 if sockets.play_pending() or sockets.watch_pending() else 0.005
            watched = [sockets.play_descriptor, sockets.watch_descriptor, *sockets.descriptors]
            for descriptor in select.select(watched, [], [], waits)[0]:
                if descriptor in sockets.descriptors:
                    sockets.descriptors[descriptor]()
            sockets.drain_play(lambda *message: self.received.append(message), time.perf_counter_ns)
            sockets.drain_watch(
                lambda topic, _: self.topics.append(("on", topic)),
                lambda topic, _: self.topics.append(("off", topic)),
                time.perf_counter_ns,
            )

    def send(self, origin: bytes, data: bytes, times: int = 1) -> None:
        self.sockets.send(
            [(origin, data)] * times,
            lambda origin, _: self.lagging.append(origin),
            lambda origin, _: self.unreachable.append(origin),
            time.perf_counter_ns,
        )

    def close(self) -> None:
        for peer in self.peers:
            peer.close()
        self.context.term()
        self.sockets.close()


@pytest.fixture
def rim() -> Iterator[Rim]:
    rim = Rim()
    yield rim
    rim.close()


def test_a_message_comes_in_with_its_instant_and_its_answer_goes_back(rim: Rim) -> None:
    player = rim.peer(zmq.DEALER)
    before = time.perf_counter_ns()
    player.send(b"hello")
    rim.until(lambda: rim.received)
    [(origin, data, now)] = rim.received
    assert data == b"hello"
    assert before < now < time.perf_counter_ns()
    rim.send(origin, b"welcome")
    assert player.recv() == b"welcome"


def test_two_players_are_two_origins(rim: Rim) -> None:
    for player in (rim.peer(zmq.DEALER), rim.peer(zmq.DEALER)):
        player.send(b"hello")
    rim.until(lambda: len(rim.received) == 2)
    assert len({origin for origin, _, _ in rim.received}) == 2


def test_one_drain_empties_the_socket_in_each_player_s_order(rim: Rim) -> None:
    players = [rim.peer(zmq.DEALER) for _ in range(2)]
    for number in range(200):
        for player in players:
            player.send(b"%d" % number)
    rim.until(lambda: len(rim.received) == 400)
    for one in {origin for origin, _, _ in rim.received}:
        assert [data for origin, data, _ in rim.received if origin == one] == [b"%d" % n for n in range(200)]
    stamps = [now for _, _, now in rim.received]
    assert stamps == sorted(stamps)


def test_an_empty_message_is_a_message(rim: Rim) -> None:
    rim.peer(zmq.DEALER).send(b"")
    rim.until(lambda: rim.received)
    assert rim.received[0][1] == b""


def test_a_message_of_several_frames_is_dropped_and_the_next_one_is_whole(rim: Rim) -> None:
    player = rim.peer(zmq.DEALER)
    player.send_multipart([b"one", b"two"])
    player.send_multipart([b"", b"two", b"three", b"four"])
    player.send(b"whole")
    rim.until(lambda: rim.received)
    assert [data for _, data, _ in rim.received] == [b"whole"]
    assert rim.sockets.malformed == 2


@pytest.mark.parametrize("key", [None, zmq.curve_keypair()[0].decode()], ids=["no encryption", "another server's key"])
def test_a_stranger_stays_outside_and_a_player_after_it_comes_in(rim: Rim, key: str | None) -> None:
    rim.peer(zmq.DEALER, key=key).send(b"let me in")
    rim.until(lambda: rim.sockets.failed_handshakes)
    rim.peer(zmq.DEALER).send(b"hello")
    rim.until(lambda: rim.received)
    assert [data for _, data, _ in rim.received] == [b"hello"]


def test_too_large_a_message_ends_its_connection_and_is_never_seen(rim: Rim) -> None:
    player = rim.peer(zmq.DEALER)
    player.send(b"x" * MAX_UP_BYTES)
    rim.until(lambda: rim.received)
    with player.get_monitor_socket(zmq.EVENT_DISCONNECTED) as monitor:
        player.send(b"x" * (MAX_UP_BYTES + 1))
        rim.until(lambda: monitor.poll(0))
        player.disable_monitor()
    assert len(rim.received) == 1


def test_a_message_to_nobody_is_unreachable(rim: Rim) -> None:
    rim.send(b"\x00nobody", b"hello")
    assert rim.unreachable == [b"\x00nobody"]


def test_who_left_is_unreachable(rim: Rim) -> None:
    player = rim.peer(zmq.DEALER)
    player.send(b"hello")
    rim.until(lambda: rim.received)
    player.close()

    def told() -> bool:
        rim.send(rim.received[0][0], b"still there?")
        return bool(rim.unreachable)

    rim.until(told)


def test_who_does_not_read_is_lagging_and_the_others_get_theirs(rim: Rim) -> None:
    stuck, player = rim.peer(zmq.DEALER), rim.peer(zmq.DEALER)
    for peer, name in ((stuck, b"stuck"), (player, b"player")):
        peer.send(name)
    rim.until(lambda: len(rim.received) == 2)
    origins = {data: origin for origin, data, _ in rim.received}

    def told() -> bool:
        rim.send(origins[b"stuck"], b"x" * 60_000, times=100)
        return bool(rim.lagging)

    rim.until(told)
    assert set(rim.lagging) == {origins[b"stuck"]}
    rim.send(origins[b"player"], b"yours")
    assert player.recv() == b"yours"


def test_every_new_watcher_is_told_of_and_a_topic_s_last_one_leaving(rim: Rim) -> None:
    watchers = [rim.peer(zmq.SUB) for _ in range(2)]
    for number, watcher in enumerate(watchers):
        watcher.subscribe(b"table/1/")
        rim.until(lambda: len(rim.topics) > number)  # noqa: B023  # it is asked within this turn
    assert rim.topics == [("on", b"table/1/")] * 2
    watchers[0].close()
    watchers[1].unsubscribe(b"table/1/")
    rim.until(lambda: len(rim.topics) == 3)
    assert rim.topics[-1] == ("off", b"table/1/")


def test_a_watcher_gets_its_own_topic_only(rim: Rim) -> None:
    watcher = rim.peer(zmq.SUB)
    watcher.subscribe(b"table/1/")
    rim.until(lambda: rim.topics)
    rim.sockets.publish([(b"table/12/", b"no"), (b"lobby", b"no"), (b"table/1/", b"yes")])
    assert watcher.recv_multipart() == [b"table/1/", b"yes"]


@pytest.mark.parametrize("length", [100, 400, 1_000, 4_000])
def test_a_watchers_endless_topic_is_not_passed_on_and_hinders_nobody(rim: Rim, length: int) -> None:
    greedy = rim.peer(zmq.SUB)
    greedy.subscribe(b"x" * length)
    watcher = rim.peer(zmq.SUB)
    watcher.subscribe(b"lobby")
    rim.until(lambda: rim.topics)
    assert rim.topics == [("on", b"lobby")]


@pytest.mark.parametrize("taken", ["play", "watch"])
def test_a_taken_port_names_the_remedy_and_leaves_nothing_open(taken: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        play, watch = (port, free_port()) if taken == "play" else (free_port(), port)
        with pytest.raises(CannotListenError, match=f"port {port} is in use.*--port") as caught:
            Sockets(LOOPBACK, play, watch, KEYS)
        assert caught.value.taken


def test_a_port_above_the_last_counts_as_taken() -> None:
    with pytest.raises(CannotListenError) as caught:
        Sockets(LOOPBACK, free_port(), 65_536, KEYS)
    assert caught.value.taken


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_both_families_reach_a_server_on_every_address(host: str) -> None:
    play = free_port()
    sockets = Sockets(Place("", socket.AF_INET6), play, free_port(), KEYS)
    with zmq.Context() as context, context.socket(zmq.DEALER) as player:
        player.linger = 0
        player.ipv6 = True
        player.curve_serverkey = PUBLIC.encode()
        player.curve_publickey, player.curve_secretkey = zmq.curve_keypair()
        player.connect(f"tcp://{host}:{play}")
        player.send(b"hello")
        received: list[bytes] = []
        deadline = time.monotonic() + PATIENCE_S
        while not received:
            assert time.monotonic() < deadline
            for descriptor in select.select([sockets.play_descriptor, *sockets.descriptors], [], [], 0.1)[0]:
                sockets.descriptors.get(descriptor, bool)()
            sockets.drain_play(lambda _, data, __: received.append(data), time.perf_counter_ns)
        assert received == [b"hello"]
    sockets.close()


def test_seeding_the_routing_ids_is_harmless_wherever_it_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    seed_routing_ids()

    def refuse(_: object) -> None:
        raise OSError

    monkeypatch.setattr("ctypes.CDLL", refuse)
    seed_routing_ids()
