"""Who may be told what: every message to every party is decoded, and every card in it must be known to that party.

A card is known to a party if it lay open once, or lies or lay in the party's own hand, or, as `ahead`, is the next of
the own draw pile. And beside what is known it counts where it is said to lie: another's hand, a draw pile and a side
pile show nothing to anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tests.sim.truth import Breach, DealTruth, Place, Truth

from speed_common import wire
from speed_common.cards import BITS
from speed_common.events import Drew, Left, Played, Reshuffled, Revealed, Took, Tucked
from speed_common.record_words import CARD_FIELDS
from speed_common.table import DEALT, SPECTATOR
from speed_common.views import View

NOBODY_SEES = SPECTATOR
EVERYBODY = -1


class Said(NamedTuple):
    """A card that a message names, and whose it is: a seat's, everybody's, or nobody's to see."""

    card: int
    whose: int


def cards_said(part: Any) -> Iterator[Said]:
    """Every card in a delta's event or in a snapshot's view."""
    if isinstance(part, Played):
        yield Said(part.card, EVERYBODY)
        yield Said(part.refill, part.seat)
    elif isinstance(part, Drew):
        yield Said(part.card, part.seat)
    elif isinstance(part, Took):
        yield from _all((part.hand,), part.seat)
        yield from _all((part.draw,), NOBODY_SEES)
    elif isinstance(part, Revealed | Tucked | View):
        for seat, hand in enumerate(part.hands):
            yield from _all((hand,), seat)
        if isinstance(part, Tucked):
            yield from _all(part.draws, NOBODY_SEES)
        else:
            yield from _all((part.tops,), EVERYBODY)
    elif isinstance(part, Reshuffled | Left):
        yield from _all(part.sides, NOBODY_SEES)
    else:  # a kind that is new here, or has no card: whatever field has a card's name is as open as a top
        for name in CARD_FIELDS.intersection(part.__struct_fields__):
            value = getattr(part, name)
            yield from _all((value if isinstance(value, Sequence) else (value,),), EVERYBODY)


def _all(heaps: Sequence[Any], whose: int) -> Iterator[Said]:
    for heap in heaps:
        for card in heap:
            if card >= 0:
                yield Said(card, whose)


@lru_cache(maxsize=64)
def decoded(data: bytes) -> wire.Down:
    """What a message says; what is public goes to many in the same bytes."""
    return wire.decode_down(data)


class Oracle:
    """Judges all that leaves one hub."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self.judged = 0

    def judge(self, data: bytes, places: set[Place], others: list[bytes], topic: bytes = b"") -> None:
        """One message to one party, who holds these seats; `others` are the tickets of everybody else."""
        self.judged += 1
        message = decoded(data)
        for ticket in others:
            if ticket in data:
                raise Breach(f"a ticket of somebody else's was told: {message}")
        for table, deal in self._truth.deals.items():
            if deal.seed and not deal.over and deal.seed in data:
                raise Breach(f"the seed of table {table} was told before the deal was over: {message}")
        if isinstance(message, wire.Snapshot):
            self._snapshot(message, places)
        elif isinstance(message, wire.Delta):
            self._delta(message, places, topic)
        elif isinstance(message, wire.Refused) and message.took >= 0:
            self._must_know(message, [Said(message.took, EVERYBODY)], places, None)

    def _snapshot(self, message: wire.Snapshot, places: set[Place]) -> None:
        place = Place(message.room.table, message.seat)
        if message.seat != SPECTATOR and place not in places:
            raise Breach(f"a view of {place} was told to who has {sorted(places)}: {message}")
        said = list(cards_said(message.view)) if message.view is not None else []
        self._must_know(message, said, {place} if message.seat != SPECTATOR else set(), message.room.table)
        if message.ahead >= 0:
            self._ahead(message, message.ahead, {place})

    def _delta(self, message: wire.Delta, places: set[Place], topic: bytes) -> None:
        if not topic and not places:
            raise Breach(f"a delta was told to who has no seat: {message}")
        tables = {number for number in (*self._truth.deals, *self._truth.before) if wire.table_topic(number) == topic}
        tables |= {place.table for place in places}
        table = tables.pop() if len(tables) == 1 else None
        said = [card for event in message.events for card in cards_said(event)]
        self._must_know(message, said, places, table)
        if message.ahead >= 0:
            self._ahead(message, message.ahead, places)

    def _must_know(self, message: Any, said: list[Said], places: set[Place], table: int | None) -> None:
        """`table` None: the message does not say which it is about."""
        cards = [one for one in said if one.card >= 0]
        if not cards:
            return
        tables = [table] if table is not None else sorted({place.table for place in places})
        deals = [deal for number in tables for deal in self._deals(number)]
        seats = {place.seat for place in places}
        for card, whose in cards:
            bit = BITS[card]
            if whose == EVERYBODY:
                known = any(deal.public & bit for deal in deals)
            else:
                known = whose in seats and any(whose < len(deal.own) and deal.own[whose] & bit for deal in deals)
            if not known:
                raise Breach(f"card {card} of {whose} was told to who has {sorted(places)}: {message}")

    def _ahead(self, message: Any, card: int, places: set[Place]) -> None:
        for place in places:
            for deal in self._deals(place.table):
                open_yet = deal.table.phase != DEALT
                if open_yet and any(tops[place.seat] == card for tops in deal.next_cards[-MOST_EVENTS:]):
                    return
        raise Breach(f"card {card}, told as the next one, is not that of {sorted(places)}: {message}")

    def _deals(self, table: int) -> list[DealTruth]:
        return [deal for deal in (self._truth.deals.get(table), self._truth.before.get(table)) if deal is not None]


MOST_EVENTS = 2 * wire.MAX_EVENTS
