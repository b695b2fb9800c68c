"""The plays that wait, and the words about them. Pure.

Each seat's plays stay in the order in which they were pressed. What a play would do (where it lands, when it takes
effect) depends on the table as it stands, so it is worked out anew each time: see `place`.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Final, Literal, NamedTuple, Protocol

import msgspec

from speed_common.verdict import Claim, Verdict
from speed_server.fair.showing import Thing

NO_PILE: Final = -1
DRAW: Final = -1
CALL: Final = -3
"""In a play's place of a card: the press draws one (manual refill), or calls "Speed!", which needs no gap before it."""


class Board(Protocol):
    """What the order must know of the table, as it stands now."""

    def landing(self, seat: int, card: int, pile: int) -> int:
        """The pile that the play would land on (`pile` -1: the automatic one); `NO_PILE` when it fits nowhere."""
        ...

    def fitting(self, seat: int, pile: int) -> Iterable[int]:
        """The cards of that seat's hand that fit the pile."""
        ...

    def ends(self, seat: int, card: int) -> bool:
        """Whether this play would end the deal: the seat's last card."""
        ...


class FairPlay(NamedTuple):
    """A play, a draw or a call as it came. `DRAW` and `CALL` instead of a card: nothing that others could contest.

    `aimed` is the pile that the client drew it on, `revision` the table that it showed at the press, `after` the number
    of the own unanswered play that this one rests on, 0 for none. `c_press`, `c_send` are the client's readings.
    """

    seat: int
    seq: int
    card: int
    pile: int
    named: int
    aimed: int
    revision: int
    c_press: int
    c_send: int
    after: int = 0

    @property
    def pile_meant(self) -> int:
        """The pile that it was meant for when it was pressed, `NO_PILE` for none."""
        return NO_PILE if self.card < 0 else self.aimed if self.pile == NO_PILE else self.pile


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """The next play: `judge` it as at `at_ns`; or it was `dropped` (its clock stepped) or `fallen` with a refused one.

    Hand the ruling back to `played` or `refused`. `own` is how old what it brings is to its own player. `verdict` is
    a blank one where nothing but the arrival counts.
    """

    play: FairPlay
    word: Literal["judge", "dropped", "fallen"]
    at_ns: int
    arrival_ns: int
    race_ns: int
    verdict: Verdict
    own: Thing


class Held:
    """A play that waits. `at_ns` is when it takes effect, `lands` on which pile, as the table stands."""

    __slots__ = ("at_ns", "blockers", "claim", "epoch", "gap_end_ns", "lands", "play", "race_ns", "top_at_ns")

    def __init__(self, play: FairPlay, claim: Claim, race_ns: int, epoch: int) -> None:
        self.play = play
        self.claim = claim
        self.race_ns = self.at_ns = race_ns
        self.epoch = epoch
        self.lands = NO_PILE
        self.gap_end_ns = self.top_at_ns = 0
        self.blockers: tuple[int, ...] = ()
        """The seats that it waited for when it was looked at last."""


class Waiting:
    """All plays that wait, by seat."""

    __slots__ = ("count", "queues")

    def __init__(self, seats: int) -> None:
        self.queues: list[list[Held]] = [[] for _ in range(seats)]
        self.count = 0

    def add(self, held: Held) -> None:
        """A play came."""
        self.queues[held.play.seat].append(held)
        self.count += 1

    def take(self, seat: int) -> Held:
        """The seat's first play leaves."""
        self.count -= 1
        return self.queues[seat].pop(0)

    def forget(self, seat: int) -> list[FairPlay]:
        """All plays of a seat leave."""
        dropped = [held.play for held in self.queues[seat]]
        self.count -= len(dropped)
        self.queues[seat].clear()
        return dropped

    def heads(self) -> list[Held]:
        """Each seat's first play, in the order of their times."""
        heads = [queue[0] for queue in self.queues if queue]
        if len(heads) > 1:
            heads.sort(key=attrgetter("at_ns"))
        return heads

    def contenders(self, head: Held, board: Board, *, ends: bool) -> list[Held]:
        """The others' plays that must come in order with this one: on its pile, or one of the two ends the deal."""
        found = []
        for seat, queue in enumerate(self.queues):
            if seat == head.play.seat:
                continue
            for held in queue:
                if held.lands == NO_PILE:
                    continue
                if ends or held.lands == head.lands or board.ends(seat, held.play.card):
                    found.append(held)
        return found
