"""Idle players: a playable card must be played, so after long enough one is played for somebody.

Only where the rules say so (`idle_autoplay_us`), and only when everybody who could play has let it be for that long:
a table on which somebody can play never gets stuck, and holding back must not be a weapon.
"""

from __future__ import annotations

from speed_common import tactics
from speed_common.events import DealTime, Play
from speed_common.state import PLAYING, Table
from speed_common.stuck import union


def autoplay_due(table: Table) -> DealTime | None:
    """When `Autoplay` is due unless somebody does something before; None where it cannot be."""
    idle_us = table.rules.idle_autoplay_us
    if not idle_us or table.phase != PLAYING:
        return None
    may_from = [table.frozen[seat] for seat in _could_play(table)]
    return max(table.last_change + idle_us, min(may_from)) if may_from else None


def play_for_the_idle(table: Table, at: DealTime) -> Play | None:
    """The play that is made for the first seat that could and may play; None when it is not due."""
    due = autoplay_due(table)
    if due is None or at < due:
        return None
    seat = next(seat for seat in _could_play(table) if at >= table.frozen[seat])
    found = tactics.best_play(table.hands[seat], table.held[seat], table.reach, table.fits)
    assert found is not None, "a card that fits some top can be played"
    slot, pile = found
    return Play(seat, table.hands[seat][slot], pile, at)


def _could_play(table: Table) -> list[int]:
    """The seats that hold a card which fits some top."""
    reach = union(table.reach)
    return [seat for seat, held in enumerate(table.held) if held & reach]
