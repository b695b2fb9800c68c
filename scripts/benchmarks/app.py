"""One run: everything against everything, alternating, within a bounded time; then the figures."""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, NamedTuple, NoReturn

from benchmarks.figures import Figures, Goal
from benchmarks.game_link import GameLink
from benchmarks.load import Window, flood, pulse, rest, stream
from benchmarks.measure import NS_PER_US, BenchError, choose_cores, median, on_core, percentile, resident_kib, usage_of
from benchmarks.plain_rules import play_plain_deal
from benchmarks.score import bench_rules, play_deal, write_score
from benchmarks.stages import FAIR, FLOOR, GAME, KINDS, Stage, Theatre

MANY_TABLES: Final = 200
DESCRIPTORS: Final = 4096
PULSE_RATE: Final = 20.0
STREAM_RATE: Final = 2_000.0
SATURATED: Final = 0.95
DISTURBED: Final = 0.02
P99_MORE_US: Final = 2_000.0
LABELS: Final = {FLOOR: "raw TCP", "zmq": "pyzmq", "curve": "pyzmq + CURVE", GAME: "speed-server"}


class Plan(NamedTuple):
    """How long each part takes, in seconds."""

    rounds: int
    rules_s: float
    pulse_s: float
    warm_s: float
    stream_s: float
    flood_s: float
    idle_s: float


QUICK: Final = Plan(2, 0.6, 7.0, 0.2, 1.3, 1.2, 0.8)
FULL: Final = Plan(5, 2.0, 40.0, 0.5, 5.0, 4.0, 2.0)


@dataclass(slots=True)
class Seen:
    """What the windows of one exchange gave."""

    pulses_ns: list[int] = field(default_factory=list)
    streams: list[Window] = field(default_factory=list)
    floods: list[Window] = field(default_factory=list)
    load_busy: list[float] = field(default_factory=list)
    table_kib: list[float] = field(default_factory=list)
    grown_kib: list[float] = field(default_factory=list)

    @property
    def waited(self) -> float:
        """Which share of the time the server's threads waited for their core."""
        windows = self.streams + self.floods
        return sum(window.usage.waited_ns for window in windows) / sum(window.wall_ns for window in windows)


