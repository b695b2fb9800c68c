"""The messages between the two ends, and their bytes.

A message is an array-like, tagged msgspec Struct; its bytes are msgpack of that array. `decode_up` and `decode_down`
take what a peer sent and give a message, or raise `WireError` for anything else: an unknown kind, a wrong type, a field
out of its bounds, too many bytes or too few. Whatever a peer sends, no other exception leaves this module.

Times: `c_*` are raw readings of the client's `perf_counter_ns`, `s_*` and `*_at_ns` the server's; they are never mixed
without `clock`. `*_us` are microseconds of deal time. Every message up but `Hello` carries the ticket that `Welcome`
gave: the ticket, not the connection, is who a player is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgpack
import msgspec
from msgspec import Meta

from speed_common.cards import NO_CARD, NO_RANK
from speed_common.events import AUTO_PILE, NOBODY, Card, Event, RankOrNone, RefusalWord
from speed_common.rules import Rules
from speed_common.views import View

PROTOCOL_LOW: Final = 1
PROTOCOL_HIGH: Final = 1
MAX_UP_BYTES: Final = 4_096
MAX_DOWN_BYTES: Final = 65_536
TICKET_BYTES: Final = 16

IDLE_BEAT_FACTOR: Final = 8
"""Where no deal runs, heartbeats come so many times less often: idle tables would cost a fifth of a core else."""

LOBBY_TOPIC: Final = b"lobby"

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
SmallCount: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 32)]
SeatOrNone: TypeAlias = Annotated[int, Meta(ge=-2, le=3)]
PileOrAuto: TypeAlias = Annotated[int, Meta(ge=AUTO_PILE, le=3)]


MAX_EVENTS: Final = 64
"""Most events of one `Delta`; a sender with more sends several."""

CardInHand: TypeAlias = Annotated[int, Meta(ge=0, le=107)]

RoomWord = Literal["too_fast", "not_seated", "seated", "table_full", "no_such_table", "full"]
RefusedWord: TypeAlias = RefusalWord | RoomWord
"""Every word of a refusal: the table's own, the room's and the lobby's."""


class WireError(ValueError):
    """A peer's bytes are no message. The peer's fault: drop them and count them."""


