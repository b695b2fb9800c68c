from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.tournament.rehearsing import Evening

from speed_common.wire import UNKNOWN
from speed_server.rehearse import main, rehearse
from speed_server.tournament.archive import ArchiveError, export_json, final_order, import_json, state_hash
from speed_server.tournament.boards import board, pages
from speed_server.tournament.desk import Desk
from speed_server.tournament.exports import export_files
from speed_server.tournament.report_html import report_html
from speed_server.tournament.report_text import report_text
from speed_server.tournament.tables_csv import defused, matches_csv, players_csv, read_players, standings_csv
from speed_server.virtual_hall import RehearsalError

HALL = Path(__file__).parents[3]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_tables_hold_players_matches_and_standings() -> None:
    evening = Evening("swiss", 5, "rounds 2").do("rename 1 Zoë", "favourites 2", "after 1m")
    state = evening.desk.state
    assert [row["name"] for row in rows(players_csv(state))] == ["Zoë", "2", "3", "4", "5"]
    matches = rows(matches_csv(state))
    assert len(matches) == 6
    assert matches[0]["finished"] == "2000-01-01T00:10:00.000Z"
    assert (matches[2]["result"], matches[2]["b"]) == ("bye", "")
    assert rows(standings_csv(state))[0]["player"] == "Zoë"
    assert set(rows(standings_csv(state))[0]) >= {"place", "buchholz", "buchholz_cut", "average"}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@cmd", "\tx"])
def test_a_cell_never_is_a_formula(name: str) -> None:
    assert defused(name) == f"'{name}"
    assert defused(-5) == "-5"


def test_players_come_in_by_seed() -> None:
    assert read_players("name,seed\nbob,2\nanna,1\ncarl,\n") == ["anna", "bob", "carl"]
    with pytest.raises(ValueError, match="`name`"):
        read_players("who\nanna\n")
    state = Evening("single", 3).desk.state
    assert read_players(players_csv(state)) == ["1", "2", "3"]


def test_what_people_wrote_is_escaped_on_the_page() -> None:
    evening = Evening("groups", 6, "groups 2").do('note "<script>alert(1)</script>"', "favourites 9", "after 1m")
    evening.desk.state.players[1]
    named = Desk()
    for line in ("new <b>Club</b>", "add a b", "draw", "start"):
        assert named.execute(line, "director", 10**18).ok
    page = report_html(named.state, 10**18)
    assert "<b>Club" not in page
    assert "&lt;b&gt;Club" in page
    assert "http" not in page
    assert "Crosstable" in report_html(evening.desk.state, evening.now)


@pytest.mark.parametrize("format_", ["single", "double", "roundrobin", "swiss", "groups", "arena"])
def test_the_printed_report_fits_its_paper_and_has_all_its_parts(format_: str) -> None:
    evening = Evening(format_, 13, "groups 3").do("favourites 1", "after 31s")
    text = report_text(evening.desk.state, evening.now)
    assert max(map(len, text.splitlines())) <= 80
    assert all(part in text for part in ("Pairings by table", "Pairings by name", "Score sheets", "standings"))
    assert report_html(evening.desk.state, evening.now).endswith("</html>\n")


def test_an_evening_goes_on_on_another_machine() -> None:
    evening = Evening("swiss", 7, "rounds 3").do("favourites 1", "withdraw 4")
    text = export_json(evening.desk.log, evening.desk.state)
    other = Desk()
    other.load(import_json(text))
    assert state_hash(other.state) == state_hash(evening.desk.state)
    evening.desk = other
    evening.do("favourites 2", "after 1m")
    assert evening.of("finished")[0]["champion"] == "1"
    undone = other.execute("undo --dry-run", "director", evening.now)
    assert undone.ok or undone.refusal is not None


def test_an_archive_that_was_cut_off_or_changed_is_refused() -> None:
    evening = Evening("single", 4).do("favourites 2", "after 1m")
    text = export_json(evening.desk.log, evening.desk.state)
    for broken in (text[:-50], text.replace("25,20", "25,21"), '{"format":"x"}', "[]", ""):
        with pytest.raises(ArchiveError, match=": "):
            import_json(broken)
    whole = json.loads(text)
    whole["log"].pop(3)
    with pytest.raises(ArchiveError, match="missing"):
        import_json(json.dumps(whole))


def test_the_places_of_the_last_evening_seed_the_next() -> None:
    evening = Evening("single", 4).do("play 1-4 4", "play 2-3 2", "play 4-2 4", "after 1m")
    assert final_order(export_json(evening.desk.log, evening.desk.state))[:2] == ["4", "2"]


