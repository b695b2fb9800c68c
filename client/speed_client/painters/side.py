"""The side panel of a wide terminal: the last plays with their times, the pace, the other tables."""

from __future__ import annotations

from typing import Final

from speed_client.model import TableModel
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.story import Line
from speed_common.table import SPECTATOR
from speed_common.wire import OVER, TableLine

LOG_LINES: Final = 7
MOST_NAME: Final = 7
HEIGHTS: Final = "▁▂▃▄▅▆▇"


def paint_side(canvas: Canvas, model: TableModel, x: int) -> None:
    """Paint into the columns from `x` to the right edge."""
    for y in range(1, canvas.height - 1):
        canvas.text(x, y, "│", "line")
    x += 3
    name_width = max(4, min(MOST_NAME, max(width_of(model.bottom.name), width_of(model.top.name))))
    if model.log:
        canvas.text(x, 2, "PLAYS", "head")
    for y, (time, name, line) in enumerate(model.log[:LOG_LINES], start=3):
        canvas.text(x, y, time, "hint")
        if line.seat == SPECTATOR:
            canvas.text(x + 9, y, line.text, "hint")
            continue
        style = _style(model, name, line)
        canvas.text(x + 9, y, cut(name, name_width), style)
        canvas.text(x + 11 + name_width, y, line.text, style)
    if any(pace.seconds for pace in model.paces):
        canvas.text(x, 11, "PACE", "head")
        for y, pace, style in zip((12, 13), model.paces, ("me", "foe"), strict=False):
            canvas.text(x, y, cut(pace.name, name_width), style)
            end = canvas.text(x + 2 + name_width, y, pace.seconds, "hint")
            canvas.text(end + 2, y, "".join(HEIGHTS[bar] for bar in pace.bars), "hint")
    if model.others:
        canvas.text(x, 16, "OTHER TABLES", "head")
        for y, other in enumerate(model.others[: max(0, canvas.height - 19)], start=17):
            _other(canvas, x, y, other)


def _style(model: TableModel, name: str, line: Line) -> str:
    if line.late:
        return "late"
    return "me" if name == model.bottom.name else "foe"


def _other(canvas: Canvas, x: int, y: int, other: TableLine) -> None:
    canvas.text(x, y, f"T{other.number}", "hint")
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
