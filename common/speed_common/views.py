"""Hiding: what a viewer may know of a table and of an event. The only place where cards are withheld.

Who may know what, as an allow-list: the own hand; the tops; every count; which slot a card leaves. Nobody knows a draw
pile, a side pile, what lies below a top, or another's hand. The law, tested over all viewers:
`hide(evolve(t, e), v) == evolve(hide(t, v), hide_event(e, v))`.

A `View` is a hidden table as a message: a keyframe for a spectator, a snapshot for a player who comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from speed_common.cards import HIDDEN, NO_CARD, Card
from speed_common.events import (
    NOBODY,
    DealTime,
    Drew,
    Event,
    Left,
    PerPile,
    PerSeat,
    Played,
    RankOrNone,
    Reshuffled,
    Revealed,
    Took,
    Tucked,
)
from speed_common.rules import Rules
from speed_common.state import DEALT, NEVER_US, SPECTATOR, Table

Count = Annotated[int, Meta(ge=0, le=108)]
Counts = Annotated[tuple[Count, ...], Meta(max_length=4)]


def hide_event(event: Event, viewer: int) -> Event:
    """The event as `viewer` (a seat, or `SPECTATOR`) may see it."""
    if isinstance(event, Played):
        if event.seat == viewer or event.refill == NO_CARD:
            return event
        return Played(event.at, event.seat, event.slot, event.card, event.pile, HIDDEN, event.named)
    if isinstance(event, Drew):
        return event if event.seat == viewer else Drew(event.at, event.seat, event.slot, HIDDEN)
    if isinstance(event, Revealed):
        return Revealed(event.at, _hide_hands(event.hands, viewer), event.tops)
    if isinstance(event, Reshuffled):
        return Reshuffled(event.at, _hide_all(event.sides), 0)
    if isinstance(event, Tucked):
        return Tucked(event.at, _hide_hands(event.hands, viewer), _hide_all(event.draws))
    if isinstance(event, Took):
        hand = event.hand if event.seat == viewer else _hidden(event.hand)
        return Took(event.at, event.seat, event.pile, hand, _hidden(event.draw), 0, event.by)
    if isinstance(event, Left):
        return Left(event.at, event.seat, _hide_all(event.sides), 0)
    return event


def hide_events(events: Sequence[Event], viewer: int) -> tuple[Event, ...]:
    """Each event as `viewer` may see it."""
    if len(events) == 1:  # nearly always
        return (hide_event(events[0], viewer),)
    return tuple([hide_event(event, viewer) for event in events])


def insiders_of(events: Iterable[Event]) -> Sequence[int]:
    """The seats that may see more of these events than the public; every other viewer sees what a spectator does."""
    seats: list[int] = []
    for event in events:
        if isinstance(event, Played):
            if event.refill != NO_CARD:
                seats.append(event.seat)
        elif isinstance(event, (Drew, Took)):
            seats.append(event.seat)
        elif isinstance(event, (Revealed, Tucked)):  # an `|` would be made anew each time
            seats.extend(range(len(event.hands)))
    return seats


def hide(table: Table, viewer: int) -> Table:
    """A new table as `viewer` may see it. Before the reveal even the own hand and the tops are hidden."""
    shown = table.phase != DEALT
    view = Table(
        table.rules,
        viewer,
        hands=[list(hand) for hand in _hide_hands(table.hands, viewer if shown else SPECTATOR)],
        draws=[[HIDDEN] * len(pile) for pile in table.draws],
        tops=list(table.tops) if shown else [HIDDEN] * len(table.tops),
        under=[[HIDDEN] * len(pile) for pile in table.under],
        sides=[[HIDDEN] * len(pile) for pile in table.sides],
        out=[HIDDEN] * len(table.out),
    )
    view.named = list(table.named)
    view.reach = list(table.reach)
    view.phase = table.phase
    view.due = table.due
    view.last_play = list(table.last_play)
    view.last_turn = table.last_turn
    view.frozen = list(table.frozen)
    view.gone = list(table.gone)
    view.asked = list(table.asked)
    view.emptied = table.emptied
    view.caught_at = table.caught_at
    view.lifted = list(table.lifted)
    view.beaten = list(table.beaten)
    view.played_since_filling = table.played_since_filling
    view.tucked_since_filling = table.tucked_since_filling
    view.barren = table.barren
    view.winner = table.winner
    view.score = table.score
    return view


class View(msgspec.Struct, frozen=True, array_like=True):
    """A hidden table in plain counts and visible cards. Lists run by seat or pile, hands by slot.

    The last fields are empty while nobody is gone, asks for the flip, or has been frozen.
    """

    phase: Annotated[int, Meta(ge=0, le=4)]
    hands: PerSeat
    draws: Counts
    tops: PerPile
    under: Counts
    sides: Counts
    lifted: Annotated[tuple[Annotated[int, Meta(ge=-1, le=9)], ...], Meta(max_length=4)]
    beaten: Annotated[tuple[Annotated[int, Meta(ge=0, le=1 << 20)], ...], Meta(max_length=4)]
    due: DealTime | None = None
    named: Annotated[tuple[RankOrNone, ...], Meta(max_length=4)] = ()
    winner: Annotated[int, Meta(ge=NOBODY, le=3)] = NOBODY
    score: Count = 0
    emptied: Annotated[int, Meta(ge=NOBODY, le=3)] = NOBODY
    gone: Annotated[tuple[bool, ...], Meta(max_length=4)] = ()
    asked: Annotated[tuple[bool, ...], Meta(max_length=4)] = ()
    frozen: Annotated[tuple[DealTime, ...], Meta(max_length=4)] = ()


def view_of(table: Table, viewer: int) -> View:
    """What `viewer` may see of the table, as a message."""
    hidden = table if table.viewer == viewer else hide(table, viewer)
    return View(
        hidden.phase,
        tuple(map(tuple, hidden.hands)),
        tuple(map(len, hidden.draws)),
        tuple(hidden.tops),
        tuple(map(len, hidden.under)),
        tuple(map(len, hidden.sides)),
        tuple(hidden.lifted),
        tuple(hidden.beaten),
        hidden.due,
        tuple(hidden.named) if hidden.rules.declared else (),
        hidden.winner,
        hidden.score,
        hidden.emptied,
        tuple(hidden.gone) if any(hidden.gone) else (),
        tuple(hidden.asked) if any(hidden.asked) else (),
        tuple(hidden.frozen) if max(hidden.frozen) != NEVER_US else (),
    )


def table_of(rules: Rules, view: View, viewer: int) -> Table:
    """The table that a view describes, ready to evolve.

    Raises `ValueError` when the view is not of a table with these rules.
    """
    nothing = view.beaten
    per_seat = (
        *(view.hands, view.draws, view.lifted, view.beaten),
        *(view.gone or nothing, view.asked or nothing, view.frozen or nothing),
    )
    per_pile = (view.tops, view.under, view.sides, view.named or view.tops)
    if (
        any(len(one) != rules.players for one in per_seat)
        or any(len(one) != rules.piles for one in per_pile)
        or any(len(hand) != rules.hand_size for hand in view.hands)
        or any(slot >= rules.hand_size for slot in view.lifted)
        or view.emptied >= rules.players
    ):
        raise ValueError(
            f"the view is not of a table with {rules.players} players, hands of {rules.hand_size}, {rules.piles} piles"
        )
    table = Table(
        rules,
        viewer,
        hands=[list(hand) for hand in view.hands],
        draws=[[HIDDEN] * count for count in view.draws],
        tops=list(view.tops),
        under=[[HIDDEN] * count for count in view.under],
        sides=[[HIDDEN] * count for count in view.sides],
        out=[HIDDEN] * rules.out,
    )
    table.named = list(view.named) or table.named
    table.reach = [
        0 if card < 0 else table.landing(card, named) for card, named in zip(table.tops, table.named, strict=True)
    ]
    table.phase = view.phase
    table.due = view.due
    table.lifted = list(view.lifted)
    table.beaten = list(view.beaten)
    table.winner = view.winner
    table.score = view.score
    table.emptied = view.emptied
    table.gone = list(view.gone) or table.gone
    table.asked = list(view.asked) or table.asked
    table.frozen = list(view.frozen) or table.frozen
    return table


def _hide_hands(hands: Sequence[Iterable[Card]], viewer: int) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(hand) if seat == viewer else _hidden(hand) for seat, hand in enumerate(hands))


def _hide_all(piles: Iterable[Iterable[Card]]) -> tuple[tuple[Card, ...], ...]:
    return tuple(map(_hidden, piles))


def _hidden(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(NO_CARD if card == NO_CARD else HIDDEN for card in cards)
