"""A tournament in sentences, for line modes: its tables, queue, standings and results, and what changed. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from speed_client.draw import parts_of
from speed_client.evening import Evening
from speed_client.printable import printable
from speed_common.wire import Board, BoardMatch

ASKS = ("now", "next", "bracket", "standings", "results")
"""What can be asked for by a word."""


class EveningTeller:
    """Tells of a tournament what was not told yet, and what is asked for."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._results: dict[int, tuple[str, int]] | None = None

    def changed(self, evening: Evening) -> Iterator[str]:
        """A sentence for each thing that is new."""
        board, before = evening.board, self._board
        if board is None:
            return
        if before is None:
            yield f"{evening.title}: {evening.about.replace(' · ', ', ')}; {evening.state[0]}."
        elif (before.phase, before.champion, before.reason) != (board.phase, board.champion, board.reason):
            yield f"{evening.title}: {evening.state[0]}."
        for note in board.notes[len(before.notes) :] if before is not None else ():
            yield f"Note: {printable(note)}."
        old = {line.match: line for line in before.tables} if before is not None else {}
        for line in board.tables:
            if line.match not in old:
                yield f"Table {line.table}: {evening.name(line.a)} against {evening.name(line.b)}, {line.status}."
            elif old[line.match].status != line.status:
                yield f"Table {line.table}: {line.status}."
        self._board = board
        yield from self._finished(evening)

    def _finished(self, evening: Evening) -> Iterator[str]:
        done = {match.match: match for match in evening.matches if match.status == "f" and match.kind != "not_needed"}
        told = {number: (match.kind, match.winner) for number, match in done.items()}
        before = self._results
        self._results = told
        for number, result in told.items() if before is not None else ():
            if before is not None and before.get(number) != result:
                yield result_sentence(done[number], evening)


def asked(word: str, evening: Evening) -> Iterator[str]:
    """What one of `ASKS` is answered with."""
    board = evening.board
    if board is None:
        yield "No tournament is known yet."
    elif word == "now":
        for line in board.tables:
            pair = f"{evening.name(line.a)} {line.score_a}, {evening.name(line.b)} {line.score_b}"
            yield f"Table {line.table}: {pair}, {line.status}."
        if not board.tables:
            yield "Nothing is played now."
    elif word == "next":
        for place, waiting in enumerate(board.next, start=1):
            wait = f", in about {-(-waiting.wait_s // 60)} minutes" if waiting.wait_s > 0 else ""
            yield f"{place}: {evening.name(waiting.a)} against {evening.name(waiting.b)}{wait}."
        if not board.next:
            yield "Nobody waits for a table."
    elif word == "standings":
        yield from _standings(evening)
    else:
        yield from _draw(evening, only_done=word == "results")


def _standings(evening: Evening) -> Iterator[str]:
    if not evening.standings:
        yield "There are no standings yet."
    for table in evening.standings:
        if table.group:
            yield f"Group {printable(table.group)}."
        for line in table.lines:
            place = "out" if line.struck else str(line.first) if line.first else "no place yet"
            yield f"{place}: {evening.name(line.player)}, {line.points} points, {line.won} won, {line.lost} lost."


def _draw(evening: Evening, *, only_done: bool) -> Iterator[str]:
    said = False
    for part in parts_of(evening):
        for matches in part.rounds:
            lines = [_match_words(match, evening) for match in matches if match.status == "f" or not only_done]
            if lines:
                said = True
                title = f"{part.title.capitalize()}, round" if part.title else "Round"
                yield f"{title} {matches[0].round}."
                yield from lines
    if not said:
        yield "Nothing is decided yet." if only_done else "Nothing is drawn yet."


def _match_words(match: BoardMatch, evening: Evening) -> str:
    if match.status == "f":
        return result_sentence(match, evening)
    one, other = (evening.name(player, "not known yet") or "nobody" for player in (match.a, match.b))
    state = {"w": "", "r": ", waits for a table", "c": ", called"}.get(match.status)
    state = f", {match.score_a} to {match.score_b}" if state is None else state
    return f"Match {match.match}: {one} against {other}{state}."


def result_sentence(match: BoardMatch, evening: Evening) -> str:
    """How a match ended."""
    one, other = evening.name(match.a) or "nobody", evening.name(match.b) or "nobody"
    if match.kind == "bye":
        return f"{evening.name(match.winner)} has a bye."
    if match.winner <= 0:
        return f"Match {match.match}, {one} against {other}: no winner."
    loser = other if match.winner == match.a else one
    if match.kind == "walkover":
        return f"{evening.name(match.winner)} wins against {loser} without playing."
    score = sorted((match.score_a, match.score_b), reverse=True)
    return f"{evening.name(match.winner)} beats {loser}, {score[0]} to {score[1]}."
