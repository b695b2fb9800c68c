"""A tournament as everybody may see it: the newest board, the matches out of its pages, and who is followed. Pure.

Boards and pages come again and again, to whoever is late as well; one that is older than what is known is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from speed_client.printable import printable
from speed_common.wire import Board, BoardMatch, BoardPage, BoardStandings, BoardTable

FORMATS: Final[Mapping[str, str]] = {
    "single": "knock-out",
    "double": "double elimination",
    "roundrobin": "round robin",
    "swiss": "Swiss",
    "groups": "groups, then knock-out",
    "arena": "arena",
}
PHASES: Final[Mapping[str, str]] = {
    "draft": "in preparation",
    "registration": "players enter",
    "check_in": "players check in",
    "drawn": "drawn, not started",
    "running": "running",
    "paused": "paused",
    "finished": "finished",
    "archived": "finished",
    "cancelled": "cancelled",
}
_BOARD: Final = -1
LIVE: Final = frozenset("cps")
"""The statuses of a match that has a table."""


class Evening:
    """One tournament. `followed` is the number of the player whose way is marked, 0 for nobody."""

    def __init__(self, tid: str) -> None:
        self.tid = tid
        self.board: Board | None = None
        self.followed = 0
        self._pages: dict[int, BoardPage] = {}
        self._floors: dict[int, int] = {}
        """The newest log entry seen of each page on this connection, and of the board as page -1."""

    def take(self, message: Board | BoardPage) -> bool:
        """A board or a page came; whether anything is new by it."""
        if message.tid != self.tid:
            return False
        place = message.page if isinstance(message, BoardPage) else _BOARD
        if message.seq < self._floors.get(place, 0):
            return False
        self._floors[place] = message.seq
        if isinstance(message, BoardPage):
            changed = message != self._pages.get(message.page)
            self._pages[message.page] = message
            return changed
        changed = message != self.board
        self.board = message
        for gone in [n for n, page in self._pages.items() if n >= message.pages and page.seq <= message.seq]:
            del self._pages[gone]
        return changed

    def anew(self) -> None:
        """The connection fell: a server that comes back may have been restored to an earlier state."""
        self._floors.clear()

    @property
    def matches(self) -> tuple[BoardMatch, ...]:
        """All matches that are known, by number; a running one with the score of its table."""
        scores = {line.match: (line.score_a, line.score_b) for line in self.board.tables} if self.board else {}
        return tuple(
            _scored(match, scores.get(match.match))
            for number in sorted(self._pages)
            for match in self._pages[number].matches
        )

    def name(self, number: int, unknown: str = "?") -> str:
        """A player's name; empty for nobody."""
        if self.board is None or number < 0:
            return unknown
        names = self.board.players
        return printable(names[number], 24) if 0 < number < len(names) else ""

    def number_of(self, name: str) -> int:
        """A player's number by name, however it is written; 0 where nobody is called so."""
        wanted = name.casefold()
        names = self.board.players if self.board is not None else ()
        return next((n for n, known in enumerate(names) if known and known.casefold() == wanted), 0)

    def table_of(self, player: int) -> BoardTable | None:
        """The table where a player plays or is called to."""
        tables = self.board.tables if self.board is not None else ()
        return next((line for line in tables if player > 0 and player in {line.a, line.b}), None)

    @property
    def standings(self) -> tuple[BoardStandings, ...]:
        """The tables of the standings, those of the newest stage first."""
        found = self.board.standings if self.board is not None else ()
        return tuple(sorted(found, key=lambda table: -table.stage))

    @property
    def count(self) -> int:
        """How many take part."""
        return sum(map(bool, self.board.players)) if self.board is not None else 0

    @property
    def title(self) -> str:
        """The tournament's name."""
        return printable(self.board.name, 40) if self.board is not None else self.tid

    @property
    def about(self) -> str:
        """Its size, its format, how long a match is."""
        board = self.board
        if board is None:
            return ""
        length = f"to {board.length} points" if board.measure == "points" else _best_of(board.length)
        return f"{self.count} players · {FORMATS.get(board.format, board.format)} · {length}"

    @property
    def state(self) -> tuple[str, str]:
        """Where it stands, in some words, and a style for them."""
        board = self.board
        if board is None:
            return "waiting for the server", "hint"
        if board.champion > 0 and board.phase in {"finished", "archived"}:
            return f"champion: {self.name(board.champion)}", "good"
        if board.phase == "paused":
            reason = printable(board.reason, 60)
            return f"PAUSED{f': {reason}' if reason else ''}", "alarm"
        return PHASES.get(board.phase, printable(board.phase)), "status"


def _best_of(wins: int) -> str:
    return f"best of {max(1, 2 * wins - 1)}"


def _scored(match: BoardMatch, score: tuple[int, int] | None) -> BoardMatch:
    if score is None or match.status == "f" or score == (match.score_a, match.score_b):
        return match
    return replace(match, score_a=score[0], score_b=score[1])
