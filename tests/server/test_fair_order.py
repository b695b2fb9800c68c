from __future__ import annotations

import pytest
from tests.server.fair_table import ANNA, BOB, CABLE, CARL, WIFI, FairTable

from speed_common.fair_settings import PRESETS, FairSettings
from speed_server.fair.waiting import FairPlay
from speed_server.settings import MS, SECOND

CAP = FairSettings().hold_cap_ns


def duel(ups: tuple[int, int] = (CABLE, WIFI), settings: FairSettings | None = None) -> FairTable:
    """Both hold a card for pile 0, which has lain there for a while; Bob's link is sometimes slow."""
    table = FairTable(settings, ups=ups)
    table.jitter(BOB, 110 * MS)
    table.board.fits[0] = [{7}, {8}]
    table.lay()
    table.wait(300 * MS)
    table.beat(ANNA)
    table.beat(BOB)
    return table


def test_the_earlier_press_wins_though_it_arrives_later() -> None:
    table = duel()
    table.wait(20 * MS)
    pressed = table.now - CABLE
    table.play(ANNA, pressed, 7)
    assert table.tick() == []
    table.wait(25 * MS)
    table.play(BOB, pressed - 3 * MS, 8)
    assert table.tick() == [(BOB, 0), (ANNA, -1)]


def test_a_play_is_let_go_as_soon_as_the_rival_is_past_it() -> None:
    table = duel()
    table.wait(20 * MS)
    pressed = table.now - CABLE
    table.play(ANNA, pressed, 7)
    table.wait(12 * MS)
    table.beat(BOB, sent=pressed - MS)
    assert table.tick() == []
    table.wait(MS)
    table.beat(BOB, sent=pressed + 2 * MS)
    assert table.tick() == [(ANNA, 0)]
    assert table.rulings[0].verdict.reason == "clear"
    assert table.rulings[0].verdict.hold_ns == 13 * MS


def test_where_no_rival_can_contest_the_play_goes_at_once_but_is_announced_on_schedule() -> None:
    table = duel()
    table.board.fits[0][BOB] = set()
    table.board.fits[1] = [{7}, {8}]
    table.play(ANNA, table.now - CABLE, 7)
    assert table.tick() == [(ANNA, 0)]
    showing = table.showings[0]
    assert table.rulings[0].verdict.reason == "alone"
    assert showing.at_ns == table.now + table.settings.reveal_cap_ns
    assert all(table.now <= sent < showing.at_ns for sent in showing.send_at_ns)


def shown_late_to_bob(table: FairTable, late: int) -> None:
    """A new top of pile 0, which Bob sees so late."""
    table.revision += 1
    showing = table.order.turned(table.revision, table.now, (0,), calm=False)
    table.until(showing.at_ns)
    table.order.shown(ANNA, table.revision, table.reading(ANNA, showing.at_ns))
    table.wait(late + 15 * MS)
    table.beat(BOB)
    table.order.shown(BOB, table.revision, table.reading(BOB, showing.at_ns + late))
    table.wait(250 * MS)


def test_the_other_pile_never_waits() -> None:
    table = FairTable(ups=(CABLE, CABLE, WIFI))
    table.jitter(CARL, 110 * MS)
    table.board.fits = [[{7}, set(), {9}], [set(), {5}, set()]]
    table.lay()
    table.wait(300 * MS)
    for seat in (ANNA, BOB, CARL):
        table.beat(seat)
    table.wait(20 * MS)
    table.play(ANNA, table.now - CABLE, 7, 0)
    assert table.tick() == []  # Carl may have been earlier on that pile
    table.wait(5 * MS)
    table.play(BOB, table.now - CABLE, 5, 1)
    table.wait(MS)
    table.beat(ANNA)
    assert table.tick() == [(BOB, 1)]
    assert table.order.waiting == 1


