"""A tournament's draw as something to paint: its parts, and the cells and lines of each bracket. Pure.

A part is a bracket, a group, or the rounds of one stage. A bracket is laid out from its last match backwards: a match
stands in the middle of the two that its players come from, and whoever comes from elsewhere takes a row of his own.
Scrolled by rounds, a bracket is laid out anew from the first round that is shown, so that it closes up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from speed_client.evening import LIVE, Evening
from speed_common.wire import BoardMatch

_BRACKETS: Final = ("winners", "losers", "final", "reset", "third", "playoff")
_ELIMINATION: Final = frozenset({"single", "double"})
_TITLES: Final = {
    "winners": "WINNERS' BRACKET",
    "losers": "LOSERS' BRACKET",
    "final": "GRAND FINAL",
    "reset": "SECOND FINAL, only if the first is won from the losers' bracket",
    "third": "THIRD PLACE",
    "playoff": "PLAY-OFF",
}
_ROUNDS: Final = {1: ("FINAL", "FINAL"), 2: ("SEMI-FINALS", "SEMIS"), 4: ("QUARTER-FINALS", "QUARTERS")}
_SHORT: Final = 18
"""Columns below which a round's short name is taken."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the draw. `tree`: its matches feed each other. `rounds` are its matches by round, each in order."""

    title: str
    tree: bool
    rounds: tuple[tuple[BoardMatch, ...], ...]
    side: str = ""

    @property
    def matches(self) -> tuple[BoardMatch, ...]:
        """All of them."""
        return tuple(match for each in self.rounds for match in each)


class Spot(NamedTuple):
    """One player's place in a bracket: column from the first shown, row, text, score, style."""

    column: int
    row: int
    name: str
    score: str
    style: str


class Joint(NamedTuple):
    """The line from a match to where its winner goes: the rows of its players, that of the winner, its number."""

    column: int
    upper: int
    lower: int
    out: int
    number: int
    last: bool


@dataclass(frozen=True, slots=True)
class Tree:
    """A bracket laid out: spots, joints, how many rows and columns it takes."""

    spots: tuple[Spot, ...]
    joints: tuple[Joint, ...]
    rows: int
    columns: int


def parts_of(evening: Evening) -> tuple[Part, ...]:
    """The parts of the draw: the newest stage first, brackets in the order of play, groups by letter."""
    board = evening.board
    format_ = board.format if board is not None else ""
    by_part: dict[tuple[int, str], list[BoardMatch]] = {}
    for match in evening.matches:
        if match.kind == "not_needed" or (match.a == match.b == 0 and match.status == "f"):
            continue
        by_part.setdefault((match.stage, match.side), []).append(match)
    parts = []
    for (stage, side), matches in sorted(by_part.items(), key=lambda item: _order(*item[0])):
        tree = side in _BRACKETS or format_ in _ELIMINATION or (format_ == "groups" and stage > 0)
        title = _TITLES.get(side) or (f"GROUP {side}" if side != "main" else "")
        parts.append(Part(title, tree, _by_round(matches, newest_first=format_ == "arena"), side))
    return tuple(parts)


def _order(stage: int, side: str) -> tuple[int, int, str]:
    return -stage, _BRACKETS.index(side) + 1 if side in _BRACKETS else 0, side


def _by_round(matches: Iterable[BoardMatch], *, newest_first: bool) -> tuple[tuple[BoardMatch, ...], ...]:
    if newest_first:
        return (tuple(sorted(matches, key=lambda match: -match.match)),)
    rounds: dict[int, list[BoardMatch]] = {}
    for match in sorted(matches, key=lambda match: (match.round, match.position)):
        rounds.setdefault(match.round, []).append(match)
    return tuple(tuple(rounds[number]) for number in sorted(rounds))


