"""One table of two, three or four: who leaves and drops, the pause and its end, the match."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.events import Left, Played, Won
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.state import OVER, PLAYING, Table
from speed_server.settings import MS, SECOND, HubSettings

THREE, FOUR = make_rules(players=3), make_rules("four")
COMMON = HubSettings()
CREW = ("anna", "bob", "carl", "dora")


def room(player: Player) -> wire.Room:
    assert player.room is not None
    return player.room


def table(player: Player) -> Table:
    assert player.table is not None
    return player.table


def result(player: Player) -> wire.Result:
    found = room(player).result
    assert found is not None
    return found


def words(player: Player) -> list[str]:
    return [message.word for message in player.all(wire.Refused)]


def crew(rules: Rules, seed: int = 1, settings: HubSettings = COMMON) -> tuple[Evening, list[Player]]:
    """As many players as the rules have, in a deal just revealed."""
    evening = Evening(replace(settings, rules=rules), seed=seed)
    return evening, evening.dealt_party(*CREW[: rules.players])


def playable(player: Player) -> tuple[int, int]:
    state = table(player)
    return next((card, pile) for card in state.hands[player.seat] for pile in state.fits_on(card))


# --- three and four ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [THREE, FOUR])
def test_a_deal_begins_when_every_seat_is_taken_and_ready_and_is_played_to_its_end(rules: Rules) -> None:
    evening = Evening(HubSettings(rules=rules))
    players = evening.party(*CREW[: rules.players])
    for player in players[:-1]:
        player.ready()
    evening.tick()
    assert {room(player).phase for player in players} == {wire.WAITING}
    evening.start(players[-1])
    evening.play_out(*players)
    states = [table(player) for player in players]
    assert all(state.phase == OVER for state in states)
    assert len({(tuple(state.tops), state.winner, state.score) for state in states}) == 1
    assert result(players[0]).score == sum(seat.left for seat in result(players[0]).seats)


def test_a_player_of_four_who_leaves_in_mid_deal_is_missed_no_more_than_that() -> None:
    evening, (anna, bob, carl, dora) = crew(FOUR)
    held = table(bob).cards_left(1)
    bob.leave()
    assert bob.room is not None
    assert bob.last(wire.Lobby)
    for player in (anna, carl, dora):
        assert [type(event) for event in player.events].count(Left) == 1
        assert room(player).result is None
        assert table(player).cards_left(1) == 0
        assert not room(player).seats[1].name
    assert held == 20
    evening.play_out(anna, carl, dora)
    assert result(anna).winner != 1
    assert result(anna).seats[1].left == 0
    assert not result(anna).forfeit


def test_when_all_but_one_have_left_the_deal_and_the_match_are_that_ones() -> None:
    _, (anna, bob, carl) = crew(make_rules(players=3, match_target=75))
    carl.leave()
    left = table(bob).cards_left(1)
    bob.leave()
    won = [event for event in anna.events if isinstance(event, Won)]
    assert [(event.seat, event.score, event.forfeit) for event in won] == [(0, left, True)]
    assert result(anna).match_over
    assert room(anna).seats[0].points == left


def test_a_seat_given_up_in_mid_deal_is_free_for_the_next_deal_only() -> None:
    evening, (anna, bob, carl) = crew(THREE)
    bob.leave()
    emil = evening.guest("emil")
    emil.sit(room(anna).table)
    assert words(emil) == ["table_full"]
    emil.sit()
    assert room(emil).table != room(anna).table, "nobody is led to a table where a deal runs"
    emil.leave()
    evening.play_out(anna, carl)
    emil.sit()
    assert (room(emil).table, emil.seat) == (room(anna).table, 1)
    evening.start(anna, emil, carl)
    assert emil.reveal_seen


def test_no_card_of_the_running_deal_is_ever_sent_to_who_left_it() -> None:
    evening, (anna, bob, carl) = crew(THREE)
    bob.leave()
    before = len(bob.heard)
    evening.play_out(anna, carl)
    later = bob.heard[before:]
    assert not [message for message in later if isinstance(message, wire.Delta | wire.Snapshot)]


def test_a_play_of_who_leaves_that_still_waits_is_answered() -> None:
    evening, (anna, *_) = crew(FOUR)
    card, pile = playable(anna)
    evening.pass_time(SECOND)
    first, second = anna.play(card, pile), anna.play(card, pile)
    anna.leave()
    answers = {message.seq: message.word for message in anna.all(wire.Refused)}
    assert answers == {second: "deal_over"}
    assert first not in answers


def test_a_deal_of_four_waits_for_a_player_who_dropped_and_goes_on_without_after_the_grace() -> None:
    evening, (anna, bob, carl, dora) = crew(FOUR)
    evening.pass_time(SECOND)
    evening.cut(bob)
    assert room(anna).paused_until_ns == evening.now + evening.settings.grace_ns
    carl.play(*playable(carl))
    assert words(carl)[-1] == "paused"
    evening.pass_time(evening.settings.grace_ns)
    assert [type(event) for event in anna.events].count(Left) == 1
    assert room(anna).paused_until_ns == 0
    assert room(anna).resume_at_ns == evening.now + evening.settings.resume_ns
    evening.pass_time(evening.settings.resume_ns)
    evening.play_out(anna, carl, dora)
    assert result(dora).winner != 1


def test_two_of_three_who_drop_for_good_leave_the_deal_to_the_third() -> None:
    evening, (anna, bob, carl) = crew(THREE)
    evening.cut(bob)
    evening.pass_time(10 * SECOND)
    evening.cut(carl)
    evening.pass_time(evening.settings.grace_ns)
    assert result(anna).winner == 0
    assert result(anna).forfeit


def test_a_deal_of_three_goes_on_when_the_one_who_was_away_is_given_up_by_leaving() -> None:
    evening, (anna, bob, carl) = crew(THREE)
    evening.cut(bob)
    carl.leave()
    assert room(anna).paused_until_ns, "the one who is away is still waited for"
    again = evening.back(bob)
    evening.pass_time(evening.settings.resume_ns)
    evening.play_out(anna, again)
    assert result(anna).winner in {0, 1}


def test_a_table_whose_people_all_left_is_cleared_although_its_computers_could_go_on() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    anna.sit(computers=(4,), rules=FOUR)
    evening.start(anna)
    anna.leave()
    assert evening.hub.summary().tables == 0
    evening.pass_time(20 * SECOND)
    evening.cut(anna)
    evening.pass_time(2 * evening.settings.forget_ns)
    assert evening.hub.next_due() is None


# --- the pause --------------------------------------------------------------------------------------------------------


def test_after_a_pause_play_goes_on_at_an_instant_told_to_all_and_no_sooner() -> None:
    for seed in range(1, 50):
        evening, (anna, bob) = crew(Rules(), seed)
        evening.pass_time(SECOND)
        if any(table(bob).fits_on(card) for card in table(bob).hands[1]):
            break
    evening.cut(anna)
    evening.pass_time(30 * SECOND)
    again = evening.player(b"again")
    again.hello("anna", anna.ticket)
    evening.tick()
    goes_on = evening.now + evening.settings.resume_ns
    assert room(again).resume_at_ns == room(bob).resume_at_ns == goes_on
    assert room(bob).paused_until_ns == 0
    evening.pass_time(evening.settings.resume_ns - MS)
    bob.play(*playable(bob))
    assert words(bob)[-1] == "paused"
    evening.pass_time(MS)
    assert room(bob).resume_at_ns == 0, "everybody is told when it goes on"
    bob.play(*playable(bob))
    evening.tick()
    assert [event.at for event in bob.events if isinstance(event, Played)] == [SECOND // 1_000]


def test_deal_time_stands_still_through_the_count_and_a_drop_in_it() -> None:
    evening, (anna, bob) = crew(Rules())
    evening.pass_time(SECOND)
    evening.cut(anna)
    evening.pass_time(5 * SECOND)
    again = evening.back(anna)
    evening.pass_time(SECOND)
    evening.cut(bob)
    assert room(again).resume_at_ns == 0
    assert room(again).paused_until_ns
    evening.pass_time(5 * SECOND)
    back = evening.back(bob)
    goes_on = room(back).resume_at_ns
    assert goes_on
    evening.pass_time(goes_on - evening.now)
    assert goes_on - room(back).reveal_at_ns == SECOND


def test_a_countdown_that_waited_leaves_time_to_look_before_the_cards_turn() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    for player in (anna, bob):
        player.ready()
    evening.tick()
    evening.pass_time(evening.settings.countdown_ns - 500 * MS)
    evening.cut(anna)
    evening.pass_time(5 * SECOND)
    again = evening.player(b"again")
    again.hello("anna", anna.ticket)
    evening.tick()
    assert room(bob).reveal_at_ns == evening.now + evening.settings.resume_ns
    assert room(bob).resume_at_ns == 0
    evening.pass_time(evening.settings.resume_ns - evening.settings.reveal_lead_ns - MS)
    assert not bob.reveal_seen, "no card is sent sooner than in any countdown"
    evening.pass_time(evening.settings.reveal_lead_ns + MS)
    assert bob.reveal_seen


def test_a_host_may_do_without_the_count() -> None:
    evening, (anna, bob) = crew(Rules(), settings=HubSettings(resume_ns=0))
    evening.cut(anna)
    evening.back(anna)
    assert room(bob).resume_at_ns == 0
    assert room(bob).paused_until_ns == 0
    assert table(bob).phase == PLAYING


# --- the match --------------------------------------------------------------------------------------------------------


def play_match(rules: Rules, most: int = 40) -> tuple[Evening, list[Player], list[wire.Result]]:
    """Deals until the match is over."""
    evening, players = crew(rules, settings=HubSettings(countdown_ns=0))
    results = []
    for _ in range(most):
        evening.play_out(*players)
        results.append(result(players[0]))
        if results[-1].match_over:
            return evening, players, results
        evening.start(*players)
    raise AssertionError("the match never ended")


def test_a_match_to_points_ends_when_somebody_reaches_them_and_the_rematch_is_a_new_one() -> None:
    rules = make_rules(match_target=8)
    evening, players, results = play_match(rules)
    seats = room(players[0]).seats
    assert [seat.points for seat in seats] == [
        sum(one.score for one in results if one.winner == seat) for seat in (0, 1)
    ]
    assert max(seat.points for seat in seats) >= 8
    assert len(results) > 1
    evening.start(*players)
    assert [(seat.points, seat.wins) for seat in room(players[0]).seats] == [(0, 0), (0, 0)]


def test_a_match_best_of_three_ends_at_two_deals_won() -> None:
    _, players, results = play_match(make_rules(best_of=3))
    wins = [seat.wins for seat in room(players[0]).seats]
    assert max(wins) == 2
    assert len(results) in {2, 3}
    assert [one.match_over for one in results] == [False] * (len(results) - 1) + [True]


def test_a_match_of_four_counts_the_cards_of_all_opponents() -> None:
    _, players, results = play_match(make_rules("four", match_target=30))
    winner = results[-1].winner
    assert room(players[0]).seats[winner].points >= 30
    assert results[0].score == sum(seat.left for seat in results[0].seats)


def test_a_deal_won_by_forfeit_counts_for_the_match_and_ends_one_of_two() -> None:
    evening, (anna, bob) = crew(make_rules(match_target=100))
    bob.leave()
    assert (result(anna).forfeit, result(anna).match_over) == (True, True)
    assert (room(anna).seats[0].points, room(anna).seats[0].wins) == (20, 1)
    carl = evening.guest("carl")
    carl.sit()
    assert [(seat.points, seat.wins) for seat in room(anna).seats] == [(0, 0), (0, 0)]


def test_a_match_of_three_goes_on_after_a_deal_that_one_left_until_somebody_new_comes() -> None:
    evening, (anna, bob, carl) = crew(make_rules(players=3, match_target=75), settings=HubSettings(countdown_ns=0))
    carl.leave()
    evening.play_out(anna, bob)
    assert not result(anna).match_over
    assert sum(seat.points for seat in room(anna).seats) == result(anna).score
    dora = evening.guest("dora")
    dora.sit()
    assert [seat.points for seat in room(anna).seats] == [0, 0, 0]
