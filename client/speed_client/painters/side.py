"""The side panel of a wide terminal: the last plays with their times, the pace, the link, the other tables."""

from __future__ import annotations

from typing import Final

from speed_client.model import TableModel
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.story import PACE_PLAYS, Line
from speed_common.table import SPECTATOR
from speed_common.wire import OVER, TableLine

LOG_LINES: Final = 7
MOST_NAME: Final = 7
MANY_CELLS: Final = 29
PAIR: Final = 2
LINK_ROWS: Final = 8
"""A shorter panel keeps its room for the other tables."""

HEIGHTS: Final = "▁▂▃▄▅▆▇"


def paint_side(canvas: Canvas, model: TableModel, x: int) -> None:
    """Paint into the columns from `x` to the right edge."""
    for y in range(1, canvas.height - 1):
        canvas.text(x, y, "│", "line")
    x += 3
    name_width = max(4, min(MOST_NAME, max(width_of(side.name) for side in model.sides)))
    if model.log:
        canvas.text(x, 2, "PLAYS", "head")
    for y, (time, name, line) in enumerate(model.log[:LOG_LINES], start=3):
        canvas.text(x, y, time, "hint")
        if line.seat == SPECTATOR:
            canvas.text(x + 9, y, line.text, "hint")
            continue
        style = _style(model, name, line)
        canvas.text(x + 9, y, cut(name, name_width), style)
        canvas.text(x + 11 + name_width, y, cut(line.text, canvas.width - x - 11 - name_width), style)
    y = 11
    if any(pace.seconds for pace in model.paces):
        canvas.text(x, y, f"PACE OF THE LAST {PACE_PLAYS} CARDS", "head")
        for place, pace in enumerate(model.paces):
            y += 1
            canvas.text(x, y, cut(pace.name, name_width), "foe" if place else "me")
            end = canvas.text(x + 2 + name_width, y, f"{pace.seconds} a card" if pace.seconds else "", "hint")
            canvas.text(end + 2, y, "".join(HEIGHTS[bar] for bar in pace.bars), "hint")
    y = max(16, y + 3)
    if model.link and canvas.height - y > LINK_ROWS:
        canvas.text(x, y, "YOUR LINK", "head")
        for row, words in enumerate(model.link, start=y + 1):
            canvas.text(x, row, cut(words, canvas.width - x), "hint")
        y += len(model.link) + 2
    if model.others:
        canvas.text(x, y, "OTHER TABLES", "head")
        for row, other in enumerate(model.others[: max(0, canvas.height - y - 3)], start=y + 1):
            _other(canvas, x, row, other)


def _style(model: TableModel, name: str, line: Line) -> str:
    if line.late:
        return "late"
    return "me" if name == model.bottom.name else "foe"


def _other(canvas: Canvas, x: int, y: int, other: TableLine) -> None:
    canvas.text(x, y, f"T{other.number}", "hint")
    if len(other.names) > PAIR:
        _many(canvas, x + 4, y, other)
        return
    winner = ""
    for column, name in zip((x + 4, x + 14), other.names, strict=False):
        canvas.text(column, y, cut(name or "free", 5), "" if name else "hint")
    for column, left, name in zip((x + 12, x + 22), other.left, other.names, strict=False):
        canvas.right(column, y, str(left), "")
        if other.phase == OVER and left == 0:
            winner = name
    if winner:
        canvas.fill(x + 20, y, 2, 1)
        canvas.text(x + 20, y, f"{cut(winner, 7)} won", "good")


def _many(canvas: Canvas, x: int, y: int, other: TableLine) -> None:
    """A table of three or four in one line: the names, and how many cards are left."""
    winner = next((name for name, left in zip(other.names, other.left, strict=False) if not left), "")
    if other.phase == OVER and winner:
        canvas.text(x, y, f"{cut(winner, 7)} won against {len(other.names) - 1}", "good")
        return
    step = MANY_CELLS // len(other.names)
    for place, name in enumerate(other.names):
        left = f" {other.left[place]}" if place < len(other.left) else ""
        short = cut(name or "free", step - 1 - len(left))
        canvas.text(x + place * step, y, f"{short}{left}", "" if name else "hint")
