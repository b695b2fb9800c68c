"""A list of rows to choose from, as every screen before a table shows one: head, rows, a line about the chosen, bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speed_client.painters.any_screen import paint_bar, paint_too_small
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.painters.panel import WIDTH as PANEL_WIDTH
from speed_client.painters.panel import PanelLine, paint_panel
from speed_client.painters.plan import SMALL_HEIGHT, SMALL_WIDTH
from speed_client.style import Look

BROADEST: Final = 100
HEAD_ROWS: Final = 3
FOOT_ROWS: Final = 2
ABOUT_ROWS: Final = 3


@dataclass(frozen=True, slots=True)
class Cells:
    """One row: a text for each column; `dim` where it cannot be chosen with success."""

    texts: tuple[str, ...]
    dim: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, its width (0: what is left), on which side its text stands, from which width it is shown."""

    head: str
    width: int = 0
    right: bool = False
    least: int = SMALL_WIDTH


@dataclass(frozen=True, slots=True)
class ListModel:
    """What a list screen shows. `about` is the line about the chosen row, `panel` lies over everything."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Cells, ...] = ()
    chosen: int = 0
    aside: str = ""
    aside_style: str = "hint"
    instead: tuple[tuple[str, str], ...] = ()
    """Lines with their styles that stand where rows would, when there are none."""

    about: str = ""
    about_style: str = "hint"
    keys: tuple[tuple[str, str], ...] = ()
    panel: tuple[PanelLine, ...] = ()


def paint_list(model: ListModel, width: int, height: int, look: Look) -> Canvas:
    """The list in `width` columns and `height` rows: the page of it that holds the chosen row."""
    if width < SMALL_WIDTH or height < SMALL_HEIGHT:
        return paint_too_small(width, height, look)
    canvas = Canvas(width, height, ascii_only=look.ascii)
    room = width - width_of(model.aside) - 3
    canvas.text(1, 0, cut(model.title, room), "head")
    canvas.right(width - 1, 0, model.aside, model.aside_style)
    about = _wrapped(model.about, width - 2)
    _rows(canvas, model, max(1, len(about)))
    for y, line in enumerate(about, start=height - 1 - len(about)):
        canvas.text(1, y, line, model.about_style)
    paint_bar(canvas, list(model.keys))
    if model.panel:
        broad = min(PANEL_WIDTH, width)
        tall = min(len(model.panel) + 2, height - 1)
        paint_panel(canvas, (width - broad) // 2, max(0, (height - 1 - tall) // 2), broad, tall, model.panel)
    return canvas


def _rows(canvas: Canvas, model: ListModel, foot: int) -> None:
    width = min(canvas.width, BROADEST) - 4
    left = (canvas.width - width) // 2 if canvas.width > BROADEST else 3
    columns = [place for place, column in enumerate(model.columns) if column.least <= canvas.width]
    fixed = sum(model.columns[place].width for place in columns)
    rest = max(1, width - fixed - 2 * (len(columns) - 1))
    tall = max(1, canvas.height - HEAD_ROWS - FOOT_ROWS - foot)
    if not model.rows:
        _instead(canvas, model, tall)
        return
    first = max(0, min(model.chosen - tall // 2, len(model.rows) - tall))
    shown = model.rows[first : first + tall]
    heads = Cells(tuple(column.head for column in model.columns))
    for y, row in ((2, heads), *enumerate(shown, start=HEAD_ROWS)):
        chosen = y >= HEAD_ROWS and first + y - HEAD_ROWS == model.chosen
        style = "line" if y < HEAD_ROWS else "focus" if chosen else "hint" if row.dim else ""
        if chosen:
            canvas.text(left - 2, y, ">", "focus")
        x = left
        for place in columns:
            column = model.columns[place]
            broad = column.width or rest
            text = cut(row.texts[place], broad)
            if column.right:
                canvas.right(x + broad, y, text, style)
            else:
                canvas.text(x, y, text, style)
            x += broad + 2
    if len(shown) < len(model.rows):
        more = f"{first + 1}-{first + len(shown)} of {len(model.rows)}"
        canvas.right(canvas.width - 1, 1, more, "hint")


def _instead(canvas: Canvas, model: ListModel, tall: int) -> None:
    lines = [(text, style) for text, style in model.instead if text or len(model.instead) <= tall]
    top = HEAD_ROWS - 1 + max(0, (tall - len(lines)) // 3)
    for y, (text, style) in enumerate(lines, start=top):
        canvas.centred(canvas.width // 2, y, text, style, canvas.width - 2)


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most so many columns; what is too long for the rows it may have is cut."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(cut(word, width))
    if len(lines) > ABOUT_ROWS:
        lines = [*lines[: ABOUT_ROWS - 1], cut(" ".join(lines[ABOUT_ROWS - 1 :]), width)]
    return lines if text else []
