"""The figures of a set of races: intervals, percentiles, the probit fit, and what each side won and waited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, log, sqrt
from typing import Any

from lab_sim.races import GAPS_MS, Race
from lab_sim.world import MS

TIE_MS = 1.0
FINEST_MS = 0.02


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, right / of
    middle, spread = share + z * z / (2 * of), z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, (middle - spread) / (1 + z * z / of)), min(1.0, (middle + spread) / (1 + z * z / of))


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which that part lies; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def probit(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Bias and resolution, P(seat 0 wins | gap) = Phi((gap - bias) / sigma): the likeliest, by a narrowing grid."""

    def cost(bias: float, sigma: float) -> float:
        total = 0.0
        for gap, won in pairs:
            chance = 0.5 * (1 + erf((gap - bias) / (sigma * sqrt(2))))
            total -= log(max(1e-12, chance if won else 1 - chance))
        return total

    bias, sigma, step, factor = 0.0, 3.0, 16.0, 2.0
    best = cost(bias, sigma)
    while step > FINEST_MS:
        moved = False
        for new_bias, new_sigma in (
            (bias + step, sigma),
            (bias - step, sigma),
            (bias, sigma * factor),
            (bias, max(0.05, sigma / factor)),
        ):
            found = cost(new_bias, new_sigma)
            if found < best - 1e-9:
                bias, sigma, best, moved = new_bias, new_sigma, found, True
        if not moved:
            step, factor = step / 2, sqrt(factor)
    return bias, sigma


@dataclass(frozen=True)
class Order:
    """How one way to order the races fared."""

    correct: dict[int, tuple[int, int]]
    bias: float
    sigma: float
    share_1: float
    wrongly: tuple[float, float]
    wrongly_of: tuple[int, int] = (0, 0)
    """Of how many races by seat."""

    def at(self, gap: int) -> float:
        """The share of races of this gap that were decided rightly."""
        right, of = self.correct[gap]
        return right / of if of else 0.0


def order_of(races: Sequence[Race], winners: Sequence[int]) -> Order:
    """The figures of `winners`. Wrongly beaten counts coin races outside the tie, where no order is the right one."""
    correct = {}
    for gap in GAPS_MS:
        those = [(r, w) for r, w in zip(races, winners, strict=True) if r.nominal_ms == gap]
        correct[gap] = (sum(r.first == w for r, w in those), len(those))
    coins = [(r, w) for r, w in zip(races, winners, strict=True) if r.coin]
    bias, sigma = probit([(r.gap_ms, w == 0) for r, w in zip(races, winners, strict=True)])
    wrongly, wrongly_of = [], []
    for seat in range(2):
        first = [(r, w) for r, w in coins if r.first == seat and abs(r.gap_ms) > TIE_MS]
        wrongly.append(sum(w != seat for _, w in first) / max(1, len(first)))
        wrongly_of.append(len(first))
    share = sum(w == 1 for _, w in coins) / max(1, len(coins))
    return Order(correct, bias, sigma, share, (wrongly[0], wrongly[1]), (wrongly_of[0], wrongly_of[1]))


@dataclass(frozen=True)
class Figures:
    """All that is reported of one plan; holds and windows in ms."""

    races: int
    fair: Order
    arrival: Order
    truth_share_1: float
    holds: dict[str, tuple[float, float, float]]
    window: tuple[float, float]
    clock_error: tuple[float, float]
    late_links: int
    unfinished: int
    beats_s: tuple[float, float]
    probes_s: float


def figures_of(races: Sequence[Race], beats_s: tuple[float, float] = (0, 0), probes_s: float = 0) -> Figures:
    """The figures of races that were run."""
    duels = [race for race in races if race.lone < 0]
    whole = [race for race in duels if race.whole]
    holds: dict[str, list[float]] = {"0": [], "1": [], "lone": []}
    for race in races:
        if race.winner >= 0:
            name = str(race.winner) if race.lone < 0 else "lone"
            holds[name].append(race.verdicts[race.winner].hold_ns / MS)
    windows = [abs(race.shown_ns[0] - race.shown_ns[1]) / MS for race in duels if race.seen_by_both]
    errors = [[abs(race.clock_error_ns[seat]) / MS for race in races if seat in race.clock_error_ns] for seat in (0, 1)]
    coins = [race for race in whole if race.coin]
    return Figures(
        len(whole),
        order_of(whole, [race.winner for race in whole]),
        order_of(whole, [race.arrived[0] for race in whole]),
        sum(race.first for race in coins) / max(1, len(coins)),
        {name: (percentile(some, 0.5), percentile(some, 0.99), max(some, default=0.0)) for name, some in holds.items()},
        (percentile(windows, 0.5), percentile(windows, 0.99)),
        (percentile(errors[0], 0.95), percentile(errors[1], 0.95)),
        sum(verdict.behind_ns > 0 for race in whole for verdict in race.verdicts.values()),
        len(duels) - len(whole),
        beats_s,
        probes_s,
    )


def as_dict(figures: Figures) -> dict[str, Any]:
    """For `--json`."""

    def order(found: Order) -> dict[str, Any]:
        return {
            "correct": {
                str(gap): {
                    "share": round(found.at(gap), 4),
                    "of": of,
                    "wilson": [round(x, 4) for x in wilson(right, of)],
                }
                for gap, (right, of) in found.correct.items()
            },
            "bias_ms": round(found.bias, 2),
            "sigma_ms": round(found.sigma, 2),
            "share_of_seat_1": round(found.share_1, 4),
            "wrongly_beaten": [round(share, 4) for share in found.wrongly],
        }

    return {
        "races": figures.races,
        "fair": order(figures.fair),
        "arrival": order(figures.arrival),
        "true_share_of_seat_1": round(figures.truth_share_1, 4),
        "hold_ms": {name: [round(value, 2) for value in three] for name, three in figures.holds.items()},
        "reveal_window_ms": [round(value, 2) for value in figures.window],
        "clock_error_p95_ms": [round(value, 3) for value in figures.clock_error],
        "late_link": figures.late_links,
        "unfinished": figures.unfinished,
        "messages_up_per_s": [round(value, 1) for value in figures.beats_s],
        "probes_per_s": round(figures.probes_s, 2),
    }
