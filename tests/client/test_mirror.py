from __future__ import annotations

import pytest

from speed_client.mirror import Mirror, Showing
from speed_client.news import Happened, RoomChanged
from speed_common.decide import decide
from speed_common.deck import CodeStream, lay_out
from speed_common.events import Event, Play, Refusal, Reveal, Revealed
from speed_common.rules import Rules
from speed_common.table import DEALT, PLAYING, SPECTATOR, Table, evolve, new_table
from speed_common.tactics import best_play
from speed_common.views import hide, hide_event, view_of
from speed_common.wire import COUNTDOWN, Delta, Room, SeatInfo, Snapshot
from speed_common.wire import PLAYING as ROOM_PLAYING

RULES = Rules()
REVEAL_AT = 5_000_000_000


def deal(number: int = 7) -> Table:
    stream = CodeStream(number)
    return new_table(RULES, lay_out(RULES, stream), stream)


def happen(table: Table, request: Play | Reveal) -> tuple[Event, ...]:
    decision = decide(table, request)
    assert not isinstance(decision, Refusal)
    for event in decision:
        evolve(table, event)
    return decision


def room() -> Room:
    return Room(3, COUNTDOWN, (SeatInfo("anna"), SeatInfo("bob")), RULES, 1, REVEAL_AT)


def snapshot(table: Table, seat: int, revision: int = 0) -> Snapshot:
    return Snapshot(revision, 0, seat, room(), view_of(table, seat))


def phase_of(showing: Showing) -> int:
    assert showing.mirror.table is not None
    return showing.mirror.table.phase


def seen(events: tuple[Event, ...], viewer: int) -> tuple[Event, ...]:
    return tuple(hide_event(event, viewer) for event in events)


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_a_mirror_is_the_hidden_table_after_every_delta(viewer: int) -> None:
    table, mirror = deal(), Mirror()
    mirror.apply_snapshot(snapshot(table, viewer))
    events = happen(table, Reveal())
    at = 0
    for turn in range(40):
        assert mirror.apply_delta(Delta(mirror.revision, turn, seen(events, viewer)))
        assert mirror.table is not None
        shown = hide(table, viewer)
        assert (mirror.table.hands, mirror.table.tops, mirror.table.reach, mirror.table.phase) == (
            shown.hands,
            shown.tops,
            shown.reach,
            shown.phase,
        )
        seat = turn % 2
        found = best_play(table.hands[seat], table.held[seat], table.reach, table.fits)
        if found is None:
            events = ()
            continue
        at += 1_000_000
        events = happen(table, Play(seat, table.hands[seat][found[0]], found[1], at))


def test_a_delta_that_is_not_the_next_one_changes_nothing() -> None:
    table, mirror = deal(), Mirror()
    events = seen(happen(table, Reveal()), 0)
    assert not mirror.apply_delta(Delta(0, 1, events)), "there is no table yet"
    mirror.apply_snapshot(snapshot(deal(), 0, revision=4))
    assert not mirror.apply_delta(Delta(3, 1, events))
    assert not mirror.apply_delta(Delta(5, 1, events))
    assert mirror.revision == 4
    assert mirror.table is not None
    assert mirror.table.phase == DEALT


def test_a_view_of_other_rules_is_refused_and_changes_nothing() -> None:
    mirror = Mirror()
    mirror.apply_snapshot(snapshot(deal(), 0, revision=4))
    wrong = Snapshot(9, 0, 0, room(), view_of(deal(), 0).__class__(0, ((),), (0,), (), (), (), (), ()))
    with pytest.raises(ValueError, match="2 players"):
        mirror.apply_snapshot(wrong)
    assert mirror.revision == 4


def test_the_reveal_waits_for_its_instant_and_all_behind_it_waits_too() -> None:
    table, showing = deal(), Showing()
    showing.snapshot(snapshot(table, 0), REVEAL_AT - 900)
    revealed = seen(happen(table, Reveal()), 0)
    card = next(card for card in table.hands[0] if table.fits_on(card))
    played = seen(happen(table, Play(0, card, -1, 5)), 0)
    assert showing.delta(Delta(0, 1, revealed, 0), REVEAL_AT - 250) == []
    assert showing.delta(Delta(len(revealed), 2, played), REVEAL_AT - 10) == []
    assert showing.show_at_ns == REVEAL_AT
    assert showing.due(REVEAL_AT - 1) == []
    assert phase_of(showing) == DEALT
    news = showing.due(REVEAL_AT)
    assert news is not None
    assert [type(item.event) for item in news if isinstance(item, Happened)] == [
        type(event) for event in revealed + played
    ]
    assert not showing.waits
    assert showing.mirror.revision == len(revealed + played)


def test_a_reveal_that_comes_late_is_shown_at_once() -> None:
    table, showing = deal(), Showing()
    showing.snapshot(snapshot(table, 0), REVEAL_AT)
    news = showing.delta(Delta(0, 1, seen(happen(table, Reveal()), 0), 0), REVEAL_AT + 1)
    assert news
    assert isinstance(news[0], Happened)
    assert news[0].at_ns == REVEAL_AT
    assert showing.mirror.room is not None
    assert showing.mirror.room.phase == ROOM_PLAYING


def test_without_a_clock_nothing_waits() -> None:
    table, showing = deal(), Showing()
    showing.snapshot(snapshot(table, 0), None)
    news = showing.delta(Delta(0, 1, seen(happen(table, Reveal()), 0)), None)
    assert news
    assert showing.mirror.table is not None
    assert showing.mirror.table.phase == PLAYING


def test_a_snapshot_outdates_what_waits() -> None:
    table, showing = deal(), Showing()
    showing.snapshot(snapshot(table, 0), 0)
    events = seen(happen(table, Reveal()), 0)
    showing.delta(Delta(0, 1, events, 0), 0)
    news = showing.snapshot(snapshot(table, 0, revision=len(events)), 0)
    assert news == [], "it shows the cards, so it waits in the delta's stead"
    assert showing.waits
    late = showing.due(REVEAL_AT)
    assert late is not None
    assert [type(item) for item in late] == [RoomChanged]
    assert showing.mirror.table is not None
    assert showing.mirror.table.phase == PLAYING


def test_a_gap_is_seen_behind_what_waits() -> None:
    table, showing = deal(), Showing()
    showing.snapshot(snapshot(table, 0), 0)
    events = seen(happen(table, Reveal()), 0)
    showing.delta(Delta(0, 1, events, 0), 0)
    assert showing.delta(Delta(len(events) + 1, 3, ()), 0) is None
    assert showing.delta(Delta(0, 1, events, 0), 0) == [], "an old one is no gap"


def test_what_waits_is_forgotten_with_its_connection() -> None:
    table, showing = deal(), Showing()
    showing.snapshot(snapshot(table, 0), 0)
    showing.delta(Delta(0, 1, (Revealed(0, ((), ()), ()),), 0), 0)
    showing.forget()
    assert showing.due(REVEAL_AT) == []
    assert showing.revision == 0
