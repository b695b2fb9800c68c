from __future__ import annotations

from itertools import pairwise
from typing import cast

import pytest
from msgspec import structs
from tests.client.lan import DELAY_NS, Guest, Lan, events

from speed_client.json_lines import state_of
from speed_client.news import Denied, Ended, Happened, LinkChanged, News, PlayRefused, RoomChanged, Welcomed
from speed_client.plays import NO_ANSWER_NS
from speed_client.session import Session
from speed_client.wishes import Want
from speed_common.cards import HIDDEN, card_name
from speed_common.events import Beaten, Frozen, Left, Played, Revealed, Won
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import DEALT, OVER, PLAYING
from speed_common.wire import (
    COUNTDOWN,
    NEW_TABLE,
    WAITING,
    Beat,
    BeatBack,
    Delta,
    Goodbye,
    Hello,
    PlayCard,
    Ready,
    Refused,
    Resync,
    Room,
    SeatInfo,
    Sit,
    Snapshot,
    TableLine,
    Up,
    Welcome,
    decode_up,
    encode,
)
from speed_common.wire import OVER as ROOM_OVER
from speed_common.wire import PLAYING as ROOM_PLAYING
from speed_server.settings import MS, SECOND, HubSettings

TICKET = b"t" * 16


def sent(session: Session) -> list[Up]:
    """What the session sent since the last call."""
    messages = [decode_up(data) for data in session.outbox]
    session.outbox.clear()
    return messages


def welcomed(want: Want | None = None, *, beat_us: int = 500_000) -> Session:
    """A session that a server of our own making has welcomed at 0."""
    session = Session("anna", b"", want or Want(), 0)
    session.connected(0)
    session.receive(encode(Welcome(1, "test", "id", "anna", TICKET, beat_us)), 0)
    session.outbox.clear()
    session.news.clear()
    return session


def room_in(phase: int, **changes: object) -> Room:
    return Room(1, phase, (SeatInfo("anna"), SeatInfo("bob")), Rules(), **changes)  # type: ignore[arg-type]


def readies(session: Session) -> int:
    return sum(isinstance(message, Ready) for message in sent(session))


def beats(session: Session, count: int) -> list[int]:
    """When the next heartbeats leave, each of which is answered."""
    times: list[int] = []
    while len(times) < count:
        due = session.next_due()
        assert due is not None
        session.receive(encode(BeatBack(0, 0, 0)), due)
        session.due(due)
        times += [message.c_send for message in sent(session) if isinstance(message, Beat)]
    return times


def link(session: Session) -> str:
    return session.link


def is_idle(guest: Guest) -> bool:
    return guest.session.idle


def room_of(guest: Guest) -> RoomChanged:
    return cast("RoomChanged", guest.told(RoomChanged)[-1])


# --- coming and going -------------------------------------------------------------------------------------------------


def test_a_connection_begins_with_a_hello_that_carries_the_ticket() -> None:
    session = Session("anna", TICKET, Want(), 0)
    session.connected(0)
    (hello,) = sent(session)
    assert isinstance(hello, Hello)
    assert (hello.name, hello.ticket) == ("anna", TICKET)


def test_a_welcome_is_answered_by_sitting_down_and_a_beat() -> None:
    session = Session("anna", b"", Want(NEW_TABLE, computers=(4,)), 0)
    session.connected(0)
    sent(session)
    session.receive(encode(Welcome(1, "test", "id", "anna 2", TICKET, 500_000)), 5)
    assert sent(session) == [Sit(TICKET, NEW_TABLE, (4,), c_send=5), Beat(TICKET, 5)]
    assert session.news == [Welcomed("anna 2", "id", TICKET, resumed=False), LinkChanged("up")]
    assert (session.name, session.ticket, session.link) == ("anna 2", TICKET, "up")


