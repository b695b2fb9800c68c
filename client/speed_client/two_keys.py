"""Two players at one keyboard: whose key it is, and what it means. Pure.

The keyboard is cut in the middle. Each player's home row plays the automatic pile, the row above it the leftmost pile,
the row below it the rightmost one, and the digits of that half are that player's Space. A hand of more than five goes
on in the row above, and all is automatic then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from speed_client.keys import Do, PlaySlot
from speed_client.layouts import LAYOUTS, ROW_ALIASES

HALF: Final = 5
LEFT: Final = 0
RIGHT: Final = 1
BOTH: Final = -1

_WORDS: Final[Mapping[str, str]] = {
    " ": "space",
    "f1": "help",
    "f2": "settings",
    "escape": "menu",
    "c-h": "menu",
    "backspace": "menu",
    "c-l": "redraw",
    "c-c": "interrupt",
    "<sigint>": "interrupt",
    "c-m": "enter",
    "up": "up",
    "down": "down",
}

Meant: TypeAlias = tuple[int, PlaySlot | Do]
"""Whose it is (`BOTH`: the keyboard's), and what."""


@dataclass(frozen=True, slots=True)
class Half:
    """One player's keys, as they stand on the screen: digits, the row above, the home row, the row below."""

    acts: str
    above: str
    home: str
    below: str


def halves(layout: str) -> tuple[Half, Half]:
    """The keys of the left and of the right player."""
    rows = LAYOUTS[layout]
    each = (rows.digits, rows.top, rows.home, rows.bottom)
    return Half(*(row[:HALF] for row in each)), Half(*(row[HALF:] for row in each))


def meaning(key: str, layout: str, piles: int, slots: int, *, aliases: bool = True) -> Meant | None:
    """What a key means at a table of so many piles, with hands of so many slots; None for nothing.

    With `aliases` other alphabets' home rows and the rows above them play too, where the layout has no such character.
    """
    return _table(layout, piles, slots, aliases=aliases).get(key)


@lru_cache(maxsize=16)
def _table(layout: str, piles: int, slots: int, *, aliases: bool) -> Mapping[str, Meant]:
    table: dict[str, Meant] = {key: (BOTH, Do(word)) for key, word in _WORDS.items()}
    for player, half in enumerate(halves(layout)):
        plays: dict[str, PlaySlot | Do] = dict.fromkeys(half.acts, Do("space"))
        if slots > HALF:
            plays |= {key: PlaySlot(slot + HALF) for slot, key in enumerate(half.above)}
        else:
            plays |= {key: PlaySlot(slot, 0) for slot, key in enumerate(half.above)}
            plays |= {key: PlaySlot(slot, piles - 1) for slot, key in enumerate(half.below)}
        plays |= {key: PlaySlot(slot) for slot, key in enumerate(half.home)}
        for one, meant in plays.items():
            if one.upper() != one and len(one.upper()) == 1:
                table.setdefault(one.upper(), (player, meant))
            table[one] = (player, meant)
    if aliases:
        # Other alphabets lie on QWERTY's places, whatever the Latin layout is.
        for half, own in zip(halves("qwerty"), halves(layout), strict=True):
            for theirs, row in ((half.above, own.above), (half.home, own.home)):
                for alias in ROW_ALIASES[theirs]:
                    for other, key in zip(alias, row, strict=False):
                        if not other.isascii():
                            table.setdefault(other, table[key])
    return table
