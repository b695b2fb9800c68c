from __future__ import annotations

from speed_common.wire import SeatFair
from speed_server.fair.cost import MOST_PLAYS, Cost

MS = 1_000_000


def test_contests_are_counted_and_holds_averaged_over_all_of_a_seats_plays() -> None:
    cost = Cost(2)
    for hold in (0, 20, 40):
        cost.judged(0, hold * MS, contested=hold > 0)
    assert cost.by_seat() == (SeatFair(2, 20_000, 40_000), SeatFair(0, 0, 0))


def test_a_hundredth_of_the_plays_may_be_held_longer_than_the_last_figure() -> None:
    cost = Cost(1)
    for hold in range(200):
        cost.judged(0, hold * MS, contested=True)
    assert cost.by_seat()[0].hold_p99_us == 198_000


def test_where_nothing_was_contested_there_is_no_report() -> None:
    cost = Cost(2)
    cost.judged(1, 0, contested=False)
    assert cost.by_seat() == ()


def test_a_flood_of_plays_is_not_kept() -> None:
    cost = Cost(1)
    for _ in range(MOST_PLAYS + 5):
        cost.judged(0, MS, contested=True)
    assert cost.by_seat()[0].contested == MOST_PLAYS
