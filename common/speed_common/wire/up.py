"""Messages up: what a client says to the server."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from speed_common.cards import NO_RANK
from speed_common.events import AUTO_PILE, RankOrNone
from speed_common.rules import Rules
from speed_common.wire.bounds import (
    ANY_TABLE,
    UNSAID,
    CardInHand,
    Code,
    ComputerLevel,
    Message,
    Name,
    Nanoseconds,
    PileOrAuto,
    Protocol,
    Revision,
    Sequence,
    Shown,
    TableNumber,
    Ticket,
    TicketOrNone,
    Word,
)
from speed_common.wire.tournament import Direct, Enter, Heard, Withdraw


class Hello(Message, frozen=True, array_like=True, gc=False, tag=1):
    """First words of a connection: the protocols spoken, the program's version, a name, and a ticket to resume by.

    `grain_us` is the step of the client's clock, 0 for one that is finer than a millisecond.
    """

    low: Protocol
    high: Protocol
    version: Word
    name: Name
    ticket: TicketOrNone = b""
    grain_us: Annotated[int, Meta(ge=0, le=100_000)] = 0


class Sit(Message, frozen=True, array_like=True, gc=False, tag=2):
    """Take a seat at a table (`ANY_TABLE`, `NEW_TABLE` or its number).

    `computers` are levels 1..10: one takes every other seat of a new table, several take a seat each. `rules` are a new
    table's, None for the server's own. `code` is a game code (see `codes`): the table that plays it, laid if need be.
    """

    ticket: Ticket
    table: TableNumber = ANY_TABLE
    computers: Annotated[tuple[ComputerLevel, ...], Meta(max_length=3)] = ()
    rules: Rules | None = None
    code: Code = ""
    c_send: Nanoseconds = UNSAID


class Ready(Message, frozen=True, array_like=True, gc=False, tag=3):
    """Ready for what comes next: the deal, its start without the countdown, the rematch."""

    ticket: Ticket
    c_send: Nanoseconds = UNSAID


class Leave(Message, frozen=True, array_like=True, gc=False, tag=4):
    """Give the seat up. In mid-deal that forfeits the deal."""

    ticket: Ticket
    c_send: Nanoseconds = UNSAID


class PlayCard(Message, frozen=True, array_like=True, gc=False, tag=5):
    """A card onto a pile or the automatic one. `revision` is the table shown at the press, `c_press` its instant.

    `aimed` is the pile that an automatic play was drawn on. `after` is the `seq` of the own unanswered play that this
    one rests on, 0 for none: it lands on that one's card, or is the card that filled its place.
    """

    ticket: Ticket
    seq: Sequence
    card: CardInHand
    pile: PileOrAuto
    revision: Revision
    c_press: Nanoseconds
    named: RankOrNone = NO_RANK
    c_send: Nanoseconds = UNSAID
    aimed: PileOrAuto = AUTO_PILE
    after: Sequence = 0
    shown: Shown = ()


class DrawCard(Message, frozen=True, array_like=True, gc=False, tag=6):
    """One card from the own draw pile (manual refill)."""

    ticket: Ticket
    seq: Sequence
    c_press: Nanoseconds
    c_send: Nanoseconds = UNSAID
    revision: Revision = 0
    shown: Shown = ()


class Beat(Message, frozen=True, array_like=True, gc=False, tag=7):
    """Heartbeat: when it was sent, and the send time of the first `BeatBack` since the last beat with when it came.

    (0, 0): none came.
    """

    ticket: Ticket
    c_send: Nanoseconds
    s_sent: Nanoseconds = 0
    c_got: Nanoseconds = 0
    shown: Shown = ()


class ProbeBack(Message, frozen=True, array_like=True, gc=False, tag=11):
    """The answer to a `Probe`: its send time and when it came. What was pressed before went before."""

    ticket: Ticket
    c_send: Nanoseconds
    s_sent: Nanoseconds
    c_got: Nanoseconds
    shown: Shown = ()


class Resync(Message, frozen=True, array_like=True, gc=False, tag=8):
    """A revision was missed: send a snapshot."""

    ticket: Ticket
    c_send: Nanoseconds = UNSAID


class CallSpeed(Message, frozen=True, array_like=True, gc=False, tag=9):
    """The call "Speed!" (rules with `call_speed`)."""

    ticket: Ticket
    seq: Sequence
    c_press: Nanoseconds
    c_send: Nanoseconds = UNSAID
    revision: Revision = 0
    shown: Shown = ()


class FlipPlease(Message, frozen=True, array_like=True, gc=False, tag=10):
    """Ask for the flip of a stuck table (rules with `flip_trigger` all_ready)."""

    ticket: Ticket
    seq: Sequence
    c_send: Nanoseconds = UNSAID


Known: TypeAlias = (
    Sit | Ready | Leave | PlayCard | DrawCard | Beat | ProbeBack | Resync | CallSpeed | FlipPlease
    | Enter | Withdraw | Heard | Direct
)  # fmt: skip
"""What a client says that the server knows: all but its first words."""

Up: TypeAlias = Hello | Known