class _Message(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One message; array-like, so that bytes hold no names."""


# --- up: client to server ---------------------------------------------------------------------------------------------


class Hello(_Message, frozen=True, array_like=True, gc=False, tag=1):
    """First words of a connection: the protocols spoken, the program's version, a name, and a ticket to resume by."""

    low: Protocol
    high: Protocol
    version: Word
    name: Name
    ticket: TicketOrNone = b""


class Sit(_Message, frozen=True, array_like=True, gc=False, tag=2):
    """Take a seat at a table (`ANY_TABLE`, `NEW_TABLE` or its number), against a computer of level 1..10 if not 0."""

    ticket: Ticket
    table: TableNumber = ANY_TABLE
    computer: Level = 0


class Ready(_Message, frozen=True, array_like=True, gc=False, tag=3):
    """Ready for what comes next: the deal, its start without the countdown, the rematch."""

    ticket: Ticket


class Leave(_Message, frozen=True, array_like=True, gc=False, tag=4):
    """Give the seat up. In mid-deal that forfeits the deal."""

    ticket: Ticket


class PlayCard(_Message, frozen=True, array_like=True, gc=False, tag=5):
    """A card onto a pile or the automatic one. `revision` is the table shown at the press, `c_press` its instant."""

    ticket: Ticket
    seq: Sequence
    card: CardInHand
    pile: PileOrAuto
    revision: Revision
    c_press: Nanoseconds
    named: RankOrNone = NO_RANK


class DrawCard(_Message, frozen=True, array_like=True, gc=False, tag=6):
    """One card from the own draw pile (manual refill)."""

    ticket: Ticket
    seq: Sequence
    c_press: Nanoseconds


class Beat(_Message, frozen=True, array_like=True, gc=False, tag=7):
    """Heartbeat: when it was sent, and the newest `BeatBack`'s send time with when it came (0, 0: none came yet)."""

    ticket: Ticket
    c_send: Nanoseconds
    s_sent: Nanoseconds = 0
    c_got: Nanoseconds = 0


class Resync(_Message, frozen=True, array_like=True, gc=False, tag=8):
    """A revision was missed: send a snapshot."""

    ticket: Ticket


Up: TypeAlias = Hello | Sit | Ready | Leave | PlayCard | DrawCard | Beat | Resync


# --- down: server to client, and on the watch socket ------------------------------------------------------------------


class Welcome(_Message, frozen=True, array_like=True, gc=False, tag=32):
    """The session stands: the protocol chosen, the name as the server writes it, the ticket to keep.

    `beat_us` is the time between two heartbeats in a deal; see `IDLE_BEAT_FACTOR`.
    """

    protocol: Protocol
    version: Word
    server_id: Word
    name: Name
    ticket: Ticket
    beat_us: Microseconds
    resumed: bool = False


class Goodbye(_Message, frozen=True, array_like=True, gc=False, tag=33):
    """The server ends the session: a stable word (`protocol`, `taken_over`, `stopping`, ..) and a sentence."""

    word: Word
    text: Text


class TableLine(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One table in the lobby's list; a free seat's name is empty."""

    number: TableNumber
    phase: Annotated[int, Meta(ge=0, le=3)]
    names: Annotated[tuple[Name, ...], Meta(max_length=4)]
    left: Annotated[tuple[SmallCount, ...], Meta(max_length=4)] = ()


class Lobby(_Message, frozen=True, array_like=True, gc=False, tag=34):
    """All tables that are laid."""

    tables: Annotated[tuple[TableLine, ...], Meta(max_length=512)]


class Refused(_Message, frozen=True, array_like=True, gc=False, tag=35):
    """The answer to request `seq` (0: one without a number): a stable word; for a lost race also how late and to whom.

    `took` is the card that took the pile. An accepted play is answered by its own `Played` event.
    """

    seq: Sequence
    word: Word
    late_us: Microseconds = 0
    by: SeatOrNone = NOBODY
    pile: PileOrAuto = AUTO_PILE
    took: Card = NO_CARD


class BeatBack(_Message, frozen=True, array_like=True, gc=False, tag=36):
    """The answer to a `Beat`: its send time, when it came, and an instant not later than this goes out."""

    c_send: Nanoseconds
    s_got: Nanoseconds
    s_sent: Nanoseconds


class SeatInfo(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Who sits there. An empty name is a free seat; `level` 1..10 is a computer, 0 a person."""

    name: Name
    level: Level = 0
    ready: bool = False
    connected: bool = True
    wins: SmallCount = 0
    points: SmallCount = 0


class SeatResult(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One player's figures of a finished deal. `closest_us`: least margin of a contested pile, negative when lost."""

    played: SmallCount
    left: SmallCount
    races_won: SmallCount
    beaten: SmallCount
    closest_us: Microseconds | None = None


class Result(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How a deal ended. `winner` is `NOBODY` for a void deal; `seed` opens the commitment made before the reveal."""

    winner: SeatOrNone
    score: SmallCount
    forfeit: bool
    duration_us: Microseconds
    seats: Annotated[tuple[SeatResult, ...], Meta(max_length=4)]
    seed: Digest = b""
    match_over: bool = False


class Room(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One table's life outside the cards. Instants are server time; `paused_until_ns` is 0 while nobody is missing."""

    table: TableNumber
    phase: Annotated[int, Meta(ge=0, le=3)]
    seats: Annotated[tuple[SeatInfo, ...], Meta(max_length=4)]
    rules: Rules
    deal: SmallCount = 0
    reveal_at_ns: Nanoseconds = 0
    commitment: Digest = b""
    paused_until_ns: Nanoseconds = 0
    result: Result | None = None


class Snapshot(_Message, frozen=True, array_like=True, gc=False, tag=37):
    """A whole table as its receiver may see it, at `revision` (events so far). To a spectator it is the keyframe."""

    revision: Revision
    s_sent: Nanoseconds
    seat: SeatOrNone
    room: Room
    view: View | None = None


class Delta(_Message, frozen=True, array_like=True, gc=False, tag=38):
    """What happened in one tick, after `revision` events. A receiver that is not at that revision has missed some."""

    revision: Revision
    tick: Sequence
    events: Annotated[tuple[Event, ...], Meta(max_length=MAX_EVENTS)]


Down: TypeAlias = Welcome | Goodbye | Lobby | Refused | BeatBack | Snapshot | Delta


def table_topic(number: int) -> bytes:
    """The watch socket's topic of a table; it ends in a slash, so that no topic begins another."""
    return b"table/%d/" % number


encode: Callable[[Up | Down], bytes] = msgspec.msgpack.Encoder().encode
"""The message's bytes: msgpack of its array. The `msgpack` package would take ten times as long for the same ones."""


def decode_up(data: bytes) -> Up:
    """The message that a client sent. Raises `WireError` for anything else."""
    if len(data) > MAX_UP_BYTES:
        raise WireError(f"{len(data)} bytes are more than a request may have ({MAX_UP_BYTES})")
    message: Up = _decode(data, _UP)
    return message


def decode_down(data: bytes) -> Down:
    """The message that a server sent. Raises `WireError` for anything else."""
    if len(data) > MAX_DOWN_BYTES:
        raise WireError(f"{len(data)} bytes are more than an answer may have ({MAX_DOWN_BYTES})")
    message: Down = _decode(data, _DOWN)
    return message


# By tag and one class at a time: msgspec keeps what it knows of a class, but works a union out anew at each call.
_UP: Final = {kind.__struct_config__.tag: kind for kind in get_args(Up)}
_DOWN: Final = {kind.__struct_config__.tag: kind for kind in get_args(Down)}


def _decode(data: bytes, kinds: dict[Any, Any]) -> Any:
    try:
        plain = msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_str_len=512,
            max_bin_len=64,
            max_array_len=512,
            max_map_len=32,
            max_ext_len=0,
        )
        return msgspec.convert(plain, kinds[plain[0]])
    except (
        ValueError,
        TypeError,
        LookupError,
        OverflowError,
        RecursionError,
        msgpack.UnpackException,
    ) as error:
        raise WireError(f"no message: {type(error).__name__}: {error}") from None
