"""Those who mean it badly, one kind a process: `attacks.py DOOR KIND`. On this machine only, and at a bounded pace.

From this machine nobody is counted by address, so that an attacker here can do more than one in the network. Whoever is
cut off comes again at once.
"""

from __future__ import annotations

import os
import random
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import zmq

from loading.house import House, Socket, run_child, seconds
from speed_common import wire

PEERS: Final = 10
ROUND_S: Final = 0.02
SILENT: Final = 200
WAITING_S: Final = 1.0

_PORTS: Final = ("door", "play", "watch")


class Attack:
    """One kind of it. `step` is called fifty times a second."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.context: zmq.Context[Socket] = zmq.Context()
        self.sent = 0
        self.dice = random.Random(1)  # noqa: S311  # any rubbish will do

    def step(self) -> None:
        """Do it once more."""
        raise NotImplementedError

    def say(self, line: Socket, data: bytes) -> None:
        """Send if the line takes it."""
        with suppress(zmq.Again):
            line.send(data, zmq.NOBLOCK)
            self.sent += 1

    def player(self, name: str, **options: int) -> tuple[Socket, bytes]:
        """A player who is welcome, and the ticket."""
        line = self.house.line(self.context, zmq.DEALER, rcvtimeo=int(WAITING_S * 1_000), **options)
        line.send(wire.encode(wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, "attack", name)))
        with suppress(zmq.Again):
            while True:
                message = wire.decode_down(line.recv())
                if isinstance(message, wire.Welcome):
                    return line, message.ticket
        return line, bytes(wire.TICKET_BYTES)

    def raw(self, port: str, said: bytes = b"") -> socket.socket | None:
        """A bare connection, if there can be one."""
        with suppress(OSError):
            bare = socket.create_connection(("127.0.0.1", getattr(self.house, port)), WAITING_S)
            bare.setblocking(False)  # its one argument
            with suppress(OSError):
                self.sent += bool(bare.send(said))
            return bare
        return None


class Flood(Attack):
    """Ten players who ask 5,000 times a second each, until they are cut off, and then again."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._players = [self.player(f"flood {number}") for number in range(PEERS)]
        self._seq = 0

    def step(self) -> None:
        """See `Attack`."""
        for line, ticket in self._players:
            with suppress(zmq.Again):
                while True:
                    line.recv(zmq.NOBLOCK)
            for _ in range(100):
                self._seq += 1
                self.say(line, wire.encode(wire.PlayCard(ticket, self._seq, 5, -1, 0, time.perf_counter_ns())))


class Subscribe(Attack):
    """Watchers who subscribe without end, to tables and to nothing that there is."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._lines: list[Socket] = []
        self._number = 0

    def step(self) -> None:
        """See `Attack`."""
        while len(self._lines) < PEERS:
            self._lines.append(self.house.line(self.context, zmq.XSUB, sndhwm=1_000))
        for line in self._lines:
            for _ in range(50):
                self._number += 1
                topic = wire.table_topic(self._number % 512) if self._number % 2 else b"x%d" % self._number
                self.say(line, b"\1" + topic)


class Silent(Attack):
    """Two hundred connections that say nothing, a third of them with half a greeting; who is cut off comes again."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._bare: list[socket.socket] = []

    def step(self) -> None:
        """See `Attack`."""
        self._bare = [bare for bare in self._bare if not _has_ended(bare)]
        for number in range(min(10, SILENT - len(self._bare))):
            greeting = b"\xff\0\0\0\0\0\0\0\1\x7f" if number % 3 == 0 else b""
            bare = self.raw(("play", "watch")[number % 2], greeting)
            if bare is not None:
                self._bare.append(bare)


class Garbage(Attack):
    """Noise at all three ports, and encrypted noise from who has shaken hands."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._lines = [house.line(self.context, zmq.DEALER) for _ in range(PEERS)]

    def step(self) -> None:
        """See `Attack`."""
        for port in _PORTS:
            noise = self.dice.choice([b"GET / HTTP/1.1\r\n\r\n", b"\x16\3\1", os.urandom(2_000), b"\xff" + bytes(99)])
            bare = self.raw(port, noise)
            if bare is not None:
                bare.close()
        for line in self._lines:
            for _ in range(4):
                self.say(line, self.dice.randbytes(self.dice.randrange(1, 4_000)))


class Stall(Attack):
    """Players who sit down against computers, and watchers of everything, who all never read."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._players = [self.player(f"stall {number}", rcvhwm=1, rcvbuf=4_096) for number in range(PEERS)]
        self._watchers = [house.line(self.context, zmq.XSUB, rcvhwm=1, rcvbuf=4_096) for _ in range(5 * PEERS)]
        for line, ticket in self._players:
            self.say(line, wire.encode(wire.Sit(ticket, wire.NEW_TABLE, (10,))))
        self._topics = 0

    def step(self) -> None:
        """See `Attack`. Beats keep the seat; nothing is ever read."""
        if self._topics < 64:  # noqa: PLR2004  # as many as a spectator follows
            self._topics += 1
            for line in self._watchers:
                self.say(line, b"\1" + wire.table_topic(self._topics))
        for line, ticket in self._players:
            self.say(line, wire.encode(wire.Ready(ticket)))
            self.say(line, wire.encode(wire.Beat(ticket, time.perf_counter_ns())))
            self.say(line, wire.encode(wire.Resync(ticket)))


class Reconnect(Attack):
    """Who comes, is welcomed, and goes, over and over."""

    def step(self) -> None:
        """See `Attack`."""
        line, _ = self.player("again")
        self.sent += 1
        line.close()


ATTACKS: Final[dict[str, type[Attack]]] = {
    kind.__name__.lower(): kind for kind in (Flood, Subscribe, Silent, Garbage, Stall, Reconnect)
}


def attack(house: House, goes_on: Callable[[], bool], words: list[str]) -> dict[str, Any]:
    """Attack until told to stop."""
    attacker = ATTACKS[words[0]](house)
    while goes_on():
        began = seconds()
        attacker.step()
        time.sleep(max(0.001, ROUND_S - (seconds() - began)))
    attacker.context.destroy(linger=0)
    return {"sent": attacker.sent}


def _has_ended(bare: socket.socket) -> bool:
    try:
        ended = not bare.recv(4_096)
    except BlockingIOError:
        return False
    except OSError:
        ended = True
    if ended:
        bare.close()
    return ended


if __name__ == "__main__":
    run_child(attack)
