"""The places at one table: who sits there, who is ready, and who is away and for how long they are waited for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from speed_server.fair.player import FairPlayer

NO_SEAT: Final = -1


@dataclass(slots=True)
class Seat:
    """One place. An empty name is a free place; `level` 1..10 is a computer, which is always ready.

    `player` is what the fair order knows of a person. `away_until_ns` is 0 for who is here, else the server time until
    which the seat is kept for who left it at `away_since_ns`. `patience_ns` is how long the running deal still waits
    for this player in all; None: for ever.
    """

    name: str = ""
    level: int = 0
    player: FairPlayer | None = None
    ready: bool = False
    away_since_ns: int = 0
    away_until_ns: int = 0
    patience_ns: int | None = None

    @property
    def free(self) -> bool:
        """Whether nobody sits here."""
        return not self.name

    @property
    def person(self) -> bool:
        """Whether a person sits here, connected or not."""
        return bool(self.name) and not self.level

    @property
    def connected(self) -> bool:
        """Whether nobody is waited for here."""
        return not self.away_until_ns


class Seats:
    """All places of a table, by number."""

    def __init__(self, count: int) -> None:
        self._seats = [Seat() for _ in range(count)]
        self.away_until_ns = 0
        """When the first of those who are away loses the seat; 0 when nobody is. Every play asks, so it is kept."""
        self.held_until_ns = 0
        """Until when a tournament lets the table stand whoever is here; 0: it does not."""

    def __getitem__(self, number: int) -> Seat:
        return self._seats[number]

    def __len__(self) -> int:
        return len(self._seats)

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats)

    @property
    def people(self) -> int:
        """How many persons sit here, connected or not."""
        return sum(seat.person for seat in self._seats)

    @property
    def anybody_here(self) -> bool:
        """Whether a person sits here who is connected."""
        return any(seat.person and seat.connected for seat in self._seats)

    @property
    def anybody_away(self) -> bool:
        """Whether somebody is waited for."""
        return self.away_until_ns > 0

    @property
    def all_ready(self) -> bool:
        """Whether every place is taken by somebody who is ready."""
        return all(seat.ready and not seat.free for seat in self._seats)

    def overdue(self, now: int) -> list[int]:
        """The places that were kept long enough."""
        return [number for number, seat in enumerate(self._seats) if 0 < seat.away_until_ns <= now]

    def first_free(self) -> int:
        """The lowest free place, or `NO_SEAT`."""
        return next((number for number, seat in enumerate(self._seats) if seat.free), NO_SEAT)

    def take(self, number: int, name: str, level: int, player: FairPlayer | None = None) -> None:
        """Somebody sits down."""
        self._seats[number] = Seat(name, level, player, ready=level > 0)
        self._look_who_is_away()

    def give_up(self, number: int) -> None:
        """The place is free."""
        self._seats[number] = Seat()
        self._look_who_is_away()

    def ask_anew(self) -> None:
        """Nobody is ready but the computers."""
        for seat in self._seats:
            seat.ready = seat.level > 0

    def leave_for_now(self, number: int, now: int, grace_ns: int) -> None:
        """Somebody's connection is gone: the place is kept a while."""
        seat = self._seats[number]
        seat.away_since_ns, seat.away_until_ns = now, now + _wait(seat, grace_ns)
        self._look_who_is_away()

    def keep(self, number: int, until_ns: int) -> None:
        """The place of somebody who is away is kept until then."""
        self._seats[number].away_until_ns = until_ns
        self._look_who_is_away()

    def hold(self, until_ns: int) -> None:
        """Wait until then as for somebody who is away; 0: no more."""
        self.held_until_ns = until_ns
        self._look_who_is_away()

    def grant(self, patience_ns: int) -> None:
        """A new deal: it waits for each player so long in all."""
        for seat in self._seats:
            seat.patience_ns = patience_ns

    def come_back(self, number: int, now: int, grace_ns: int) -> None:
        """Somebody is here again, and waits a whole grace for whoever is still away."""
        back = self._seats[number]
        back.away_until_ns = 0
        if back.patience_ns is not None:
            back.patience_ns = max(0, back.patience_ns - (now - back.away_since_ns))
        for seat in self._seats:
            if seat.away_until_ns:
                seat.away_until_ns = now + _wait(seat, grace_ns)
        self._look_who_is_away()

    def _look_who_is_away(self) -> None:
        waits = [seat.away_until_ns for seat in self._seats] + [self.held_until_ns]
        self.away_until_ns = min(filter(None, waits), default=0)


def _wait(seat: Seat, grace_ns: int) -> int:
    return grace_ns if seat.patience_ns is None else min(grace_ns, seat.patience_ns)
