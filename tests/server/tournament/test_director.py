"""The director's words: refusals, previews, corrections, undo."""

from __future__ import annotations

import pytest
from tests.server.tournament.rehearsing import Evening

from speed_server.tournament.archive import state_hash
from speed_server.tournament.desk import Desk
from speed_server.tournament.orders import WORDS, Order, parse
from speed_server.virtual_hall import RehearsalError


def refused(evening: Evening, line: str) -> str:
    answer = evening.desk.execute(line, "director", evening.now)
    assert not answer.ok
    return answer.lines[0]


def preview(evening: Evening, line: str) -> list[str]:
    before = state_hash(evening.desk.state), len(evening.desk.log)
    answer = evening.desk.execute(f"{line} --dry-run", "director", evening.now)
    assert answer.ok, answer.lines
    assert before == (state_hash(evening.desk.state), len(evening.desk.log))
    return list(answer.lines)


# --- words ------------------------------------------------------------------------------------------------------------


def test_a_line_is_a_word_its_arguments_and_its_options() -> None:
    order = parse('correct M3 25:19 --cascade --reason "typed wrong"')
    assert order == Order(
        'correct M3 25:19 --cascade --reason "typed wrong"',
        "correct",
        ("M3", "25:19"),
        cascade=True,
        reason="typed wrong",
    )


@pytest.mark.parametrize("line", ["", "dance", "pin", "undo twice", 'add "Anna', "start --quickly"])
def test_a_line_that_is_no_order_is_refused_with_what_to_write(line: str) -> None:
    found = parse(line)
    assert not isinstance(found, Order)
    assert "`" in found.remedy


def test_every_word_has_a_judge_or_an_answer() -> None:
    from speed_server.tournament.decide import ORDERS  # noqa: PLC0415
    from speed_server.tournament.orders import ASKING  # noqa: PLC0415

    assert set(WORDS) == set(ORDERS) | ASKING | {"undo"}


def test_a_refusal_names_the_match_and_the_command_that_mends_it() -> None:
    evening = Evening("single", 4)
    assert refused(evening, "correct 1-4 25:3") == "M1 1-4 has no result yet: enter it with `result M1 25:19`"
    assert refused(evening, "result M9 25:3").startswith("there is no match 'M9'")
    assert refused(evening, "result M3 25:3") == "M3 ?-? waits for its players: `why` tells which match comes before"
    assert "did you mean `1`" not in refused(evening, "withdraw nobody")
    assert refused(evening, "walkover M1 2").startswith("2 does not play M1 1-4")
    assert refused(evening, "draw").endswith("`undraw` takes the draw back first")
    assert refused(evening, "next").startswith("M1 1-4 has no result yet")


def test_a_misspelt_name_gets_a_suggestion() -> None:
    evening = Evening("single", 2).do("rename 1 Annabel")
    assert "did you mean `Annabel`" in refused(evening, "withdraw Anabel")


def test_why_names_what_is_missing() -> None:
    evening = Evening("single", 4, "tables 1").do("why")
    (answer,) = evening.of("answer")
    assert answer["lines"] == [
        "M1 1-4: playing at table 1: `result M1 25:19` enters it",
        "M2 2-3: ready, no table is free: `open N`",
        "M3 ?-?: waiting for M1 and M2",
    ]


def test_status_log_help_and_plan_answer() -> None:
    evening = Evening("single", 4, "tables 1").do("status", "log 2", "help pin", "plan 16 4 120", "explain 1")
    answers = [answer["lines"] for answer in evening.of("answer")]
    assert "table 1: M1 1-4: playing at table 1" in answers[0]
    assert len(answers[1]) == 2
    assert answers[2][0].startswith("pin MATCH [off]")
    assert answers[3][-1].startswith("advice: `set format ")


# --- settings, people -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["set match 0", "set match bo4", "set format chess", "set tables 0", "set call soon", "set third maybe", "set x 1"],
)
def test_a_bad_setting_is_refused_with_what_it_takes(line: str) -> None:
    evening = Evening("single", 2, start=False)
    assert "`" in refused(evening, line)


def test_the_format_is_fixed_by_the_draw_and_free_again_after_undraw() -> None:
    evening = Evening("single", 4, start=False)
    assert "`undraw`" in refused(evening, "set format double")
    evening.do("undraw", "set format double", "draw", "start")
    assert evening.desk.state.stages[0].kind == "double"


def test_a_lot_is_the_same_for_the_same_number_and_another_for_another() -> None:
    def lot(number: str) -> tuple[int, ...]:
        evening = Evening("single", 8, start=False).do("undraw", f"seed random {number}", "draw")
        return evening.desk.state.seeds

    assert lot("7") == lot("7") != lot("8")
    assert sorted(lot("7")) == list(range(1, 9))


