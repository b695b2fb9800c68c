"""What spectators see of a tournament: messages of the watch socket. Values only; `boards` makes them.

Players are numbers into `Board.players` (0: nobody, -1: not known yet). A board is the whole of the evening but the
matches, which come in pages, because a round robin of 64 would not fit one message. Nothing in here is secret.
"""

from __future__ import annotations

import msgspec

UNKNOWN = -1


class BoardTable(msgspec.Struct, frozen=True, array_like=True):
    """A match at a table: called, playing or suspended. `clock_s` is what is left of its call, -1 without a clock."""

    table: int
    match: int
    a: int
    b: int
    score_a: int
    score_b: int
    status: str
    clock_s: int


class BoardNext(msgspec.Struct, frozen=True, array_like=True):
    """A match of the queue; `wait_s` is a guess, -1 for none."""

    match: int
    a: int
    b: int
    wait_s: int


class BoardLine(msgspec.Struct, frozen=True, array_like=True):
    """A line of the standings; `first` is 0 for who is not ranked, `values` belong to `BoardStandings.names`."""

    player: int
    first: int
    last: int
    points: int
    won: int
    lost: int
    values: tuple[float, ...]
    form: str
    struck: bool


class BoardStandings(msgspec.Struct, frozen=True, array_like=True):
    """The standings of a stage (from 0), or of one of its groups."""

    stage: int
    group: str
    names: tuple[str, ...]
    lines: tuple[BoardLine, ...]


class BoardMatch(msgspec.Struct, frozen=True, array_like=True):
    """A match in the draw. `from_a` and `from_b` are the matches that its players come from, negative for the loser.

    `status` is one letter: w(aiting) r(eady) c(alled) p(laying) s(uspended) f(inished); `kind` is the result's kind.
    """

    match: int
    stage: int
    side: str
    round: int
    position: int
    a: int
    b: int
    from_a: int
    from_b: int
    score_a: int
    score_b: int
    status: str
    kind: str
    winner: int


class Board(msgspec.Struct, frozen=True, tag="board", tag_field="t"):
    """The evening at one instant; `seq` is the log's last entry in it, so a smaller one is older."""

    tid: str
    seq: int
    name: str
    phase: str
    reason: str
    format: str
    champion: int
    pages: int
    """How many pages of matches there are."""
    players: tuple[str, ...]
    """Names by number; index 0 is nobody."""
    seeds: tuple[int, ...]
    statuses: tuple[str, ...]
    tables: tuple[BoardTable, ...]
    next: tuple[BoardNext, ...]
    standings: tuple[BoardStandings, ...]
    notes: tuple[str, ...]


class BoardPage(msgspec.Struct, frozen=True, tag="board_page", tag_field="t"):
    """A page of the matches, from page 0."""

    tid: str
    seq: int
    page: int
    matches: tuple[BoardMatch, ...]
