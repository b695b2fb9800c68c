from __future__ import annotations

import hashlib
import itertools
import random
from itertools import pairwise

import pytest
from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.cards import HIDDEN
from speed_common.events import Beaten, Lifted, Played, Won
from speed_common.fair_settings import FairSettings
from speed_common.presets import make_rules
from speed_common.table import DEALT, OVER, PLAYING, SPECTATOR
from speed_common.views import hide_events
from speed_server.settings import MS, SECOND, HubSettings


def refusals(player: Player) -> list[str]:
    return [message.word for message in player.all(wire.Refused)]


def room(player: Player) -> wire.Room:
    assert player.room is not None
    return player.room


def a_fitting_play(player: Player) -> tuple[int, int]:
    """A card of the player's hand and a pile that it fits."""
    table = player.table
    assert table is not None
    return next((card, pile) for card in table.hands[player.seat] for pile in table.fits_on(card))


def can_play(player: Player) -> bool:
    table = player.table
    return table is not None and any(table.fits_on(card) for card in table.hands[player.seat])


def both_can_play() -> tuple[Evening, Player, Player]:
    for seed in range(1, 100):
        evening = Evening(seed=seed)
        anna, bob = evening.dealt_pair()
        if can_play(anna) and can_play(bob):
            return evening, anna, bob
    raise AssertionError("no such deal")


def test_two_players_are_seated_together_and_dealt_to_when_both_are_ready() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    assert (anna.seat, bob.seat) == (0, 1)
    assert room(anna).table == room(bob).table
    anna.send(wire.Ready(anna.ticket))
    evening.tick()
    assert room(bob).phase == wire.WAITING
    assert room(bob).seats[0].ready
    bob.send(wire.Ready(bob.ticket))
    evening.tick()
    assert room(anna).phase == wire.COUNTDOWN
    assert room(anna).reveal_at_ns == evening.now + evening.settings.countdown_ns


def test_nobody_sees_a_card_before_the_reveal_is_sent_and_both_are_sent_it_at_once() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    for player in (anna, bob):
        player.send(wire.Ready(player.ticket))
    evening.pass_time(evening.settings.countdown_ns - evening.settings.reveal_lead_ns - MS)
    for player in (anna, bob):
        assert player.table is not None
        assert player.table.phase == DEALT
        assert {card for hand in player.table.hands for card in hand} == {HIDDEN}
        assert set(player.table.tops) == {HIDDEN}
    evening.pass_time(MS)
    assert anna.reveal_seen
    assert bob.reveal_seen


def test_a_play_before_the_reveal_is_refused() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    for player in (anna, bob):
        player.send(wire.Ready(player.ticket))
    evening.pass_time(evening.settings.countdown_ns - MS)
    card, pile = a_fitting_play(anna) if can_play(anna) else (0, 0)
    anna.play(card, pile)
    evening.tick()
    assert refusals(anna)[-1] == "not_started"


def test_the_commitment_told_before_the_reveal_opens_with_the_seed_of_the_result() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    commitment = room(anna).commitment
    assert room(anna).result is None
    evening.play_out(anna, bob)
    result = room(anna).result
    assert result is not None
    assert hashlib.sha256(result.seed).digest() == commitment


def test_a_whole_deal_ends_with_the_same_public_table_at_both_players_and_the_watcher() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    watcher = evening.watch()
    evening.play_out(anna, bob)
    tables = [player.table for player in (anna, bob, watcher)]
    assert all(table is not None and table.phase == OVER for table in tables)
    first = tables[0]
    assert first is not None
    for table in tables:
        assert table is not None
        assert (table.tops, table.winner, table.score) == (first.tops, first.winner, first.score)
        assert [table.cards_left(seat) for seat in (0, 1)] == [first.cards_left(seat) for seat in (0, 1)]
    result = room(watcher).result
    assert result is not None
    assert result.winner == first.winner
    assert result.seats[result.winner].left == 0
    assert room(anna).seats[result.winner].wins == 1


