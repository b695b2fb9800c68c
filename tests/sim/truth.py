"""What is really on the server's tables, and who may know which card. The only place that looks inside the hub.

`Truth` follows each deal's log with a table of its own: every event is applied in its order, so what a player may know
is told by what really lay where and when, and not by `views`, whose work it is there to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from speed_common.cards import BITS, NO_CARD
from speed_common.deck import CodeStream, SecretStream, lay_out
from speed_common.events import Event
from speed_common.rules import as_card_set, fresh_deck
from speed_common.table import DEALT, OVER, Table, evolve, new_table
from speed_common.wire import COUNTDOWN, PLAYING
from speed_server.hub import Hub
from speed_server.room import Room
from speed_server.sessions import Session


class Breach(AssertionError):  # noqa: N818  # it is none of the program, but of what it promised
    """Something that must hold does not."""


class Place(NamedTuple):
    """A seat at a table."""

    table: int
    seat: int


def rooms_of(hub: Hub) -> dict[int, Room]:
    return hub._lobby.rooms


def sessions_of(hub: Hub) -> list[Session]:
    return list(hub._sessions)


def session_by_ticket(hub: Hub, ticket: bytes) -> Session | None:
    return hub._sessions.by_ticket(ticket)


def place_of(session: Session | None) -> Place | None:
    return None if session is None or session.room is None else Place(session.room.number, session.seat)


def is_away(room: Room) -> bool:
    return room.paused


def told_all(room: Room) -> bool:
    """Whether everything that happened at the table was handed to its receivers."""
    return room.deal is None or not room.deal.batches


class DealTruth:
    """One deal as it really goes."""

    def __init__(self, deal: Any, rules: Any) -> None:
        self.deal = deal
        stream = deal.stream
        self.table: Table = new_table(rules, lay_out(rules, stream), stream)
        self.seed = stream.seed if isinstance(stream, SecretStream) else b""
        self.number = stream.number if isinstance(stream, CodeStream) else None
        self.public = 0
        """All cards that ever lay open, as a card set."""
        self.own = [0] * rules.players
        """All cards that were ever in each hand."""
        self.next_cards: list[tuple[int, ...]] = []
        """After each event, the top of each draw pile."""
        self.running_ns: int | None = None
        """For how long it was really played, once it is; see `pass_time`."""
        self._read = 0
        self._all = as_card_set(fresh_deck(rules))

    @property
    def over(self) -> bool:
        return self.table.phase == OVER

    def follow(self) -> list[Event]:
        """The events since the last call, applied."""
        log = self.deal.log
        if self._read == len(log):
            return []
        found: list[Event] = []
        for logged in log[self._read :]:
            if isinstance(logged.decision, tuple):
                found += logged.decision
            if logged.beaten is not None:
                found.append(logged.beaten)
        self._read = len(log)
        for event in found:
            evolve(self.table, event)
            self._learn()
        if found:
            self._count()
        return found

    def _learn(self) -> None:
        table = self.table
        if table.phase == DEALT:
            return
        for card in table.tops:
            self.public |= BITS[card]
        for seat, hand in enumerate(table.hands):
            for card in hand:
                self.own[seat] |= BITS[card]
        self.next_cards.append(tuple([draw[-1] if draw else NO_CARD for draw in table.draws]))

    def _count(self) -> None:
        """Every card is somewhere, once."""
        table = self.table
        count, cards = len(table.tops) + len(table.out), as_card_set([*table.tops, *table.out])
        for heaps in (table.draws, table.under, table.sides):
            for heap in heaps:
                count += len(heap)
                cards |= as_card_set(heap)
        for hand in table.hands:
            count += len(hand) - hand.count(NO_CARD)
            cards |= as_card_set(hand)
        if count != table.rules.cards or cards != self._all:
            missing = [card for card in fresh_deck(table.rules) if not cards & BITS[card]]
            raise Breach(f"{count} cards lie on the table of {table.rules.cards}; missing: {missing}")


class Truth:
    """All deals that run at one hub."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.deals: dict[int, DealTruth] = {}
        """The deal that lies on each table, by the table's number."""
        self.before: dict[int, DealTruth] = {}
        """The one before it."""
        self.pauses = self.resumes = 0
        self._time = 0
        self._away: dict[int, bool] = {}
        self._resume_at: dict[int, int] = {}

    def follow(self, now: int) -> Iterator[tuple[Room, DealTruth, list[Event]]]:
        """What happened on each table since the last call."""
        self._pass_time(now)
        rooms = rooms_of(self.hub)
        for number, room in rooms.items():
            known = self.deals.get(number)
            if known is not None and room.deal is not known.deal:
                # What an old deal's last moments brought is still to be read.
                late = known.follow()
                if late:
                    yield room, known, late
                self.before[number] = self.deals.pop(number)
                known = None
            if room.deal is None:
                continue
            if known is None:
                known = self.deals[number] = DealTruth(room.deal, room.rules)
            events = known.follow()
            if known.running_ns is None and room.phase == PLAYING:
                known.running_ns = max(0, now - room.clock.reveal_at_ns)
            if events:
                self._check_times(room, known, events)
                yield room, known, events
        for number in [number for number in self.deals if number not in rooms]:
            gone = self.before[number] = self.deals.pop(number)
            gone.follow()
        for number, room in rooms.items():
            away, was = is_away(room), self._away.get(number, False)
            self.pauses += away and not was
            self.resumes += was and not away and room.running
            self._away[number] = away

    def was_away(self, number: int) -> bool:
        """Whether the table waited for somebody when the present call began."""
        return self._away.get(number, False)

    def _pass_time(self, now: int) -> None:
        """Count how long each deal is really played: not while somebody is away, nor until it goes on."""
        for number, room in rooms_of(self.hub).items():
            deal = self.deals.get(number)
            if deal is None or deal.running_ns is None or deal.deal is not room.deal or self._away.get(number):
                continue
            deal.running_ns += max(0, now - max(self._time, self._resume_at.get(number, 0)))
        for number, room in rooms_of(self.hub).items():
            self._resume_at[number] = room.resume_at_ns
        self._time = now

    def _check_times(self, room: Room, deal: DealTruth, events: list[Event]) -> None:
        latest = max(event.at for event in events)
        if deal.running_ns is None:
            if latest > 0 and room.phase == COUNTDOWN:
                raise Breach(f"something happened at {latest} us of a deal that is counted down to: {events}")
        elif latest * 1_000 > deal.running_ns + SLACK_NS:
            played_us = deal.running_ns // 1_000
            raise Breach(f"something happened at {latest} us of a deal that was played for {played_us} us: {events}")


SLACK_NS = 255_000_000
"""Cards turn and flip at an instant that is settled a quarter of a second before, so that all see it at once."""