def heading(part: Part, at: int, width: int) -> str:
    """The head of a round (counted from 0), in so many columns."""
    matches = part.rounds[at]
    number = matches[0].round
    if not part.tree:
        return f"ROUND {number}"
    if part.side in {"winners", "losers"}:
        return f"ROUND {number}"
    if part.side in _TITLES:
        return ""
    count = len(matches)
    if at == len(part.rounds) - 1 or count in _ROUNDS:
        long, short = _ROUNDS.get(count, (f"ROUND {number}", f"ROUND {number}"))
        return long if width >= _SHORT else short
    of = 1 << (2 * count - 1).bit_length()
    return f"ROUND OF {of}" if width >= _SHORT else f"ROUND {of}"


def lay(part: Part, evening: Evening, first: int, step: int) -> Tree:
    """A bracket from round `first` on (from 0), the rows of players `step` apart."""
    return _Layer(part, evening, min(first, len(part.rounds) - 1), step).tree()


class _Layer:
    def __init__(self, part: Part, evening: Evening, first: int, step: int) -> None:
        self._rounds = part.rounds[first:]
        self._evening = evening
        self._step = step
        self._row = 0
        self._columns = {match.match: column for column, each in enumerate(self._rounds) for match in each}
        self._matches = {match.match: match for each in self._rounds for match in each}
        self._spots: list[Spot] = []
        self._joints: list[Joint] = []

    def tree(self) -> Tree:
        inner = {abs(ref) for match in self._matches.values() for ref in (match.from_a, match.from_b) if ref > 0}
        for number in sorted(self._matches.keys() - inner):
            self._place(self._matches[number])
        return Tree(tuple(self._spots), tuple(self._joints), self._row, len(self._rounds))

    def _place(self, match: BoardMatch) -> int:
        """Lay out a match and all before it; the row that its winner goes on in."""
        column = self._columns[match.match]
        alone = match.kind == "bye"
        slots = [(match.a, match.from_a, match.score_a), (match.b, match.from_b, match.score_b)]
        rows = [
            self._slot(match, column, *slot, own=not alone)
            for slot in slots
            if not (alone and slot[0] == 0 and slot[1] not in self._matches)
        ]
        upper, lower = rows[0], rows[-1]
        out = (upper + lower) // 2
        self._joints.append(Joint(column, upper, lower, out, match.match, column == len(self._rounds) - 1))
        if column == len(self._rounds) - 1 and match.winner > 0:
            name = self._evening.name(match.winner)
            self._spots.append(Spot(column + 1, out, name, "", "good"))
        return out

    def _slot(self, match: BoardMatch, column: int, player: int, source: int, score: int, *, own: bool) -> int:
        before = self._matches.get(source)
        if before is not None and self._columns[source] < column:
            row = self._place(before)
        else:
            row = self._row
            self._row += self._step
        text = self._name(player, source)
        points = _score(match, player, score) if own else ""
        self._spots.append(Spot(column, row, text, points, self._style(match, player)))
        return row

    def _name(self, player: int, source: int) -> str:
        if player < 0:
            return f"L M{-source}" if source < 0 else "?"
        return self._evening.name(player) or "-"

    def _style(self, match: BoardMatch, player: int) -> str:
        if player > 0 and player == self._evening.followed:
            return "me"
        if match.status in LIVE:
            return "status"
        if match.status != "f":
            return ""
        return "good" if match.winner == player and player > 0 else "hint"


def _score(match: BoardMatch, player: int, score: int) -> str:
    if match.kind in {"walkover", "double_walkover"}:
        return "w/o" if match.winner == player else ""
    if match.kind in {"bye", "void"}:
        return "void" if match.kind == "void" else ""
    return str(score) if match.status in "fps" else ""


def result_words(match: BoardMatch) -> str:
    """A match's result or state in a few characters, from the first player's side."""
    if match.kind == "bye":
        return "bye"
    if match.kind == "void":
        return "void"
    if match.kind == "walkover":
        return "w/o <" if match.winner == match.a else "> w/o"
    if match.kind == "double_walkover":
        return "both w/o"
    if match.status in "fps":
        return f"{match.score_a}:{match.score_b}"
    return "called" if match.status == "c" else "-"


def way(matches: Sequence[BoardMatch], player: int) -> tuple[BoardMatch, ...]:
    """The matches that a player played or will play, as far as they are known."""
    return tuple(match for match in matches if player > 0 and player in {match.a, match.b})
