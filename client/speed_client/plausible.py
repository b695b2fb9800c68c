"""Whether what a server says can be true of the table as it is known here. Pure.

`evolve` never judges: it trusts that `decide` made the event. A client has only the server's word for that, and a word
may be wrong: a bug, another version, a stranger. These checks are what `evolve` and the painters rely on, shapes and
piles that are not empty; whether a play was legal is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from speed_common.cards import NO_CARD
from speed_common.events import (
    NOBODY,
    Beaten,
    Drew,
    Dropped,
    Emptied,
    Event,
    FlipAsked,
    Flipped,
    Frozen,
    Left,
    Lifted,
    Played,
    Reshuffled,
    Revealed,
    Took,
    Tucked,
    Won,
)
from speed_common.table import Table
from speed_common.wire import Result, Snapshot


def can_happen(table: Table, event: Event) -> bool:
    """Whether `evolve` can apply the event to this table, and leaves one of the same shape."""
    check = _CHECKS.get(type(event))
    return check is None or check(table, event)


def can_be(snapshot: Snapshot) -> bool:
    """Whether a snapshot's room goes with its own rules and seat. Its view is checked when it is made a table."""
    room, players = snapshot.room, snapshot.room.rules.players
    result = room.result
    return (
        len(room.seats) == players
        and snapshot.seat < players
        and (result is None or _fits(result, players))
        and (snapshot.view is None or snapshot.view.winner < players)
    )


def _fits(result: Result, players: int) -> bool:
    counts = {0, players}
    return len(result.seats) in counts and len(result.fair) in counts and result.winner < players


def _seat(table: Table, seat: int) -> bool:
    return seat < len(table.hands)


def _place(table: Table, seat: int, slot: int) -> bool:
    return seat < len(table.hands) and slot < len(table.hands[seat])


def _hands(table: Table, hands: Sequence[Sequence[int]]) -> bool:
    return len(hands) == len(table.hands) and all(len(hand) == table.rules.hand_size for hand in hands)


def _revealed(table: Table, event: Revealed) -> bool:
    return _hands(table, event.hands) and len(event.tops) == len(table.tops) and min(event.tops) >= 0


def _played(table: Table, event: Played) -> bool:
    return (
        _place(table, event.seat, event.slot)
        and event.pile < len(table.tops)
        and event.card >= 0
        and (event.refill == NO_CARD or bool(table.draws[event.seat]))
    )


def _drew(table: Table, event: Drew) -> bool:
    return _place(table, event.seat, event.slot) and bool(table.draws[event.seat])


def _flipped(table: Table, event: Flipped) -> bool:
    return len(event.tops) == len(table.tops) and all(
        card == NO_CARD or (card >= 0 and bool(side)) for card, side in zip(event.tops, table.sides, strict=True)
    )


def _reshuffled(table: Table, event: Reshuffled) -> bool:
    return len(event.sides) == len(table.sides)


def _tucked(table: Table, event: Tucked) -> bool:
    return _hands(table, event.hands) and len(event.draws) == len(table.draws)


def _by_seat(table: Table, event: Won | Emptied | Frozen | FlipAsked) -> bool:
    return _seat(table, event.seat)


def _took(table: Table, event: Took) -> bool:
    return (
        _seat(table, event.seat)
        and (event.by == NOBODY or _seat(table, event.by))
        and event.pile < len(table.tops)
        and len(event.hand) == table.rules.hand_size
    )


def _left(table: Table, event: Left) -> bool:
    return _seat(table, event.seat) and len(event.sides) == len(table.sides)


def _shown(table: Table, event: Lifted | Dropped) -> bool:
    return _place(table, event.seat, event.slot)


def _beaten(table: Table, event: Beaten) -> bool:
    return _seat(table, event.seat) and _seat(table, event.by) and event.pile < len(table.tops)


_CHECKS: Final[dict[type, Callable[[Table, Any], bool]]] = {
    Revealed: _revealed,
    Played: _played,
    Drew: _drew,
    Flipped: _flipped,
    Reshuffled: _reshuffled,
    Tucked: _tucked,
    Won: _by_seat,
    Emptied: _by_seat,
    Frozen: _by_seat,
    FlipAsked: _by_seat,
    Took: _took,
    Left: _left,
    Lifted: _shown,
    Dropped: _shown,
    Beaten: _beaten,
}
