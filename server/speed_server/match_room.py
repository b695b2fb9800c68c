"""A table at which a match of a tournament is played. It decides who sits and when a deal is laid.

Unlike at other tables nobody may sit down or give the seat up, nobody is ready between two deals, and no absence costs
anything here: who drops is waited for until the tournament says more. Pure, as `room`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import msgspec

from speed_common import wire
from speed_common.events import NOBODY
from speed_common.match import Match
from speed_common.rules import Rules
from speed_server.fair.player import FairPlayer
from speed_server.room import Room
from speed_server.seats import NO_SEAT
from speed_server.settings import HubSettings

FOR_EVER_NS: Final = 1 << 60
"""36 years: until the tournament says more."""


class MatchRoom(Room):
    """One match at one table; seat n is the match's side n. `reports` are the deals that were won since last taken."""

    fixture: wire.MatchInfo

    def __init__(
        self,
        number: int,
        rules: Rules,
        settings: HubSettings,
        secrets: Callable[[int], bytes],
        fixture: wire.MatchInfo,
        names: tuple[str, str],
    ) -> None:
        rules = msgspec.structs.replace(rules, match_target=0, best_of=0)
        super().__init__(number, rules, replace(settings, grace_ns=FOR_EVER_NS // 8), secrets)
        self.fixture = fixture
        self.reports: list[wire.Result] = []
        self._rest_ns = settings.match_rest_ns
        self._wanted = False
        for side, name in enumerate(names):
            self.seats.take(side, name, 0)
            self.seats.leave_for_now(side, 1, self._settings.grace_ns)
        self.score(fixture.score)

    @property
    def welcoming(self) -> bool:
        """Nobody is led to a table of a tournament."""
        return False

    @property
    def held(self) -> bool:
        """Whether the tournament keeps the match from going on."""
        return self.seats.held_until_ns > 0

    def stake(self, side: int) -> int:
        """How many cards a side still has in a deal that runs."""
        return self.deal.table.cards_left(side) if self.running and self._revealed and self.deal is not None else 0

    # --- what people do -----------------------------------------------------------------------------------------------

    def sit(self, name: str, now: int, level: int = 0, player: FairPlayer | None = None) -> int:  # noqa: ARG002
        """Nobody sits down by himself: see `arrive`."""
        return NO_SEAT

    def arrive(self, side: int, player: FairPlayer, now: int) -> None:
        """The player of a side is here, perhaps again."""
        seat = self.seats[side]
        if seat.player is not player:
            seat.player = player
            if self.running:  # the order of plays knows the other link only
                self.lay(now)
        self.back(side, now)
        self.changed = True

    def ready(self, number: int, now: int) -> None:
        """Ready before the first deal is for the tournament to count; between two deals it shortens the rest."""
        if self.phase == wire.COUNTDOWN:
            super().ready(number, now)
            return
        if self.phase == wire.PLAYING or self.seats[number].ready:
            return
        self.seats[number].ready = True
        self.changed = True
        if self._rest_until_ns is not None and self.seats.all_ready:
            self._rest_until_ns = now

    # --- what the tournament asks -------------------------------------------------------------------------------------

    def score(self, score: tuple[int, int]) -> None:
        """The score of the match by side, in what it is measured in."""
        self.fixture = msgspec.structs.replace(self.fixture, score=score)
        match = Match.of(self.rules)
        counts_points = self.fixture.measure == "points"
        self.match = replace(match, points=score) if counts_points else replace(match, wins=score)
        self.changed = True

    def lay(self, now: int, rest_ns: int = 0) -> None:
        """Lay a new deal after a rest, or as soon as the match may go on; one that lies there is thrown away."""
        if self.running:
            self._clear()
        self._wanted = self.held
        self._rest_until_ns = None if self.held else now + rest_ns
        self.changed = True

    def hold(self, until_ns: int, now: int) -> None:
        """Let the match stand; `until_ns` is when the first grace ends, 0 while no clock runs."""
        self.seats.hold(until_ns or FOR_EVER_NS)
        self._wanted |= self._rest_until_ns is not None
        self._rest_until_ns = None
        self._stand_still(now)
        self.changed = True

    def release(self, now: int) -> None:
        """Let the match go on as soon as both are here."""
        if not self.held:
            return
        self.seats.hold(0)
        if self._wanted:
            self._wanted = False
            self._rest_until_ns = now
        self._go_on(now)
        self.changed = True

    def finish(self, score: tuple[int, int]) -> None:
        """The match has its result: the last deal stays to be read."""
        self.score(score)
        self._rest_until_ns = None
        self._wanted = False
        if self.result is not None:
            self.result = msgspec.structs.replace(self.result, match_over=True)

    def clear(self) -> None:
        """Throw away what is on the table; nobody sits here any more."""
        self._clear()
        self.seats.hold(0)
        for side in range(len(self.seats)):
            self.seats.give_up(side)
        self.changed = True

    # --- inside -------------------------------------------------------------------------------------------------------

    def _patience_ends_ns(self) -> int | None:
        return None

    def _give_up_waiting(self, now: int) -> None:
        """The tournament's clocks run instead."""

    def _end(self, now: int) -> None:
        match = self.match
        super()._end(now)
        self.match = match  # it is the tournament that counts
        assert self.result is not None
        self.result = msgspec.structs.replace(self.result, match_over=False)
        if self.result.winner == NOBODY:
            self._rest_until_ns = now + self._rest_ns  # a void deal is dealt again
        else:
            self.reports.append(self.result)
