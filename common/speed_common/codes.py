"""Game codes: a deal and its rules in a few letters that people can read out, as `A03KX-1K9Z4Q`.

`A03` is a computer opponent of speed 3 and `B00` two people; then `K` or `X`: ace and king meet or not; `S` or `X`: the
same rank fits or not; then the deal's number in base 36. What else differs from the common game follows after a dot as
letters with their values, `A03KX-1K9Z4Q.P4J4O`. The form without a dot is the one of the web game.

A code gives the same deal in every version for ever, so no default of `Rules` and no size that follows from another may
change: tests hold them. It is short enough to be searched, so a code deals only what was asked for by code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from speed_common.computer import LEVELS
from speed_common.deck import MAX_DEAL_NUMBER
from speed_common.presets import RulesError, differences, make_rules
from speed_common.rules import Rules

PEOPLE: Final = 0
MOST_CHARACTERS: Final = 96

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CODE: Final = re.compile(
    r"(?:A(0[1-9]|10)|B00)([KX])([SX])-([0-9A-Z]{6})(?:\.((?:[A-Z][0-9]+|[A-Z]{2}|J[0-9]+[OD])+))?"
)
_PAIR: Final = re.compile(r"J[0-9]+[OD]|[A-Z][0-9]+|[A-Z]{2}")


class CodeError(ValueError):
    """The text is no game code; it says why."""


class GameCode(NamedTuple):
    """What a code says: the computers' speed 1..10 (`PEOPLE`: none), the rules, the deal's number."""

    level: int
    rules: Rules
    number: int


_NUMBERS: Final = {
    "P": "players",
    "D": "decks",
    "C": "piles",
    "J": "jokers",
    "H": "hand_size",
    "W": "draw_size",
    "S": "side_size",
    "O": "out",
    "L": "flip_delay_us",
    "Z": "min_play_gap_us",
    "B": "beaten_window_us",
    "U": "call_window_us",
    "I": "idle_autoplay_us",
    "M": "match_target",
    "K": "best_of",
}
_CHOICES: Final[dict[str, tuple[str, Any]]] = {
    "RP": ("reshuffle", "per_pile"),
    "TX": ("tuck", False),
    "EM": ("refill", "manual"),
    "FA": ("flip_trigger", "all_ready"),
    "VN": ("false_call", "none"),
    "VC": ("false_call", "cards"),
    "YS": ("call_speed", True),
}
_PAGAT: Final = "GP"
_JOKER_MODES: Final = {"O": "open", "D": "declared"}


def parse_code(text: str) -> GameCode:
    """What the code `text` says; lower case is welcome.

    Raises `CodeError` for what is no code, for an unknown letter (never ignored), for rules that do not go together.
    """
    found = _CODE.fullmatch(text.strip().upper()) if len(text) <= MOST_CHARACTERS else None
    if found is None:
        raise CodeError(f"{text[:MOST_CHARACTERS]!r} is no game code: write one as A03KX-1K9Z4Q")
    pairs = _PAIR.findall(found[5] or "")
    if pairs.count(_PAGAT) > 1:
        raise CodeError(f"the code {text!r} says {_PAGAT} twice")
    changes: dict[str, Any] = {"wrap": found[2] == "K", "same_rank": found[3] == "S"}
    for pair in pairs:
        for field, value in _read_pair(pair).items():
            if field in changes:
                raise CodeError(f"the code {text!r} says {field} twice")
            changes[field] = value
    try:
        rules = make_rules("pagat" if _PAGAT in pairs else "us", **changes)
    except RulesError as error:
        raise CodeError(f"the code {text!r} has rules that cannot be: {error}") from None
    return GameCode(int(found[1] or PEOPLE), rules, int(found[4], 36))


def format_code(level: int, rules: Rules, number: int) -> str:
    """The code of a deal: against computers of speed `level`, or between people (`PEOPLE`)."""
    if not PEOPLE <= level <= LEVELS or not 0 <= number <= MAX_DEAL_NUMBER:
        raise ValueError(f"no code for speed {level}, deal {number}")
    head = f"A{level:02d}" if level else "B00"
    head += "K" if rules.wrap else "X"
    head += "S" if rules.same_rank else "X"
    pairs = "".join(_pairs(rules))
    return f"{head}-{deal_digits(number)}{'.' if pairs else ''}{pairs}"


def deal_digits(number: int) -> str:
    """A deal's number as six base-36 digits."""
    digits = ""
    for _ in range(6):
        number, last = divmod(number, len(_DIGITS))
        digits = _DIGITS[last] + digits
    return digits


def _read_pair(pair: str) -> dict[str, Any]:
    if pair == _PAGAT:
        return {}
    if pair in _CHOICES:
        return dict([_CHOICES[pair]])
    letter, rest = pair[0], pair[1:]
    if letter == "J" and rest[:-1].isdigit() and rest[-1] in _JOKER_MODES:
        return {"jokers": int(rest[:-1]), "joker_mode": _JOKER_MODES[rest[-1]]}
    if letter in _NUMBERS and letter != "J" and rest.isdigit():
        return {_NUMBERS[letter]: int(rest)}
    raise CodeError(f"{pair!r} in a game code means nothing to this version: check it, or install a newer one")


def _pairs(rules: Rules) -> Iterator[str]:
    """What differs from the common game, as letters with values; by the preset that leaves least to say."""
    common, pagat = differences("us", rules), differences("pagat", rules)
    if len(pagat) < len(common):
        yield _PAGAT
    needed = min(common, pagat, key=len)
    for letter, field in _NUMBERS.items():
        if field == "jokers" and rules.jokers:
            yield f"J{rules.jokers}{'D' if rules.joker_mode == 'declared' else 'O'}"
        elif field in needed:
            yield f"{letter}{needed[field]}"
    for pair, (field, value) in _CHOICES.items():
        if needed.get(field) == value:
            yield pair