def test_seeds_by_list_put_the_named_first() -> None:
    evening = Evening("single", 4, start=False).do("undraw", "seed by 3 1", "draw")
    assert evening.desk.state.seeds == (3, 1, 2, 4)


def test_the_same_name_cannot_enter_twice_nor_a_sixty_fifth_player() -> None:
    evening = Evening("single", 64, start=False).do("undraw")
    assert "is the most" in refused(evening, "add one-more")
    assert "entered already" in refused(Evening("single", 2, start=False).do("undraw"), "add 2")


def test_nobody_enters_a_bracket_late_and_a_leaver_does_not_come_back_into_it() -> None:
    evening = Evening("single", 4)
    assert "too late for a single" in refused(evening, "add 9")
    evening.do("withdraw 3")
    assert "cannot come back" in refused(evening, "activate 3")


def test_a_leaver_comes_back_into_a_round_robin_and_his_walk_overs_are_played() -> None:
    evening = Evening("roundrobin", 4, "tables 2")
    evening.do("play 1-4 1", "play 2-3 2", "play 1-3 1", "play 2-4 4", "withdraw 4", "activate 4")
    assert evening.match("3-4").result is None
    evening.do("favourites 3", "after 1m")
    assert evening.desk.state.phase == "finished"


def test_who_rests_is_not_called_until_he_is_activated() -> None:
    evening = Evening("single", 4, "tables 1").do("rest 2", "play 1-4 1")
    assert evening.match("2-3").status == "ready"
    evening.do("activate 2")
    assert evening.match("2-3").status == "playing"


# --- tables ---------------------------------------------------------------------------------------------------------


def test_a_pinned_match_goes_first_and_a_held_one_not_at_all() -> None:
    evening = Evening("single", 8, "tables 1").do("pin 3-6", "hold 4-5", "play 1-8 1")
    assert evening.match("3-6").status == "playing"
    evening.do("play 3-6 3")
    assert evening.match("2-7").status == "playing"
    evening.do("hold 4-5 off", "play 2-7 2")
    assert evening.match("4-5").status == "playing"


def test_a_match_moves_to_a_free_table_only() -> None:
    evening = Evening("single", 4, "tables 2")
    assert "table 2 is not free" in refused(evening, "move 1-4 2")
    evening.do("open 5", "move 1-4 5")
    assert evening.match("1-4").table == 5


def test_a_recalled_match_gives_its_table_to_the_next() -> None:
    evening = Evening("single", 4, "tables 1", start=False).do("absent 4", "start", "recall M1")
    assert evening.match("2-3").status == "playing"
    assert evening.match("1-4").held


# --- results and corrections ------------------------------------------------------------------------------------------


def test_a_score_may_always_be_corrected_for_the_same_winner() -> None:
    evening = Evening("single", 4).do("play 1-4 1", "play 2-3 2", "play 1-2 1", "correct 1-4 25:24")
    result = evening.match("1-4").result
    assert result is not None
    assert result.score == (25, 24)


def test_another_winner_takes_the_place_of_the_first_and_a_call_is_taken_back() -> None:
    evening = Evening("single", 4).do("play 1-4 1", "absent 2", "result 2-3 25:3")
    assert evening.match("1-2").status == "called"
    lines = preview(evening, "correct 1-4 3:25")
    assert "match M3 4-2: called at table 1" in lines
    evening.do("correct 1-4 3:25")
    assert evening.match("4-2").result is None
    assert not evening.of("walkover")


def test_a_played_match_that_depends_on_it_is_void_only_by_cascade() -> None:
    evening = Evening("single", 8).do("favourites 2")
    text = refused(evening, "correct 1-8 3:25")
    assert text == ("M5 1-4, M7 1-2 followed from M1 1-8 and would be void: repeat `correct 1-8 3:25` with `--cascade`")
    lines = preview(evening, "correct 1-8 3:25 --cascade")
    assert any(line.startswith("match M5 8-4") for line in lines)
    evening.do("correct 1-8 3:25 --cascade", "favourites 9", "after 1m")
    assert evening.of("finished")[-1]["champion"] == "2"
    assert evening.places()["3-4"] == "3 8"


def test_in_a_swiss_the_unplayed_round_is_taken_back_and_offered_for_repair() -> None:
    evening = Evening("swiss", 4, "rounds 2", start=False).do("start", "favourites 1", "absent 1 2 3 4", "after 30s")
    assert evening.round(2) == "1-2 3-4"
    evening.do("correct 2-4 3:25", "why")
    assert "`repair` pairs it anew" in evening.of("answer")[-1]["lines"][0]
    evening.do("back 1 2 3 4", "repair", "favourites 1", "after 1m")
    assert evening.round(2) == "1-4 2-3"


