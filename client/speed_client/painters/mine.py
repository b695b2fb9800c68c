"""A player's own screens of a tournament: how he stands, and the call to a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speed_client.draw import result_words, way
from speed_client.evening import LIVE, Evening
from speed_client.outcome import minutes
from speed_client.painters.any_screen import paint_bar, paint_too_small
from speed_client.painters.canvas import Canvas, cut
from speed_client.painters.evening import body_rows, paint_frame
from speed_client.painters.panel import GAP, WIDTH, PanelLine, middle, paint_panel, pair
from speed_client.painters.plan import SMALL_HEIGHT, SMALL_WIDTH
from speed_client.printable import printable
from speed_client.style import Look
from speed_common.wire import BoardMatch, Called, Mine

BAND: Final = 5
"""Rows of the call's headline."""


@dataclass(frozen=True, slots=True)
class CallModel:
    """A call as it is shown: `seconds` are left, None while the clock stands."""

    called: Called
    seconds: int | None
    name: str = ""
    no_link: bool = False


def paint_call(model: CallModel, width: int, height: int, look: Look) -> Canvas:
    """The whole screen says: come to this table now."""
    if width < SMALL_WIDTH or height < SMALL_HEIGHT:
        return paint_too_small(width, height, look)
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    called, middle_x = model.called, width // 2
    canvas.text(1, 0, cut(printable(called.title), width - 12), "head")
    if model.no_link:
        canvas.right(width - 1, 0, "NO LINK", "alarm")
    top = max(1, height // 2 - 6)
    canvas.fill(0, top, width, BAND, (" ", "call"))
    canvas.centred(middle_x, top + 1, "YOUR MATCH IS CALLED", "call")
    canvas.centred(middle_x, top + 3, f"*  TABLE {called.table}  *", "call")
    y = top + BAND + (height > SMALL_HEIGHT)
    canvas.centred(middle_x, y, f"against {printable(called.rival, 24)}", "foe")
    clock = "the clock stands" if model.seconds is None else f"{minutes(model.seconds)} left to sit down"
    canvas.centred(middle_x, y + 1 + (height > SMALL_HEIGHT), clock, "clock")
    rival = printable(called.rival, 24)
    there = f"{rival} is ready" if called.rival_here else f"{rival} is not there yet"
    canvas.centred(middle_x, y + 2 + 2 * (height > SMALL_HEIGHT), there, "hint")
    paint_bar(canvas, [("Space", "I am here"), ("x", "withdraw"), ("Esc", "leave")])
    return canvas


@dataclass(frozen=True, slots=True)
class MineModel:
    """How a player stands, and whether he is asked back about withdrawing. `said`: what came of what he asked."""

    mine: Mine | None
    said: str = ""
    asks: bool = False
    help: bool = False
    no_link: bool = False


_KEYS: Final = (
    ("n", "next"),
    ("b", "bracket"),
    ("s", "standings"),
    ("c", "cross"),
    ("x", "withdraw"),
    ("?", "help"),
    ("Esc", "leave"),
)
_HELP: Final[tuple[PanelLine, ...]] = (
    middle("YOUR TOURNAMENT", "panel-head"),
    GAP,
    pair("n", "what is played now, what comes next"),
    pair("b s c", "bracket, standings, crosstable"),
    pair("Space", "check in; ready, when your match is called"),
    pair("x", "withdraw for good; asks back"),
    pair("Esc", "leave the screen: your place is kept"),
    GAP,
    middle("A call fills the screen and rings the bell.", "panel-hint"),
)


def paint_mine(model: MineModel, evening: Evening, width: int, height: int, look: Look) -> Canvas:
    """How I stand: what comes next and when, and my matches so far."""
    if width < SMALL_WIDTH or height < SMALL_HEIGHT:
        return paint_too_small(width, height, look)
    mine = model.mine
    lines: list[tuple[str, str, str]] = []
    if mine is None:
        lines.append(("", "asking the server how you stand", "hint"))
    else:
        lines.append(("you", _standing(mine, evening), "me"))
        if mine.rival or mine.match:
            lines.append(("next", _next(mine), "status"))
        if mine.table:
            lines.append(("table", str(mine.table), "key"))
        elif mine.wait_s >= 0:
            lines.append(("wait", "soon" if not mine.wait_s else f"about {-(-mine.wait_s // 60)} min", "clock"))
        lines.append(("", printable(mine.text), ""))
    if model.said:
        lines.append(("", model.said, "late"))
    played = way(evening.matches, mine.player if mine is not None else 0)
    canvas = Canvas(width, max(body_rows(height), len(lines) + len(played) + 3), ascii_only=look.ascii)
    for y, (label, text, style) in enumerate(lines, start=0 if height < 2 * SMALL_HEIGHT else 1):
        canvas.text(2, y, label, "hint")
        canvas.text(9 if label else 2, y, cut(text, width - 10), style)
    y = len(lines) + 2
    if played:
        canvas.text(2, y, "YOUR MATCHES", "head")
    for match in played:
        y += 1
        own = match.a == mine.player if mine is not None else True
        rival = evening.name(match.b if own else match.a)
        words = result_words(match)
        if not own and ":" in words:
            words = f"{match.score_b}:{match.score_a}"
        won = mine is not None and match.winner == mine.player
        outcome = _outcome(match, won=won)
        canvas.text(2, y, f"M{match.match}", "hint")
        canvas.text(9, y, outcome, "good" if won else "hint")
        canvas.text(15, y, words, "")
        canvas.text(24, y, cut(rival, max(0, width - 25)), "foe" if match.status != "f" else "")
    framed = paint_frame(evening, canvas, 0, "NO LINK" if model.no_link else "", _KEYS, (width, height), look)
    panel = _HELP if model.help else ask_lines(evening.title) if model.asks else ()
    if panel:
        broad, tall = min(WIDTH, width), min(len(panel) + 2, height - 1)
        paint_panel(framed, (width - broad) // 2, max(0, (height - tall) // 2), broad, tall, panel)
    return framed


def _outcome(match: BoardMatch, *, won: bool) -> str:
    if match.status != "f":
        return "now" if match.status in LIVE else "next"
    return "void" if match.kind == "void" else "won" if won else "lost"


def ask_lines(title: str) -> tuple[PanelLine, ...]:
    """The question before somebody withdraws."""
    return (
        middle("WITHDRAW?", "panel-head"),
        GAP,
        middle(f"You leave {title} for good;"),
        middle("a match that runs is lost."),
        GAP,
        pair("y", "withdraw"),
        pair("n", "go on"),
    )


def _standing(mine: Mine, evening: Evening) -> str:
    if not mine.player:
        return "you are not in this tournament"
    name = evening.name(mine.player)
    status = printable(mine.status).replace("_", " ")
    return f"{name}, {status}" if name else status


def _next(mine: Mine) -> str:
    return f"M{mine.match} against {printable(mine.rival, 24) or 'whoever comes out of the match before'}"
