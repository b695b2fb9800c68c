import select
import socket
from collections.abc import Iterator

import pytest
import zmq

from speed_server.addresses import Place, reachable
from speed_server.limits import Limits
from speed_server.visitors import Visitors, plain_address

Socket = zmq.Socket[bytes]


@pytest.fixture
def host() -> Iterator[Socket]:
    with zmq.Context() as context, context.socket(zmq.ROUTER) as host:
        host.linger = 0
        yield host


def port_of(host: Socket) -> int:
    return int(host.getsockopt_string(zmq.LAST_ENDPOINT).rpartition(":")[2])


def read_until(visitors: Visitors, connected: int, shut_out: int = 0) -> None:
    while (visitors.connected, visitors.shut_out) != (connected, shut_out):
        assert visitors.socket.poll(5_000), (visitors.connected, visitors.shut_out)
        visitors.read()


def test_who_comes_and_who_goes_is_counted(host: Socket) -> None:
    visitors = Visitors(host)
    host.bind("tcp://127.0.0.1:*")
    first, second = (socket.create_connection(("127.0.0.1", port_of(host))) for _ in range(2))
    read_until(visitors, 2)
    first.close()
    read_until(visitors, 1)
    second.close()
    read_until(visitors, 0)
    visitors.close()


def test_a_failed_handshake_is_counted(host: Socket) -> None:
    visitors = Visitors(host)
    host.bind("tcp://127.0.0.1:*")
    with socket.create_connection(("127.0.0.1", port_of(host))) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" * 4)
        stranger.shutdown(socket.SHUT_WR)
        while not visitors.failed_handshakes:
            assert visitors.socket.poll(5_000)
            visitors.read()
    visitors.close()


def test_this_machine_may_connect_as_often_as_it_likes(host: Socket) -> None:
    visitors = Visitors(host, Limits(connections_of_one_address=1))
    host.bind("tcp://127.0.0.1:*")
    crowd = [socket.create_connection(("127.0.0.1", port_of(host))) for _ in range(3)]
    read_until(visitors, 3)
    for visitor in crowd:
        visitor.close()
    visitors.close()


def test_one_address_too_many_is_shut_out_and_the_others_stay(host: Socket) -> None:
    address = reachable(Place("", socket.AF_INET))[0]
    if address == "127.0.0.1":
        pytest.skip("this machine has no address but loopback")
    visitors = Visitors(host, Limits(connections_of_one_address=2))
    host.bind(f"tcp://{address}:*")
    crowd = [socket.create_connection((address, port_of(host)), timeout=5) for _ in range(3)]
    read_until(visitors, 2, shut_out=1)
    ended = [visitor for visitor in crowd if _has_ended(visitor)]
    assert len(ended) == 1
    for visitor in crowd:
        visitor.close()
    visitors.close()


def _has_ended(visitor: socket.socket) -> bool:
    """Whether the other side closed; the greeting that libzmq sends first is read away."""
    visitor.setblocking(False)
    try:
        while visitor.recv(4_096):
            pass
    except BlockingIOError:
        return False
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::7", "2001:db8::7"),
        ("fe80::7%eth0", "fe80::7"),
    ],
)
def test_an_address_is_counted_under_one_spelling(said: str, plain: str) -> None:
    assert plain_address(said) == plain


def test_reading_with_nothing_said_is_no_error(host: Socket) -> None:
    visitors = Visitors(host)
    assert not select.select([visitors.socket.FD], [], [], 0)[0]
    visitors.read()
    visitors.close()


def test_a_loop_of_reconnects_is_shut_out_and_let_in_later(host: Socket) -> None:
    address = reachable(Place("", socket.AF_INET))[0]
    if address == "127.0.0.1":
        pytest.skip("this machine has no address but loopback")
    now = 0
    visitors = Visitors(host, Limits(arrivals_per_second=1, arrivals_burst=2), lambda: now)
    host.bind(f"tcp://{address}:*")

    def visit(shut_out: int) -> None:
        with socket.create_connection((address, port_of(host)), timeout=5):
            read_until(visitors, 1 - (shut_out - visitors.shut_out), shut_out)
        read_until(visitors, 0, shut_out)

    visit(0)
    visit(0)
    visit(1)
    now += 1_000_000_000
    visit(1)
    visitors.close()


def test_a_descriptor_that_is_another_s_by_now_is_left_alone(host: Socket) -> None:
    """The first visitor's number goes to the second before the monitor has told of either."""
    visitors = Visitors(host)
    host.bind("tcp://127.0.0.1:*")
    with socket.create_connection(("127.0.0.1", port_of(host))):
        read_until(visitors, 1)
        (descriptor,) = visitors.silent
        ours, theirs = socket.socketpair()
        with ours, theirs:
            visitor = visitors._by_descriptor[descriptor]
            visitors._by_descriptor[ours.fileno()] = visitor
            visitors.cut(ours.fileno(), "silent")
            ours.send(b"still here")
            assert theirs.recv(20) == b"still here"
    visitors.close()
