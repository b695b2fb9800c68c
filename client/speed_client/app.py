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

from speed_client.compose import from_session
from speed_client.keys import Do, Intent, PlaySlot, RepeatGuard, intent
from speed_client.model import Overlay, TableModel
from speed_client.painters import Canvas, paint_table
from speed_client.painters.overlays import MENU
from speed_client.session import Session
from speed_client.story import Story
from speed_client.style import Look
from speed_client.terminal import Terminal
from speed_client.wake import Answers

_WHY_NOT: Final = {
    "no_link": "no link: that press was dropped",
    "not_seated": "you hold no seat here",
    "not_started": "wait for the cards",
    "deal_over": "the deal is over",
    "not_in_hand": "no card lies there",
}


class TableLink(Protocol):
    """What joins a session to its server."""

    async def run(self, session: Session, on_change: Callable[[], None], /) -> None:
        """Pump messages until the session has ended."""

    def flush(self, session: Session, /) -> None:
        """Send what the session has to say, now."""


class TableScreen:
    """One player's screen over one session."""

    def __init__(
        self,
        session: Session,
        link: TableLink,
        look: Look,
        *,
        address: str = "",
        language: str = "",
        terminal_input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.session = session
        self.link = link
        self.look = look
        self.story = Story()
        self.model = TableModel()
        self.terminal = Terminal(
            self.paint, look, self.press, self.refresh, terminal_input=terminal_input, output=output
        )
        self.terminal.on_fault = self._faulted
        self._answers = Answers()
        self._guard = RepeatGuard()
        self._overlay: Overlay = ""
        self._choice = 0
        self._address = address
        self._language = language

    async def run(self) -> int:
        """Show the screen until the player leaves; 0."""
        return await self.terminal.run(self._work())

    def paint(self, width: int, height: int) -> Canvas:
        """The picture as it is now."""
        return paint_table(self.model, width, height, self.look)

    def changed(self) -> None:
        """The session learned something."""
        news = self.session.news
        if news:
            self.story.take(news, perf_counter_ns())
            news.clear()
        self.refresh()

    def refresh(self) -> None:
        """Build the model anew; redraw only if it came out differently."""
        model, wake = from_session(
            self.session,
            self.story,
            self._answers,
            perf_counter_ns(),
            overlay=self._overlay,
            choice=self._choice,
            address=self._address,
        )
        self.terminal.wake_at(wake)
        if model != self.model:
            self.model = model
            self.terminal.redraw()

    def press(self, key: str, press: int) -> None:
        """One key, pressed at `press`."""
        wish = self._wish(key)
        if self.session.ended is not None:
            if isinstance(wish, Do) and wish.word in {"menu", "interrupt", "enter", "space", "x"}:
                self.terminal.exit()
            return
        if isinstance(wish, PlaySlot):
            self._play(wish, press)
        elif wish is None:
            if key.isprintable():
                self.story.say(f"key {key} is not bound: ? shows the keys", press)
        elif wish.word == "redraw":
            self.terminal.repaint()
        elif wish.word == "interrupt":
            self._ask_or_leave(press)
        elif not (self._overlay and self._in_overlay(wish.word, press)):
            self._at_table(wish.word, press)
        self.refresh()

    def _wish(self, key: str) -> Intent | None:
        """What the key means here: with more piles, letters that answer elsewhere play cards."""
        asking = self._overlay == "leave" or self.model.stage == "over"
        return intent(key, self._language, len(self.model.piles), asking=asking)

    def _play(self, play: PlaySlot, press: int) -> None:
        session = self.session
        why = session.why_not(play.slot)
        if why is not None:
            if why in _WHY_NOT:
                self.story.say(_WHY_NOT[why], press, "late")
            return
        self._overlay = ""
        table = session.mirror.table
        assert table is not None, "why_not has looked"
        if play.pile >= len(table.tops):
            return
        card = table.hands[session.mirror.seat][play.slot]
        if self._guard.lets(play, card, tuple(table.tops), press):
            session.play(play.slot, play.pile, perf_counter_ns(), press)
            self.link.flush(session)

    def _at_table(self, word: str, press: int) -> None:
        if word == "space":
            self._space(press)
        elif word == "r" and self.model.stage == "over":
            self._again(press)
        elif word == "call":
            self._ask(self.session.call(perf_counter_ns(), press), press)
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
        elif word == "redraw":
            self.terminal.repaint()
        elif word == "leave":
            self._ask_or_leave(press)

    def _space(self, press: int) -> None:
        session, space, now = self.session, self.model.space, perf_counter_ns()
        if self.model.stage == "over":
            self._again(press)
        elif self.model.stage in {"waiting", "countdown"}:
            self._ask(session.ready(press), press)
        elif space == "call Speed!":
            self._ask(session.call(now, press), press)
        elif space == "flip":
            self._ask(session.flip(now), press)
        elif space == "draw":
            self._ask(session.draw(now, press), press)
        elif self.model.stage == "playing":
            self.story.say(self._nothing_to_do(), press)

    def _nothing_to_do(self) -> str:
        room = self.session.mirror.room
        if room is not None and room.rules.flip_trigger == "all_ready":
            return "the table flips when nobody can play and all ask for it"
        return "the table flips by itself when nobody can play"

    def _again(self, press: int) -> None:
        """Ask for a rematch, where there is somebody to have it with."""
        if self.model.outcome is not None and not self.model.outcome.again:
            if not self.model.bottom.ready:
                self.story.say("a rematch needs everybody: wait until somebody sits down", press)
            return
        self._ask(self.session.ready(press), press)

    def _ask(self, sent: bool, press: int) -> None:  # noqa: FBT001  # what came of it
        """Send what was asked for; say so when it cannot be sent."""
        if not sent:
            self.story.say(_WHY_NOT["no_link"], press, "late")
        self.link.flush(self.session)

    def _ask_or_leave(self, press: int) -> None:
        """Leaving a deal asks; leaving a table where none runs does not, nor does asking twice."""
        if self.model.stage in {"playing", "countdown"} and self._overlay != "leave":
            self._overlay = "leave"
        else:
            self._leave(press)

    def _leave(self, press: int) -> None:
        self.session.leave(press)
        self.link.flush(self.session)
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


async def run_table(session: Session, link: TableLink, look: Look, *, address: str = "", language: str = "") -> int:
    """Play at the screen until the player leaves, or the session has ended and that was read; 0.

    `address` is what others type to join, `language` (of two letters; the locale's by default) chooses key aliases.
    """
    language = language or (os.environ.get("LC_ALL") or os.environ.get("LANG") or "")[:2]
    return await TableScreen(session, link, look, address=address, language=language).run()
