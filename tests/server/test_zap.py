from collections.abc import Iterator

import pytest
import zmq

from speed_server.zap import DOMAIN, ENDPOINT, Doorkeeper, verdict

CURVE = [b"1.0", b"42", DOMAIN, b"192.0.2.7", b"", b"CURVE", b"k" * 32]


@pytest.fixture
def context() -> Iterator[zmq.Context[zmq.Socket[bytes]]]:
    with zmq.Context() as context:
        yield context


def test_whoever_speaks_curve_comes_in() -> None:
    assert verdict(CURVE) == (b"200", b"OK")


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
    assert verdict(request_)[0] == b"400"


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
