"""The printable report as plain text, 80 columns: pairings by table and by name, score sheets, draw, standings."""

from __future__ import annotations

from collections.abc import Iterable

from speed_server.tournament.crosstable import crosstable
from speed_server.tournament.entries import iso_time
from speed_server.tournament.explain import standings_lines
from speed_server.tournament.model import LIVE, Match, Tournament
from speed_server.tournament.preview import describe
from speed_server.tournament.queue import queue
from speed_server.tournament.standings import champion, standings

WIDTH = 80
STAGE_NAMES = {
    "bracket": "Single elimination",
    "double": "Double elimination",
    "roundrobin": "Round robin",
    "groups": "Groups",
    "swiss": "Swiss",
    "arena": "Arena",
}
SIDE_NAMES = {
    "main": "",
    "winners": "Winners' bracket, ",
    "losers": "Losers' bracket, ",
    "final": "Grand final, ",
    "reset": "Second final, ",
    "third": "Third place, ",
    "playoff": "Play-off, ",
}


def pending(state: Tournament) -> list[Match]:
    """The matches that people should know of now: those at tables, then those in the queue."""
    live = [match for match in state.matches.values() if match.status in LIVE]
    return [*sorted(live, key=lambda match: match.table), *queue(state)]


def by_name(state: Tournament) -> list[tuple[str, str, str, str]]:
    """Name, opponent, match and table of everybody who has a match, by name."""
    rows = []
    for match in pending(state):
        for side in (0, 1):
            name, other = (state.name_of(match.known[s]) for s in (side, 1 - side))
            rows.append((name, other, match.name, str(match.table or "-")))
    return sorted(rows, key=lambda row: (row[0].casefold(), row[2]))


def round_title(match: Match) -> str:
    """The heading of a match's round."""
    side = match.spec.side
    return f"{SIDE_NAMES.get(side, f'Group {side}, ')}round {match.spec.round}"


def rounds(state: Tournament, stage: int) -> list[tuple[str, list[Match]]]:
    """The matches of a stage under the headings of their rounds."""
    found: dict[str, list[Match]] = {}
    for match in state.matches.values():
        if match.stage == stage:
            found.setdefault(round_title(match), []).append(match)
    return list(found.items())


def report_text(state: Tournament, now: int) -> str:
    """The whole report; `now` is the time of the print."""
    lines = [state.name.center(WIDTH).rstrip(), f"{state.phase}, printed {iso_time(now)}".center(WIDTH).rstrip(), ""]
    winner = champion(state)
    if winner:
        lines += [f"The winner is {state.name_of(winner)}.", ""]
    lines += _section("Pairings by table", _by_table(state))
    lines += _section("Pairings by name", (f"{a:<17} {b:<17} {m:<6} table {t}" for a, b, m, t in by_name(state)))
    for stage, drawn in enumerate(state.stages):
        lines += _section(f"{STAGE_NAMES[drawn.kind]}: standings", _standings(state, stage))
        if drawn.kind not in {"bracket", "double"}:
            lines += _section("Crosstable", _crosstable(state, stage))
        for title, matches in rounds(state, stage):
            lines += _section(title, (describe(state, match) for match in matches))
    lines += _section("Score sheets", _sheets(state))
    return "\n".join(lines).rstrip() + "\n"


def _section(title: str, body: Iterable[str]) -> list[str]:
    lines = list(body)
    return [title, "-" * len(title), *lines, ""] if lines else []


def _by_table(state: Tournament) -> Iterable[str]:
    for match in pending(state):
        a, b = map(state.name_of, match.known)
        yield f"{match.table or '-':>5}  {match.name:<6} {a:<17} {b:<17} {match.status}"


def _standings(state: Tournament, stage: int) -> Iterable[str]:
    for table in standings(state, stage):
        if table.group:
            yield f"Group {table.group}"
        yield from standings_lines(state, table)


def _crosstable(state: Tournament, stage: int) -> Iterable[str]:
    for number, name, cells in crosstable(state, stage):
        head = f"{number:>3} {name:<16} "
        room = max(1, (WIDTH - len(head)) // 5)
        for start in range(0, max(1, len(cells)), room):
            text = "".join(f"{cell:>5}" for cell in cells[start : start + room])
            yield ((head if start == 0 else " " * len(head)) + text).rstrip()


def _sheets(state: Tournament) -> Iterable[str]:
    """Blank sheets for the matches to come: a power cut must not stop an evening."""
    for match in pending(state):
        a, b = map(state.name_of, match.known)
        yield f"{match.name}  {round_title(match)}  table {match.table or '____'}"
        yield from (f"  {name:<17} " + "|____" * 8 + "|  sum ______" for name in (a, b))
        yield ""
