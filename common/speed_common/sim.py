"""`speed-sim`: play thousands of deals between computer players and print what came of them."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import signal
import sys
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import msgspec

from speed_common import __version__
from speed_common.computer import LEVELS
from speed_common.rules import PRESETS, Rules, RulesError, make_rules
from speed_common.simulate import Figures, simulate, summary

_CHUNK: Final = 250
_BAR: Final = 30
_INTERRUPTED: Final = 130
_Job = tuple[Rules, int, range, tuple[int, int] | None]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: list[str] | None = None) -> int:
    """Run the command line; the exit code is 0, or 2 for options that do not go together, or 130 when interrupted."""
    parser = _build_parser()
    options = parser.parse_args(argv)
    try:
        rules = make_rules(
            options.rules,
            hand_size=options.hand,
            draw_size=options.draw,
            side_size=options.side,
            piles=options.piles,
            jokers=options.jokers,
            joker_mode=options.joker_mode,
            wrap=options.wrap,
            same_rank=options.same_rank,
            tuck=options.tuck,
            reshuffle=options.reshuffle,
            refill=options.refill,
        )
    except RulesError as error:
        parser.error(str(error))
    try:
        results = _run(rules, options)
    except KeyboardInterrupt:
        return _INTERRUPTED
    report = {
        "deals": options.deals,
        "seed": options.seed,
        "rules": {"preset": options.rules, **msgspec.to_builtins(rules)},
        "levels": options.levels,
        **summary(results),
    }
    sys.stdout.write((json.dumps(report) if options.json else _table(report)) + "\n")
    return 0


def _build_parser() -> _Parser:
    parser = _Parser(prog="speed-sim", description="Play many deals between computer players and count.")
    parser.add_argument("--deals", type=_between(1, 100_000_000), default=1000, help="how many (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same figures (default 1)")
    parser.add_argument(
        "--levels", type=_levels, metavar="AvB", help="two computers, as 1v2, instead of greedy players"
    )
    parser.add_argument("--rules", "--deal", choices=sorted(PRESETS), default="us", help="how the cards are dealt")
    parser.add_argument("--hand", type=int, metavar="N", help="cards in a hand")
    parser.add_argument("--draw", type=int, metavar="N", help="cards in a draw pile")
    parser.add_argument("--side", type=int, metavar="N", help="cards in a side pile")
    parser.add_argument("--piles", type=int, metavar="N", help="centre piles")
    parser.add_argument("--jokers", type=int, metavar="N", help="jokers in the deck")
    parser.add_argument("--joker-mode", choices=["open", "declared"], help="whether a joker is given a rank")
    parser.add_argument("--no-wrap", dest="wrap", action="store_false", help="king and ace are no neighbours")
    parser.add_argument("--same-rank", action="store_true", help="the same rank fits too")
    parser.add_argument("--no-tuck", dest="tuck", action="store_false", help="a dead deal is void")
    parser.add_argument("--reshuffle", choices=["pooled", "per_pile"], help="how side piles are made anew")
    parser.add_argument("--refill", choices=["auto", "manual"], help="who draws")
    parser.add_argument(
        "--jobs", type=_between(1, 1024), default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def _between(least: int, most: int) -> Any:
    def number(text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to {most}")
        return int(text)

    return number


def _levels(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,2})v(\d{1,2})", text)
    levels = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= level <= LEVELS for level in levels):
        raise argparse.ArgumentTypeError(f"{text!r} is no pair of speeds: write two of 1 to {LEVELS}, as 1v2")
    return levels


def _run(rules: Rules, options: argparse.Namespace) -> list[Figures]:
    jobs = [
        (rules, options.seed, range(start, min(start + _CHUNK, options.deals)), options.levels)
        for start in range(0, options.deals, _CHUNK)
    ]
    processes = min(options.jobs, len(jobs))
    results: list[Figures] = []
    if processes == 1:
        for job in jobs:
            results += _play(job)
            _show_progress(len(results), options.deals)
        return results
    with multiprocessing.Pool(processes, initializer=_leave_interrupts_to_the_parent) as pool:
        for part in _parts(pool, jobs):
            results += part
            _show_progress(len(results), options.deals)
    return results


def _parts(pool: Any, jobs: list[_Job]) -> Iterator[list[Figures]]:
    yield from pool.imap(_play, jobs)


def _play(job: _Job) -> list[Figures]:
    return simulate(*job)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _show_progress(done: int, deals: int) -> None:
    if sys.stderr.isatty():
        filled = _BAR * done // deals
        end = "\r\x1b[K" if done == deals else ""
        sys.stderr.write(f"\r{'#' * filled}{'.' * (_BAR - filled)} {done}/{deals}{end}")
        sys.stderr.flush()


def _table(report: dict[str, Any]) -> str:
    flips, plays, lasts = report["flips"], report["plays"], report["duration_s"]
    rows = [
        ("deals", f"{report['deals']} (seed {report['seed']})"),
        ("winners", f"{report['winners']}, void {report['voids']}"),
        ("flips", f"mean {flips['mean']:.2f}, median {flips['median']:g}, max {flips['max']}"),
        ("deals with a reshuffle", f"{100 * report['reshuffle_share']:.2f} %"),
        ("plays", f"median {plays['median']:g}, max {plays['max']}"),
        ("stuck at the reveal", f"{100 * report['stuck_at_reveal_share']:.2f} %"),
        ("score", f"mean {report['score_mean']:.2f}"),
        ("tucks", f"{report['tucks']} in {report['deals_with_tuck']} deals"),
        ("refused plays", f"{report['refused']}"),
        ("a deal lasts", f"median {lasts['median']} s, max {lasts['max']} s"),
    ]
    if report["levels"]:
        sides = (f"{100 * won / report['deals']:.1f} %" for won in report["won"])
        pairs = zip(report["levels"], sides, strict=True)
        rows.append(("won", ", ".join(f"speed {level} {share}" for level, share in pairs)))
    return "\n".join(f"{name:<24}{value}" for name, value in rows)


if __name__ == "__main__":
    sys.exit(main())