@dataclass(slots=True)
class Extras:
    """What only the real server has: idle hours, and other messages than deltas."""

    idle: list[Window] = field(default_factory=list)
    beating: list[Window] = field(default_factory=list)
    delta_bytes: list[float] = field(default_factory=list)
    other_bytes: list[float] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code is 0 when it could be measured, whatever came out."""
    options = _parse(arguments)
    if options.client:
        from benchmarks.client import measure_client  # noqa: PLC0415  # it loads the screen, which the rest does without

        figures = measure_client(quick=options.quick)
        print(figures.table())
        print(figures.as_json(quick=options.quick, client=True))
        return 0
    plan = QUICK if options.quick else FULL
    signal.signal(signal.SIGTERM, _end)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(DESCRIPTORS, hard)), hard))
    begin = time.monotonic()
    try:
        figures = _run(plan, options)
    except (BenchError, TimeoutError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    took = time.monotonic() - begin
    print(figures.table())
    print(f"\n{took:.0f} s, {plan.rounds} rounds, {MANY_TABLES} tables, load seed {options.seed}")
    print(figures.as_json(quick=options.quick, seconds=round(took, 1), seed=options.seed))
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="under a minute instead of some five")
    parser.add_argument("--client", action="store_true", help="what the terminal client costs, in processor time")
    parser.add_argument("--seed", type=int, default=1, help="for the jitter of the senders (default 1)")
    parser.add_argument("server", nargs="*", help="after --: more options for speed-server, as --tick-ms 0")
    return parser.parse_args(arguments)


def _end(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _run(plan: Plan, options: argparse.Namespace) -> Figures:
    cores = choose_cores()
    figures = Figures()
    if cores.server == cores.load:
        figures.notes.append("only one core: servers and load share it, so absolute figures are too low")
    dice = random.Random(options.seed)  # noqa: S311  # it spaces senders out
    theatre = Theatre(cores, write_score(bench_rules()), options.server)
    seen = {kind: Seen() for kind in (*KINDS, FAIR)}
    extras = Extras()
    with on_core(cores.load):
        _say("rules")
        _measure_rules(plan, figures)
        gc.collect()
        gc.freeze()
        gc.disable()
        _say("one table")
        with ExitStack() as stages:
            links = [stages.enter_context(theatre.stage(kind, 1)).link for kind in seen]
            for link in links:
                link.settle()
            pulse(links, PULSE_RATE, plan.warm_s, dice)
            for kind, found in zip(seen, pulse(links, PULSE_RATE, plan.pulse_s, dice), strict=True):
                seen[kind].pulses_ns = found
        for number in range(plan.rounds):
            for kind in KINDS:
                _say(f"round {number + 1} of {plan.rounds}: {LABELS[kind]}")
                with theatre.stage(kind, MANY_TABLES) as stage:
                    _measure_many(plan, stage, seen[kind], extras, dice)
        _say("200 tables with the full fair order")
        with theatre.stage(FAIR, MANY_TABLES) as stage:
            _measure_fair(plan, stage, seen[FAIR], dice)
    _add_exchanges(figures, seen)
    _add_fair(figures, seen)
    _add_extras(figures, extras)
    return figures


def _say(what: str) -> None:
    sys.stderr.write(f"bench: {what}\n")


def _measure_rules(plan: Plan, figures: Figures) -> None:
    rules = bench_rules()
    speeds: dict[Callable[..., int], list[float]] = {play_deal: [], play_plain_deal: []}
    for _ in range(plan.rounds):
        for play, found in speeds.items():
            deals = 0
            begin = time.thread_time()
            while (spent := time.thread_time() - begin) < plan.rules_s / 2:
                for number in range(deals, deals + 10):
                    play(rules, number)
                deals += 10
            found.append(deals / spent)
    ours, plain = median(speeds[play_deal]), median(speeds[play_plain_deal])
    name = "greedy deals a second, one core"
    figures.add(name, "ints", plain, "/s")
    figures.add(name, GAME, ours, "/s", floor=plain, goal=Goal(">=", 0.5, of_ratio=True))


def _measure_many(plan: Plan, stage: Stage, seen: Seen, extras: Extras, dice: random.Random) -> None:
    link, pid = stage.link, stage.pid
    game = link if isinstance(link, GameLink) else None
    if game is not None:
        extras.idle.append(rest(game, pid, plan.idle_s, beating=False))
        game.start_beats(idle=True)
        extras.beating.append(rest(game, pid, plan.idle_s, beating=True))
    link.settle()
    flood(link, pid, plan.warm_s)
    link.settle()
    warm_kib = resident_kib(pid)
    seen.streams.append(stream(link, pid, STREAM_RATE, plan.stream_s, dice))
    link.settle()
    own = usage_of(os.getpid())
    seen.floods.append(flood(link, pid, plan.flood_s))
    seen.load_busy.append(usage_of(os.getpid()).since(own).ran_ns / seen.floods[-1].wall_ns)
    link.settle()
    seen.table_kib.append((warm_kib - stage.empty_kib) / link.tables)
    seen.grown_kib.append((resident_kib(pid) - warm_kib) / link.tables)
    if game is not None:
        receivers = 2 * game.plays
        extras.delta_bytes.append(game.down_bytes / receivers)
        extras.other_bytes.append(game.other_bytes / receivers)


def _measure_fair(plan: Plan, stage: Stage, seen: Seen, dice: random.Random) -> None:
    """The steady load alone: a closed loop would wait for the showings, not for the server."""
    link = stage.link
    assert isinstance(link, GameLink)
    link.start_beats()
    link.settle()
    stream(link, stage.pid, STREAM_RATE, plan.warm_s, dice)
    link.settle()
    seen.streams.append(stream(link, stage.pid, STREAM_RATE, plan.stream_s, dice))


def _add_fair(figures: Figures, seen: dict[str, Seen]) -> None:
    """The full fair order beside `off`, in the same run: the delay is for everybody to see the play at one instant."""
    fair, off = seen[FAIR], seen[GAME]

    def row(name: str, unit: str, of: Callable[[Seen], float], goal: Goal | None = None) -> None:
        figures.add(name, FAIR, of(fair), unit, floor=of(off), goal=goal)

    row("fair order / off: 1 table, p50", "us", lambda it: percentile(it.pulses_ns, 0.50) / NS_PER_US)
    row("fair order / off: CPU s per 10,000 plays", "s", lambda it: median([w.cpu_s_per_10k for w in it.streams]))
    row("fair order / off: share of a core", "", lambda it: median([w.busy for w in it.streams]))


def _add_exchanges(figures: Figures, seen: dict[str, Seen]) -> None:
    def row(name: str, unit: str, of: Callable[[Seen], float], goal: Goal | None = None) -> None:
        floor = of(seen[FLOOR])
        for kind in KINDS:
            ours = goal if kind == GAME else None
            figures.add(name, kind, of(seen[kind]), unit, floor=None if kind == FLOOR else floor, goal=ours)

    def steady_us(share: float) -> Callable[[Seen], float]:
        return lambda it: percentile([ns for window in it.streams for ns in window.latencies_ns], share) / NS_PER_US

    latency = "play -> other player"
    p99_us = steady_us(0.99)
    row(f"{latency}, 1 table, p50", "us", lambda it: percentile(it.pulses_ns, 0.50) / NS_PER_US, _ratio(2.5))
    row(f"{latency}, 1 table, p99", "us", lambda it: percentile(it.pulses_ns, 0.99) / NS_PER_US)
    row(f"{latency}, 200 tables, p50", "us", steady_us(0.50), _ratio(2.5))
    row(f"{latency}, 200 tables, p99", "us", p99_us, Goal("<=", p99_us(seen[FLOOR]) + P99_MORE_US))
    row("plays a second, steady load", "/s", lambda it: median([w.plays_a_second for w in it.streams]))
    steady_cpu = "CPU s per 10,000 plays, 2,000 plays/s"
    row(steady_cpu, "s", lambda it: median([w.cpu_s_per_10k for w in it.streams]), _ratio(4))
    fast = "plays a second, closed loop"
    row(fast, "/s", lambda it: median([w.plays_a_second for w in it.floods]), Goal(">=", 30_000))
    row("closed loop: the server's share of its core", "", lambda it: median([w.busy for w in it.floods]))
    row("closed loop: the load's share of its core", "", lambda it: median(it.load_busy))
    row("closed loop: plays per server CPU second", "/s", lambda it: median([1e4 / w.cpu_s_per_10k for w in it.floods]))
    row("server threads waiting for their core", "", lambda it: it.waited)
    row("memory per table", "KiB", lambda it: median(it.table_kib), Goal("<=", 100))
    row("memory per table added by the run", "KiB", lambda it: median(it.grown_kib))
    for kind in KINDS:
        busy = median([window.busy for window in seen[kind].floods])
        if busy < SATURATED:
            figures.notes.append(
                f"{LABELS[kind]}: the load could not saturate the server's core ({busy:.0%} used): go by the plays per "
                "server CPU second"
            )
    if seen[FLOOR].waited > DISTURBED:
        figures.notes.append(
            f"a disturbed run: raw TCP, a single thread, waited {seen[FLOOR].waited:.0%} of the time for its core"
        )


def _ratio(limit: float) -> Goal:
    return Goal("<=", limit, of_ratio=True)


def _add_extras(figures: Figures, extras: Extras) -> None:
    figures.add("payload bytes per play and receiver", GAME, median(extras.delta_bytes), "bytes", goal=Goal("<=", 30))
    figures.add("other payload per play and receiver", GAME, median(extras.other_bytes), "bytes")
    idle = [window.busy * 100 for window in extras.idle]
    beating = [window.busy * 100 for window in extras.beating]
    figures.add("200 idle tables, players silent", GAME, median(idle), "% of core", goal=Goal("<=", 1))
    figures.add("200 idle tables, players' heartbeats", GAME, median(beating), "% of core")
