"""How much a player's word is worth: the credit bucket, the test of ranks, and the stall budget. Pure.

A stamp is only a claim. What an honest link needs is granted at once; what a modified client could take beyond it is
bounded, shown and logged, and nobody is banned for it: a truly bad link and a forged one look alike for a while.

*Bucket*: lateness of plays beyond the link's usual is paid for. *Ranks*: on an honest link a play is as late as the
heartbeats around it, so its rank among them is even; plays that keep being later than all of them are back-dated.
*Stall budget*: how long the others have waited for this player.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from speed_common.fair_settings import FairSettings
from speed_server.fair.link import LONG_AGO

NEIGHBOURS: Final = 8
"""Heartbeats on each side of a play that it is ranked among."""

MOST_OPEN: Final = 4 * NEIGHBOURS
"""Plays that wait for the heartbeats behind them."""

WINDOW: Final = 16
"""Plays that one test is made of: enough that chance never reaches the bound, few enough to act within a match."""


class Ranks:
    """The test of ranks. `lateness` values are arrival minus reading, by two clocks: only differences count."""

    __slots__ = ("_before", "_open", "_settings", "_sum", "_tested", "flagged", "suspicious", "z")

    def __init__(self, settings: FairSettings) -> None:
        self._settings = settings
        self.flagged = False
        self.suspicious = 0
        """Suspicious windows running."""
        self.z = 0.0
        """Of the last full window."""
        self.forget()
        self._sum, self._tested = 0.0, 0

    def forget(self) -> None:
        """The clock stepped: what came before cannot be compared."""
        self._before: list[int] = []
        self._open: list[tuple[int, int, list[int]]] = []

    def beat(self, lateness: int) -> None:
        """A heartbeat came, or the echo of one."""
        self._before.append(lateness)
        del self._before[:-NEIGHBOURS]
        for _, _, around in self._open:
            around.append(lateness)
        while self._open and len(self._open[0][2]) == 2 * NEIGHBOURS:
            self._count(*self._open.pop(0))

    def play(self, lateness: int, least: int = LONG_AGO) -> None:
        """A play came, or a showing was told of; what is below `least` cannot be told apart."""
        if len(self._before) == NEIGHBOURS:
            value = max(least, lateness - self._settings.rank_slack_ns)
            self._open.append((value, least, list(self._before)))
            del self._open[:-MOST_OPEN]

    def _count(self, value: int, least: int, around: list[int]) -> None:
        others = [max(least, other) for other in around]
        below = sum(other < value for other in others) + others.count(value) / 2
        self._sum += below / len(around)
        self._tested += 1
        if self._tested < WINDOW:
            return
        self.z = (self._sum - WINDOW / 2) / sqrt(WINDOW / 12)
        self.suspicious = self.suspicious + 1 if self.z > self._settings.flag_z else 0
        self.flagged = self.flagged or self.suspicious > 1
        self._sum, self._tested = 0.0, 0


class Stall:
    """What others have waited for a player lately, and whether they still do."""

    __slots__ = ("_charged", "_charges", "_healthy_since", "_settings", "drops", "shunned")

    def __init__(self, settings: FairSettings) -> None:
        self._settings = settings
        self._charges: list[tuple[int, int]] = []
        self._charged = 0
        self._healthy_since = 0
        self.shunned = False
        self.drops = 0
        """How often nobody waited any more."""

    def charge(self, held_ns: int, now: int) -> None:
        """Somebody's play was held for `held_ns` and this player was the reason."""
        waited, charges = held_ns - self._settings.stall_free_ns, self._charges
        if waited <= 0:
            return
        charges.append((now, waited))
        self._charged += waited
        while charges[0][0] <= now - self._settings.stall_window_ns:
            self._charged -= charges.pop(0)[1]
        if self._charged > self._settings.stall_budget_ns and not self.shunned:
            self.shunned = True
            self.drops += 1
            self._healthy_since = now

    def heard(self, late_ns: int, silent_ns: int, now: int) -> None:
        """A message came, so late and after so long a silence; a healthy while makes the others wait again."""
        if not self.shunned:
            return
        settings = self._settings
        if late_ns > settings.stall_free_ns or silent_ns > settings.stall_free_ns + settings.quick_beat_ns:
            self._healthy_since = now
        elif now - self._healthy_since >= settings.healthy_ns:
            self.shunned = False
            self._charges.clear()
            self._charged = 0
