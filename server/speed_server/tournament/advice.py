"""Which format fits an evening: the answer to `plan`."""

from __future__ import annotations

from math import ceil, log2


def matches_of(format_: str, players: int) -> int:
    """About how many matches a format takes."""
    rounds = ceil(log2(players))
    return {
        "single": players - 1,
        "double": 2 * players - 2,
        "roundrobin": players * (players - 1) // 2,
        "swiss": rounds * (players // 2),
    }[format_]


def advise(players: int, tables: int, minutes: int, length: int = 10) -> tuple[str, ...]:
    """Lines of advice; `minutes` is the length of the evening, `length` that of a match."""
    tables = min(tables, players // 2) or 1
    lines = []
    fitting = []
    for name in ("roundrobin", "swiss", "double", "single"):
        count = matches_of(name, players)
        needed = ceil(count / tables) * length
        if name == "single":
            needed = max(needed, ceil(log2(players)) * length)
        fits = needed <= minutes
        fitting += [name] if fits else []
        lines.append(f"{name}: {count} matches, about {needed} minutes{'' if fits else ', too long'}")
    small = 6
    best = next(iter(fitting), "single")
    if players > small and "roundrobin" in fitting and "swiss" in fitting and players > small + 2:
        best = "swiss"
    lines.append(f"advice: `set format {best}`; `set format arena` when people come and go")
    return tuple(lines)
