from __future__ import annotations

import json

import pytest

from lab_sim.app import main
from lab_sim.cheats import ATTACKS
from lab_sim.faults import FAULTS, suffer
from lab_sim.figures import Figures, figures_of, probit, wilson
from lab_sim.races import Evening, Mode, Plan
from lab_sim.trials import attempt
from speed_common.fair_settings import FairSettings


def figures(link: str, mode: Mode, races: int = 400, **more: object) -> Figures:
    evening = Evening(Plan(("cable", link), mode, races, **more))  # type: ignore[arg-type]
    found = figures_of(evening.run())
    assert evening.wrong_records == 0
    return found


def test_thirty_up_and_three_down_passes_reaction_mode_and_fails_press_mode_exactly_below_half_the_difference() -> None:
    reaction = figures("slow-up", "reaction")
    assert reaction.fair.at(10) > 0.98
    evening = Evening(Plan(("cable", "slow-up"), "press", 600))
    slow_first = [race for race in evening.run() if race.lone < 0 and race.whole and race.first == 1]
    near, far = 13.5 - 1.2, 13.5 + 1.2  # the tie and the clock's own error are between
    assert all(race.winner == 0 for race in slow_first if -race.gap_ms < near)
    assert all(race.winner == 1 for race in slow_first if -race.gap_ms > far)
    assert 0 < sum(-race.gap_ms < near for race in slow_first) < len(slow_first)


def test_a_bad_link_wins_its_true_share_which_arrival_order_takes_from_it() -> None:
    found = figures("bad", "reaction")
    assert found.fair.at(10) > 0.97
    assert max(found.fair.wrongly) < 0.03
    assert found.arrival.at(10) < 0.8
    assert found.arrival.wrongly[1] > 0.1


def test_the_longest_hold_is_the_cap_and_a_tick() -> None:
    for cap in (60, 100):
        settings = FairSettings(hold_cap_ns=cap * 1_000_000)
        found = figures("bad-loss", "reaction", 300, settings=settings)
        assert max(most for _, _, most in found.holds.values()) <= cap + 2


def test_a_clock_of_15_ms_is_still_unbiased() -> None:
    evening = Evening(Plan(("cable", "cable"), "press", 700, grain_ns=(0, 15_600_000)))
    found = figures_of(evening.run())
    assert evening.server.steps == 0
    assert abs(found.fair.bias) < 1.5
    assert found.fair.at(20) > 0.99


def test_the_same_log_in_gives_the_same_order_out() -> None:
    def verdicts() -> list[object]:
        evening = Evening(Plan(("good", "bad-loss"), "reaction", 60, 7))
        return [(race.winner, sorted(race.verdicts.items())) for race in evening.run()]

    assert verdicts() == verdicts()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_machine_decides_no_other_race(name: str) -> None:
    faults = suffer(name, 120, 1)
    assert faults.times > 3
    assert faults.wrong_elsewhere == 0
    assert faults.longest_hold_ms <= 102
    assert faults.epochs == (0 if name == "dead" else faults.times)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_stays_within_its_bound_and_flags_no_honest_player(attack: str) -> None:
    trial = attempt(attack, "cable", 3, 1, FairSettings())
    assert trial.passed
    assert trial.points[1] < 3


def test_with_order_off_the_first_to_arrive_wins() -> None:
    evening = Evening(Plan(("cable", "bad"), "reaction", 100, settings=FairSettings(mode="off")))
    for race in evening.run():
        if race.whole:
            assert race.winner == race.arrived[0]


def test_the_lab_speaks_json_and_ends_with_its_judgement(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--sim", "--link", "cable", "--races", "300", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert (code == 0) == report["passed"]
    assert set(report["links"]["cable/cable"]) == {"press", "reaction"}


def test_the_fit_finds_the_bias_and_the_interval_holds_the_share() -> None:
    pairs = [(gap / 10, gap / 10 > 3 or (gap / 10 > 1 and gap % 2 == 0)) for gap in range(-100, 100)]
    bias, sigma = probit(pairs)
    assert abs(bias - 2) < 0.5
    assert 0.2 < sigma < 3
    low, high = wilson(98, 100)
    assert low < 0.98 < high
