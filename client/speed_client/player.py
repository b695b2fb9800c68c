"""One player at a screen: a session, the story of its table, and what a press comes to. Pure but for `flush`.

The path of a play: the session's message out first, and only then whatever a screen paints of it. A screen has one
player, or two who share a keyboard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from speed_client.choices import Choices
from speed_client.compose import from_session
from speed_client.keys import PlaySlot, RepeatGuard
from speed_client.model import Overlay, TableModel
from speed_client.news import News
from speed_client.session import Session
from speed_client.story import Story
from speed_client.wake import Answers

MS_NS: Final = 1_000_000

WHY_NOT: Final = {
    "no_link": "no link: that press was dropped",
    "not_seated": "you hold no seat here",
    "not_started": "wait for the cards",
    "deal_over": "the deal is over",
    "not_in_hand": "no card lies there",
}


class Player:
    """`flush` sends what the session has to say. `model` is what was composed last."""

    def __init__(self, session: Session, flush: Callable[[Session], None], status_ms: int = 1500) -> None:
        self.session = session
        self.story = Story()
        self.story.hold_ns = status_ms * MS_NS
        self.model = TableModel()
        self._flush = flush
        self._answers = Answers()
        self._guard = RepeatGuard()

    def take(self, now: int) -> list[News]:
        """Remember what the session learned; its news, which are taken away from it."""
        news = list(self.session.news)
        if news:
            self.story.take(news, now)
            self.session.news.clear()
        return news

    def compose(
        self,
        now: int,
        choices: Choices,
        *,
        overlay: Overlay = "",
        choice: int = 0,
        address: str = "",
        marks: bool = False,
    ) -> tuple[TableModel, int | None]:
        """The model at `now`, and when it next changes by itself."""
        return from_session(
            self.session,
            self.story,
            self._answers,
            now,
            overlay=overlay,
            choice=choice,
            address=address,
            tenths=choices.clock == "tenths",
            marks=marks,
        )

    def play(self, play: PlaySlot, now: int, press: int) -> bool:
        """Play the card of a slot, pressed at `press`. False where the press was none for the table."""
        session = self.session
        why = session.why_not(play.slot)
        if why is not None:
            if why in WHY_NOT:
                self.story.say(WHY_NOT[why], press, "late")
            return False
        table = session.mirror.table
        assert table is not None, "why_not has looked"
        if play.pile < len(table.tops):
            card = table.hands[session.mirror.seat][play.slot]
            if self._guard.lets(play, card, press):
                session.play(play.slot, play.pile, now, press)
                self._flush(session)
        return True

    def space(self, now: int, press: int) -> None:
        """Do what Space does now."""
        session, word, stage = self.session, self.model.space, self.model.stage
        if stage == "over":
            self.again(press)
        elif stage in {"waiting", "countdown"}:
            self._ask(session.ready(press), press)
        elif word == "call Speed!":
            self.call(now, press)
        elif word == "flip":
            self._ask(session.flip(now), press)
        elif word == "draw":
            self._ask(session.draw(now, press), press)
        elif stage == "playing":
            self.story.say(self._nothing_to_do(), press)

    def call(self, now: int, press: int) -> None:
        """Call "Speed!"."""
        self._ask(self.session.call(now, press), press)

    def again(self, press: int) -> None:
        """Ask for a rematch, where there is somebody to have it with."""
        if self.model.outcome is not None and not self.model.outcome.again:
            if not self.model.bottom.ready:
                self.story.say("a rematch needs everybody: wait until somebody sits down", press)
            return
        self._ask(self.session.ready(press), press)

    def leave(self, press: int) -> None:
        """Give the seat up and end."""
        self.session.leave(press)
        self._flush(self.session)

    def _nothing_to_do(self) -> str:
        room = self.session.mirror.room
        if room is not None and room.rules.flip_trigger == "all_ready":
            return "the table flips when nobody can play and all ask for it"
        return "the table flips by itself when nobody can play"

    def _ask(self, sent: bool, press: int) -> None:  # noqa: FBT001  # what came of it
        """Send what was asked for; say so when it cannot be sent."""
        if not sent:
            self.story.say(WHY_NOT["no_link"], press, "late")
        self._flush(self.session)
