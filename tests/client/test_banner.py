"""What the state of a table itself says to its players."""

from __future__ import annotations

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
