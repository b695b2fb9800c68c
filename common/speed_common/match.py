"""A match: deals to a target. Only a deal's winner scores, so no two can reach the target together."""

from __future__ import annotations

from dataclasses import dataclass, replace

from speed_common.events import NOBODY


@dataclass(frozen=True, slots=True)
class Match:
    """Points and deals won by seat. Target 0 means single deals: points are counted and nobody ever wins the match."""

    target: int
    points: tuple[int, ...] = (0, 0)
    wins: tuple[int, ...] = (0, 0)

    def scored(self, winner: int, score: int) -> Match:
        """The match after a deal that `winner` took with `score` points; a void deal (`NOBODY`) changes nothing."""
        if winner == NOBODY:
            return self
        return replace(self, points=_raised(self.points, winner, score), wins=_raised(self.wins, winner, 1))

    @property
    def winner(self) -> int:
        """The seat that reached or passed the target; `NOBODY` while the match goes on."""
        if self.target:
            for seat, points in enumerate(self.points):
                if points >= self.target:
                    return seat
        return NOBODY


def _raised(counts: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + by, *counts[seat + 1 :])
