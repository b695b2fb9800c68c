"""Who passes the handshake: libzmq asks here, over ZAP (ZeroMQ RFC 27), before a peer may send anything.

An open table lets in whoever speaks CURVE, a closed one only the keys that its passcodes stand for; how often that may
be tried is counted in `guesses`. Rubbish, and peers without encryption, end at the handshake. The handler must be bound
before the sockets that it guards, or they let everybody in; `ZAP_ENFORCE_DOMAIN` closes that gap too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import zmq

from speed_server.guesses import Guesses
from speed_server.limits import Limits
from speed_server.visitors import plain_address

PLAY_DOMAIN: Final = b"speed-play"
WATCH_DOMAIN: Final = b"speed-watch"
ENDPOINT: Final = "inproc://zeromq.zap.01"

OK: Final = b"200"
WRONG: Final = b"400"
WAIT: Final = b"500"
"""ZAP has no word for "too many tries". Of its codes that a client gets to see, this one is not taken."""

_VERSION: Final = b"1.0"
_CURVE_KEY_BYTES: Final = 32
_WELL_FORMED: Final = 7  # version, request id, domain, address, routing id, mechanism, one credential


@dataclass(frozen=True, slots=True)
class Locks:
    """The public keys (32 bytes each) that open either socket; None: every key does."""

    play: frozenset[bytes] | None = None
    watch: frozenset[bytes] | None = None


OPEN: Final = Locks()


def verdict(request: Sequence[bytes], locks: Mapping[bytes, frozenset[bytes] | None]) -> tuple[bytes, bytes]:
    """The status code and text for a ZAP request's frames: 200 admits, 400 refuses for good. `locks` are by domain."""
    if len(request) < _WELL_FORMED or request[0] != _VERSION:
        return WRONG, b"no ZAP request"
    domain, mechanism, credentials = request[2], request[5], request[6:]
    if domain not in locks:
        return WRONG, b"unknown domain"
    if mechanism != b"CURVE" or [len(key) for key in credentials] != [_CURVE_KEY_BYTES]:
        return WRONG, b"CURVE only"
    keys = locks[domain]
    if keys is not None and credentials[0] not in keys:
        return WRONG, b"wrong passcode"
    return OK, b"OK"


class Doorkeeper:
    """The ZAP handler's socket. Poll `socket`; when it has something, call `answer`."""

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        locks: Locks = OPEN,
        limits: Limits | None = None,
        clock: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self.socket = context.socket(zmq.REP)
        self.socket.linger = 0
        self.socket.bind(ENDPOINT)
        self.admitted = 0
        self.refused = 0
        self._locks = {PLAY_DOMAIN: locks.play, WATCH_DOMAIN: locks.watch}
        self._guesses = Guesses(limits or Limits())
        self._clock = clock

    def answer(self) -> None:
        """Answer all that is asked."""
        while True:
            try:
                request = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            code, text = self._judge(request)
            if code == OK:
                self.admitted += 1
            else:
                self.refused += 1
            number = request[1] if len(request) > 1 else b""
            self.socket.send_multipart([_VERSION, number, code, text, b"", b""], zmq.NOBLOCK)

    def _judge(self, request: Sequence[bytes]) -> tuple[bytes, bytes]:
        code, text = verdict(request, self._locks)
        if len(request) < _WELL_FORMED or self._locks.get(request[2]) is None:
            return code, text
        address, now = _address(request[3]), self._clock()
        if self._guesses.too_many(address, now):
            return WAIT, b"too many wrong passcodes"
        if code == OK:
            self._guesses.right(address)
        else:
            self._guesses.wrong(address, now)
        return code, text

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


def _address(said: bytes) -> str:
    text = said.decode("ascii", "replace")
    try:
        return plain_address(text)
    except ValueError:
        return text
