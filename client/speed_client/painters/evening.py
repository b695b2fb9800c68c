"""The frame of every screen of a tournament, and what is played now and comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from speed_client.evening import Evening
from speed_client.outcome import minutes
from speed_client.painters.any_screen import paint_bar
from speed_client.painters.canvas import BLANK, Canvas, cut, width_of
from speed_client.printable import printable
from speed_client.style import Look

TOP: Final = 2
"""The rows above what a page shows: the tournament, and how things stand."""

FOOT: Final = 2
STATUS: Final = {"called": "called, players sit down", "playing": "playing", "suspended": "waits for a player"}


def body_rows(height: int) -> int:
    """The rows that a page has for itself."""
    return max(1, height - TOP - FOOT)


def paint_frame(
    evening: Evening,
    body: Canvas,
    top: int,
    aside: str,
    keys: Sequence[tuple[str, str]],
    size: tuple[int, int],
    look: Look,
) -> Canvas:
    """A page in its frame: the rows of `body` from `top` on, `aside` at the right of the second row, the keys below."""
    width, height = size
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    state, style = evening.state
    room = width - width_of(state) - 3
    x = canvas.text(1, 0, cut(evening.title.upper(), room - 1), "head") + 1
    canvas.text(x, 0, cut(evening.about, max(0, room - x)), "hint")
    canvas.right(width - 1, 0, cut(state, width - 2), style)
    canvas.text(1, 1, cut(note_of(evening), max(0, width - width_of(aside) - 4)), "status")
    canvas.right(width - 1, 1, aside, "hint")
    rows = body_rows(height)
    top = max(0, min(top, body.height - rows))
    for row in range(min(rows, body.height - top)):
        canvas.row(0, TOP + row, body.rows[top + row])
    if top + rows < body.height:
        canvas.text(width - 8, height - 2, " more v ", "key")
    if top:
        canvas.text(width - 8, TOP, " more ^ ", "key")
    paint_bar(canvas, list(keys))
    return canvas


def note_of(evening: Evening) -> str:
    """The director's newest note."""
    notes = evening.board.notes if evening.board is not None else ()
    return printable(notes[-1], 120) if notes else ""


def paint_next(evening: Evening, width: int, look: Look) -> Canvas:
    """The matches at the tables, then the queue with how long each still waits, then the director's notes."""
    board = evening.board
    tables, queue, notes = (board.tables, board.next, board.notes) if board is not None else ((), (), ())
    rows = max(1, len(tables)) + max(1, len(queue)) + len(notes) + 6
    canvas = Canvas(width, rows, ascii_only=look.ascii, suits=look.suits)
    room = max(6, min(18, (width - 46) // 2))
    canvas.text(2, 0, "NOW", "head")
    if not tables:
        canvas.text(2, 1, "nothing is played now", "hint")
    y = 1
    for line in tables:
        mine = evening.followed in {line.a, line.b} and evening.followed > 0
        canvas.text(1, y, ">" if mine else "", "me")
        canvas.text(2, y, f"table {line.table}", "key")
        x = canvas.text(12, y, f"M{line.match}", "hint") + 1
        x = max(18, x)
        style = "me" if mine else ""
        canvas.right(x + room, y, cut(evening.name(line.a), room), style)
        score = f"{line.score_a}:{line.score_b}"
        canvas.text(x + room + 1 + (7 - len(score)) // 2, y, score, "score")
        canvas.text(x + room + 9, y, cut(evening.name(line.b), room), style)
        clock = f" {minutes(line.clock_s)}" if line.clock_s >= 0 else ""
        words = f"{STATUS.get(line.status, printable(line.status))}{clock}"
        x += 2 * room + 10
        canvas.text(x, y, cut(words, max(0, width - x)), "status" if line.status != "playing" else "hint")
        y += 1
    y += 1 + (not tables)
    canvas.text(2, y, "NEXT", "head")
    if not queue:
        canvas.text(2, y + 1, "nobody waits for a table", "hint")
    for line_ in queue:
        y += 1
        mine = evening.followed in {line_.a, line_.b} and evening.followed > 0
        canvas.text(1, y, ">" if mine else "", "me")
        wait = "now" if line_.wait_s == 0 else f"~{-(-line_.wait_s // 60)} min" if line_.wait_s > 0 else ""
        canvas.text(2, y, wait, "hint")
        canvas.text(12, y, f"M{line_.match}", "hint")
        style = "me" if mine else ""
        canvas.right(18 + room, y, cut(evening.name(line_.a), room), style)
        canvas.text(18 + room + 4, y, "v", "hint")
        canvas.text(18 + room + 9, y, cut(evening.name(line_.b), room), style)
    y += 2 + (not queue)
    for note in reversed(notes):
        canvas.text(2, y, cut(f"note: {printable(note)}", width - 3), "hint")
        y += 1
    return _trimmed(canvas)


def _trimmed(canvas: Canvas) -> Canvas:
    """Without empty rows at the end."""
    while canvas.height > 1 and all(cell == BLANK for cell in canvas.rows[-1]):
        canvas.rows.pop()
        canvas.height -= 1
    return canvas
