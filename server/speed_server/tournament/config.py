"""What a director may set for one tournament. Durations are nanoseconds.

A setting is one word and one value (`set match 25`). The table at the end says how each word is read, so that the
prompt's completion, the refusals and the export all speak of the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

SECOND: Final = 1_000_000_000
MINUTE: Final = 60 * SECOND
MOST_PLAYERS: Final = 64

Format = Literal["single", "double", "roundrobin", "swiss", "groups", "arena"]
FORMATS: Final[tuple[Format, ...]] = ("single", "double", "roundrobin", "swiss", "groups", "arena")
Measure = Literal["points", "deals"]
TieBreak = Literal["mini", "mini_difference", "difference", "scored", "buchholz_cut", "buchholz", "average", "berger"]

ROUND_ROBIN_TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("mini", "mini_difference", "difference", "scored")
SWISS_TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("mini", "buchholz_cut", "buchholz", "average")
TIE_BREAKS: Final[tuple[TieBreak, ...]] = (
    "mini",
    "mini_difference",
    "difference",
    "scored",
    "buchholz_cut",
    "buchholz",
    "average",
    "berger",
)


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a tournament; the defaults are those of a club evening."""

    format: Format = "single"

    measure: Measure = "points"
    """A match is to a number of points, or best of a number of deals."""

    target: int = 25
    """Points that win a match, or (measure `deals`) the N of best of N, which is odd."""

    third: bool = False
    """Single elimination and the knockout after groups: a match for the third place."""

    rounds: int = 0
    """Rounds of a Swiss; 0: as many as it takes to leave one unbeaten."""

    legs: int = 1
    """How often each pair meets in a round robin."""

    groups: int = 0
    """Number of groups; 0: of about four players each."""

    qualifiers: int = 2
    """How many of each group go on to the knockout: 1 or 2."""

    duration: int = 60 * MINUTE
    """Length of an arena."""

    length: int = 10 * MINUTE
    """What a match is expected to take before any was played; then the median of the evening counts."""

    call: int = 3 * MINUTE
    acknowledge: int = 10 * SECOND
    """The call clock starts when both clients have shown the call, or so long after it."""

    bells: tuple[int, ...] = (0, MINUTE, 150 * SECOND)
    lateness_points: int = 0
    """Points for the one who sits, for each started minute after the call; 0: walk-over at once."""
    lateness_minutes: int = 2

    grace: int = 90 * SECOND
    grace_total: int = 180 * SECOND
    forfeit_points: int = 5
    """What a deal lost by absence counts when the table does not tell how many cards were held."""

    cooling: int = 30 * SECOND
    """How long a result that ends a round may be corrected before the next round is planned."""

    rest: int = MINUTE
    mass_window: int = 10 * SECOND
    mass_least: int = 3
    check_in_lead: int = 5 * MINUTE
    """Check-in closes so long before the start."""

    tie_breaks: tuple[TieBreak, ...] = ()
    """Criteria after the match points, in order; empty: those of the format."""

    @property
    def wins_needed(self) -> int:
        """The score that wins a match."""
        return self.target if self.measure == "points" else self.target // 2 + 1


def duration(text: str) -> int:
    """Nanoseconds of `90`, `90s`, `3m`, `1h`, `1m30s` or `2:30` (minutes and seconds). Raises ValueError."""
    clock = re.fullmatch(r"(\d{1,4}):([0-5]\d)", text)
    if clock:
        return int(clock[1]) * MINUTE + int(clock[2]) * SECOND
    parts = re.fullmatch(r"(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s?)?", text)
    if not text or parts is None:
        raise ValueError("a duration as 90s, 3m, 1h or 2:30")
    hours, minutes, seconds = (int(part or 0) for part in parts.groups())
    return hours * 60 * MINUTE + minutes * MINUTE + seconds * SECOND


def duration_name(time: int) -> str:
    """`m:ss` of nanoseconds, rounded to the second."""
    minutes, seconds = divmod(round(time / SECOND), 60)
    return f"{minutes}:{seconds:02d}"


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def _match(text: str) -> dict[str, object]:
    best = re.fullmatch(r"bo(\d{1,2})", text)
    if best and int(best[1]) % 2:
        return {"measure": "deals", "target": int(best[1])}
    if re.fullmatch(r"[1-9]\d{0,2}", text):
        return {"measure": "points", "target": int(text)}
    raise ValueError("points as 25, or best of an odd number of deals as bo3")


def _format(text: str) -> str:
    name = text.removesuffix("+single")
    if name not in FORMATS:
        raise ValueError(f"one of {', '.join(FORMATS)}")
    return name


def _switch(text: str) -> bool:
    if text not in {"on", "off"}:
        raise ValueError("on or off")
    return text == "on"


def _lateness(text: str) -> dict[str, object]:
    if text == "off":
        return {"lateness_points": 0}
    parts = re.fullmatch(r"([1-9]\d?)x([1-9])", text)
    if parts is None:
        raise ValueError("off, or points a minute and most minutes as 5x2")
    return {"lateness_points": int(parts[1]), "lateness_minutes": int(parts[2])}


def _tie_breaks(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if text != "default" and not set(names) <= set(TIE_BREAKS):
        raise ValueError(f"default, or a list without spaces of {', '.join(TIE_BREAKS)}")
    return () if text == "default" else names


READERS: Final[dict[str, Callable[[str], Any]]] = {
    "format": _format,
    "match": _match,
    "third": _switch,
    "rounds": _whole(0, 63),
    "legs": _whole(1, 2),
    "groups": _whole(0, 16),
    "qualifiers": _whole(1, 2),
    "duration": duration,
    "length": duration,
    "call": duration,
    "acknowledge": duration,
    "lateness": _lateness,
    "grace": duration,
    "grace_total": duration,
    "forfeit_points": _whole(0, 40),
    "cooling": duration,
    "rest": duration,
    "check_in_lead": duration,
    "tie_breaks": _tie_breaks,
}
"""The words of `set`, each with its reader, which raises ValueError saying what it takes."""

SHAPE: Final = frozenset(
    {"format", "match", "third", "rounds", "legs", "groups", "qualifiers", "duration", "tie_breaks"}
)
"""What the draw depends on: fixed while a stage is drawn."""


def changed(config: Config, key: str, text: str) -> Config:
    """The config with one setting changed. Raises KeyError for an unknown word, ValueError for a bad value."""
    value = READERS[key](text)
    fields = value if isinstance(value, dict) else {key: value}
    return msgspec.convert({**msgspec.structs.asdict(config), **fields}, Config)
