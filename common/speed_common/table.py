"""One deal's table, and `evolve`, which applies what happened.

`evolve(table, event)` changes the table in place; it never judges and never fails on an event that `decide` made (see
the module of that name). The same `evolve` runs in the server, in a player's client, in a spectator's and in a replay.
What a table is made of is told in `state`, whose names are also this module's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from speed_common.cards import BITS, HIDDEN, NO_CARD, NO_RANK
from speed_common.events import (
    NOBODY,
    Beaten,
    DealTime,
    Drew,
    Dropped,
    Emptied,
    Event,
    FlipAsked,
    Flipped,
    Freed,
    Frozen,
    Left,
    Lifted,
    Played,
    Reshuffled,
    Revealed,
    Stuck,
    Took,
    Tucked,
    Voided,
    Waiting,
    Won,
)
from speed_common.rules import as_card_set, fits_rank
from speed_common.state import (
    ALL_SEEING,
    CALLING,
    DEALT,
    NEVER_US,
    NO_SLOT,
    OVER,
    PLAYING,
    SPECTATOR,
    STUCK,
    Table,
    TopChange,
    new_table,
)

__all__ = [
    "ALL_SEEING",
    "CALLING",
    "DEALT",
    "NEVER_US",
    "NO_SLOT",
    "OVER",
    "PLAYING",
    "SPECTATOR",
    "STUCK",
    "Table",
    "TopChange",
    "evolve",
    "new_table",
]


def evolve(table: Table, event: Event) -> Table:
    """Apply `event` to `table` in place; the table is returned for convenience."""
    _EVOLVE[type(event)](table, event)
    return table


def _evolve_revealed(table: Table, event: Revealed) -> None:
    if table.viewer == ALL_SEEING:
        for changes in table.changes:
            changes.append(event)
    else:
        table.hands = [list(hand) for hand in event.hands]
        table.held = [as_card_set(hand) for hand in event.hands]
        table.tops = list(event.tops)
    table.reach = [table.fits[card] for card in event.tops]
    table.phase = PLAYING
    table.last_turn = event.at


def _go_on(table: Table, at: DealTime) -> None:
    """Play goes on after the table has moved: nothing is due, and nobody asks for anything any more."""
    table.phase = PLAYING
    table.due = None
    table.emptied = NOBODY
    table.last_turn = at
    if True in table.asked:
        table.asked = [False] * len(table.asked)


def _evolve_played(table: Table, event: Played) -> None:
    seat, card, pile, refill, named = event.seat, event.card, event.pile, event.refill, event.named
    table.hands[seat][event.slot] = refill
    held, tops = table.held, table.tops
    if held[seat]:
        held[seat] ^= BITS[card] | BITS[refill]
    if refill != NO_CARD:
        table.draws[seat].pop()
    if table.viewer == ALL_SEEING:
        table.under[pile].append(tops[pile])
        table.changes[pile].append(event)
    else:
        table.under[pile].append(HIDDEN)
    tops[pile] = card
    table.named[pile] = named
    table.reach[pile] = table.fits[card] if named == NO_RANK else fits_rank(table.rules, named)
    table.last_play[seat] = event.at
    table.lifted[seat] = NO_SLOT
    table.played_since_filling = True
    table.barren = 0


def _evolve_drew(table: Table, event: Drew) -> None:
    seat = event.seat
    table.hands[seat][event.slot] = event.card
    table.draws[seat].pop()
    table.held[seat] |= BITS[event.card]
    table.last_play[seat] = event.at


def _evolve_stuck(table: Table, event: Stuck) -> None:
    table.phase = STUCK
    table.due = event.due


def _evolve_waiting(table: Table, event: Waiting) -> None:
    _go_on(table, table.last_turn)
    table.due = event.due


def _evolve_freed(table: Table, event: Freed) -> None:
    _go_on(table, event.at)


def _evolve_flipped(table: Table, event: Flipped) -> None:
    for pile, card in enumerate(event.tops):
        if card != NO_CARD:
            table.sides[pile].pop()
            if table.viewer == ALL_SEEING:
                table.under[pile].append(table.tops[pile])
                table.changes[pile].append(event)
            else:
                table.under[pile].append(HIDDEN)
            table.tops[pile] = card
            table.named[pile] = NO_RANK
            table.reach[pile] = table.fits[card]
    _go_on(table, event.at)


def _evolve_reshuffled(table: Table, event: Reshuffled) -> None:
    table.sides = [list(pile) for pile in event.sides]
    table.under = [[] for _ in table.under]
    table.position = event.position
    if not table.played_since_filling and not table.tucked_since_filling:
        table.barren += 1
    table.played_since_filling = False
    table.tucked_since_filling = False


def _evolve_tucked(table: Table, event: Tucked) -> None:
    table.hands = [list(hand) for hand in event.hands]
    table.held = [as_card_set(hand) for hand in table.hands]
    table.draws = [list(pile) for pile in event.draws]
    table.lifted = [NO_SLOT] * len(table.lifted)
    table.tucked_since_filling = True
    table.barren += 1
    _go_on(table, event.at)


def _evolve_won(table: Table, event: Won) -> None:
    table.winner = event.seat
    table.score = event.score
    _end(table)


def _evolve_voided(table: Table, _: Voided) -> None:
    _end(table)


def _end(table: Table) -> None:
    table.phase = OVER
    table.due = None
    table.emptied = NOBODY
    table.asked = [False] * len(table.asked)


def _evolve_lifted(table: Table, event: Lifted) -> None:
    table.lifted[event.seat] = event.slot


def _evolve_dropped(table: Table, event: Dropped) -> None:
    table.lifted[event.seat] = NO_SLOT


def _evolve_beaten(table: Table, event: Beaten) -> None:
    table.beaten[event.seat] += 1


def _evolve_emptied(table: Table, event: Emptied) -> None:
    table.phase = CALLING
    table.due = event.due
    table.emptied = event.seat


def _evolve_frozen(table: Table, event: Frozen) -> None:
    table.frozen[event.seat] = event.until


def _evolve_took(table: Table, event: Took) -> None:
    seat = event.seat
    table.under[event.pile] = []
    table.hands[seat] = list(event.hand)
    table.held[seat] = as_card_set(event.hand)
    table.draws[seat] = list(event.draw)
    table.position = event.position
    table.barren = 0
    if event.by != NOBODY:
        table.caught_at = event.at
        _go_on(table, event.at)
    table.last_turn = event.at


def _evolve_flip_asked(table: Table, event: FlipAsked) -> None:
    table.asked[event.seat] = True


def _evolve_left(table: Table, event: Left) -> None:
    seat = event.seat
    table.gone[seat] = True
    table.asked[seat] = False
    table.frozen[seat] = NEVER_US
    table.lifted[seat] = NO_SLOT
    table.hands[seat] = [NO_CARD] * len(table.hands[seat])
    table.held[seat] = 0
    table.draws[seat] = []
    table.sides = [list(pile) for pile in event.sides]
    table.position = event.position
    table.barren = 0
    if table.emptied == seat:
        _go_on(table, event.at)
    table.last_turn = event.at


_EVOLVE: Final[dict[type, Callable[[Table, Any], None]]] = {
    Revealed: _evolve_revealed,
    Played: _evolve_played,
    Drew: _evolve_drew,
    Stuck: _evolve_stuck,
    Waiting: _evolve_waiting,
    Freed: _evolve_freed,
    Flipped: _evolve_flipped,
    Reshuffled: _evolve_reshuffled,
    Tucked: _evolve_tucked,
    Won: _evolve_won,
    Voided: _evolve_voided,
    Lifted: _evolve_lifted,
    Dropped: _evolve_dropped,
    Beaten: _evolve_beaten,
    Emptied: _evolve_emptied,
    Frozen: _evolve_frozen,
    Took: _evolve_took,
    FlipAsked: _evolve_flip_asked,
    Left: _evolve_left,
}
