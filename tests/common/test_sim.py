from __future__ import annotations

import json
from typing import Any

import pytest

from speed_common.sim import main


def report(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main([*options, "--json"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


def test_the_report_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "--deals", "40", "--rules", "us", "--seed", "1")
    assert found["winners"] == found["deals"] == 40
    assert found["rules"] == "us"
    assert set(found) >= {"voids", "flips", "reshuffle_share", "plays", "stuck_at_reveal_share", "score_mean", "tucks"}


def test_figures_do_not_depend_on_the_number_of_processes(capsys: pytest.CaptureFixture[str]) -> None:
    alone = report(capsys, "--deals", "600", "--jobs", "1")
    assert report(capsys, "--deals", "600", "--jobs", "2") == alone


def test_the_rules_are_told_in_the_words_of_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--deals 3 --jobs 1 --deal pagat --hand 4 --jokers 2 --no-wrap --refill manual"
    found = report(capsys, *words.split())
    assert found["rules"] == "pagat jokers 2 hand 4 no-wrap refill manual"
    assert found["parameters"]["draw_size"] == 12


def test_the_deal_of_a_code_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = report(capsys, "--code", "B00KX-1K9Z4Q", "--show-deal")
    assert shown["number"] == 94_523_930
    assert shown["hand 0"] == "3H 7S 5D KS KD"
    assert shown["hand 1"] == "2D AD KC 4H 4C"
    assert shown["centre"] == "2C 8H"
    assert (shown["side 0"], shown["side 1"]) == ("10D QS 4D KH 10S", "JS 3C 6C 3D 7D")
    assert main(["--code", "b00kx-1k9z4q", "--show-deal"]) == 0
    assert "hand 0  3H 7S 5D KS KD" in capsys.readouterr().out


def test_the_deal_of_a_code_is_played_once_by_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    played = report(capsys, "--code", "A05KX-00000A.P4")
    assert (played["code"], played["rules"]) == ("A05KX-00000A.P4", "four")
    assert played["plays"] > 19
    assert report(capsys, "--code", "A05KX-00000A.P4") == played
    assert main(["--code", "B00KX-1K9Z4Q"]) == 0
    assert "winner" in capsys.readouterr().out


def test_without_json_it_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--deals", "20", "--levels", "1v10"]) == 0
    printed = capsys.readouterr()
    assert "flips" in printed.out
    assert "speed 10" in printed.out
    assert printed.err == "", "no bar where nobody looks"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--deals 0", "'0' is no number from 1"),
        ("--deals many", "'many' is no number"),
        ("--hand 12", "hand is 12"),
        ("--side 6", "draw 15 with side 5 would balance"),
        ("--levels 0v3", "as 1v2"),
        ("--levels 1-2", "as 1v2"),
        ("--levels 1v2v3", "names 3 computers, 2 play"),
        ("--levels 1v2v3 --code B00KX-1K9Z4Q", "names 3 computers, the code is for 2"),
        ("--show-deal", "give --code too"),
        ("--code B00KX-1K9Z4Q --rules four", "says its rules itself"),
        ("--code B00KX", "is no game code"),
        ("--rules german", "german"),
        ("--joker-mode declared", "needs jokers"),
        ("--colour", "--colour"),
    ],
)
def test_a_bad_option_is_one_line_and_exit_code_two(
    options: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(options.split())
    printed = capsys.readouterr()
    assert left.value.code == 2
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert told in printed.err
