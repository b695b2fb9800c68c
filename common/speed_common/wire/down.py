"""Messages down: what the server says to a client, and to everybody on the watch socket."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from speed_common.cards import NO_CARD
from speed_common.events import AUTO_PILE, NOBODY, Card, DealTime, Event
from speed_common.rules import Rules
from speed_common.views import View
from speed_common.wire.board import Board, BoardPage
from speed_common.wire.bounds import (
    MAX_EVENTS,
    Code,
    Digest,
    Level,
    Message,
    Microseconds,
    Name,
    Nanoseconds,
    PileOrAuto,
    Protocol,
    Revision,
    SeatOrNone,
    Sequence,
    SmallCount,
    TableNumber,
    Text,
    Ticket,
    Word,
)
from speed_common.wire.tournament import Called, Directed, MatchInfo, Mine, TournamentLine


class Welcome(Message, frozen=True, array_like=True, gc=False, tag=32):
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


class Goodbye(Message, frozen=True, array_like=True, gc=False, tag=33):
    """The server ends the session: a stable word (`protocol`, `taken_over`, `stopping`, ..) and a sentence."""

    word: Word
    text: Text


class TableLine(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One table in the lobby's list; a free seat's name is empty, `rules` are in words (see `rule_words`)."""

    number: TableNumber
    phase: Annotated[int, Meta(ge=0, le=3)]
    names: Annotated[tuple[Name, ...], Meta(max_length=4)]
    left: Annotated[tuple[SmallCount, ...], Meta(max_length=4)] = ()
    rules: Text = ""


class Lobby(Message, frozen=True, array_like=True, gc=False, tag=34):
    """All tables that are laid, and the tournaments that are not over."""

    tables: Annotated[tuple[TableLine, ...], Meta(max_length=512)]
    tournaments: Annotated[tuple[TournamentLine, ...], Meta(max_length=16)] = ()


class Refused(Message, frozen=True, array_like=True, gc=False, tag=35):
    """The answer to request `seq` (0: one without a number): a stable word; for a lost race also how late and to whom.

    `took` is the card that took the pile; `own_us` and `by_us` are both players' reactions to what they saw there, and
    `close` says that the clocks know the difference no better than it is. `text` is a sentence where the word alone
    does not say what to change. An accepted play is answered by its own `Played` event.
    """

    seq: Sequence
    word: Word
    late_us: Microseconds = 0
    by: SeatOrNone = NOBODY
    pile: PileOrAuto = AUTO_PILE
    took: Card = NO_CARD
    text: Text = ""
    own_us: Microseconds | None = None
    by_us: Microseconds | None = None
    close: bool = False


class BeatBack(Message, frozen=True, array_like=True, gc=False, tag=36):
    """The answer to a `Beat`: its send time, when it came, and an instant not later than this goes out.

    `beat_us` is the time between two heartbeats that this link is asked for while a deal runs, 0 for no change.
    """

    c_send: Nanoseconds
    s_got: Nanoseconds
    s_sent: Nanoseconds
    beat_us: Annotated[int, Meta(ge=0, le=60_000_000)] = 0


class Probe(Message, frozen=True, array_like=True, gc=False, tag=39):
    """A question whose answer, `wait_us` after it came, proves what was pressed before: see `ProbeBack`."""

    s_sent: Nanoseconds
    wait_us: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


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


class SeatFair(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the fair order cost a player: plays that others could have contested, and how long all of them were held."""

    contested: SmallCount
    hold_mean_us: SmallCount
    hold_p99_us: SmallCount


class Result(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How a deal ended. `winner` is `NOBODY` for a void deal; `seed` opens the commitment made before the reveal.

    `fair` is by seat, empty where no play was contested.
    """

    winner: SeatOrNone
    score: SmallCount
    forfeit: bool
    duration_us: Microseconds
    seats: Annotated[tuple[SeatResult, ...], Meta(max_length=4)]
    seed: Digest = b""
    match_over: bool = False
    fair: Annotated[tuple[SeatFair, ...], Meta(max_length=4)] = ()


class Room(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One table's life outside the cards. Instants are server time; `paused_until_ns` is 0 while nobody is missing.

    `code` is the game code of a deal that was asked for by code. `resume_at_ns` is not 0 while a deal that waited has
    yet to go on: at that instant it does, and until then plays are refused `paused`. `match` is a tournament's.
    """

    table: TableNumber
    phase: Annotated[int, Meta(ge=0, le=3)]
    seats: Annotated[tuple[SeatInfo, ...], Meta(max_length=4)]
    rules: Rules
    deal: SmallCount = 0
    reveal_at_ns: Nanoseconds = 0
    commitment: Digest = b""
    paused_until_ns: Nanoseconds = 0
    result: Result | None = None
    code: Code = ""
    resume_at_ns: Nanoseconds = 0
    match: MatchInfo | None = None


class Snapshot(Message, frozen=True, array_like=True, gc=False, tag=37):
    """A whole table as its receiver may see it, at `revision` (events so far). To a spectator it is the keyframe."""

    revision: Revision
    s_sent: Nanoseconds
    seat: SeatOrNone
    room: Room
    view: View | None = None
    ahead: Card = NO_CARD


class Reactions(NamedTuple):
    """How long after the pile's top was shown both players of a lost race pressed.

    `close`: the clocks know it no better than the two differ.
    """

    own_us: Microseconds
    by_us: Microseconds
    close: bool


class Delta(Message, frozen=True, array_like=True, gc=False, tag=38):
    """What happened in one tick, after `revision` events. A receiver that is not at that revision has missed some.

    It is shown at deal time `show_us`, at once if that is past or None. `ahead`, to a player whose hand fills by
    itself, is the card that the next play will bring.
    `race` belongs to a `Beaten`, where the clocks know it: no event says what nobody could compute again.
    """

    revision: Revision
    tick: Sequence
    events: Annotated[tuple[Event, ...], Meta(max_length=MAX_EVENTS)]
    show_us: DealTime | None = None
    ahead: Card = NO_CARD
    race: Reactions | None = None


Down: TypeAlias = (
    Welcome | Goodbye | Lobby | Refused | BeatBack | Probe | Snapshot | Delta
    | Mine | Called | Directed | Board | BoardPage
)  # fmt: skip
