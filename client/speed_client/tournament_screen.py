"""A tournament's player at the screen: how he stands, the call to a table, the table, the pages. Part of the rim.

It is the table's screen with what lies around the matches. The board comes over the watch socket, as to everybody.
"""

from __future__ import annotations

import asyncio
from time import perf_counter_ns
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from speed_client.app import TableLink, TableScreen
from speed_client.desk import Desk
from speed_client.entrant import View
from speed_client.evening_pages import EveningPages
from speed_client.news import Denied, News
from speed_client.pages import INTERRUPT, LEAVE
from speed_client.painters.canvas import Canvas
from speed_client.painters.mine import CallModel, MineModel, paint_call, paint_mine
from speed_client.session import Session
from speed_client.watch import WatchLink
from speed_client.watching import Watching
from speed_client.wording import why_sentence

_PAGE_KEYS: Final = (("m", "mine"),)


class TournamentScreen(TableScreen):
    """The session's `entrant` says what belongs on the screen: see `Entrant.view`."""

    def __init__(
        self,
        session: Session,
        link: TableLink,
        desk: Desk,
        watch_link: WatchLink,
        *,
        address: str = "",
        terminal_input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        super().__init__(session, link, desk, address=address, terminal_input=terminal_input, output=output)
        self.watching = Watching(0, perf_counter_ns(), tables=False)
        self.pages = EveningPages(self.watching.choose(session.entrant.tid), "mine", _PAGE_KEYS)
        self._watch_link = watch_link
        self._asks = False
        self._help = False
        self._said = ""
        self._bells = (0, 0)
        self._picture: object = None

    @property
    def view(self) -> View:
        """What belongs on the screen now."""
        mirror = self.session.mirror
        return self.session.entrant.view(mirror.room, mirror.seat)

    def paint(self, width: int, height: int) -> Canvas:
        """The picture as it is now."""
        view = self.view
        if self.settings is not None or view == "table" or self.session.ended is not None:
            return super().paint(width, height)
        if view == "call" and not self._asks:
            return paint_call(self._call(), width, height, self.look)
        if self.pages.page and not self._asks:
            return self.pages.paint(width, height, self.look, "NO LINK" if self.session.link == "lost" else "")
        return paint_mine(self._mine(), self.pages.evening, width, height, self.look)

    def refresh(self, news: list[News] | None = None) -> None:
        """Build everything anew; redraw if it may look different, ring for a call, and say that it is shown."""
        for item in news or ():
            if isinstance(item, Denied):
                self._said = why_sentence(item.word, item.text)
        super().refresh(news)
        now = perf_counter_ns()
        entrant = self.session.entrant
        self._follow()
        if self.view == "call" and entrant.called is not None:
            bells = (entrant.called.match, entrant.called.bells)
            if bells != self._bells:
                # Whoever looks away hears it: the one bell that no setting turns off.
                self.terminal.ring()
                self._bells = bells
            self.session.heard(now)
            self._flush(self.session)
            self.terminal.wake_at(entrant.next_second(now))
        board = self.pages.evening.board
        picture = (self.view, self._call() if entrant.called else None, self._mine(), self.pages.page, board)
        if picture != self._picture:
            self._picture = picture
            if self.settings is None:
                self.terminal.redraw()

    def press(self, key: str, press: int) -> None:
        """One key, pressed at `press`."""
        if self.settings is not None or self.session.ended is not None or (self.view == "table" and not self._asks):
            super().press(key, press)
            return
        if self._help:
            self._help = False
        elif self._asks:
            self._asks = False
            if key in {"y", "Y"} and not self.session.withdraw(press):
                self._said = why_sentence("no_link")
            self._flush(self.session)
        elif key == "c-l":
            self.terminal.repaint()
        elif key in INTERRUPT:
            self._leave(press)
        elif not (self.view == "mine" and self._in_pages(key)):
            self._on_page(key, press)
        self._picture = None
        self.refresh()

    def _in_pages(self, key: str) -> bool:
        pages = self.pages
        if pages.page and key == "m" and not pages.choosing:
            pages.page = None
            return True
        return pages.press(key)

    def _on_page(self, key: str, press: int) -> None:
        """A key where the call is shown, or how one stands."""
        self._said = ""
        if key == "x":
            self._asks = True
        elif key in LEAVE:
            self._leave(press)
        elif key == " " and self.view == "call" and not self.session.come(press):
            self._said = why_sentence("no_link")
        elif key == " " and self.view == "mine" and self.session.entrant.checks_in:
            self.session.ready(press)
        elif key in {"?", "f1"}:
            self._help = True
        elif key == "f2":
            self._open_settings()
        self._flush(self.session)

    def _follow(self) -> None:
        """The own way is the marked one, unless another's was chosen."""
        mine = self.session.entrant.mine
        if mine is not None and mine.player > 0 and not self.pages.evening.followed:
            self.pages.evening.followed = mine.player

    def _call(self) -> CallModel:
        entrant = self.session.entrant
        assert entrant.called is not None, "only while a call is shown"
        left = entrant.seconds_left(perf_counter_ns())
        return CallModel(entrant.called, left, no_link=self.session.link == "lost")

    def _mine(self) -> MineModel:
        return MineModel(
            self.session.entrant.mine, self._said, self._asks, self._help, no_link=self.session.link == "lost"
        )

    async def _work(self) -> None:
        beside = asyncio.create_task(self._watch_link.run(self.watching, self._published))
        try:
            await super()._work()
        finally:
            self.watching.stop("left", "")
            self._watch_link.flush(self.watching)
            await asyncio.gather(beside, return_exceptions=True)

    def _published(self) -> None:
        self.watching.news.clear()
        self.refresh()
