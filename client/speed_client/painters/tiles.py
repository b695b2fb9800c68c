"""All tables that a spectator follows: a tile each where there is room, else a line each."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speed_client.model import Side, TableModel
from speed_client.painters import cards
from speed_client.painters.any_screen import paint_bar, paint_too_small
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.painters.foes import draw_bar
from speed_client.painters.overlays import help_lines
from speed_client.painters.panel import WIDTH as PANEL_WIDTH
from speed_client.painters.panel import paint_panel
from speed_client.painters.plan import FULL_HEIGHT, FULL_WIDTH, PAIR, ROOMY_HEIGHT, SMALL_HEIGHT, SMALL_WIDTH
from speed_client.painters.result import end_lines
from speed_client.style import Look
from speed_common.cards import NO_CARD

TILE_WIDTH: Final = 39
TILE_STEP: Final = 40
PAPER: Final = (7, 3)
NAME_COLUMNS: Final = 7
HAND_COLUMNS: Final = 6
MOST_ACROSS: Final = 3
ROOMY: Final = 100
"""Columns from which the bar names every page of a tournament; whoever turns one sees the others' keys."""


@dataclass(frozen=True, slots=True)
class WatchModel:
    """The tables in the order of their numbers, and the number of the one in focus."""

    tables: tuple[TableModel, ...] = ()
    focus: int = 0
    no_link: bool = False
    help: bool = False
    end: str = ""
    tournament: str = ""
    """What is played here, where it is a tournament."""

    @property
    def place(self) -> int:
        """Where the focus stands in the order."""
        return next((place for place, model in enumerate(self.tables) if model.table == self.focus), 0)


