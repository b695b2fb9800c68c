"""Attacks against an honest equal, and honest players who must never be flagged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lab_sim.cheats import ATTACKS
from lab_sim.client import Client
from lab_sim.figures import percentile
from lab_sim.races import Evening, Plan
from lab_sim.world import MS
from speed_common.fair_settings import FairSettings

SHORT_RACES: Final = 60
"""Of a session that shows what is gained until the flag."""

LONG_RACES: Final = 300
BOUNDS: Final = {"back-date": (3.0, 3.0)}
FORGED_BOUND: Final = (11.0, 2.0)
NEEDS_KERNEL: Final = frozenset({"shift", "future"})


@dataclass(frozen=True)
class Trial:
    """What an attack gained: points of win share over the truth of the same races, until the flag and after it."""

    attack: str
    link: str
    races: tuple[int, int]
    points: tuple[float, float]
    error: tuple[float, float]
    """Standard errors of the points."""

    flagged: float
    """The share of the sessions at whose end the cheat was flagged."""

    flagged_after: float
    """Median of races until the flag."""

    rival_hold: tuple[float, float, float]
    given_up: int
    """How often nobody waited for the cheat any more."""

    honest_flagged: int

    @property
    def bound(self) -> tuple[float, float] | None:
        """The most points until the flag and after it; None: the attack has no bound of its own."""
        if self.attack in BOUNDS:
            return BOUNDS[self.attack]
        return FORGED_BOUND if self.attack in {"hold-back", "shift", "forge-shown", "look-ahead", "stall"} else None

    @property
    def passed(self) -> bool:
        """Within the bound, as far as so many races can tell: by no more than two standard errors over it."""
        limits = self.bound
        if limits is None:
            return not self.honest_flagged
        over = [
            points - 2 * error > most
            for points, error, most, of in zip(self.points, self.error, limits, self.races, strict=True)
            if of
        ]
        return not any(over) and not self.honest_flagged


def attempt(attack: str, link: str, sessions: int, seed: int, settings: FairSettings) -> Trial:
    """Seat 1 cheats, seat 0 is its honest equal, over equal links; every fifth session is a long one."""
    maker = ATTACKS[attack]
    gains: tuple[list[int], list[int]] = ([], [])
    flagged_at: list[float] = []
    holds: list[float] = []
    flagged = given_up = honest = 0
    for session in range(sessions):
        races = LONG_RACES if session % 5 == 0 else SHORT_RACES
        evening = Evening(
            Plan(
                (link, link), "reaction", races, seed * 1_000 + session, settings,
                makers=(Client, maker), only_coins=True, kernel_rtt=attack in NEEDS_KERNEL,
            )
        )  # fmt: skip
        run = evening.run()
        for race in run:
            if race.lone < 0 and race.whole:
                gains[race.flagged].append((race.winner == 1) - (race.first == 1))
            if 0 in race.verdicts and race.lone < 0:
                holds.append(race.verdicts[0].hold_ns / MS)
        honest += evening.server.players[0].flagged
        given_up += evening.server.players[1].stall.drops
        if evening.server.players[1].flagged:
            flagged += 1
            flagged_at.append(sum(not race.flagged for race in run))
    return Trial(
        attack,
        link,
        (len(gains[0]), len(gains[1])),
        (_points(gains[0])[0], _points(gains[1])[0]),
        (_points(gains[0])[1], _points(gains[1])[1]),
        flagged / sessions,
        percentile(flagged_at, 0.5),
        (percentile(holds, 0.5), percentile(holds, 0.99), max(holds, default=0.0)),
        given_up,
        honest,
    )


def _points(gains: list[int]) -> tuple[float, float]:
    """The mean in points, and its standard error."""
    if not gains:
        return 0.0, 0.0
    mean = sum(gains) / len(gains)
    spread = sum((gain - mean) ** 2 for gain in gains) / len(gains)
    return 100 * mean, 100 * float((spread / len(gains)) ** 0.5)


def honest_flags(link: str, sessions: int, races: int, seed: int, settings: FairSettings) -> int:
    """How many honest players were flagged in so many sessions of that link against a cable."""
    flagged = 0
    for session in range(sessions):
        evening = Evening(Plan(("cable", link), "reaction", races, seed * 1_000 + session, settings, only_coins=True))
        evening.run()
        flagged += sum(player.flagged for player in evening.server.players)
    return flagged
