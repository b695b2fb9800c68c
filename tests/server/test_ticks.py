"""When a room ticks: at once after a calm, else no sooner than the tick allows, and whatever others do."""

from __future__ import annotations

from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.events import Played
from speed_common.presets import make_rules
from speed_server.settings import MS, SECOND, HubSettings


def evening_of_tables(count: int) -> tuple[Evening, list[tuple[Player, Player]]]:
    """Tables in a deal that has run for a second; each player has more than one play."""
    for seed in range(1, 100):
        settings = HubSettings(rules=make_rules("us", min_play_gap_us=0), deal_number=seed)
        evening = Evening(settings, spaced=True)
        pairs = [_sit_down(evening, number) for number in range(1, count + 1)]
        evening.pass_time(settings.countdown_ns + SECOND)
        if all(len(_fitting(player)) > 1 for pair in pairs for player in pair):
            return evening, pairs
    raise AssertionError("no such deal")


def _sit_down(evening: Evening, number: int) -> tuple[Player, Player]:
    pair = evening.guest(f"anna of {number}"), evening.guest(f"bob of {number}")
    for player, table in zip(pair, (wire.NEW_TABLE, number), strict=True):
        player.send(wire.Sit(player.ticket, table))
        evening.pass_time(5 * MS)
    for player in pair:
        player.sync()
        player.send(wire.Ready(player.ticket))
        evening.pass_time(5 * MS)
    return pair


def _fitting(player: Player) -> list[tuple[int, int]]:
    table = player.table
    assert table is not None
    return [(card, pile) for card in table.hands[player.seat] for pile in table.fits_on(card)]


def _play(player: Player, pressed_ago_ns: int = 0) -> None:
    player.play(*_fitting(player)[0], pressed_ago_ns=pressed_ago_ns)


def _plays(player: Player) -> list[int]:
    return [event.seat for event in player.events if isinstance(event, Played)]


def test_a_calm_room_ticks_at_once_and_then_not_before_the_tick_has_passed() -> None:
    evening, [(anna, bob)] = evening_of_tables(1)
    _play(anna)
    evening.tick()
    assert _plays(bob) == [0]
    tick_ns = evening.settings.tick_ns
    evening.now += tick_ns // 2
    _play(bob)
    evening.tick()
    assert not evening.hub.dirty
    assert len(_plays(anna) + bob.all(wire.Refused)) == 1
    assert evening.hub.next_due() == evening.now + tick_ns // 2
    evening.pass_time(tick_ns // 2)
    assert len(_plays(anna) + bob.all(wire.Refused)) == 2


def test_a_room_does_not_wait_for_the_tick_of_another() -> None:
    evening, [(anna, bob), (carl, dora)] = evening_of_tables(2)
    _play(anna)
    evening.tick()
    evening.now += 1
    _play(carl)
    evening.tick()
    assert _plays(bob) == [0]
    assert _plays(dora) == [0]


def test_plays_that_wait_for_a_tick_are_judged_by_their_press_and_not_by_their_arrival() -> None:
    evening, [(anna, bob)] = evening_of_tables(1)
    _play(anna)
    evening.tick()
    evening.now += MS
    _play(bob)
    evening.tick()
    evening.now += MS // 2
    _play(anna, pressed_ago_ns=MS)
    evening.tick()
    assert _plays(bob) == [0]
    evening.pass_time(MS)
    assert _plays(bob)[:2] == [0, 0]
