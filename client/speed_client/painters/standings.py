"""Standings and crosstables of a tournament, each on a canvas as tall as it needs."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from speed_client.evening import LIVE, Evening
from speed_client.painters.canvas import Canvas, cut
from speed_client.printable import printable
from speed_client.style import Look
from speed_common.wire import BoardLine, BoardMatch, BoardStandings

LEFT: Final = 2
NAME: Final = 14
VALUE: Final = 9
CELL: Final = 5
HEADS: Final[Mapping[str, str]] = {
    "buchholz_cut": "BH-low",
    "buchholz": "Buchholz",
    "average": "diff/m",
    "difference": "diff",
    "scored": "scored",
    "mini": "mini",
    "ratio": "ratio",
    "matches": "matches",
    "sonneborn": "SB",
}
"""Columns of the tie-breaks; one without a head of its own stands under the server's word for it."""


def paint_standings(evening: Evening, width: int, look: Look) -> Canvas:
    """Every table of the standings: rank, name, points, won and lost, tie-breaks, form."""
    tables = evening.standings
    rows = sum(len(table.lines) + 3 for table in tables)
    canvas = Canvas(width, max(1, rows), ascii_only=look.ascii, suits=look.suits)
    y = 0
    for table in tables:
        y = _table(canvas, table, evening, y, several=len(tables) > 1)
    return canvas


def _table(canvas: Canvas, table: BoardStandings, evening: Evening, y: int, *, several: bool) -> int:
    if several:
        canvas.text(LEFT, y, f"GROUP {table.group}" if table.group else f"STAGE {table.stage + 1}", "head")
        y += 1
    x = LEFT + 7 + NAME
    canvas.text(LEFT, y, "RANK", "hint")
    canvas.text(LEFT + 6, y, "PLAYER", "hint")
    for head, end in (("PTS", x + 5), ("W-L", x + 12)):
        canvas.right(end, y, head, "hint")
    ends = [x + 12 + VALUE * (n + 1) for n in range(len(table.names))]
    shown = [end for end in ends if end + 3 <= canvas.width]
    for end, name in zip(shown, table.names, strict=False):
        canvas.right(end, y, cut(HEADS.get(name, printable(name)), VALUE - 1), "hint")
    form_x = (shown[-1] if shown else x + 12) + 3
    if form_x + 6 <= canvas.width:
        canvas.text(form_x, y, "FORM", "hint")
    for line in table.lines:
        y += 1
        _line(canvas, line, evening, y, shown, form_x)
    return y + 2


def _line(canvas: Canvas, line: BoardLine, evening: Evening, y: int, ends: list[int], form_x: int) -> None:
    mine = line.player > 0 and line.player == evening.followed
    style = "me" if mine else "hint" if line.struck or not line.first else "good" if line.last == 1 else ""
    x = LEFT + 7 + NAME
    canvas.text(LEFT - 1, y, ">" if mine else "", "me")
    canvas.text(LEFT, y, _rank(line), style)
    canvas.text(LEFT + 6, y, cut(evening.name(line.player) or "–", NAME), style)
    canvas.right(x + 5, y, str(line.points), style)
    canvas.right(x + 12, y, f"{line.won}–{line.lost}", style)
    for end, value in zip(ends, line.values, strict=False):
        canvas.right(end, y, value, style)
    room = canvas.width - form_x - 1
    if room > 0:
        canvas.text(form_x, y, printable(line.form)[-room:], style)


def _rank(line: BoardLine) -> str:
    if line.struck:
        return "out"
    if not line.first:
        return "–"
    return f"{line.first}" if line.first == line.last else f"{line.first}–{line.last}"


def paint_crosstable(evening: Evening, width: int, first: int, look: Look) -> Canvas:
    """Who played whom and how it went, from the view of the row; columns from `first` on (from 0)."""
    by_pair: dict[tuple[int, int], list[BoardMatch]] = {}
    for match in evening.matches:
        by_pair.setdefault((min(match.a, match.b), max(match.a, match.b)), []).append(match)
    blocks = [[line.player for line in table.lines if line.player > 0] for table in _last_stage(evening)]
    canvas = Canvas(width, max(1, sum(len(b) + 2 for b in blocks)), ascii_only=look.ascii, suits=look.suits)
    y = 0
    for players in blocks:
        shown = list(enumerate(players, start=1))[min(first, max(0, len(players) - 1)) :]
        shown = shown[: max(1, (width - LEFT - 4 - NAME) // CELL)]
        for column, (number, _) in enumerate(shown):
            canvas.right(LEFT + 4 + NAME + CELL * (column + 1), y, str(number), "hint")
        for number, player in enumerate(players, start=1):
            y += 1
            mine = player == evening.followed
            canvas.text(LEFT - 1, y, ">" if mine else "", "me")
            canvas.right(LEFT + 2, y, str(number), "hint")
            canvas.text(LEFT + 3, y, cut(evening.name(player), NAME), "me" if mine else "")
            for column, (_, other) in enumerate(shown):
                text, style = _cell(by_pair.get((min(player, other), max(player, other)), []), player, other)
                canvas.right(LEFT + 4 + NAME + CELL * (column + 1), y, text, style)
        y += 2
    return canvas


def crosstable_columns(evening: Evening) -> int:
    """By how many columns a crosstable can be scrolled."""
    return max((len(table.lines) for table in _last_stage(evening)), default=1) - 1


def _last_stage(evening: Evening) -> tuple[BoardStandings, ...]:
    """The tables of the stage that has groups, else of the newest."""
    tables = evening.standings
    grouped = tuple(table for table in tables if table.group)
    return grouped or tables[:1]


def _cell(matches: list[BoardMatch], player: int, other: int) -> tuple[str, str]:
    """One field: `+25` won, `-19` lost, own points; matches won and lost where there were several."""
    if player == other:
        return "###", "line"
    live = [match for match in matches if match.status in LIVE]
    done = [match for match in matches if match.status == "f" and match.kind in {"played", "walkover"}]
    if live:
        return "•", "status"
    if not done:
        return "·", "hint"
    won = sum(match.winner == player for match in done)
    if len(done) > 1:
        return f"{won}-{len(done) - won}", "good" if 2 * won > len(done) else ""
    match = done[0]
    own = match.score_a if match.a == player else match.score_b
    sign, style = ("+", "good") if won else ("-", "")
    return f"{sign}{'w/o' if match.kind == 'walkover' else own}", style
