"""All that is looked at after each call of the hub: truth, seats, every message that leaves, and finished records."""

from __future__ import annotations

from collections import Counter

from tests.sim import judged
from tests.sim.looks import differences
from tests.sim.options import oldest_press_ns
from tests.sim.oracle import Oracle, decoded
from tests.sim.rare import rare_things
from tests.sim.seating import Cause, Seating
from tests.sim.truth import (
    Breach,
    Place,
    Truth,
    is_away,
    place_of,
    rooms_of,
    session_by_ticket,
    sessions_of,
    told_all,
)

from speed_client.mirror import Mirror
from speed_common import wire
from speed_common.events import Autoplay, Played
from speed_common.record import ACCEPTED
from speed_server.hub import Hub
from speed_server.sessions import Session
from speed_server.settings import HubSettings

MOST_ANSWERS = 1_000


class Party:
    """One connection, as far as it matters to whom it speaks: the tickets shown on it or given to it."""

    __slots__ = ("others", "places", "sessions", "tickets")

    def __init__(self) -> None:
        self.tickets: set[bytes] = set()
        self.sessions: list[Session] = []
        self.places: set[Place] = set()
        self.others: list[bytes] = []

    def current(self) -> set[Place]:
        found = set(map(place_of, self.sessions))
        return {place for place in found if place is not None}


class Watch:
    """Looks at one hub."""

    def __init__(self, hub: Hub, settings: HubSettings, met: Counter[str]) -> None:
        self.hub = hub
        self.truth = Truth(hub)
        self.oracle = Oracle(self.truth)
        self.met = met
        self.finished = 0
        self.owed: set[bytes] = set()
        """Connections on which a message was lost that nothing has made good for yet."""
        self._settings = settings
        self._seating = Seating(hub, settings.grace_ns, met)
        self._parties: dict[bytes, Party] = {}
        self._tickets: list[bytes] = []
        self._judged = self._published = 0
        self._moved = False

    def came(self, origin: bytes) -> None:
        """A new connection."""
        self._parties[origin] = party = Party()
        party.others = self._tickets[:]

    def showed(self, origin: bytes, ticket: bytes) -> None:
        """A message with this ticket, which opens a session, came from the connection."""
        party = self._parties.get(origin)
        session = session_by_ticket(self.hub, ticket)
        if party is not None and session is not None and ticket not in party.tickets:
            party.tickets.add(ticket)
            party.sessions.append(session)
            party.others = [other for other in self._tickets if other not in party.tickets]

    def look(self, cause: Cause, now: int) -> None:
        """After a call of the hub."""
        for room, deal, events in self.truth.follow(now):
            rare_things(deal, events, self.met)
            if is_away(room) and self.truth.was_away(room.number) and any(isinstance(e, Played) for e in events):
                raise Breach(f"a card was played while table {room.number} waited for somebody: {events}")
        self._moved |= self._seating.check(cause, now)
        if len(self.hub.outbox) > self._judged or self.hub.bulletins:
            self._judge()
        for finished in self.hub.records:
            record = judged.check(finished, oldest_press_ns(self._settings))
            self.finished += 1
            self.met[f"end: {record.ending.end}"] += 1
            for line in record.lines:
                self.met[f"answer: {line.verdict}"] += 1
                self.met["autoplay"] += isinstance(line.request, Autoplay) and line.verdict == ACCEPTED
        self.hub.records.clear()
        if (self._moved and len(sessions_of(self.hub)) > self._settings.max_players) or len(
            self.hub.outbox
        ) > MOST_ANSWERS:
            raise Breach(f"{len(sessions_of(self.hub))} sessions, {len(self.hub.outbox)} messages wait")

    def sent_all(self) -> None:
        """The rim has sent the outbox, and will empty the bulletins."""
        self._judged = self._published = 0
        if self._moved:
            self._moved = False
            for party in self._parties.values():
                party.places = party.current()

    def mirrors_the_truth(self, mirror: Mirror, who: str, *, at_rest: bool = False) -> None:
        """Compare what somebody sees with what is there, if it is of the same moment; `at_rest`: then it must be."""
        if mirror.room is None:
            return
        room = rooms_of(self.hub).get(mirror.room.table)
        now_there = room is not None and mirror.room.deal == room.deals and mirror.revision == room.revision
        if at_rest and not (now_there and room is not None and mirror.room == room.describe()):
            there = room and (room.deals, room.revision, room.describe())
            raise Breach(f"{who} sees {(mirror.room.deal, mirror.revision, mirror.room)}, there is {there}")
        if not now_there or room is None or room.deal is None or mirror.table is None:
            return
        deal = self.truth.deals.get(room.number)
        if deal is None or deal.deal is not room.deal or not told_all(room):
            return
        found = differences(mirror.table, deal.table, mirror.seat)
        if found:
            raise Breach(f"{who} sees table {room.number} wrongly: {found}")

    def _judge(self) -> None:
        hub = self.hub
        for origin, data in hub.outbox[self._judged :]:
            party = self._parties.get(origin)
            if party is None:
                self.came(origin)
                party = self._parties[origin]
            message = decoded(data)
            if type(message) is wire.Welcome:
                self._welcomed(origin, message)
            elif type(message) is wire.Goodbye:
                self.met[f"goodbye: {message.word}"] += 1
            elif type(message) is wire.Refused:
                self.met[f"refused: {message.word}"] += 1
            elif type(message) is wire.Snapshot:
                self.owed.discard(origin)
            self.oracle.judge(data, party.places | party.current(), party.others)
        for topic, data in hub.bulletins[self._published :]:
            self.oracle.judge(data, set(), self._tickets, topic)
        self._judged, self._published = len(hub.outbox), len(hub.bulletins)

    def _welcomed(self, origin: bytes, message: wire.Welcome) -> None:
        party = self._parties[origin]
        if message.resumed:
            self.met["return"] += 1
            if message.ticket not in party.tickets:
                raise Breach(f"a seat was given to who showed no ticket for it: {message}")
            return
        if message.ticket in self._tickets:
            raise Breach(f"one ticket was given twice: {message}")
        self._tickets.append(message.ticket)
        for other in self._parties.values():
            other.others.append(message.ticket)
        self.showed(origin, message.ticket)
