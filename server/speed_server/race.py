"""Which play comes first: race times, and the order in which a table's plays are judged.

A play's *race time* is the instant of its press in deal time, read on the player's own clock and brought to the
server's by what the heartbeats told of it. `Race` keeps the plays of one deal that are not yet judged and hands them
out in the order of their *effective* times: the race time, or the end of the minimum gap after the player's last
play, whichever is later. A tick pops all that is due; arrival never orders two plays of the same tick. Where two
effective times are equal a token decides and passes to the other seat.

`Race` knows no card and no rule, judges nothing and reads no clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from speed_common.cards import NO_CARD
from speed_common.events import DealTime
from speed_server.deal_clock import NS_PER_US

DRAW: Final = NO_CARD
"""In a play's place of a card: the press draws one (manual refill), with the same gap before and after."""

CALL: Final = DRAW - 1
"""In a play's place of a card: the press calls "Speed!", which needs no hand and so no gap."""

MOST_WAITING: Final = 8
"""Plays of one seat that may wait to be judged: a hand and some; a flood would make the others wait for it."""


class Stamp(NamedTuple):
    """When a player says to have pressed, in server time (ns): within `error_ns`, and not before `floor_ns`."""

    press_ns: int
    error_ns: int
    floor_ns: int


class Pressed(msgspec.Struct, frozen=True, gc=False):
    """A play as it was pressed: who, what (or `DRAW` or `CALL`), the request's number, and its race time.

    For the record: `arrival` is the deal time at which it came, None for a computer's, and `moved_from` the race time
    that it had before it was moved to the end of the gap, if it was.
    """

    seat: int
    card: int
    pile: int
    named: int
    seq: int
    race_time: DealTime
    arrival: DealTime | None = None
    moved_from: DealTime | None = None


def race_time(stamp: Stamp | None, arrival_ns: int, oldest_ns: int, reveal_at_ns: int) -> DealTime | None:
    """The deal time of a press; None for one from before the reveal. All arguments are server time.

    `stamp` is None while the clocks are not in step: then the arrival counts. A press cannot be later than its arrival,
    nor earlier than the player's own last one, nor than `oldest_ns`: a stamp outside is moved to the bound, so a forged
    one gains nothing beyond it.
    """
    instant = arrival_ns
    if stamp is not None:
        if stamp.press_ns + stamp.error_ns < reveal_at_ns:
            return None
        instant = min(arrival_ns, max(stamp.press_ns, stamp.floor_ns, oldest_ns))
    return max(0, (instant - reveal_at_ns) // NS_PER_US)


class Race:
    """The plays of one deal that wait to be judged; each seat's stay in the order in which they were pressed."""

    __slots__ = ("_arrival_order", "_arrivals", "_gap_us", "_queues", "_token", "waiting")

    def __init__(self, seats: int, gap_us: int, *, arrival_order: bool = False) -> None:
        self._queues: list[deque[tuple[Pressed, int]]] = [deque() for _ in range(seats)]
        self._gap_us = gap_us
        self._arrival_order = arrival_order
        self._arrivals = 0
        self._token = 0
        self.waiting = 0
        """How many plays wait to be judged."""

    def submit(self, play: Pressed) -> bool:
        """A play arrived. False, and it is not taken, when too many of that seat's wait already."""
        queue = self._queues[play.seat]
        if len(queue) >= MOST_WAITING:
            return False
        self._arrivals += 1
        self.waiting += 1
        queue.append((play, self._arrivals))
        return True

    def forget(self, seat: int) -> list[Pressed]:
        """Drop what a seat has waiting; the dropped plays are returned, to be answered."""
        dropped = [play for play, _ in self._queues[seat]]
        self.waiting -= len(dropped)
        self._queues[seat].clear()
        return dropped

    def pop(self, now_us: DealTime, last_play: Sequence[DealTime]) -> Pressed | None:
        """The next play to judge, its `race_time` now the effective one; None when none is due by `now_us`.

        `last_play` is when each seat's last accepted play took effect: judge each play before asking for the next.
        """
        if not self.waiting:
            return None
        if self.waiting == 1:
            return self._pop_only(now_us, last_play)
        least, chosen, tied = None, -1, False
        for seat, queue in enumerate(self._queues):
            if not queue:
                continue
            effective = self._effective(seat, last_play)
            if effective > now_us:
                continue
            place = queue[0][1] if self._arrival_order else effective
            if least is None or place < least:
                least, chosen, tied = place, seat, False
            elif place == least:
                tied = True
        if least is None:
            return None
        if tied:
            chosen = self._break_tie(last_play, least)
        return self._take(chosen, self._effective(chosen, last_play))

    def next_due(self, last_play: Sequence[DealTime]) -> DealTime | None:
        """The deal time at which the next waiting play takes effect."""
        if not self.waiting:
            return None
        return min(self._effective(seat, last_play) for seat, queue in enumerate(self._queues) if queue)

    def _effective(self, seat: int, last_play: Sequence[DealTime]) -> DealTime:
        """When the seat's first waiting play takes effect: at its race time, or at the end of the gap."""
        play = self._queues[seat][0][0]
        return max(play.race_time, last_play[seat] + (0 if play.card == CALL else self._gap_us))

    def _pop_only(self, now_us: DealTime, last_play: Sequence[DealTime]) -> Pressed | None:
        """The one play that waits, which is how nearly every tick finds it."""
        for seat, queue in enumerate(self._queues):
            if queue:
                effective = self._effective(seat, last_play)
                return self._take(seat, effective) if effective <= now_us else None
        return None

    def _take(self, seat: int, effective: DealTime) -> Pressed:
        """The seat's next play off its queue, stamped with its effective time."""
        play, _ = self._queues[seat].popleft()
        self.waiting -= 1
        if effective == play.race_time:
            return play
        return msgspec.structs.replace(play, race_time=effective, moved_from=play.race_time)

    def _break_tie(self, last_play: Sequence[DealTime], at: DealTime) -> int:
        """Of the seats whose next play takes effect at `at`, the first from the token on, which passes beyond it."""
        seats = [seat for seat, queue in enumerate(self._queues) if queue and self._effective(seat, last_play) == at]
        count = len(self._queues)
        chosen = min(seats, key=lambda seat: (seat - self._token) % count)
        self._token = (chosen + 1) % count
        return chosen
