"""Hundreds of spectators in one process, each with a connection of its own: `watchers.py DOOR COUNT TABLES`.

Each follows the list of tables and one table, as a spectator's screen does, and keeps account of what it missed: a
delta that does not join on to what came before. The next keyframe heals that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import zmq

from loading.house import House, Socket, run_child
from speed_common import wire

WAIT_MS: Final = 20
ARRIVING: Final = 50
"""So many come in at each turn: five hundred within a second or two."""


class Watcher:
    """One spectator."""

    __slots__ = ("line", "missed", "revision", "seen", "topic")

    def __init__(self, line: Socket, table: int) -> None:
        self.line = line
        self.topic = wire.table_topic(table)
        self.revision = -1
        self.missed = self.seen = 0
        line.subscribe(wire.LOBBY_TOPIC)
        line.subscribe(self.topic)

    def read(self) -> None:
        """Take in all that came."""
        try:
            while True:
                topic, data = self.line.recv_multipart(zmq.NOBLOCK)
                self.seen += 1
                if topic == self.topic:
                    self._heard(wire.decode_down(data))
        except zmq.Again:
            return

    def _heard(self, message: wire.Down) -> None:
        if isinstance(message, wire.Snapshot):
            self.revision = message.revision
        elif isinstance(message, wire.Delta) and message.revision >= self.revision >= 0:
            self.missed += message.revision > self.revision
            self.revision = message.revision + len(message.events)


def watch(house: House, goes_on: Callable[[], bool], words: list[str]) -> dict[str, Any]:
    """Watch until told to stop."""
    count, tables = map(int, words)
    context: zmq.Context[Socket] = zmq.Context()
    context.max_sockets = count + 16
    watchers: dict[int, Watcher] = {}
    poller = zmq.Poller()
    while goes_on():
        for number in range(len(watchers), min(count, len(watchers) + ARRIVING)):
            line = house.line(context, zmq.SUB, rcvhwm=1_000)
            watchers[number] = Watcher(line, 1 + number % tables)
            poller.register(line, zmq.POLLIN)
        for watcher in watchers.values():
            watcher.read()
        poller.poll(WAIT_MS)
    silent = sum(watcher.revision < 0 for watcher in watchers.values())
    found = {
        "watchers": len(watchers),
        "saw_nothing": silent,
        "messages": sum(watcher.seen for watcher in watchers.values()),
        "gaps": sum(watcher.missed for watcher in watchers.values()),
    }
    context.destroy(linger=0)
    return found


if __name__ == "__main__":
    run_child(watch)
