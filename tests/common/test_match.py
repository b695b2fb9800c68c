from __future__ import annotations

import pytest

from speed_common.events import NOBODY
from speed_common.match import Match
from speed_common.rules import Rules


@pytest.mark.parametrize(
    ("points", "winner", "score", "after", "won_by"),
    [
        ((22, 20), 0, 5, (27, 20), 0),
        ((24, 24), 0, 1, (25, 24), 0),
        ((24, 24), 1, 1, (24, 25), 1),
        ((22, 20), 0, 2, (24, 20), NOBODY),
        ((22, 20), NOBODY, 0, (22, 20), NOBODY),
    ],
)
def test_t25_a_target_of_25_is_won_by_who_reaches_or_passes_it(
    points: tuple[int, int], winner: int, score: int, after: tuple[int, int], won_by: int
) -> None:
    match = Match(25, points=points, wins=(3, 3)).scored(winner, score)
    assert match.points == after
    assert match.winner == won_by
    assert sum(match.wins) == (6 if winner == NOBODY else 7)


def test_single_deals_are_counted_and_never_make_a_match() -> None:
    match = Match().scored(1, 20).scored(1, 20)
    assert match == Match(points=(0, 40), wins=(0, 2))
    assert match.single
    assert match.winner == NOBODY


@pytest.mark.parametrize(("best_of", "needed"), [(1, 1), (2, 2), (3, 2), (5, 3), (8, 5)])
def test_the_best_of_some_deals_is_who_wins_more_than_half_of_them(best_of: int, needed: int) -> None:
    match = Match(best_of=best_of)
    for _ in range(needed):
        assert match.winner == NOBODY
        assert not match.single
        match = match.scored(1, 4)
    assert match.winner == 1


def test_a_match_of_four_counts_for_each_seat() -> None:
    match = Match.of(Rules(players=4, match_target=125))
    for winner, score in [(3, 60), (0, 64), (NOBODY, 0), (3, 66)]:
        assert match.winner == NOBODY
        match = match.scored(winner, score)
    assert (match.points, match.wins) == ((64, 0, 0, 126), (1, 0, 0, 2))
    assert match.winner == 3


def test_with_both_a_target_and_a_number_of_deals_whichever_comes_first_decides() -> None:
    match = Match(target=25, best_of=5)
    assert match.scored(0, 30).winner == 0
    assert match.scored(0, 1).scored(0, 1).scored(0, 1).winner == 0
