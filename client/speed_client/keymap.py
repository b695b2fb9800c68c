"""One player's keyboard: which key does what, and what each key is called on the screen. Pure.

Made of a layout, the aliases, the mirror and the player's own bindings, in this order: what comes later wins, so that a
player's own key is never taken away by an alias.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from speed_client.bindings import PILE_WORDS, key_name
from speed_client.keys import LETTERS, Do, Intent, PlaySlot
from speed_client.layouts import (
    A_ALIASES,
    DIGIT_ALIASES,
    LAYOUTS,
    LITHUANIAN,
    ROW_ALIASES,
    SEMICOLON_ALIASES,
    rows_for,
)
from speed_common.events import AUTO_PILE

PAIR: Final = 2
DIGITS: Final = "1234567890"

_WORDS: Final[Mapping[str, str]] = {
    " ": "space",
    "!": "call",
    "?": "help",
    "f1": "help",
    "f2": "settings",
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
    "pageup": "pageup",
    "pagedown": "pagedown",
}
_LABELS: Final[Mapping[str, str]] = {
    "space": " ",
    "call": "!",
    "help": "?",
    "menu": "escape",
    "redraw": "c-l",
    "rematch": "r",
}
"""The key that each word is shown with, where the player chose no other."""


@dataclass(frozen=True, slots=True)
class Keymap:
    """A keyboard. `changed` are pairs of an action (`bindings`) and its key; `language` tells two digit rows apart."""

    layout: str = "qwerty"
    aliases: bool = True
    mirror: bool = False
    changed: tuple[tuple[str, str], ...] = ()
    language: str = ""

    def intent(self, key: str, piles: int = PAIR, *, asking: bool = False) -> Intent | None:
        """What the key means at a table of so many piles, or None.

        `asking`: a question or a result is on the screen, so a letter that answers it plays no card.
        """
        if asking and key in LETTERS:
            return Do(key.lower())
        return _table(self, piles).get(key)

    def rows(self, piles: int = PAIR) -> tuple[str, ...]:
        """For each pile, from left to right, the five keys that play onto it."""
        return _rows(self, piles)

    def digits(self, slots: int) -> str:
        """The keys that play a hand of so many slots onto the automatic pile, as `1-5`."""
        keys = self.slot_keys(slots)
        if keys == DIGITS[: len(keys)]:
            return f"1-{slots}" if slots < len(DIGITS) else "1-9 0"
        return f"{keys[0]}-{keys[-1]}"

    def slot_keys(self, slots: int) -> str:
        """The key of each slot for the automatic pile."""
        own = dict(self.changed)
        return "".join(own.get(f"auto_{slot + 1}", digit) for slot, digit in enumerate(DIGITS[:slots]))

    def key_of(self, word: str) -> str:
        """The key that does `space`, `call`, `help`, `menu`, `redraw` or `rematch`, as it is called on the screen."""
        return key_name(dict(self.changed).get(word, _LABELS[word]))

    @property
    def help_key(self) -> str:
        """What to press who does not know what to press."""
        return "F1" if self.intent("f1") == Do("help") else self.key_of("help")

    def holder(self, key: str) -> str:
        """The action that this key does at a table of two piles, by the name that `bindings` has; empty for none."""
        found = _table(self, PAIR).get(key)
        if isinstance(found, PlaySlot):
            pile = "auto" if found.pile == AUTO_PILE else ("left", "right")[found.pile]
            return f"{pile}_{found.slot + 1}"
        if isinstance(found, Do):
            return {"r": "rematch"}.get(found.word, found.word)
        return ""

    def key_for(self, action: str) -> str:
        """The key that does an action of `bindings`, as the terminal names it."""
        own = dict(self.changed)
        if action in own:
            return own[action]
        pile, _, slot = action.partition("_")
        if pile in PILE_WORDS and slot:
            place = int(slot) - 1
            if pile == "auto":
                return DIGITS[place]
            return _rows(self, PAIR)[pile == "right"][place]
        return _LABELS[action]


def make_keymap(
    layout: str = "qwerty",
    *,
    aliases: bool = True,
    mirror: bool = False,
    changed: tuple[tuple[str, str], ...] = (),
    language: str = "",
) -> Keymap:
    """A keyboard; by default the one that the README describes."""
    return Keymap(layout, aliases, mirror, changed, language)


@lru_cache(maxsize=64)
def _rows(keymap: Keymap, piles: int) -> tuple[str, ...]:
    rows = rows_for(keymap.layout, piles)
    if keymap.mirror:
        rows = rows[::-1]
    if piles != PAIR:
        return rows
    own = dict(keymap.changed)
    return tuple(
        "".join(own.get(f"{side}_{slot + 1}", key) for slot, key in enumerate(row))
        for side, row in zip(("left", "right"), rows, strict=True)
    )


@lru_cache(maxsize=64)
def _table(keymap: Keymap, piles: int) -> Mapping[str, Intent]:
    table: dict[str, Intent] = {key: Do(word) for key, word in _WORDS.items()}
    table.update({letter: Do(letter.lower()) for letter in LETTERS})
    plain = rows_for(keymap.layout, piles)
    rows = plain[::-1] if keymap.mirror else plain
    if keymap.aliases:
        _add_digits(table, keymap.language)
        # Other alphabets lie on QWERTY's places; their owner types Latin letters by another layout or not at all.
        for pile, home in enumerate(rows_for("qwerty", piles)):
            at = len(plain) - 1 - pile if keymap.mirror else pile
            _add_row(table, home, at, latin=keymap.layout == "qwerty", q_is_free=piles <= 3)  # noqa: PLR2004
    table.update({key: PlaySlot(slot) for slot, key in enumerate(LAYOUTS[keymap.layout].digits)})
    table.update({key: PlaySlot(slot) for slot, key in enumerate(DIGITS)})
    for pile, row in enumerate(rows):
        table.update({key: PlaySlot(slot, pile) for slot, key in enumerate(row.upper()) if key.lower() != key})
        table.update({key: PlaySlot(slot, pile) for slot, key in enumerate(row)})
    if keymap.changed:
        _change(table, keymap, piles, rows)
    return table


def _add_digits(table: dict[str, Intent], language: str) -> None:
    for row in (*DIGIT_ALIASES, *((LITHUANIAN,) if language == "lt" else ())):
        table.update({key: PlaySlot(slot) for slot, key in enumerate(row)})


def _add_row(table: dict[str, Intent], home: str, pile: int, *, latin: bool, q_is_free: bool) -> None:
    if home == "hjkl;" and latin:
        table.update({key: PlaySlot(4, pile) for key in SEMICOLON_ALIASES})
    elif home == "asdfg" and latin and q_is_free:
        table.update({key: PlaySlot(0, pile) for key in A_ALIASES})
    for row in ROW_ALIASES[home]:
        if latin or not row.isascii():
            table.update({key: PlaySlot(slot, pile) for slot, key in enumerate(row) if key != " "})


def _change(table: dict[str, Intent], keymap: Keymap, piles: int, rows: tuple[str, ...]) -> None:
    """The player's own keys: what did the action before does it no more, unless it is a spare key like F1."""
    wanted: dict[str, Intent] = {}
    for action, key in keymap.changed:
        side, _, slot = action.partition("_")
        if side in PILE_WORDS and slot:
            place = int(slot) - 1
            if side == "auto":
                before, meant = DIGITS[place], PlaySlot(place)
            elif piles != PAIR:
                continue  # with more piles each has a whole row, as it is written under it
            else:
                pile = int(side == "right")
                before, meant = rows[pile][place], PlaySlot(place, pile)
            _free(table, before, meant)
            wanted[key] = meant
        else:
            word = "r" if action == "rematch" else action
            _free(table, _LABELS[action], Do(word))
            wanted[key] = Do(word)
    table.update(wanted)


def _free(table: dict[str, Intent], key: str, meant: Intent) -> None:
    for one in {key, key.upper() if len(key) == 1 else key}:
        # Escape and Ctrl-L stay what they are: a player must always find out.
        if table.get(one) == meant and (len(one) == 1):
            del table[one]
