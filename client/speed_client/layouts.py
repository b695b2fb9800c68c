"""Where the keys lie: the rows of five keyboards, and what other alphabets and digit rows send from the same places.

A terminal sends characters, not keys. So a layout is the characters that its keys send, row by row, and an alias is
another character that somebody's key at that place sends. A blank is a key that gives none, or one that means something
else. The tables follow the usual national layouts; they were not compared with a system's own files. Pure data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Layout:
    """The ten middle keys of each row, the left hand's five before the right hand's."""

    digits: str
    top: str
    home: str
    bottom: str


LAYOUTS: Final[Mapping[str, Layout]] = {
    "qwerty": Layout("1234567890", "qwertyuiop", "asdfghjkl;", "zxcvbnm,./"),
    "qwertz": Layout("1234567890", "qwertzuiop", "asdfghjklö", "yxcvbnm,.-"),
    "azerty": Layout("&é\"'(-è_çà", "azertyuiop", "qsdfghjklm", "wxcvbn,;:!"),
    "dvorak": Layout("1234567890", "',.pyfgcrl", "aoeuidhtns", ";qjkxbmwvz"),
    "colemak": Layout("1234567890", "qwfpgjluy;", "arstdhneio", "zxcvbkm,./"),
}

DIGIT_ALIASES: Final = (
    "&é\"'(",  # French (fr), Belgian (be)
    "+ěščř",  # Czech (cz)
    "+ľščť",  # Slovak (sk)
)
LITHUANIAN: Final = "ąčęėį"
"""Lithuanian (lt): its č is another digit than the Czech one, so it counts only where asked for."""

# Russian (ru), Greek (gr), Hebrew (il): the same places as QWERTY's row, in capitals too.
ROW_ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "qwert": ("QWERT", "йцуке", "ЙЦУКЕ", "  ερτ", "  ΕΡΤ", "/ קרא"),  # noqa: RUF001  # they are Greek
    "asdfg": ("ASDFG", "фывап", "ФЫВАП", "ασδφγ", "ΑΣΔΦΓ", "שדגכע"),
    "hjkl;": ("HJKL", "ролдж", "РОЛДЖ", "ηξκλ", "ΗΞΚΛ", "יחלךף"),
    "yuiop": ("YUIOP", "нгшщз", "НГШЩЗ", "υθιοπ", "ΥΘΙΟΠ", "טוןםפ"),
}
SEMICOLON_ALIASES: Final = ":öñçòÖÑÇÒmM"
"""What lies right of `l`: German and Nordic ö, Spanish ñ, Portuguese ç, Italian ò, French m."""

A_ALIASES: Final = "qQ"
"""The French key at the place of `a`, as long as `q` has no pile of its own."""


def rows_for(layout: str, piles: int) -> tuple[str, ...]:
    """For each of so many piles, from left to right, the keys that play slots 1 to 5 onto it."""
    keys = LAYOUTS[layout]
    left, right = keys.home[:5], keys.home[5:]
    if piles == 3:  # noqa: PLR2004
        return left, right, keys.top[5:]
    if piles == 4:  # noqa: PLR2004
        return keys.top[:5], left, right, keys.top[5:]
    return left, right
