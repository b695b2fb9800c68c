"""Lost races: why a card that fits nowhere does not, and whether an opponent's play was the reason.

A play that comes a moment after an opponent's on the same pile is told so, and by how little; a flip is no opponent.
"""

from __future__ import annotations

from itertools import pairwise

from speed_common.cards import BITS, Card
from speed_common.events import AUTO_PILE, Play, Played, Refusal
from speed_common.state import Table


def lost_race(table: Table, request: Play, card: Card) -> Refusal:
    """Why `card` that fits nowhere it may go does not: an opponent's play took the fit away lately, or it never fitted.

    For each pile the latest change that took the fit away counts, if an opponent's *play* made it within the window;
    over several piles the smallest lateness. A press from before that change is `late_link`: its message came too late.
    """
    lost: Refusal | None = None
    for pile in range(len(table.tops)):
        if request.pile not in {AUTO_PILE, pile}:
            continue
        taken = _taken_by(table, pile, card)
        if taken is None or taken.seat == request.seat:
            continue
        late = request.at - taken.at
        if late <= table.rules.beaten_window_us and (lost is None or late < lost.late):
            lost = Refusal("beaten" if late >= 0 else "late_link", late, taken.seat, pile, taken.card)
    return lost or Refusal("illegal", pile=request.pile)


def _taken_by(table: Table, pile: int, card: Card) -> Played | None:
    """The play that took the pile's fit for `card` away; None if a flip did, or if the card never fitted."""
    bit = BITS[card]
    for change, before in pairwise(reversed(table.changes[pile])):
        if table.fits_after(before, pile) & bit and not table.fits_after(change, pile) & bit:
            return change if isinstance(change, Played) else None
    return None
