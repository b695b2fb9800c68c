"""Players' names, made safe for every place that a name goes: a terminal, a log, a table of results.

A name is letters and digits of any script, single spaces, and `- _ . '`, in 1 to 16 terminal columns. Control,
direction and zero-width characters never pass, and no more than two combining marks stand on one letter, so a name
takes exactly the columns that it measures.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from wcwidth import wcswidth, wcwidth

MAX_CELLS: Final = 16
MAX_BYTES: Final = 48
"""So that a list of every table that a server can lay fits one message."""
MARKS: Final = " -_.'"
MAX_COMBINING: Final = 2

_MAX_RAW: Final = 256
# Letters and accents by their category, but drawn as nothing: fillers, joiners, variation selectors.
_INVISIBLE: Final = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
_ACCENTS: Final = frozenset({"Mn", "Mc"})
_CURLY: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'"})


def clean_name(text: str) -> str:
    """The name as it is shown and compared: compatibility-composed, outer spaces off, inner ones single.

    Raises `ValueError`, whose text says what to change and is safe to show.
    """
    if len(text) > _MAX_RAW:
        raise ValueError(f"the name is too long: use at most {MAX_CELLS} columns")
    name = unicodedata.normalize("NFKC", text.translate(_CURLY))
    combining = 0
    for character in name:
        if not _allowed(character):
            raise ValueError(
                f"the name has the character {_described(character)}: use letters, digits, spaces and - _ . '"
            )
        combining = combining + 1 if unicodedata.category(character) in _ACCENTS else 0
        if combining > MAX_COMBINING:
            raise ValueError(f"the name has more than {MAX_COMBINING} accents on one letter: use fewer")
    name = " ".join(filter(None, name.split(" ")))
    if not any(character.isalnum() for character in name):
        raise ValueError("the name is empty: use at least one letter or digit")
    if unicodedata.category(name[0]) in _ACCENTS:
        raise ValueError("the name begins with an accent: put a letter before it")
    cells = wcswidth(name)
    if not 1 <= cells <= MAX_CELLS:
        raise ValueError(f"the name is {cells} columns wide: use at most {MAX_CELLS}")
    if len(name.encode()) > MAX_BYTES:
        raise ValueError(f"the name takes {len(name.encode())} bytes: use at most {MAX_BYTES}, with fewer accents")
    return name


def numbered_name(name: str, count: int) -> str:
    """A clean name with a number behind it, cut so that it still fits: for the second player of that name."""
    tail = f" {count}"
    while wcswidth(name + tail) > MAX_CELLS or len((name + tail).encode()) > MAX_BYTES:
        name = name[:-1].rstrip(" ")
    return name + tail


def _allowed(character: str) -> bool:
    if character in MARKS:
        return True
    if character in _INVISIBLE:
        return False
    category = unicodedata.category(character)
    return category in _ACCENTS or ((category[0] == "L" or category == "Nd") and wcwidth(character) > 0)


def _described(character: str) -> str:
    return repr(character) if " " < character < "\x7f" else f"U+{ord(character):04X}"
