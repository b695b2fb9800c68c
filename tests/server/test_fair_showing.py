from __future__ import annotations

from random import Random

from tests.server.fair_table import ANNA, BOB, CABLE, WIFI, FairTable

from speed_common.fair_settings import FairSettings
from speed_server.fair.showing import Showings
from speed_server.settings import MS, SECOND

SETTINGS = FairSettings()


def test_a_play_is_shown_as_soon_as_the_slowest_link_can_have_it_and_no_fast_link_gets_it_earlier() -> None:
    table = FairTable(ups=(CABLE, 10 * MS))
    for _ in range(60):
        table.wait(100 * MS)
        table.beat(ANNA)
        table.beat(BOB)
    showing = table.order.told(table.now)
    wait = showing.at_ns - table.now
    assert abs(wait - 12 * MS) < MS
    assert showing.send_at_ns[BOB] == table.now
    assert abs(showing.at_ns - showing.send_at_ns[ANNA] - (2 * MS + CABLE)) < MS // 2


def test_on_cables_a_play_is_shown_after_little_more_than_the_guard() -> None:
    table = FairTable()
    for _ in range(60):
        table.wait(100 * MS)
        table.beat(ANNA)
        table.beat(BOB)
    assert table.order.told(table.now).at_ns - table.now < 3 * MS


def test_no_link_makes_a_play_wait_longer_than_the_cap_but_a_flip_waits_for_all() -> None:
    table = FairTable(ups=(CABLE, 50 * MS))
    for _ in range(60):
        table.wait(100 * MS)
        table.beat(BOB)
    assert table.order.told(table.now).at_ns - table.now == SETTINGS.reveal_cap_ns
    flip = table.order.turned(1, table.now, (0, 1))
    assert flip.at_ns - table.now == SETTINGS.calm_reveal_ns
    assert abs(flip.at_ns - flip.send_at_ns[BOB] - 52 * MS) < MS
    assert flip.at_ns - flip.send_at_ns[ANNA] < 4 * MS


def test_the_deals_reveal_is_at_its_instant() -> None:
    table = FairTable()
    showing = table.order.turned(1, table.now, (0, 1), {ANNA: (3, 4), BOB: (5, 6)}, at_ns=table.now + 3 * SECOND)
    assert showing.at_ns == table.now + 3 * SECOND
    assert showing.send_at_ns[ANNA] > showing.at_ns - 4 * MS


def test_nothing_is_shown_or_sent_before_it_is_committed_nor_out_of_order() -> None:
    for seed in range(20):
        dice = Random(seed)
        table = FairTable(ups=(CABLE, dice.choice((CABLE, WIFI, 40 * MS))))
        shown, sent = 0, [0, 0]
        for revision in range(1, 60):
            table.wait(dice.randrange(30 * MS))
            table.beat(BOB)
            calm = dice.random() < 0.2
            showing = table.order.turned(revision, table.now, (0,)) if calm else table.order.told(table.now)
            assert showing.at_ns >= max(table.now, shown)
            assert all(at >= max(table.now, before) for at, before in zip(showing.send_at_ns, sent, strict=True))
            assert all(at <= showing.at_ns for at in showing.send_at_ns)
            shown, sent = showing.at_ns, list(showing.send_at_ns)


def test_a_second_word_about_a_showing_is_not_heard() -> None:
    table = FairTable(ups=(CABLE, 30 * MS))
    table.jitter(BOB, 90 * MS)
    showing = table.order.turned(1, table.now, (0,), calm=False)
    for late in (5, 45):
        table.order.shown(BOB, 1, table.reading(BOB, showing.at_ns + late * MS))
    thing = table.order._showings.thing(BOB, 0, 0)
    assert thing is not None
    assert thing.late_ns is not None
    assert abs(thing.late_ns - 5 * MS) < MS


def test_the_credit_for_a_late_showing_has_a_most() -> None:
    table = FairTable(ups=(CABLE, 10 * MS))
    table.jitter(BOB, 200 * MS)
    showing = table.order.turned(1, table.now, (0,), calm=False)
    table.order.shown(BOB, 1, table.reading(BOB, showing.at_ns + 190 * MS))
    thing = table.order._showings.thing(BOB, 0, 0)
    assert thing is not None
    assert thing.credit_ns(table.players[BOB]) == SETTINGS.credit_max_ns


def test_a_play_reacts_to_the_later_of_the_top_and_its_own_card() -> None:
    table = FairTable()
    table.board.fits[0] = [{7}, {8}]
    first = table.lay()
    table.wait(300 * MS)
    table.beat(ANNA)
    table.beat(BOB)
    assert table.order._showings.thing(ANNA, 7, 0).at_ns == first.at_ns  # type: ignore[union-attr]
    table.play(ANNA, table.now, 7)
    ruling = table.order.pop(table.now)
    while ruling is None:
        table.wait(MS)
        table.beat(BOB)
        ruling = table.order.pop(table.now)
    showing = table.order.played(ruling, table.now, 2, 0, (6,))
    own, others = (table.order._showings.thing(seat, 99, 0) for seat in (ANNA, BOB))
    assert own is not None
    assert others is not None
    assert (own.at_ns, others.at_ns) == (ruling.at_ns, showing.at_ns)
    assert table.order._showings.thing(ANNA, 6, 1).at_ns == ruling.at_ns  # type: ignore[union-attr]
    assert table.order._showings.thing(BOB, 8, 0, revision=1).at_ns == first.at_ns  # type: ignore[union-attr]


def test_a_computer_sees_at_once_and_makes_nobody_wait() -> None:
    showings = Showings(SETTINGS, [None, None], 2)
    showing = showings.plan(SECOND, calm=False)
    assert showing.at_ns == SECOND
