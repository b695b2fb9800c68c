"""Three ways to load an exchange: single plays on a quiet table, a steady rate over many, and as fast as it goes."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.links import Link
from benchmarks.measure import NS_PER_S, BenchError, Usage, usage_of

ANSWER_S = 5.0
CATCH_UP_PLAYS = 64


class Window(NamedTuple):
    """What was counted in a stretch of time.

    A latency runs from when a play's bytes go out to when its delta's bytes are there, at the other player.
    """

    wall_ns: int
    plays: int
    usage: Usage
    down_bytes: int
    latencies_ns: list[int]

    @property
    def plays_a_second(self) -> float:
        """Accepted plays by the clock on the wall."""
        return self.plays * NS_PER_S / self.wall_ns

    @property
    def busy(self) -> float:
        """Which share of one core the server used."""
        return self.usage.ran_ns / self.wall_ns

    @property
    def cpu_s_per_10k(self) -> float:
        """Processor seconds of the server for 10,000 plays."""
        return self.usage.ran_ns * 10_000 / NS_PER_S / self.plays


def pulse(links: Sequence[Link], rate: float, seconds: float, dice: random.Random) -> list[list[int]]:
    """`rate` plays a second on the first table of each link, at jittered instants, the links taking turns.

    Gives each link's latencies in nanoseconds. Nothing else happens meanwhile, so a pause disturbs all links alike.
    Turns of a second instead, each link alone, gave the same ratios from a quarter of the plays.
    """
    latencies: list[list[int]] = [[] for _ in links]
    gap_ns = NS_PER_S / rate / len(links)
    due = time.perf_counter_ns()
    end = due + int(seconds * NS_PER_S)
    turn = 0
    while (due := due + int(gap_ns * dice.uniform(0.5, 1.5))) < end:
        time.sleep(max(0.0, (due - time.perf_counter_ns()) / NS_PER_S))
        for link in links:
            link.tend(due)
            link.receive()
        latencies[turn].append(_single_play(links[turn]))
        turn = (turn + 1) % len(links)
    return latencies


def _single_play(link: Link) -> int:
    if not link.free:
        link.settle()
    table = link.free.popleft()
    link.arrived.clear()
    sent = link.play(table)
    while not link.arrived:
        if time.perf_counter_ns() > sent + ANSWER_S * NS_PER_S:
            raise BenchError(f"{link.kind}: a play did not come through within {ANSWER_S} s")
        if link.wait(0.1):
            link.receive()
    return link.arrived[0][1] - sent


def stream(link: Link, pid: int, rate: float, seconds: float, dice: random.Random) -> Window:
    """`rate` plays a second over all tables, at jittered instants, whether or not earlier ones have come through."""
    sent = [0] * link.tables
    latencies: list[int] = []
    link.arrived.clear()
    twice_gap = 2 * NS_PER_S / rate
    usage, down = usage_of(pid), link.down_bytes
    begin = due = now = time.perf_counter_ns()
    end = begin + int(seconds * NS_PER_S)
    while now < end:
        link.tend(now)
        if now >= due:
            due = max(due, now - int(CATCH_UP_PLAYS * NS_PER_S / rate)) + int(dice.uniform(0, twice_gap))
            if link.free:
                table = link.free.popleft()
                sent[table] = link.play(table)
        if link.wait(max(0, due - time.perf_counter_ns()) / NS_PER_S):
            link.receive()
            latencies += [when - sent[table] for table, when in link.arrived]
            link.arrived.clear()
        now = time.perf_counter_ns()
    return Window(now - begin, len(latencies), usage_of(pid).since(usage), link.down_bytes - down, latencies)


def flood(link: Link, pid: int, seconds: float) -> Window:
    """All players play on as soon as the last play reached the other player: both of a table at once where they can."""
    link.both = True
    play, free, arrived = link.play, link.free, link.arrived
    arrived.clear()
    plays = 0
    usage, down = usage_of(pid), link.down_bytes
    begin = now = time.perf_counter_ns()
    end = begin + int(seconds * NS_PER_S)
    while now < end:
        link.tend(now)
        while free:
            play(free.popleft())
        if link.wait(0.05):
            link.receive()
            plays += len(arrived)
            arrived.clear()
        now = time.perf_counter_ns()
    link.both = False
    return Window(now - begin, plays, usage_of(pid).since(usage), link.down_bytes - down, [])


def rest(link: Link, pid: int, seconds: float, *, beating: bool) -> Window:
    """Nobody plays; with `beating`, heartbeats go on."""
    usage, down = usage_of(pid), link.down_bytes
    begin = now = time.perf_counter_ns()
    end = begin + int(seconds * NS_PER_S)
    while now < end:
        if beating:
            link.tend(now)
        if link.wait(0.001 if beating else 0.05):
            link.receive()
        now = time.perf_counter_ns()
    return Window(now - begin, 0, usage_of(pid).since(usage), link.down_bytes - down, [])
