"""Tables as CSV: players, matches and standings out, a list of players in. UTF-8, one header line, ISO times in UTC.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula: such a cell gets an apostrophe before
it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from speed_server.tournament.entries import iso_time
from speed_server.tournament.explain import place_name
from speed_server.tournament.model import EMPTY, Tournament
from speed_server.tournament.standings import standings

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def defused(cell: object) -> str:
    """A cell that no spreadsheet runs."""
    text = str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(_FORMULA) else text


def _write(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([defused(cell) for cell in row] for row in rows)
    return out.getvalue()


def players_csv(state: Tournament) -> str:
    """One row for each player, by seed."""
    people = sorted((p for p in state.players.values() if p.status != "removed"), key=lambda p: state.seed_of(p.number))
    header = ("seed", "name", "status")
    return _write(header, [(state.seed_of(p.number), p.name, p.status) for p in people])


def matches_csv(state: Tournament) -> str:
    """One row for each match, by number."""
    header = ("match", "stage", "side", "round", "a", "b", "status", "result", "winner", "score_a", "score_b")
    times = ("table", "called", "started", "finished", "why")
    rows = []
    for match in sorted(state.matches.values(), key=lambda match: match.number):
        result = match.result
        a, b = match.players
        score = result.score if result is not None and result.score else ("", "")
        names = (state.name_of(a) if a else "", state.name_of(b) if b else "")
        winner = state.name_of(result.winner) if result is not None and result.winner else ""
        stamps = [iso_time(at) if at else "" for at in (match.called_at, match.started_at, match.finished_at)]
        rows.append(
            (
                match.name,
                match.stage + 1,
                match.spec.side,
                match.spec.round,
                *names,
                match.status,
                result.kind if result is not None else "",
                winner,
                *score,
                match.table or "",
                *stamps,
                result.why if result is not None else "",
            )
        )
    return _write((*header, *times), rows)


def standings_csv(state: Tournament) -> str:
    """One row for each line of the standings of each stage."""
    rows = []
    names: list[str] = []
    for stage in range(len(state.stages)):
        for table in standings(state, stage):
            for line in table.lines:
                values = dict(line.values)
                names += [name for name in values if name not in names]
                player = state.name_of(line.player) if line.player != EMPTY else ""
                head = (stage + 1, table.group, place_name(line), player, line.won, line.lost, line.points)
                rows.append((head, values))
    header = ("stage", "group", "place", "player", "won", "lost", "points", *names)
    return _write(header, [(*head, *(values.get(name, "") for name in names)) for head, values in rows])


def read_players(text: str) -> list[str]:
    """The names of a list with a `name` column, best seed first if it has a `seed` column. Raises ValueError."""
    rows = list(csv.DictReader(io.StringIO(text)))
    if not rows or "name" not in rows[0]:
        first = text.splitlines()[0][:40] if text.strip() else ""
        raise ValueError(f"its first line is `{first}`: it must name the columns, one of them `name`")
    names = [(row.get("name") or "").strip().removeprefix("'") for row in rows]
    seeds = [row.get("seed") or "" for row in rows]
    order = sorted(range(len(rows)), key=lambda n: (0, int(seeds[n]), n) if seeds[n].isdigit() else (1, 0, n))
    return [names[n] for n in order if names[n]]
