from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from speed_common.table import NEVER_US
from speed_server.race import CALL, MOST_WAITING, Pressed, Race, Stamp, race_time

GAP = 100_000
NEVER = [NEVER_US, NEVER_US]
ANNA, BOB = 0, 1


def press(seat: int, at: int, card: int = 7) -> Pressed:
    return Pressed(seat, card, 0, -1, 0, at)


def race(*plays: Pressed, arrival_order: bool = False) -> Race:
    found = Race(2, GAP, arrival_order=arrival_order)
    for play in plays:
        found.submit(play)
    return found


def order(found: Race, now: int, last_play: list[int] | None = None) -> list[tuple[int, int]]:
    """Pop all that is due, every play being accepted."""
    last = list(last_play or NEVER)
    popped = []
    while (play := found.pop(now, last)) is not None:
        last[play.seat] = play.race_time
        popped.append((play.seat, play.race_time))
    return popped


def test_of_two_plays_in_one_tick_the_earlier_press_comes_first() -> None:
    assert order(race(press(ANNA, 2_050), press(BOB, 2_000)), 3_000) == [(BOB, 2_000), (ANNA, 2_050)]


def test_arrival_order_takes_them_as_they_came() -> None:
    found = race(press(ANNA, 2_050), press(BOB, 2_000), arrival_order=True)
    assert order(found, 3_000) == [(ANNA, 2_050), (BOB, 2_000)]


def test_a_play_inside_the_gap_takes_effect_at_its_end_and_an_opponents_play_comes_between() -> None:
    found = race(press(ANNA, 1_000_000), press(ANNA, 1_050_000), press(BOB, 1_080_000))
    assert order(found, 1_099_999) == [(ANNA, 1_000_000), (BOB, 1_080_000)]
    assert found.next_due([1_000_000, 1_080_000]) == 1_100_000
    assert order(found, 1_100_000, [1_000_000, 1_080_000]) == [(ANNA, 1_100_000)]


def test_a_call_needs_no_gap_but_comes_after_the_players_own_last_card() -> None:
    found = race(press(ANNA, 1_000_000), press(ANNA, 1_050_000), press(ANNA, 1_060_000, CALL))
    assert order(found, 1_060_000) == [(ANNA, 1_000_000)]
    assert order(found, 1_100_000, [1_000_000, NEVER_US]) == [(ANNA, 1_100_000), (ANNA, 1_100_000)]
    found = race(press(BOB, 1_070_000, CALL), press(ANNA, 1_060_000, CALL))
    assert order(found, 1_080_000, [1_050_000, 1_050_000]) == [(ANNA, 1_060_000), (BOB, 1_070_000)]


def test_a_refused_play_does_not_start_the_gap() -> None:
    found = race(press(ANNA, 1_000), press(ANNA, 2_000))
    assert found.pop(5_000, NEVER) is not None
    second = found.pop(5_000, NEVER)
    assert second is not None
    assert second.race_time == 2_000


def test_equal_times_are_settled_by_a_token_that_changes_hands() -> None:
    found = Race(2, 0)
    winners = []
    for at in range(6):
        found.submit(press(BOB, at))
        found.submit(press(ANNA, at))
        winners.append(order(found, at)[0][0])
    assert winners == [ANNA, BOB, ANNA, BOB, ANNA, BOB]


def test_forgotten_plays_are_given_back_and_only_those_of_the_seat() -> None:
    found = race(press(ANNA, 1), press(BOB, 2), press(ANNA, 3))
    assert [play.race_time for play in found.forget(ANNA)] == [1, 3]
    assert order(found, 10) == [(BOB, 2)]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2_000_000)), max_size=20), st.randoms())
def test_the_order_does_not_depend_on_how_the_two_streams_are_interleaved(
    plays: list[tuple[int, int]], dice: Random
) -> None:
    plays = list(dict.fromkeys(plays))
    streams = [[press(s, at) for s, at in plays if s == seat] for seat in (ANNA, BOB)]
    times = {at for _, at in plays}
    if len(times) < len(plays):
        return

    def interleaved() -> Race:
        found, queues = Race(2, GAP), [list(stream) for stream in streams]
        while any(queues):
            seat = dice.choice([seat for seat in (ANNA, BOB) if queues[seat]])
            found.submit(queues[seat].pop(0))
        return found

    assert order(interleaved(), 1 << 39) == order(interleaved(), 1 << 39)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1_000_000)), max_size=20))
def test_one_seats_plays_keep_their_order_and_their_distance(plays: list[tuple[int, int]]) -> None:
    popped = order(race(*(press(seat, at) for seat, at in plays)), 1 << 39)
    assert len(popped) == sum(min(MOST_WAITING, sum(seat == who for who, _ in plays)) for seat in (ANNA, BOB))
    for seat in (ANNA, BOB):
        mine = [at for who, at in popped if who == seat]
        assert all(after - before >= GAP for before, after in pairwise(mine))


def test_a_race_time_lies_between_the_last_press_or_the_oldest_allowed_and_the_arrival() -> None:
    reveal, arrival = 1_000_000, 9_000_000

    def at(press_ns: int, floor_ns: int = 0, oldest_ns: int = 0) -> int | None:
        return race_time(Stamp(press_ns, 10_000, floor_ns), arrival, oldest_ns, reveal)

    assert at(5_000_000) == 4_000
    assert at(99_000_000) == 8_000
    assert at(2_000_000, floor_ns=6_000_000) == 5_000
    assert at(2_000_000, oldest_ns=7_000_000) == 6_000
    assert race_time(None, arrival, 0, reveal) == 8_000


def test_a_press_from_before_the_reveal_has_no_race_time_but_the_clocks_error_is_forgiven() -> None:
    reveal = 1_000_000
    assert race_time(Stamp(990_001, 10_000, 0), 2_000_000, 0, reveal) == 0
    assert race_time(Stamp(989_999, 10_000, 0), 2_000_000, 0, reveal) is None


@given(st.integers(-(1 << 61), 1 << 61), st.integers(0, 1 << 40), st.integers(0, 1 << 40))
def test_no_stamp_whatever_gets_outside_its_bounds(press_ns: int, floor_ns: int, oldest_ns: int) -> None:
    arrival = 1 << 40
    at = race_time(Stamp(press_ns, 0, floor_ns), arrival, oldest_ns, 0)
    assert at is None or min(max(floor_ns, oldest_ns), arrival) // 1_000 <= at <= arrival // 1_000
