"""What the state of a table itself says to its players."""

from __future__ import annotations

from msgspec.structs import replace
from tests.client.lan import Lan
from tests.client.screens import SECOND

from speed_client.banner import HINT_AFTER_NS, banner_of
from speed_client.story import Notice
from speed_client.wake import Wake


def said(lan: Lan, guest: int, deal_ns: int) -> tuple[Notice | None, int | None]:
    session = lan.guests[guest].session
    room, table = session.mirror.room, session.mirror.table
    assert room is not None
    wake = Wake(1_000)
    return banner_of(room, table, session.mirror.seat, 1, deal_ns, wake), wake.at


def test_who_could_play_and_does_not_is_told_the_card_after_five_seconds() -> None:
    told = 0
    for seed in range(1, 20):
        lan = Lan(seed)
        for guest in lan.dealt_pair():
            table = guest.session.mirror.table
            assert table is not None
            fitting = [slot for slot, card in enumerate(guest.hand) if table.fits_on(card)]
            number = lan.guests.index(guest)
            early, at = said(lan, number, HINT_AFTER_NS - SECOND)
            late, _ = said(lan, number, HINT_AFTER_NS)
            if not fitting:
                assert late is None or "can be played" not in late.text
                continue
            told += 1
            assert early is None
            assert at == 1_000 + SECOND, "and the screen wakes for it"
            assert late is not None
            assert late.text.endswith(f"can be played: press {fitting[0] + 1}")
    assert told


def test_a_pause_without_an_end_names_no_time() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    room = anna.session.mirror.room
    assert room is not None
    for away, text in ((False, "paused by the director"), (True, "bob lost the link: no clock runs")):
        seats = (room.seats[0], replace(room.seats[1], connected=not away))
        paused = replace(room, seats=seats, paused_until_ns=1 << 60)
        wake = Wake(1_000)
        assert banner_of(paused, anna.session.mirror.table, 0, 1, 0, wake) == Notice(text, "alarm")
        assert wake.at is None, "nothing counts down"
