"""The gates: what the fair order must reach over each pair of links, and whether it did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from lab_sim.figures import Figures
from lab_sim.server import TICK_NS
from lab_sim.world import MS

HOLD_SLACK_MS: Final = TICK_NS / MS


class Column(NamedTuple):
    """What one pair of links must reach; holds in ms of the fast side, shares of 1; None: no gate."""

    links: tuple[str, str]
    press_2: float | None
    reaction_10: float
    bias: float
    wrongly: float
    hold_p50: float
    hold_p99: float


COLUMNS: Final = {
    "cable-cable": Column(("cable", "cable"), 0.995, 0.995, 0.5, 0.005, 3, 10),
    "cable-good": Column(("cable", "good"), 0.99, 0.99, 0.5, 0.01, 8, 35),
    "cable-bad": Column(("cable", "bad"), 0.98, 0.99, 1.5, 0.02, 30, 80),
    "cable-bad-loss": Column(("cable", "bad-loss"), 0.97, 0.98, 2.0, 0.03, 32, 100),
    "30 up, 3 down": Column(("cable", "slow-up"), None, 0.99, 1.5, 0.01, 32, 60),
    "3 up, 30 down": Column(("cable", "slow-down"), None, 0.99, 1.5, 0.01, 32, 60),
}


class Gate(NamedTuple):
    """One gate: what was reached, what must be, and whether that will do."""

    name: str
    reached: float
    must: float
    passed: bool


def check(column: Column, found: Mapping[str, Figures], hold_cap_ms: float) -> list[Gate]:
    """The gates of a column; `found` by mode."""
    press, reaction = found["press"], found["reaction"]
    gates = []

    def at_least(name: str, reached: float, must: float) -> None:
        gates.append(Gate(name, reached, must, reached >= must))

    def at_most(name: str, reached: float, must: float) -> None:
        gates.append(Gate(name, reached, must, reached <= must))

    modes = {"reaction": reaction}
    if column.press_2 is not None:
        modes["press"] = press
        at_least("P(correct) at 2, press", press.fair.at(2), column.press_2)
    at_least("P(correct) at 10, reaction", reaction.fair.at(10), column.reaction_10)
    for mode, figures in modes.items():
        at_most(f"bias, {mode}", abs(figures.fair.bias), column.bias)
        at_most(f"wrongly beaten, {mode}", max(figures.fair.wrongly), column.wrongly)
        at_most(f"hold p50, {mode}", figures.holds["0"][0], column.hold_p50)
        at_most(f"hold p99, {mode}", figures.holds["0"][1], column.hold_p99)
        longest = max(three[2] for three in figures.holds.values())
        at_most(f"longest hold, {mode}", longest, hold_cap_ms + HOLD_SLACK_MS)
    return gates
