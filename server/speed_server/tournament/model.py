"""The words of a tournament as values: players, matches, stages, rounds, tables, and the whole of it.

Every value is frozen. A match number, a player's number and a table's number are stable for the whole evening; numbers
of players start at 1, so 0 can stand for an empty slot. `None` in a slot is "not known yet", which is something else.
Times are nanoseconds since the Unix epoch on a clock that the caller anchors once a run and never steps; 0 is no time.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from speed_server.tournament.config import Config

EMPTY: Final = 0
"""The player of an empty slot: a bye for whoever meets it."""

Phase = Literal["draft", "registration", "check_in", "drawn", "running", "paused", "finished", "archived", "cancelled"]
PlayerStatus = Literal[
    "registered", "checked_in", "dropped", "active", "resting", "withdrawn", "disqualified", "removed"
]
MatchStatus = Literal["waiting", "ready", "called", "playing", "suspended", "finished"]
Kind = Literal["played", "walkover", "double_walkover", "bye", "void", "not_needed"]
SourceKind = Literal["player", "winner", "loser", "reset"]

GONE: Final = frozenset({"withdrawn", "disqualified"})
LIVE: Final = frozenset({"called", "playing", "suspended"})
IN_PLAY: Final = frozenset({"playing", "suspended"})


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant. `joined` is the first Swiss round he is in, `left` the first he is not in any more (0: none)."""

    number: int
    name: str
    status: PlayerStatus = "registered"
    connected: bool = True
    lost_at: int = 0
    free_since: int = 0
    """When his last match ended: his rest counts from here."""
    joined: int = 1
    left: int = 0
    no_show: bool = False
    """Resting because he missed a call: his next sign of life makes him active again."""


class Source(msgspec.Struct, frozen=True):
    """Where the player of a slot comes from: a player, or the winner or loser of a match.

    `reset` is the same slot of a first grand final, if that final has to be decided once more.
    """

    kind: SourceKind
    ref: int


class Spec(msgspec.Struct, frozen=True):
    """A match as drawn: its place in the bracket or schedule, and its sources.

    `side` is the part of the draw: `main`, `winners`, `losers`, `final`, `reset`, `third`, `playoff` or a group's
    letter. `depth` is the longest chain of matches that must come before.
    """

    number: int
    round: int
    side: str
    depth: int
    position: int
    a: Source
    b: Source


class Result(msgspec.Struct, frozen=True):
    """How a match ended. `winner` is EMPTY when nobody goes on; `score` is in the order of the slots, if played."""

    kind: Kind
    winner: int
    score: tuple[int, int] | None = None
    why: str = ""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match with all that happened to it."""

    spec: Spec
    stage: int
    players: tuple[int | None, int | None] = (None, None)
    feeds: tuple[int, ...] = ()
    status: MatchStatus = "waiting"
    ready_at: int = 0
    table: int = 0
    called_at: int = 0
    clock_from: int = 0
    """When the call clock started or will start by itself."""
    deadline: int = 0
    """When the call ends; 0: no clock runs."""
    bells: int = 0
    penalties: int = 0
    acknowledged: tuple[bool, bool] = (False, False)
    seated: tuple[bool, bool] = (False, False)
    score: tuple[int, int] = (0, 0)
    deals: int = 0
    started_at: int = 0
    finished_at: int = 0
    away_since: tuple[int, int] = (0, 0)
    """When each side's grace began, which may lie ahead; 0: he is here, or the clock is frozen."""
    away: tuple[bool, bool] = (False, False)
    used: tuple[int, int] = (0, 0)
    lapses: tuple[int, int] = (0, 0)
    stake: tuple[int, int] = (0, 0)
    result: Result | None = None
    pinned: bool = False
    held: bool = False

    @property
    def number(self) -> int:
        """The match's number, `M12` for people."""
        return self.spec.number

    @property
    def name(self) -> str:
        """What people call it."""
        return f"M{self.spec.number}"

    @property
    def known(self) -> tuple[int, int]:
        """The two players, EMPTY where one is missing or not known."""
        return self.players[0] or EMPTY, self.players[1] or EMPTY

    def side_of(self, player: int) -> int:
        """0 or 1. Raises ValueError for who does not play here."""
        return self.players.index(player)

    @property
    def loser(self) -> int:
        """The player who lost; EMPTY when there is none or both did."""
        if self.result is None or self.result.winner == EMPTY:
            return EMPTY
        a, b = self.known
        return b if self.result.winner == a else a

    @property
    def decided(self) -> bool:
        """Whether one player won it against another, played or by walk-over."""
        return self.result is not None and self.result.kind in {"played", "walkover"} and self.result.winner != EMPTY


class Pair(msgspec.Struct, frozen=True):
    """A line of a round: the better-ranked player first; `b` is EMPTY for the bye."""

    number: int
    a: int
    b: int
    why: str = ""


class Round(msgspec.Struct, frozen=True):
    """A Swiss round: its pairs, and whether people see them."""

    number: int
    pairs: tuple[Pair, ...]
    published: bool = False
    hold: bool = False
    """Taken back by a correction or the director: it waits for `repair` or `publish`."""


StageKind = Literal["bracket", "double", "roundrobin", "groups", "swiss", "arena"]


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the tournament with its own standings. `members` are in the order of their seeds."""

    kind: StageKind
    members: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    rounds: int = 0
    closed: bool = False
    order: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """The frozen standings of a closed stage: for each group, places from the first, each with who shares it."""


class Table(msgspec.Struct, frozen=True):
    """A table of the hall. Whether a match is on it is told by the matches."""

    number: int
    open: bool = True


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state, a fold of the log."""

    tid: str = ""
    name: str = ""
    phase: Phase = "draft"
    config: Config = msgspec.field(default_factory=Config)
    players: dict[int, Player] = msgspec.field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    stages: tuple[Stage, ...] = ()
    rounds: tuple[Round, ...] = ()
    matches: dict[int, Match] = msgspec.field(default_factory=dict)
    tables: dict[int, Table] = msgspec.field(default_factory=dict)
    fixed: tuple[tuple[int, int], ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()
    fixed_bye: int = EMPTY
    pause_reason: str = ""
    cooling_until: int = 0
    """When the next step of the stage may be taken; 0: something is still being played."""
    start_at: int = 0
    started_at: int = 0
    paused_at: int = 0
    ends_at: int = 0
    """When an arena ends; 0 for the other formats."""
    finished_at: int = 0
    ended_early: bool = False
    notes: tuple[str, ...] = ()

    @property
    def stage(self) -> int:
        """The index of the stage being played; -1 before the draw."""
        return len(self.stages) - 1

    def is_gone(self, player: int) -> bool:
        """Whether a player has left for good."""
        return player != EMPTY and self.players[player].status in GONE

    def name_of(self, player: int | None) -> str:
        """A player's name, for sentences."""
        if player is None:
            return "?"
        return self.players[player].name if player != EMPTY else "nobody"

    def title(self, match: Match) -> str:
        """`M4 anna-bob`, for sentences."""
        a, b = match.players
        return f"{match.name} {self.name_of(a)}-{self.name_of(b)}"

    def seed_of(self, player: int) -> int:
        """The seed, from 1; whoever came late follows in the order of entry."""
        try:
            return self.seeds.index(player) + 1
        except ValueError:
            return len(self.seeds) + player
