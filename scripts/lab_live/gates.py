"""The gates of a pair of links for few races on a busy machine: what chance alone explains is no failure. Pure."""

from __future__ import annotations

from math import sqrt
from typing import Final

from lab_sim.figures import Figures, wilson
from lab_sim.gates import Column, Gate

LATE_MS: Final = 20.0
"""A machine that plays server, players and links at once may run each of them so late."""

_GAP_MS: Final = 10
_ERRORS: Final = 2.5
"""Two standard errors of the bias, in standard deviations of a fitted threshold over the root of the races."""


def check_live(column: Column, figures: Figures, hold_cap_ms: float) -> list[Gate]:
    """The gates of reaction mode. A share counts by the end of its 95 % interval that is nearer to the gate."""
    fair, holds = figures.fair, figures.holds
    right, of = fair.correct[_GAP_MS]
    gates = [
        Gate(
            "P(correct) at 10, reaction",
            fair.at(_GAP_MS),
            column.reaction_10,
            wilson(right, of)[1] >= column.reaction_10,
        )
    ]
    spare = _ERRORS * fair.sigma / sqrt(max(1, figures.races))
    gates.append(Gate("bias, reaction", abs(fair.bias), column.bias, abs(fair.bias) - spare <= column.bias))
    for seat, (share, number) in enumerate(zip(fair.wrongly, fair.wrongly_of, strict=True)):
        least = wilson(round(share * number), number)[0] if number else 0.0
        gates.append(Gate(f"seat {seat} wrongly beaten", share, column.wrongly, least <= column.wrongly))
    p50, p99, _ = holds["0"]
    gates.append(Gate("hold p50", p50, column.hold_p50, p50 <= column.hold_p50))
    gates.append(Gate("hold p99", p99, column.hold_p99 + LATE_MS, p99 <= column.hold_p99 + LATE_MS))
    longest = max(most for _, _, most in holds.values())
    gates.append(Gate("longest hold", longest, hold_cap_ms + LATE_MS, longest <= hold_cap_ms + LATE_MS))
    return gates
