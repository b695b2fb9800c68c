from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.cards import NO_CARD
from speed_common.codes import parse_code
from speed_common.events import Lift, Play, Refusal, Reveal
from speed_common.presets import make_rules
from speed_common.record import Heading, NumberedCards, SecretCards
from speed_common.record_read import Record
from speed_common.tactics import best_play
from speed_common.verify import verify
from speed_server.deal import MOST_LOGGED, Deal
from speed_server.records import Finished
from speed_server.settings import MS, SECOND, HubSettings


def verified(finished: Finished) -> Record:
    return verify(b"".join(finished.lines("2026-11-30T21:41:13Z")))


def only_record(evening: Evening) -> Record:
    assert len(evening.hub.records) == 1
    return verified(evening.hub.records[0])


def best_play_of(player: Player) -> tuple[int, int] | None:
    table, seat = player.table, player.seat
    return None if table is None else best_play(table.hands[seat], table.held[seat], table.reach, table.fits)


class Pressed(NamedTuple):
    """A play of a record."""

    request: Play
    verdict: str
    extras: Mapping[str, Any]


def plays_of(record: Record) -> list[Pressed]:
    return [Pressed(line.request, line.verdict, line.extras) for line in record.lines if isinstance(line.request, Play)]


def test_a_deal_that_was_played_out_leaves_a_record_that_is_right() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    commitment = anna.room.commitment if anna.room else b""
    assert not evening.hub.records
    evening.play_out(anna, bob)
    found = only_record(evening)
    result = anna.last(wire.Snapshot).room.result
    assert result is not None
    assert (found.ending.winner, found.ending.score) == (result.winner, result.score)
    assert [player.name for player in found.heading.players] == ["anna", "bob"]
    assert found.heading.cards == SecretCards(
        seed=result.seed.hex(), commitment=hashlib.sha256(result.seed).hexdigest()
    )
    assert bytes.fromhex(found.heading.cards.commitment) == commitment
    assert (found.heading.table, found.heading.deal, found.heading.fair.mode) == (1, 1, "order")


def test_a_record_starts_with_the_countdown() -> None:
    evening = Evening()
    players = evening.dealt_pair()
    evening.play_out(*players)
    started = evening.hub.records[0].started_ns
    room = players[0].room
    assert room is not None
    assert started == room.reveal_at_ns - evening.settings.countdown_ns


def test_it_has_no_address_and_no_ticket_of_anybody() -> None:
    evening = Evening()
    players = evening.dealt_pair()
    evening.play_out(*players)
    data = b"".join(evening.hub.records[0].lines(""))
    for player in players:
        assert player.ticket.hex().encode() not in data
    assert b"origin" not in data


def test_each_rematch_is_another_record() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    evening.play_out(anna, bob)
    for player in (anna, bob):
        player.send(wire.Ready(player.ticket))
    evening.pass_time(evening.settings.countdown_ns)
    evening.play_out(anna, bob)
    assert [verified(each).heading.deal for each in evening.hub.records] == [1, 2]


def test_a_deal_that_somebody_left_is_recorded_as_forfeit() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    anna.play_best()
    evening.pass_time(150 * MS)
    bob.send(wire.Leave(bob.ticket))
    evening.tick()
    found = only_record(evening)
    assert (found.ending.end, found.ending.winner) == ("forfeit", 0)
    assert found.heading.players[1].name == "bob"


def test_a_deal_that_was_taken_back_before_the_cards_turned_leaves_none() -> None:
    evening = Evening()
    anna, bob = evening.pair()
    for player in (anna, bob):
        player.send(wire.Ready(player.ticket))
    evening.pass_time(SECOND)
    bob.send(wire.Leave(bob.ticket))
    evening.pass_time(10 * SECOND)
    assert not evening.hub.records


def test_a_deal_that_everybody_left_behind_is_recorded_as_broken_off() -> None:
    evening = Evening(HubSettings(keep_ns=0))
    anna, bob = evening.dealt_pair()
    anna.play_best()
    evening.pass_time(150 * MS)
    evening.cut(anna)
    evening.cut(bob)
    evening.pass_time(400 * SECOND)
    assert only_record(evening).ending.end == "unfinished"


