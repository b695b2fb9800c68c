"""JSON mode: everything that a session learns, one object a line, and what to do, one object a line. Pure.

The interface for people who write their own player; README documents each line, and its words are stable. Cards are
named as `9S`; a card that may not be seen is `??`, an empty place is null. Slots, seats and piles count from 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, NamedTuple

from speed_client.json_lines import line_of, news_object
from speed_client.news import (
    CallCame,
    Happened,
    MineChanged,
    RoomChanged,
)
from speed_client.session import Session
from speed_client.watching import Watching
from speed_common.cards import NO_RANK, RANK_NAMES, Rank
from speed_common.events import AUTO_PILE

MOST_SLOTS: Final = 10
MOST_PILES: Final = 4

_ASKS: Final = ("ready", "rematch", "leave", "draw", "call", "flip", "withdraw")


class CommandError(ValueError):
    """A line that asks for nothing; the text says what is wrong with it."""


class Command(NamedTuple):
    """What a line asks: a word, and for `play` a slot, a pile (`AUTO_PILE`: none) and a joker's rank (`NO_RANK`)."""

    word: str
    slot: int = 0
    pile: int = AUTO_PILE
    named: Rank = NO_RANK


def parse_command(line: str) -> Command:
    """What a line asks. Raises `CommandError`."""
    try:
        command = json.loads(line)
    except (ValueError, RecursionError):
        raise CommandError("not a JSON object on one line") from None
    if not isinstance(command, dict):
        raise CommandError("not a JSON object on one line")
    known = [word for word in ("play", *_ASKS) if word in command]
    unknown = sorted(set(command) - {"play", "pile", "named", *_ASKS})
    if unknown:
        raise CommandError(f"unknown key {unknown[0][:20]!r}")
    if len(known) != 1:
        raise CommandError(f"one of play, {', '.join(_ASKS)} is needed")
    word = known[0]
    if word != "play":
        if command[word] is not True or len(command) > 1:
            raise CommandError(f'write {{"{word}": true}}')
        return Command(word)
    slot, pile, named = command["play"], command.get("pile"), command.get("named")
    if type(slot) is not int or not 0 <= slot < MOST_SLOTS:
        raise CommandError("play takes a slot, 0 for the leftmost card")
    if pile is not None and (type(pile) is not int or not 0 <= pile < MOST_PILES):
        raise CommandError("pile is null, or 0 for the leftmost pile, 1 for the next")
    if named is not None and named not in RANK_NAMES:
        raise CommandError("named is null, or the rank that a joker stands for, as Q")
    return Command(
        "play", slot, AUTO_PILE if pile is None else pile, NO_RANK if named is None else RANK_NAMES.index(named)
    )


class JsonPlayer:
    """A player's JSON mode over a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._leave_when_over = False

    @property
    def listening(self) -> bool:
        """Commands wait until there is a seat, so that a script need not."""
        session = self.session
        return session.mirror.room is not None or session.entrant.mine is not None or session.ended is not None

    def changed(self, now: int) -> Iterator[str]:
        """A line for each thing learned."""
        session = self.session
        news, session.news = session.news, []
        for item in news:
            yield line_of(news_object(item, session.mirror), session.server_now(now))
            if isinstance(item, CallCame):
                session.heard(now)
            elif isinstance(item, RoomChanged | MineChanged):
                self._leave_if_done(now)

    def command(self, line: str, press: int, now: int) -> Iterator[str]:
        """Obey a line; one `error` line when it cannot be obeyed."""
        session = self.session
        if not line.strip():
            return
        try:
            command = parse_command(line)
        except CommandError as error:
            yield line_of({"type": "error", "error": str(error)}, session.server_now(now))
            return
        if command.word == "play":
            why = session.why_not(command.slot)
            if why is None:
                session.play(command.slot, command.pile, now, press, command.named)
            else:
                yield line_of({"type": "error", "error": why, "slot": command.slot}, session.server_now(now))
        elif command.word == "leave":
            session.leave(now)
        elif not self._ask(command.word, press, now):
            yield line_of({"type": "error", "error": "no_link"}, session.server_now(now))

    def _ask(self, word: str, press: int, now: int) -> bool:
        """Whether what the word asks for could be sent."""
        session = self.session
        if word == "draw":
            return session.draw(now, press)
        if word == "call":
            return session.call(now, press)
        if word == "withdraw":
            return session.withdraw(now)
        return session.flip(now) if word == "flip" else session.ready(now)

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
            word = parse_command(line).word
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
