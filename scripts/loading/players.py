"""The honest players, who are measured: every heartbeat's way there and back, and every play's way to the rival."""

from __future__ import annotations

import time
from random import Random
from typing import Final

import msgpack

from benchmarks.game_link import BEAT_BACK, GameLink
from benchmarks.measure import NS_PER_S
from benchmarks.score import Score

PLAYS_A_SECOND: Final = 2.0
"""At each table: about what two quick people do."""


class Honest(GameLink):
    """Two players at each table who play on, and note how long everything takes (ns)."""

    def __init__(self, tables: int, score: Score, port: int, key: bytes) -> None:
        self.round_trips: list[int] = []
        self.plays_seen: list[int] = []
        super().__init__(tables, score, port, key)

    def play_on(self, until: float, dice: Random) -> None:
        """Play until this `time.monotonic()`."""
        mean_ns = NS_PER_S / PLAYS_A_SECOND / self.tables
        sent = [0] * self.tables
        due = now = time.perf_counter_ns()
        end = now + int((until - time.monotonic()) * NS_PER_S)
        while now < end:
            self.tend(now)
            if now >= due:
                due = now + int(dice.uniform(0, 2 * mean_ns))
                if self.free:
                    table = self.free.popleft()
                    sent[table] = self.play(table)
            if self.wait(min(0.005, max(0, due - time.perf_counter_ns()) / NS_PER_S)):
                self.receive()
                self.plays_seen += [when - sent[table] for table, when in self.arrived]
                self.arrived.clear()
            now = time.perf_counter_ns()

    def heard(self, player: int, data: bytes) -> None:
        """See `GameLink`."""
        if data[1] == BEAT_BACK:
            now = time.perf_counter_ns()
            self.round_trips.append(now - msgpack.unpackb(data)[1])
        super().heard(player, data)