def test_a_press_is_recorded_with_its_own_time_and_its_arrival() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    evening.pass_time(500 * MS)
    playing = anna if best_play_of(anna) else bob
    assert playing.table is not None
    found = best_play_of(playing)
    assert found is not None
    playing.play(playing.table.hands[playing.seat][found[0]], found[1], pressed_ago_ns=20 * MS)
    evening.play_out(anna, bob)
    line = plays_of(only_record(evening))[0]
    assert line.request.seat == playing.seat
    assert line.extras["arrival_us"] == 500_000
    assert line.extras["press_us"] == pytest.approx(480_000, abs=1_000)
    assert line.request.at == line.extras["press_us"]


def test_a_press_inside_the_gap_is_judged_at_its_end_and_recorded_with_both_times() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    evening.play_out(anna, bob, pause_ns=20 * MS)
    plays = plays_of(only_record(evening))
    moved = [line for line in plays if line.request.at > line.extras.get("press_us", line.request.at)]
    assert moved
    for seat in (0, 1):
        made = [line.request.at for line in plays if line.request.seat == seat and line.verdict == "accepted"]
        assert min(later - earlier for earlier, later in pairwise(made)) == 100_000


def test_plays_that_waited_when_somebody_dropped_are_recorded_as_paused() -> None:
    evening = Evening()
    anna, bob = evening.dealt_pair()
    assert anna.table is not None
    for _ in range(2):
        anna.play(anna.table.hands[anna.seat][0])
    evening.hub.unreachable(bob.origin, evening.now)
    bob.present = False
    evening.tick()
    anna.send(wire.Leave(anna.ticket))
    evening.tick()
    assert "paused" in [line.verdict for line in only_record(evening).lines]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tables_of_computers_are_recorded_with_their_levels(players: int) -> None:
    evening = Evening(HubSettings(rules=make_rules(players=players), bot_tables=1, bot_level=10))
    evening.pass_time(120 * SECOND)
    assert evening.hub.records
    for finished in evening.hub.records:
        found = verified(finished)
        assert [player.level for player in found.heading.players] == [10] * players
        assert any(isinstance(line.request, Lift) for line in found.lines)


def test_a_deal_by_number_is_recorded_with_its_code() -> None:
    evening = Evening(HubSettings(deal_number=94_523_930))
    players = evening.dealt_pair()
    evening.play_out(*players)
    cards = only_record(evening).heading.cards
    assert isinstance(cards, NumberedCards)
    assert cards.number == 94_523_930
    assert parse_code(cards.code).number == 94_523_930


def test_without_records_there_are_none() -> None:
    evening = Evening(HubSettings(records=False))
    players = evening.dealt_pair()
    evening.play_out(*players)
    assert not evening.hub.records


def test_a_flood_of_refused_requests_is_counted_and_not_kept() -> None:
    heading, deal = dealt()
    for _ in range(MOST_LOGGED + 50):
        deal._ask(Reveal(), 0)
    deal.leave(0, 10)
    assert len(deal.log) <= MOST_LOGGED + 1
    found = verified(Finished(heading, 0, deal.log, deal.result(), deal.left_out))
    assert found.ending.left_out == 51
    assert found.ending.end == "forfeit"


def test_a_refused_play_is_kept_with_its_word() -> None:
    _, deal = dealt()
    refusal = deal._ask(Play(0, NO_CARD, 0, 5), 0)
    assert refusal == Refusal("not_in_hand")
    assert (deal.log[-1].request, deal.log[-1].decision) == (Play(0, NO_CARD, 0, 5), refusal)


def dealt() -> tuple[Heading, Deal]:
    evening = Evening()
    evening.dealt_pair()
    room = next(iter(evening.hub._lobby.rooms.values()))
    assert room.deal is not None
    heading = room.recorder._heading
    assert heading is not None
    return heading, room.deal
