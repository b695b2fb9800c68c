"""What others said, made safe for a terminal: the one way out for words that a stranger chose. Pure."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 300


def printable(what: object, most: int = LONGEST, instead: str = "?") -> str:
    """The first `most` characters of what a stranger said, with `instead` for each that a terminal would obey."""
    return "".join(character if character.isprintable() else instead for character in str(what)[:most])