def test_no_card_that_a_player_may_not_know_is_ever_sent_to_anyone() -> None:
    variants = [make_rules(), make_rules(refill="manual"), make_rules(jokers=2), make_rules(hand_size=2)]
    for rules, seed in itertools.product(variants, (1, 2)):
        evening = Evening(HubSettings(rules=rules), seed=seed)
        anna, bob = evening.dealt_pair()
        watcher = evening.watch()
        evening.play_out(anna, bob)
        for me, viewer in ((0, anna), (1, bob), (SPECTATOR, watcher)):
            for message in viewer.heard:
                if isinstance(message, wire.Snapshot) and message.view is not None:
                    for seat, hand in enumerate(message.view.hands):
                        assert seat == me or all(card < 0 for card in hand)
                elif isinstance(message, wire.Delta):
                    assert hide_events(message.events, me) == message.events


def test_deltas_of_one_stream_are_numbered_without_a_gap() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    evening.play_out(anna, bob)
    deltas = anna.all(wire.Delta)
    for before, after in pairwise(deltas):
        assert after.revision == before.revision + len(before.events)
        assert after.tick > before.tick


def test_within_a_tick_the_earlier_press_wins_whatever_arrives_first() -> None:
    for order, expected in (("order", "bob"), ("off", "anna")):
        for seed in range(1, 200):
            evening = Evening(seed=seed, fair=order)  # type: ignore[arg-type]
            anna, bob = evening.dealt_pair()
            evening.pass_time(SECOND)
            if not (can_play(anna) and can_play(bob)):
                continue
            (card_a, pile_a), (card_b, pile_b) = a_fitting_play(anna), a_fitting_play(bob)
            table = anna.table
            assert table is not None
            if pile_a != pile_b or table.fits[card_a] >> card_b & 1 or table.fits[card_b] >> card_a & 1:
                continue
            anna.play(card_a, pile_a, pressed_ago_ns=1 * MS)
            bob.play(card_b, pile_b, pressed_ago_ns=9 * MS)
            evening.tick()
            plays = [event for event in anna.events if isinstance(event, Played)]
            winner = ("anna", "bob")[plays[-1].seat]
            assert winner == expected
            loser = anna if winner == "bob" else bob
            refused = loser.last(wire.Refused)
            assert refused.word == "beaten"
            assert refused.by == 1 - loser.seat
            if order == "order":
                assert refused.late_us == 8_000
            lost = [event for event in bob.events if isinstance(event, Beaten)]
            assert [event.seat for event in lost] == [loser.seat]
            break
        else:
            raise AssertionError("no deal with a race was found")


def test_a_press_stamped_after_its_arrival_counts_as_pressed_when_it_arrived() -> None:
    evening, anna, _ = both_can_play()
    card, pile = a_fitting_play(anna)
    evening.pass_time(SECOND)
    anna.play(card, pile, pressed_ago_ns=-5 * SECOND)
    evening.tick()
    played = [event for event in anna.events if isinstance(event, Played)]
    assert played[-1].at == SECOND // 1_000


def test_a_players_clock_may_be_an_hour_ahead() -> None:
    for seed in range(1, 100):
        evening = Evening(seed=seed)
        anna, bob = evening.guest("anna", ahead_ns=3_600 * SECOND), evening.guest("bob")
        for player in (anna, bob):
            player.send(wire.Sit(player.ticket))
            player.sync()
            player.send(wire.Ready(player.ticket))
        evening.tick()
        evening.pass_time(4 * SECOND)
        if not can_play(anna):
            continue
        anna.play(*a_fitting_play(anna), pressed_ago_ns=10 * MS)
        evening.tick()
        played = [event for event in anna.events if isinstance(event, Played)]
        assert played[-1].at == (evening.now - 10 * MS - room(anna).reveal_at_ns) // 1_000
        return
    raise AssertionError("no deal with a play was found")


