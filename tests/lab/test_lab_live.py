"""The live lab: what its judge takes for a race, and a short one over namespaces where there can be some."""

from __future__ import annotations

import json
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_live.gates import check_live
from lab_live.judge import races
from lab_live.pressed import Pressed
from lab_live.spaces import Spaces, why_not
from lab_sim.app import main
from lab_sim.figures import figures_of
from lab_sim.gates import COLUMNS
from lab_sim.races import Race
from lab_sim.world import MS
from speed_common.events import Play
from speed_common.fair_settings import FairSettings
from speed_common.presets import make_rules
from speed_common.record import Heading, NumberedCards, Player
from speed_common.record_read import Ending, Line, Record

TOP = 7
"""The revision that the pile's top came with."""


def play(number: int, seat: int, card: int, verdict: str, press_us: int, arrival_us: int, moved_us: int = 0) -> Line:
    extras = {"press_us": press_us, "arrival_us": arrival_us}
    return Line(number, Play(seat, card, 0, press_us + moved_us), verdict, {}, (), extras)


def record(*lines: Line) -> Record:
    heading = Heading(
        rules=make_rules(), cards=NumberedCards(number=1), table=3, deal=1, players=(Player("a"), Player("b")),
        fair=FairSettings(),
    )  # fmt: skip
    return Record(heading, lines, Ending(end="won", requests=len(lines)))


def pressed(seat: int, card: int, at_ms: float, late_ms: float = 0, revision: int = TOP, machine: int = -1) -> Pressed:
    on = seat if machine < 0 else machine
    return Pressed(on, 3, 1, seat, card, 0, revision, int(at_ms * MS), 0, int(late_ms * MS), 0)


def duels(found: list[Race]) -> list[Race]:
    return [race for race in found if race.lone < 0]


def test_a_beaten_play_and_the_one_that_took_its_pile_are_a_race_in_which_the_earlier_press_was_first() -> None:
    lines = (play(2, 1, 20, "accepted", 300_000, 340_000), play(3, 0, 10, "beaten", 304_000, 305_000))
    (race,) = duels(races([record(*lines)], [pressed(1, 20, 300), pressed(0, 10, 304)]))
    assert (race.winner, race.first, race.arrived) == (1, 1, [0, 1])
    assert race.gap_ms == pytest.approx(-4)
    assert race.nominal_ms == 5


def test_who_was_shown_the_top_late_pressed_as_if_in_time() -> None:
    lines = (play(2, 0, 10, "accepted", 300_000, 301_000), play(3, 1, 20, "beaten", 312_000, 340_000))
    (race,) = duels(races([record(*lines)], [pressed(0, 10, 300), pressed(1, 20, 312, late_ms=20)]))
    assert (race.winner, race.first) == (0, 1)


def test_the_seat_that_a_machine_has_at_a_table_does_not_matter() -> None:
    lines = (play(2, 0, 10, "accepted", 300_000, 301_000), play(3, 1, 20, "beaten", 310_000, 311_000))
    (race,) = duels(races([record(*lines)], [pressed(0, 10, 300, machine=1), pressed(1, 20, 310, machine=0)]))
    assert (race.winner, race.first, race.arrived) == (1, 1, [1, 0])


@pytest.mark.parametrize(
    ("second", "press"),
    [
        (play(3, 1, 20, "beaten", 304_000, 305_000), pressed(1, 20, 304, revision=TOP + 1)),
        (play(3, 1, 20, "illegal", 304_000, 305_000), pressed(1, 20, 304)),
        (play(3, 0, 11, "beaten", 304_000, 305_000), pressed(0, 11, 304)),
        (play(3, 1, 20, "beaten", 304_000, 305_000, moved_us=60_000), pressed(1, 20, 304)),
        (play(3, 1, 20, "beaten", 304_000, 305_000), pressed(1, 21, 304)),
    ],
    ids=["another top", "nothing to take", "one's own pile", "moved by the least gap", "a press that nobody knows of"],
)
def test_what_is_no_race_of_two_for_one_top_is_left_out(second: Line, press: Pressed) -> None:
    first = play(2, 0, 10, "accepted", 300_000, 301_000)
    found = races([record(first, second)], [pressed(0, 10, 300), press])
    assert not duels(found)
    assert [race.winner for race in found if race.lone >= 0] == [0]


def test_the_same_card_pressed_again_is_taken_in_the_order_of_the_presses() -> None:
    lines = (
        play(2, 0, 10, "accepted", 300_000, 301_000), play(3, 1, 20, "beaten", 310_000, 311_000),
        play(4, 0, 11, "accepted", 600_000, 601_000), play(5, 1, 20, "beaten", 602_000, 603_000),
    )  # fmt: skip
    found = [
        pressed(1, 20, 602, revision=TOP + 1), pressed(0, 11, 600, revision=TOP + 1), pressed(1, 20, 310),
        pressed(0, 10, 300),
    ]  # fmt: skip
    assert [race.gap_ms for race in duels(races([record(*lines)], found))] == pytest.approx([10, 2])


def some_races(right: int, wrong: int, gap_ms: float = 10.0) -> list[Race]:
    lines, found = [], []
    for number in range(right + wrong):
        winner = 0 if number < right else 1
        at = 1_000 * (number + 1)
        lines += [
            play(2 * number + 2, winner, number, "accepted", at * 1_000, at * 1_000),
            play(2 * number + 3, 1 - winner, number, "beaten", at * 1_000, at * 1_000),
        ]
        found += [pressed(0, number, at, revision=number), pressed(1, number, at + gap_ms, revision=number)]
    return races([record(*lines)], found)


@settings(max_examples=25)
@given(st.integers(30, 60))
def test_a_share_of_right_winners_that_chance_does_not_explain_misses_its_gate(number: int) -> None:
    column = COLUMNS["cable-bad"]
    for wrong, passed in ((0, True), (number // 4, False)):
        gate = check_live(column, figures_of(some_races(number - wrong, wrong)), 100)[0]
        assert gate.passed is passed


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "namespaces")
def test_races_over_namespaces_are_decided_by_the_hand_and_nothing_is_left_behind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--live", "--link", "slow-up", "--races", "8", "--json"]) in {0, 1}
    report = json.loads(capsys.readouterr().out)
    fair = report["links"]["cable/slow-up"]["reaction"]
    assert fair["races"] > 0
    assert report["links"]["cable/slow-up"]["deals"] > 0
    left = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout
    assert Spaces().real("") not in left


def test_where_there_can_be_no_namespaces_the_reason_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab_live.app.why_not", lambda: "network namespaces need root: run it with sudo")
    assert main(["--live"]) == 0
    assert capsys.readouterr().out == "skipped: network namespaces need root: run it with sudo\n"
