"""The hand that moved first wins, whatever the links: real hub, real sessions, links of different length."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from tests.client.lan import Guest, Lan

from speed_client.news import Happened, PlayRefused
from speed_client.plain_watch import PlainWatcher
from speed_common.events import Beaten, Played
from speed_common.fair_settings import FairSettings, Mode
from speed_common.tactics import best_play
from speed_server.settings import MS, SECOND, HubSettings

FAR_NS = 40 * MS
LEARNING_NS = 6 * SECOND


def lan_of(mode: Mode, seed: int) -> Lan:
    return Lan(seed, HubSettings(countdown_ns=LEARNING_NS, fair=replace(FairSettings(), mode=mode)))


def both_want(near: Guest, far: Guest) -> tuple[int, int, int] | None:
    """The slots whose cards fit the same pile, of which only the first one down stays; and the pile."""
    table, other = near.session.mirror.table, far.session.mirror.table
    assert table is not None
    assert other is not None
    for pile in range(2):
        for slot, card in enumerate(near.hand):
            for second, rival in enumerate(far.hand):
                if not (table.fits_on(card) == other.fits_on(rival) == [pile]):
                    continue
                if not table.landing(card) >> rival & 1 and not table.landing(rival) >> card & 1:
                    return slot, second, pile
    return None


def contest(mode: Mode, seed: int) -> tuple[Lan, Guest, Guest, int, int, int] | None:
    """A deal of two who want the same pile, one of them over a long link that the server has come to know."""
    lan = lan_of(mode, seed)
    near, far = lan.pair()
    lan.watcher()
    far.delay_ns = FAR_NS
    near.ready()
    far.ready()
    lan.run(LEARNING_NS + 500 * MS)
    wanted = both_want(near, far)
    return None if wanted is None else (lan, near, far, *wanted)


def played_by(guest: Guest) -> list[int]:
    return [item.event.seat for item in guest.news if isinstance(item, Happened) and isinstance(item.event, Played)]


@pytest.mark.parametrize(("mode", "winner"), [("full", "far"), ("off", "near")])
def test_the_hand_that_moved_first_wins_over_the_longer_link(mode: Mode, winner: str) -> None:
    for seed in range(1, 200):
        found = contest(mode, seed)
        if found is None:
            continue
        lan, near, far, near_slot, far_slot, pile = found
        assert far.play(far_slot, pile)
        lan.run(10 * MS)
        assert near.play(near_slot, pile)
        lan.run(400 * MS)
        first = {"near": near, "far": far}[winner]
        loser = far if first is near else near
        assert played_by(near)[-1] == first.session.mirror.seat
        (refused,) = cast("list[PlayRefused]", loser.told(PlayRefused))
        assert refused.refused.word == "beaten"
        if mode == "full":
            assert refused.refused.late_us == pytest.approx(10_000, abs=1_500)
            assert refused.refused.own_us is not None
            assert refused.refused.by_us is not None
            assert refused.refused.own_us - refused.refused.by_us == pytest.approx(10_000, abs=1_500)
            assert not refused.refused.close
            for news in (near.news, far.news, lan.watchers[0].news):  # everybody is told what the loser is
                happened = [item for item in news if isinstance(item, Happened)]
                (lost,) = [item for item in happened if isinstance(item.event, Beaten)]
                assert lost.race == (refused.refused.own_us, refused.refused.by_us, False)
                played = [item for item in happened if isinstance(item.event, Played)]
                assert happened.index(played[-1]) < happened.index(lost), "not before the play that won"
            room = near.session.mirror.room
            assert room is not None
            names = [info.name for info in room.seats]
            said = list(PlainWatcher(lan.watchers[0]).changed(lan.now))
            winner_name, loser_name = (names[guest.session.mirror.seat] for guest in (first, loser))
            told = f"Table 1: {('left', 'right')[pile]}: {winner_name} beats {loser_name} by "
            assert any(line.startswith(told) and line.endswith(" ms.") for line in said)
        return
    pytest.fail("no deal of 200 lets both want one pile")


def test_everybody_sees_a_play_at_the_same_instant() -> None:
    lan = lan_of("full", 1)
    near, far = lan.pair()
    far.delay_ns = 15 * MS
    near.ready()
    far.ready()
    lan.run(LEARNING_NS + 300 * MS)
    while not (near.play_best() or far.play_best()):
        lan.run(50 * MS)
    seen: dict[str, int] = {}
    for _ in range(400):
        for name, guest in (("near", near), ("far", far)):
            if played_by(guest):
                seen.setdefault(name, lan.now)
        lan.run(MS)
    assert abs(seen["near"] - seen["far"]) <= 2 * MS


def test_the_card_that_fills_the_place_is_turned_at_the_press() -> None:
    lan = lan_of("full", 1)
    anna, _ = lan.pair()
    for guest in lan.guests:
        guest.ready()
    lan.run(LEARNING_NS + 300 * MS)
    table, seat = anna.session.mirror.table, anna.session.mirror.seat
    assert table is not None
    found = best_play(anna.hand, table.held[seat], table.reach, table.fits)
    assert found is not None
    slot, pile = found
    assert anna.play(slot, pile)
    turned = anna.session.pending[slot].refill
    assert turned >= 0
    lan.run(300 * MS)
    assert anna.hand[slot] == turned
