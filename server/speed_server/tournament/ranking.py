"""Ranking by tied groups, never by a comparator: three players can beat each other in a circle.

A criterion gives each member of a tied group a value that may depend on who is tied; None when it does not apply to
that group. Whenever one splits a group, each part starts again at the first criterion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Value = int | float | Fraction
Criterion = Callable[[tuple[int, ...]], Mapping[int, Value] | None]
"""For a tied group the value of each of its members, larger is better; None: it says nothing about this group."""


def rank(group: tuple[int, ...], criteria: Sequence[Criterion]) -> list[tuple[int, ...]]:
    """The group in parts from the best; a part of several shares its place."""
    if len(group) <= 1:
        return [group] if group else []
    for criterion in criteria:
        values = criterion(group)
        if values is None or len(set(values.values())) <= 1:
            continue
        parts = []
        for value in sorted(set(values.values()), reverse=True):
            parts += rank(tuple(member for member in group if values[member] == value), criteria)
        return parts
    return [group]
