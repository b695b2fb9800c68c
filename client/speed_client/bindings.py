"""Which actions a player may put on another key, and which keys may be taken. Pure.

An action has a name as `config.toml` keeps it, and a sentence. Keys that must always mean the same (Escape, Ctrl-C,
Enter, the arrows) cannot be taken, nor can chords that a terminal or tmux eats.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SLOTS: Final = 5
PILE_WORDS: Final[Mapping[str, str]] = {"auto": "the automatic", "left": "the left", "right": "the right"}
SPACE: Final = "space"

BINDABLE: Final[Mapping[str, str]] = {
    **{
        f"{pile}_{slot}": f"play card {slot}{'' if pile == 'auto' else f' to {where} pile'}"
        for pile, where in PILE_WORDS.items()
        for slot in range(1, SLOTS + 1)
    },
    SPACE: "ready, flip, draw, rematch",
    "call": "call Speed!",
    "help": "help",
    "menu": "menu",
    "redraw": "redraw the screen",
    "rematch": "rematch, after a deal",
}
"""By name: what it does."""

_NAMED_KEYS: Final = frozenset({"f1", "f3", "f4", "tab"})
KEY_NAMES: Final[Mapping[str, str]] = {
    " ": "Space",
    "tab": "Tab",
    "c-h": "Backspace",
    "backspace": "Backspace",
    "escape": "Esc",
    "c-m": "Enter",
    "enter": "Enter",
    "c-l": "Ctrl-L",
    "c-c": "Ctrl-C",
    "<sigint>": "Ctrl-C",
    **{f"f{number}": f"F{number}" for number in range(1, 5)},
    **{word: word.capitalize() for word in ("up", "down", "left", "right", "pageup", "pagedown")},
}


def key_name(key: str) -> str:
    """A key as it is called on the screen."""
    return KEY_NAMES.get(key, key)


def key_fault(key: str) -> str:
    """Why a key can be given to no action; empty where it can."""
    if key in _NAMED_KEYS or (len(key) == 1 and key.isprintable()):
        return ""
    return f"{key_name(key)} keeps its meaning: press a character, Space or Tab"


def binding_fault(action: str, key: object, taken: Mapping[str, str]) -> str:
    """Why a file's binding cannot be; empty where it can. `taken` are the file's bindings before it."""
    if not isinstance(key, str) or key_fault(key):
        return f"keys.{action} is no key that can be given away: {str(key)[:20]!r}"
    other = next((name for name, held in taken.items() if held == key), None)
    return f"keys.{action} and keys.{other} are both {key!r}" if other is not None else ""
