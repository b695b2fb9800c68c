"""Clocks, tables, connections: what an evening does when people do not do as planned."""

from __future__ import annotations

import pytest
from tests.server.tournament.rehearsing import BASE, MINUTE, SECOND, Evening

from speed_server.virtual_hall import RehearsalError


def test_thirteen_on_two_tables_are_called_in_one_order() -> None:
    evening = Evening("single", 13, "tables 2").do("favourites 9")
    assert [(minute, pair) for minute, pair, _ in evening.calls()] == [
        (0, "8-9"),
        (0, "4-13"),
        (10, "5-12"),
        (10, "7-10"),
        (20, "6-11"),
        (20, "1-8"),
        (30, "4-5"),
        (30, "2-7"),
        (40, "3-6"),
        (40, "1-4"),
        (50, "2-3"),
        (60, "1-2"),
    ]
    assert evening.of("result")[-1]["at_s"] == 70 * 60


def test_a_table_that_closes_lets_its_match_finish_and_changes_no_order() -> None:
    evening = Evening("single", 13, "tables 2")
    evening.do("after 10m", "play 8-9 8", "play 4-13 4", "after 5m", "close 2", "after 5m")
    evening.do("play 7-10 7", "play 5-12 5", "favourites 9")
    calls = evening.calls()
    assert [pair for _, pair, _ in calls] == (
        ["8-9", "4-13", "5-12", "7-10", "6-11", "1-8", "4-5", "2-7", "3-6", "1-4", "2-3", "1-2"]
    )
    assert {table for _, _, table in calls[4:]} == {1}


def test_who_does_not_come_loses_by_walk_over_after_three_bells() -> None:
    evening = Evening("single", 2, start=False).do("absent 2", "start", "after 5m")
    assert [line["at_s"] for line in evening.of("call") + evening.of("bell")] == [0, 60, 150]
    (lost,) = evening.of("walkover")
    assert (lost["at_s"], lost["winner"]) == (180, "1")
    assert evening.desk.state.players[2].status == "active"


def test_who_misses_a_swiss_call_rests_until_he_answers() -> None:
    evening = Evening("swiss", 4, "rounds 3", start=False).do("absent 4", "start", "favourites 1")
    assert evening.desk.state.players[4].status == "resting"
    evening.do("after 1m")
    assert evening.round(2) == "1-2 bye 3"
    evening.do("back 4", "favourites 1", "after 1m")
    assert "4" in evening.round(3).replace("-", " ").split()


def test_who_comes_a_second_before_the_end_plays() -> None:
    evening = Evening("single", 2, start=False).do("absent 2", "start", "after 2:59", "back 2")
    assert evening.match("1-2").status == "playing"


def test_both_absent_is_a_double_walk_over() -> None:
    evening = Evening("single", 2, start=False).do("absent 1 2", "start", "after 5m")
    assert evening.of("walkover")[0]["kind"] == "double_walkover"
    assert evening.of("finished")[0]["champion"] is None


def test_a_stop_of_the_server_gives_a_fresh_call() -> None:
    evening = Evening("single", 2, start=False).do("absent 2", "start", "after 2m", "restart 7m")
    assert evening.clock == 9 * MINUTE
    match = evening.match("1-2")
    assert (match.status, match.deadline - BASE) == ("called", 12 * MINUTE)
    evening.do("after 2:59")
    assert evening.match("1-2").status == "called"
    evening.do("after 1s")
    assert evening.of("walkover")[0]["at_s"] == 12 * 60


def test_a_pause_gives_a_fresh_call() -> None:
    evening = Evening("single", 2, start=False).do("absent 2", "start", "after 1m", "pause", "after 5m", "resume")
    evening.do("after 10m")
    assert evening.of("walkover")[0]["at_s"] == 9 * 60


def test_the_call_clock_starts_when_both_have_seen_the_call_or_ten_seconds_later() -> None:
    evening = Evening("single", 2, start=False).do("lose 1 2", "start", "after 3m")
    match = evening.match("1-2")
    assert match.status == "called"
    assert match.deadline - BASE == 3 * MINUTE + 10 * SECOND + 3 * MINUTE


def test_lateness_may_cost_points_before_it_costs_the_match() -> None:
    evening = Evening("single", 2, "lateness 5x2", start=False).do("absent 2", "start", "after 3:30", "back 2")
    assert evening.match("1-2").score == (5, 0)
    other = Evening("single", 2, "lateness 5x2", start=False).do("absent 2", "start", "after 6m")
    assert [line["at_s"] for line in other.of("late")] == [180, 240]
    assert other.of("walkover")[0]["at_s"] == 300


