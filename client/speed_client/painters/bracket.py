"""The draw of a tournament on a canvas as tall as it needs: brackets as trees, rounds as columns of results."""

from __future__ import annotations

from typing import Final

from speed_client.draw import Part, Tree, heading, lay, parts_of, result_words
from speed_client.evening import LIVE, Evening
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.style import Look
from speed_common.wire import BoardMatch

LEFT: Final = 2
LEAST_STEP: Final = 16
MOST_STEP: Final = 28
LEAST_ROUND: Final = 26
MOST_ROUND: Final = 38
CHAMPION: Final = 12
SCORE: Final = 7


def rounds_of(evening: Evening) -> int:
    """By how many rounds the draw can be scrolled."""
    return max((len(part.rounds) for part in parts_of(evening)), default=1) - 1


def paint_draw(evening: Evening, width: int, height: int, first: int, look: Look) -> Canvas:
    """The whole draw from round `first` on (from 0), `width` columns wide; roomier where that still fits `height`."""
    parts = parts_of(evening)
    trees = [lay(part, evening, first, 1) if part.tree else None for part in parts]
    dense = _rows(parts, trees)
    loose = dense + sum(tree.rows for tree in trees if tree is not None)
    if loose <= height:
        trees = [lay(part, evening, first, 2) if part.tree else None for part in parts]
    canvas = Canvas(width, max(1, loose if loose <= height else dense), ascii_only=look.ascii, suits=look.suits)
    columns = max((tree.columns for tree in trees if tree is not None), default=1)
    step = max(LEAST_STEP, min(MOST_STEP, (width - LEFT - CHAMPION) // columns))
    y = 0
    for part, tree in zip(parts, trees, strict=True):
        if part.title:
            canvas.text(LEFT, y, part.title, "head")
            y += 1
        if tree is not None:
            _tree(canvas, part, tree, y, step, first)
            y += tree.rows + 2
        else:
            y = _rounds(canvas, part, evening, y, min(first, len(part.rounds) - 1)) + 1
    return canvas


def _rows(parts: tuple[Part, ...], trees: list[Tree | None]) -> int:
    rows = 0
    for part, tree in zip(parts, trees, strict=True):
        rows += bool(part.title) + 2 + (tree.rows if tree is not None else max(map(len, part.rounds)))
    return rows


def _tree(canvas: Canvas, part: Part, tree: Tree, top: int, step: int, first: int) -> None:
    first = min(first, len(part.rounds) - 1)
    for column in range(tree.columns):
        canvas.text(LEFT + column * step, top, heading(part, first + column, step), "hint")
    top += 1
    room = step - 10
    live = {match.match for match in part.matches if match.status in LIVE}
    done = {match.match for match in part.matches if match.status == "f"}
    for joint in tree.joints:
        x = LEFT + joint.column * step + step - 4
        signs = {joint.upper: "┐", joint.lower: "┘"}
        for row in range(joint.upper, joint.lower + 1):
            canvas.text(x, top + row, signs.get(row, "│"), "line")
        if joint.upper != joint.lower:
            canvas.text(x, top + joint.out, "┬" if joint.out == joint.upper else "├", "line")
        else:
            canvas.text(x, top + joint.out, "─", "line")
        number = f"M{joint.number}"
        tail = "" if joint.number in done else number
        canvas.text(x + 1, top + joint.out, tail.ljust(2, "─") if tail else "──", "hint" if tail else "line")
    for spot in tree.spots:
        x, y = LEFT + spot.column * step, top + spot.row
        name = cut(spot.name, room if spot.column < tree.columns else canvas.width - x)
        mark = ">" if spot.style == "me" else ""
        canvas.text(x - 1, y, mark, "me")
        canvas.text(x, y, name, spot.style)
        if spot.column == tree.columns:
            continue
        canvas.right(x + room + 4, y, spot.score, spot.style)
        canvas.text(x + room + 5, y, "─", "line")
    for joint in tree.joints:
        if joint.number in live:
            x = LEFT + joint.column * step + room + 4
            for row in {joint.upper, joint.lower}:
                canvas.text(x, top + row, "•", "status")


def _rounds(canvas: Canvas, part: Part, evening: Evening, top: int, first: int) -> int:
    """Rounds side by side, a match a line; the row after them."""
    shown = part.rounds[first:]
    step = max(LEAST_ROUND, min(MOST_ROUND, (canvas.width - LEFT) // len(shown)))
    for column, matches in enumerate(shown):
        x = LEFT + column * step
        if x + step > canvas.width + 2:
            break
        canvas.text(x, top, heading(part, first + column, step), "hint")
        for row, match in enumerate(matches, start=1):
            _match(canvas, match, evening, x, top + row, (step - SCORE - 4) // 2)
    return top + 1 + max(map(len, shown))


def _match(canvas: Canvas, match: BoardMatch, evening: Evening, x: int, y: int, room: int) -> None:
    for player, at in ((match.a, x), (match.b, x + room + SCORE + 2)):
        mine = player > 0 and player == evening.followed
        style = "me" if mine else _style(match, player)
        canvas.text(at - 1, y, ">" if mine else "", "me")
        canvas.text(at, y, cut(evening.name(player), room), style)
    words = result_words(match)
    canvas.text(x + room + 1 + (SCORE - width_of(words)) // 2, y, words, "status" if match.status in LIVE else "")
    if match.status in LIVE:
        canvas.text(x + room, y, "•", "status")


def _style(match: BoardMatch, player: int) -> str:
    if match.status in LIVE:
        return "status"
    if match.status != "f":
        return ""
    return "good" if player == match.winner else "hint"
