"""JSON mode: everything that a session learns, one object a line, and what to do, one object a line. Pure.

The interface for people who write their own player; README documents each line, and its words are stable. Cards are
named as `9S`; a card that may not be seen is `??`, an empty place is null. Slots, seats and piles count from 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from speed_client.json_lines import line_of, news_object
from speed_client.news import (
    Happened,
    RoomChanged,
)
from speed_client.session import Session
from speed_client.watching import Watching
from speed_common.events import AUTO_PILE

MOST_SLOTS: Final = 10
MOST_PILES: Final = 4

_ASKS: Final = ("ready", "rematch", "leave", "draw")


class CommandError(ValueError):
    """A line that asks for nothing; the text says what is wrong with it."""


def parse_command(line: str) -> tuple[str, int, int]:
    """What a line asks: (`play`, slot, pile) or (another word, 0, 0). `AUTO_PILE` stands for no pile.

    Raises `CommandError`.
    """
    try:
        command = json.loads(line)
    except (ValueError, RecursionError):
        raise CommandError("not a JSON object on one line") from None
    if not isinstance(command, dict):
        raise CommandError("not a JSON object on one line")
    known = [word for word in ("play", *_ASKS) if word in command]
    unknown = sorted(set(command) - {"play", "pile", *_ASKS})
    if unknown:
        raise CommandError(f"unknown key {unknown[0][:20]!r}")
    if len(known) != 1:
        raise CommandError("one of play, ready, rematch, leave, draw is needed")
    word = known[0]
    if word != "play":
        if command[word] is not True or "pile" in command:
            raise CommandError(f'write {{"{word}": true}}')
        return word, 0, 0
    slot, pile = command["play"], command.get("pile")
    if type(slot) is not int or not 0 <= slot < MOST_SLOTS:
        raise CommandError("play takes a slot, 0 for the leftmost card")
    if pile is None:
        return "play", slot, AUTO_PILE
    if type(pile) is not int or not 0 <= pile < MOST_PILES:
        raise CommandError("pile is null, 0 (left) or 1 (right)")
    return "play", slot, pile


class JsonPlayer:
    """A player's JSON mode over a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._leave_when_over = False

    @property
    def listening(self) -> bool:
        """Commands wait until there is a seat, so that a script need not."""
        return self.session.mirror.room is not None or self.session.ended is not None

    def changed(self, now: int) -> Iterator[str]:
        """A line for each thing learned."""
        session = self.session
        news, session.news = session.news, []
        for item in news:
            yield line_of(news_object(item, session.mirror), session.server_now(now))
            if isinstance(item, RoomChanged):
                self._leave_if_done(now)

    def command(self, line: str, press: int, now: int) -> Iterator[str]:
        """Obey a line; one `error` line when it cannot be obeyed."""
        session = self.session
        if not line.strip():
            return
        try:
            word, slot, pile = parse_command(line)
        except CommandError as error:
            yield line_of({"type": "error", "error": str(error)}, session.server_now(now))
            return
        why: str | None = None
        if word == "play":
            why = session.why_not(slot)
            if why is None:
                session.play(slot, pile, now, press)
        elif word == "leave":
            session.leave(now)
        elif not (session.draw(now, press) if word == "draw" else session.ready(now)):
            why = "no_link"
        if why is not None:
            refused = (
                {"type": "error", "error": why, "slot": slot} if word == "play" else {"type": "error", "error": why}
            )
            yield line_of(refused, session.server_now(now))

    def closed(self, now: int) -> Iterator[str]:
        """Input is closed: stay for the deal that was asked for, then leave."""
        self._leave_when_over = True
        self._leave_if_done(now)
        yield from ()

    def _leave_if_done(self, now: int) -> None:
        if self._leave_when_over and self.session.idle:
            self.session.leave(now)


class JsonWatcher:
    """A spectator's JSON mode."""

    listening = True

    def __init__(self, watching: Watching) -> None:
        self.watching = watching

    def changed(self, now: int) -> Iterator[str]:
        """A line for each thing learned."""
        watching = self.watching
        news, watching.news = watching.news, []
        tables = watching.tables
        for item in news:
            number = item.table if isinstance(item, Happened | RoomChanged) else 0
            yield line_of(news_object(item, tables.get(number)), watching.server_now(now))

    def command(self, line: str, press: int, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """Obey a line: only `leave` is there for a spectator."""
        if not line.strip():
            return
        try:
            word, _, _ = parse_command(line)
        except CommandError as error:
            yield line_of({"type": "error", "error": str(error)}, self.watching.server_now(now))
            return
        if word == "leave":
            self.watching.stop("left", "you stopped watching")
        else:
            yield line_of({"type": "error", "error": "not_seated"}, self.watching.server_now(now))

    def closed(self, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """A spectator needs no input to go on."""
        yield from ()
