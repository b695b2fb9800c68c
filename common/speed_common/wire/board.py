"""What everybody may see of a tournament: messages of the watch socket. Values only.

Players are numbers into `Board.players` (`NO_PLAYER`: nobody, `UNKNOWN`: not decided yet). A board is the whole of the
evening but the matches, which come in pages, because a round robin of 64 would not fit one message.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from speed_common.wire.bounds import Message, Name, SmallCount, TableNumber, Text, Word

UNKNOWN: Final = -1
NO_PLAYER: Final = 0

MAX_PLAYERS: Final = 64
MAX_PAGE: Final = 256
"""Most matches of one page: about 12 kB, well below the largest message."""

TournamentId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=48)]
"""Also part of a topic of the watch socket; lower-case letters, digits and hyphens."""

PlayerNumber: TypeAlias = Annotated[int, Meta(ge=UNKNOWN, le=10_000)]
MatchNumber: TypeAlias = Annotated[int, Meta(ge=-10_000, le=10_000)]
Seconds: TypeAlias = Annotated[int, Meta(ge=-1, le=1_000_000)]
"""-1: there is no such time."""

Points: TypeAlias = Annotated[int, Meta(ge=-(1 << 32), le=1 << 32)]


class BoardTable(msgspec.Struct, frozen=True, array_like=True):
    """A match at a table: called, playing or suspended. `clock_s` is what is left of its call, -1 without a clock."""

    table: TableNumber
    match: MatchNumber
    a: PlayerNumber
    b: PlayerNumber
    score_a: SmallCount
    score_b: SmallCount
    status: Word
    clock_s: Seconds


class BoardNext(msgspec.Struct, frozen=True, array_like=True):
    """A match of the queue; `wait_s` is a guess, -1 for none."""

    match: MatchNumber
    a: PlayerNumber
    b: PlayerNumber
    wait_s: Seconds


class BoardLine(msgspec.Struct, frozen=True, array_like=True):
    """A line of the standings; `first` is 0 for who is not ranked.

    `values` are numbers as they are shown, one for each of `BoardStandings.names`.
    """

    player: PlayerNumber
    first: SmallCount
    last: SmallCount
    points: Points
    won: SmallCount
    lost: SmallCount
    values: Annotated[tuple[Word, ...], Meta(max_length=16)]
    form: Text
    struck: bool


class BoardStandings(msgspec.Struct, frozen=True, array_like=True):
    """The standings of a stage (from 0), or of one of its groups."""

    stage: SmallCount
    group: Word
    names: Annotated[tuple[Text, ...], Meta(max_length=16)]
    lines: Annotated[tuple[BoardLine, ...], Meta(max_length=512)]


class BoardMatch(msgspec.Struct, frozen=True, array_like=True):
    """A match in the draw. `from_a` and `from_b` are the matches that its players come from, negative for the loser.

    `status` is one letter: w(aiting) r(eady) c(alled) p(laying) s(uspended) f(inished); `kind` is the result's kind.
    """

    match: MatchNumber
    stage: SmallCount
    side: Word
    round: SmallCount
    position: SmallCount
    a: PlayerNumber
    b: PlayerNumber
    from_a: MatchNumber
    from_b: MatchNumber
    score_a: SmallCount
    score_b: SmallCount
    status: Word
    kind: Word
    winner: PlayerNumber


class Board(Message, frozen=True, array_like=True, tag=40):
    """The evening at one instant; `seq` is the log's last entry in it, so a smaller one is older.

    `pages` is how many pages of matches there are. `players`, `seeds` and `statuses` are by number; 0 is nobody.
    `length` is what a match is played to, and `measure` says of what: "points" or "deals".
    """

    tid: TournamentId
    seq: SmallCount
    name: Text
    phase: Word
    reason: Text
    format: Word
    champion: PlayerNumber
    pages: SmallCount
    players: Annotated[tuple[Name, ...], Meta(max_length=512)]
    seeds: Annotated[tuple[PlayerNumber, ...], Meta(max_length=512)]
    statuses: Annotated[tuple[Word, ...], Meta(max_length=512)]
    tables: Annotated[tuple[BoardTable, ...], Meta(max_length=512)]
    next: Annotated[tuple[BoardNext, ...], Meta(max_length=64)]
    standings: Annotated[tuple[BoardStandings, ...], Meta(max_length=64)]
    notes: Annotated[tuple[Text, ...], Meta(max_length=16)]
    length: SmallCount = 0
    measure: Word = "points"


class BoardPage(Message, frozen=True, array_like=True, tag=41):
    """A page of the matches, from page 0."""

    tid: TournamentId
    seq: SmallCount
    page: SmallCount
    matches: Annotated[tuple[BoardMatch, ...], Meta(max_length=MAX_PAGE)]


def board_topic(tid: str) -> bytes:
    """The watch socket's topic of a tournament's board."""
    return b"tournament/%s/" % tid.encode()


def page_topic(tid: str, page: int) -> bytes:
    """The watch socket's topic of a page of its matches; whoever follows the board gets the pages as well."""
    return b"%s%d/" % (board_topic(tid), page)
