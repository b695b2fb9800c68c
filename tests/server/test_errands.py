from __future__ import annotations

from pathlib import Path

import pytest

from speed_server.errands import FOLDER, Done, run
from speed_server.evening.line import CONSOLE, Line, errand_of
from speed_server.tournament.desk import Desk

START = 10**18


@pytest.fixture
def desk() -> Desk:
    desk = Desk("club")
    for line in ("new Club", "add anna bob", "set tables 1", "draw"):
        assert desk.execute(line, "director", START).ok
    return desk


def done(desk: Desk, data: Path, text: str, who: str = CONSOLE) -> Done:
    errand = errand_of(Line(who, text))
    assert errand is not None
    return run(errand, data, data / "tournaments.db", desk.log, desk.state, START)


def test_a_list_of_players_becomes_a_line_that_adds_them(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "club.csv").write_text('name\neve\n"Anna K"\n', encoding="utf-8")
    assert done(desk, tmp_path, f"import {tmp_path / 'club.csv'}").obey == "add eve 'Anna K'"


def test_an_exported_evening_is_taken_up_as_it_was(desk: Desk, tmp_path: Path) -> None:
    assert done(desk, tmp_path, "export").ok
    exported = tmp_path / FOLDER / "club" / "tournament.json"
    assert list(done(desk, tmp_path, f"import {exported}").entries) == list(desk.log)


def test_a_director_at_a_client_reads_and_writes_in_one_folder_only(desk: Desk, tmp_path: Path) -> None:
    for text in ("export ../away", "import /etc/passwd", "seed last ../../evening.json"):
        refused = done(desk, tmp_path, text, who="0123456789abcdef")
        assert not refused.ok
        assert "give it at the server's own console" in refused.texts[0]
    assert done(desk, tmp_path, "export report", who="0123456789abcdef").ok
    assert (tmp_path / FOLDER / "report" / "report.html").is_file()


def test_what_cannot_be_read_is_refused_with_a_remedy(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    for text in ("import missing.csv", f"import {tmp_path / 'noise'}", "import", "verify"):
        refused = done(desk, tmp_path, text)
        assert not refused.ok
        assert ": " in refused.texts[0]
