"""What a player knows of his own way through a tournament, and what he still has to say about it. Pure.

A call is shown until he is ready for it, or until the match begins or is gone. Its clock counts on ours from the
instant at which the newest word of it came.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from speed_common.wire import COUNTDOWN, PLAYING, Called, Mine, Room

US_NS: Final = 1_000

View: TypeAlias = Literal["mine", "call", "table"]


class Entrant:
    """`tid` is the tournament that was entered, empty for none; `name` what it is called, as far as it was told."""

    def __init__(self, tid: str) -> None:
        self.tid = tid
        self.mine: Mine | None = None
        self.called: Called | None = None
        self.withdrawn = False
        self._deadline_ns: int | None = None
        self._heard: int | None = None
        self._come: int | None = None
        self._checked_in = False

    def stands(self, mine: Mine) -> bool:
        """The server said how we stand; False for another tournament."""
        if mine.tid != self.tid:
            return False
        self.mine = mine
        self.withdrawn = mine.status in {"withdrawn", "disqualified"}
        if self.called is not None and (mine.match != self.called.match or not mine.table):
            self.called = None
        return True

    def calls(self, called: Called, now: int) -> bool:
        """A call came, or news of one; False for another tournament."""
        if called.tid != self.tid:
            return False
        if self.called is None or self.called.match != called.match:
            self._heard = self._come = None
        self.called = called
        self._deadline_ns = None if called.left_us is None else now + called.left_us * US_NS
        return True

    def to_hear(self) -> int | None:
        """The match whose call is to be acknowledged once it is shown; None when that was said."""
        if self.called is None or self._heard == self.called.match:
            return None
        self._heard = self.called.match
        return self._heard

    def to_come(self) -> bool:
        """Whether somebody who is ready at once has still to say so to the call."""
        if self.called is None or self.called.here or self._come == self.called.match:
            return False
        self._come = self.called.match
        return True

    @property
    def checks_in(self) -> bool:
        """Whether the server waits for us to say that we are here."""
        return self.mine is not None and self.mine.phase == "check_in" and self.mine.status == "registered"

    def to_check_in(self) -> bool:
        """Whether somebody who is ready at once has still to check in."""
        if not self.checks_in or self._checked_in:
            return False
        self._checked_in = True
        return True

    @property
    def over(self) -> bool:
        """Whether nothing will come of this tournament for us any more."""
        ended = self.mine is not None and self.mine.phase in {"finished", "archived", "cancelled"}
        return self.withdrawn or ended

    def seconds_left(self, now: int) -> int | None:
        """What is left of the call, in begun seconds; None while its clock stands."""
        if self._deadline_ns is None:
            return None
        return max(0, -(-(self._deadline_ns - now) // 1_000_000_000))

    def next_second(self, now: int) -> int | None:
        """When `seconds_left` changes next."""
        left = self.seconds_left(now)
        if not left or self._deadline_ns is None:
            return None
        return self._deadline_ns - (left - 1) * 1_000_000_000

    def again(self) -> None:
        """A connection stands anew: a call is to be acknowledged once more."""
        self._heard = self._come = None
        self._checked_in = False

    def view(self, room: Room | None, seat: int) -> View:
        """What belongs on the screen: the call, the table of the running match, or how one stands."""
        match = room.match if room is not None and seat >= 0 and room.match is not None else None
        here = match is not None and match.tid == self.tid
        called = self.called
        if called is not None and not called.here:
            begun = here and match is not None and match.match == called.match and room is not None
            if not (begun and room is not None and room.phase in {COUNTDOWN, PLAYING}):
                return "call"
        mine = self.mine
        if here and match is not None and (mine is None or (mine.match == match.match and mine.table)):
            return "table"
        return "mine"