def test_a_chain_faster_than_the_gap_is_played_as_a_chain_and_takes_effect_at_the_gap() -> None:
    for seed in range(1, 300):
        evening = Evening(seed=seed)
        anna, _ = evening.dealt_pair()
        table = anna.table
        assert table is not None
        chain = next(
            (
                (first, second, pile)
                for first in table.hands[0]
                for pile in table.fits_on(first)
                for second in table.hands[0]
                if second != first and table.fits[first] >> second & 1
            ),
            None,
        )
        if chain is None:
            continue
        first, second, pile = chain
        evening.pass_time(SECOND)
        anna.play(first, pile)
        evening.tick()
        evening.pass_time(50 * MS)
        anna.play(second, pile)
        evening.tick()
        assert [event.card for event in anna.events if isinstance(event, Played)] == [first]
        evening.pass_time(50 * MS)
        plays = [event for event in anna.events if isinstance(event, Played)]
        assert [event.card for event in plays] == [first, second]
        assert plays[1].at - plays[0].at == evening.settings.rules.min_play_gap_us
        return
    raise AssertionError("no deal with a chain was found")


def test_a_dropped_player_pauses_the_deal_and_has_seat_and_hand_back_by_the_ticket() -> None:
    evening, anna, bob = both_can_play()
    hand = list(anna.table.hands[0]) if anna.table else []
    evening.cut(anna)
    assert not room(bob).seats[0].connected
    assert room(bob).paused_until_ns == evening.now + evening.settings.grace_ns
    bob.play(*a_fitting_play(bob))
    assert refusals(bob)[-1] == "paused"
    evening.pass_time(30 * SECOND)
    again = evening.player(b"anna again")
    assert again.hello("anna", anna.ticket).resumed
    evening.tick()
    assert again.table is not None
    assert again.table.hands[0] == hand
    assert room(bob).paused_until_ns == 0
    assert room(bob).seats[0].connected
    evening.pass_time(evening.settings.resume_ns)
    bob.play(*a_fitting_play(bob))
    evening.tick()
    assert any(isinstance(event, Played) for event in again.events)


def test_a_pause_stops_deal_time() -> None:
    evening, anna, bob = both_can_play()
    evening.pass_time(SECOND)
    evening.cut(anna)
    evening.pass_time(60 * SECOND)
    again = evening.player(b"anna again")
    again.hello("anna", anna.ticket)
    evening.pass_time(evening.settings.resume_ns)
    bob.play(*a_fitting_play(bob))
    evening.tick()
    played = [event for event in bob.events if isinstance(event, Played)]
    assert played[-1].at == SECOND // 1_000


def test_a_player_who_falls_silent_is_missed_and_after_the_grace_forfeits_the_deal() -> None:
    evening, anna, bob = both_can_play()
    anna.present = False
    evening.pass_time(evening.settings.silence_ns + SECOND)
    assert not room(bob).seats[0].connected
    evening.pass_time(evening.settings.grace_ns)
    result = room(bob).result
    assert result is not None
    assert (result.winner, result.forfeit, result.score) == (1, True, 20)
    assert room(bob).phase == wire.OVER
    assert not room(bob).seats[0].name
    assert anna.ticket


def test_when_both_are_gone_nobody_wins_and_whoever_returns_waits_a_whole_grace() -> None:
    evening, anna, bob = both_can_play()
    for player in (anna, bob):
        evening.cut(player)
    evening.pass_time(3 * evening.settings.grace_ns)
    again = evening.player(b"bob again")
    again.hello("bob", bob.ticket)
    evening.tick()
    assert room(again).phase == wire.PLAYING
    assert room(again).paused_until_ns == evening.now + evening.settings.grace_ns
    assert room(again).result is None


def test_a_table_that_everybody_left_behind_is_cleared_in_the_end() -> None:
    evening, anna, bob = both_can_play()
    for player in (anna, bob):
        evening.cut(player)
    evening.pass_time(evening.settings.forget_ns + 2 * evening.settings.grace_ns)
    assert evening.hub.summary().tables == 0
    again = evening.player(b"anna again")
    again.hello("anna", anna.ticket)
    assert again.room is None


def test_a_table_with_a_computer_is_cleared_when_the_person_does_not_return() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    anna.send(wire.Sit(anna.ticket, wire.ANY_TABLE, (3,)))
    anna.send(wire.Ready(anna.ticket))
    evening.pass_time(5 * SECOND)
    evening.cut(anna)
    evening.pass_time(evening.settings.grace_ns + SECOND)
    assert evening.hub.summary().tables == 0


