"""Whole tournaments in memory: what the director, the players and the tables see of each other."""

from __future__ import annotations

import pytest
from tests.server.evening import Player
from tests.server.tournament_evening import SECRET, TournamentEvening

from speed_common import wire
from speed_common.state import PLAYING
from speed_server.settings import MS, SECOND, HubSettings

NAMES = ("anna", "bob", "carl", "dora")
MINUTE = 60 * SECOND


@pytest.fixture(params=[0, MS // 3], ids=["in time", "late"])
def evening(request: pytest.FixtureRequest) -> TournamentEvening:
    evening = TournamentEvening()
    evening.late_ns = request.param
    evening.order("new Club", "set match 8", "set rest 0s", "set cooling 0s", "set tables 2")
    return evening


def status(evening: TournamentEvening, number: int) -> str:
    return evening.state.matches[number].status


def drawn(evening: TournamentEvening) -> list[Player]:
    """Four who have entered, drawn by their names, with the first round called."""
    people = evening.enter("club", *NAMES)
    evening.order("seed by anna bob carl dora", "draw", "start")
    return people


def playing(evening: TournamentEvening) -> list[Player]:
    """The same with both matches of the first round on."""
    people = drawn(evening)
    evening.ready_all(*people)
    return people


def test_four_people_play_a_whole_single_elimination(evening: TournamentEvening) -> None:
    people = playing(evening)
    anna, bob, carl, dora = people
    evening.play_match(anna, dora)
    evening.play_match(bob, carl)
    evening.pass_time(5 * SECOND)
    final = [player for player in people if player.last(wire.Mine).table]
    assert len(final) == 2
    evening.ready_all(*final)
    evening.play_match(*final)
    assert evening.state.phase == "finished"
    won = evening.state.matches[3].result
    assert won is not None
    assert won.kind == "played"
    champion = evening.state.players[won.winner].name
    texts = {player.origin.decode(): player.last(wire.Mine).text for player in people}
    assert texts.pop(champion) == "you have won the tournament"
    assert set(texts.values()) == {f"the tournament is over, {champion} has won it"}


def test_both_are_called_and_seated_at_once(evening: TournamentEvening) -> None:
    anna, _, _, dora = drawn(evening)
    call = anna.last(wire.Called)
    assert (call.table, call.rival, call.here, call.rival_here) == (1, "dora", False, False)
    assert call.left_us == 190 * SECOND // 1_000
    assert anna.room is not None
    assert anna.room.match == wire.MatchInfo("club", 1, "M1, round 1", (0, 0), 8, "points")
    assert [(seat.name, seat.connected) for seat in anna.room.seats] == [("anna", True), ("dora", True)]
    assert {anna.seat, dora.seat} == {0, 1}


def test_the_clock_of_a_call_starts_when_both_screens_show_it(evening: TournamentEvening) -> None:
    anna, _, _, dora = drawn(evening)
    evening.pass_time(3 * SECOND)
    for player in (anna, dora):
        player.send(wire.Heard(player.ticket, "club", 1))
    evening.tick()
    assert evening.state.matches[1].deadline == evening.tournaments.at(evening.now) + 180 * SECOND


def test_the_deal_is_laid_once_both_are_ready(evening: TournamentEvening) -> None:
    anna, _, _, dora = drawn(evening)
    anna.ready()
    evening.tick()
    assert anna.room is not None
    assert (anna.room.phase, dora.last(wire.Called).rival_here) == (wire.WAITING, True)
    dora.ready()
    evening.tick()
    assert anna.room.phase == wire.COUNTDOWN


def test_the_next_deal_follows_by_itself_with_the_score_of_the_match(evening: TournamentEvening) -> None:
    evening.order("set match 100")
    anna, _, _, dora = playing(evening)
    evening.play_deal(anna, dora)
    assert anna.room is not None
    score = evening.state.matches[1].score
    assert sum(score) > 0
    assert (anna.room.phase, anna.room.match and anna.room.match.score) == (wire.OVER, score)
    assert tuple(seat.points for seat in anna.room.seats) == score
    evening.pass_time(evening.settings.match_rest_ns + 10 * MS)
    assert (anna.room.phase, anna.room.deal) == (wire.COUNTDOWN, 2)


def test_two_who_are_ready_do_not_wait_for_the_next_deal(evening: TournamentEvening) -> None:
    evening.order("set match 100")
    anna, _, _, dora = playing(evening)
    evening.play_deal(anna, dora)
    anna.ready()
    dora.ready()
    evening.tick()
    assert anna.room is not None
    assert anna.room.phase == wire.COUNTDOWN


def test_nothing_is_told_before_it_is_on_disk(evening: TournamentEvening) -> None:
    people = evening.enter("club", *NAMES)
    evening.order("draw")
    evening.disk_stuck = True
    evening.order("start")
    assert [player.all(wire.Called) for player in people] == [[], [], [], []]
    evening.disk_stuck = False
    evening.tick()
    assert [player.last(wire.Called).table for player in people]


def test_who_drops_in_mid_deal_finds_the_deal_as_it_was(evening: TournamentEvening) -> None:
    anna, _, _, dora = playing(evening)
    for player in (anna, dora):
        player.sync()
    evening.pass_time(2 * SECOND)
    assert dora.table is not None
    evening.cut(anna)
    assert dora.room is not None
    assert dora.room.paused_until_ns == evening.now + 90 * SECOND
    assert status(evening, 1) == "suspended"
    evening.pass_time(80 * SECOND)
    back = evening.back(anna)
    assert status(evening, 1) == "playing"
    assert back.room is not None
    assert (back.room.phase, back.room.deal, back.room.paused_until_ns) == (wire.PLAYING, 1, 0)
    evening.pass_time(3 * SECOND)
    assert back.play_best() or dora.play_best()


def test_who_stays_away_loses_the_deal_and_then_the_match(evening: TournamentEvening) -> None:
    evening.order("set match 100")
    anna, _, _, dora = playing(evening)
    evening.pass_time(2 * SECOND)
    evening.cut(anna)
    evening.pass_time(91 * SECOND)
    match = evening.state.matches[1]
    assert (match.deals, match.score) == (1, (0, 20))
    evening.pass_time(91 * SECOND)
    result = evening.state.matches[1].result
    assert result is not None
    assert (result.kind, evening.state.name_of(result.winner)) == ("walkover", "dora")
    assert dora.last(wire.Mine).text.startswith("your next match is M3")


def test_who_does_not_come_loses_by_walk_over_and_the_other_goes_on(evening: TournamentEvening) -> None:
    anna, _, _, _ = drawn(evening)
    anna.send(wire.Heard(anna.ticket, "club", 1))
    anna.ready()
    evening.pass_time(191 * SECOND)
    result = evening.state.matches[1].result
    assert result is not None
    assert (result.kind, evening.state.name_of(result.winner)) == ("walkover", "anna")
    assert [call.bells for call in anna.all(wire.Called)][-1] >= 2


def test_a_server_that_stops_in_order_ends_nobodys_tournament(evening: TournamentEvening) -> None:
    players = evening.enter("club", "anna", "bob")
    guest = evening.player(b"guest")
    guest.hello("guest")
    evening.tick()
    evening.hub.stop(evening.now)
    evening.deliver()
    assert guest.last(wire.Goodbye).word == "stopping"
    assert not any(player.all(wire.Goodbye) for player in players)


def test_a_player_may_withdraw_in_mid_deal(evening: TournamentEvening) -> None:
    anna, _, _, dora = playing(evening)
    evening.pass_time(2 * SECOND)
    anna.send(wire.Withdraw(anna.ticket, "club"))
    evening.tick()
    result = evening.state.matches[1].result
    assert result is not None
    assert (result.kind, evening.state.name_of(result.winner)) == ("walkover", "dora")
    assert anna.last(wire.Mine).text == "you have left the tournament"
    assert dora.last(wire.Lobby).tournaments == (wire.TournamentLine("club", "Club", "running", 4),)


def test_a_pause_lets_every_table_stand_and_resume_lets_it_go_on(evening: TournamentEvening) -> None:
    anna, bob, _, dora = playing(evening)
    for player in (anna, dora):
        player.sync()
    evening.pass_time(2 * SECOND)
    evening.order("pause pizza is here")
    assert anna.room is not None
    assert anna.room.paused_until_ns
    assert bob.last(wire.Mine).text == "the tournament is paused: pizza is here"
    revision = anna.revision
    evening.pass_time(10 * MINUTE)
    anna.play_best()
    evening.pass_time(SECOND)
    assert anna.revision == revision
    assert anna.last(wire.Refused).word == "paused"
    evening.order("resume")
    evening.pass_time(3 * SECOND)
    assert anna.room.paused_until_ns == 0
    assert anna.play_best() or dora.play_best()
    evening.pass_time(SECOND)
    assert anna.revision > revision


def test_a_correction_recalls_who_was_called_by_mistake(evening: TournamentEvening) -> None:
    people = drawn(evening)
    evening.order("result M1 8:2", "result M2 8:3")
    evening.pass_time(5 * SECOND)
    anna, bob, _, dora = people
    assert (anna.last(wire.Mine).match, bob.last(wire.Mine).match) == (3, 3)
    assert anna.seat >= 0
    evening.order("correct M1 2:8")
    evening.pass_time(5 * SECOND)
    assert anna.last(wire.Mine).text == "you are out: thank you for playing"
    assert isinstance(anna.heard[-1], wire.Lobby | wire.BeatBack)
    assert (dora.last(wire.Mine).rival, dora.last(wire.Called).rival) == ("bob", "bob")
    assert dora.room is not None
    assert [seat.name for seat in dora.room.seats] == ["dora", "bob"]


def test_the_director_ends_a_match_in_mid_deal(evening: TournamentEvening) -> None:
    anna, _, _, dora = playing(evening)
    evening.pass_time(2 * SECOND)
    evening.order("walkover M1 dora")
    assert evening.hub.summary().tables == 1
    assert anna.last(wire.Mine).text == "you are out: thank you for playing"
    assert dora.last(wire.Mine).match == 3


def test_a_server_that_died_in_mid_deal_deals_anew_at_the_score_and_says_why(evening: TournamentEvening) -> None:
    evening.order("set match 100")
    anna, _, _, dora = playing(evening)
    evening.play_deal(anna, dora)
    score = evening.state.matches[1].score
    evening.pass_time(evening.settings.match_rest_ns + 2 * SECOND)
    assert anna.table is not None
    assert anna.table.phase == PLAYING
    evening.restart(20 * MINUTE)
    assert (status(evening, 1), evening.state.matches[1].score) == ("suspended", score)
    one, other = evening.again(anna, "anna"), evening.again(dora, "dora")
    for player in (one, other):
        assert player.last(wire.Mine).text == "the server was started again: the deal is dealt anew, the score stands"
        assert player.room is not None
        assert (player.room.phase, player.room.match and player.room.match.score) == (wire.COUNTDOWN, score)
    evening.play_deal(one, other)
    assert sum(evening.state.matches[1].score) > sum(score)
    assert one.last(wire.Mine).text == "you play at table 1, against dora"


def test_no_clock_runs_while_the_server_is_down(evening: TournamentEvening) -> None:
    anna, _, _, dora = drawn(evening)
    evening.restart(7 * MINUTE)
    one, other = evening.again(anna, "anna"), evening.again(dora, "dora")
    assert one.last(wire.Called).left_us == 180 * SECOND // 1_000
    evening.pass_time(170 * SECOND)
    assert status(evening, 1) == "called"
    evening.ready_all(one, other)
    assert status(evening, 1) == "playing"


def test_a_lost_ticket_is_made_good_by_the_name_while_nobody_else_has_it(evening: TournamentEvening) -> None:
    drawn(evening)
    evening.restart()
    anew = evening.guest("anna")
    assert anew.all(wire.Mine) == []
    evening.say_enter(anew, "club")
    assert anew.last(wire.Called).rival == "dora"
    assert anew.seat == 0


def test_a_name_that_is_here_is_nobody_elses(evening: TournamentEvening) -> None:
    anna, _, _, _ = drawn(evening)
    evening.order("rename anna berta")
    other = evening.guest("berta")
    evening.say_enter(other, "club")
    assert other.last(wire.Mine).text == "berta has entered from another machine: join under another name"
    assert anna.last(wire.Mine).player == 1


def test_a_name_that_the_director_added_is_called_once_somebody_takes_it_up(evening: TournamentEvening) -> None:
    evening.order("add anna bob", "draw", "start")
    assert status(evening, 1) == "ready"
    evening.enter("club", "anna", "bob")
    evening.tick()
    assert status(evening, 1) == "called"


def test_check_in_is_said_by_entering_once_more(evening: TournamentEvening) -> None:
    anna, bob = evening.enter("club", "anna", "bob")
    evening.order("checkin open")
    assert anna.last(wire.Mine).text == "check in: press Space, or say ready"
    evening.say_enter(anna, "club")
    assert (anna.last(wire.Mine).status, bob.last(wire.Mine).status) == ("checked_in", "registered")


def test_whoever_gets_up_from_the_table_may_come_back_to_it(evening: TournamentEvening) -> None:
    anna, _, _, dora = playing(evening)
    evening.pass_time(2 * SECOND)
    anna.leave()
    assert status(evening, 1) == "suspended"
    dora.beat()
    evening.pass_time(SECOND)
    assert anna.last(wire.Mine).player == 1
    anna.sit(1)
    assert status(evening, 1) == "playing"
    assert anna.room is not None
    assert anna.seat == 0


def test_nobody_else_sits_down_at_a_table_of_a_tournament(evening: TournamentEvening) -> None:
    drawn(evening)
    other = evening.guest("eve")
    other.sit(1)
    assert other.last(wire.Refused).word == "table_full"
    other.sit()
    assert other.room is not None
    assert other.room.table == 3


def test_a_game_on_a_table_that_a_tournament_wants_goes_on_under_another_number(evening: TournamentEvening) -> None:
    eve, fred = (evening.guest(name) for name in ("eve", "fred"))
    for player in (eve, fred):
        player.sit()
    evening.start(eve, fred)
    anna, *_ = drawn(evening)
    evening.pass_time(SECOND)
    assert eve.room is not None
    assert anna.room is not None
    assert (eve.room.table, eve.room.phase, anna.room.table) == (3, wire.PLAYING, 1)
    evening.play_out(eve, fred)
    assert eve.room.phase == wire.OVER


def test_who_is_called_from_another_game_is_seated_when_that_is_over(evening: TournamentEvening) -> None:
    people = evening.enter("club", *NAMES)
    anna, _, _, dora = people
    anna.sit(computers=(1,))
    evening.start(anna)
    evening.order("seed by anna bob carl dora", "draw", "start")
    evening.pass_time(SECOND)
    assert anna.room is not None
    assert (anna.room.match, anna.room.phase) == (None, wire.PLAYING)
    assert anna.last(wire.Called).rival == "dora"
    for _ in range(2_000):
        if anna.room.match is not None:
            break
        anna.play_best()
        anna.beat()
        evening.pass_time(150 * MS)
    assert (anna.room.table, dora.room and dora.room.table) == (1, 1)


def test_the_last_result_stays_on_the_table_for_a_while(evening: TournamentEvening) -> None:
    anna, _, _, dora = playing(evening)
    evening.play_match(anna, dora)
    assert anna.room is not None
    assert anna.room.result is not None
    assert anna.room.result.match_over
    assert evening.hub.summary().tables == 2
    evening.pass_time(evening.settings.match_rest_ns + 10 * MS)
    assert isinstance(anna.heard[-1], wire.Lobby | wire.BeatBack | wire.Mine)
    assert evening.hub.summary().tables == 1


def test_a_swiss_of_five_is_paired_and_played_to_its_end(evening: TournamentEvening) -> None:
    evening.order("set format swiss", "set rounds 2", "set cooling 0s")
    people = evening.enter("club", *NAMES, "eve")
    evening.order("draw", "start")
    for _ in range(10):
        evening.ready_all(*people)
        for table in (1, 2):
            pair = [player for player in people if player.last(wire.Mine).table == table]
            if len(pair) == 2:
                evening.play_match(*pair)
        evening.pass_time(6 * SECOND)
        if evening.state.phase == "finished":
            break
    assert evening.state.phase == "finished"
    assert sum(m.result is not None and m.result.kind == "bye" for m in evening.state.matches.values()) == 2


def test_the_board_and_its_pages_go_to_who_follows_them(evening: TournamentEvening) -> None:
    drawn(evening)
    evening.hub.watched(wire.board_topic("club"), evening.now)
    evening.deliver()
    board, page = evening.watcher.last(wire.Board), evening.watcher.last(wire.BoardPage)
    assert (board.name, board.phase) == ("Club", "running")
    assert [(table.table, table.match) for table in board.tables] == [(1, 1), (2, 2)]
    assert [match.match for match in page.matches] == [1, 2, 3]
    evening.order("result M1 8:2")
    assert evening.watcher.last(wire.Board).seq > board.seq
    assert evening.watcher.last(wire.BoardPage).matches[0].winner == 1


def test_a_director_at_a_client_is_answered_once_it_is_on_disk(evening: TournamentEvening) -> None:
    eve = evening.guest("eve")
    evening.disk_stuck = True
    eve.send(wire.Direct(eve.ticket, SECRET, "c1", "add anna", "club"))
    evening.tick()
    assert eve.all(wire.Directed) == []
    evening.disk_stuck = False
    evening.tick()
    assert eve.last(wire.Directed) == wire.Directed("c1", ok=True, lines=eve.last(wire.Directed).lines)
    log = len(evening.disk)
    eve.send(wire.Direct(eve.ticket, SECRET, "c1", "add anna", "club"))
    evening.tick()
    assert len(evening.disk) == log
    assert len(eve.all(wire.Directed)) == 2


def test_a_wrong_secret_directs_nothing_and_cannot_be_guessed(evening: TournamentEvening) -> None:
    eve = evening.guest("eve")
    log = len(evening.disk)
    for number in range(6):
        eve.send(wire.Direct(eve.ticket, f"guess {number}", f"c{number}", "add anna", "club"))
    eve.send(wire.Direct(eve.ticket, SECRET, "c9", "add anna", "club"))
    evening.tick()
    assert not any(answer.ok for answer in eve.all(wire.Directed))
    assert eve.last(wire.Directed).lines == ("too many wrong secrets were tried: wait a minute",)
    assert len(evening.disk) == log
    evening.pass_time(MINUTE)
    eve.send(wire.Direct(eve.ticket, SECRET, "c10", "add anna", "club"))
    evening.tick()
    assert eve.last(wire.Directed).ok


def test_two_tournaments_share_the_hall(evening: TournamentEvening) -> None:
    drawn(evening)
    evening.order("new Juniors", "set match 8", "set tables 4", "set rest 0s")
    evening.enter("juniors", "eve", "fred")
    evening.order("draw", "start")
    assert evening.match_at(3).table == 3
    assert evening.order("tournaments") == ["club  Club, running", "juniors  Juniors, running"]
    assert evening.order("use club", "status")[0] == "Club: running, single"


def test_a_refusal_names_the_remedy(evening: TournamentEvening) -> None:
    assert evening.order("draw")[-1].endswith("`add NAME ...` players first")
    assert evening.order("use nothing") == ["there is no tournament 'nothing': `tournaments` lists them"]
    empty = TournamentEvening()
    assert empty.order("status") == ["there is no tournament: `new NAME` makes one"]


def test_a_server_whose_rules_are_for_four_plays_matches_of_two() -> None:
    from speed_common.presets import make_rules  # noqa: PLC0415

    evening = TournamentEvening(HubSettings(rules=make_rules("four"), countdown_ns=SECOND))
    evening.order("new Club", "set match 8", "set tables 2")
    anna, *_ = drawn(evening)
    assert anna.room is not None
    assert len(anna.room.seats) == 2
