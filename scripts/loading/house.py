"""The server as the crowd finds it: where it listens, and a child process that ends when its parent does."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import zmq

DOOR_S: Final = 3.0
KINDNESS: Final = 19
"""Watchers and attackers have other machines in truth: here they step back for the server and for who is measured."""

Socket = zmq.Socket[bytes]


class House(NamedTuple):
    """What the door says of a server on this machine."""

    door: int
    play: int
    watch: int
    key: bytes

    def line(self, context: zmq.Context[Socket], kind: int, **options: int) -> Socket:
        """A connection to the socket of this kind, with a key of its own; `options` are set before it connects."""
        line = context.socket(kind)
        line.linger = 0
        line.curve_serverkey = self.key
        line.curve_publickey, line.curve_secretkey = zmq.curve_keypair()
        for name, value in options.items():
            setattr(line, name, value)
        line.connect(f"tcp://127.0.0.1:{self.play if kind == zmq.DEALER else self.watch}")
        return line


def find_house(door: int) -> House:
    """Ask at the door."""
    with socket.create_connection(("127.0.0.1", door), DOOR_S) as visitor, visitor.makefile("rb") as said:
        line = json.loads(said.readline())
    return House(door, line["play"], line["watch"], line["key"].encode())


def run_child(work: Callable[[House, Callable[[], bool], list[str]], dict[str, Any]]) -> None:
    """The whole of a child: its arguments are the door's port and words for `work`; its last line is what work found.

    `work` goes on while the function that it gets says so: until standard input closes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(KINDNESS)
    os.set_blocking(0, False)

    def goes_on() -> bool:
        try:
            return bool(os.read(0, 1))
        except BlockingIOError:
            return True

    found = work(find_house(int(sys.argv[1])), goes_on, sys.argv[2:])
    print(json.dumps(found), flush=True)


def seconds() -> float:
    """Now, for durations."""
    return time.monotonic()
