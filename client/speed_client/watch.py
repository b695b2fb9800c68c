"""The spectator's screen: one table full size, both hands as backs, or all that run as tiles. Part of the rim.

Of a tournament there are its pages as well, and a player who is followed: the tables go where he plays.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Final, Protocol

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from speed_client.compose import from_mirror
from speed_client.desk import Desk
from speed_client.evening import Evening
from speed_client.evening_pages import KEYS, EveningPages
from speed_client.keys import Do, PlaySlot
from speed_client.model import TableModel
from speed_client.news import EveningChanged, Happened, LinkChanged, RoomChanged
from speed_client.pages import ENTER
from speed_client.painters.canvas import Canvas
from speed_client.painters.sizes import paint_table
from speed_client.painters.tiles import WatchModel, paint_watch, tile_grid
from speed_client.story import Story
from speed_client.terminal import Terminal
from speed_client.watching import Watching

REDRAW_SECONDS: Final = 1 / 20


class WatchLink(Protocol):
    """What joins a spectator to the server."""

    async def run(self, watching: Watching, on_change: Callable[[], None], /) -> None:
        """Pump publications until the spectator has ended."""

    def flush(self, watching: Watching, /) -> None:
        """Bring the subscriptions up to what the spectator follows."""


class WatchScreen:
    """One spectator's screen. `opened` is the table shown in full, 0 for the tiles."""

    def __init__(
        self,
        watching: Watching,
        link: WatchLink,
        desk: Desk,
        *,
        terminal_input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.watching = watching
        self.link = link
        self.desk = desk
        self.look = desk.look
        self.stories: dict[int, Story] = {}
        self.opened = watching.focus
        self.model: TableModel | WatchModel = WatchModel()
        self.terminal = Terminal(
            self.paint,
            self.look,
            self.press,
            self.refresh,
            redraw_seconds=REDRAW_SECONDS,
            terminal_input=terminal_input,
            output=output,
        )
        self.terminal.dress(self.look, desk.escape_seconds)
        self._focus = watching.focus
        self._help = False
        self._listed = False
        self.pages: EveningPages | None = None
        self._followed_to = 0

    async def run(self) -> int:
        """Show the screen until the spectator leaves; 0."""
        return await self.terminal.run(self._work())

    def paint(self, width: int, height: int) -> Canvas:
        """The picture as it is now."""
        if self.pages is not None and self.pages.page:
            return self.pages.paint(width, height, self.look, "NO LINK" if self.watching.link == "lost" else "")
        if isinstance(self.model, TableModel):
            canvas = paint_table(self.model, width, height, self.look)
        else:
            canvas = paint_watch(self.model, width, height, self.look)
        if self.pages is not None:
            self.pages.overlay(canvas)
        return canvas

    def changed(self) -> None:
        """Something was published."""
        news, now = self.watching.news, perf_counter_ns()
        for item in news:
            if isinstance(item, Happened | RoomChanged):
                self.stories.setdefault(item.table, Story()).take((item,), now)
        turned = any(isinstance(item, EveningChanged | LinkChanged) for item in news)
        news.clear()
        self._open_pages()
        self._go_along()
        self.refresh()
        if turned and self.pages is not None and self.pages.page:
            self.terminal.redraw()

    def _open_pages(self) -> None:
        """The pages of the tournament that is followed now."""
        evening = self.watching.evening
        if evening is not None and (self.pages is None or self.pages.evening is not evening):
            page = self.pages.page if self.pages is not None else None
            more = [("w", "tables"), *([("t", "other")] if len(self.watching.tournaments) > 1 else [])]
            self.pages = EveningPages(evening, "tables", more)
            self.pages.page = page

    def _go_along(self) -> None:
        """Look where the followed player plays, whenever that is another table than before."""
        evening = self.watching.evening
        line = evening.table_of(evening.followed) if evening is not None else None
        number = line.table if line is not None else 0
        if number and number != self._followed_to and number in self.watching.tables:
            self._focus = number
            self.opened = number if self.opened else 0
            self._followed_to = number
        elif not number:
            self._followed_to = 0

    def refresh(self) -> None:
        """Build the model anew; redraw only if it came out differently."""
        watching, now = self.watching, perf_counter_ns()
        tables = watching.tables
        for gone in self.stories.keys() - tables.keys():
            del self.stories[gone]
        numbers = sorted(tables)
        if numbers and self._focus not in tables:
            self._focus = numbers[0]
        # One table is no list: it is shown at once, unless the spectator went back to the list.
        shown = self.opened or (numbers[0] if len(numbers) == 1 and not self._listed else 0)
        wakes: list[int | None] = []
        models: list[TableModel] = []
        for number in [shown] if shown else numbers:
            if number in tables:
                story = self.stories.setdefault(number, Story())
                model, wake = from_mirror(
                    tables[number],
                    story,
                    watching.server_now(now),
                    now,
                    no_link=watching.link == "lost",
                    listed=len(numbers) > 1,
                    overlay="help" if self._help else "",
                    end=self._end(),
                )
                wakes.append(wake)
                models.append(model)
        picture: TableModel | WatchModel
        if shown:
            picture = (
                models[0] if models else TableModel(seated=False, no_link=watching.link == "lost", end=self._end())
            )
        else:
            lost = watching.link == "lost"
            title = _tournament(watching.evening)
            picture = WatchModel(tuple(models), self._focus, lost, self._help, self._end(), title)
        self.terminal.wake_at(min((wake for wake in wakes if wake is not None), default=None))
        if picture != self.model:
            self.model = picture
            self.terminal.redraw()

    def press(self, key: str, _press: int) -> None:
        """One key."""
        if self.watching.ended is None and self._in_pages(key):
            self._go_along()
            self.refresh()
            self.terminal.redraw()
            return
        wish = self.look.keys.intent(key)
        numbers = sorted(self.watching.tables)
        if self.watching.ended is not None:
            self.terminal.exit()
        elif isinstance(wish, PlaySlot):
            if key.isdigit():
                self._choose(int(key), numbers)
        elif isinstance(wish, Do):
            self._do(wish.word, numbers)
        self.refresh()

    def _in_pages(self, key: str) -> bool:
        """A key for the tournament; False where there is none, or where it means something else."""
        pages = self.pages
        if pages is None or (self._help and not pages.page):
            return False
        if pages.choosing or pages.help:
            return pages.press(key)
        if key == "t":
            self.watching.choose_next()
            self.link.flush(self.watching)
            self._open_pages()
        elif key == "f":
            pages.follow()
        elif pages.page and (key == "w" or key in ENTER):
            pages.page = None
        elif not pages.page and key not in KEYS:
            return False
        else:
            return pages.press(key)
        return True

    def _do(self, word: str, numbers: list[int]) -> None:
        if word == "help":
            self._help = not self._help
        elif word == "redraw":
            self.terminal.repaint()
        elif word == "interrupt":
            self._leave()
        elif word == "menu":
            self._back(numbers)
        elif word in {"enter", "space"} and numbers:
            self.opened = self._focus
            self._listed = False
        elif word in {"left", "right", "up", "down", "pageup", "pagedown"} and numbers:
            self._move(word, numbers)

    def _choose(self, digit: int, numbers: list[int]) -> None:
        """The table of that number; where there is none, the one at that place on the page."""
        if digit not in numbers:
            size = self.terminal.app.output.get_size()
            columns, rows, _ = tile_grid(size.columns, size.rows)
            at = numbers.index(self._focus) if self._focus in numbers else 0
            shown = numbers[at // (columns * rows) * columns * rows :][: columns * rows]
            if not 0 < digit <= len(shown):
                return
            digit = shown[digit - 1]
        self._focus = digit
        if self.opened:
            self.opened = digit

    def _back(self, numbers: list[int]) -> None:
        if self._help:
            self._help = False
        elif len(numbers) > 1 and not isinstance(self.model, WatchModel):
            self.opened, self._listed = 0, True
        else:
            self._leave()

    def _move(self, word: str, numbers: list[int]) -> None:
        size = self.terminal.app.output.get_size()
        columns, rows, _ = tile_grid(size.columns, size.rows)
        page = columns * rows
        step = {"left": -1, "right": 1, "up": -columns, "down": columns, "pageup": -page, "pagedown": page}[word]
        place = numbers.index(self._focus) + step if self._focus in numbers else 0
        if abs(step) == page > 1:
            place = max(0, min(len(numbers) - 1, place))
        if 0 <= place < len(numbers):
            self._focus = numbers[place]
            if self.opened:
                self.opened = self._focus

    def _leave(self) -> None:
        self.watching.stop("left", "you stopped watching")
        self.terminal.exit()

    def _end(self) -> str:
        return self.watching.ended.text if self.watching.ended is not None else ""

    async def _work(self) -> None:
        try:
            await self.link.run(self.watching, self.changed)
        except Exception as error:
            self.watching.stop("fault", f"the link failed: {type(error).__name__}: {error}")
            raise
        finally:
            self.changed()


def _tournament(evening: Evening | None) -> str:
    if evening is None or evening.board is None:
        return ""
    return f"{evening.title} · {evening.state[0]}"


async def run_watch(watching: Watching, link: WatchLink, desk: Desk) -> int:
    """Watch until the spectator leaves. The terminal is restored."""
    return await WatchScreen(watching, link, desk).run()