def test_a_short_loss_of_the_link_costs_nothing_but_budget() -> None:
    evening = Evening("single", 2).do("lose 2", "after 80s")
    assert evening.match("1-2").status == "suspended"
    evening.do("back 2")
    match = evening.match("1-2")
    assert (match.status, match.score, match.used) == ("playing", (0, 0), (0, 80 * SECOND))
    evening.do("lose 2", "after 90s")
    assert evening.match("1-2").score == (5, 0)
    evening.do("after 10s")
    assert evening.of("walkover")[0]["winner"] == "1"


def test_ninety_seconds_cost_the_deal_and_the_whole_budget_the_match() -> None:
    evening = Evening("single", 2).do("lose 2", "after 89s")
    assert evening.of("deal") == []
    evening.do("after 1s")
    assert evening.of("deal")[0]["forfeit"] is True
    assert evening.match("1-2").score == (5, 0)
    evening.do("after 90s")
    (lost,) = evening.of("walkover")
    assert (lost["winner"], lost["at_s"]) == ("1", 180)


def test_when_both_are_away_nobody_loses() -> None:
    evening = Evening("single", 2).do("lose 1 2", "after 30m", "back 1 2")
    assert evening.match("1-2").status == "playing"
    assert evening.match("1-2").score == (0, 0)


def test_when_most_lose_their_link_at_once_everything_stands_still() -> None:
    evening = Evening("single", 8).do("lose 1 2 3")
    assert evening.desk.state.phase == "running"
    evening.do("after 9s", "lose 4")
    (paused,) = evening.of("paused")
    assert paused["reason"] == "4 of 8 players lost their connection"
    evening.do("lose 5", "after 30m", "back 1 2 3 4 5")
    assert all(match.status == "playing" and match.score == (0, 0) for match in evening.matches()[:4])
    evening.do("lose 1", "resume", "after 4m")
    assert evening.match("1-8").score == (0, 0)
    evening.do("after 30s")
    assert evening.match("1-8").score == (0, 5)


def test_three_of_sixteen_who_drop_do_not_stop_the_evening() -> None:
    evening = Evening("single", 16).do("lose 1 2 3", "after 10s")
    assert evening.desk.state.phase == "running"


def test_a_player_who_is_away_is_waited_for_and_then_called_anyway() -> None:
    evening = Evening("single", 4, "tables 1", start=False).do("lose 1", "start")
    assert [pair for _, pair, _ in evening.calls()] == ["2-3"]
    evening.do("play 2-3 2", "after 4m")
    assert [(minute, pair) for minute, pair, _ in evening.calls()] == [(0, "2-3"), (3, "1-4")]


def test_a_rest_is_kept_between_two_matches() -> None:
    evening = Evening("single", 4, "rest 60").do("play 1-4 1", "play 2-3 2")
    assert evening.match("1-2").status == "ready"
    evening.do("after 60s")
    assert evening.match("1-2").status == "playing"


def test_finish_is_refused_while_a_match_runs_and_names_it() -> None:
    with pytest.raises(RehearsalError, match=r"M1 1-4 is running: .*`result M1"):
        Evening("single", 4).do("finish")


def test_an_early_finish_leaves_no_match_without_a_result() -> None:
    evening = Evening("swiss", 4, "rounds 3").do("favourites 1", "finish")
    assert evening.of("finished")[0]["early"] is True
    assert evening.of("finished")[0]["champion"] is not None or True


def test_an_arena_calls_no_match_near_its_end_and_never_the_same_pair_twice_in_a_row() -> None:
    evening = Evening("arena", 6, "duration 60m", "tables 3")
    while evening.desk.state.phase == "running":
        evening.do("favourites 1", "after 1s")
        assert evening.clock < 90 * MINUTE
    assert max(minute for minute, _, _ in evening.calls()) <= 50
    last: dict[str, str] = {}
    for _, pair, _ in evening.calls():
        a, b = pair.split("-")
        assert last.get(a) != b
        last[a], last[b] = b, a
    assert evening.table()[0]["player"] == "1"
    assert evening.table()[0]["points"] == 2 + 2 + 3 * (evening.table()[0]["won"] - 2)


def test_two_alone_in_an_arena_play_again() -> None:
    evening = Evening("arena", 2, "duration 35m")
    evening.do("favourites 3")
    assert [pair for _, pair, _ in evening.calls()] == ["1-2", "1-2", "1-2"]


def test_check_in_closes_before_the_start_and_drops_who_is_missing() -> None:
    evening = Evening.__new__(Evening)
    super(Evening, evening).__init__()
    evening.said = []
    evening.do("new Club", "add 1 2 3", "set start 20m", "checkin open", "checkin 1 2", "after 15m")
    assert [line["player"] for line in evening.of("dropped")] == ["3"]
    evening.do("activate 3", "draw", "start")
    assert len(evening.desk.state.seeds) == 3
