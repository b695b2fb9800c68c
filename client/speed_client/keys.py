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

MOST_SLOTS: Final = 10
REPEAT_NS: Final = 250_000_000

PILE_KEYS: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("asdfg", "hjkl;"),
    3: ("asdfg", "hjkl;", "yuiop"),
    4: ("qwert", "asdfg", "hjkl;", "yuiop"),
}
"""By how many centre piles there are: for each pile, the keys that play slots 1 to 5 onto it."""


@dataclass(frozen=True, slots=True)
class PlaySlot:
    """Play the card of a slot onto a pile, or onto the automatic one."""

    slot: int
    pile: int = AUTO_PILE


@dataclass(frozen=True, slots=True)
class Do:
    """A wish without a card: `space`, `call`, `help`, `menu`, `redraw`, `interrupt`, an arrow, `enter` or a letter."""

    word: str


Intent: TypeAlias = PlaySlot | Do

_DIGIT_ROWS: Final = (
    "1234567890",
    "&é\"'(",  # French, Belgian
    "+ěščř",  # Czech
    "+ľščť",  # Slovak
)
_LITHUANIAN: Final = "ąčęėį"  # its č is another digit than the Czech one, so it counts only where asked for

# The places of a row of keys in other alphabets; a blank is a key that gives none, or one that means something else.
_ROWS: Final[Mapping[str, tuple[str, ...]]] = {
    "qwert": ("QWERT", "йцуке", "ЙЦУКЕ", "  ερτ", "  ΕΡΤ", "/ קרא"),  # noqa: RUF001  # they are Greek
    "asdfg": ("ASDFG", "фывап", "ФЫВАП", "ασδφγ", "ΑΣΔΦΓ", "שדגכע"),
    "hjkl;": ("HJKL", "ролдж", "РОЛДЖ", "ηξκλ", "ΗΞΚΛ", "יחלךף"),
    "yuiop": ("YUIOP", "нгшщз", "НГШЩЗ", "υθιοπ", "ΥΘΙΟΠ", "טוןםפ"),
}
_HJKL_LAST: Final = ":öñçòÖÑÇÒmM"
_ASDF_FIRST: Final = "qQ"

_WORDS: Final[Mapping[str, str]] = {
    " ": "space",
    "!": "call",
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


@lru_cache(maxsize=8)
def key_table(language: str = "", piles: int = 2) -> Mapping[str, Intent]:
    """Every key that means something at a table of so many piles; the locale's language `lt` changes one row."""
    table: dict[str, Intent] = {key: Do(word) for key, word in _WORDS.items()}
    table.update({letter: Do(letter.lower()) for letter in LETTERS})
    for row in (*_DIGIT_ROWS, *((_LITHUANIAN,) if language == "lt" else ())):
        table.update({key: PlaySlot(slot) for slot, key in enumerate(row)})
    keys = pile_keys(piles)
    for pile, home in enumerate(keys):
        if home == "hjkl;":
            table.update({key: PlaySlot(4, pile) for key in _HJKL_LAST})
        elif home == "asdfg" and "qwert" not in keys:
            table.update({key: PlaySlot(0, pile) for key in _ASDF_FIRST})
        for row in (home, *_ROWS[home]):
            table.update({key: PlaySlot(slot, pile) for slot, key in enumerate(row) if key != " "})
    return table


def pile_keys(piles: int) -> tuple[str, ...]:
    """For each of so many piles its row of keys."""
    return PILE_KEYS.get(piles, PILE_KEYS[2])


def intent(key: str, language: str = "", piles: int = 2, *, asking: bool = False) -> Intent | None:
    """What the key means at a table of so many piles, or None.

    `asking`: a question or a result is on the screen, so a letter that answers it plays no card.
    """
    if asking and key in LETTERS:
        return Do(key.lower())
    return key_table(language, piles).get(key)


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
