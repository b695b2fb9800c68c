"""Broken messages to a real server over real sockets, and broken frames of the transport itself.

The server runs without encryption, so that every byte can be forged: with it, whoever has no key is stopped before any
of this, and who has one can say no more than is said here. https://rfc.zeromq.org/spec/23/ tells what a frame is.
"""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import zmq
from tests.sim.fuzz import MOST_GROWTH, WARM, Fuzzed, Writer

from benchmarks.measure import resident_kib
from processes import Programs, Server
from speed_common import wire

PATIENCE_S: Final = 5.0
LINES: Final = 4
DRAIN_EVERY: Final = 50
WATCH: Final = 2
FRAMES: Final = 20
"""Frames of one raw connection."""

_GREETING: Final = b"\xff" + bytes(8) + b"\x7f\x03\x01NULL" + bytes(16) + bytes(1) + bytes(31)
_HELLO: Final = wire.encode(wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, "fuzz", "anna"))


class _Wrong(Exception):  # noqa: N818  # it is what was looked for
    pass


def fuzz_sockets(seed: int, count: int) -> Fuzzed:
    """Send so many broken messages, and a tenth as many broken frames, greetings and visits at the door."""
    random, wrong, understood, growth = Random(seed), list[str](), 0, 0
    with tempfile.TemporaryDirectory(prefix="speed-fuzz-") as folder, Programs(Path(folder)) as programs:
        server = programs.server("--insecure", "--player-rate", "0", "--no-records", "--countdown", "0")
        try:
            warm = count // WARM
            understood = _messages(random, server, warm) + _frames(random, server, warm)
            before = resident_kib(server.process.pid)
            understood += _messages(random, server, count - warm) + _frames(random, server, count - warm)
            growth = (resident_kib(server.process.pid) - before) * 1_024
        except (_Wrong, OSError) as error:
            wrong.append(f"fuzz_sockets({seed}, {count}): {error} (exit code {server.process.poll()})")
        if growth > MOST_GROWTH:
            wrong.append(f"fuzz_sockets({seed}, {count}): {growth} bytes more than after the first part")
        if server.complaints:
            wrong.append(f"fuzz_sockets({seed}, {count}): the server says {server.complaints}")
    return Fuzzed(count, understood, growth, wrong)


def _messages(random: Random, server: Server, count: int) -> int:
    """Broken messages through the library's own sockets; how many answers came."""
    writer, answers = Writer(random, time.perf_counter_ns()), 0
    with zmq.Context() as context:
        lines = [_line(context, server) for _ in range(LINES)]
        try:
            for line in lines:
                line.send(_HELLO)
                writer.tickets.append(_welcome(line).ticket)
                for message in (wire.Sit(writer.tickets[-1]), wire.Ready(writer.tickets[-1])):
                    line.send(wire.encode(message))
            for number in range(count):
                writer.now = time.perf_counter_ns()
                line = random.choice(lines)
                frames = [writer.broken()] * (1 if random.random() < 0.99 else 3)
                line.send_multipart(frames)
                if number % DRAIN_EVERY == 0:
                    # An answer to what is sent last tells that all before it was read: nothing waits anywhere.
                    answers += sum(_drain(one) for one in lines)
            lines.append(_line(context, server))
            lines[-1].send(_HELLO)
            _welcome(lines[-1])
        finally:
            for line in lines:
                line.close()
    return answers


def _line(context: zmq.Context[zmq.Socket[bytes]], server: Server) -> zmq.Socket[bytes]:
    line = context.socket(zmq.DEALER)
    line.linger = 0
    line.sndhwm = line.rcvhwm = 100
    line.rcvtimeo = line.sndtimeo = int(PATIENCE_S * 1_000)
    line.connect(f"tcp://{server.host}:{server.port + 1}")
    return line


def _welcome(line: zmq.Socket[bytes]) -> wire.Welcome:
    try:
        while True:
            message = wire.decode_down(line.recv())
            if isinstance(message, wire.Welcome):
                return message
    except zmq.Again:
        raise _Wrong("nobody is welcomed any more") from None


def _drain(line: zmq.Socket[bytes]) -> int:
    count = 0
    with suppress(zmq.Again):
        while True:
            wire.decode_down(line.recv(zmq.NOBLOCK))
            count += 1
    return count


def _frames(random: Random, server: Server, count: int) -> int:
    """Raw bytes on all three ports; how many were taken."""
    taken = 0
    for number in range(count // FRAMES):
        port = (1, 2, 1, 2, 0)[number % 5]
        with socket.create_connection((server.host, server.port + port), PATIENCE_S) as raw, suppress(ConnectionError):
            raw.sendall(b"".join(_raw(random, watching=port == WATCH)))
            taken += FRAMES
            raw.settimeout(0.001)
            with suppress(TimeoutError):
                raw.recv(4_096)
    with socket.create_connection((server.host, server.port), PATIENCE_S) as visitor:
        if b"speed-lan" not in visitor.recv(4_096):
            raise _Wrong("the door tells nothing any more")
    return taken


def _raw(random: Random, *, watching: bool) -> Iterator[bytes]:
    """A greeting, a handshake and frames, each perhaps not as it should be."""
    greeting = bytearray(_GREETING)
    if random.random() < 0.2:
        greeting[random.randrange(len(greeting))] = random.randrange(256)
    yield bytes(greeting)
    kind = random.choice([b"DEALER", b"SUB", b"XSUB", b"REQ", b"PUB", b"", b"X" * 255])
    ready = b"\5READY" + _property(b"Socket-Type", kind) + _property(b"Identity", random.randbytes(random.randrange(9)))
    yield _frame(4, ready) if random.random() < 0.9 else _frame(random.randrange(8), ready[: random.randrange(40)])
    for _ in range(FRAMES):
        choice = random.randrange(7)
        if choice == 0:
            yield random.randbytes(random.randrange(1, 300))
        elif choice == 1:
            yield _frame(4, random.choice([b"\4PING", b"\4PONG", b"\5ERROR", b"\x09SUBSCRIBE", b"\6CANCEL", b"\xffX"]))
        elif choice == 2:  # a PING with its time to live, and as much context as one likes
            yield _frame(4, b"\4PING" + random.randbytes(2) + random.randbytes(random.randrange(30)))
        elif choice == 3:  # a length that never comes
            yield bytes([random.choice([2, 3, 6, 7])]) + random.choice([b"\x7f", b"\xff", b"\0"]) * 8
        elif choice == 4:
            yield _frame(1, random.randbytes(random.randrange(20)))
        elif choice == 5 and watching:
            yield _frame(0, random.choice([b"\1", b"\0", b"\2"]) + b"table/%d/" % random.randrange(600))
        else:
            yield _frame(random.randrange(256), random.randbytes(random.randrange(255)))


def _property(name: bytes, value: bytes) -> bytes:
    return bytes([len(name)]) + name + len(value).to_bytes(4) + value


def _frame(flags: int, body: bytes) -> bytes:
    if flags & 2 or len(body) > 255:
        return bytes([flags | 2]) + len(body).to_bytes(8) + body
    return bytes([flags, len(body)]) + body
