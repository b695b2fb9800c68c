"""What a deal came to beside its cards: who played how many, and the races for a pile that were won and lost.

The server counts while it judges and a replay counts again, both here, so that a record's result can be recomputed.
"""

from __future__ import annotations

from speed_common.cards import Card
from speed_common.events import Beaten, DealTime, Event, Refusal, Seat, Won
from speed_common.table import Table
from speed_common.wire import Result, SeatResult


class Tally:
    """The counts of one deal, by seat: cards `played`, races `won`.

    `closest` is the least margin of a race in microseconds, negative for a lost one, None without a race.
    """

    __slots__ = ("_lost", "closest", "played", "won")

    def __init__(self, players: int) -> None:
        self.played = [0] * players
        self.won = [0] * players
        self.closest: list[int | None] = [None] * players
        self._lost: set[tuple[Seat, Card]] = set()

    def lost(self, loser: Seat, refusal: Refusal, at: DealTime) -> Beaten | None:
        """Count a play refused as `beaten`. None: the same card thrown again is the same lost race."""
        winner, margin = refusal.by, refusal.late
        if (loser, refusal.took) in self._lost:
            return None
        self._lost.add((loser, refusal.took))
        self.won[winner] += 1
        for seat, signed in ((winner, margin), (loser, -margin)):
            closest = self.closest[seat]
            if closest is None or margin < abs(closest):
                self.closest[seat] = signed
        return Beaten(at, loser, refusal.pile, winner, margin)

    def result(self, table: Table, end: Event, seed: bytes = b"") -> Result:
        """The figures of a deal that `end`, its last event, ended."""
        return Result(
            table.winner,
            table.score,
            isinstance(end, Won) and end.forfeit,
            end.at,
            tuple(
                SeatResult(
                    self.played[seat], table.cards_left(seat), self.won[seat], table.beaten[seat], self.closest[seat]
                )
                for seat in range(table.rules.players)
            ),
            seed,
        )
