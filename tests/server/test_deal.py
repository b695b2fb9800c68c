"""What happens at a table beside plays: the call, the flip that is asked for, the card played for who is idle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.events import Emptied, Event, FlipAsked, Flipped, Frozen, Lifted, Played, Stuck, Took, Won
from speed_common.fair_settings import Mode
from speed_common.presets import make_rules
from speed_common.rules import FREEZE_US, Rules
from speed_common.state import CALLING, OVER, STUCK, Table
from speed_server.settings import MS, SECOND, HubSettings

CALLS = make_rules(call_speed=True)
ASKS = make_rules(flip_trigger="all_ready")
CREW = ("anna", "bob", "carl", "dora")


def table(player: Player) -> Table:
    assert player.table is not None
    return player.table


def answers(player: Player) -> dict[int, str]:
    return {message.seq: message.word for message in player.all(wire.Refused)}


def kinds(player: Player) -> list[type[Event]]:
    return [type(event) for event in player.events]


def deals(rules: Rules) -> Iterator[tuple[Evening, list[Player]]]:
    """Deals just revealed, one after another."""
    for seed in range(1, 200):
        evening = Evening(HubSettings(rules=rules), seed=seed)
        yield evening, evening.dealt_party(*CREW[: rules.players])
    raise AssertionError("no such deal")


def play_until(phase: int, evening: Evening, players: list[Player]) -> bool:
    """Play on until the table is in this phase; false if the deal ends before."""
    for _ in range(3_000):
        for player in players:
            if table(players[0]).phase in {phase, OVER}:
                return table(players[0]).phase == phase
            player.play_best()
            player.beat()
            evening.pass_time(150 * MS)
    raise AssertionError("the deal never ended")


def emptied(rules: Rules = CALLS) -> tuple[Evening, Player, list[Player]]:
    """A deal in which somebody has no cards left and has not called; that player, and the others."""
    for evening, players in deals(rules):
        assert play_until(CALLING, evening, players)
        owner = table(players[0]).emptied
        return evening, players[owner], [player for player in players if player.seat != owner]
    raise AssertionError


def stuck(rules: Rules) -> tuple[Evening, list[Player]]:
    """A deal in which nobody can play."""
    for evening, players in deals(rules):
        if play_until(STUCK, evening, players):
            return evening, players
    raise AssertionError


# --- "Speed!" ---------------------------------------------------------------------------------------------------------


def test_who_has_no_cards_left_wins_by_calling() -> None:
    evening, owner, (other,) = emptied()
    assert owner.room is not None
    assert owner.room.result is None
    owner.call()
    evening.tick()
    for player in (owner, other):
        assert table(player).winner == owner.seat
    assert not answers(owner)


def test_who_is_called_first_takes_a_pile_and_plays_on() -> None:
    evening, owner, (other,) = emptied()
    other.call()
    evening.tick()
    took = [event for event in owner.events if isinstance(event, Took)]
    assert [(event.seat, event.by) for event in took] == [(owner.seat, other.seat)]
    assert table(owner).cards_left(owner.seat) > 0
    assert all(card >= 0 for card in took[0].hand[:1])
    seen = next(event for event in other.events if isinstance(event, Took))
    assert all(card < 0 for card in (*seen.hand, *seen.draw)), "nobody sees the cards that another takes"
    evening.play_out(owner, other)
    assert table(owner).winner in {0, 1}


def test_of_two_calls_in_one_tick_the_earlier_press_counts() -> None:
    for owner_first in (True, False):
        evening, owner, (other,) = emptied()
        evening.pass_time(50 * MS)
        owner.call(pressed_ago_ns=20 * MS if owner_first else 5 * MS)
        other.call(pressed_ago_ns=5 * MS if owner_first else 20 * MS)
        evening.tick()
        assert (table(owner).phase == OVER) == owner_first


def test_a_call_needs_no_gap_after_the_last_card() -> None:
    evening, owner, (other,) = emptied(make_rules(call_speed=True, min_play_gap_us=1_000_000))
    last = next(event.at for event in reversed(owner.events) if isinstance(event, Played))
    owner.call()
    evening.tick()
    won = next(event for event in other.events if isinstance(event, Won))
    assert won.at - last < 1_000_000


def test_a_call_that_nobody_made_is_made_by_the_end_of_the_window() -> None:
    evening, owner, (other,) = emptied()
    due = next(event for event in other.events if isinstance(event, Emptied)).due
    evening.pass_time(CALLS.call_window_us * 1_000)
    won = next(event for event in other.events if isinstance(event, Won))
    assert (won.seat, won.at) == (owner.seat, due)


def test_plays_are_refused_while_somebody_has_to_call() -> None:
    evening, _, (other,) = emptied()
    card = next(card for card in table(other).hands[other.seat] if card >= 0)
    seq = other.play(card, 0)
    evening.tick()
    assert answers(other)[seq] == "calling"


def test_a_false_call_freezes_and_is_refused_where_nobody_calls() -> None:
    for evening, (anna, bob) in deals(CALLS):
        card = next((card for card in table(anna).hands[0] if table(anna).fits_on(card)), None)
        if card is None:
            continue
        anna.call()
        evening.tick()
        assert Frozen in kinds(bob)
        evening.pass_time(FREEZE_US * 500)
        seq = anna.play(card)
        evening.tick()
        assert answers(anna) == {seq: "frozen"}
        break
    evening = Evening()
    anna, _ = evening.dealt_pair()
    seq = anna.call()
    evening.tick()
    assert answers(anna) == {seq: "illegal"}


def test_a_call_without_a_deal_is_refused_by_its_number() -> None:
    evening = Evening(HubSettings(rules=CALLS))
    anna = evening.guest("anna")
    first = anna.call()
    anna.sit()
    second = anna.call()
    evening.tick()
    assert answers(anna) == {first: "not_seated", second: "not_started"}


def test_a_computer_calls_for_itself_and_catches_who_forgets() -> None:
    evening = Evening(HubSettings(rules=CALLS, bot_tables=1, bot_level=10))
    watcher = evening.watch()
    evening.pass_time(120 * SECOND)
    empty = [event for event in watcher.events if isinstance(event, Emptied)]
    won = [event for event in watcher.events if isinstance(event, Won)]
    assert won
    assert {one.at - other.at for one, other in zip(won, empty, strict=False)} == {250_000}


# --- the flip that is asked for ---------------------------------------------------------------------------------------


def test_a_stuck_table_flips_as_soon_as_everybody_has_asked() -> None:
    evening, (anna, bob) = stuck(ASKS)
    before = kinds(bob).count(Flipped)
    anna.ask_flip()
    assert kinds(bob)[-1] is FlipAsked
    anna.ask_flip()
    assert kinds(bob).count(FlipAsked) == 1
    evening.pass_time(2 * SECOND)
    assert kinds(bob).count(Flipped) == before
    bob.ask_flip()
    assert kinds(anna).count(Flipped) == before + 1
    assert not answers(anna)


def test_a_stuck_table_flips_in_the_end_though_nobody_asks() -> None:
    evening, (anna, _) = stuck(ASKS)
    before = kinds(anna).count(Flipped)
    evening.pass_time(11 * SECOND)
    assert kinds(anna).count(Flipped) == before + 1


def test_who_leaves_a_stuck_table_of_three_is_not_waited_for() -> None:
    rules = make_rules(players=3, piles=2, flip_trigger="all_ready", wrap=False, hand_size=2)
    for evening, players in deals(rules):
        if not play_until(STUCK, evening, players):
            continue
        anna, bob, carl = players
        before = kinds(anna).count(Flipped)
        carl.leave()
        if table(anna).phase != STUCK:
            continue
        for player in (anna, bob):
            player.ask_flip()
        assert kinds(anna).count(Flipped) == before + 1
        return


def test_a_wish_for_a_flip_that_cannot_be_is_refused_by_its_number() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    first = anna.ask_flip()
    anna.sit()
    second = anna.ask_flip()
    bob = evening.guest("bob")
    bob.sit()
    evening.start(anna, bob)
    third = anna.ask_flip()
    evening.cut(bob)
    fourth = anna.ask_flip()
    assert answers(anna) == {first: "not_seated", second: "not_started", third: "not_due", fourth: "paused"}


def test_computers_ask_for_the_flip_as_well() -> None:
    rules = make_rules(flip_trigger="all_ready", hand_size=2, wrap=False)
    evening = Evening(HubSettings(rules=rules, bot_tables=1, bot_level=10))
    watcher = evening.watch()
    evening.pass_time(60 * SECOND)
    waits = [
        after.at - event.at
        for event, after in zip(watcher.events, watcher.events[1:], strict=False)
        if isinstance(event, Stuck) and isinstance(after, FlipAsked)
    ]
    assert waits
    assert max(waits) < 2_000_000


# --- idle players -----------------------------------------------------------------------------------------------------


def test_a_card_is_played_for_who_is_idle_and_again_as_long_after_it() -> None:
    rules = make_rules(idle_autoplay_us=10_000_000)
    for evening, (anna, bob) in deals(rules):
        if kinds(anna)[-1] is Stuck:
            continue
        evening.pass_time(10 * SECOND - MS)
        assert Played not in kinds(bob)
        evening.pass_time(MS)
        played = [event for event in bob.events if isinstance(event, Played)]
        assert [event.at for event in played] == [10_000_000]
        evening.pass_time(10 * SECOND)
        if kinds(anna).count(Stuck):
            continue
        assert [event.at for event in bob.events if isinstance(event, Played)] == [10_000_000, 20_000_000]
        return


def test_a_pause_is_no_idleness() -> None:
    rules = make_rules(idle_autoplay_us=10_000_000)
    for evening, (anna, bob) in deals(rules):
        if kinds(anna)[-1] is Stuck:
            continue
        evening.pass_time(5 * SECOND)
        evening.cut(anna)
        evening.pass_time(60 * SECOND)
        evening.back(anna)
        evening.pass_time(5 * SECOND)
        assert Played not in kinds(bob)
        return


def test_a_deal_that_everybody_forgets_is_played_to_its_end() -> None:
    evening = Evening(HubSettings(rules=make_rules("four", idle_autoplay_us=10_000_000)))
    players = evening.dealt_party(*CREW)
    evening.pass_time(900 * SECOND)
    assert all(table(player).phase == OVER for player in players)
    assert Lifted not in kinds(players[0])


@pytest.mark.parametrize("fair", ["full", "order", "off"])
@pytest.mark.parametrize(("pile", "aimed"), [(2, -1), (3, 3), (-1, 2), (-1, 3)])
def test_a_pile_that_the_table_has_not_got_hurts_nobody(fair: Mode, pile: int, aimed: int) -> None:
    evening = Evening(fair=fair)
    anna, _ = evening.dealt_pair()
    evening.pass_time(500 * MS)
    assert anna.table is not None
    card = anna.table.hands[anna.seat][0]
    c_now = evening.now
    anna.send(wire.PlayCard(anna.ticket, 1, card, pile, anna.revision, c_now, c_send=c_now, aimed=aimed))
    evening.pass_time(500 * MS)
    if pile >= 0:
        assert anna.last(wire.Refused).word == "illegal"
    assert evening.hub.summary().players == 2
