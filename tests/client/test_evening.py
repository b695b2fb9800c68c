from __future__ import annotations

from msgspec.structs import replace
from tests.client.evenings import Named, told

from speed_client.evening import Evening
from speed_common.wire import Board, BoardPage


def messages() -> tuple[Board, BoardPage]:
    board, page = told(Named("single", 8).do("draw", "start"), 20)
    assert isinstance(board, Board)
    assert isinstance(page, BoardPage)
    return board, page


def test_a_board_that_is_older_than_the_one_known_is_left_out() -> None:
    board, _ = messages()
    evening = Evening(board.tid)
    assert evening.take(board)
    assert not evening.take(replace(board, seq=19, name="older"))
    assert evening.title == "Friday Cup"
    assert evening.take(replace(board, seq=21, name="newer"))
    assert evening.title == "newer"


def test_a_page_that_is_not_newer_is_left_out() -> None:
    board, page = messages()
    evening = Evening(board.tid)
    assert evening.take(page)
    assert not evening.take(page)
    assert not evening.take(replace(page, seq=19, matches=()))
    assert len(evening.matches) == 7


def test_pages_may_come_before_the_board_and_leave_with_it() -> None:
    board, page = messages()
    evening = Evening(board.tid)
    evening.take(page)
    evening.take(board)
    assert evening.matches
    evening.take(replace(board, seq=21, pages=0))
    assert not evening.matches


def test_a_server_that_came_back_may_say_what_is_older() -> None:
    board, page = messages()
    evening = Evening(board.tid)
    evening.take(board)
    evening.take(page)
    evening.anew()
    assert evening.take(replace(board, seq=3, name="restored"))
    assert evening.take(replace(page, seq=3))


def test_another_tournaments_messages_change_nothing() -> None:
    board, page = messages()
    evening = Evening("other")
    assert not evening.take(board)
    assert not evening.take(page)


def test_a_running_match_has_the_score_of_its_table() -> None:
    board, page = messages()
    evening = Evening(board.tid)
    line = replace(board.tables[0], score_a=17, score_b=12, status="playing")
    evening.take(replace(board, tables=(line,)))
    evening.take(page)
    (match,) = [match for match in evening.matches if match.match == line.match]
    assert (match.score_a, match.score_b) == (17, 12)


def test_a_player_is_found_by_name_and_at_his_table() -> None:
    board, _ = messages()
    evening = Evening(board.tid)
    evening.take(board)
    line = board.tables[0]
    assert evening.number_of("ANNA") == 1
    assert evening.number_of("nobody") == 0
    assert evening.table_of(line.b) == line
    assert evening.table_of(0) is None
