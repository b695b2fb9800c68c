"""The printable report as one HTML page without outside resources. Everything that people wrote is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from speed_server.tournament.crosstable import crosstable
from speed_server.tournament.entries import iso_time
from speed_server.tournament.explain import place_name
from speed_server.tournament.model import EMPTY, Match, Tournament
from speed_server.tournament.report_text import STAGE_NAMES, by_name, pending, round_title, rounds
from speed_server.tournament.standings import champion, standings

_STYLE: Final = """
body { font: 11pt/1.35 sans-serif; margin: 2em auto; max-width: 60em; color: #000; background: #fff }
table { border-collapse: collapse; margin: .5em 0 1.5em } th, td { border: 1px solid #888; padding: .15em .5em }
th { text-align: left; background: #eee } .bracket { display: flex; gap: 1.5em; overflow-x: auto }
.round { display: flex; flex-direction: column; justify-content: space-around; min-width: 11em }
.match { border: 1px solid #888; margin: .3em 0; padding: .1em .4em } .won { font-weight: bold }
.struck { text-decoration: line-through; color: #666 } .sheet td { min-width: 2em; height: 1.6em }
section { break-inside: avoid-page } @page { size: A4; margin: 15mm }
"""


def report_html(state: Tournament, now: int) -> str:
    """The whole page; `now` is the time of the print."""
    title = escape(state.name)
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head><body>',
        f"<h1>{title}</h1><p>{escape(state.phase)}, printed {iso_time(now)}</p>",
    ]
    winner = champion(state)
    if winner:
        parts.append(f"<p>The winner is <strong>{escape(state.name_of(winner))}</strong>.</p>")
    names = [(str(m.table or "-"), m.name, *map(state.name_of, m.known), m.status) for m in pending(state)]
    parts.append(_section("Pairings by table", _table(("table", "match", "", "", "state"), names)))
    parts.append(_section("Pairings by name", _table(("name", "opponent", "match", "table"), by_name(state))))
    for stage, drawn in enumerate(state.stages):
        parts.append(f"<h2>{STAGE_NAMES[drawn.kind]}</h2>")
        parts.append(_standings(state, stage))
        if drawn.kind in {"bracket", "double"}:
            parts.append(_brackets(state, stage))
        else:
            rows = [(str(number), name, *cells) for number, name, cells in crosstable(state, stage)]
            parts.append(_section("Crosstable", _table(("", "name"), rows)))
            parts += [_section(heading, _list(state, matches)) for heading, matches in rounds(state, stage)]
    parts.append(_section("Score sheets", "".join(_sheet(state, match) for match in pending(state))))
    return "\n".join(part for part in parts if part) + "\n</body></html>\n"


def _section(title: str, body: str) -> str:
    return f"<section><h3>{escape(title)}</h3>{body}</section>" if body else ""


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    return f"<table><tr>{head}</tr>{body}</table>" if body else ""


def _standings(state: Tournament, stage: int) -> str:
    found = []
    for table in standings(state, stage):
        names = [name.replace("_", " ") for name, _ in table.lines[0].values] if table.lines else []
        head = "".join(f"<th>{escape(cell)}</th>" for cell in ("place", "name", "won", "lost", "points", *names))
        rows = []
        for line in table.lines:
            name = state.name_of(line.player) if line.player != EMPTY else "(vacant)"
            values = (f"{value:g}" for _, value in line.values)
            cells = (place_name(line), name, str(line.won), str(line.lost), str(line.points), *values)
            mark = ' class="struck"' if line.struck else ""
            rows.append(f"<tr{mark}>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        title = f"Standings of group {table.group}" if table.group else "Standings"
        found.append(_section(title, f"<table><tr>{head}</tr>{''.join(rows)}</table>"))
    return "".join(found)


def _brackets(state: Tournament, stage: int) -> str:
    """Each side of the draw as columns of rounds."""
    sides: dict[str, dict[int, list[Match]]] = {}
    for match in state.matches.values():
        if match.stage == stage:
            sides.setdefault(match.spec.side, {}).setdefault(match.spec.round, []).append(match)
    found = []
    for columns in sides.values():
        body = "".join(
            f'<div class="round">{"".join(_box(state, match) for match in matches)}</div>'
            for _, matches in sorted(columns.items())
        )
        first = next(iter(columns.values()))[0]
        title = round_title(first).rpartition(", ")[0] or "Bracket"
        found.append(_section(title, f'<div class="bracket">{body}</div>'))
    return "".join(found)


def _box(state: Tournament, match: Match) -> str:
    rows = []
    for side in (0, 1):
        player = match.players[side]
        name = "" if player is None else "bye" if player == EMPTY else state.name_of(player)
        score = ""
        if match.result is not None and match.result.score:
            score = f" {match.result.score[side]}"
        elif match.result is not None and match.result.kind == "walkover" and match.result.winner == player:
            score = " w/o"
        won = match.result is not None and player is not None and match.result.winner == player != EMPTY
        mark = ' class="won"' if won else ""
        rows.append(f"<div{mark}>{escape(name + score) or '&nbsp;'}</div>")
    return f'<div class="match" title="{match.name}">{"".join(rows)}</div>'


def _list(state: Tournament, matches: Sequence[Match]) -> str:
    rows = []
    for match in matches:
        result = match.result
        text: str = match.status
        if result is not None:
            text = f"{result.score[0]}:{result.score[1]}" if result.score else result.kind.replace("_", " ")
        a, b = match.players
        rows.append((match.name, state.name_of(a), state.name_of(b) if b else "", text))
    return _table(("match", "", "", "result"), rows)


def _sheet(state: Tournament, match: Match) -> str:
    head = escape(f"{match.name}, {round_title(match)}, table {match.table or '____'}")
    rows = "".join(
        f"<tr><td>{escape(state.name_of(player))}</td>{'<td></td>' * 10}<td>sum</td></tr>" for player in match.known
    )
    return f'<table class="sheet"><tr><th colspan="12">{head}</th></tr>{rows}</table>'
