from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.server.fair_table import ANNA, BOB, CABLE, WIFI, FairTable

from speed_common.fair_settings import FairSettings
from speed_common.verdict import Claim, race_time, recompute
from speed_server.settings import MS

SETTINGS = FairSettings()
TIMES = st.integers(-(1 << 61), 1 << 61)
SPANS = st.integers(0, 300 * MS)


@given(TIMES, TIMES, TIMES, SPANS, st.integers(-50 * MS, 50 * MS), SPANS, SPANS, SPANS)
def test_no_claim_whatever_gets_outside_its_bounds(
    c_press: int, c_send: int, theta: int, floor_c: int, credit: int, allowed: int, floor: int, shown: int
) -> None:
    arrival = 1 << 40
    claim = Claim(
        arrival, c_press, c_send, c_send - floor_c, theta, 0, 0, arrival - shown, credit, 0, allowed, arrival - floor
    )
    at = race_time(claim, SETTINGS.press_slack_ns)
    assert max(arrival - allowed, arrival - shown, arrival - floor) <= at <= arrival
    own_watermark = c_send - floor_c - theta - credit
    assert at >= min(own_watermark, arrival)
    assert at >= min(c_send - SETTINGS.press_slack_ns - theta - credit, arrival)


def test_shown_on_schedule_the_race_time_is_the_press() -> None:
    claim = Claim(500 * MS, 480 * MS + 7, 480 * MS + 9, 470 * MS, 7, 0, 0, 100 * MS, 0, 10 * MS, 60 * MS, 0)
    assert race_time(claim, SETTINGS.press_slack_ns) == 480 * MS


def test_shown_late_the_race_time_is_the_showing_and_the_reaction() -> None:
    shown, late, reaction, theta = 100 * MS, 30 * MS, 250 * MS, 7_000 * MS
    press = shown + late + reaction
    claim = Claim(
        press + 10 * MS, press + theta, press + theta, press + theta - MS, theta, 0, 0, shown, late, 0, 99 * MS, 0
    )
    assert race_time(claim, SETTINGS.press_slack_ns) == shown + reaction


def verdicts() -> FairTable:
    table = FairTable(ups=(CABLE, WIFI))
    table.jitter(BOB, 110 * MS)
    for late in (0, 30, 200):
        table.board.fits[0] = [{7}, {8}]
        table.lay()
        table.wait(300 * MS)
        table.beat(ANNA)
        table.beat(BOB)
        table.wait(20 * MS)
        pressed = table.now - CABLE
        table.play(ANNA, pressed, 7)
        table.tick()
        table.until(pressed + 20 * MS)
        if late == 30:
            table.play(BOB, pressed - 2 * MS, 8)
        table.run()
        table.wait(150 * MS)
        if late == 200:
            table.play(BOB, pressed - 2 * MS, 8)
        table.run()
    return table


def test_every_verdict_follows_from_its_record_and_survives_its_bytes() -> None:
    rulings = verdicts().rulings
    assert {ruling.verdict.reason for ruling in rulings} >= {"cap", "clear"}
    for ruling in rulings:
        packed = msgspec.msgpack.encode(ruling.verdict)
        assert recompute(msgspec.msgpack.decode(packed, type=type(ruling.verdict)), SETTINGS) == []


def test_a_verdict_that_was_touched_does_not_follow() -> None:
    for ruling in verdicts().rulings:
        verdict = ruling.verdict
        for field in ("race_ns", "at_ns", "decided_ns", "paid_ns"):
            touched = msgspec.structs.replace(verdict, **{field: getattr(verdict, field) + 1})
            assert recompute(touched, SETTINGS), field
        other = "clear" if verdict.reason == "cap" else "cap"
        assert "reason" in recompute(msgspec.structs.replace(verdict, reason=other), SETTINGS)
