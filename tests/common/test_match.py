from __future__ import annotations

import pytest

from speed_common.events import NOBODY
from speed_common.match import Match


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
    match = Match(25, points, (3, 3)).scored(winner, score)
    assert match.points == after
    assert match.winner == won_by
    assert sum(match.wins) == (6 if winner == NOBODY else 7)


def test_single_deals_are_counted_and_never_make_a_match() -> None:
    match = Match(0).scored(1, 20).scored(1, 20)
    assert match == Match(0, (0, 40), (0, 2))
    assert match.winner == NOBODY
