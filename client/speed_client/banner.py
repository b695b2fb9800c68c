"""The sentence that a table's own state speaks, for as long as it lasts: a pause, a call, a freeze, a stuck table."""

from __future__ import annotations

from typing import Final

from speed_client.outcome import minutes
from speed_client.story import Notice
from speed_client.wake import Wake
from speed_client.wording import listed
from speed_common.cards import card_name
from speed_common.table import CALLING, PLAYING, STUCK, Table
from speed_common.wire import Room

PAIR: Final = 2
LAST_SECONDS: Final = 5
NO_END_NS: Final = 24 * 3_600_000_000_000
"""A pause longer than a day ends when somebody says so."""

HINT_AFTER_NS: Final = 5_000_000_000


def banner_of(
    room: Room, table: Table | None, seat: int, server_now: int | None, deal_ns: int | None, wake: Wake
) -> Notice | None:
    """The sentence that the state itself speaks to `seat` (or to a spectator), for as long as it lasts."""
    if server_now is None:
        return None
    if room.paused_until_ns:
        left_ns = room.paused_until_ns - server_now
        gone = [info.name for number, info in enumerate(room.seats) if not info.connected and number != seat]
        if left_ns > NO_END_NS:
            return Notice(f"{listed(gone)} lost the link: no clock runs" if gone else "paused by the director", "alarm")
        left = minutes(wake.seconds_left(left_ns))
        then = "the deal is forfeit" if len(room.seats) == PAIR else "play goes on"
        return Notice(
            f"{listed(gone) or 'a player'} {'are' if len(gone) > 1 else 'is'} gone: {then} in {left}", "alarm"
        )
    if table is None or deal_ns is None or table.phase not in {PLAYING, STUCK, CALLING}:
        return None
    if table.phase == CALLING and table.due is not None and table.emptied >= 0:
        return _calling(room, table, seat, table.due * 1_000 - deal_ns, wake)
    if seat >= 0:
        frozen_ns = table.frozen[seat] * 1_000 - deal_ns
        if frozen_ns > 0:
            return Notice(f"false call: you are frozen for {wake.tenths_left(frozen_ns)} s", "late")
    if table.phase == PLAYING and seat >= 0:
        return _hint(table, seat, deal_ns, wake)
    if table.phase != STUCK or table.due is None:
        return None
    left_s = wake.seconds_left(table.due * 1_000 - deal_ns)
    if table.rules.flip_trigger == "all_ready":
        return _asking(room, table, seat, left_s)
    return Notice(f"{_stuck_words(table)} in {left_s}")


def _hint(table: Table, seat: int, deal_ns: int, wake: Wake) -> Notice | None:
    """A card that can be played must be: when nobody has moved for long, the player is told which one can."""
    if table.last_change < 0:  # not known: we came in later
        return None
    wait_ns = table.last_change * 1_000 + HINT_AFTER_NS - deal_ns
    slot = next((slot for slot, card in enumerate(table.hands[seat]) if table.fits_on(card)), None)
    if slot is None:
        return None
    if wait_ns > 0:
        wake.by(wake.now + wait_ns)
        return None
    return Notice(f"{card_name(table.hands[seat][slot], signs=True)} can be played: press {(slot + 1) % 10}")


def _calling(room: Room, table: Table, seat: int, left_ns: int, wake: Wake) -> Notice:
    if table.emptied == seat:
        return Notice(f"Speed! press Space, {wake.tenths_left(left_ns)} s", "call")
    name = room.seats[table.emptied].name or "somebody"
    return Notice(
        f"{name} is out — call Speed! (Space)" if seat >= 0 else f"{name} is out and has not called yet", "call"
    )


def _asking(room: Room, table: Table, seat: int, left_s: int) -> Notice:
    """The sentence of a table that flips when all ask, or when the time is up."""
    waits = [
        room.seats[other].name or "somebody" for other in table.remaining() if not table.asked[other] and other != seat
    ]
    waiting = f" (waiting for {listed(waits)})" if waits else ""
    # Seconds would say that nothing need be done; only the last ones tell that it happens anyway.
    end = f" — by itself in {left_s}" if left_s <= LAST_SECONDS else ""
    if seat >= 0 and not table.asked[seat]:
        return Notice(f"stuck — press Space to flip{waiting}{end}")
    return Notice(f"{_stuck_words(table)} when all ask{waiting}{end}")


def _stuck_words(table: Table) -> str:
    """What a stuck table is about to do."""
    if any(table.sides):
        return "stuck — flip"
    if table.rules.tuck and not table.played_since_filling and not table.tucked_since_filling and any(table.draws):
        return "stuck, side piles empty — hands tuck under"
    return "stuck, side piles empty — reshuffle"
