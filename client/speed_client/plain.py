"""A player's line mode: one short line an event, nothing repainted, no signs that a voice must spell. Pure.

For screen readers and for scripts: it reads a command a line and says what came of it. Ranks only are spoken.
"""

from __future__ import annotations

from collections.abc import Iterator

from speed_client.evening import Evening
from speed_client.evening_words import ASKS, asked
from speed_client.news import (
    CallCame,
    Denied,
    Ended,
    Happened,
    LinkChanged,
    MineChanged,
    News,
    PlayRefused,
    Practised,
    RoomChanged,
    Welcomed,
)
from speed_client.plain_words import help_of, parse_play
from speed_client.printable import printable
from speed_client.progress import practised_words
from speed_client.session import Session
from speed_client.speaker import SECOND_NS, Speaker
from speed_client.wording import (
    cards_word,
    fair_sentence,
    is_match,
    next_word,
    others_left,
    rank_word,
    rank_words,
    refusal_sentence,
    top_words,
    why_sentence,
)
from speed_common.events import (
    Drew,
    Event,
    Flipped,
    Played,
    Revealed,
    Took,
    Tucked,
)
from speed_common.table import CALLING, STUCK
from speed_common.table import OVER as TABLE_OVER
from speed_common.wire import COUNTDOWN, OVER, PLAYING, WAITING, Room


