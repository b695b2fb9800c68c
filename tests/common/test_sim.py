from __future__ import annotations

import json

import pytest

from speed_common.sim import main


def report(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    assert main([*options, "--json"]) == 0
    printed: dict[str, object] = json.loads(capsys.readouterr().out)
    return printed


def test_the_report_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "--deals", "40", "--rules", "us", "--seed", "1")
    assert found["winners"] == found["deals"] == 40
    assert found["rules"] == {"preset": "us"}
    assert set(found) >= {"voids", "flips", "reshuffle_share", "plays", "stuck_at_reveal_share", "score_mean", "tucks"}


def test_figures_do_not_depend_on_the_number_of_processes(capsys: pytest.CaptureFixture[str]) -> None:
    alone = report(capsys, "--deals", "600", "--jobs", "1")
    assert report(capsys, "--deals", "600", "--jobs", "2") == alone


def test_every_option_reaches_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    options = "--deals 3 --jobs 1 --deal pagat --hand 4 --draw 11 --side 11 --jokers 2 --joker-mode declared"
    more = "--no-wrap --same-rank --no-tuck --reshuffle per_pile --refill manual"
    rules = report(capsys, *options.split(), *more.split())["rules"]
    assert rules == {
        "preset": "pagat",
        "hand_size": 4,
        "draw_size": 11,
        "side_size": 11,
        "jokers": 2,
        "joker_mode": "declared",
        "wrap": False,
        "same_rank": True,
        "tuck": False,
        "reshuffle": "per_pile",
        "refill": "manual",
    }


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
        ("--hand 12", "hand_size"),
        ("--side 6", "draw 15 with side 5 would balance"),
        ("--levels 0v3", "as 1v2"),
        ("--levels 1-2", "as 1v2"),
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