def test_a_credited_stamp_is_not_below_the_players_last_one() -> None:
    table = duel()
    table.board.fits[0][ANNA] = set()
    table.board.fits[1] = [set(), {5}]
    shown_late_to_bob(table, 30 * MS)
    table.play(BOB, table.now - 10 * MS, 5, 1)
    table.wait(5 * MS)
    table.play(BOB, table.now - 10 * MS, 8, 0)
    assert table.tick() == [(BOB, 1), (BOB, 0)]
    first, second = (ruling.verdict for ruling in table.rulings)
    assert abs(second.claim.credit_ns - 30 * MS) < MS // 50
    assert second.race_ns == first.race_ns


def test_the_deadline_is_anchored_at_the_race_time_not_at_the_arrival() -> None:
    table = duel(ups=(WIFI, WIFI))
    table.jitter(ANNA, 60 * MS)
    table.lay()
    table.wait(300 * MS)
    pressed = table.now
    table.beat(ANNA)
    table.wait(45 * MS)
    table.play(ANNA, pressed, 7)
    for player in table.players:
        player.beat_ns = table.settings.quick_beat_ns
    assert table.run() == [(ANNA, 0)]
    verdict = table.rulings[0].verdict
    assert abs(verdict.race_ns - pressed) < MS // 100
    assert verdict.reason == "cap"
    assert verdict.decided_ns <= verdict.race_ns + CAP
    assert verdict.decided_ns > pressed + 60 * MS


def test_heartbeats_withheld_hold_the_rival_no_longer_than_the_cap_and_the_staller_is_dropped_within_its_budget() -> (
    None
):
    table = duel()
    waited = 0
    for _ in range(30):
        table.board.fits[0] = [{7}, {8}]
        table.lay()
        table.wait(300 * MS)
        table.beat(ANNA)
        arrived = table.now
        table.play(ANNA, table.now - CABLE, 7)
        assert table.run() == [(ANNA, 0)]
        hold = table.now - arrived
        assert hold <= CAP
        waited += max(0, hold - table.settings.stall_free_ns)
        if table.players[BOB].stall.shunned:
            break
        table.beat(BOB, 95 * MS, table.now - 95 * MS)  # it speaks, late, only once it did its harm
    assert table.players[BOB].stall.shunned
    assert waited <= table.settings.stall_budget_ns + CAP
    table.board.fits[0] = [{7}, {8}]
    table.lay()
    table.wait(300 * MS)
    table.play(ANNA, table.now - CABLE, 7)
    assert table.tick() == [(ANNA, 0)]


def test_a_credited_stamp_is_compared_with_a_credited_watermark() -> None:
    table, late = duel(ups=(CABLE, 15 * MS)), 30 * MS
    shown_late_to_bob(table, late)
    pressed = table.now - CABLE
    table.play(ANNA, pressed, 7)
    table.wait(25 * MS)
    table.beat(BOB, sent=pressed + 10 * MS)
    assert table.tick() == []  # Bob may yet have pressed, 20 ms after Anna, what counts as 10 before her
    table.wait(10 * MS)
    table.play(BOB, pressed + 20 * MS, 8)
    assert table.tick() == [(BOB, 0), (ANNA, -1)]
    assert abs(table.rulings[0].verdict.race_ns - (pressed - 10 * MS)) < MS // 50
    assert abs(table.rulings[0].verdict.claim.credit_ns - late) < MS // 50


def test_a_stamp_is_never_below_the_own_watermark_the_last_stamp_or_the_showing() -> None:
    table = duel()
    table.wait(20 * MS)
    table.beat(ANNA)
    beaten_at = table.now - CABLE
    table.wait(3 * MS)
    table.play(ANNA, table.now - 60 * MS, 7, sent=table.now - CABLE)
    assert table.order.watermark(BOB, 0, table.now) < table.now
    while not table.run():
        table.wait(MS)
    assert table.rulings[0].verdict.race_ns >= beaten_at - MS // 1000
    first = table.rulings[0].verdict.race_ns
    table.board.fits[1] = [{6}, set()]
    table.play(ANNA, table.now - 90 * MS, 6, 1, sent=table.now)
    table.tick()
    assert table.rulings[1].verdict.race_ns >= first
    table = duel()
    showing = table.lay((0,))
    table.play(BOB, showing.at_ns - 40 * MS, 8, sent=showing.at_ns)
    assert table.run() == [(BOB, 0)]
    assert table.rulings[0].verdict.race_ns >= showing.at_ns


