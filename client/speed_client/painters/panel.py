"""A filled panel with lines of text on it: the result card, the ready screen, help and menu are all one of these.

A line is some parts, each with a place: in the middle, at the left, or right-aligned in one of the columns of figures.
A middle part that is too long goes on in the next line. Where there are more lines than rows, the empty ones go first,
and then the spare ones, so that the same content serves every size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from speed_client.painters.canvas import Canvas, cut, width_of

WIDTH: Final = 54
ROOMY: Final = 50
BROAD: Final = 74
NAME_CELLS: Final = 16
LABEL_CELLS: Final = 14
PAIR: Final = 2
_BEFORE_A_WORD: Final = re.compile(r" (?!\d)")
"""Where a line may break: a number stays with the name that it is of."""

Where: TypeAlias = Literal["middle", "left", "text", "right", "figure"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line. `text` is a second column, for what a key does.

    A figure stands in one of `of` columns, `column` counted from the left. The line of a `spare` one may be left out.
    """

    text: str
    style: str = "panel"
    where: Where = "middle"
    column: int = 0
    of: int = 1
    spare: bool = False


PanelLine: TypeAlias = tuple[Part, ...]
GAP: Final[PanelLine] = ()


def middle(text: str, style: str = "panel") -> PanelLine:
    """A centred line."""
    return (Part(text, style),)


def pair(key: str, text: str) -> PanelLine:
    """A key and what it does."""
    return (Part(key, "panel-key", "left"), Part(text, "panel", "text"))


def figures(label: str, each: Sequence[str], style: str = "panel", *, spare: bool = False) -> PanelLine:
    """A label and a figure for each player."""
    columns = (Part(figure, style, "figure", column, len(each)) for column, figure in enumerate(each))
    return (Part(label, style, "left", spare=spare), *columns)


def paint_panel(canvas: Canvas, x: int, y: int, width: int, height: int, lines: Sequence[PanelLine]) -> None:
    """Fill the rectangle and write the lines, as a whole in its middle."""
    canvas.fill(x, y, width, height, (" ", "panel"))
    kept = [short for line in lines for short in _wrapped(line, width - 2)]
    while len(kept) > height and GAP in kept:
        kept.remove(GAP)
    if len(kept) > height:
        kept = [line for line in kept if not (line and line[0].spare)]
    kept = kept[:height]
    margin = 4 if width >= ROOMY else 1
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
            elif part.where == "right":
                canvas.right(x + width - (4 if width >= ROOMY else 7), row, cut(text, NAME_CELLS), part.style)
            else:
                _figure(canvas, x, row, width, part)


def _figure(canvas: Canvas, x: int, row: int, width: int, part: Part) -> None:
    roomy = width >= ROOMY
    if part.of <= PAIR:
        # Where there is room, a name of full length stands over each column of figures.
        end, apart, longest = (width - 4, NAME_CELLS + 1, NAME_CELLS) if roomy else (width - 7, 13, 12)
    else:
        room = width - LABEL_CELLS - (8 if roomy else 1)
        end, apart = width - (4 if roomy else 0), room // part.of
        longest = min(NAME_CELLS, apart - 1)
    text = part.text
    if width_of(text) > longest:
        text = text.removesuffix(" s")
    canvas.right(x + end - (part.of - 1 - part.column) * apart, row, cut(text, longest), part.style)


def _wrapped(line: PanelLine, width: int) -> Iterator[PanelLine]:
    if len(line) != 1 or line[0].where != "middle" or width_of(line[0].text) <= width:
        yield line
        return
    said = ""
    for word in _BEFORE_A_WORD.split(line[0].text):
        longer = f"{said} {word}".strip()
        if said and width_of(longer) > width:
            yield (Part(said, line[0].style),)
            longer = word
        said = longer
    yield (Part(said, line[0].style),)
