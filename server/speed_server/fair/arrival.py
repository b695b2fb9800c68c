"""Plain arrival order: what every other server of this kind does, here for comparison. Pure.

It answers to the same calls as `FairOrder` and holds nothing back: a play counts from the instant at which it came, and
what happens is shown and sent at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from speed_common.fair_settings import FairSettings
from speed_common.verdict import Claim, Verdict
from speed_server.fair.showing import Showing, own_thing
from speed_server.fair.waiting import CALL, NO_PILE, FairPlay, Ruling
from speed_server.fair.watermarks import Ping

_NOBODYS: Final = own_thing(0, 0, 0)
_BLANK: Final = Verdict(0, 0, 0, NO_PILE, Claim(0, 0, 0, 0, None, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, "order")
"""All that an order by arrival has to say of a play is in its ruling."""


class ArrivalOrder:
    """One deal's plays as they come, each seat's at least `gap_ns` apart."""

    __slots__ = ("_gap_end_ns", "_gap_ns", "_most", "_queues", "_seats", "waiting")

    def __init__(self, settings: FairSettings, seats: int, gap_ns: int) -> None:
        self._most = settings.most_pending
        self._seats = seats
        self._gap_ns = gap_ns
        self._gap_end_ns = [0] * seats
        self._queues: list[list[tuple[int, FairPlay]]] = [[] for _ in range(seats)]
        self.waiting = 0

    def shown(self, seat: int, revision: int, c_shown: int) -> None:
        """When a client showed something does not count here."""

    def resumed(self, now: int) -> None:
        """Nor when it was pressed."""

    def refused(self, ruling: Ruling) -> None:
        """Nothing falls with a refused play."""

    def take_probes(self) -> list[Ping]:
        """Nobody is asked."""
        return []

    def turned(
        self,
        revision: int,  # noqa: ARG002
        now: int,
        piles: Iterable[int],  # noqa: ARG002
        hands: Mapping[int, Iterable[int]] | None = None,  # noqa: ARG002
        *,
        at_ns: int = 0,
        calm: bool = True,  # noqa: ARG002
    ) -> Showing:
        """Sent at once; shown at `at_ns`, if that is still to come."""
        return Showing(max(now, at_ns), (now,) * self._seats)

    def told(self, now: int) -> Showing:
        """Shown and sent at once."""
        return Showing(now, (now,) * self._seats)

    def submit(self, play: FairPlay, now: int) -> bool:
        """A play arrived at `now`. False, and it is not taken, when too many of that seat's wait already."""
        queue = self._queues[play.seat]
        if len(queue) >= self._most:
            return False
        queue.append((now, play))
        self.waiting += 1
        return True

    def forget(self, seat: int) -> list[FairPlay]:
        """Drop what a seat has waiting; the dropped plays are returned, to be answered."""
        dropped = [play for _, play in self._queues[seat]]
        self.waiting -= len(dropped)
        self._queues[seat].clear()
        return dropped

    def pop(self, now: int) -> Ruling | None:
        """The next play that may be judged; None when none may be yet."""
        chosen, first_ns, at_ns = -1, now + 1, 0
        for seat, queue in enumerate(self._queues):
            if queue and queue[0][0] < first_ns and (effective_ns := self._effective(seat)) <= now:
                chosen, first_ns, at_ns = seat, queue[0][0], effective_ns
        if chosen < 0:
            return None
        self.waiting -= 1
        return Ruling(self._queues[chosen].pop(0)[1], "judge", at_ns, first_ns, first_ns, _BLANK, _NOBODYS)

    def played(
        self,
        ruling: Ruling,
        now: int,
        revision: int,  # noqa: ARG002
        pile: int,  # noqa: ARG002
        refill: Iterable[int] = (),  # noqa: ARG002
    ) -> Showing:
        """The table took the play: the gap to the seat's next one begins."""
        self._gap_end_ns[ruling.play.seat] = ruling.at_ns + self._gap_ns
        return Showing(now, (now,) * self._seats)

    def next_due(self) -> int | None:
        """When to call `pop` again; None while nothing waits."""
        return min((self._effective(seat) for seat, queue in enumerate(self._queues) if queue), default=None)

    def _effective(self, seat: int) -> int:
        arrival_ns, play = self._queues[seat][0]
        gap_end_ns = self._gap_end_ns[seat]
        return arrival_ns if arrival_ns >= gap_end_ns or play.card == CALL else gap_end_ns
