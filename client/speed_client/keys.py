"""What a key means.

A terminal sends characters, not keys: digits come first, and for layouts whose digit row gives other characters there
are aliases.

`intent(key)` is a table look-up; nothing here knows what is on the screen. `RepeatGuard` keeps a key that is held down
from playing the same card twice: a terminal tells no release.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from speed_common.cards import Card
from speed_common.events import AUTO_PILE

LEFT: Final = 0
RIGHT: Final = 1

LEFT_KEYS: Final = "asdfg"
RIGHT_KEYS: Final = "hjkl;"
MOST_SLOTS: Final = 10
REPEAT_NS: Final = 250_000_000


@dataclass(frozen=True, slots=True)
class PlaySlot:
    """Play the card of a slot onto a pile, or onto the automatic one."""

    slot: int
    pile: int = AUTO_PILE


@dataclass(frozen=True, slots=True)
class Do:
    """A wish without a card: `space`, `help`, `menu`, `redraw`, `interrupt`, `up`, `down`, `enter` or a letter."""

    word: str


Intent: TypeAlias = PlaySlot | Do

_DIGIT_ROWS: Final = (
    "1234567890",
    "&é\"'(",  # French, Belgian
    "+ěščř",  # Czech
    "+ľščť",  # Slovak
)
_LITHUANIAN: Final = "ąčęėį"  # its č is another digit than the Czech one, so it counts only where asked for

_LEFT_ROWS: Final = (LEFT_KEYS, LEFT_KEYS.upper(), "фывап", "ФЫВАП", "ασδφγ", "ΑΣΔΦΓ", "שדגכע")
_RIGHT_ROWS: Final = (RIGHT_KEYS, RIGHT_KEYS[:4].upper(), "ролдж", "РОЛДЖ", "ηξκλ", "ΗΞΚΛ", "יחלךף")
_RIGHT_LAST: Final = ":öñçòÖÑÇÒmM"
_LEFT_FIRST: Final = "qQ"

_WORDS: Final[Mapping[str, str]] = {
    " ": "space",
    "?": "help",
    "f1": "help",
    "escape": "menu",
    "c-h": "menu",
    "backspace": "menu",
    "c-l": "redraw",
    "c-c": "interrupt",
    "<sigint>": "interrupt",
    "c-m": "enter",
    "enter": "enter",
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
}

SPECIAL: Final = ("escape", "c-h", "c-l", "c-c", "<sigint>", "c-m", "up", "down", "left", "right", "f1")
LETTERS: Final = "rxynRXYN"


@lru_cache(maxsize=4)
def key_table(language: str = "") -> Mapping[str, Intent]:
    """Every key that means something, for the language of the user's locale (`lt` changes one row)."""
    table: dict[str, Intent] = {key: Do(word) for key, word in _WORDS.items()}
    table.update({letter: Do(letter.lower()) for letter in LETTERS})
    for row in (*_DIGIT_ROWS, *((_LITHUANIAN,) if language == "lt" else ())):
        table.update({key: PlaySlot(slot) for slot, key in enumerate(row)})
    for pile, rows in ((LEFT, _LEFT_ROWS), (RIGHT, _RIGHT_ROWS)):
        for row in rows:
            table.update({key: PlaySlot(slot, pile) for slot, key in enumerate(row)})
    table.update({key: PlaySlot(4, RIGHT) for key in _RIGHT_LAST})
    table.update({key: PlaySlot(0, LEFT) for key in _LEFT_FIRST})
    return table


def intent(key: str, language: str = "") -> Intent | None:
    """What the key means, or None."""
    return key_table(language).get(key)


def digits_text(slots: int) -> str:
    """The digits that play a hand of so many slots, as `1-5`; the tenth is 0."""
    return f"1-{slots}" if slots < MOST_SLOTS else "1-9 0"


class RepeatGuard:
    """Lets a press through unless the same one was let through less than 250 ms ago and nothing has changed since.

    What it looks at is the slot's card and the tops: a new top makes the same press a new decision.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: dict[PlaySlot, tuple[Card, tuple[Card, ...], int]] = {}

    def lets(self, play: PlaySlot, card: Card, tops: tuple[Card, ...], now: int) -> bool:
        """Whether this press counts; `now` in nanoseconds."""
        before = self._last.get(play)
        if before is not None and before[:2] == (card, tops) and now - before[2] < REPEAT_NS:
            return False
        self._last[play] = (card, tops, now)
        return True
