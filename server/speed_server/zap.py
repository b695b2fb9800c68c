"""Who passes the handshake: libzmq asks here, over ZAP (ZeroMQ RFC 27), before a peer may send anything.

An open table lets in whoever speaks CURVE. Rubbish, and peers without encryption, end at the handshake. The handler
must be bound before the sockets that it guards, or they let everybody in; `ZAP_ENFORCE_DOMAIN` closes that gap too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import zmq

DOMAIN: Final = b"speed"
ENDPOINT: Final = "inproc://zeromq.zap.01"

_VERSION: Final = b"1.0"
_CURVE_KEY_BYTES: Final = 32
_WELL_FORMED: Final = 7  # version, request id, domain, address, routing id, mechanism, one credential


def verdict(request: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The status code and text for a ZAP request's frames: 200 admits, 400 refuses for good."""
    if len(request) < _WELL_FORMED or request[0] != _VERSION:
        return b"400", b"no ZAP request"
    domain, mechanism, credentials = request[2], request[5], request[6:]
    if domain != DOMAIN:
        return b"400", b"unknown domain"
    if mechanism != b"CURVE" or [len(key) for key in credentials] != [_CURVE_KEY_BYTES]:
        return b"400", b"CURVE only"
    return b"200", b"OK"


class Doorkeeper:
    """The ZAP handler's socket. Poll `socket`; when it has something, call `answer`."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        self.socket = context.socket(zmq.REP)
        self.socket.linger = 0
        self.socket.bind(ENDPOINT)
        self.admitted = 0
        self.refused = 0

    def answer(self) -> None:
        """Answer all that is asked."""
        while True:
            try:
                request = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            code, text = verdict(request)
            if code == b"200":
                self.admitted += 1
            else:
                self.refused += 1
            number = request[1] if len(request) > 1 else b""
            self.socket.send_multipart([_VERSION, number, code, text, b"", b""], zmq.NOBLOCK)

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()
