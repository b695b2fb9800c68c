"""One computer player at one session. Pure.

`Bot` is a session and a `Computer` that sees the session's own view of the table. The computer lives in deal time,
which the bot reads from the server's clock as the session knows it. What it lifts stays its secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from speed_client.news import Happened, News, PlayRefused, RoomChanged
from speed_client.session import Session
from speed_client.wording import result_sentence
from speed_common.computer import Computer
from speed_common.events import AskFlip, Call, Draw, Emptied, Play, Revealed, Stuck
from speed_common.table import CALLING, STUCK
from speed_common.wire import OVER, PLAYING, WAITING, Room

NS_PER_US: Final = 1_000


class Bot:
    """One computer player at one session; `deals` is how many it plays, 0 for ever."""

    def __init__(self, session: Session, speed: int, dice: Callable[[], float], deals: int) -> None:
        self.session = session
        self.deals_played = 0
        self._deals = deals
        self._computer = Computer(speed, dice)
        self._counted: tuple[int, int] | None = None

    def changed(self, now: int) -> Iterator[tuple[tuple[int, int], str]]:
        """Take the session's news in; for each deal that ended its (table, deal) and how it ended."""
        news, self.session.news = self.session.news, []
        for item in news:
            yield from self._take(item, now)
        entrant = self.session.entrant
        if entrant.called is not None:
            self.session.heard(now)
        if entrant.to_come():
            self.session.come(now)
        if entrant.to_check_in():
            self.session.ready(now)
        if entrant.tid and entrant.over:
            self.session.leave(now)

    def next_due(self, now: int) -> int | None:
        """When `due` is to be called, on our clock; None while it has nothing to wait for."""
        room, due, server_now = self.session.mirror.room, self._computer.next_due(), self.session.server_now(now)
        if room is None or due is None or server_now is None or room.paused_until_ns or self.session.ended is not None:
            return None
        return now + room.reveal_at_ns + due * NS_PER_US - server_now

    def due(self, now: int) -> None:
        """Let the computer do what it does now."""
        mirror, at = self.session.mirror, self._deal_time(now)
        if at is None or mirror.table is None or mirror.seat < 0:
            return
        move = self._computer.due(at, mirror.table, mirror.seat)
        if isinstance(move, Play):
            hand = mirror.table.hands[mirror.seat]
            sent = move.card in hand and self.session.play(hand.index(move.card), move.pile, now, now)
            if not sent:
                self._computer.refused(at)
        elif isinstance(move, Draw):
            self.session.draw(now, now)
        elif isinstance(move, Call):
            self.session.call(now, now)
        elif isinstance(move, AskFlip):
            self.session.flip(now)

    def _take(self, item: News, now: int) -> Iterator[tuple[tuple[int, int], str]]:
        if isinstance(item, Happened):
            event, mirror = item.event, self.session.mirror
            if isinstance(event, Revealed):
                self._computer.revealed(event.at)
            elif mirror.table is not None and mirror.seat >= 0:
                self._computer.happened(event, mirror.table, mirror.seat)
        elif isinstance(item, PlayRefused):
            at = self._deal_time(now)
            if at is not None and item.asked == "play":
                self._computer.refused(at)
        elif isinstance(item, RoomChanged) and item.seat >= 0:
            yield from self._room(item.room, item.seat, now)

    def _room(self, room: Room, seat: int, now: int) -> Iterator[tuple[tuple[int, int], str]]:
        if room.phase == OVER and room.result is not None and self._counted != (room.table, room.deal):
            self._counted = (room.table, room.deal)
            self.deals_played += 1
            yield self._counted, f"table {room.table}, deal {room.deal}: {result_sentence(room.result, room)}"
        if room.phase in {WAITING, OVER}:
            self._computer.stopped()
            if self._deals and self.deals_played >= self._deals:
                self.session.leave(now)
            elif not room.seats[seat].ready:
                self.session.ready(now)
        elif room.phase == PLAYING and self._computer.next_due() is None:
            at = self._deal_time(now)  # back in the middle of a deal
            table = self.session.mirror.table
            if at is not None and table is not None:
                self._computer.revealed(at)
                if table.phase == STUCK:
                    self._computer.happened(Stuck(at, at), table, seat)
                elif table.phase == CALLING and table.emptied >= 0:
                    self._computer.happened(Emptied(at, table.emptied, at), table, seat)

    def _deal_time(self, now: int) -> int | None:
        room, server_now = self.session.mirror.room, self.session.server_now(now)
        return None if room is None or server_now is None else (server_now - room.reveal_at_ns) // NS_PER_US
