"""A filled panel with lines of text on it: the result card, the ready screen, help and menu are all one of these.

A line is some parts, each with a place: in the middle, at the left, or right-aligned in one of two columns of figures.
Where there are more lines than rows, the empty ones go first, so that the same content serves every size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from speed_client.painters.canvas import Canvas, cut

WIDTH: Final = 54
ROOMY: Final = 50
NAME_CELLS: Final = 16

Where: TypeAlias = Literal["middle", "left", "text", "mine", "other"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line. `text` is a second column, for what a key does."""

    text: str
    style: str = "panel"
    where: Where = "middle"


PanelLine: TypeAlias = tuple[Part, ...]
GAP: Final[PanelLine] = ()


def middle(text: str, style: str = "panel") -> PanelLine:
    """A centred line."""
    return (Part(text, style),)


def pair(key: str, text: str) -> PanelLine:
    """A key and what it does."""
    return (Part(key, "panel-key", "left"), Part(text, "panel", "text"))


def figures(label: str, mine: str, other: str, style: str = "panel") -> PanelLine:
    """A label and both players' figures."""
    return (Part(label, style, "left"), Part(mine, style, "mine"), Part(other, style, "other"))


def paint_panel(canvas: Canvas, x: int, y: int, width: int, height: int, lines: Sequence[PanelLine]) -> None:
    """Fill the rectangle and write the lines, as a whole in its middle."""
    canvas.fill(x, y, width, height, (" ", "panel"))
    kept = list(lines)
    while len(kept) > height and GAP in kept:
        kept.remove(GAP)
    kept = kept[:height]
    roomy = width >= ROOMY
    # Where there is room, a name of full length stands over each column of figures.
    margin, other, apart, longest = (4, 4, NAME_CELLS + 1, NAME_CELLS) if roomy else (1, 7, 13, 12)
    top = y + (height - len(kept)) // 2
    for row, line in enumerate(kept, start=top):
        for part in line:
            text = cut(part.text, width - 2)
            if part.where == "middle":
                canvas.centred(x + width // 2, row, text, part.style)
            elif part.where == "left":
                canvas.text(x + margin, row, text, part.style)
            elif part.where == "text":
                canvas.text(x + margin + 11, row, cut(text, width - margin - 12), part.style)
            else:
                end = x + width - other - (apart if part.where == "mine" else 0)
                canvas.right(end, row, cut(text, longest), part.style)
