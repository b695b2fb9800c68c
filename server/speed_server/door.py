"""The door: one line of JSON to whoever connects, then the connection ends. It reads nothing.

So a client learns in one round trip whether this is the right host, program and protocol, and which key to expect. A
peer cannot make it wait: the line fits every send buffer, and where it does not, the peer goes without.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
from dataclasses import dataclass
from typing import Final

from speed_common import __version__
from speed_common.wire import PROTOCOL_HIGH, PROTOCOL_LOW
from speed_server.addresses import CannotListenError, Place
from speed_server.keys import Keys

BACKLOG: Final = 1_024
MOST_AT_ONCE: Final = 64
"""Answers in one go, about 2 ms: a storm at the door must not delay a tick."""

_OUT_OF_DESCRIPTORS: Final = {errno.EMFILE, errno.ENFILE}


@dataclass(frozen=True, slots=True)
class Plate:
    """What stands on the door for as long as the server runs; `port` is the door's own.

    `locked` and `watch_locked` say that playing, and watching, take a passcode; `insecure`, that nothing is encrypted.
    """

    name: str
    keys: Keys
    port: int
    locked: bool = False
    watch_locked: bool = False
    insecure: bool = False

    def line(self, players: int, tables: int) -> bytes:
        """The door's line, newline included."""
        fields = {
            "speed": "speed-lan",
            "name": self.name,
            "id": self.keys.server_id,
            "protocol": [PROTOCOL_LOW, PROTOCOL_HIGH],
            "version": __version__,
            "key": self.keys.public,
            "play": self.port + 1,
            "watch": self.port + 2,
            "players": players,
            "tables": tables,
            "locked": self.locked,
            "watch_locked": self.watch_locked,
        }
        if self.insecure:
            fields["insecure"] = True
        return json.dumps(fields).encode("ascii") + b"\n"


class Door:
    """The listening socket. Poll `socket`; when somebody is there, call `answer`."""

    def __init__(self, place: Place, port: int) -> None:
        self.socket = _listen(place, port)
        self.socket.setblocking(False)
        self.port: int = self.socket.getsockname()[1]
        self._spare: int | None = _spare_descriptor()

    def answer(self, line: bytes) -> int:
        """Tell the line to those who wait, at most `MOST_AT_ONCE`; how many there were."""
        for count in range(MOST_AT_ONCE):
            try:
                visitor, _ = self.socket.accept()
            except OSError as error:
                if error.errno in _OUT_OF_DESCRIPTORS:
                    self._turn_away()
                return count
            with visitor, contextlib.suppress(OSError):
                visitor.setblocking(False)
                visitor.send(line)
        return MOST_AT_ONCE

    def close(self) -> None:
        """Stop listening."""
        self.socket.close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def _turn_away(self) -> None:
        """Out of descriptors: close one visitor unanswered, or the waiting connection would wake us for ever."""
        if self._spare is None:
            return
        os.close(self._spare)
        with contextlib.suppress(OSError):
            self.socket.accept()[0].close()
        self._spare = _spare_descriptor()


def _spare_descriptor() -> int | None:
    try:
        return os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return None


def _listen(place: Place, port: int) -> socket.socket:
    try:
        if place.everywhere and place.family == socket.AF_INET6 and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True)
        family = socket.AF_INET if place.everywhere else place.family
        return socket.create_server((place.address, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise cannot_listen(error.errno, place, port) from None


def cannot_listen(number: int | None, place: Place, port: int) -> CannotListenError:
    """The error with the remedy, for the `errno` of a failed bind."""
    if number == errno.EADDRINUSE:
        return CannotListenError(
            f"port {port} is in use: stop what uses it, or choose others with --port N (N, N+1 and N+2 are needed)",
            taken=True,
        )
    if number == errno.EACCES:
        return CannotListenError(f"port {port} needs rights that you lack: choose --port N with N above 1023")
    if number in {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.ENODEV}:
        return CannotListenError(
            f"{place.address} is no address of this machine: give one with --host, or leave it out for all"
        )
    return CannotListenError(f"cannot listen on port {port} ({os.strerror(number or 0)}): try --host or --port")
