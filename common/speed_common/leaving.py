"""Leaving in mid-deal: the deal is the last player's, or goes on without the one who left.

Between two players it is forfeit. Of three or four, the leaver's cards go shuffled under the side piles: set aside they
could leave the others without any card that fits.
"""

from __future__ import annotations

from speed_common.calls import won
from speed_common.cards import NO_CARD
from speed_common.events import DealTime, Event, Left
from speed_common.state import CALLING, Table, copy_of
from speed_common.stuck import settle
from speed_common.table import evolve


def leave(table: Table, seat: int, at: DealTime) -> tuple[Event, ...]:
    """What comes of it that a player who is still there leaves a deal that runs."""
    others = [other for other in table.remaining() if other != seat]
    if len(others) == 1:
        return (won(table, at, others[0], forfeit=True),)
    stream = table.stream
    assert stream is not None, "only the server's table is asked to shuffle"
    cards = [card for card in table.hands[seat] if card != NO_CARD] + table.draws[seat]
    row, position = stream.shuffled(cards, table.position)
    piles = table.rules.piles
    left = Left(at, seat, tuple((*row[pile::piles], *side) for pile, side in enumerate(table.sides)), position)
    after = evolve(copy_of(table), left)
    return left, *(() if after.phase == CALLING else settle(after, at))
