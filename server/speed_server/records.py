"""What the archive is given of a deal that is over: its heading, its log and its result, as values.

Making these costs a table next to nothing; turning them into text is for the archive's own thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from speed_common import record
from speed_common.events import Refusal
from speed_common.fair_settings import FairSettings
from speed_common.record import Entry, Heading, Player
from speed_common.wire import Result
from speed_server.deal import Deal
from speed_server.deal_clock import NS_PER_US
from speed_server.notice import game_code
from speed_server.outcomes import Logged

if TYPE_CHECKING:
    from speed_server.room import Room


class Finished(NamedTuple):
    """A deal to be kept. `started_ns` is the server time of its countdown; `result` None: it was broken off."""

    heading: Heading
    started_ns: int
    log: Sequence[Logged]
    result: Result | None
    left_out: int

    def lines(self, started: str) -> Iterator[bytes]:
        """The record's lines, each made when it is asked for; `started` is the ISO date of `started_ns`."""
        heading = msgspec.structs.replace(self.heading, started=started)
        return record.lines(heading, map(_entry, self.log), self.result, self.left_out)


class Recorder:
    """Keeps the records of one table's deals until they are taken."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._heading: Heading | None = None
        self._started_ns = 0
        self._finished: list[Finished] = []

    def begin(self, room: Room, deal: Deal, fair: FairSettings, now: int) -> None:
        """A deal is laid: who plays is known now, and may be gone at its end."""
        if not self._wanted:
            return
        self._started_ns = now
        self._heading = Heading(
            rules=room.rules,
            cards=record.cards_of(deal.stream, game_code(room)),
            table=room.number,
            deal=room.deals,
            players=tuple(Player(seat.name, seat.level) for seat in room.seats),
            fair=fair,
        )

    def end(self, deal: Deal | None, result: Result | None) -> None:
        """The deal is over, or with `result` None broken off. Nothing is kept of one that was never revealed."""
        if self._heading is not None and deal is not None and deal.log:
            self._finished.append(Finished(self._heading, self._started_ns, tuple(deal.log), result, deal.left_out))
        self._heading = None

    def take(self) -> list[Finished]:
        """The records since the last call."""
        finished, self._finished = self._finished, []
        return finished


def _entry(logged: Logged) -> Entry:
    answer, verdict = logged.decision, logged.verdict
    extras: dict[str, Any] = {}
    if logged.arrival_ns:
        extras["press_us"] = (logged.race_ns - logged.reveal_at_ns) // NS_PER_US
        extras["arrival_us"] = (logged.arrival_ns - logged.reveal_at_ns) // NS_PER_US
    if verdict is not None:
        extras["reveal_ns"] = logged.reveal_at_ns
        extras["order"] = msgspec.to_builtins(verdict)
    if isinstance(answer, Refusal):
        return Entry(logged.request, answer, () if logged.beaten is None else (logged.beaten,), extras)
    return Entry(logged.request, None, answer, extras)
