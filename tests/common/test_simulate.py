"""Simulated deals: the figures of the rules, within their bands, and the same again from the same seed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.common.random_rules import any_rules

from speed_common.deck import CodeStream
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.simulate import Greedy, play_deal, simulate, summary

DEALS = 1_000


@pytest.mark.parametrize(
    ("preset", "changes", "flips", "reshuffles", "most_plays", "stuck", "score"),
    [
        ("us", {}, 3.44, 0.112, 39, 0.026, 4.0),
        ("us", {"wrap": False}, 6.12, 0.476, 39, 0.039, 3.7),
        ("us", {"same_rank": True}, 2.67, 0.053, 39, 0.010, 3.9),
        ("pagat", {}, 3.29, 0.0006, 29, 0.028, 3.1),
        ("us", {"jokers": 2}, 3.07, 0.078, 41, 0.017, 4.5),
        ("us", {"hand_size": 3, "wrap": False}, 11.6, 0.946, 39, 0.145, 4.6),
    ],
)
def test_greedy_players_reproduce_the_figures_of_the_rules(
    preset: str,
    changes: dict[str, Any],
    flips: float,
    reshuffles: float,
    most_plays: int,
    stuck: float,
    score: float,
) -> None:
    figures = summary(simulate(make_rules(preset, **changes), 1, range(DEALS)))
    assert figures["winners"] == DEALS
    assert figures["voids"] == 0
    assert figures["deals_with_tuck"] <= DEALS / 50
    assert figures["flips"]["mean"] == pytest.approx(flips, rel=0.08)
    assert figures["reshuffle_share"] == pytest.approx(reshuffles, abs=0.04)
    assert figures["plays"]["max"] <= most_plays
    assert figures["stuck_at_reveal_share"] == pytest.approx(stuck, abs=0.025)
    assert figures["score_mean"] == pytest.approx(score, rel=0.1)


@pytest.mark.parametrize(
    ("rules", "flips", "most_plays", "score"),
    [
        (Rules(players=3, decks=2, piles=4, side_size=10), 0.67, 58, 11.9),
        (Rules(players=4, decks=2, piles=4, side_size=5), 0.18, 77, 21.0),
    ],
)
def test_greedy_players_of_three_and_four_reproduce_the_figures_too(
    rules: Rules, flips: float, most_plays: int, score: float
) -> None:
    figures = summary(simulate(rules, 1, range(DEALS)))
    assert sum(figures["won"]) == figures["winners"] == DEALS
    assert len(figures["won"]) == rules.players
    assert figures["flips"]["mean"] == pytest.approx(flips, abs=0.1)
    assert figures["plays"]["max"] <= most_plays
    assert figures["score_mean"] == pytest.approx(score, rel=0.1)


@pytest.mark.parametrize(("levels", "faster_wins"), [((1, 2), 0.73), ((9, 10), 0.79), ((1, 5), 0.89), ((1, 10), 0.97)])
def test_the_faster_computer_wins_as_often_as_it_should(levels: tuple[int, int], faster_wins: float) -> None:
    figures = summary(simulate(make_rules(), 3, range(DEALS), levels))
    assert figures["won"][1] / DEALS == pytest.approx(faster_wins, abs=0.05)


def test_of_four_computers_the_faster_win_more_wherever_they_sit() -> None:
    won = summary(simulate(make_rules("four"), 3, range(400), (2, 4, 6, 8)))["won"]
    assert won == sorted(won)
    assert won[3] > 300


@pytest.mark.parametrize("levels", [(1,), (1, 2, 3)])
def test_there_are_as_many_computers_as_players(levels: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot play a deal for 2"):
        simulate(make_rules(), 1, range(1), levels)


@settings(max_examples=80)
@given(any_rules(tuck=True), st.integers(0, 2**31), st.booleans())
def test_computers_end_every_deal_whatever_the_rules(rules: Rules, seed: int, greedy: bool) -> None:  # noqa: FBT001
    levels = None if greedy else [1 + (seed + seat) % 10 for seat in range(rules.players)]
    (figures,) = simulate(rules, seed, range(1), levels)
    assert 0 <= figures.winner < rules.players
    assert figures.score >= 1


def test_who_has_to_call_does_so_a_quarter_of_a_second_after_the_last_card() -> None:
    plain, calling = (simulate(Rules(call_speed=call), 5, range(20), (3, 7)) for call in (False, True))
    for without, with_call in zip(plain, calling, strict=True):
        assert with_call.duration_us == without.duration_us + 250_000
        assert with_call.winner == without.winner


def test_a_flip_that_all_must_ask_for_comes_when_the_slower_computer_has_asked() -> None:
    steady = [Greedy(5, lambda: 0.5), Greedy(1, lambda: 0.5)]
    rules = Rules(hand_size=1, draw_size=0, side_size=24, flip_trigger="all_ready")
    deals = (play_deal(rules, CodeStream(number), steady) for number in range(100))
    once = next(deal for deal in deals if deal.stuck_at_reveal and deal.flips == 1)
    assert once.duration_us > 2_800_000


def test_any_part_of_a_run_comes_out_as_in_the_whole() -> None:
    rules = make_rules(refill="manual")
    assert simulate(rules, 9, range(20, 25)) == simulate(rules, 9, range(30))[20:25]
    assert simulate(rules, 9, range(5)) != simulate(rules, 8, range(5))


def test_a_dead_deal_is_counted_as_void() -> None:
    rules = make_rules(hand_size=3, wrap=False, tuck=False)
    results = simulate(rules, 1, range(1_000))
    void = [result for result in results if result.winner < 0]
    assert 0 < len(void) < 20
    assert all(result.score == 0 and result.duration_us > 0 for result in void)
    assert summary(void)["score_mean"] == 0


def test_a_play_that_was_taken_away_in_the_lift_is_counted_as_refused() -> None:
    assert summary(simulate(make_rules(), 1, range(50), (10, 10)))["refused"] > 0
    assert summary(simulate(make_rules(), 1, range(50)))["refused"] == 0


def test_one_deal_is_played_to_its_end() -> None:
    steady = [Greedy(5, lambda: 0.5), Greedy(4, lambda: 0.5)]
    figures = play_deal(make_rules(), CodeStream(0), steady)
    assert figures.winner in {0, 1}
    assert figures.plays >= 20
    assert figures.duration_us >= 20 * 1_462_000
