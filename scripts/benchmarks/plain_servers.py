"""Servers without a game, as child processes: what comes from one player of a table goes to both of them.

They are the floor and the two steps above it: a raw TCP socket, a ROUTER, a ROUTER with CURVE. A player's first message
is its table's number, and both are answered when both have come; every later one counts as a play and is passed on, cut
to the size that the game's delta has.
Messages have fixed sizes, so that TCP needs no framing. The child prints its port (and key) on one line, and ends at
SIGTERM or when its standard input closes.

    python -m benchmarks.plain_servers tcp|zmq|curve UP_BYTES DOWN_BYTES
"""

from __future__ import annotations

import contextlib
import select
import socket
import sys

import zmq

BACKLOG = 1024
HIGH_WATER = 100_000


def serve_tcp(up: int, down: int) -> None:
    """One thread, one epoll."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    _announce(str(listener.getsockname()[1]))
    epoll = select.epoll()
    epoll.register(listener, select.EPOLLIN)
    epoll.register(sys.stdin, select.EPOLLIN)
    peers: dict[int, socket.socket] = {}
    seats: dict[int, tuple[socket.socket, ...]] = {}
    waiting: dict[int, socket.socket] = {}
    rest: dict[int, bytes] = {}
    stops = {sys.stdin.fileno()}
    while True:
        for fd, _ in epoll.poll():
            peer = peers.get(fd)
            if peer is None:
                if fd in stops:
                    return
                peer, _ = listener.accept()
                peer.setblocking(False)
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                peers[peer.fileno()] = peer
                epoll.register(peer, select.EPOLLIN)
                continue
            data = peer.recv(4096)
            if not data:
                epoll.unregister(fd)
                peers.pop(fd).close()
                continue
            data = rest.pop(fd, b"") + data
            while len(data) >= up:
                play, data = data[:up], data[up:]
                both = seats.get(fd)
                if both is None:
                    number = int.from_bytes(play[:4])
                    first = waiting.pop(number, None)
                    if first is None:
                        waiting[number] = peer
                        continue
                    seats[first.fileno()] = seats[fd] = both = (first, peer)
                for seat in both:
                    seat.send(play[:down])
            if data:
                rest[fd] = data


def serve_zmq(down: int, *, curve: bool) -> None:
    """One thread, one poller, drained to empty without blocking."""
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.setsockopt(zmq.LINGER, 0)
    router.setsockopt(zmq.BACKLOG, BACKLOG)
    router.setsockopt(zmq.SNDHWM, HIGH_WATER)
    router.setsockopt(zmq.RCVHWM, HIGH_WATER)
    key = b""
    if curve:
        key, secret = zmq.curve_keypair()
        router.setsockopt(zmq.CURVE_SERVER, 1)
        router.setsockopt(zmq.CURVE_SECRETKEY, secret)
    port = router.bind_to_random_port("tcp://127.0.0.1")
    _announce(f"{port} {key.decode()}")
    poller = zmq.Poller()
    poller.register(router, zmq.POLLIN)
    poller.register(sys.stdin.fileno(), zmq.POLLIN)
    seats: dict[bytes, tuple[bytes, ...]] = {}
    waiting: dict[bytes, bytes] = {}
    receive, send = router.recv, router.send
    while sys.stdin.fileno() not in dict(poller.poll()):
        with contextlib.suppress(zmq.Again):
            while True:
                origin = receive(zmq.NOBLOCK)
                play = receive(zmq.NOBLOCK)
                both = seats.get(origin)
                if both is None:
                    first = waiting.pop(play[:4], None)
                    if first is None:
                        waiting[play[:4]] = origin
                        continue
                    seats[first] = seats[origin] = both = (first, origin)
                for seat in both:
                    send(seat, zmq.SNDMORE | zmq.NOBLOCK)
                    send(play[:down], zmq.NOBLOCK)
    context.destroy(linger=0)


def _announce(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until told to end."""
    kind, up, down = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if kind == "tcp":
        serve_tcp(up, down)
    else:
        serve_zmq(down, curve=kind == "curve")


if __name__ == "__main__":
    main()