def test_a_player_who_is_away_is_not_given_an_opponent() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    anna.send(wire.Sit(anna.ticket))
    evening.cut(anna)
    bob = evening.guest("bob")
    bob.send(wire.Sit(bob.ticket))
    evening.tick()
    assert room(bob).table == 2


def test_a_return_after_the_grace_is_too_late_by_any_time() -> None:
    evening, anna, bob = both_can_play()
    evening.cut(anna)
    evening.pass_time(evening.settings.grace_ns)
    again = evening.player(b"anna again")
    again.hello("anna", anna.ticket)
    evening.tick()
    result = room(bob).result
    assert result is not None
    assert result.forfeit
    assert again.room is None


@pytest.mark.parametrize("before_end_ns", [1, MS, SECOND])
def test_a_return_at_the_last_instant_of_the_grace_keeps_the_seat(before_end_ns: int) -> None:
    evening, anna, bob = both_can_play()
    evening.cut(anna)
    evening.pass_time(evening.settings.grace_ns - SECOND)
    evening.pass_time(SECOND - before_end_ns)
    again = evening.player(b"anna again")
    again.hello("anna", anna.ticket)
    evening.pass_time(2 * SECOND)
    assert room(bob).result is None
    assert again.seat == 0


def test_a_wrong_ticket_opens_nothing_and_disturbs_nobody() -> None:
    evening, anna, bob = both_can_play()
    stranger = evening.player(b"stranger")
    for ticket in (bytes(16), bytes(range(16))):
        welcome = stranger.hello("anna", ticket)
        assert not welcome.resumed
        assert welcome.name in {"anna 2", "anna 3"}
        stranger.ticket = ticket
        stranger.play(0)
        assert stranger.last(wire.Goodbye).word == "unknown_ticket"
    evening.tick()
    assert room(anna).seats[0].connected
    assert stranger.room is None
    anna.play(*a_fitting_play(anna))
    evening.tick()
    assert any(isinstance(event, Played) for event in bob.events)


def test_a_ticket_from_a_new_connection_takes_the_seat_over_and_the_old_one_is_told() -> None:
    evening, anna, bob = both_can_play()
    second = evening.player(b"second window")
    second.hello("anna", anna.ticket)
    evening.tick()
    assert anna.last(wire.Goodbye).word == "taken_over"
    assert second.seat == 0
    assert room(bob).paused_until_ns == 0
    second.play(*a_fitting_play(second))
    evening.tick()
    assert any(isinstance(event, Played) for event in bob.events)


def test_leaving_in_mid_deal_forfeits_it_and_frees_the_seat() -> None:
    evening, anna, bob = both_can_play()
    anna.send(wire.Leave(anna.ticket))
    evening.tick()
    won = [event for event in bob.events if isinstance(event, Won)]
    assert won
    assert won[-1].forfeit
    assert room(bob).phase == wire.OVER
    assert not room(bob).seats[0].name
    carl = evening.guest("carl")
    carl.send(wire.Sit(carl.ticket))
    evening.tick()
    assert room(bob).seats[0].name == "carl"
    assert room(bob).phase == wire.WAITING


def test_a_rematch_begins_when_both_ask_for_it_and_keeps_the_score() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    evening.play_out(anna, bob)
    winner = anna.table.winner if anna.table else -1
    for player in (anna, bob):
        player.send(wire.Ready(player.ticket))
    evening.tick()
    assert room(anna).phase == wire.COUNTDOWN
    assert room(anna).deal == 2
    assert room(anna).seats[winner].wins == 1
    evening.pass_time(evening.settings.countdown_ns)
    evening.play_out(anna, bob)
    assert sum(seat.wins for seat in room(anna).seats) == 2


def test_the_countdown_is_skipped_when_everybody_asks() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    for player in (anna, bob):
        player.send(wire.Ready(player.ticket))
    evening.tick()
    anna.send(wire.Ready(anna.ticket))
    evening.tick()
    assert room(anna).reveal_at_ns == evening.now + evening.settings.countdown_ns
    bob.send(wire.Ready(bob.ticket))
    evening.tick()
    assert room(anna).reveal_at_ns == evening.now + evening.settings.reveal_lead_ns


