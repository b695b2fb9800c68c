"""The public state of a tournament as messages: a board, and the pages of its matches."""

from __future__ import annotations

from speed_common import wire
from speed_common.wire.board import MAX_PAGE
from speed_server.tournament.config import SECOND
from speed_server.tournament.model import LIVE, Match, Source, Tournament
from speed_server.tournament.queue import estimates, queue
from speed_server.tournament.standings import Standings, champion, standings

_NOTES = 5
_NEXT = 32


def board(state: Tournament, seq: int, now: int) -> wire.Board:
    """The board of a durable state; `seq` is that of its last entry."""
    last = max(state.players, default=0)
    people = [state.players.get(number) for number in range(last + 1)]
    waits = estimates(state, now)
    live = sorted((m for m in state.matches.values() if m.status in LIVE), key=lambda match: match.table)
    return wire.Board(
        tid=state.tid,
        seq=seq,
        name=state.name,
        phase=state.phase,
        reason=state.pause_reason,
        format=state.config.format,
        champion=champion(state),
        pages=-(-len(state.matches) // MAX_PAGE),
        players=tuple(person.name if person else "" for person in people),
        seeds=state.seeds,
        statuses=tuple(person.status if person else "" for person in people),
        tables=tuple(_table(match, now) for match in live),
        next=tuple(
            wire.BoardNext(m.number, *m.known, waits[m.number] // SECOND if m.number in waits else -1)
            for m in queue(state)[:_NEXT]
        ),
        standings=tuple(_standings(t) for n in range(len(state.stages)) for t in standings(state, n)),
        notes=state.notes[-_NOTES:],
        length=state.config.wins_needed,
        measure=state.config.measure,
    )


def pages(state: Tournament, seq: int) -> tuple[wire.BoardPage, ...]:
    """All matches in pages, by number."""
    matches = sorted(state.matches.values(), key=lambda match: match.number)
    return tuple(
        wire.BoardPage(state.tid, seq, n // MAX_PAGE, tuple(_match(match) for match in matches[n : n + MAX_PAGE]))
        for n in range(0, len(matches), MAX_PAGE)
    )


def _table(match: Match, now: int) -> wire.BoardTable:
    clock = max(0, match.deadline - now) // SECOND if match.deadline else -1
    return wire.BoardTable(match.table, match.number, *match.known, *match.score, match.status, clock)


def _standings(table: Standings) -> wire.BoardStandings:
    names = tuple(name for name, _ in table.lines[0].values) if table.lines else ()
    lines = tuple(
        wire.BoardLine(
            line.player,
            line.first,
            line.last,
            line.points,
            line.won,
            line.lost,
            tuple(f"{round(value, 2):g}" for _, value in line.values),
            line.form,
            line.struck,
        )
        for line in table.lines
    )
    return wire.BoardStandings(table.stage, table.group, names, lines)


def _match(match: Match) -> wire.BoardMatch:
    spec, result = match.spec, match.result
    a, other = (wire.UNKNOWN if player is None else player for player in match.players)
    return wire.BoardMatch(
        match.number,
        match.stage,
        spec.side,
        spec.round,
        spec.position,
        a,
        other,
        _origin(spec.a),
        _origin(spec.b),
        *match.score,
        match.status[0],
        result.kind if result else "",
        result.winner if result else 0,
    )


def _origin(source: Source) -> int:
    return {"player": 0, "winner": source.ref, "loser": -source.ref, "reset": source.ref}[source.kind]
