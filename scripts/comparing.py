"""Many random deals in lock step over all cores: what `scripts/compare-rules` runs."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.reference.agreement import Met, compare

CHUNK = 50
SHOWN = 5
INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Compare; the exit code is 0 when all deals agree, 1 when any does not, 130 when interrupted."""
    parser = argparse.ArgumentParser(
        prog="compare-rules", description="Play random deals by the game and the reference."
    )
    parser.add_argument("--deals", type=int, default=100_000, help="how many deals (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first deal's seed (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    options = parser.parse_args(argv)
    try:
        return compare_many(range(options.first, options.first + options.deals), options.jobs)
    except KeyboardInterrupt:
        return INTERRUPTED


def compare_many(seeds: range, jobs: int) -> int:
    """Compare the deals of these seeds and print what came of it; 0 or 1."""
    started = time.monotonic()
    steps, apart, words = 0, 0, Counter[str]()
    for count, met in enumerate(_results(seeds, jobs), 1):
        steps += met.steps
        words.update(met.words)
        if met.difference is not None:
            apart += 1
            if apart <= SHOWN:
                print(f"\r{met.difference}", flush=True)
        if count % CHUNK == 0 or count == len(seeds):
            _progress(count, len(seeds), apart, time.monotonic() - started)
    print(file=sys.stderr)
    print(f"{len(seeds)} deals, {steps} steps: {apart} differences, in {time.monotonic() - started:.0f} s")
    print("deals that had: " + ", ".join(f"{word} {count}" for word, count in words.most_common()))
    return 1 if apart else 0


def _results(seeds: range, jobs: int) -> Iterator[Met]:
    if jobs == 1:
        yield from map(compare, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(compare, seeds, CHUNK)


def _progress(count: int, total: int, apart: int, seconds: float) -> None:
    pace = f"{count / seconds:.0f} a second" if seconds else ""
    print(f"\r{count}/{total} deals, {apart} differences, {pace}", end="", file=sys.stderr, flush=True)