def test_the_board_shows_tables_queue_standings_and_the_draw() -> None:
    evening = Evening("single", 8, "tables 2").do("play 1-8 1", "play 4-5 4", "hold M5")
    seen = board(evening.desk.state, len(evening.desk.log), evening.now)
    assert [(row.table, seen.players[row.a], seen.players[row.b]) for row in seen.tables] == [
        (1, "2", "7"),
        (2, "3", "6"),
    ]
    assert [(row.match, seen.players[row.a]) for row in seen.next] == [(5, "1")]
    (page,) = pages(evening.desk.state, seen.seq)
    assert len(page.matches) == 7
    assert page.matches[4].from_a == 1
    assert page.matches[5].a == UNKNOWN


def test_the_queue_has_an_estimate_from_the_expected_length() -> None:
    evening = Evening("single", 16, "tables 2").do("after 4m")
    waits = [row.wait_s for row in board(evening.desk.state, 1, evening.now).next]
    assert waits == [360, 360, 960, 960, 1560, 1560]


def test_the_largest_evening_fits_its_messages() -> None:
    import msgspec  # noqa: PLC0415

    evening = Evening("roundrobin", 64, "tables 32")
    state = evening.desk.state
    largest = [board(state, 1, evening.now), *pages(state, 1)]
    assert max(len(msgspec.msgpack.encode(message)) for message in largest) < 32_000


# --- rehearse ---------------------------------------------------------------------------------------------------------

LINES = ("new Club", "set rest 0", "add anna bob carl", "draw", "start", "favourites 9", "standings")


def test_a_rehearsal_prints_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evening.txt"
    file.write_text("# the club\n\n" + "\n".join(LINES), encoding="utf-8")
    assert main([str(file), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["type"] for line in lines} >= {"drawn", "pairing", "bye", "call", "result", "standings", "finished"}
    assert main([str(file)]) == 0
    assert "anna" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("dance", "'dance' is no command: `help` lists the words"),
        ("play bob-carl anna", "anna does not play M2 bob-carl"),
        ("play", "play is not understood: write `play MATCH WINNER [SCORE]`"),
        ("after lunch", "after is not understood: write `after DURATION`"),
        ("play bob-carl bob 3:2", "3:2 does not end a match to 25"),
        ("import nobody.csv", "nobody.csv cannot be read"),
        ("seed last nothing.json", "nothing.json is no last evening"),
        ("favourites 3 4 x", ""),
    ],
)
def test_a_line_that_cannot_be_obeyed_ends_the_rehearsal_with_its_number_and_the_remedy(
    line: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.txt"
    file.write_text("\n".join([*LINES[:5], line]), encoding="utf-8")
    code = main([str(file)])
    if not text:
        assert code == 0
        return
    assert code == 1
    error = capsys.readouterr().err
    assert error.startswith(f"speed-server rehearse: line 6, {line!r}: {text}")
    assert "`" in error


def test_a_rehearsal_imports_exports_and_seeds_by_the_last_evening(tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text("name,seed\ncarl,3\nanna,2\nbob,1\n", encoding="utf-8")
    first = ["new One", "import players.csv", "draw", "start", "play anna-carl carl", "after 1m"]
    list(rehearse([*first, "play bob-carl carl", "after 1m", "export out"], tmp_path))
    assert len(list((tmp_path / "out").iterdir())) == 6
    second = ["new Two", "add anna bob carl dora", "seed last out/tournament.json", "draw"]
    drawn = next(line for line in rehearse(second, tmp_path) if line["type"] == "drawn")
    assert drawn["members"] == ["carl", "bob", "anna", "dora"]


def test_an_unreadable_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "no.txt")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_bad_line_keeps_what_had_happened() -> None:
    seen: list[str] = []
    lines = rehearse([*LINES[:5], "play bob-carl nobody"])
    with pytest.raises(RehearsalError, match="line 6"):
        seen.extend(iter(lambda: next(lines)["type"], "never"))
    assert "call" in seen


SCRIPT = """
import hashlib, sys
from speed_server.rehearse import Rehearsal
from speed_server.tournament.exports import export_files
for format_ in ("swiss", "double", "groups", "arena"):
    evening = Rehearsal()
    names = " ".join(f"p{n}" for n in range(1, 14))
    for line in ("new Club", f"set format {format_}", "set rest 0", f"add {names}", "seed random 4", "draw", "start",
                 "favourites 2", "withdraw p3", "favourites 30", "after 1m"):
        evening.run(line)
    for name, text in export_files(evening.desk.log, evening.desk.state, evening.now).items():
        print(format_, name, hashlib.sha256(text.encode()).hexdigest())
"""


def test_exports_are_the_same_bytes_for_every_hash_seed() -> None:
    seen = set()
    for seed in (0, 3, 7):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, cwd=HALL, capture_output=True, text=True, check=True
        )
        seen.add(ran.stdout)
    assert len(seen) == 1


def test_all_files_are_exported() -> None:
    evening = Evening("single", 2)
    names = set(export_files(evening.desk.log, evening.desk.state, evening.now))
    assert names == {"players.csv", "matches.csv", "standings.csv", "tournament.json", "report.txt", "report.html"}
