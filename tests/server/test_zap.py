from collections.abc import Iterator

import pytest
import zmq

from speed_server.limits import Limits
from speed_server.zap import ENDPOINT, PLAY_DOMAIN, WATCH_DOMAIN, Doorkeeper, Locks, verdict

CURVE = [b"1.0", b"42", PLAY_DOMAIN, b"192.0.2.7", b"", b"CURVE", b"k" * 32]
OPEN = {PLAY_DOMAIN: None, WATCH_DOMAIN: None}


@pytest.fixture
def context() -> Iterator[zmq.Context[zmq.Socket[bytes]]]:
    with zmq.Context() as context:
        yield context


def test_whoever_speaks_curve_comes_in() -> None:
    assert verdict(CURVE, OPEN) == (b"200", b"OK")


@pytest.mark.parametrize(
    "request_",
    [
        [*CURVE[:5], b"NULL"],
        [*CURVE[:5], b"NULL", b"k" * 32],
        [*CURVE[:5], b"PLAIN", b"anna", b"secret"],
        [*CURVE[:6], b"k" * 31],
        [*CURVE, b"more"],
        CURVE[:6],
        [],
        [b"2.0", *CURVE[1:]],
        [*CURVE[:2], b"other", *CURVE[3:]],
    ],
    ids=["null", "null with a key", "plain", "short key", "two keys", "no key", "empty", "version", "domain"],
)
def test_everybody_else_stays_out(request_: list[bytes]) -> None:
    assert verdict(request_, OPEN)[0] == b"400"


def test_all_that_is_asked_is_answered_under_its_number(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    doorkeeper = Doorkeeper(context)
    libraries = [context.socket(zmq.REQ) for _ in range(3)]
    for number, library in enumerate(libraries):
        library.connect(ENDPOINT)
        library.send_multipart([b"1.0", b"%d" % number, *CURVE[2:]])
    while doorkeeper.admitted < len(libraries):
        assert doorkeeper.socket.poll(5_000)
        doorkeeper.answer()
    for number, library in enumerate(libraries):
        assert library.poll(5_000)
        assert library.recv_multipart() == [b"1.0", b"%d" % number, b"200", b"OK", b"", b""]
        library.close()
    doorkeeper.close()


def test_a_refusal_is_counted(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    doorkeeper = Doorkeeper(context)
    with context.socket(zmq.REQ) as library:
        library.connect(ENDPOINT)
        library.send_multipart([*CURVE[:5], b"NULL"])
        assert doorkeeper.socket.poll(5_000)
        doorkeeper.answer()
        assert library.poll(5_000)
        assert library.recv_multipart()[2] == b"400"
    assert (doorkeeper.admitted, doorkeeper.refused) == (0, 1)
    doorkeeper.close()


def test_a_closed_socket_takes_its_own_keys_and_leaves_the_other_socket_open() -> None:
    locks = {PLAY_DOMAIN: frozenset({b"k" * 32}), WATCH_DOMAIN: None}
    stranger = [*CURVE[:6], b"x" * 32]
    assert verdict(CURVE, locks) == (b"200", b"OK")
    assert verdict(stranger, locks) == (b"400", b"wrong passcode")
    assert verdict([*stranger[:2], WATCH_DOMAIN, *stranger[3:]], locks)[0] == b"200"


class Closed:
    """A doorkeeper of a closed server, whom libzmq would ask, and a clock that is turned by hand."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        self.now = 0
        self.doorkeeper = Doorkeeper(context, Locks(frozenset({b"k" * 32})), Limits(), lambda: self.now)
        self.library = context.socket(zmq.REQ)
        self.library.connect(ENDPOINT)

    def ask(self, key: bytes, address: bytes = b"192.0.2.7") -> bytes:
        self.library.send_multipart([*CURVE[:3], address, *CURVE[4:6], key * 32])
        assert self.doorkeeper.socket.poll(5_000)
        self.doorkeeper.answer()
        assert self.library.poll(5_000)
        return self.library.recv_multipart()[2]

    def close(self) -> None:
        self.library.close()
        self.doorkeeper.close()


@pytest.fixture
def closed(context: zmq.Context[zmq.Socket[bytes]]) -> Iterator[Closed]:
    closed = Closed(context)
    yield closed
    closed.close()


def test_who_guessed_too_often_is_not_told_whether_the_next_one_was_right(closed: Closed) -> None:
    assert [closed.ask(b"x") for _ in range(6)] == [b"400"] * 5 + [b"500"]
    assert closed.ask(b"k") == b"500"
    assert closed.ask(b"k", b"192.0.2.8") == b"200"
    closed.now += Limits().guesses_ns
    assert closed.ask(b"k") == b"200"


def test_an_address_is_counted_under_one_spelling_and_one_that_is_none_as_it_is(closed: Closed) -> None:
    for said in (b"192.0.2.7", b"::ffff:192.0.2.7") * 3:
        last = closed.ask(b"x", said)
    assert last == b"500"
    assert closed.ask(b"x", b"\xff") == b"400"
