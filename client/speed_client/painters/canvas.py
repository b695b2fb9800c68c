"""A rectangle of cells to paint on. It clips, it measures in terminal columns, and it knows no terminal.

A cell is a character and a style name. A character two columns wide stands in the first of its cells, an empty one in
the second, so that a row always has as many cells as columns. In ASCII mode whatever is written is turned into ASCII
before it is measured.
"""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from wcwidth import wcswidth, wcwidth

Cell: TypeAlias = tuple[str, str]
Block: TypeAlias = Sequence[Sequence[Cell]]

BLANK: Final[Cell] = (" ", "")

_ASCII: Final = (
    (" · ", ", "),
    (" – ", "-"),
    ("…", ".."),
    ("→", "->"),
    ("◂", "<-"),
    ("▸", "->"),
    ("•", "*"),
    ("✓", "+"),
    ("★", "*"),
    *((sign, letter) for sign, letter in zip("–—−·♣♦♥♠▒░█│─═║", "---.CDHS##=|-=#", strict=True)),
    *((corner, "+") for corner in "┌┐└┘╔╗╚╝┬├"),
    *((bar, height) for bar, height in zip("▁▂▃▄▅▆▇", "__..--=", strict=True)),
)


_LETTERS: Final = str.maketrans("♣♦♥♠", "CDHS")
_NO_SUITS: Final = str.maketrans("", "", "♣♦♥♠")


@lru_cache(maxsize=2048)
def to_ascii(text: str) -> str:
    """The text in ASCII: our own signs by their stand-ins, letters without their accents, `?` for the rest."""
    if text.isascii():
        return text
    for sign, stand_in in _ASCII:
        text = text.replace(sign, stand_in)
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return plain.encode("ascii", "replace").decode("ascii")


@lru_cache(maxsize=4096)
def cells(text: str, style: str = "") -> tuple[Cell, ...]:
    """The cells that a text takes. Controls are left out, marks join the character before them.

    Some marks widen what they join, and some characters melt into one sign: where a text as a whole is not as wide as
    its characters are, it goes without marks, or in ASCII.
    """
    found = _by_character(text, style, marks=True)
    if not text.isascii() and not _even(found):
        found = _by_character(text, style, marks=False)
        if not _even(found):
            found = _by_character(to_ascii(text), style, marks=False)
    return tuple(found)


def _by_character(text: str, style: str, *, marks: bool) -> list[Cell]:
    found: list[Cell] = []
    for char in text:
        width = 1 if " " <= char <= "~" else wcwidth(char)
        if width == 0 and marks and found:
            found[-1] = (found[-1][0] + char, style) if found[-1][0] else found[-1]
        elif width > 0:
            found.append((char, style))
            found.extend([("", style)] * (width - 1))
    return found


def _even(found: Sequence[Cell]) -> bool:
    return wcswidth("".join(char for char, _ in found)) == len(found)


def width_of(text: str) -> int:
    """How many columns the text takes."""
    return len(cells(text))


def cut(text: str, width: int) -> str:
    """The text, or as much of its beginning as fits `width` columns, with a mark that it was cut."""
    if width_of(text) <= width:
        return text
    kept = ""
    for char in text:
        if width_of(kept + char) > width - 1:
            break
        kept += char
    return f"{kept}…" if width > 0 else ""


class Canvas:
    """`height` rows of `width` cells. Whatever is painted outside is lost."""

    __slots__ = ("ascii", "height", "rows", "suits", "width")

    def __init__(self, width: int, height: int, *, ascii_only: bool = False, suits: str = "signs") -> None:
        self.width = width
        self.height = height
        self.ascii = ascii_only
        self.suits = suits
        self.rows: list[list[Cell]] = [[BLANK] * width for _ in range(height)]

    def text(self, x: int, y: int, text: str, style: str = "") -> int:
        """Write from column `x`; the column after the text."""
        row = cells(self._written(text), style)
        self.row(x, y, row)
        return x + len(row)

    def right(self, end: int, y: int, text: str, style: str = "") -> int:
        """Write so that the text ends before column `end`; its first column."""
        x = end - width_of(self._written(text))
        self.text(x, y, text, style)
        return x

    def centred(self, axis: int, y: int, text: str, style: str = "", most: int = 0) -> None:
        """Write with the middle at column `axis`, cut to `most` columns (0: the canvas)."""
        text = cut(self._written(text), most or self.width)
        self.text(max(0, axis - width_of(text) // 2), y, text, style)

    def _written(self, text: str) -> str:
        """The text in the signs that may stand here."""
        if self.suits != "signs" and not text.isascii():
            text = text.translate(_LETTERS if self.suits == "letters" else _NO_SUITS)
        return to_ascii(text) if self.ascii else text

    def row(self, x: int, y: int, row: Sequence[Cell]) -> None:
        """Lay cells into one row."""
        if not 0 <= y < self.height or x >= self.width or x + len(row) <= 0:
            return
        clipped = x < 0 or x + len(row) > self.width
        if clipped:
            row = list(row[max(0, -x) : self.width - x])
            x = max(0, x)
        target = self.rows[y]
        end = x + len(row)
        # A wide character must not lose only one of its two cells.
        if target[x][0] == "" and x:
            target[x - 1] = (" ", target[x - 1][1])
        if end < self.width and target[end][0] == "":
            target[end] = (" ", target[end][1])
        target[x:end] = row
        if clipped and row:
            if target[x][0] == "":
                target[x] = (" ", target[x][1])
            if wide(target[end - 1]):
                target[end - 1] = (" ", target[end - 1][1])

    def block(self, x: int, y: int, block: Block) -> None:
        """Lay a block of cells with its top left corner at (x, y)."""
        for down, row in enumerate(block):
            self.row(x, y + down, row)

    def fill(self, x: int, y: int, width: int, height: int, cell: Cell = BLANK) -> None:
        """Fill a rectangle with one cell."""
        for down in range(height):
            self.row(x, y + down, [cell] * width)

    def lines(self) -> list[str]:
        """The characters alone, without blanks at the end of a row."""
        return ["".join(char for char, _ in row).rstrip() for row in self.rows]


def wide(cell: Cell) -> bool:
    """Whether the cell's character takes two columns."""
    char = cell[0]
    return bool(char) and not char.isascii() and wcwidth(char[0]) > 1