def test_a_computer_opponent_lifts_its_card_a_quarter_second_before_it_plays() -> None:
    evening = Evening(seed=5)
    anna = evening.guest("anna")
    anna.send(wire.Sit(anna.ticket, wire.ANY_TABLE, (10,)))
    anna.send(wire.Ready(anna.ticket))
    evening.tick()
    assert room(anna).seats[1].level == 10
    evening.pass_time(20 * SECOND)
    mine = [event for event in anna.events if isinstance(event, Lifted | Played) and event.seat == 1]
    assert any(isinstance(event, Played) for event in mine)
    for before, event in pairwise(mine):
        if isinstance(event, Played):
            assert isinstance(before, Lifted)
            assert event.at - before.at == 250_000
            assert before.slot == event.slot


def test_two_computers_play_for_ever_where_the_host_wants_it() -> None:
    evening = Evening(HubSettings(bot_tables=2, bot_level=10))
    watcher = evening.watch(1)
    evening.pass_time(120 * SECOND)
    assert room(watcher).deal >= 2
    assert evening.hub.summary().tables == 2
    assert evening.hub.summary().players == 0


def test_a_new_watcher_gets_a_keyframe_at_once_and_one_each_second() -> None:
    evening = Evening()
    evening.dealt_pair()
    watcher = evening.watch()
    first = watcher.last(wire.Snapshot)
    assert first.seat == SPECTATOR
    assert first.view is not None
    evening.pass_time(3 * SECOND)
    assert len(watcher.all(wire.Snapshot)) >= 4
    evening.hub.unwatched(wire.table_topic(1), evening.now)
    evening.published.clear()
    evening.pass_time(3 * SECOND)
    assert evening.published == []


def test_a_crowd_of_watchers_that_arrives_is_answered_together() -> None:
    """Five hundred keyframes to five hundred watchers each would fill their queues, and the loop's time."""
    evening = Evening()
    evening.dealt_pair()
    for _ in range(500):
        evening.hub.watched(wire.LOBBY_TOPIC, evening.now)
        evening.now += MS
        evening.hub.advance(evening.now)
    evening.deliver()
    assert 5 <= sum(topic == wire.LOBBY_TOPIC for topic, _ in evening.published) <= 14
    evening.hub.watched(wire.LOBBY_TOPIC, evening.now)
    due = evening.hub.next_due()
    assert due is not None
    assert due <= evening.now + HubSettings().asked_ns
    evening.pass_time(HubSettings().asked_ns)
    assert not evening.hub._asked


def test_an_unseated_watcher_of_a_table_that_does_not_exist_gets_nothing() -> None:
    evening = Evening()
    evening.hub.watched(b"table/99/", evening.now)
    for topic in (b"", b"table/", b"nonsense", b"table/1000000/"):
        evening.hub.watched(topic, evening.now)
    evening.pass_time(2 * SECOND)
    assert evening.published == []


def test_topics_that_can_never_be_cost_nothing() -> None:
    evening = Evening()
    for number in range(10_000):
        evening.hub.watched(b"bomb/%d" % number, evening.now)
    evening.pass_time(SECOND)
    assert evening.published == []
    assert evening.hub.next_due() is None


def test_one_connection_has_one_session_however_often_it_says_hello() -> None:
    evening = Evening(HubSettings(max_players=3))
    greedy = evening.player(b"greedy")
    for _ in range(10):
        greedy.hello("greedy")
    assert not greedy.all(wire.Goodbye)
    evening.guest("anna")
    greedy.send(wire.Sit(greedy.ticket))
    greedy.send(wire.Hello(1, 1, "test", "greedy"))
    assert greedy.last(wire.Goodbye).word == "seated"


def test_broken_bytes_are_counted_and_answered_with_nothing() -> None:
    evening, anna, bob = both_can_play()
    dice = random.Random(7)
    before = len(anna.heard)
    for _ in range(2_000):
        evening.hub.receive(b"anna", dice.randbytes(dice.randrange(60)), evening.now)
    evening.tick()
    assert evening.hub.broken_messages > 1_900
    assert len(anna.heard) - before < 5
    bob.play(*a_fitting_play(bob))
    evening.tick()
    assert any(isinstance(event, Played) for event in anna.events)


