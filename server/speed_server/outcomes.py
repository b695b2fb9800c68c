"""What a deal leaves behind for others to pick up, and what is read from its events and plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import msgspec

from speed_common.cards import NO_CARD, Card
from speed_common.decide import Decision
from speed_common.events import (
    Beaten,
    Call,
    DealTime,
    Draw,
    Drew,
    Event,
    Flipped,
    Play,
    Played,
    Refusal,
    Request,
    Revealed,
    Took,
    Tucked,
)
from speed_common.verdict import Verdict
from speed_common.wire import Reactions
from speed_server.fair.showing import Showing
from speed_server.fair.waiting import CALL, DRAW, FairPlay


class Logged(msgspec.Struct, frozen=True, gc=False):
    """A request, its answer, the lost race that a refused one made known.

    For a play its race time and its arrival, and its place in the order if others could have contested it.
    `reveal_at_ns` is the server time of deal time 0 then: pauses move it.
    """

    request: Request
    decision: Decision
    beaten: Beaten | None = None
    reveal_at_ns: int = 0
    race_ns: int = 0
    arrival_ns: int = 0
    verdict: Verdict | None = None


class Batch(msgspec.Struct, frozen=True, gc=False):
    """Events that happened at one instant.

    `ahead` is, by seat of each player who may see more of them than the public, the card of that player's next play;
    `race` what the clocks know of the lost race that this is, if it is one.
    """

    events: tuple[Event, ...]
    showing: Showing
    ahead: Mapping[int, Card]
    race: Reactions | None = None


class Answer(NamedTuple):
    """A refusal on its way to the seat that asked, not to be sent before `send_at_ns`."""

    seat: int
    seq: int
    refusal: Refusal
    send_at_ns: int
    reactions: Reactions | None = None


_Turned: TypeAlias = tuple[list[int], dict[int, list[Card]]]


def turned_by(events: tuple[Event, ...]) -> _Turned:
    """The piles that get a new top by these events, and the cards that come into hands, by seat."""
    piles: list[int] = []
    hands: dict[int, list[Card]] = {}
    for event in events:
        if isinstance(event, (Revealed, Flipped)):
            piles += [pile for pile, top in enumerate(event.tops) if top != NO_CARD]
        if isinstance(event, (Revealed, Tucked)):
            hands |= {seat: [card for card in hand if card != NO_CARD] for seat, hand in enumerate(event.hands)}
        elif isinstance(event, Took):
            hands[event.seat] = [card for card in event.hand if card != NO_CARD]
        elif isinstance(event, Drew):
            hands.setdefault(event.seat, []).append(event.card)
        elif isinstance(event, Played):
            piles.append(event.pile)
            hands[event.seat] = [event.refill] if event.refill != NO_CARD else []
    return piles, hands


def request_of(play: FairPlay, at: DealTime) -> Request:
    """What a play asks of the table, as at its effective time."""
    if play.card == DRAW:
        return Draw(play.seat, at)
    if play.card == CALL:
        return Call(play.seat, at)
    return Play(play.seat, play.card, play.pile, at, play.named)
