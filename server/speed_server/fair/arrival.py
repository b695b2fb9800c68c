"""Plain arrival order: what every other server of this kind does, here for comparison. Pure.

It answers to the same calls as `FairOrder` and holds nothing back: a play counts from the instant at which it came, and
what happens is shown and sent at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

from speed_common.fair_settings import FairSettings
from speed_common.verdict import Claim, Verdict
from speed_server.fair.showing import Showing, own_thing
from speed_server.fair.waiting import CALL, FairPlay, Ruling
from speed_server.fair.watermarks import Ping

_NOBODYS: Final = own_thing(0, 0, 0)


class ArrivalOrder:
    """One deal's plays as they come, each seat's at least `gap_ns` apart."""

    __slots__ = ("_gap_end_ns", "_gap_ns", "_most", "_queues", "waiting")

    def __init__(self, settings: FairSettings, seats: int, gap_ns: int) -> None:
        self._most = settings.most_pending
        self._gap_ns = gap_ns
        self._gap_end_ns = [0] * seats
        self._queues: list[deque[tuple[int, FairPlay]]] = [deque() for _ in range(seats)]
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
        return Showing(max(now, at_ns), (now,) * len(self._queues))

    def told(self, now: int) -> Showing:
        """Shown and sent at once."""
        return Showing(now, (now,) * len(self._queues))

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
        chosen, first_ns = -1, now + 1
        for seat, queue in enumerate(self._queues):
            if queue and queue[0][0] < first_ns and self._effective(seat) <= now:
                chosen, first_ns = seat, queue[0][0]
        if chosen < 0:
            return None
        at_ns = self._effective(chosen)
        arrival_ns, play = self._queues[chosen].popleft()
        self.waiting -= 1
        claim = Claim(arrival_ns, play.c_press, play.c_send, 0, None, 0, 0, 0, 0, 0, 0, 0)
        gap_end = 0 if play.card == CALL else self._gap_end_ns[chosen]
        verdict = Verdict(
            chosen, play.seq, play.card, play.pile_meant, claim, arrival_ns, gap_end, 0, at_ns, now, now - arrival_ns,
            "order",
        )  # fmt: skip
        return Ruling(play, "judge", at_ns, verdict, _NOBODYS)

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
        return Showing(now, (now,) * len(self._queues))

    def next_due(self) -> int | None:
        """When to call `pop` again; None while nothing waits."""
        return min((self._effective(seat) for seat, queue in enumerate(self._queues) if queue), default=None)

    def _effective(self, seat: int) -> int:
        arrival_ns, play = self._queues[seat][0]
        return arrival_ns if play.card == CALL else max(arrival_ns, self._gap_end_ns[seat])
