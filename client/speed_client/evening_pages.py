"""The pages of a tournament that spectators and players turn: now and next, bracket, standings, crosstable. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from speed_client.draw import parts_of
from speed_client.evening import Evening
from speed_client.pages import DOWN, ENTER, LEAVE, UP
from speed_client.painters.any_screen import paint_too_small
from speed_client.painters.bracket import paint_draw, rounds_of
from speed_client.painters.canvas import Canvas
from speed_client.painters.evening import body_rows, paint_frame, paint_next
from speed_client.painters.panel import GAP, WIDTH, PanelLine, middle, paint_panel, pair
from speed_client.painters.plan import SMALL_HEIGHT, SMALL_WIDTH
from speed_client.painters.standings import crosstable_columns, paint_crosstable, paint_standings
from speed_client.style import Look

PageName: TypeAlias = Literal["next", "bracket", "standings", "crosstable"]
KEYS: Final[dict[str, PageName]] = {"n": "next", "b": "bracket", "s": "standings", "c": "crosstable"}
_WORDS: Final[dict[str, str]] = {"n": "now/next", "b": "bracket", "s": "standings", "c": "cross"}
_FOLLOW_ROWS: Final = 10
_HELP: Final[tuple[PanelLine, ...]] = (
    middle("TOURNAMENT", "panel-head"),
    GAP,
    pair("n", "what is played now, what comes next"),
    pair("b s c", "bracket, standings, crosstable"),
    pair("left right", "by rounds, by columns"),
    pair("up down", "by rows; PgUp PgDn by pages"),
    pair("f", "follow a player: marked > everywhere"),
    pair("Esc", "back"),
    GAP,
    middle("M7 is match 7, L M7 its loser, • played now", "panel-hint"),
    middle("+25 won with 25 points, -19 lost with 19", "panel-hint"),
)


class EveningPages:
    """Which page is open, how far it is scrolled, and the list of players while one is chosen to be followed.

    `back` is what Escape goes back to, as the footer says it; `more` are keys that the caller takes.
    """

    def __init__(self, evening: Evening, back: str = "back", more: Iterable[tuple[str, str]] = ()) -> None:
        self.evening = evening
        self.page: PageName | None = None
        self.choosing = False
        self.help = False
        self._back = back
        self._more = tuple(more)
        self._first: dict[PageName, int] = {}
        self._top: dict[PageName, int] = {}
        self._chosen = 0
        self._rows = 1

    def press(self, key: str) -> bool:
        """A key; whether it meant something here."""
        if self.help:
            self.help = False
            return True
        if self.choosing:
            self._choose(key)
            return True
        if key in KEYS:
            self.page = KEYS[key]
        elif self.page is None:
            return False
        elif key in LEAVE:
            self.page = None
        elif key in {"?", "f1"}:
            self.help = True
        elif key == "f":
            self.follow()
        elif not self._scroll(key):
            return False
        return True

    def follow(self) -> None:
        """Open the list of players to follow one."""
        self.choosing = bool(self._players())
        self._chosen = max(0, self._players().index(self.evening.followed)) if self._followable() else 0

    def paint(self, width: int, height: int, look: Look, no_link: str = "") -> Canvas:
        """The open page."""
        if width < SMALL_WIDTH or height < SMALL_HEIGHT:
            return paint_too_small(width, height, look)
        page = self.page or "next"
        rows = self._rows = body_rows(height)
        first = self._first.get(page, 0)
        aside = ""
        if page == "next":
            body = paint_next(self.evening, width, look)
        elif page == "bracket":
            first = min(first, rounds_of(self.evening))
            body = paint_draw(self.evening, width, rows, first, look)
            aside = f"from round {first + 1} of {rounds_of(self.evening) + 1}" if rounds_of(self.evening) else ""
        elif page == "standings":
            body = paint_standings(self.evening, width, look)
        else:
            first = min(first, crosstable_columns(self.evening))
            body = paint_crosstable(self.evening, width, first, look)
            aside = f"columns from {first + 1}" if first else ""
        self._first[page] = first
        self._top[page] = max(0, min(self._top.get(page, 0), body.height - rows))
        canvas = paint_frame(
            self.evening, body, self._top[page], no_link or aside, self._keys(page), (width, height), look
        )
        if page != "next" and not self._has(page):
            canvas.centred(width // 2, height // 2, "nothing is drawn yet", "status")
        self.overlay(canvas)
        return canvas

    def overlay(self, canvas: Canvas) -> None:
        """The help or the list of players over whatever is painted."""
        lines = _HELP if self.help else self._chooser() if self.choosing else ()
        if lines:
            broad, tall = min(WIDTH, canvas.width), min(len(lines) + 2, canvas.height - 1)
            paint_panel(canvas, (canvas.width - broad) // 2, max(0, (canvas.height - tall) // 2), broad, tall, lines)

    # --- inside -----------------------------------------------------------------------------------------------------

    def _has(self, page: PageName) -> bool:
        return bool(parts_of(self.evening)) if page == "bracket" else bool(self.evening.standings)

    def _keys(self, page: PageName) -> list[tuple[str, str]]:
        turn = [(key, _WORDS[key]) for key, name in KEYS.items() if name != page]
        return [*self._more, *turn, ("f", "follow"), ("?", "help"), ("Esc", self._back)]

    def _scroll(self, key: str) -> bool:
        page = self.page or "next"
        across = (key == "right") - (key == "left")
        down = (key in DOWN) - (key in UP) + self._rows * ((key == "pagedown") - (key == "pageup"))
        if across:
            self._first[page] = max(0, self._first.get(page, 0) + across)
        if down:
            self._top[page] = max(0, self._top.get(page, 0) + down)
        return bool(across or down)

    def _players(self) -> list[int]:
        """Nobody, then all by name."""
        board = self.evening.board
        if board is None:
            return []
        names = [(name.casefold(), number) for number, name in enumerate(board.players) if name]
        return [0, *(number for _, number in sorted(names))]

    def _followable(self) -> bool:
        return self.evening.followed in self._players()

    def _choose(self, key: str) -> None:
        players = self._players()
        step = (key == "down") - (key == "up") + 8 * ((key == "pagedown") - (key == "pageup"))
        if step:
            self._chosen = max(0, min(len(players) - 1, self._chosen + step))
        elif key in ENTER:
            self.evening.followed = players[self._chosen] if self._chosen < len(players) else 0
            self.choosing = False
        elif key in LEAVE or key in {"c-c", "<sigint>"}:
            self.choosing = False
        elif len(key) == 1 and key.isalnum():
            self._chosen = next(
                (n for n, each in enumerate(players) if self.evening.name(each).casefold().startswith(key.casefold())),
                self._chosen,
            )

    def _chooser(self) -> tuple[PanelLine, ...]:
        players = self._players()
        first = max(0, min(self._chosen - _FOLLOW_ROWS // 2, len(players) - _FOLLOW_ROWS))
        lines: list[PanelLine] = [middle("FOLLOW", "panel-head"), GAP]
        for place, player in enumerate(players[first : first + _FOLLOW_ROWS], start=first):
            name = self.evening.name(player) or "nobody"
            chosen = place == self._chosen
            lines.append(middle(f"{'> ' if chosen else '  '}{name}", "panel-key" if chosen else "panel"))
        return (*lines, GAP, middle("up down or a first letter, Enter, Esc", "panel-hint"))
