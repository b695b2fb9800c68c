"""`scripts/lab`: what the fair order does with the same races that arrival order decides, against the truth."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any, Final

from lab_sim.cheats import ATTACKS
from lab_sim.faults import FAULTS, Faults, suffer
from lab_sim.figures import Figures, as_dict, figures_of, wilson
from lab_sim.gates import COLUMNS, Gate, check
from lab_sim.plot import picture
from lab_sim.races import GAPS_MS, Evening, Mode, Plan
from lab_sim.trials import Trial, attempt, honest_flags
from lab_sim.world import LINKS, MS, SECOND
from speed_common.fair_settings import PRESETS, FairSettings
from speed_common.paths import given_path

OTHERS: Final = (("cable", "spike"), ("bad", "bad"), ("good", "bad"))
MODES: Final[tuple[Mode, Mode]] = ("press", "reaction")
ATTACK_LINKS: Final = ("cable", "good", "bad")
NAMES: Final = {
    "cable": "cable", "good": "good Wi-Fi", "bad": "bad Wi-Fi", "bad-loss": "bad Wi-Fi, 2 % loss",
    "slow-up": "30 ms up, 3 down", "slow-down": "3 ms up, 30 down", "spike": "stalls of 90 ms",
}  # fmt: skip
"""The links for people."""

SIM_RACES: Final = 2_500
LIVE_RACES: Final = 300
LIVE_LINK: Final = "bad-loss"
HONEST_SESSIONS: Final = 30
"""For each link: 210 sessions in all."""


def run(links: tuple[str, str], mode: Mode, options: argparse.Namespace, settings: FairSettings) -> Figures:
    """The figures of one pair of links."""
    evening = Evening(Plan(links, mode, options.races, options.seed, settings))
    races = evening.run()
    if evening.wrong_records:
        raise AssertionError(f"{evening.wrong_records} verdicts do not follow from their record: {links}, {mode}")
    seconds = evening.world.now / SECOND
    beats = [client.beats / seconds for client in evening.clients]
    return figures_of(races, (beats[0], beats[1]), evening.server.probes / seconds)


def show(links: tuple[str, str], mode: str, figures: Figures) -> None:
    """One pair of links as a table for people."""
    print(f"\n{links[0]} (seat 0) against {links[1]} (seat 1), {mode} mode, {figures.races} contested races")
    print("  P(correct | gap)  " + "".join(f"{gap:>9} ms" for gap in GAPS_MS) + "     bias  sigma  share of seat 1")
    for name, order in (("fair", figures.fair), ("arrival", figures.arrival)):
        cells = "".join(f"{order.at(gap):>12.3f}" for gap in GAPS_MS)
        share = f"{order.share_1:.3f} (truth {figures.truth_share_1:.3f})"
        print(f"  {name:<18}{cells}  {order.bias:>+7.1f} {order.sigma:>6.1f}  {share}")
    spans = (wilson(*figures.fair.correct[gap]) for gap in GAPS_MS)
    print("  fair, 95 %        " + "".join(f"  .{low * 1000:03.0f}-{high:.3f}" for low, high in spans))
    wrongly = (figures.fair.wrongly, figures.arrival.wrongly)
    print("  wrongly beaten    " + "; arrival ".join(f"{100 * a:.1f} % {100 * b:.1f} %" for a, b in wrongly))
    names = {"0": "seat 0", "1": "seat 1", "lone": "uncontested"}
    holds = (f"{names[name]} {p50:.1f} / {p99:.1f} / {most:.1f}" for name, (p50, p99, most) in figures.holds.items())
    print("  hold p50/p99/max  " + ", ".join(holds))
    print(
        f"  reveal window p50 {figures.window[0]:.2f} p99 {figures.window[1]:.2f}, clock error p95 "
        f"{figures.clock_error[0]:.2f} {figures.clock_error[1]:.2f}, heartbeats/s {figures.beats_s[0]:.0f} "
        f"{figures.beats_s[1]:.0f}, probes/s {figures.probes_s:.1f}, late_link {figures.late_links}"
    )


def show_gates(name: str, gates: Iterable[Gate]) -> None:
    """A column of the gates."""
    for gate in gates:
        print(f"  {name:<16} {gate.name:<28} {gate.reached:>8.3f} {gate.must:>8.3f}  {_word(gate.passed)}")


def show_trial(trial: Trial) -> None:
    """One attack on one link."""
    bound = "no bound" if trial.bound is None else "bound {:.0f} / {:.0f}".format(*trial.bound)
    until, after = (f"{points:>+5.1f} ± {error:.1f}" for points, error in zip(trial.points, trial.error, strict=True))
    print(
        f"  {trial.attack:<12} {trial.link:<6} gains {until} until the flag, {after} after; {bound}; flagged in "
        f"{100 * trial.flagged:.0f} % of sessions, after {trial.flagged_after:.0f} races; rival's hold p99 "
        f"{trial.rival_hold[1]:.0f}  {_word(trial.passed)}"
    )


def show_faults(faults: Faults) -> None:
    """One kind of fault."""
    print(
        f"  {faults.name:<10} {faults.times} times in {faults.races} races: {faults.wrong_elsewhere} wrong away from "
        f"it, {faults.wrong_near} near it, epochs {faults.epochs}, worst race time {faults.worst_time_ms:.1f} ms off, "
        f"longest hold {faults.longest_hold_ms:.1f}"
    )


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/lab", description="Measure the fair order against the truth.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--sim", action="store_true", help="simulated links and clocks; runs anywhere (the default)")
    where.add_argument("--live", action="store_true", help="a real server and real clients in network namespaces")
    parser.add_argument("--all", action="store_true", help="every link, every gate, every attack, every fault")
    parser.add_argument("--link", choices=LINKS, action="append", help="seat 1's link; seat 0 has a cable")
    parser.add_argument("--mode", choices=MODES, action="append")
    parser.add_argument("--attack", choices=ATTACKS, action="append", help="against an honest equal")
    parser.add_argument("--races", type=int, help="how many a link (2,500; live 300)")
    parser.add_argument("--sessions", type=int, default=40, help="of each attack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", choices=PRESETS, default="default")
    parser.add_argument(
        "--plot", type=given_path, metavar="FILE", help="draw P(correct | gap) in reaction mode, as SVG"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.plot is not None and (options.live or (options.attack and not options.all)):
        parser.error("--plot draws simulated links: leave --live and --attack out")
    if options.plot is not None and not options.all and options.mode == ["press"]:
        parser.error("--plot draws reaction mode: leave --mode out")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for. 0 when every gate and bound holds."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    settings = PRESETS[options.preset]
    if options.live:
        from lab_live.app import main as live  # noqa: PLC0415  # it loads the client, which a simulation does without

        return live(options.link or [LIVE_LINK], options.races or LIVE_RACES, options.seed, options)
    options.races = options.races or SIM_RACES
    report: dict[str, Any] = {"seed": options.seed, "races": options.races, "preset": options.preset}
    started, passed = time.monotonic(), True
    if options.all or not options.attack:
        passed &= _links(options, settings, report)
    if options.all or options.attack:
        passed &= _attacks(options, settings, report)
    if options.all:
        passed &= _faults(options, settings, report)
    report["passed"] = passed
    if options.json:
        print(json.dumps(report))
    else:
        print(f"\n{'all gates met' if passed else 'NOT ALL GATES MET'}, {time.monotonic() - started:.0f} s")
    return 0 if passed else 1


def _links(options: argparse.Namespace, settings: FairSettings, report: dict[str, Any]) -> bool:
    wanted = {column.links for column in COLUMNS.values()} if not options.link else set()
    pairs = [("cable", link) for link in options.link or ()]
    pairs += [column.links for column in COLUMNS.values() if column.links in wanted]
    pairs += OTHERS if options.all else ()
    modes = MODES if options.all or not options.mode else tuple(options.mode)
    found: dict[tuple[str, str], dict[str, Figures]] = {}
    for links in pairs:
        for mode in modes:
            figures = found.setdefault(links, {})[mode] = run(links, mode, options, settings)
            if not options.json:
                show(links, mode, figures)
    if options.plot is not None:
        charts = {_title(links): by["reaction"] for links, by in found.items()}
        options.plot.write_text(picture(charts), encoding="utf-8")
    report["links"] = {f"{a}/{b}": {m: as_dict(f) for m, f in by.items()} for (a, b), by in found.items()}
    report["gates"] = {}
    passed = True
    if not options.json and len(modes) == len(MODES):
        print("\ngates                                           reached     must")
    for name, column in COLUMNS.items():
        if column.links in found and len(found[column.links]) == len(MODES):
            gates = check(column, found[column.links], settings.hold_cap_ns / MS)
            passed &= all(gate.passed for gate in gates)
            report["gates"][name] = [gate._asdict() for gate in gates]
            if not options.json:
                show_gates(name, gates)
    return passed


def _title(links: tuple[str, str]) -> str:
    return " and ".join(NAMES[link] for link in links)


def _attacks(options: argparse.Namespace, settings: FairSettings, report: dict[str, Any]) -> bool:
    report["attacks"] = []
    passed = True
    if not options.json:
        print("\nattacks, in points of win share")
    for attack in options.attack or ATTACKS:
        for link in options.link or ATTACK_LINKS:
            trial = attempt(attack, link, options.sessions, options.seed, settings)
            passed &= trial.passed
            report["attacks"].append(dataclasses.asdict(trial) | {"bound": trial.bound, "passed": trial.passed})
            if not options.json:
                show_trial(trial)
    return passed


def _faults(options: argparse.Namespace, settings: FairSettings, report: dict[str, Any]) -> bool:
    flagged = {link: honest_flags(link, HONEST_SESSIONS, 100, options.seed, settings) for link in LINKS}
    report["honest_flagged"] = flagged
    found = [suffer(name, 400, options.seed) for name in FAULTS]
    report["faults"] = [faults._asdict() for faults in found]
    if not options.json:
        sessions = HONEST_SESSIONS * len(LINKS)
        print(f"\nhonest players flagged in {sessions} sessions: {sum(flagged.values())}\n\nfaults")
        for faults in found:
            show_faults(faults)
    return not any(flagged.values()) and not any(faults.wrong_elsewhere for faults in found)


def _word(passed: bool) -> str:  # noqa: FBT001  # a word for it
    return "ok" if passed else "MISSED"