def test_nothing_counts_before_the_welcome() -> None:
    session = Session("anna", b"", Want(), 0)
    session.connected(0)
    session.receive(encode(Refused(0, "full")), 1)
    assert session.ended is None
    assert session.news == []


@pytest.mark.parametrize(
    ("phase", "pace"), [(WAITING, 2_400), (COUNTDOWN, 300), (ROOM_PLAYING, 300), (ROOM_OVER, 2_400)]
)
def test_eight_quick_beats_then_the_servers_pace_in_a_deal_and_a_slow_one_beside_it(phase: int, pace: int) -> None:
    session = welcomed(beat_us=300_000)
    session.receive(encode(Snapshot(0, 0, 0, room_in(phase))), 0)
    sent(session)
    steps = [(later - earlier) // MS for earlier, later in pairwise(beats(session, 11))]
    assert steps == [20] * 6 + [pace] * 4


def test_the_countdown_wakes_the_heart_at_once_and_the_result_calms_it() -> None:
    session = welcomed()
    session.receive(encode(Snapshot(0, 0, 0, room_in(WAITING))), 0)
    now = beats(session, 9)[-1] + SECOND
    session.receive(encode(Snapshot(0, 0, 0, room_in(COUNTDOWN))), now)
    assert beats(session, 3) == [now, now + 500 * MS, now + SECOND]
    session.receive(encode(Snapshot(0, 0, 0, room_in(ROOM_PLAYING))), now + SECOND)
    assert session.next_due() == now + 1_500 * MS, "it beats quickly already"
    session.receive(encode(Snapshot(0, 0, 0, room_in(ROOM_OVER))), now + SECOND)
    assert beats(session, 2) == [now + 1_500 * MS, now + 5_500 * MS]


def test_a_link_that_fell_silent_is_felt_for_quickly() -> None:
    session = welcomed()
    silent = beats(session, 9)[-1] + 5 * SECOND
    while link(session) == "up":
        due = session.next_due()
        assert due is not None
        session.due(due)
    sent(session)
    assert session.next_due() == silent + 500 * MS


def test_a_beat_echoes_the_newest_answer() -> None:
    session = welcomed()
    session.receive(encode(BeatBack(0, 7_000, 8_000)), 3_000)
    session.due(20 * MS)
    (beat,) = sent(session)
    assert beat == Beat(TICKET, 20 * MS, 8_000, 3_000)
    assert session.rtt_ns == 2_000


def test_the_servers_clock_is_known_within_the_links_delay() -> None:
    lan = Lan()
    anna = lan.guest("anna", ahead_ns=777 * SECOND)
    lan.run(SECOND)
    known = anna.session.server_now(anna.clock)
    assert known is not None
    assert abs(known - lan.now) <= anna.delay_ns
    assert anna.session.rtt_ns == 2 * anna.delay_ns


@pytest.mark.parametrize(
    ("phase", "silence"), [(ROOM_PLAYING, 1_500 * MS), (COUNTDOWN, 1_500 * MS), (WAITING, 5 * SECOND)]
)
def test_a_beat_and_a_second_of_silence_are_a_lost_link_and_any_message_heals_it(phase: int, silence: int) -> None:
    session = welcomed()
    session.receive(encode(Snapshot(0, 0, 0, room_in(phase))), 0)
    session.news.clear()
    session.due(silence - 1)
    assert link(session) == "up"
    session.due(silence)
    assert link(session) == "lost"
    session.receive(encode(BeatBack(0, 0, 0)), silence + 1)
    assert link(session) == "up"
    assert session.news == [LinkChanged("lost"), LinkChanged("up")]


def test_a_name_that_is_taken_comes_back_with_a_number() -> None:
    lan = Lan()
    lan.guest("anna")
    assert lan.guest("anna").session.name == "anna 2"


def test_a_goodbye_ends_the_session_and_silences_it() -> None:
    session = welcomed()
    session.receive(encode(Goodbye("stopping", "the server has stopped")), 1)
    assert session.ended == Ended("stopping", "the server has stopped")
    assert session.news == [session.ended]
    assert session.next_due() is None
    session.connected(2)
    session.due(3)
    assert sent(session) == []


def test_a_table_that_is_full_ends_the_session_with_a_remedy() -> None:
    lan = Lan()
    lan.pair()
    third = lan.guest("cho", want=Want(table=1))
    assert third.session.ended is not None
    assert third.session.ended.word == "table_full"
    assert "--watch" in third.session.ended.text


def test_a_table_that_does_not_exist_ends_the_session() -> None:
    third = Lan().guest("cho", want=Want(table=99))
    assert third.session.ended is not None
    assert third.session.ended.word == "no_such_table"


def test_other_refusals_without_a_number_are_news() -> None:
    session = welcomed()
    session.receive(encode(Refused(0, "not_seated")), 1)
    session.receive(encode(Refused(0, "seated")), 1)
    assert session.news == [Denied("not_seated")]


def test_leaving_gives_the_seat_up_and_ends() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    anna.session.leave(anna.clock)
    lan.settle()
    lan.run(100 * MS)
    assert anna.session.ended == Ended("left", "you left the table")
    won = cast("Won", events(bob, Won)[0])
    assert won.forfeit
    assert won.seat == bob.session.mirror.seat


def test_bytes_that_are_no_message_change_nothing() -> None:
    session = welcomed()
    for data in (b"", b"\xc1", b"\x93\x01\x02\x03", b"x" * 70_000):
        session.receive(data, 1)
    assert session.news == []
    assert session.ended is None


# --- a whole deal -----------------------------------------------------------------------------------------------------


def test_two_sessions_play_a_whole_deal_and_both_mirrors_agree_with_the_spectators() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    watching = lan.watcher()
    anna.ready()
    bob.ready()
    lan.run(lan.settings.countdown_ns + 50 * MS)
    lan.play_out(anna, bob)
    tables = [anna.session.mirror.table, bob.session.mirror.table, watching.tables[1].table]
    assert all(table is not None and table.phase == OVER for table in tables)
    assert len({(t.winner, t.score, tuple(t.tops), tuple(map(len, t.draws))) for t in tables if t is not None}) == 1
    assert len({anna.session.mirror.revision, bob.session.mirror.revision, watching.tables[1].revision}) == 1
    room = anna.session.mirror.room
    assert room is not None
    assert room.phase == ROOM_OVER
    assert room.result is not None


def test_everybody_sees_the_cards_turn_at_the_same_instant_whatever_their_clocks_and_links() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    bob.delay_ns = 30 * MS
    anna.ready()
    bob.ready()
    shown: dict[str, int] = {}
    for _ in range(2_000):
        lan.run(MS)
        for guest in (anna, bob):
            if events(guest, Revealed):
                shown.setdefault(guest.session.name, lan.now)
    room = anna.session.mirror.room
    assert room is not None
    assert abs(shown["anna"] - room.reveal_at_ns) <= 3 * MS
    assert abs(shown["bob"] - room.reveal_at_ns) <= 3 * MS


def test_before_the_reveal_no_card_is_seen_though_it_has_come() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    anna.ready()
    bob.ready()
    lan.run(900 * MS)
    assert lan.hub.next_due() is not None
    table = anna.session.mirror.table
    assert table is not None
    assert table.phase == DEALT
    assert set(anna.hand) == {HIDDEN}
    assert not anna.play(0)
    assert anna.session.why_not(0) == "not_started"
    lan.run(200 * MS)
    assert table.phase == PLAYING
    assert room_of(anna).room.phase == COUNTDOWN, "the server sends no snapshot at the reveal .."
    room = anna.session.mirror.room
    assert room is not None
    assert room.phase == ROOM_PLAYING, ".. so the mirror follows by the event"


def test_a_snapshot_that_shows_the_cards_early_waits_too() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    anna.ready()
    bob.ready()
    lan.run(850 * MS)
    bob.ready()  # a vote to skip, too late to skip anything: everybody gets a snapshot
    lan.run(50 * MS)
    assert set(anna.hand) == {HIDDEN}
    lan.run(150 * MS)
    assert HIDDEN not in anna.hand


def test_a_play_leaves_the_hand_at_once_and_is_settled_by_its_event() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    table = anna.session.mirror.table
    assert table is not None
    slot = next(s for s, card in enumerate(anna.hand) if table.fits_on(card))
    card = anna.hand[slot]
    before_ns = anna.session.settled_ns
    assert anna.play(slot)
    assert anna.session.pending[slot].card == card
    assert anna.session.pending[slot].pile in table.fits_on(card)
    assert anna.session.why_not(slot) == "pending"
    assert not anna.play(slot)
    lan.run(20 * MS)
    assert anna.session.pending == {}
    played = cast("Played", events(anna, Played)[-1])
    assert (played.card, played.slot) == (card, slot)
    assert before_ns is None
    assert anna.session.settled_ns is not None
    assert 2 * DELAY_NS <= anna.session.settled_ns <= 20 * MS, "from the press until all see it"


def test_a_play_tells_the_press_the_revision_and_the_pile_that_was_asked_for() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    session = anna.session
    session.play(2, 1, anna.clock, anna.clock - 777)
    message = sent(session)[-1]
    assert isinstance(message, PlayCard)
    assert (message.seq, message.card, message.pile, message.aimed) == (1, anna.hand[2], 1, 1)
    assert (message.revision, message.c_press, message.c_send) == (
        session.mirror.revision, anna.clock - 777, anna.clock,
    )  # fmt: skip
    assert [revision for revision, _ in message.shown] == [session.mirror.revision], "and when that was shown"
    session.play(3, -1, anna.clock, anna.clock)
    message = sent(session)[-1]
    assert isinstance(message, PlayCard)
    assert (message.seq, message.pile) == (2, -1), "the server chooses the automatic pile; ours is but a guess"


def test_a_refused_card_comes_back() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    table = anna.session.mirror.table
    assert table is not None
    slot = next(s for s, card in enumerate(anna.hand) if not table.fits_on(card))
    anna.play(slot)
    lan.run(20 * MS)
    (refused,) = cast("list[PlayRefused]", anna.told(PlayRefused))
    assert (refused.refused.word, refused.slot, refused.card) == ("illegal", slot, anna.hand[slot])
    assert anna.session.pending == {}


def test_the_later_of_two_presses_is_told_by_how_much_it_was_beaten() -> None:
    for seed in range(1, 200):
        lan = Lan(seed)
        anna, bob = lan.dealt_pair()
        table, other = anna.session.mirror.table, bob.session.mirror.table
        assert table is not None
        assert other is not None
        first = next((s for s, c in enumerate(anna.hand) if table.fits_on(c) == [0]), None)
        second = next((s for s, c in enumerate(bob.hand) if other.fits_on(c) == [0]), None)
        if first is None or second is None or other.landing(anna.hand[first]) >> bob.hand[second] & 1:
            continue
        anna.play(first, 0)
        lan.run(3 * MS)
        bob.play(second, 0)
        lan.run(50 * MS)
        (refused,) = cast("list[PlayRefused]", bob.told(PlayRefused))
        assert refused.refused.word == "beaten"
        assert 1_000 <= refused.refused.late_us <= 5_000
        assert refused.refused.by == anna.session.mirror.seat
        assert len(events(anna, Beaten)) == len(events(bob, Beaten)) == 1
        return
    pytest.fail("no deal of 200 lets both want the left pile only")


def test_the_guess_of_a_second_card_counts_the_first_as_laid() -> None:
    for seed in range(1, 300):
        lan = Lan(seed)
        anna, _ = lan.dealt_pair()
        table = anna.session.mirror.table
        assert table is not None
        for first, card in enumerate(anna.hand):
            piles = table.fits_on(card)
            if len(piles) != 1:
                continue
            chained = [s for s, c in enumerate(anna.hand) if not table.fits_on(c) and table.landing(card) >> c & 1]
            if chained:
                anna.play(first)
                anna.play(chained[0])
                assert anna.session.pending[chained[0]].pile == piles[0]
                third = next(s for s in range(5) if s not in {first, chained[0]})
                assert not anna.play(third), "at most two are on their way"
                lan.run(300 * MS)
                assert len(events(anna, Played)) == 2
                return
    pytest.fail("no hand of 300 has a chain")


def test_a_play_that_nobody_answers_is_given_up() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    anna.session.play(0, -1, anna.clock, anna.clock)
    anna.session.outbox.clear()
    lan.run(NO_ANSWER_NS + MS)
    assert anna.session.pending == {}
    assert cast("PlayRefused", anna.told(PlayRefused)[-1]).refused.word == "no_answer"


def test_a_missed_delta_is_healed_by_a_snapshot() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    bob.stalled = True
    while not anna.play_best():
        lan.run(100 * MS)
    lan.run(100 * MS)
    bob.stalled = False
    missed = anna.session.mirror.revision
    assert bob.session.mirror.revision < missed
    for _ in range(300):
        if anna.session.mirror.revision > missed:
            break
        anna.play_best()
        lan.run(50 * MS)
    lan.run(50 * MS)
    assert bob.session.mirror.revision == anna.session.mirror.revision
    assert anna.session.mirror.table is not None
    assert bob.session.mirror.table is not None
    assert bob.session.mirror.table.tops == anna.session.mirror.table.tops


def test_a_gap_is_asked_about_once_a_second_until_the_snapshot() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    session = anna.session
    revision = session.mirror.revision
    gap = encode(Delta(revision + 9, 1, (Beaten(0, 0, 0, 1, 5),)))
    session.receive(gap, anna.clock)
    session.receive(gap, anna.clock)
    assert sum(isinstance(m, Resync) for m in sent(session)) == 1
    session.due(anna.clock + SECOND)
    assert sum(isinstance(m, Resync) for m in sent(session)) == 1


def test_an_old_delta_is_ignored() -> None:
    anna, _ = Lan().dealt_pair()
    session = anna.session
    session.news.clear()
    session.receive(encode(Delta(session.mirror.revision - 1, 1, (Beaten(0, 0, 0, 1, 5),))), anna.clock)
    assert session.news == []
    assert not any(isinstance(message, Resync) for message in sent(session))


# --- links that fall --------------------------------------------------------------------------------------------------


def test_presses_while_the_link_is_lost_are_dropped() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    anna.cut()
    assert anna.session.link == "lost"
    assert not anna.play(0)
    assert not anna.session.ready(anna.clock)
    assert anna.session.outbox == []
    assert anna.session.why_not(0) == "no_link"


def test_a_player_who_comes_back_has_seat_and_hand_again() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    anna.play_best()
    lan.run(200 * MS)
    hand, seat = list(anna.hand), anna.session.mirror.seat
    anna.cut()
    lan.run(3 * SECOND)
    paused = bob.session.mirror.room
    assert paused is not None
    assert paused.paused_until_ns > lan.now
    assert not paused.seats[seat].connected
    anna.connect()
    lan.run(500 * MS)
    assert cast("Welcomed", anna.told(Welcomed)[-1]).resumed
    assert (anna.hand, anna.session.mirror.seat) == (hand, seat)
    room = bob.session.mirror.room
    assert room is not None
    assert room.paused_until_ns == 0
    lan.play_out(anna, bob)


def test_a_client_killed_and_started_again_is_back_by_its_ticket() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    hand, ticket = list(anna.hand), anna.session.ticket
    lan.guests.remove(anna)
    lan.run(4 * SECOND)
    again = lan.guest("anna", ahead_ns=-9 * SECOND, ticket=ticket)
    lan.run(500 * MS)
    assert cast("Welcomed", again.told(Welcomed)[-1]).resumed
    assert again.hand == hand
    assert again.session.ended is None, "the second chair that it asked for is refused as `seated`, which is no news"
    lan.play_out(again, bob)


def test_the_old_window_is_told_when_the_ticket_comes_from_another() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    second = lan.guest("anna", ticket=anna.session.ticket)
    lan.run(50 * MS)
    assert anna.session.ended is not None
    assert anna.session.ended.word == "taken_over"
    assert second.hand == anna.hand


def test_a_wrong_ticket_disturbs_nobody() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    stranger = lan.guest("eve", ticket=b"w" * 16)
    lan.run(500 * MS)
    assert not cast("Welcomed", stranger.told(Welcomed)[-1]).resumed
    assert anna.session.ended is None
    lan.play_out(anna, bob)


def test_after_a_restart_of_the_server_both_meet_again_at_a_table() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    lan.restart_server()
    lan.run(2 * SECOND)
    anna.connect()
    bob.connect()
    lan.run(500 * MS)
    rooms = [guest.session.mirror.room for guest in (anna, bob)]
    assert all(room is not None and room.phase == WAITING for room in rooms)
    assert len({room.table for room in rooms if room is not None}) == 1
    anna.ready()
    bob.ready()
    lan.run(lan.settings.countdown_ns + 50 * MS)
    lan.play_out(anna, bob)


def test_a_server_that_forgot_us_is_greeted_anew_without_the_ticket() -> None:
    session = welcomed()
    session.receive(encode(Goodbye("unknown_ticket", "join again")), 1)
    session.receive(encode(Goodbye("unknown_ticket", "join again")), 1)
    (hello,) = sent(session)
    assert isinstance(hello, Hello)
    assert hello.ticket == b""
    assert session.ended is None


def test_a_link_that_only_stalls_goes_on_where_it_was() -> None:
    lan = Lan(settings=HubSettings(countdown_ns=SECOND, silence_ns=60 * SECOND))
    anna, bob = lan.dealt_pair()
    anna.stalled = True
    lan.run(2 * SECOND)
    assert link(anna.session) == "lost"
    anna.stalled = False
    lan.run(SECOND)
    assert link(anna.session) == "up"
    lan.play_out(anna, bob)


# --- ready ------------------------------------------------------------------------------------------------------------


def test_with_ready_wanted_a_deal_against_a_computer_starts_by_itself() -> None:
    lan = Lan()
    anna = lan.guest("anna", want=Want(computers=(7,), ready=True))
    lan.run(lan.settings.countdown_ns + 100 * MS)
    assert events(anna, Revealed)


def test_ready_is_said_once_since_every_saying_is_answered_by_a_snapshot() -> None:
    lan = Lan()
    anna, _ = lan.pair()
    anna.ready()
    lan.run(50 * MS)
    assert anna.session.ready(anna.clock)
    assert anna.session.outbox == []


@pytest.mark.parametrize("phase", [WAITING, COUNTDOWN, ROOM_OVER])
def test_ready_is_said_once_for_each_moment_however_many_snapshots_repeat_it(phase: int) -> None:
    session = welcomed()
    for _ in range(3):
        session.receive(encode(Snapshot(0, 0, 0, room_in(phase))), 1)
        assert session.ready(1)
    assert readies(session) == 1
    session.receive(encode(Snapshot(0, 0, 0, room_in(phase, deal=9))), 2)
    session.ready(2)
    assert readies(session) == 1, "another deal is another question"


def test_a_ready_by_itself_is_said_once_too_and_anew_to_who_takes_the_others_place() -> None:
    session = welcomed(Want(ready=True))
    room = room_in(WAITING)
    for _ in range(3):
        session.receive(encode(Snapshot(0, 0, 0, room)), 1)
    assert readies(session) == 1
    session.receive(encode(Snapshot(0, 0, 0, structs.replace(room, seats=(SeatInfo("anna"), SeatInfo("cho"))))), 2)
    assert readies(session) == 1


def test_ready_is_said_anew_after_the_server_took_it_back_and_on_a_new_connection() -> None:
    session = welcomed()
    waiting = encode(Snapshot(0, 0, 0, room_in(WAITING)))
    session.receive(waiting, 1)
    session.ready(1)
    ready = structs.replace(room_in(WAITING), seats=(SeatInfo("anna", ready=True), SeatInfo("bob")))
    session.receive(encode(Snapshot(0, 0, 0, ready)), 2)
    session.ready(2)
    assert readies(session) == 1
    session.receive(waiting, 3)
    session.ready(3)
    assert readies(session) == 1
    session.connected(4)
    session.receive(encode(Welcome(1, "test", "id", "anna", TICKET, 500_000, resumed=True)), 4)
    session.receive(waiting, 5)
    session.ready(5)
    assert readies(session) == 1


def test_a_session_is_idle_while_it_sits_and_asks_for_nothing() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    assert is_idle(anna)
    anna.session.ready(anna.clock)
    assert not is_idle(anna), "the ready is on its way"
    lan.settle()
    lan.run(50 * MS)
    assert not is_idle(anna)
    bob.ready()
    lan.run(lan.settings.countdown_ns + 50 * MS)
    assert not is_idle(anna)
    lan.play_out(anna, bob)
    assert is_idle(anna)


def test_a_rematch_is_asked_for_by_ready() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    lan.play_out(anna, bob)
    anna.ready()
    bob.ready()
    lan.run(lan.settings.countdown_ns + 50 * MS)
    room = anna.session.mirror.room
    assert room is not None
    assert room.deal == 2
    lan.play_out(anna, bob)


def test_every_happening_is_told_with_its_server_time() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    lan.play_out(anna, bob)
    happened = cast("list[Happened]", anna.told(Happened))
    room = anna.session.mirror.room
    assert room is not None
    assert all(item.at_ns == room.reveal_at_ns + item.event.at * 1_000 for item in happened)
    assert [item.at_ns for item in happened] == sorted(item.at_ns for item in happened)


def test_the_lobby_is_told() -> None:
    lan = Lan()
    anna = lan.guest("anna")
    cho = lan.guest("cho", want=Want(NEW_TABLE))
    lan.run(SECOND)
    assert anna.session.lobby == ()
    assert cho.session.lobby == (TableLine(1, WAITING, ("anna", ""), rules="us"),)


def test_the_kinds_of_news_are_all_hashable_values() -> None:
    news: list[News] = [Denied("x"), Ended("a", "b"), LinkChanged("up")]
    assert len(set(news)) == 3


# --- three and four, and the rules of the house ----------------------------------------------------------------------

HOUSE = {
    "three": make_rules(players=3, call_speed=True),
    "three piles": make_rules(players=3, piles=3, out=2, flip_trigger="all_ready"),
    "four": make_rules("four", match_target=125),
    "by hand": make_rules(refill="manual", call_speed=True, flip_trigger="all_ready"),
    "jokers": make_rules(jokers=4, joker_mode="declared", best_of=3),
}


@pytest.mark.parametrize("name", HOUSE)
def test_every_kind_of_table_is_played_to_its_end_and_all_see_the_same(name: str) -> None:
    lan = Lan()
    watching = lan.watcher()
    guests = lan.dealt(HOUSE[name])
    lan.play_out(*guests)
    lan.run(100 * MS)
    results = {str(room_of(guest).room.result) for guest in guests}
    assert len(results) == 1
    assert room_of(guests[0]).room.rules == HOUSE[name]
    (seen,) = watching.tables.values()
    states = [{**(state_of(mirror) or {}), "hand": None} for mirror in (seen, *(g.session.mirror for g in guests))]
    assert all(state == states[0] for state in states)
    assert all(guest.session.mirror.whole for guest in guests)


def test_who_leaves_a_deal_of_three_leaves_it_to_the_others() -> None:
    lan = Lan()
    anna, bob, cho = lan.dealt(HOUSE["three"])
    cho.session.leave(cho.clock)
    lan.settle()
    lan.run(50 * MS)
    assert len(events(anna, Left)) == 1
    table = anna.session.mirror.table
    assert table is not None
    assert table.gone == [False, False, True]
    lan.play_out(anna, bob)


def test_a_call_that_is_false_is_refused_plays_for_a_while() -> None:
    lan = Lan()
    anna, *_ = lan.dealt(HOUSE["three"])
    assert anna.session.call(anna.clock, anna.clock)
    lan.settle()
    lan.run(50 * MS)
    assert len(events(anna, Frozen)) == 1
    anna.play(0)
    lan.run(200 * MS)
    (refused,) = anna.told(PlayRefused)
    assert cast("PlayRefused", refused).refused.word == "frozen"


def test_a_refusal_says_what_had_been_asked() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    asked = []
    for ask in (anna.session.call, anna.session.draw):
        assert ask(anna.clock, anna.clock)
        lan.settle()
    assert anna.session.flip(anna.clock)
    lan.settle()
    lan.run(50 * MS)
    asked = [
        (cast("PlayRefused", item).asked, cast("PlayRefused", item).refused.word) for item in anna.told(PlayRefused)
    ]
    assert sorted(asked) == [("call", "illegal"), ("draw", "illegal"), ("flip", "not_due")]


def test_without_a_link_nothing_is_called_or_asked_for() -> None:
    session = welcomed()
    assert not session.call(0, 0)
    assert not session.flip(0)
    assert sent(session) == []


def test_a_seat_is_asked_for_with_all_that_is_wanted() -> None:
    session = Session("anna", b"", Want(NEW_TABLE, (3, 5), rules=HOUSE["three"], code="A03KX-1K9Z4Q"), 0)
    session.connected(0)
    sent(session)
    session.receive(encode(Welcome(1, "test", "id", "anna", TICKET, 500_000)), 0)
    assert sent(session)[0] == Sit(TICKET, NEW_TABLE, (3, 5), HOUSE["three"], "A03KX-1K9Z4Q")


def test_rules_and_codes_that_the_server_refuses_end_with_its_sentence() -> None:
    for word, text, said in (
        ("bad_rules", "three players need two decks", "three players need two decks"),
        ("bad_code", "", "the server plays no deal by this code"),
        ("table_full", "line\x1b[31m", "line?[31m"),
    ):
        session = welcomed()
        session.receive(encode(Refused(0, word, text=text)), 0)
        assert session.ended == Ended(word, said)


def test_a_code_lays_its_table_and_says_so() -> None:
    lan = Lan()
    anna = lan.guest("anna", want=Want(code="A03KX-1K9Z4Q", ready=True))
    lan.run(SECOND + 300 * MS)
    room = room_of(anna).room
    assert room.code == "A03KX-1K9Z4Q"
    assert [info.level for info in room.seats] == [0, 3]
    assert [card_name(card) for card in anna.hand] == ["3H", "7S", "5D", "KS", "KD"]


def test_a_server_that_never_knows_us_is_not_greeted_at_the_pace_of_the_link() -> None:
    session, hellos = welcomed(), 0
    for at in range(100):
        session.receive(encode(Goodbye("unknown_ticket", "join again")), at * MS)
        hellos += sum(isinstance(message, Hello) for message in sent(session))
        session.receive(encode(Welcome(1, "test", "id", "anna", TICKET, 500_000)), at * MS)
    assert hellos == 1
