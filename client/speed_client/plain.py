"""A player's line mode: one short line an event, nothing repainted, no signs that a voice must spell. Pure.

For screen readers and for scripts: it reads a command a line and says what came of it. Ranks only are spoken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from speed_client.news import (
    Denied,
    Ended,
    Happened,
    LinkChanged,
    News,
    PlayRefused,
    RoomChanged,
    Welcomed,
)
from speed_client.printable import printable
from speed_client.session import Session
from speed_client.speaker import SECOND_NS, Speaker
from speed_client.wording import (
    cards_word,
    rank_word,
    rank_words,
    refusal_sentence,
    why_sentence,
)
from speed_common.events import (
    AUTO_PILE,
    Drew,
    Event,
    Flipped,
    Played,
    Revealed,
    Tucked,
)
from speed_common.table import OVER as TABLE_OVER
from speed_common.wire import COUNTDOWN, OVER, PLAYING, WAITING, Room

HELP: Final = (
    "1 to 5 plays the card of that slot. 1l or 1r plays it left or right.",
    "a s d f g plays slots 1 to 5 left, h j k l ; plays them right.",
    "Empty line or ready: ready, or rematch. hand: your cards and the piles. draw: take a card.",
    "leave: give up your seat. help: this.",
)
MOST_SLOTS: Final = 10

_LEFT: Final = "asdfg"
_RIGHT: Final = "hjkl;"


def parse_play(word: str) -> tuple[int, int] | None:
    """The (slot, pile) that a word names, slot and pile from 0 and `AUTO_PILE` for none; None when it names no play."""
    if len(word) == 1 and word in _LEFT:
        return _LEFT.index(word), 0
    if len(word) == 1 and word in _RIGHT:
        return _RIGHT.index(word), 1
    digits, side = (word[:-1], word[-1]) if word[-1:] in {"l", "r"} else (word, "")
    if not (digits.isascii() and digits.isdigit() and 1 <= int(digits) <= MOST_SLOTS):
        return None
    return int(digits) - 1, {"l": 0, "r": 1, "": AUTO_PILE}[side]


class PlainPlayer(Speaker):
    """A player's line mode over a session."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._leave_when_over = False
        self._back = False
        self._returned = False

    @property
    def listening(self) -> bool:
        """Commands wait until there is a seat, so that a script need not."""
        return self.session.mirror.room is not None or self.session.ended is not None

    def changed(self, now: int) -> Iterator[str]:
        """A line for each thing learned."""
        news, self.session.news = self.session.news, []
        events: list[Event] = []
        for item in news:
            if isinstance(item, Happened):
                events.append(item.event)
            elif events:
                yield from self._state(events)
                events = []
            yield from self._say(item, now)
        yield from self._state(events)
        if self._returned and self.session.seat_kept:
            self._returned = False
            yield "Your place was kept."

    def command(self, line: str, press: int, now: int) -> Iterator[str]:
        """Obey a line."""
        session = self.session
        word = line.strip().lower()
        play = parse_play(word)
        if play is not None:
            if not session.play(*play, now, press):
                yield why_sentence(session.why_not(play[0]) or "pending")
        elif word in {"", "ready", "rematch"}:
            if not session.ready(now):
                yield why_sentence("no_link")
        elif word == "hand":
            yield from self._hand_and_piles()
        elif word == "draw":
            if not session.draw(now, press):
                yield why_sentence("no_link")
        elif word in {"leave", "quit", "exit"}:
            session.leave(now)
        elif word in {"help", "?"}:
            yield from HELP
        else:
            yield f"Not understood: {printable(word, 20, ' ')}. Say help."

    def closed(self, now: int) -> Iterator[str]:
        """Input is closed: stay for the deal that was asked for, then leave."""
        self._leave_when_over = True
        self._leave_if_done(now)
        yield from ()

    def _leave_if_done(self, now: int) -> None:
        if self._leave_when_over and self.session.idle:
            self.session.leave(now)

    def _say(self, item: News, now: int) -> Iterator[str]:
        if isinstance(item, Happened):
            yield from self._event(item.event)
        elif isinstance(item, RoomChanged):
            yield from self._room(item.room, item.seat, now)
            self._leave_if_done(now)
        elif isinstance(item, PlayRefused):
            yield refusal_sentence(item.refused, item.card, self.session.mirror.room)
        elif isinstance(item, LinkChanged):
            yield self._link(item)
        elif isinstance(item, Welcomed):
            if self._said and not item.resumed:
                yield "The server was started again: the deal is lost."
                self._said = {}
            self._back = self._returned = item.resumed
            yield f"You are {item.name}."
        elif isinstance(item, Denied):
            yield why_sentence(item.word)
        elif isinstance(item, Ended):
            yield item.text[:1].upper() + item.text[1:] + "."

    def _names(self) -> dict[int, str]:
        room, seat = self.session.mirror.room, self.session.mirror.seat
        assert room is not None, "events come after a snapshot"
        return {n: "You" if n == seat else info.name for n, info in enumerate(room.seats)}

    def _event(self, event: Event) -> Iterator[str]:
        table = self.session.mirror.table
        if table is None:
            return
        if isinstance(event, Revealed):
            yield "Go."
        elif isinstance(event, Flipped):
            yield "New cards."
        elif isinstance(event, Tucked):
            yield "New hands."
        elif isinstance(event, Drew):
            if event.seat == self.session.mirror.seat:
                yield f"You draw {rank_word(event.card)}."
        else:
            line = self._told(event, self._names(), table.rules.piles)
            if line is not None:
                yield line

    def _state(self, events: list[Event]) -> Iterator[str]:
        """The hand if it changed, the piles if they did: once for all that happened at one time."""
        mirror = self.session.mirror
        if mirror.table is None or mirror.seat < 0 or mirror.table.phase == TABLE_OVER:
            return
        mine = any(isinstance(event, Played | Drew) and event.seat == mirror.seat for event in events)
        dealt = any(isinstance(event, Revealed | Tucked) for event in events)
        tops = dealt or any(isinstance(event, Played | Flipped) for event in events)
        parts = []
        if mine or dealt:
            parts.append(f"Hand {rank_words(mirror.table.hands[mirror.seat])}.")
        if tops:
            parts.append(f"Piles {rank_words(mirror.table.tops)}.")
        if parts:
            yield " ".join(parts)

    def _hand_and_piles(self) -> Iterator[str]:
        mirror = self.session.mirror
        if mirror.table is None or mirror.seat < 0:
            yield why_sentence("not_started")
            return
        table, seat = mirror.table, mirror.seat
        yield f"Hand {rank_words(table.hands[seat])}. Piles {rank_words(table.tops)}."
        others = ", ".join(f"{name} {table.cards_left(n)}" for n, name in self._names().items() if n != seat and name)
        yield f"Cards left: you {table.cards_left(seat)}, {others}."

    def _room(self, room: Room, seat: int, now: int) -> Iterator[str]:
        before = self._said.get(room.table)
        server_now = self.session.server_now(now)
        ahead = room.paused_until_ns - server_now if server_now is not None and room.paused_until_ns else None
        yield from self._missing(room, ahead)
        if before is None:
            yield f"Table {room.table}, seat {seat + 1}."
        others = [info.name for n, info in enumerate(room.seats) if n != seat]
        met = [info.name for n, info in enumerate(before.seats) if n != seat] if before is not None else None
        for name in met or ():
            if name and name not in others:
                yield f"{name} left."
        if others != met:
            yield " ".join(f"{name} is here." for name in others if name) or "Waiting for another player."
        asked = others == met and before is not None and not before.seats[seat].ready
        ready_unasked = self.session.ready_unasked
        if room.phase == WAITING and all(others) and not room.seats[seat].ready and not asked and not ready_unasked:
            yield "Press Enter when ready."
        if room.phase == COUNTDOWN and (before is None or before.phase != COUNTDOWN):
            rest = None if server_now is None else (room.reveal_at_ns - server_now) / SECOND_NS
            yield "Get ready." if rest is None else f"Get ready: {max(0, round(rest))} seconds."
        if room.result is not None and (before is None or before.result != room.result):
            yield from self._result(room, seat)
        if room.phase == PLAYING and (self._back or before is None or before.phase in {WAITING, OVER}):
            yield from self._hand_and_piles()
        self._back = False
        self._said = {room.table: room}

    def _result(self, room: Room, seat: int) -> Iterator[str]:
        result = room.result
        assert result is not None, "asked only with a result"
        if result.winner == seat:
            rest = "the other left" if result.forfeit else f"by {cards_word(result.score)}"
            yield f"You win, {rest}."
        elif result.winner >= 0:
            rest = "you left" if result.forfeit else f"by {cards_word(result.score)}"
            yield f"{room.seats[result.winner].name or 'The other'} wins, {rest}."
        else:
            yield "The deal is void: nobody wins."
        wins = ", ".join(f"{'you' if n == seat else s.name} {s.wins}" for n, s in enumerate(room.seats) if s.name)
        yield f"Deals won: {wins}."
        if not self._leave_when_over:
            yield "Press Enter for a rematch."
