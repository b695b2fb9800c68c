"""One evening under load: a real server, its tables, players, watchers and perhaps an attacker; then the figures.

The server is a process of its own and so is each crowd; all meet on this machine's loopback. The players are honest and
measured. What the server says of itself comes from its `--stats`, memory and descriptors are read off the process.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, NoReturn

from benchmarks.measure import BenchError, percentile, resident_kib, usage_of
from benchmarks.score import DEAL_NUMBER, bench_rules, write_score
from benchmarks.stages import deal_code
from loading import attacks, watchers
from loading.attacks import ATTACKS
from loading.house import find_house
from loading.players import Honest
from speed_server.gauge import share_of
from speed_server.options import MOST_TABLES

MOST_TICK_MS: Final = 5.0
MOST_ROUND_TRIP_MS: Final = 15.0
MOST_MEMORY_MB: Final = 200.0

PLAYED_TABLES: Final = 8
"""So many of the tables have people; computers of the server play at the others."""

DESCRIPTORS: Final = 8_192
STARTING_S: Final = 20.0
ARRIVING_S: Final = 2.0
ARRIVALS_A_SECOND: Final = 60
"""Before anything is measured: until all have come and every queue has emptied."""
DISTURBED: Final = 0.1
"""A server that waits so much of the time for a core, on a machine with other work, is measured with that work."""
LOOK_S: Final = 5.0
NS_PER_MS: Final = 1e6
INTERRUPTED: Final = 130

_PORT: Final = re.compile(r"ports: door (\d+)")


class Look(NamedTuple):
    """The server's process at one moment."""

    at_s: float
    memory_mb: float
    descriptors: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code is 0 when every gate held, 1 when not, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="load", description="A full house around one server on this machine.")
    parser.add_argument("--tables", type=int, default=64, metavar="N", help="tables in all (default %(default)s)")
    parser.add_argument("--watchers", type=int, default=500, metavar="N", help="spectators (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=2.0, metavar="M", help="how long (default %(default)s)")
    parser.add_argument("--attack", choices=tuple(ATTACKS), help="who misbehaves meanwhile (default: nobody)")
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    options = parser.parse_args(arguments)
    if not PLAYED_TABLES < options.tables <= MOST_TABLES - 2 * PLAYED_TABLES:
        parser.error(f"--tables {options.tables} is not from {PLAYED_TABLES + 1} to {MOST_TABLES - 2 * PLAYED_TABLES}")
    signal.signal(signal.SIGTERM, _end)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(DESCRIPTORS, hard)), hard))
    try:
        with tempfile.TemporaryDirectory(prefix="speed-load-") as folder:
            found = _evening(Path(folder), options)
    except (BenchError, OSError) as error:
        sys.stderr.write(f"load: {error}\n")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    print(json.dumps(found) if options.json else _table(found))
    return 0 if found["ok"] else 1