def test_a_stamp_of_the_future_counts_as_its_arrival() -> None:
    table = duel()
    table.board.fits[0][ANNA] = set()
    table.play(BOB, table.now + 50 * MS, 8, sent=table.now + 50 * MS)
    table.tick()
    assert table.rulings[0].verdict.race_ns == table.now


def test_a_play_that_comes_after_its_cap_with_an_earlier_race_time_is_refused_as_late() -> None:
    table = duel()
    table.wait(20 * MS)
    pressed = table.now - CABLE
    table.play(ANNA, pressed, 7)
    assert table.run() == [(ANNA, 0)]
    table.until(pressed + CAP + 20 * MS)
    table.play(BOB, pressed - 2 * MS, 8)
    assert table.tick() == [(BOB, -1)]
    verdict = table.rulings[-1].verdict
    assert (verdict.reason, verdict.behind_ns > 0) in {("late", True), ("alone", False)}
    assert verdict.hold_ns == 0


def test_within_the_tie_the_token_alternates() -> None:
    winners = []
    table = duel((WIFI, WIFI))
    for _ in range(6):
        table.board.fits[0] = [{7}, {8}]
        table.lay()
        table.wait(300 * MS)
        pressed = table.now
        table.wait(10 * MS)
        table.play(ANNA, pressed, 7)
        table.wait(MS // 2)
        table.play(BOB, pressed + MS // 2, 8)
        table.wait(5 * MS)
        table.beat(ANNA)
        table.beat(BOB)
        winners.append(table.tick()[0][0])
    assert winners == [ANNA, BOB, ANNA, BOB, ANNA, BOB]


def test_outside_the_tie_the_token_says_nothing() -> None:
    for first, second in ((ANNA, BOB), (BOB, ANNA)):
        table = duel((WIFI, WIFI))
        pressed = table.now
        table.wait(10 * MS)
        table.play(first, pressed, 7 + first)
        table.wait(2 * MS)
        table.play(second, pressed + 2 * MS, 7 + second)
        assert table.tick()[0] == (first, 0)


def test_a_play_that_ends_the_deal_waits_for_whoever_can_play_anywhere() -> None:
    table = duel()
    table.board.fits[0][BOB] = set()
    table.board.fits[1][BOB] = {9}
    table.board.last_cards = {(ANNA, 7)}
    table.wait(20 * MS)
    table.play(ANNA, table.now - CABLE, 7)
    assert table.tick() == []
    table.wait(20 * MS)
    table.play(BOB, table.now - 25 * MS, 9, 1)
    assert table.tick() == [(BOB, 1), (ANNA, 0)]


def test_plays_on_other_piles_wait_for_an_earlier_one_that_ends_the_deal() -> None:
    table = duel()
    table.board.fits[0] = [{7}, {8}]
    table.board.fits[1] = [{9}, {9}]
    table.board.last_cards = {(BOB, 8)}
    pressed = table.now
    table.wait(12 * MS)
    table.play(ANNA, pressed + 4 * MS, 9, 1)
    table.play(BOB, pressed, 8, 0)
    assert table.tick()[0] == (BOB, 0)


def test_no_play_goes_while_an_earlier_one_that_ends_the_deal_is_held() -> None:
    table = FairTable(ups=(CABLE, CABLE, WIFI))
    table.jitter(CARL, 110 * MS)
    table.board.fits = [[{7}, set(), {9}], [set(), {5}, set()]]
    table.board.last_cards = {(ANNA, 7)}
    table.lay()
    table.wait(300 * MS)
    for seat in (ANNA, BOB, CARL):
        table.beat(seat)
    table.wait(20 * MS)
    table.play(ANNA, table.now - CABLE, 7, 0)
    assert table.tick() == []
    table.wait(5 * MS)
    table.play(BOB, table.now - CABLE, 5, 1)
    table.wait(MS)
    table.beat(ANNA)
    assert table.tick() == []
    table.wait(20 * MS)
    table.beat(CARL)
    assert table.tick() == [(ANNA, 0), (BOB, 1)]


def test_what_a_rivals_play_relied_on_is_kept_though_the_bucket_fills_again() -> None:
    table = duel()
    table.wait(20 * MS)
    table.players[BOB].bucket_ns = 0
    table.play(ANNA, table.now - CABLE, 7)
    table.wait(WIFI + 2 * MS)
    assert table.tick() == [(ANNA, 0)]
    relied_on = table.rulings[0].verdict.at_ns
    table.players[BOB].bucket_ns = table.settings.bucket_max_ns
    table.play(BOB, relied_on - 10 * MS, 8, revision=table.revision - 1)
    table.tick()
    verdict = table.rulings[1].verdict
    assert verdict.race_ns >= relied_on
    assert verdict.behind_ns == 0


def test_in_order_mode_plays_of_one_tick_go_by_race_time_over_all_piles() -> None:
    table = duel(settings=FairSettings(mode="order"))
    table.board.fits[1] = [set(), {5}]
    table.wait(20 * MS)
    pressed = table.now - 10 * MS
    table.play(ANNA, pressed + 3 * MS, 7, 0)
    table.play(BOB, pressed, 5, 1)
    assert table.tick() == [(BOB, 1), (ANNA, 0)]


def test_a_stacked_play_dies_with_its_base() -> None:
    table = duel()
    table.wait(20 * MS)
    pressed = table.now - CABLE
    base = table.play(ANNA, pressed, 7)
    table.wait(9 * MS)
    table.play(ANNA, table.now - CABLE, 6, 0, after=base)
    table.play(BOB, pressed - 5 * MS, 8)
    assert table.tick() == [(BOB, 0), (ANNA, -1), (ANNA, -1)]
    assert [ruling.word for ruling in table.rulings] == ["judge", "judge", "fallen"]


def test_a_third_play_is_not_taken_while_two_wait() -> None:
    table = duel()
    for _ in range(3):
        table.play(ANNA, table.now, 7)
    assert not table.taken
    assert table.order.waiting == 2
    assert len(table.order.forget(ANNA)) == 2
    assert table.order.waiting == 0


def test_a_nap_raises_the_epoch_and_drops_the_plays_that_wait() -> None:
    table = duel()
    table.board.fits[0][ANNA] = set()
    table.board.fits[1] = [{7}, {8}]
    table.wait(10 * MS)
    table.play(BOB, table.now - 10 * MS, 8, 1)
    table.players[ANNA].link.c_last -= 300 * MS
    table.offsets[BOB] -= 3 * SECOND  # its clock stood still while it slept
    table.wait(3 * SECOND)
    epoch = table.players[BOB].link.epoch
    table.order._waiting.queues[BOB][0].at_ns += 10 * SECOND
    assert not table.beat(BOB, sent=table.now - WIFI)
    assert table.players[BOB].link.epoch == epoch + 1
    assert not table.players[BOB].link.synced
    assert table.tick() == [(BOB, -1)]
    assert table.rulings[0].word == "dropped"


def test_the_first_play_after_a_nap_counts_by_its_arrival() -> None:
    table = duel()
    table.board.fits[0][ANNA] = set()
    table.offsets[BOB] -= 3 * SECOND
    table.wait(3 * SECOND)
    table.play(BOB, table.now - WIFI, 8)
    table.tick()
    assert table.rulings[0].verdict.race_ns == table.now


def test_a_player_without_a_clock_in_step_is_not_waited_for_and_counts_by_arrival() -> None:
    table = duel()
    table.offsets[BOB] += SECOND
    table.beat(BOB)
    assert not table.players[BOB].link.synced
    table.play(ANNA, table.now - CABLE, 7)
    assert table.tick() == [(ANNA, 0)]
    table.board.fits[0] = [set(), {8}]
    arrived = table.now
    table.play(BOB, table.now - 30 * MS, 8)
    assert table.run() == [(BOB, 0)]
    assert table.rulings[1].verdict.race_ns == arrived


def test_readings_from_before_a_step_are_ignored() -> None:
    table = duel()
    table.revision += 1
    showing = table.order.turned(table.revision, table.now, (0,))
    before = table.reading(BOB, showing.at_ns + 40 * MS)
    table.offsets[BOB] += 500 * SECOND
    for _ in range(20):
        table.wait(20 * MS)
        table.beat(BOB)
    assert table.players[BOB].link.synced
    table.order.shown(BOB, table.revision, before)
    table.board.fits[0][ANNA] = set()
    table.play(BOB, table.now - WIFI, 8)
    table.tick()
    assert table.rulings[-1].verdict.claim.credit_ns == 0


def test_a_calm_rival_is_pinged_at_once_and_its_echo_lets_the_play_go() -> None:
    table = FairTable()
    table.board.fits[0] = [{7}, {8}]
    table.lay()
    table.wait(300 * MS)
    table.play(ANNA, table.now - CABLE, 7)
    assert table.tick() == []
    (ping,) = table.order.take_probes()
    assert ping.seat == BOB
    assert ping.wait_ns <= table.settings.tie_ns
    table.wait(2 * MS)
    table.beat(BOB)
    assert table.tick() == [(ANNA, 0)]


def test_a_rival_that_beats_quickly_is_not_pinged() -> None:
    table = duel()
    table.players[BOB].beat_ns = table.settings.quick_beat_ns
    table.play(ANNA, table.now - CABLE, 7)
    table.tick()
    assert table.order.take_probes() == []


def test_a_calm_rival_that_says_nothing_is_waited_for_only_as_long_as_its_link_explains() -> None:
    table = FairTable()
    table.board.fits[0] = [{7}, {8}]
    table.lay()
    table.wait(300 * MS)
    table.play(ANNA, table.now - CABLE, 7)
    assert table.run() == [(ANNA, 0)]
    assert table.rulings[0].verdict.hold_ns <= table.settings.press_slack_ns + 2 * MS


def test_the_minimum_gap_delays_a_play_and_a_rivals_comes_between() -> None:
    table = FairTable(gap_ns=100 * MS)
    table.board.fits[0] = [{7}, set()]
    table.lay()
    table.wait(300 * MS)
    table.play(ANNA, table.now - CABLE, 7)
    assert table.tick() == [(ANNA, 0)]
    table.board.fits[1] = [{6}, {8}]
    table.wait(20 * MS)
    table.play(ANNA, table.now - CABLE, 6, 1)
    table.wait(60 * MS)
    table.play(BOB, table.now - CABLE, 8, 1)
    table.wait(30 * MS)
    table.beat(ANNA)
    table.beat(BOB)
    assert table.tick() == [(BOB, 1), (ANNA, -1)]


def test_a_draw_is_nobodys_business() -> None:
    table = duel()
    c_now = table.reading(ANNA, table.now)
    table.players[ANNA].heard(c_now, table.now, beat=False)
    table.order.submit(FairPlay(ANNA, 1, -1, -1, -1, -1, table.revision, c_now, c_now), table.now)
    assert table.tick() == [(ANNA, -1)]
    assert table.rulings[0].verdict.reason == "alone"


def test_after_a_pause_no_press_from_before_it_counts() -> None:
    table = duel()
    table.wait(20 * MS)
    table.order.resumed(table.now)
    table.board.fits[0][ANNA] = set()
    table.play(BOB, table.now - 15 * MS, 8, sent=table.now)
    table.tick()
    assert table.rulings[0].verdict.race_ns >= table.now


@pytest.mark.parametrize("mode", ["order", "off"])
def test_the_other_modes_hold_nothing_and_show_at_once(mode: str) -> None:
    table = duel(settings=FairSettings(mode=mode))  # type: ignore[arg-type]
    table.wait(20 * MS)
    pressed = table.now - 10 * MS
    table.play(ANNA, pressed, 7)
    table.play(BOB, pressed - 3 * MS, 8)
    assert table.tick()[0][0] == (BOB if mode == "order" else ANNA)
    assert table.showings[0].at_ns == table.now
    assert set(table.showings[0].send_at_ns) == {table.now}


def test_the_presets_differ_in_what_they_hold() -> None:
    assert [PRESETS[name].hold_cap_ns // MS for name in ("competitive", "default", "kitchen")] == [60, 100, 150]
