"""What was on the wire, judged by the simulation's oracle against what the server's own records say really happened.

A message may tell a party what that party may know *by then*: the records are replayed just as far as the message's
revision, for each connection by itself. Nothing of the server's own hiding is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.e2e.relay import Way
from tests.sim.oracle import Oracle
from tests.sim.truth import DealTruth, Place

from speed_common import wire
from speed_common.events import Event
from speed_common.record_read import Record, read
from speed_common.verify import _Replay, _stream


class _Events(_Replay):
    """All that happened in a deal, gathered while its record is verified."""

    def __init__(self, record: Record) -> None:
        self.found: list[Event] = []
        super().__init__(record.heading)
        for line in record.lines:
            before = len(self.found)
            self.ask(line)
            assert len(self.found) - before == len(line.events)

    @property
    def _last(self) -> Event | None:
        return self.found[-1] if self.found else None

    @_last.setter
    def _last(self, event: Event | None) -> None:
        if event is not None:
            self.found.append(event)


class Deals:
    """The recorded deals of one table, in their order, and who sat where."""

    def __init__(self, records: Sequence[Path]) -> None:
        self.records = sorted(map(read, [path.read_bytes() for path in records]), key=lambda one: one.heading.deal)
        self.events = [_Events(record).found for record in self.records]
        assert [record.heading.deal for record in self.records] == list(range(1, len(self.records) + 1))
        (self.table,) = {record.heading.table for record in self.records}

    def seat_of(self, name: str) -> Place:
        """Where a player sat throughout."""
        (seat,) = {[player.name for player in record.heading.players].index(name) for record in self.records}
        return Place(self.table, seat)

    def deal_at(self, revision: int) -> int:
        """The number of the deal in which the table goes on from this revision."""
        for number, events in enumerate(self.events, 1):
            if revision < len(events):
                return number
            revision -= len(events)
        raise AssertionError(f"no deal goes on from {revision} past the last recorded event")


class Known:
    """The truth as far as one connection has been told of it."""

    def __init__(self, deals: Deals) -> None:
        self._all = deals
        self.deals: dict[int, DealTruth] = {}
        self.before: dict[int, DealTruth] = {}
        self._number = 0

    def up_to(self, number: int, revision: int) -> None:
        """Go on to this revision, in this deal."""
        table = self._all.table
        while self._number < number:
            if self._number:
                self._follow(len(self._all.events[self._number - 1]))
                self.before[table] = self.deals[table]
            heading = self._all.records[self._number].heading
            deal = SimpleNamespace(stream=_stream(heading), log=[])
            self.deals[table] = DealTruth(deal, heading.rules)
            self._number += 1
        if number == self._number:
            self._follow(revision - sum(map(len, self._all.events[: number - 1])))

    def _follow(self, count: int) -> None:
        truth = self.deals[self._all.table]
        log: list[Any] = truth.deal.log
        events = self._all.events[self._number - 1][len(log) : count]
        log += [SimpleNamespace(decision=(event,), beaten=None) for event in events]
        truth.follow()


def judge(ways: Sequence[Way], deals: Deals) -> int:
    """Judge every message down every connection; how many there were. Raises `Breach`."""
    tickets = [message.ticket for way in ways for _, message, _ in told(way) if isinstance(message, wire.Welcome)]
    return sum(_judge(way, deals, tickets) for way in ways)


def told(way: Way) -> Iterator[tuple[bytes, wire.Down, bytes]]:
    """Topic, message and bytes of each."""
    for frames in way.messages():
        *topic, data = frames
        yield topic[0] if topic else b"", wire.decode_down(data), data


def _judge(way: Way, deals: Deals, tickets: list[bytes]) -> int:
    known = Known(deals)
    oracle = Oracle(known)  # type: ignore[arg-type]
    places: set[Place] = set()
    others = list(tickets)
    waiting: list[bytes] = []
    for topic, message, data in told(way):
        if isinstance(message, wire.Welcome):
            others = [ticket for ticket in tickets if ticket != message.ticket]
            places = {deals.seat_of(message.name)}
        elif isinstance(message, wire.Refused) and message.took >= 0:
            waiting.append(data)  # it may name the card of a play that is told next
            continue
        elif isinstance(message, wire.Snapshot) and message.room.deal:
            known.up_to(message.room.deal, message.revision)
        elif isinstance(message, wire.Delta):
            known.up_to(deals.deal_at(message.revision), message.revision + len(message.events))
        oracle.judge(data, places, others, topic)
        for one in waiting:
            oracle.judge(one, places, others, topic)
        waiting.clear()
    return oracle.judged