def test_another_protocol_is_refused_with_both_versions_named() -> None:
    evening = Evening()
    player = evening.player(b"old")
    player.send(wire.Hello(90, 99, "9.9", "anna"))
    goodbye = player.last(wire.Goodbye)
    assert goodbye.word == "protocol"
    assert "9.9" in goodbye.text
    assert "90 to 99" in goodbye.text


def test_a_name_that_cannot_be_shown_is_refused_with_the_remedy() -> None:
    evening = Evening()
    player = evening.player(b"x")
    player.send(wire.Hello(1, 1, "test", "\x1b[2J"))
    assert player.last(wire.Goodbye).word == "name"


def test_a_seat_is_refused_with_a_stable_word() -> None:
    evening = Evening(HubSettings(max_tables=1))
    anna, bob = evening.pair()
    carl = evening.guest("carl")
    for table, word in ((99, "no_such_table"), (1, "table_full"), (wire.NEW_TABLE, "full"), (wire.ANY_TABLE, "full")):
        carl.send(wire.Sit(carl.ticket, table))
        assert refusals(carl)[-1] == word
    anna.send(wire.Sit(anna.ticket))
    assert refusals(anna)[-1] == "seated"
    carl.send(wire.Ready(carl.ticket))
    assert refusals(carl)[-1] == "not_seated"
    assert bob.seat == 1


def test_a_lagging_player_is_sent_nothing_until_it_speaks_and_then_one_snapshot() -> None:
    evening, anna, bob = both_can_play()
    evening.hub.lagging(anna.origin, evening.now)
    before = len(anna.heard)
    bob.play(*a_fitting_play(bob))
    evening.tick()
    assert len(anna.heard) == before
    anna.beat()
    evening.tick()
    assert len([message for message in anna.heard[before:] if isinstance(message, wire.Snapshot)]) == 1
    assert anna.table is not None
    assert bob.table is not None
    assert anna.table.tops == bob.table.tops


def test_a_lagging_player_who_speaks_gets_the_whole_table_before_what_goes_on_from_it() -> None:
    """The reveal leaves as late as each link allows: who spoke up meanwhile got it ahead of the picture it changes."""
    evening = Evening(fair="full")
    anna, bob = evening.pair()
    for player in (anna, bob):
        player.sync()
        player.ready()
    evening.tick()
    while not evening.hub._post._later:
        evening.pass_time(MS)
    evening.hub.lagging(anna.origin, evening.now)
    before = len(anna.heard)
    anna.beat()
    evening.pass_time(SECOND)
    told = [said for said in anna.heard[before:] if isinstance(said, wire.Snapshot | wire.Delta)]
    assert isinstance(told[0], wire.Snapshot)
    assert anna.table is not None
    assert bob.table is not None
    assert anna.table.tops == bob.table.tops


def test_a_resync_is_answered_with_the_table_as_it_stands() -> None:
    evening, anna, bob = both_can_play()
    bob.play(*a_fitting_play(bob))
    evening.tick()
    snapshots = len(anna.all(wire.Snapshot))
    anna.revision, anna.table = 0, None
    anna.send(wire.Resync(anna.ticket))
    assert anna.revision == bob.revision
    assert len(anna.all(wire.Snapshot)) == snapshots + 1
    view = anna.last(wire.Snapshot).view
    assert view is not None
    assert view.phase == PLAYING


def test_stopping_tells_everybody() -> None:
    evening, anna, bob = both_can_play()
    watcher = evening.watch()
    evening.hub.stop(evening.now)
    evening.deliver()
    assert anna.last(wire.Goodbye).word == bob.last(wire.Goodbye).word == "stopping"
    assert watcher.last(wire.Goodbye).word == "stopping"


def test_the_table_of_a_lone_leaver_is_cleared_and_its_number_used_again() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    anna.send(wire.Sit(anna.ticket))
    evening.tick()
    assert evening.hub.summary().tables == 1
    anna.send(wire.Leave(anna.ticket))
    evening.tick()
    assert evening.hub.summary().tables == 0
    anna.send(wire.Sit(anna.ticket, wire.NEW_TABLE))
    evening.tick()
    assert room(anna).table == 1


