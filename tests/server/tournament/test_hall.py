"""What the hub is told to do at the tables."""

from __future__ import annotations

from tests.server.tournament.rehearsing import BASE, MINUTE, SECOND, Evening

from speed_server.tournament.hall import Call, Clear, NextDeal, Play, Suspend, changes
from speed_server.tournament.model import Tournament

EMPTY_HALL = Tournament()


def told(evening: Evening, *lines: str) -> list[object]:
    """What a hub that acted on the state before these lines has to do after them."""
    before = evening.desk.state
    evening.do(*lines)
    return list(changes(before, evening.desk.state))


def test_a_match_that_is_played_at_once_is_laid_at_its_table() -> None:
    evening = Evening("single", 4, "tables 1", start=False)
    assert told(evening, "start") == [Play(1, 1, (1, 4), (0, 0), resumed=False)]


def test_a_call_is_told_with_its_clock_and_again_at_each_bell() -> None:
    evening = Evening("single", 2, start=False).do("absent 2")
    (call,) = told(evening, "start")
    assert call == Call(1, 1, (1, 2), BASE + 3 * MINUTE, (True, False), 1)
    (bell,) = told(evening, "after 1m")
    assert isinstance(bell, Call)
    assert bell.bells == 2
    assert told(evening, "after 1s") == []
    assert told(evening, "back 2") == [Play(1, 1, (1, 2), (0, 0), resumed=False)]


def test_after_a_deal_the_next_is_laid_and_after_the_match_the_table_is_cleared_for_the_next() -> None:
    evening = Evening("single", 4, "tables 1")
    assert told(evening, "deal M1 1 9") == [NextDeal(1, 1, (1, 4), (9, 0))]
    assert told(evening, "deal M1 1 20") == [Clear(1, 1, (1, 4)), Play(1, 2, (2, 3), (0, 0), resumed=False)]


def test_a_lost_link_suspends_and_its_return_resumes_the_same_deal() -> None:
    evening = Evening("single", 2)
    assert told(evening, "lose 2") == [Suspend(1, 1, (1, 2), (False, True), (0, BASE + 90 * SECOND))]
    assert told(evening, "after 10s", "back 2") == [Play(1, 1, (1, 2), (0, 0), resumed=True)]


def test_a_deal_lost_by_absence_is_taken_off_and_dealt_anew() -> None:
    evening = Evening("single", 2).do("lose 2")
    first, second = told(evening, "after 90s")
    assert first == NextDeal(1, 1, (1, 2), (5, 0))
    assert isinstance(second, Suspend)


def test_a_recalled_match_is_cleared_without_a_result() -> None:
    evening = Evening("single", 2, start=False).do("absent 2", "start")
    assert told(evening, "recall M1") == [Clear(1, 1, (1, 2))]


def test_a_correction_clears_the_match_that_was_called_on_it_and_calls_the_right_one() -> None:
    evening = Evening("single", 4).do("play 1-4 1", "absent 2", "result 2-3 25:3")
    found = told(evening, "correct 1-4 3:25")
    assert found[0] == Clear(1, 3, (1, 2))
    assert isinstance(found[1], Call)
    assert found[1].players == (4, 2)


def test_a_moved_match_is_cleared_at_the_old_table_and_laid_at_the_new_one() -> None:
    evening = Evening("single", 2, "tables 1").do("open 7")
    assert told(evening, "move M1 7") == [Clear(1, 1, (1, 2)), Play(7, 1, (1, 2), (0, 0), resumed=False)]


def test_a_hub_that_knows_nothing_yet_is_told_everything() -> None:
    evening = Evening("single", 4, "tables 2")
    assert [type(change) for change in changes(EMPTY_HALL, evening.desk.state)] == [Play, Play]
