"""What a session tells its face: one small tagged value for each thing learned, in the order in which it is shown.

The screen, the line mode, the JSON mode and the bot all read the same list. `table` is the table's number (a player
sits at one, a spectator may see several). `at_ns` is server time in nanoseconds.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from speed_common.cards import NO_CARD, Card
from speed_common.events import Event
from speed_common.table import NO_SLOT
from speed_common.wire import (
    Board,
    BoardPage,
    Called,
    Directed,
    Mine,
    Reactions,
    Refused,
    Room,
    TableLine,
    TournamentLine,
)

LinkState: TypeAlias = Literal["connecting", "up", "lost"]
Asked: TypeAlias = Literal["play", "draw", "call", "flip"]


class Welcomed(Struct, frozen=True):
    """The server knows us: our name as it writes it, and the ticket to keep for a return."""

    name: str
    server_id: str
    ticket: bytes
    resumed: bool


class LobbyChanged(Struct, frozen=True):
    """The list of all tables, and of the tournaments that are not over."""

    tables: tuple[TableLine, ...]
    tournaments: tuple[TournamentLine, ...] = ()


class EveningChanged(Struct, frozen=True):
    """Something new of a tournament: how it stands, or a page of its matches."""

    message: Board | BoardPage


class MineChanged(Struct, frozen=True):
    """How I stand in a tournament."""

    mine: Mine


class CallCame(Struct, frozen=True):
    """I am called to a table, or what I know of that call changed."""

    called: Called


class Answered(Struct, frozen=True):
    """The answer to a director's line."""

    directed: Directed


class RoomChanged(Struct, frozen=True):
    """A snapshot replaced what was known of a table. `seat` is ours, or `SPECTATOR`."""

    room: Room
    seat: int
    table: int


class Happened(Struct, frozen=True):
    """An event was applied to the mirror; `race` is what the clocks know of a lost race."""

    event: Event
    at_ns: int
    table: int
    race: Reactions | None = None


class PlayRefused(Struct, frozen=True):
    """What was asked of the table was refused; a play's card is back in its slot, else there is `NO_CARD`, `NO_SLOT`.

    Beside the server's words there is `no_answer`: the server never said.
    """

    refused: Refused
    card: Card = NO_CARD
    slot: int = NO_SLOT
    asked: Asked = "play"


class Denied(Struct, frozen=True):
    """A request without a number was refused: a seat, a ready, a leave. `text` says what the word cannot."""

    word: str
    text: str = ""


class LinkChanged(Struct, frozen=True):
    """The link came up, or nothing was heard for too long."""

    link: LinkState


class Ended(Struct, frozen=True):
    """The session is over: a stable word (`left`, `stopping`, `taken_over`, ..) and a sentence for people."""

    word: str
    text: str


class Practised(Struct, frozen=True):
    """What a deal against a computer brought, where that is kept: `level` was its speed, `opened` the one opened by it.

    `best_us` is the best time against it by now (0: none yet), `record`: it was set by this deal.
    """

    level: int
    won: bool
    opened: int = 0
    best_us: int = 0
    record: bool = False


News: TypeAlias = (
    Welcomed
    | LobbyChanged
    | RoomChanged
    | Happened
    | PlayRefused
    | Denied
    | LinkChanged
    | Ended
    | Practised
    | EveningChanged
    | MineChanged
    | CallCame
    | Answered
)