def test_an_idle_hub_has_nothing_to_do() -> None:
    evening = Evening()
    evening.pass_time(SECOND)
    assert evening.hub.next_due() is None
    assert not evening.hub.dirty


def test_every_play_is_answered_when_the_deal_ends_under_it() -> None:
    evening, anna, bob = both_can_play()
    evening.pass_time(SECOND)
    card, pile = a_fitting_play(bob)
    first, second = bob.play(card, pile), bob.play(card, pile)
    anna.send(wire.Leave(anna.ticket))
    evening.tick()
    assert [event.card for event in bob.events if isinstance(event, Played)] == [card]
    assert {message.seq: message.word for message in bob.all(wire.Refused)} == {second: "deal_over"}
    assert first != second


def test_a_play_that_had_arrived_counts_although_its_player_leaves_or_drops_in_the_same_tick() -> None:
    for gone in ("leave", "drop"):
        evening, anna, bob = both_can_play()
        evening.pass_time(SECOND)
        card, pile = a_fitting_play(anna)
        anna.play(card, pile)
        if gone == "leave":
            anna.send(wire.Leave(anna.ticket))
        else:
            evening.cut(anna)
        evening.tick()
        assert [event.card for event in bob.events if isinstance(event, Played)] == [card]


def test_a_stamp_of_any_age_gains_no_more_than_the_hold_cap() -> None:
    fair = FairSettings()
    for pressed_ns, sent_ns, gain_ns in (
        (200 * MS, 200 * MS, fair.hold_cap_ns),
        (SECOND, 200 * MS, fair.hold_cap_ns),
        (SECOND, 0, fair.press_slack_ns),
        (1_900 * MS, 0, fair.press_slack_ns),
    ):
        evening, anna, _ = both_can_play()
        evening.pass_time(2 * SECOND)
        anna.play(*a_fitting_play(anna), pressed_ago_ns=pressed_ns, sent_ago_ns=sent_ns)
        evening.tick()
        played = [event for event in anna.events if isinstance(event, Played)]
        arrival = (evening.now - room(anna).reveal_at_ns) // 1_000
        assert played[-1].at == pytest.approx(arrival - gain_ns // 1_000, abs=20)


def test_a_press_from_before_the_reveal_is_refused_although_it_arrives_after_it() -> None:
    evening, anna, _ = both_can_play()
    evening.pass_time(100 * MS)
    anna.play(*a_fitting_play(anna), pressed_ago_ns=300 * MS)
    evening.tick()
    assert refusals(anna)[-1] == "not_started"


def test_a_play_right_after_the_reveal_need_not_wait_for_a_tick() -> None:
    for seed in range(1, 100):
        evening = Evening(seed=seed)
        anna, bob = evening.pair()
        for player in (anna, bob):
            player.sync()
            player.send(wire.Ready(player.ticket))
        evening.tick()
        evening.pass_time(evening.settings.countdown_ns - 2 * evening.settings.tick_ns)
        if not can_play(anna):
            continue
        evening.now = room(anna).reveal_at_ns + 1
        anna.play(*a_fitting_play(anna))
        evening.tick()
        assert any(isinstance(event, Played) for event in bob.events)
        return
    raise AssertionError("no deal with a play was found")


def test_the_kernels_round_trip_belongs_to_the_connection_it_was_measured_on() -> None:
    evening, anna, _ = both_can_play()
    session = evening.hub._sessions.by_ticket(anna.ticket)
    assert session is not None
    evening.hub.measured(b"nobody at all", 7 * MS)
    evening.hub.measured(anna.origin, 3 * MS)
    assert session.fair.link.kernel_rtt_ns == 3 * MS
    anna.send(wire.Beat(anna.ticket, evening.now))
    assert session.fair.link.kernel_rtt_ns == 3 * MS
    evening.player(b"second window").hello("anna", anna.ticket)
    assert session.fair.link.kernel_rtt_ns is None


def test_one_connection_that_shows_two_tickets_leaves_the_first_seat_as_if_cut() -> None:
    evening, anna, bob = both_can_play()
    anna.send(wire.Beat(bob.ticket, evening.now))
    evening.tick()
    assert bob.last(wire.Goodbye).word == "taken_over"
    assert not room(anna).seats[0].connected
    assert room(anna).paused_until_ns > 0


def test_a_countdown_begun_while_somebody_is_away_is_no_longer_than_any_other() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    anna.send(wire.Ready(anna.ticket))
    evening.tick()
    evening.cut(anna)
    evening.pass_time(60 * SECOND)
    bob.send(wire.Ready(bob.ticket))
    evening.tick()
    again = evening.player(b"anna again")
    again.hello("anna", anna.ticket)
    again.send(wire.Ready(again.ticket))
    evening.tick()
    assert room(bob).phase == wire.COUNTDOWN
    assert room(bob).reveal_at_ns - evening.now == evening.settings.countdown_ns


def test_a_seat_whose_player_is_away_is_freed_whatever_the_rival_does_meanwhile() -> None:
    evening, anna, bob = both_can_play()
    evening.cut(anna)
    bob.send(wire.Leave(bob.ticket))
    bob.present = False
    evening.pass_time(2 * evening.settings.grace_ns)
    assert evening.hub.summary().tables == 0


def test_saying_ready_again_changes_nothing() -> None:
    evening = Evening()
    anna, _ = evening.pair()
    anna.send(wire.Ready(anna.ticket))
    evening.tick()
    before = len(anna.all(wire.Snapshot))
    for _ in range(5):
        anna.send(wire.Ready(anna.ticket))
        evening.tick()
    assert len(anna.all(wire.Snapshot)) == before


def test_short_visits_never_make_the_server_full() -> None:
    evening = Evening(HubSettings(max_players=4))
    for number in range(50):
        visitor = evening.guest(f"visitor {number}")
        evening.cut(visitor)
    anna = evening.guest("anna")
    anna.send(wire.Sit(anna.ticket))
    evening.tick()
    assert anna.seat == 0


def test_a_flood_of_plays_is_refused_and_the_same_lost_race_is_told_once() -> None:
    evening, anna, bob = both_can_play()
    evening.pass_time(SECOND)
    card, pile = a_fitting_play(anna)
    for _ in range(500):
        anna.play(card, pile)
    evening.tick()
    evening.pass_time(2 * SECOND)
    assert refusals(anna).count("too_fast") >= 490
    assert len([event for event in bob.events if isinstance(event, Beaten)]) <= 1


def test_who_drops_again_and_again_holds_a_deal_no_longer_than_two_graces() -> None:
    evening, anna, bob = both_can_play()
    begin, player = evening.now, anna
    for number in range(100):
        evening.cut(player)
        evening.pass_time(evening.settings.grace_ns - SECOND)
        if room(bob).result is not None:
            break
        player = evening.player(b"anna %d" % number)
        player.hello("anna", anna.ticket)
        evening.tick()
    assert room(bob).result is not None
    assert evening.now - begin <= 3 * evening.settings.grace_ns


def test_leaving_when_the_cards_are_sent_but_not_turned_yet_forfeits_too() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    for player in (anna, bob):
        player.send(wire.Ready(player.ticket))
    evening.pass_time(evening.settings.countdown_ns - evening.settings.reveal_lead_ns // 2)
    anna.send(wire.Leave(anna.ticket))
    evening.pass_time(evening.settings.reveal_lead_ns)
    result = room(bob).result
    assert result is not None
    assert (result.winner, result.forfeit) == (1, True)
    assert result.duration_us == 0


def test_the_list_of_all_tables_fits_one_message_whatever_the_names() -> None:
    settings = HubSettings(max_tables=512, max_players=1_100)
    evening = Evening(settings)
    for number in range(2 * settings.max_tables):
        name = ("\U00010400" * 11 + f"{number}")[-16:]
        guest = evening.player(b"%d" % number)
        guest.hello(name)
        guest.send(wire.Sit(guest.ticket))
    watcher = evening.player(b"late")
    watcher.hello("late")
    assert len(watcher.last(wire.Lobby).tables) == settings.max_tables
