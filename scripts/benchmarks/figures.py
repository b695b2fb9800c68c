"""Every figure of a run, each with its ratio to the floor and its goal, for people and as one JSON object."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Literal

_WHOLE, _TENTHS = 1_000, 10

Better = Literal["<=", ">="]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure, or its ratio to the floor's, must reach."""

    better: Better
    limit: float
    of_ratio: bool = False

    def reached(self, value: float, ratio: float | None) -> bool:
        """Whether the figure is as it should be."""
        judged = ratio if self.of_ratio else value
        if judged is None or math.isnan(judged):
            return False
        return judged <= self.limit if self.better == "<=" else judged >= self.limit

    def __str__(self) -> str:
        return f"{self.better} {self.limit:g}{' x' if self.of_ratio else ''}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value of one exchange."""

    name: str
    kind: str
    value: float
    unit: str
    ratio: float | None = None
    goal: Goal | None = None


@dataclass(slots=True)
class Figures:
    """All of them, in the order in which they are shown."""

    rows: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(
        self, name: str, kind: str, value: float, unit: str, *, floor: float | None = None, goal: Goal | None = None
    ) -> None:
        """Add a figure; `floor` is the same figure of the floor, from which the ratio comes."""
        ratio = value / floor if floor else None
        self.rows.append(Figure(name, kind, value, unit, ratio, goal))

    def table(self) -> str:
        """For people: one line a figure."""
        lines = [f"{'figure':<44} {'exchange':<8} {'value':>12} {'unit':<10} {'to floor':>9}  goal"]
        last = ""
        for row in self.rows:
            ratio = "" if row.ratio is None else f"{row.ratio:.2f} x"
            goal = ""
            if row.goal is not None:
                goal = f"{row.goal}: {'reached' if row.goal.reached(row.value, row.ratio) else 'MISSED'}"
            name = row.name if row.name != last else ""
            last = row.name
            lines.append(
                f"{name:<44} {row.kind:<8} {_number(row.value):>12} {row.unit:<10} {ratio:>9}  {goal}".rstrip()
            )
        return "\n".join([*lines, *[f"note: {note}" for note in self.notes]])

    def as_json(self, **more: Any) -> str:
        """For programs: one line."""
        figures: dict[str, dict[str, Any]] = {}
        for row in self.rows:
            entry: dict[str, Any] = {"value": _plain(row.value), "unit": row.unit}
            if row.ratio is not None:
                entry["ratio"] = _plain(row.ratio)
            if row.goal is not None:
                entry |= {"goal": str(row.goal), "reached": row.goal.reached(row.value, row.ratio)}
            figures.setdefault(row.name, {})[row.kind] = entry
        return json.dumps({**more, "figures": figures, "notes": self.notes}, allow_nan=False)


def _number(value: float) -> str:
    if math.isnan(value):
        return "-"
    size = abs(value)
    return f"{value:,.0f}" if size >= _WHOLE else f"{value:.1f}" if size >= _TENTHS else f"{value:.3g}"


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)
