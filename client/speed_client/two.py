"""Two players at one terminal: two sessions with a ticket each, one screen, one keyboard. Part of the rim.

The second sits down at the table where the first one got a seat. Each has a link of its own, as from two machines: the
server knows no difference, and neither waits for the other.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from time import perf_counter_ns
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from speed_client.app import TableLink
from speed_client.bell import rings
from speed_client.desk import Desk
from speed_client.keys import Do, PlaySlot
from speed_client.model import Side, TableModel
from speed_client.news import News
from speed_client.pages import Back, Quit
from speed_client.painters.canvas import Canvas
from speed_client.painters.two import MENU, TwoModel, paint_two
from speed_client.player import Player
from speed_client.session import Session
from speed_client.settings_page import SettingsPage
from speed_client.terminal import Terminal
from speed_client.two_keys import BOTH, meaning

Second = Callable[[int], tuple[Session, TableLink]]
"""Makes the second player's session for the table of that number, and its link."""

LEAVING: Final = frozenset({"menu", "interrupt", "enter", "space"})


class TwoScreen:
    """The screen of two players; `players` is one until the first has a seat."""

    def __init__(
        self,
        session: Session,
        link: TableLink,
        second: Second,
        desk: Desk,
        *,
        practice: bool = False,
        terminal_input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.desk = desk
        self.look = desk.look
        self.players = [Player(session, link.flush, desk.choices.status_ms)]
        self.links = [link]
        self.model = TwoModel(TableModel(), TableModel())
        self.settings: SettingsPage | None = None
        self.terminal = Terminal(
            self.paint, self.look, self.press, self.refresh, terminal_input=terminal_input, output=output
        )
        self.terminal.dress(self.look, desk.escape_seconds)
        self._second = second
        self._practice = practice
        self._overlay = ""
        self._choice = 0
        self._seated = asyncio.Event()

    async def run(self) -> int:
        """Show the screen until they leave; 0."""
        return await self.terminal.run(self._work())

    def paint(self, width: int, height: int) -> Canvas:
        """The picture as it is now."""
        if self.settings is not None:
            return self.settings.paint(width, height, self.look)
        return paint_two(self.model, width, height, self.look)

    def changed(self) -> None:
        """One of the sessions learned something."""
        now = perf_counter_ns()
        news: list[News] = []
        for player in self.players:
            news += player.take(now)
        if self.players[0].session.mirror.seat >= 0:
            self._seated.set()
        self.refresh(news)

    def refresh(self, news: list[News] | None = None) -> None:
        """Build the model anew; redraw only if it came out differently."""
        now, choices, before = perf_counter_ns(), self.desk.choices, self.model
        wakes: list[int] = []
        for player in self.players:
            marks = self._practice and choices.show_hints == "practice"
            player.model, wake = player.compose(now, choices, marks=marks)
            wakes += [] if wake is None else [wake]
        self.terminal.wake_at(min(wakes, default=None))
        left = self.players[0].model
        right = self.players[1].model if len(self.players) > 1 else TableModel()
        self.model = TwoModel(left, right, self._others(), choices.layout, self._overlay, self._choice, self._ended())
        if before.left.stage == "countdown" and left.stage == "playing":
            self.terminal.drop_typed()
        if rings(choices.bell, before.left, left, news or ()):
            self.terminal.ring()
        if self.model != before and self.settings is None:
            self.terminal.redraw()

    def press(self, key: str, press: int) -> None:
        """One key, pressed at `press`."""
        if self.settings is not None and not self._ended():
            self._in_settings(key, press)
            return
        left, choices = self.players[0].model, self.desk.choices
        piles, slots = max(2, len(left.piles)), len(left.bottom.hand)
        meant = meaning(key, choices.layout, piles, slots, aliases=choices.aliases)
        if self._ended():
            if meant is not None and isinstance(meant[1], Do) and meant[1].word in LEAVING:
                self.terminal.exit()
            return
        if meant is None:
            if key.isprintable():
                self.players[0].story.say(f"key {key} is not bound – press F1", press)  # noqa: RUF001
        elif meant[0] == BOTH:
            assert isinstance(meant[1], Do)
            self._both(meant[1].word, press)
        elif meant[0] < len(self.players):
            self._one(self.players[meant[0]], meant[1], press)
        self.refresh()

    # --- inside -----------------------------------------------------------------------------------------------------

    def _one(self, player: Player, meant: PlaySlot | Do, press: int) -> None:
        """A key of one of them."""
        if isinstance(meant, PlaySlot):
            if player.play(meant, perf_counter_ns(), press):
                self._overlay = ""
        else:
            player.space(perf_counter_ns(), press)

    def _both(self, word: str, press: int) -> None:
        """A key of the keyboard."""
        if word == "redraw":
            self.terminal.repaint()
        elif word == "settings":
            self._open_settings()
        elif word == "interrupt":
            self._ask_or_leave(press)
        elif self._overlay:
            self._in_overlay(word, press)
        elif word == "space" and self.model.left.stage != "playing":
            for player in self.players:
                if player.model.space:
                    player.space(perf_counter_ns(), press)
        elif word == "help":
            self._overlay = "help"
        elif word == "menu":
            if self.model.left.stage == "connecting":
                self._leave(press)
            else:
                self._overlay, self._choice = "menu", 0

    def _in_overlay(self, word: str, press: int) -> None:
        overlay = self._overlay
        if overlay == "menu" and word in {"up", "down"}:
            self._choice = (self._choice + (1 if word == "down" else -1)) % len(MENU)
            return
        self._overlay = ""
        if word != "enter":
            return
        if overlay == "leave":
            self._leave(press)
        elif overlay == "menu":
            chosen = MENU[self._choice]
            if chosen == "help":
                self._overlay = "help"
            elif chosen == "settings":
                self._open_settings()
            elif chosen == "leave":
                self._ask_or_leave(press)

    def _open_settings(self) -> None:
        self.settings = SettingsPage(self.desk, tmux="TMUX" in os.environ)
        self.terminal.redraw()

    def _in_settings(self, key: str, press: int) -> None:
        assert self.settings is not None
        if isinstance(self.settings.press(key, press), Back | Quit):
            self.settings = None
        self.look = self.desk.look
        self.terminal.dress(self.look, self.desk.escape_seconds)
        self.refresh()

    def _ask_or_leave(self, press: int) -> None:
        if self.model.left.stage in {"playing", "countdown"} and self._overlay != "leave":
            self._overlay = "leave"
        else:
            self._leave(press)

    def _leave(self, press: int) -> None:
        for player in self.players:
            player.leave(press)
        self.terminal.exit()

    def _others(self) -> tuple[Side, ...]:
        """Who sits at the table beside the two."""
        first = self.players[0]
        foes = first.model.foes
        if len(self.players) == 1 or self.players[1].session.mirror.seat < 0:
            return foes
        seats = len(foes) + 1
        place = (self.players[1].session.mirror.seat - first.session.mirror.seat) % seats - 1
        return foes[:place] + foes[place + 1 :]

    def _ended(self) -> str:
        """Why it is over; who was sent away says it, not the other who left because of that."""
        ends = [player.session.ended for player in self.players if player.session.ended is not None]
        return min(ends, key=lambda end: end.word == "left").text if ends else ""

    async def _work(self) -> None:
        tasks = [asyncio.create_task(self._pump(0))]
        seated = asyncio.create_task(self._seated.wait())
        try:
            await asyncio.wait([*tasks, seated], return_when=asyncio.FIRST_COMPLETED)
            room = self.players[0].session.mirror.room
            if room is not None and not self._ended():
                session, link = self._second(room.table)
                self.players.append(Player(session, link.flush, self.desk.choices.status_ms))
                self.links.append(link)
                tasks.append(asyncio.create_task(self._pump(1)))
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            # One of them is gone for good: the other leaves too, since the screen is one.
            for player in self.players:
                if player.session.ended is None:
                    player.leave(perf_counter_ns())
            await asyncio.gather(*tasks)
        finally:
            for task in (*tasks, seated):
                task.cancel()
            await asyncio.gather(*tasks, seated, return_exceptions=True)
            self.changed()

    async def _pump(self, player: int) -> None:
        session = self.players[player].session
        try:
            await self.links[player].run(session, self.changed)
        except Exception as error:
            session.stop("fault", f"the link failed: {type(error).__name__}: {error}")
            raise
