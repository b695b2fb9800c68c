"""`speed-sim`: play thousands of deals between computer players and print what came of them."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import signal
import sys
from typing import Any, Final, NoReturn

import msgspec

from speed_common import __version__
from speed_common.cards import card_name
from speed_common.codes import CodeError, GameCode, format_code, parse_code
from speed_common.computer import LEVELS, Computer
from speed_common.deck import CodeStream, lay_out
from speed_common.presets import RulesError
from speed_common.rule_words import add_rule_options, describe, rules_from
from speed_common.rules import Rules
from speed_common.simulate import Figures, Totals, play_deal, simulate

_CHUNK: Final = 250
_BAR: Final = 30
_INTERRUPTED: Final = 130
_SPEED: Final = 5
"""At which a computer plays for each of the people that a code is for."""
_Job = tuple[Rules, int, range, tuple[int, ...] | None]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: list[str] | None = None) -> int:
    """Run the command line; the exit code is 0, or 2 for options that do not go together, or 130 when interrupted."""
    parser = _build_parser()
    options = parser.parse_args(argv)
    try:
        rules = rules_from(options)
    except RulesError as error:
        parser.error(str(error))
    if options.levels and not options.code and len(options.levels) != rules.players:
        parser.error(f"--levels names {len(options.levels)} computers, {rules.players} play: write a speed for each")
    if options.show_deal and not options.code:
        parser.error("--show-deal shows the deal of a code: give --code too")
    if options.code:
        if rules != Rules():
            parser.error("--code says its rules itself: leave the rule options out")
        if options.levels and len(options.levels) != options.code.rules.players:
            parser.error(
                f"--levels names {len(options.levels)} computers, the code is for {options.code.rules.players}"
            )
        return _play_code(options.code, options)
    try:
        totals = _run(rules, options)
    except KeyboardInterrupt:
        return _INTERRUPTED
    report = {
        "deals": options.deals,
        "seed": options.seed,
        "rules": describe(rules),
        "parameters": msgspec.structs.asdict(rules),
        "levels": options.levels,
        **totals.report(),
    }
    sys.stdout.write((json.dumps(report) if options.json else _table(report)) + "\n")
    return 0


def _build_parser() -> _Parser:
    parser = _Parser(prog="speed-sim", description="Play many deals between computer players and count.")
    parser.add_argument("--deals", type=_between(1, 100_000_000), default=1000, help="how many (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same figures (default 1)")
    parser.add_argument(
        "--levels", type=_levels, metavar="AvB", help="computers of these speeds, as 1v2, instead of greedy players"
    )
    parser.add_argument("--code", type=_code, help="play the deal of a game code once, by its own rules")
    parser.add_argument(
        "--show-deal", action="store_true", help="print where the cards of --code lie, and play nothing"
    )
    parser.add_argument(
        "--jobs", type=_between(1, 1024), default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    add_rule_options(parser, "--deal")
    return parser


def _play_code(code: GameCode, options: argparse.Namespace) -> int:
    name = format_code(*code)
    if options.show_deal:
        deal = _laid_out(code)
        report = {"code": name, "rules": describe(code.rules), "number": code.number, **deal}
        lines = [
            f"{name}  {describe(code.rules)}, deal {code.number}",
            *(f"{heap:<8}{row}" for heap, row in deal.items()),
        ]
    else:
        levels = options.levels or (code.level or _SPEED,) * code.rules.players
        figures = play_deal(code.rules, CodeStream(code.number), [Computer(level, None) for level in levels])
        report = {"code": name, "rules": describe(code.rules), **msgspec.structs.asdict(figures)}
        lines = [f"{heap.replace('_', ' '):<16}{value}" for heap, value in report.items()]
    sys.stdout.write(json.dumps(report) + "\n" if options.json else "\n".join(lines) + "\n")
    return 0


def _laid_out(code: GameCode) -> dict[str, str]:
    """Where the cards lie before the reveal; the last of a pile is its top."""
    layout = lay_out(code.rules, CodeStream(code.number))
    heaps = {f"hand {seat}": hand for seat, hand in enumerate(layout.hands)}
    heaps |= {f"draw {seat}": pile for seat, pile in enumerate(layout.draws)}
    heaps["centre"] = layout.centre
    heaps |= {f"side {pile}": cards for pile, cards in enumerate(layout.sides)}
    if layout.out:
        heaps["out"] = layout.out
    return {name: " ".join(map(card_name, cards)) for name, cards in heaps.items()}


def _between(least: int, most: int) -> Any:
    def number(text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to {most}")
        return int(text)

    return number


def _levels(text: str) -> tuple[int, ...]:
    levels = tuple(map(int, text.split("v"))) if re.fullmatch(r"\d{1,2}(v\d{1,2}){1,3}", text) else (0,)
    if not all(1 <= level <= LEVELS for level in levels):
        raise argparse.ArgumentTypeError(f"{text!r} is no row of speeds: write two to four of 1 to {LEVELS}, as 1v2")
    return levels


def _code(text: str) -> GameCode:
    try:
        return parse_code(text)
    except CodeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _run(rules: Rules, options: argparse.Namespace) -> Totals:
    jobs = (
        (rules, options.seed, range(start, min(start + _CHUNK, options.deals)), options.levels)
        for start in range(0, options.deals, _CHUNK)
    )
    totals = Totals()
    processes = min(options.jobs, -(-options.deals // _CHUNK))
    if processes == 1:
        for job in jobs:
            _count(totals, _play(job), options.deals)
        return totals
    with multiprocessing.Pool(processes, initializer=_leave_interrupts_to_the_parent) as pool:
        for part in pool.imap(_play, jobs):
            _count(totals, part, options.deals)
    return totals


def _count(totals: Totals, part: list[Figures], deals: int) -> None:
    totals.add(part)
    _show_progress(totals.deals, deals)


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
        ("rules", report["rules"]),
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