def tile_grid(width: int, height: int) -> tuple[int, int, int]:
    """Columns, rows and height of the tiles; (1, height - 2, 1) where only lines fit."""
    if width < FULL_WIDTH or height < FULL_HEIGHT:
        return 1, max(1, height - 3), 1
    tall = 12 if height >= ROOMY_HEIGHT else 11
    # Nine are as many as the digits reach, and as an eye follows.
    return min(MOST_ACROSS, (width + 1) // TILE_STEP), min(MOST_ACROSS, (height - 2) // tall), tall


def paint_watch(model: WatchModel, width: int, height: int, look: Look) -> Canvas:
    """The page of tables that has the focus."""
    if width < SMALL_WIDTH or height < SMALL_HEIGHT:
        return paint_too_small(width, height, look)
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    count = len(model.tables)
    canvas.text(1, 0, "WATCHING", "head")
    tables = f"{count} table{'' if count == 1 else 's'}"
    canvas.text(10, 0, f"{model.tournament} · {tables}" if model.tournament else tables, "hint")
    if model.no_link:
        canvas.right(width - 1, 0, "NO LINK", "alarm")
    columns, rows, tall = tile_grid(width, height)
    page = model.place // (columns * rows) * columns * rows
    shown = model.tables[page : page + columns * rows]
    for place, table in enumerate(shown):
        x, y = place % columns * TILE_STEP, 1 + place // columns * tall
        focus = table.table == model.focus
        if tall == 1:
            _line(canvas, table, y + 1, focus=focus)
        else:
            _tile(canvas, table, x, y, tall, look, focus=focus)
    if not shown:
        canvas.centred(width // 2, height // 2, "no table is laid yet", "status")
    paged = bool(page) or count > page + len(shown)
    if paged:
        canvas.right(width - 1, 0, f"{page + 1}–{page + len(shown)} of {count}", "hint")
    if tall > 1 and 1 + rows * tall < height - 1:
        _last_event(canvas, model, height - 2)
    pages = [("PgUp PgDn", "pages")] if paged and width >= FULL_WIDTH else []
    turn = [("n", "next"), ("b", "bracket"), ("f", "follow")] if model.tournament else []
    turn += [("s", "standings")] if turn and width >= ROOMY else []
    paint_bar(
        canvas,
        [("1-9", "focus"), ("Enter", "full" if turn else "full table"), *pages, *turn, ("?", "help"), ("Esc", "leave")],
    )
    if model.end or model.help:
        lines = end_lines(model.end) if model.end else help_lines(TableModel(seated=False), look.keys)
        broad = min(PANEL_WIDTH, width)
        paint_panel(canvas, (width - broad) // 2, 2, broad, min(12, height - 4), lines)
    return canvas


def _last_event(canvas: Canvas, model: WatchModel, y: int) -> None:
    """The last plays at the table in focus, in one line, the newest first."""
    if not model.tables:
        return
    table = model.tables[model.place]
    x = canvas.text(1, y, f"table {table.table}", "focus") + 2
    for time, name, line in table.log[:3]:
        text = f"{time}  {name} {line.text}" if name else f"{time}  {line.text}"
        if x + width_of(text) < canvas.width:
            x = canvas.text(x, y, text, "late" if line.late else "hint") + 3


def _tile(canvas: Canvas, model: TableModel, x: int, y: int, tall: int, look: Look, *, focus: bool) -> None:
    _frame(canvas, model, x, y, tall, look, focus=focus)
    foes = model.foes or (Side(),)
    for row, foe in enumerate(foes, start=1):
        _player(canvas, foe, x, y + row, look, "foe")
    _player(canvas, model.bottom, x, y + tall - 2, look, "me")
    step = 11 if len(model.piles) <= PAIR else 9
    first = x + (10 if len(model.piles) <= PAIR else (TILE_WIDTH - step * len(model.piles) + 2) // 2)
    piles_y = y + max(3, len(foes) + 2)
    for pile, centre in enumerate(model.piles):
        block = cards.any_card(centre.top, *PAPER, look, named=centre.named)
        canvas.block(first + pile * step, piles_y, block)
    text, style = _word(model)
    canvas.centred(x + TILE_WIDTH // 2, y + tall - 3, text, style, TILE_WIDTH - 2)


def _frame(canvas: Canvas, model: TableModel, x: int, y: int, tall: int, look: Look, *, focus: bool) -> None:
    style = "focus" if focus else "line"
    corners, across, down = ("╔╗╚╝", "═", "║") if focus else ("┌┐└┘", "─", "│")
    if focus and look.theme == "none":
        corners = "####"
    inner = across * (TILE_WIDTH - 2)
    canvas.text(x, y, f"{corners[0]}{inner}{corners[1]}", style)
    canvas.text(x, y + tall - 1, f"{corners[2]}{inner}{corners[3]}", style)
    for row in range(y + 1, y + tall - 1):
        canvas.text(x, row, down, style)
        canvas.text(x + TILE_WIDTH - 1, row, down, style)
    canvas.text(x + 2, y, f" {model.table} ", "head")
    if model.clock:
        canvas.right(x + TILE_WIDTH - 2, y, f" {model.clock} ", "clock")


def _player(canvas: Canvas, side: Side, x: int, y: int, look: Look, style: str) -> None:
    if not side.name:
        canvas.text(x + 2, y, "free seat", "hint")
        return
    style = style if side.here and not side.gone else "hint"
    canvas.text(x + 2, y, cut(side.name, NAME_COLUMNS), style)
    for slot, place in enumerate(side.hand[:HAND_COLUMNS]):
        if place.card != NO_CARD:
            canvas.block(
                x + 10 + slot, y, cards.back(1, 1, ascii_only=look.ascii, style="lift" if place.lifted else "back")
            )
    draw_bar(canvas, x + 17, y, side.draw, side.draw_of, style)
    canvas.right(x + 37, y, f"{side.left:2d}", style)


def _word(model: TableModel) -> tuple[str, str]:
    """The last thing that happened at a table, and its style."""
    if model.outcome is not None:
        return f"{model.outcome.title} {model.outcome.how}".capitalize(), "good"
    if model.stage == "waiting":
        return "waiting for players", "hint"
    if model.stage == "countdown":
        return (f"cards turn in {model.digit}" if model.digit else "cards turn"), "status"
    return model.notice.text, model.notice.kind


def _line(canvas: Canvas, model: TableModel, y: int, *, focus: bool) -> None:
    x = canvas.text(0, y, f"{'>' if focus else ' '}{model.table:3d} ", "focus" if focus else "hint")
    tops = " ".join(cards.short_name(pile.top) if pile.top >= 0 else "--" for pile in model.piles)
    text, style = _word(model)
    if len(model.foes) > 1:
        x = _many(canvas, model, x, y)
    else:
        foe = model.foes[0] if model.foes else Side()
        canvas.text(x, y, cut(model.bottom.name or "free", NAME_COLUMNS + 1), "me" if model.bottom.name else "hint")
        canvas.right(x + 11, y, str(model.bottom.left), "")
        canvas.right(x + 24, y, str(foe.left), "")
        canvas.text(x + 25, y, cut(foe.name or "free", NAME_COLUMNS + 1), "foe" if foe.name else "hint")
        canvas.text(x + 13, y, cut(tops, 9) if len(model.piles) > PAIR else tops, "")
        x, tops = x + 35, ""
    if tops and x + width_of(tops) <= canvas.width:
        x = canvas.text(x, y, tops, "") + 2
    canvas.text(x, y, cut(text, max(0, canvas.width - x)), style)


def _many(canvas: Canvas, model: TableModel, x: int, y: int) -> int:
    """Three or four players in a line, each with the cards that are left; the column after them."""
    step = min(11, (canvas.width - x) // len(model.sides))
    for place, side in enumerate(model.sides):
        style = "hint" if not side.name or side.gone else "foe" if place else "me"
        canvas.text(x + place * step, y, cut(side.name or "free", step - 4), style)
        canvas.right(x + place * step + step - 1, y, str(side.left), "")
    return x + step * len(model.sides) + 1
