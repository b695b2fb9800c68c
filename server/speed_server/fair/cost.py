"""What the fair order cost each player of a deal: plays that could be contested, and how long all waited. Pure."""

from __future__ import annotations

from typing import Final

from speed_common.wire import SeatFair

MOST_PLAYS: Final = 1_000
"""Of one seat: who floods the table with plays must not fill the memory."""

NS_PER_US: Final = 1_000


class Cost:
    """One deal's plays as they were judged. A computer's are none: they have no link."""

    __slots__ = ("_contested", "_holds_ns")

    def __init__(self, players: int) -> None:
        self._contested = [0] * players
        self._holds_ns: list[list[int]] = [[] for _ in range(players)]

    def judged(self, seat: int, hold_ns: int, *, contested: bool) -> None:
        """A play of the seat was judged so long after it came; `contested`: others could have been earlier."""
        holds = self._holds_ns[seat]
        if len(holds) < MOST_PLAYS:
            holds.append(hold_ns)
            self._contested[seat] += contested

    def by_seat(self) -> tuple[SeatFair, ...]:
        """The report; empty where no play was contested, as where plays count by arrival."""
        if not any(self._contested):
            return ()
        return tuple(
            SeatFair(contested, _mean(holds) // NS_PER_US, _p99(holds) // NS_PER_US)
            for contested, holds in zip(self._contested, self._holds_ns, strict=True)
        )


def _mean(holds: list[int]) -> int:
    return sum(holds) // len(holds) if holds else 0


def _p99(holds: list[int]) -> int:
    return sorted(holds)[len(holds) * 99 // 100] if holds else 0
