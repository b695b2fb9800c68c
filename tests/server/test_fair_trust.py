from __future__ import annotations

from random import Random

from tests.server.fair_table import ANNA, BOB, CABLE, WIFI, FairTable

from speed_common.fair_settings import FairSettings
from speed_server.fair.player import FairPlayer
from speed_server.fair.trust import NEIGHBOURS, WINDOW, Ranks, Stall
from speed_server.settings import MS, SECOND

SETTINGS = FairSettings()


def session(plays: int, late: int, seed: int = 1, jitter: int = 6 * MS) -> Ranks:
    """Plays among heartbeats on a jittery link, each play later by `late` than the link made it."""
    dice, ranks = Random(seed), Ranks(SETTINGS)
    for _ in range(plays):
        for _ in range(2 * NEIGHBOURS):
            ranks.beat(int(dice.expovariate(1 / jitter)))
        ranks.play(int(dice.expovariate(1 / jitter)) + late + SETTINGS.rank_slack_ns)
    for _ in range(NEIGHBOURS):
        ranks.beat(0)
    return ranks


def test_plays_later_than_the_heartbeats_around_them_are_flagged_after_two_windows() -> None:
    assert not session(WINDOW, 60 * MS).flagged
    assert session(WINDOW, 60 * MS).suspicious == 1
    assert session(2 * WINDOW, 60 * MS).flagged


def test_honest_plays_are_never_flagged_however_bad_the_link() -> None:
    assert not any(session(10 * WINDOW, 0, seed).flagged for seed in range(60))


def test_one_suspicious_window_is_forgiven_but_earns_nothing_meanwhile() -> None:
    player = FairPlayer(SETTINGS)
    player.bucket_ns = 50 * MS
    player.play_ranks.suspicious = 1
    player.pay(10 * MS, won=True)
    assert player.bucket_ns == 40 * MS
    player.play_ranks.suspicious = 0
    player.pay(10 * MS, won=True)
    assert player.bucket_ns == 50 * MS


def test_the_bucket_pays_lateness_and_earns_by_committed_plays_up_to_its_size() -> None:
    player = FairPlayer(SETTINGS)
    player.pay(0, won=True)
    assert player.bucket_ns == SETTINGS.bucket_max_ns
    player.pay(60 * MS, won=True)
    assert player.bucket_ns == 120 * MS
    player.pay(60 * MS, won=False)
    assert player.bucket_ns == 90 * MS
    player.pay(500 * MS, won=False)
    assert player.bucket_ns == 0


def test_an_empty_bucket_leaves_a_play_what_its_link_usually_takes() -> None:
    table = FairTable(ups=(CABLE, WIFI))
    table.jitter(BOB, 80 * MS)
    player = table.players[BOB]
    assert player.allowed_ns() > 80 * MS
    player.bucket_ns = 0
    assert abs(player.allowed_ns() - WIFI) < 2 * MS


def test_a_calm_link_has_no_jitter_to_hide_in() -> None:
    table = FairTable()
    assert table.players[ANNA].allowed_ns() < SETTINGS.press_slack_ns + 2 * CABLE + MS // 10


def test_a_flagged_player_has_no_credit_left() -> None:
    table = FairTable(ups=(CABLE, WIFI))
    table.jitter(BOB, 80 * MS)
    player = table.players[BOB]
    player.show_ranks.flagged = True
    assert player.allowed_ns() <= WIFI + MS
    assert player.credit_limit_ns(0) == 0


def test_a_showing_forged_later_than_the_link_explains_is_cut_and_in_the_end_flagged() -> None:
    table = FairTable()
    for _ in range(2 * WINDOW + 1):
        table.revision += 1
        showing = table.order.turned(table.revision, table.now, (0,), calm=False)
        table.until(showing.at_ns + 50 * MS)
        table.order.shown(BOB, table.revision, table.reading(BOB, showing.at_ns + 40 * MS))
        thing = table.order._showings.thing(BOB, 0, 0)
        assert thing is not None
        assert thing.credit_ns(table.players[BOB]) <= SETTINGS.show_slack_ns
        for _ in range(NEIGHBOURS):
            table.wait(20 * MS)
            table.beat(BOB)
    assert table.players[BOB].flagged


def test_a_player_who_was_waited_for_too_long_is_waited_for_again_after_a_healthy_while() -> None:
    stall = Stall(SETTINGS)
    now = SECOND
    for _ in range(9):
        stall.charge(100 * MS, now)
        now += 500 * MS
    assert stall.shunned
    shunned = []
    for count in range(400):
        now += 10 * MS
        stall.heard(70 * MS if count < 100 else MS, 10 * MS, now)
        shunned.append(stall.shunned)
    assert 0 <= shunned.count(True) - 99 - SETTINGS.healthy_ns // (10 * MS) <= 1
    assert shunned == sorted(shunned, reverse=True)


def test_a_players_ordinary_lateness_costs_no_stall_budget() -> None:
    stall = Stall(SETTINGS)
    for count in range(100):
        stall.charge(SETTINGS.stall_free_ns, SECOND + count * 100 * MS)
    assert not stall.shunned


def test_what_was_waited_long_ago_is_forgotten() -> None:
    stall = Stall(SETTINGS)
    for count in range(40):
        stall.charge(100 * MS, SECOND + count * 2 * SECOND)
    assert not stall.shunned