def _end(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _evening(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    stats = folder / "stats.jsonl"
    with _server(folder, stats, options.tables) as (server, door), _crowd(watchers, door, options) as crowd:
        house = find_house(door)
        with closing(Honest(PLAYED_TABLES, write_score(bench_rules()), house.play, house.key)) as players:
            gc.collect()
            gc.freeze()
            gc.disable()
            players.start_beats()
            players.settle()
            dice = Random(1)  # noqa: S311  # it spaces plays out
            players.play_on(time.monotonic() + ARRIVING_S + options.watchers / ARRIVALS_A_SECOND, dice)
            if options.attack:
                with _crowd(attacks, door, options) as attacker:
                    found = _measure(players, server, stats, dice, options)
                    found["attack"] = {"kind": options.attack, **_last_words(attacker)}
            else:
                found = _measure(players, server, stats, dice, options)
            found["watchers"] = _last_words(crowd)
            found["alive"] = server.poll() is None
    gates = found["gates"] = {
        "tick_p99_ms": (found["tick_p99_ms"], MOST_TICK_MS),
        "round_trip_p99_ms": (found["round_trip_p99_ms"], MOST_ROUND_TRIP_MS),
        "memory_mb": (found["memory_mb"], MOST_MEMORY_MB),
    }
    complete = found["alive"] and found["plays"] > 0 and not found["watchers"]["saw_nothing"]
    found["ok"] = complete and all(value <= most for value, most in gates.values())
    return found


@contextmanager
def _server(folder: Path, stats: Path, tables: int) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A real server with computers at all but the players' tables, and its door."""
    options = ["--host", "127.0.0.1", "--port", "0", "--data", str(folder / "data"), "--stats", str(stats)]
    # Without waits, and with one deal always, so that the honest players know what to play.
    options += ["--countdown", "0", "--gap", "0", "--flip-delay", "0", "--deal", deal_code(DEAL_NUMBER)]
    options += ["--tables", str(tables + 2 * PLAYED_TABLES), "--bots", str(tables - PLAYED_TABLES)]
    complaints = folder / "complaints"
    with complaints.open("wb") as errors:
        server = subprocess.Popen(
            [sys.executable, "-m", "speed_server", *options], stdout=subprocess.PIPE, stderr=errors, cwd=folder
        )
    with server:
        try:
            assert server.stdout is not None
            deadline = time.monotonic() + STARTING_S
            for line in server.stdout:
                if told := _PORT.match(line.decode()):
                    yield server, int(told[1])
                    return
                if time.monotonic() > deadline:
                    break
            raise BenchError(f"the server did not start: {complaints.read_text().strip()}")
        finally:
            server.terminate()


@contextmanager
def _crowd(module: Any, door: int, options: argparse.Namespace) -> Iterator[subprocess.Popen[str]]:
    """A child that plays its part until its standard input closes."""
    words = [options.attack] if module is attacks else [str(options.watchers), str(options.tables - PLAYED_TABLES)]
    command = [sys.executable, "-m", module.__name__, str(door), *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).resolve().parents[1]
    ) as crowd:
        try:
            yield crowd
        finally:
            crowd.kill()


def _last_words(crowd: subprocess.Popen[str]) -> dict[str, Any]:
    said, _ = crowd.communicate(timeout=STARTING_S)
    if not said:
        raise BenchError("a crowd broke down")
    words: dict[str, Any] = json.loads(said)
    return words


def _measure(
    players: Honest, server: subprocess.Popen[bytes], stats: Path, dice: Random, options: argparse.Namespace
) -> dict[str, Any]:
    players.round_trips.clear()
    players.plays_seen.clear()
    lines = _read(stats)
    usage, looks = usage_of(server.pid), [_look(server.pid)]
    began = time.monotonic()
    end = began + 60 * options.minutes
    while (now := time.monotonic()) < end:
        players.play_on(min(end, now + LOOK_S), dice)
        looks.append(_look(server.pid))
    wall_s = time.monotonic() - began
    used = usage_of(server.pid).since(usage)
    told = _read(stats)[len(lines) :]
    steps: Counter[int] = Counter()
    for line in told:
        steps.update({int(step): count for step, count in line["late"]["steps"].items()})
    last = told[-1] if told else {}
    return {
        "tables": options.tables,
        "seconds": round(wall_s, 1),
        "plays": len(players.plays_seen),
        "round_trip_p50_ms": _ms(players.round_trips, 0.5),
        "round_trip_p99_ms": _ms(players.round_trips, 0.99),
        "play_seen_p50_ms": _ms(players.plays_seen, 0.5),
        "play_seen_p99_ms": _ms(players.plays_seen, 0.99),
        "ticks": steps.total(),
        "tick_p50_ms": share_of(steps, 0.5),
        "tick_p99_ms": share_of(steps, 0.99),
        "tick_worst_ms": max((line["late"]["worst_ms"] for line in told), default=0.0),
        "longest_turn_ms": max((line["late"]["longest_turn_ms"] for line in told), default=0.0),
        "server_cpu": round(used.ran_ns / 1e9 / wall_s, 3),
        "server_waited_for_a_core": round(used.waited_ns / 1e9 / wall_s, 3),
        "memory_mb": max(look.memory_mb for look in looks),
        "memory_slope_mb_a_minute": _slope(looks),
        "descriptors": max(look.descriptors for look in looks),
        **{
            word: last.get(word)
            for word in ("connections", "lagging", "broken_messages", "failed_handshakes", "cut_off")
        },
    }


def _read(stats: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stats.read_text().splitlines()]


def _look(pid: int) -> Look:
    descriptors = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    return Look(time.monotonic(), round(resident_kib(pid) * 1_024 / 1e6, 1), descriptors)


def _slope(looks: Sequence[Look]) -> float:
    """Megabytes a minute: the straight line through the second half, when everybody has come."""
    half = looks[len(looks) // 2 :]
    mean_s = sum(look.at_s for look in half) / len(half)
    mean_mb = sum(look.memory_mb for look in half) / len(half)
    spread = sum((look.at_s - mean_s) ** 2 for look in half)
    if not spread:
        return 0.0
    return round(60 * sum((look.at_s - mean_s) * (look.memory_mb - mean_mb) for look in half) / spread, 2)


def _ms(values: Sequence[int], share: float) -> float:
    return round(percentile(values, share) / NS_PER_MS, 2)


def _table(found: dict[str, Any]) -> str:
    attack, crowd = found.get("attack"), found["watchers"]
    rows: list[tuple[str, object, str]] = [
        (
            "honest round trip, p50 / p99",
            f"{found['round_trip_p50_ms']} / {found['round_trip_p99_ms']} ms",
            "p99 <= 15",
        ),
        ("play to rival's screen, p50 / p99", f"{found['play_seen_p50_ms']} / {found['play_seen_p99_ms']} ms", ""),
        ("tick lateness, p50 / p99", f"{found['tick_p50_ms']} / {found['tick_p99_ms']} ms", "p99 <= 5"),
        ("tick lateness, worst", f"{found['tick_worst_ms']} ms of {found['ticks']} ticks", ""),
        ("longest turn of the loop", f"{found['longest_turn_ms']} ms", ""),
        ("server's share of a core", f"{found['server_cpu']:.1%}", ""),
        ("server waiting for a core", f"{found['server_waited_for_a_core']:.1%}", ""),
        ("server's memory, most", f"{found['memory_mb']} MB", "<= 200"),
        ("memory slope, second half", f"{found['memory_slope_mb_a_minute']} MB a minute", ""),
        ("descriptors, most", found["descriptors"], ""),
        ("connections at the end", found["connections"], ""),
        ("players' queues full", found["lagging"], ""),
        ("watchers: messages / gaps", f"{crowd['messages']} / {crowd['gaps']}", ""),
        ("watchers who saw nothing", f"{crowd['saw_nothing']} of {crowd['watchers']}", "0"),
        ("broken messages", found["broken_messages"], ""),
        ("failed handshakes", found["failed_handshakes"], ""),
        ("cut off", ", ".join(f"{why} {count}" for why, count in (found["cut_off"] or {}).items()) or "nobody", ""),
    ]
    head = f"{found['tables']} tables, {crowd['watchers']} watchers, {found['seconds']} s, {found['plays']} plays"
    head += f", attack: {attack['kind']} ({attack['sent']} messages)" if attack else ", no attack"
    lines = [f"{name:36} {value!s:28} {gate}".rstrip() for name, value, gate in rows]
    if found["server_waited_for_a_core"] > DISTURBED:
        lines.append("A DISTURBED RUN: this machine had no core for the server when it wanted one")
    return "\n".join([head, *lines, "all gates held" if found["ok"] else "A GATE DID NOT HOLD"])


if __name__ == "__main__":
    sys.exit(main())
