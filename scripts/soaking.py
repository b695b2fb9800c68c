"""Many simulated evenings over all cores, the planted faults, and the long fuzz: what `scripts/soak` runs."""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from tests.sim.fuzz import Fuzzed, fuzz
from tests.sim.fuzz_readers import fuzz_readers
from tests.sim.fuzz_sockets import fuzz_sockets
from tests.sim.mutants import FAULTS, found_by
from tests.sim.rare import RARE
from tests.sim.run import Run, run

from killing import soak_kills

CHUNK = 10
SHOWN = 3
INTERRUPTED = 130
MUTANT_SEEDS = 500
FUZZ_CHUNK = 20_000
_FUZZES: dict[str, Callable[[int, int], Fuzzed]] = {
    "sockets": fuzz_sockets,
    "messages": fuzz,
    "readers": fuzz_readers,
}

Given = TypeVar("Given")
Result = TypeVar("Result")


def main(argv: list[str] | None = None) -> int:
    """Soak; the exit code is 0 when all held, 1 when anything did not, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="soak", description="Run simulated evenings and look for what must not be.")
    parser.add_argument("--seeds", type=int, default=3_000, help="how many evenings (default: %(default)s)")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="SEED", help="the first seed (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    parser.add_argument("--mutants", action="store_true", help="plant each known fault and show the seed that finds it")
    parser.add_argument("--fuzz", type=int, default=0, metavar="N", help="send so many broken messages instead")
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="kill a live tournament's server N times")
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    options = parser.parse_args(argv)
    try:
        if options.mutants:
            found, text = soak_mutants(options.jobs)
        elif options.kill:
            found, text = soak_kills(options.kill, options.first)
        elif options.fuzz:
            found, text = soak_fuzz(options.fuzz, options.first, options.jobs)
        else:
            found, text = soak_seeds(range(options.first, options.first + options.seeds), options.jobs)
    except KeyboardInterrupt:
        return INTERRUPTED
    print(json.dumps(found) if options.json else text, flush=True)
    return 0 if found["ok"] else 1


def soak_seeds(seeds: range, jobs: int) -> tuple[dict[str, Any], str]:
    """Run these seeds; what was found as an object and in words."""
    started, met, broken = time.monotonic(), Counter[str](), list[int]()
    deals = messages = 0
    for count, one in enumerate(_over_all(run_quietly, seeds, jobs, CHUNK), 1):
        met.update(one.met)
        deals, messages = deals + one.deals, messages + one.messages
        if one.breach:
            broken.append(one.seed)
            if len(broken) <= SHOWN:
                print(f"\r{one.breach}\n", file=sys.stderr, flush=True)
        if count % CHUNK == 0 or count == len(seeds):
            pace = count / (time.monotonic() - started)
            _progress(f"{count}/{len(seeds)} seeds, {len(broken)} breaches, {pace:.0f} a second")
    never = [what for what in RARE if not met[what]]
    found = {
        "ok": not broken and not (never and len(seeds) >= MUTANT_SEEDS * 6),
        "seeds": len(seeds),
        "first": seeds.start,
        "breaches": sorted(broken),
        "deals": deals,
        "messages_judged": messages,
        "seconds": round(time.monotonic() - started, 1),
        "rare": {what: met[what] for what in RARE},
        "never": never,
    }
    words = ", ".join(f"{what} {met[what]}" for what in RARE)
    text = f"{len(seeds)} seeds, {deals} deals, {messages} messages judged in {found['seconds']} s\nrare: {words}\n"
    text += f"never: {', '.join(never) or 'nothing'}\nbreaches: {', '.join(map(str, sorted(broken))) or 'none'}"
    return found, text


def run_quietly(seed: int) -> Run:
    """One seed, with garbage collected only between seeds."""
    gc.disable()
    try:
        return run(seed)
    finally:
        gc.enable()


def soak_mutants(jobs: int) -> tuple[dict[str, Any], str]:
    """Plant each fault; the seed that finds it."""
    rows, lines = [], []
    for fault, seed, breach in _over_all(_find, list(FAULTS), jobs, 1):
        rows.append({"fault": fault, "seed": seed, "breach": breach})
        lines.append(f"{fault:34} {'NOT FOUND' if seed is None else f'seed {seed}'}: {breach}")
        _progress(f"{len(rows)}/{len(FAULTS)} planted faults")
    missed = [row["fault"] for row in rows if row["seed"] is None]
    found = {"ok": not missed, "mutants": rows, "missed": missed}
    return found, "\n".join(
        [*sorted(lines), f"{len(rows) - len(missed)} of {len(rows)} found within {MUTANT_SEEDS} seeds"]
    )


def _find(fault: str) -> tuple[str, int | None, str]:
    return fault, *found_by(fault, range(MUTANT_SEEDS))


def soak_fuzz(count: int, first: int, jobs: int) -> tuple[dict[str, Any], str]:
    """Send so many broken messages to decoders and hubs, as many broken things to readers, a tenth over sockets."""
    started, parts = time.monotonic(), list[tuple[str, int, int]]()
    totals = {"sockets": count // 10, "messages": count, "readers": count}
    for kind, total in totals.items():
        chunk = FUZZ_CHUNK if kind != "sockets" else total or 1
        parts += [
            (kind, first + number, min(chunk, total - start)) for number, start in enumerate(range(0, total, chunk))
        ]
    done, growth, wrong = Counter[str](), Counter[str](), list[str]()
    for kind, fuzzed in _over_all(_fuzz, parts, jobs, 1):
        done[kind] += fuzzed.messages
        growth[kind] = max(growth[kind], fuzzed.growth_bytes)
        wrong += fuzzed.wrong
        _progress(f"{done.total()}/{sum(totals.values())} messages, {len(wrong)} wrong")
    seconds = round(time.monotonic() - started, 1)
    found = {"ok": not wrong, "sent": done, "most_growth_bytes": growth, "seconds": seconds, "wrong": wrong[:SHOWN]}
    lines = [f"{kind:9} {done[kind]:8} sent, most growth {growth[kind]} bytes" for kind in totals]
    return found, "\n".join([*lines, f"{seconds} s", f"wrong: {wrong[:SHOWN] or 'nothing'}"])


def _fuzz(part: tuple[str, int, int]) -> tuple[str, Fuzzed]:
    kind, seed, count = part
    return kind, _FUZZES[kind](seed, count)


def _over_all(work: Callable[[Given], Result], given: Sequence[Given], jobs: int, chunk: int) -> Iterator[Result]:
    if jobs == 1 or len(given) == 1:
        yield from map(work, given)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(work, given, chunk)


def _progress(text: str) -> None:
    print(f"\r{text}", end="", file=sys.stderr, flush=True)
    if not sys.stderr.isatty():
        return
