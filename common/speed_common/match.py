"""A match: deals to a target, or the best of some deals. Only a deal's winner scores, so nobody can win it together."""

from __future__ import annotations

from dataclasses import dataclass, replace

from speed_common.events import NOBODY
from speed_common.rules import Rules


@dataclass(frozen=True, slots=True)
class Match:
    """Points and deals won by seat, for any number of seats.

    It is won by who reaches or passes `target` points, or wins more than half of `best_of` deals. Where both are 0 the
    deals are single: points and wins are counted and nobody ever wins the match.
    """

    target: int = 0
    best_of: int = 0
    points: tuple[int, ...] = (0, 0)
    wins: tuple[int, ...] = (0, 0)

    @classmethod
    def of(cls, rules: Rules) -> Match:
        """The match that these rules ask for, before its first deal."""
        nothing = (0,) * rules.players
        return cls(rules.match_target, rules.best_of, nothing, nothing)

    def scored(self, winner: int, score: int) -> Match:
        """The match after a deal that `winner` took with `score` points; a void deal (`NOBODY`) changes nothing."""
        if winner == NOBODY:
            return self
        return replace(self, points=_raised(self.points, winner, score), wins=_raised(self.wins, winner, 1))

    @property
    def single(self) -> bool:
        """Whether every deal stands for itself."""
        return not self.target and not self.best_of

    @property
    def winner(self) -> int:
        """The seat that won the match; `NOBODY` while it goes on."""
        for seat, (points, wins) in enumerate(zip(self.points, self.wins, strict=True)):
            if (self.target and points >= self.target) or (self.best_of and wins > self.best_of // 2):
                return seat
        return NOBODY


def _raised(counts: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + by, *counts[seat + 1 :])