def test_in_a_swiss_a_round_that_has_begun_stays_as_it_is() -> None:
    evening = Evening("swiss", 4, "rounds 2").do("favourites 1", "after 30s", "correct 2-4 3:25", "favourites 1")
    evening.do("after 1m")
    assert evening.round(2) == "1-2 3-4"
    assert evening.points() == {"1": 2, "2": 0, "3": 1, "4": 1}


def test_a_group_result_that_changes_who_goes_on_draws_the_knockout_anew() -> None:
    evening = Evening("groups", 6, "groups 2", "tables 3", start=False).do("start", "favourites 3")
    evening.do("absent 1 2 3 4 5 6", "after 30s")
    first = evening.pairs("main", 1)
    # A 1 4 5, B 2 3 6: 4 beat 5; with 5 as the winner he goes on
    evening.do("correct 4-5 3:25", "back 1 2 3 4 5 6", "after 30s")
    assert evening.pairs("main", 1) != first
    evening.do("favourites 2", "after 1m")
    assert evening.of("finished")[0]["champion"] == "1"


def test_a_walk_over_may_be_played_after_all_until_the_next_match_has_begun() -> None:
    evening = Evening("single", 4).do("walkover 1-4 4", "replay 1-4", "play 1-4 1", "play 2-3 2")
    assert evening.match("1-2").status == "playing"
    assert "`--cascade`" in refused(evening, "replay 1-4")


def test_a_result_may_be_corrected_after_the_end_until_the_archive() -> None:
    evening = Evening("single", 2).do("play 1-2 1", "after 1m", "correct 1-2 3:25")
    assert evening.places()["1"] == "2"
    evening.do("replay 1-2", "play 1-2 1", "after 1m", "archive")
    assert evening.of("finished")[-1]["champion"] == "1"
    assert "archived" in refused(evening, "correct 1-2 3:25")


def test_a_best_of_three_ends_with_two_deals() -> None:
    evening = Evening("single", 2, "match bo3").do("deal 1-2 1 7", "deal 1-2 2 30", "deal 1-2 2 1", "after 1m")
    result = evening.match("1-2").result
    assert result is not None
    assert (result.winner, result.score) == (2, (1, 2))


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_takes_a_withdrawal_back_with_its_walk_overs() -> None:
    evening = Evening("single", 8, "tables 1")
    before = state_hash(evening.desk.state)
    evening.do("withdraw 7")
    assert evening.match("2-7").result is not None
    lines = preview(evening, "undo")
    assert "player 7: withdrawn -> 7, active" in lines
    assert "match M3 2-7: ready" in lines
    evening.do("undo")
    assert state_hash(evening.desk.state) == before


def test_undo_keeps_what_people_have_played_since() -> None:
    evening = Evening("single", 8, "tables 4").do("withdraw 7", "play 1-8 8", "play 4-5 4", "undo")
    assert evening.match("2-7").result is None
    assert evening.match("8-4").status in {"playing", "called"}
    evening.do("after 1m", "favourites 5")
    assert evening.desk.state.phase in {"running", "finished"}


def test_undo_is_refused_when_its_consequences_have_been_played() -> None:
    evening = Evening("single", 4, start=False).do("start", "play 1-4 1")
    text = refused(evening, "undo")
    assert text.startswith("'start' led to M")
    assert "has been played" in text


def test_undo_goes_back_command_by_command_over_what_was_undone() -> None:
    evening = Evening("single", 8, "tables 1")
    start = state_hash(evening.desk.state)
    evening.do("withdraw 7", "pin 4-5", "undo", "undo")
    assert state_hash(evening.desk.state) == start
    evening.do("withdraw 5", "undo", "withdraw 6", "undo")
    assert state_hash(evening.desk.state) == start


def test_undo_takes_back_a_draw_a_setting_and_a_result() -> None:
    evening = Evening("single", 4, start=False).do("undo")
    assert evening.desk.state.phase == "registration"
    evening.do("set match 30", "undo")
    assert evening.desk.state.config.target == 25
    evening.do("draw", "start", "result 1-4 3:25", "undo")
    assert evening.match("1-4").result is None


def test_undo_of_a_pairing_wish_and_of_an_unpublished_round() -> None:
    evening = Evening("swiss", 4, "rounds 2").do("fix 1-4", "undo")
    assert evening.desk.state.fixed == ()
    with pytest.raises(RehearsalError, match=r"has begun"):
        evening.do("unpublish")


def test_with_nothing_to_take_back_undo_says_so() -> None:
    assert Desk().execute("undo", "director", 1).lines == (
        "there is no command to take back: `log` shows what happened",
    )


# --- once only --------------------------------------------------------------------------------------------------------


def test_a_command_that_is_sent_again_changes_nothing() -> None:
    evening = Evening("single", 4)
    first = evening.desk.execute("withdraw 3", "director", evening.now, "cmd-1")
    length = len(evening.desk.log)
    assert evening.desk.execute("withdraw 3", "director", evening.now, "cmd-1") == first
    assert len(evening.desk.log) == length
