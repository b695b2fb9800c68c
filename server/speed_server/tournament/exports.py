"""All files of an evening: what `export` writes into a folder."""

from __future__ import annotations

from collections.abc import Sequence

from speed_server.tournament.archive import export_json
from speed_server.tournament.entries import Entry
from speed_server.tournament.model import Tournament
from speed_server.tournament.report_html import report_html
from speed_server.tournament.report_text import report_text
from speed_server.tournament.tables_csv import matches_csv, players_csv, standings_csv


def export_files(entries: Sequence[Entry], state: Tournament, now: int) -> dict[str, str]:
    """The text of each file by its name; `state` is what the entries fold to. To be written as UTF-8."""
    return {
        "players.csv": players_csv(state),
        "matches.csv": matches_csv(state),
        "standings.csv": standings_csv(state),
        "tournament.json": export_json(entries, state),
        "report.txt": report_text(state, now),
        "report.html": report_html(state, now),
    }
