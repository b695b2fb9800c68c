"""What the fields of messages may hold: every type has its bounds, and what a bound has a name for is named here."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from speed_common.events import AUTO_PILE, RefusalWord

PROTOCOL_LOW: Final = 1
PROTOCOL_HIGH: Final = 1
MAX_UP_BYTES: Final = 4_096
MAX_DOWN_BYTES: Final = 131_072
"""The list of the most tables with the longest names and rules fits."""
TICKET_BYTES: Final = 16

IDLE_BEAT_FACTOR: Final = 8
"""Where no deal runs, heartbeats come so many times less often: idle tables would cost a fifth of a core else."""

LOBBY_TOPIC: Final = b"lobby"

UNSAID: Final = 0
"""In `c_send`'s place: the sender does not say when it sent this."""

ANY_TABLE: Final = 0
NEW_TABLE: Final = -1

WAITING: Final = 0
COUNTDOWN: Final = 1
PLAYING: Final = 2
OVER: Final = 3

Nanoseconds: TypeAlias = Annotated[int, Meta(ge=-(1 << 62), le=1 << 62)]
Microseconds: TypeAlias = Annotated[int, Meta(ge=-(1 << 40), le=1 << 40)]
Protocol: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 16)]
Revision: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 40)]
Sequence: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 40)]
Ticket: TypeAlias = Annotated[bytes, Meta(min_length=TICKET_BYTES, max_length=TICKET_BYTES)]
TicketOrNone: TypeAlias = Annotated[bytes, Meta(max_length=TICKET_BYTES)]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
Word: TypeAlias = Annotated[str, Meta(max_length=32)]
Text: TypeAlias = Annotated[str, Meta(max_length=300)]
Digest: TypeAlias = Annotated[bytes, Meta(max_length=32)]
TableNumber: TypeAlias = Annotated[int, Meta(ge=-1, le=10_000)]
Level: TypeAlias = Annotated[int, Meta(ge=0, le=10)]
ComputerLevel: TypeAlias = Annotated[int, Meta(ge=1, le=10)]
Code: TypeAlias = Annotated[str, Meta(max_length=96)]
SmallCount: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 32)]
SeatOrNone: TypeAlias = Annotated[int, Meta(ge=-2, le=3)]
PileOrAuto: TypeAlias = Annotated[int, Meta(ge=AUTO_PILE, le=3)]


MAX_EVENTS: Final = 64
"""Most events of one `Delta`; a sender with more sends several."""

CardInHand: TypeAlias = Annotated[int, Meta(ge=0, le=107)]

RoomWord = Literal["too_fast", "not_seated", "seated", "table_full", "no_such_table", "full", "bad_rules", "bad_code"]
RefusedWord: TypeAlias = RefusalWord | RoomWord
"""Every word of a refusal: the table's own, the room's and the lobby's."""


MAX_SHOWN: Final = 64
"""Most showings that one message up tells of; the client sends more of them with its next."""

Shown: TypeAlias = Annotated[tuple[tuple[Revision, Nanoseconds], ...], Meta(max_length=MAX_SHOWN)]
"""Which revisions were shown since the last message up, and when (`c_shown`, the client's reading)."""


class WireError(ValueError):
    """A peer's bytes are no message. The peer's fault: drop them and count them."""


class Message(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One message; array-like, so that bytes hold no names."""
