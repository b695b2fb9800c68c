"""The player's screen: keys to the session, the session's news to the story, the model to the painter. Part of the rim.

The path of a key: its instant first, then the session's play and the message out, and only then the picture.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter_ns
from typing import Final, Protocol

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from speed_client.bell import rings
from speed_client.desk import Desk
from speed_client.keys import Do, Intent, PlaySlot
from speed_client.model import Overlay, TableModel
from speed_client.news import News
from speed_client.pages import Back, Quit
from speed_client.painters.canvas import Canvas
from speed_client.painters.overlays import MENU
from speed_client.painters.sizes import paint_table
from speed_client.player import Player
from speed_client.session import Session
from speed_client.settings_page import SettingsPage
from speed_client.story import Story
from speed_client.terminal import Terminal

INTRODUCTION_NS: Final = 20_000_000_000
"""Four words are read from one screen to another."""


class TableLink(Protocol):
    """What joins a session to its server."""

    async def run(self, session: Session, on_change: Callable[[], None], /) -> None:
        """Pump messages until the session has ended."""

    def flush(self, session: Session, /) -> None:
        """Send what the session has to say, now."""


class TableScreen:
    """One player's screen over one session. `practice`: nobody minds if cards that fit are marked."""

    def __init__(
        self,
        session: Session,
        link: TableLink,
        desk: Desk,
        *,
        address: str = "",
        practice: bool = False,
        terminal_input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.session = session
        self.link = link
        self.desk = desk
        self.look = desk.look
        self.player = Player(session, self._flush, desk.choices.status_ms)
        self.terminal = Terminal(
            self.paint, self.look, self.press, self.refresh, terminal_input=terminal_input, output=output
        )
        self.terminal.dress(self.look, desk.escape_seconds)
        self.terminal.on_fault = self._faulted
        self.settings: SettingsPage | None = None
        self._overlay: Overlay = ""
        self._choice = 0
        self._address = address
        self._practice = practice

    @property
    def model(self) -> TableModel:
        """What is shown of the table."""
        return self.player.model

    @property
    def story(self) -> Story:
        """What just happened there."""
        return self.player.story

    async def run(self) -> int:
        """Show the screen until the player leaves; 0."""
        return await self.terminal.run(self._work())

    def paint(self, width: int, height: int) -> Canvas:
        """The picture as it is now."""
        if self.settings is not None:
            return self.settings.paint(width, height, self.look)
        return paint_table(self.model, width, height, self.look)

    def changed(self) -> None:
        """The session learned something."""
        self.refresh(self.player.take(perf_counter_ns()))

    def refresh(self, news: list[News] | None = None) -> None:
        """Build the model anew; redraw only if it came out differently."""
        choices, before = self.desk.choices, self.model
        model, wake = self.player.compose(
            perf_counter_ns(),
            choices,
            overlay=self._overlay,
            choice=self._choice,
            address=self._address,
            marks=self._practice and choices.show_hints == "practice",
        )
        self.terminal.wake_at(wake)
        if before.stage == "countdown" and model.stage == "playing":
            # What was pressed before the cards turned was pressed at no card.
            self.terminal.drop_typed()
        if rings(choices.bell, before, model, news or ()):
            self.terminal.ring()
        if model != before:
            self.player.model = model
            if self.settings is None:
                self.terminal.redraw()

    def press(self, key: str, press: int) -> None:
        """One key, pressed at `press`."""
        if self.settings is not None and self.session.ended is None:
            self._in_settings(key, press)
            return
        wish = self._wish(key)
        if self.session.ended is not None:
            if isinstance(wish, Do) and wish.word in {"menu", "interrupt", "enter", "space", "x"}:
                self.terminal.exit()
            return
        if isinstance(wish, PlaySlot):
            if self.player.play(wish, perf_counter_ns(), press):
                self._overlay = ""
        elif wish is None:
            if key.isprintable():
                self.story.say(f"key {key} is not bound – press {self.look.keys.help_key}", press)  # noqa: RUF001
        elif wish.word == "redraw":
            self.terminal.repaint()
        elif wish.word == "interrupt":
            self._ask_or_leave(press)
        elif wish.word == "settings":
            self._open_settings()
        elif not (self._overlay and self._in_overlay(wish.word, press)):
            self._at_table(wish.word, press)
        self.refresh()

    def _wish(self, key: str) -> Intent | None:
        """What the key means here: with more piles, letters that answer elsewhere play cards."""
        asking = self._overlay == "leave" or self.model.stage == "over"
        return self.look.keys.intent(key, len(self.model.piles), asking=asking)

    def _at_table(self, word: str, press: int) -> None:
        if word == "space":
            self.player.space(perf_counter_ns(), press)
        elif word == "r" and self.model.stage == "over":
            self.player.again(press)
        elif word == "call":
            self.player.call(perf_counter_ns(), press)
        elif word == "help":
            self._overlay = "help"
        elif word == "menu":
            if self.model.stage == "connecting":
                self._leave(press)
            else:
                self._overlay, self._choice = "menu", 0

    def _in_overlay(self, word: str, press: int) -> bool:
        """A key for the panel that is open; False when it is none, and the table gets it."""
        if word == "menu" or (word == "help" and self._overlay == "help") or word in {"n", "enter"} - self._takes():
            self._overlay = ""
        elif self._overlay == "leave" and word in {"y", "x"}:
            self._leave(press)
        elif self._overlay == "menu" and word in {"up", "down"}:
            self._choice = (self._choice + (1 if word == "down" else -1)) % len(MENU)
        elif self._overlay == "menu" and word == "x":
            self._ask_or_leave(press)
        elif self._overlay == "menu" and word == "enter":
            self._choose(MENU[self._choice], press)
        else:
            return False
        return True

    def _takes(self) -> set[str]:
        return {"enter"} if self._overlay == "menu" else set()

    def _choose(self, word: str, press: int) -> None:
        self._overlay = ""
        if word == "help":
            self._overlay = "help"
        elif word == "settings":
            self._open_settings()
        elif word == "redraw":
            self.terminal.repaint()
        elif word == "leave":
            self._ask_or_leave(press)

    def _open_settings(self) -> None:
        self.settings = SettingsPage(self.desk, tmux="TMUX" in os.environ)
        self.terminal.redraw()

    def _in_settings(self, key: str, press: int) -> None:
        """A key for the settings, which lie over a game that goes on."""
        assert self.settings is not None
        choice = self.settings.press(key, press)
        if isinstance(choice, Back | Quit):
            self.settings = None
        self.look = self.desk.look
        self.story.hold_ns = self.desk.choices.status_ms * 1_000_000
        self.terminal.dress(self.look, self.desk.escape_seconds)
        self.refresh()

    def _flush(self, session: Session) -> None:
        self.link.flush(session)

    def _ask_or_leave(self, press: int) -> None:
        """Leaving a deal asks; leaving a table where none runs does not, nor does asking twice."""
        if self.model.stage in {"playing", "countdown"} and self._overlay != "leave":
            self._overlay = "leave"
        else:
            self._leave(press)

    def _leave(self, press: int) -> None:
        self.player.leave(press)
        self.terminal.exit()

    def _faulted(self) -> None:
        self.story.say("the program made a mistake; it goes on, and tells you at the end", perf_counter_ns(), "late")
        self.refresh()

    async def _work(self) -> None:
        try:
            await self.link.run(self.session, self.changed)
        except Exception as error:
            self.session.stop("fault", f"the link failed: {type(error).__name__}: {error}")
            raise
        finally:
            self.changed()


async def run_table(session: Session, link: TableLink, desk: Desk, *, address: str = "", introduction: str = "") -> int:
    """Play at the screen until the player leaves, or the session has ended and that was read; 0.

    `address` is what others type to join, `introduction` a sentence about a server met for the first time.
    """
    screen = TableScreen(session, link, desk, address=address)
    if introduction:
        screen.story.say(introduction, perf_counter_ns(), hold_ns=INTRODUCTION_NS)
    return await screen.run()