class PlainPlayer(Speaker):
    """A player's line mode over a session. `evening` is the tournament that is played in, where it is one."""

    def __init__(self, session: Session, evening: Evening | None = None) -> None:
        super().__init__()
        self.session = session
        self._evening = evening
        self._asked_back = False
        self._mine_said = ""
        self._called_said: tuple[int, int, bool, bool] | None = None
        self._leave_when_over = False
        self._back = False
        self._returned = False

    @property
    def listening(self) -> bool:
        """Commands wait until there is a seat, so that a script need not."""
        session = self.session
        return session.mirror.room is not None or session.entrant.mine is not None or session.ended is not None

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
        table = session.mirror.table
        asked_back, self._asked_back = self._asked_back, False
        play = parse_play(word, table.rules.piles if table is not None else 2)
        if play is not None:
            if not session.play(*play, now, press):
                yield why_sentence(session.why_not(play[0]) or "pending")
        elif word in {"", "ready", "rematch", "draw", "flip", "speed", "call", "!"}:
            if not self._ask(word or self._empty_line(), press, now):
                yield why_sentence("no_link")
        elif word == "hand":
            yield from self._hand_and_piles()
        elif word in {"leave", "quit", "exit"}:
            session.leave(now)
        elif self._evening is not None and word in {"withdraw", "mine", *ASKS}:
            yield from self._of_tournament(word, now, asked_back=asked_back)
        elif word in {"help", "?"}:
            if self._evening is not None:
                yield f"Of the tournament: mine, {', '.join(ASKS)}. withdraw: leave it for good."
            room = session.mirror.room
            yield from help_of(room.rules if room is not None else None)
        else:
            yield f"Not understood: {printable(word, 20, ' ')}. Say help."

    def _empty_line(self) -> str:
        """What an empty line asks for now."""
        table = self.session.mirror.table
        if table is not None and table.phase == CALLING:
            return "speed"
        if table is not None and table.phase == STUCK and table.rules.flip_trigger == "all_ready":
            return "flip"
        return "ready"

    def _of_tournament(self, word: str, now: int, *, asked_back: bool) -> Iterator[str]:
        assert self._evening is not None, "only its players ask"
        mine = self.session.entrant.mine
        if word == "withdraw" and not asked_back:
            self._asked_back = True
            yield f"You leave {self._evening.title} for good. Say withdraw once more."
        elif word == "withdraw":
            if not self.session.withdraw(now):
                yield why_sentence("no_link")
        elif word == "mine":
            yield _sentence(mine.text) if mine is not None else "The server has not said yet how you stand."
        else:
            yield from asked(word, self._evening)

    def _ask(self, word: str, press: int, now: int) -> bool:
        """Whether what the word asks for could be sent."""
        session = self.session
        if word == "draw":
            return session.draw(now, press)
        if word == "flip":
            return session.flip(now)
        return session.ready(now) if word in {"ready", "rematch"} else session.call(now, press)

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
            yield refusal_sentence(item.refused, item.card, self.session.mirror.room, item.asked)
        elif isinstance(item, MineChanged):
            text = _sentence(item.mine.text)
            if item.mine.text and text != self._mine_said:
                yield text
            self._mine_said = text
            self._leave_if_done(now)
        elif isinstance(item, CallCame):
            yield from self._called(item, now)
        elif isinstance(item, LinkChanged):
            yield self._link(item)
        elif isinstance(item, Welcomed):
            if self._said and not item.resumed:
                yield "The server was started again: the deal is lost."
                self._said = {}
            self._back = self._returned = item.resumed
            yield f"You are {item.name}."
        elif isinstance(item, Denied):
            yield why_sentence(item.word, item.text)
        elif isinstance(item, Practised):
            for sentence in practised_words(item):
                yield sentence[:1].upper() + sentence[1:] + "."
        elif isinstance(item, Ended):
            yield item.text[:1].upper() + item.text[1:] + "."

    def _called(self, item: CallCame, now: int) -> Iterator[str]:
        """A call, its later bells, and who is ready; the server is told that it was said."""
        called, before = item.called, self._called_said
        self._called_said = (called.match, called.bells, called.here, called.rival_here)
        left = self.session.entrant.seconds_left(now)
        clock = f" {left} seconds left." if left is not None else ""
        rival = printable(called.rival, 24)
        if before is None or before[0] != called.match:
            yield f"Your match is called: table {called.table}, against {rival}.{clock} Press Enter when ready."
        elif called.bells > before[1] and not called.here:
            yield f"You are called to table {called.table}.{clock} Press Enter when ready."
        elif called.here and not before[2]:
            yield "You are ready."
        elif called.rival_here and not before[3]:
            yield f"{rival} is ready."
        self.session.heard(now)

    def _names(self, room: Room | None) -> dict[int, str]:
        seat = self.session.mirror.seat
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
            # The room as it was then: the newest one may know of a player who has left since.
            names = self._names(next(iter(self._said.values()), self.session.mirror.room))
            line = self._told(event, names, table.rules)
            if line is not None:
                yield line

    def _state(self, events: list[Event]) -> Iterator[str]:
        """The hand if it changed, the piles if they did: once for all that happened at one time."""
        mirror = self.session.mirror
        if mirror.table is None or mirror.seat < 0 or mirror.table.phase == TABLE_OVER:
            return
        mine = any(isinstance(event, Played | Drew | Took) and event.seat == mirror.seat for event in events)
        dealt = any(isinstance(event, Revealed | Tucked) for event in events)
        tops = dealt or any(isinstance(event, Played | Flipped) for event in events)
        parts = []
        if mine or dealt:
            parts.append(f"Hand {rank_words(mirror.table.hands[mirror.seat])}.")
        if tops:
            parts.append(f"Piles {top_words(mirror.table.tops, mirror.table.named)}.")
        if parts:
            yield " ".join(parts)

    def _hand_and_piles(self) -> Iterator[str]:
        mirror = self.session.mirror
        if mirror.table is None or mirror.seat < 0:
            yield why_sentence("not_started")
            return
        table, seat = mirror.table, mirror.seat
        yield f"Hand {rank_words(table.hands[seat])}. Piles {top_words(table.tops, table.named)}."
        others = ", ".join(
            f"{name} {table.cards_left(n)}"
            for n, name in self._names(mirror.room).items()
            if n != seat and name and not table.gone[n]
        )
        yield f"Cards left: you {table.cards_left(seat)}, {others}."

    def _room(self, room: Room, seat: int, now: int) -> Iterator[str]:
        before = self._said.get(room.table)
        if before is not None and len(before.seats) != len(room.seats):
            before = None  # a table of that number that was laid anew
        server_now = self.session.server_now(now)
        ahead = room.paused_until_ns - server_now if server_now is not None and room.paused_until_ns else None
        yield from self._missing(room, ahead)
        if before is None:
            yield f"Table {room.table}, seat {seat + 1}."
            if room.code:
                yield f"Code {room.code}."
        others = [info.name for n, info in enumerate(room.seats) if n != seat]
        met = [info.name for n, info in enumerate(before.seats) if n != seat] if before is not None else None
        table = self.session.mirror.table
        told = [gone for n, gone in enumerate(table.gone) if n != seat] if table is not None else [False] * len(others)
        for name, gone in zip(met, told, strict=True) if met is not None else ():
            if name and name not in others and not gone:
                yield f"{name} left."
        if others != met:
            come = [name for name in others if name and name not in (met or ())]
            waiting = room.phase in {WAITING, OVER} and not all(others)
            yield from (f"{name} is here." for name in come)
            if waiting:
                yield "Waiting for another player."
        asked = others == met and before is not None and not before.seats[seat].ready
        ready_unasked = self.session.ready_unasked
        if room.phase == WAITING and all(others) and not room.seats[seat].ready and not asked and not ready_unasked:
            yield "Press Enter when ready."
        if room.phase == COUNTDOWN and (before is None or before.phase != COUNTDOWN):
            rest = None if server_now is None else (room.reveal_at_ns - server_now) / SECOND_NS
            yield "Get ready." if rest is None else f"Get ready: {max(0, round(rest))} seconds."
        if room.result is not None and (before is None or before.result != room.result):
            yield from self._result(room, seat)
        if room.resume_at_ns and (before is None or before.resume_at_ns != room.resume_at_ns):
            rest = None if server_now is None else (room.resume_at_ns - server_now) / SECOND_NS
            if rest is None or rest > 0:
                yield "Play goes on." if rest is None else f"Play goes on in {max(1, round(rest))} seconds."
        if room.phase == PLAYING and (self._back or before is None or before.phase in {WAITING, OVER}):
            yield from self._hand_and_piles()
        self._back = False
        self._said = {room.table: room}

    def _result(self, room: Room, seat: int) -> Iterator[str]:
        result = room.result
        assert result is not None, "asked only with a result"
        if result.winner == seat:
            rest = others_left(len(room.seats)) if result.forfeit else f"by {cards_word(result.score)}"
            yield f"You win, {rest}."
        elif result.winner >= 0:
            rest = "you left" if result.forfeit else f"by {cards_word(result.score)}"
            yield f"{room.seats[result.winner].name or 'The other'} wins, {rest}."
        else:
            yield "The deal is void: nobody wins."
        by_points = bool(room.rules.match_target)
        score = ", ".join(
            f"{'you' if n == seat else info.name} {info.points if by_points else info.wins}"
            for n, info in enumerate(room.seats)
            if info.name
        )
        yield f"{'Points' if by_points else 'Deals won'}: {score}."
        if result.match_over and is_match(room.rules) and result.winner >= 0:
            winner = "You win" if result.winner == seat else f"{room.seats[result.winner].name or 'The other'} wins"
            yield f"{winner} the match."
        if fair := fair_sentence(result, seat):
            yield fair
        if room.code:
            yield f"Code {room.code}."
        if not self._leave_when_over and all(info.name for info in room.seats):
            yield f"Press Enter for {'the' if next_word(room) == 'next deal' else 'a'} {next_word(room)}."


def _sentence(text: str) -> str:
    said = printable(text)
    return f"{said[:1].upper()}{said[1:]}."
