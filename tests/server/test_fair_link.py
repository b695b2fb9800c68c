from __future__ import annotations

import pytest
from tests.server.fair_table import BOB, CABLE, WIFI, FairTable

from speed_common.fair_settings import FairSettings
from speed_server.fair.link import Link
from speed_server.fair.player import FairPlayer
from speed_server.settings import MS, SECOND

OFFSET = -777 * SECOND
GRAIN = 15_600_000


def talk(link: Link, start: int, rounds: int, up: int, down: int, offset: int = OFFSET, *, grain: int = 0) -> int:
    """Heartbeats with echoes; the time after them."""
    now = start
    for _ in range(rounds):
        got = now + down + offset
        sent = got + 3 * MS
        if grain:
            got, sent = got - got % grain, sent - sent % grain
        link.heard(sent, now + down + 3 * MS + up, now, got)
        now += 21_700_000
    return now


def test_the_clock_is_known_after_eight_samples_each_way_and_within_its_error() -> None:
    link = Link(0)
    now = talk(link, SECOND, 7, CABLE, CABLE)
    assert link.theta_ns is None
    talk(link, now, 1, CABLE, CABLE)
    assert link.synced
    assert abs(link.server_time(5 * SECOND + OFFSET) - 5 * SECOND) <= link.error_ns <= CABLE + MS // 50


def test_an_asymmetric_path_is_off_by_half_its_asymmetry_and_says_so() -> None:
    link = Link(0)
    talk(link, SECOND, 20, 30 * MS, 3 * MS)
    off = link.server_time(OFFSET) - 0
    assert abs(off - 13_500_000) < MS // 10
    assert link.error_ns >= off


@pytest.mark.parametrize("step", [1_000 * SECOND, -1_000 * SECOND, 40 * MS, -3 * SECOND])
def test_a_step_either_way_raises_the_epoch_and_the_clock_is_learnt_anew(step: int) -> None:
    link = Link(0)
    now = talk(link, SECOND, 20, CABLE, CABLE)
    now = talk(link, now, 1, CABLE, CABLE, OFFSET + step)
    assert link.epoch == 1
    assert not link.synced
    talk(link, now, 10, CABLE, CABLE, OFFSET + step)
    assert link.epoch == 1
    assert abs(link.server_time(OFFSET + step)) < MS


def test_an_echo_from_before_the_step_is_ignored() -> None:
    link = Link(0)
    now = talk(link, SECOND, 20, CABLE, CABLE)
    now = talk(link, now, 1, CABLE, CABLE, OFFSET + 40 * MS)
    for count in range(20):
        now += 20 * MS
        link.heard(now - CABLE + OFFSET + 40 * MS, now, SECOND + count, SECOND + OFFSET)
    assert link.epoch == 1
    assert not link.synced


def test_a_clock_that_steps_15_ms_at_a_time_is_unbiased_and_never_taken_for_one_that_jumps() -> None:
    link = Link(0, GRAIN)
    talk(link, SECOND, 300, CABLE, CABLE, grain=GRAIN)
    assert link.epoch == 0
    errors = []
    for step in range(200):
        true = 9 * SECOND + step * 1_234_567
        reading = true + OFFSET
        errors.append(link.server_time(reading - reading % GRAIN) - true)
    assert abs(sum(errors) / len(errors)) < 2 * MS


def test_stamps_all_set_back_are_seen_by_the_kernels_round_trip() -> None:
    honest, forged = Link(2 * MS), Link(2 * MS)
    honest.kernel_rtt_ns = forged.kernel_rtt_ns = 2 * CABLE
    for link, shift in ((honest, 0), (forged, 40 * MS)):
        for count in range(20):
            now = SECOND + count * 20 * MS
            link.heard(now - CABLE + OFFSET - shift, now, now - 60 * MS - CABLE, now - 60 * MS + OFFSET)
    assert honest.excess_ns == 0
    press = 5 * SECOND
    assert abs(honest.server_time(press + OFFSET) - press) < MS // 10
    assert abs(forged.server_time(press + OFFSET - 40 * MS) - press) < 2 * MS


@pytest.mark.parametrize(("up_more", "down_more"), [(2 * MS, 0), (0, 2 * MS), (MS, MS), (0, 0)])
def test_a_program_a_little_slower_than_its_kernel_is_not_moved(up_more: int, down_more: int) -> None:
    link, free = Link(2 * MS), Link(2 * MS)
    link.kernel_rtt_ns = 2 * CABLE
    for known in (link, free):
        talk(known, SECOND, 40, CABLE + up_more, CABLE + down_more)
    assert link.excess_ns == 0
    assert link.theta_ns == free.theta_ns


def test_a_calm_link_beats_rarely_a_jittery_or_a_long_one_quickly() -> None:
    settings = FairSettings()
    table = FairTable(ups=(CABLE, CABLE))
    for _ in range(200):
        table.wait(100 * MS)
        table.beat(BOB)
    assert table.players[BOB].beat_ns == settings.calm_beat_ns
    for count in range(200):
        table.wait(100 * MS)
        table.beat(BOB, CABLE + (40 * MS if count % 10 == 0 else 0))
    assert table.players[BOB].beat_ns == settings.quick_beat_ns
    table = FairTable(ups=(WIFI, WIFI))
    for _ in range(200):
        table.wait(100 * MS)
        table.beat(BOB)
    assert table.players[BOB].beat_ns == settings.quick_beat_ns


def test_before_anything_is_known_of_a_link_it_beats_at_the_middle_pace() -> None:
    settings = FairSettings()
    assert FairPlayer(settings).beat_ns == settings.middle_beat_ns
