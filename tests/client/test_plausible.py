from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.client.anything import anything
from tests.client.lan import Lan

from speed_client.compose import from_mirror, from_session
from speed_client.jsonl import JsonPlayer, JsonWatcher
from speed_client.mirror import Mirror
from speed_client.painters.sizes import paint_table
from speed_client.painters.tiles import WatchModel, paint_watch
from speed_client.plain import PlainPlayer
from speed_client.plain_watch import PlainWatcher
from speed_client.plausible import can_be, can_happen
from speed_client.session import Session
from speed_client.story import Story
from speed_client.style import Look
from speed_client.wake import Answers
from speed_client.watching import Watching
from speed_client.wishes import Want
from speed_common.events import (
    Beaten,
    Drew,
    Dropped,
    Emptied,
    Event,
    FlipAsked,
    Flipped,
    Frozen,
    Left,
    Lifted,
    Played,
    Reshuffled,
    Revealed,
    Stuck,
    Took,
    Tucked,
    Won,
)
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import SPECTATOR, Table, evolve
from speed_common.views import View, table_of
from speed_common.wire import (
    PLAYING,
    Delta,
    Down,
    Lobby,
    Refused,
    Resync,
    Room,
    SeatInfo,
    Snapshot,
    Welcome,
    decode_up,
    encode,
    table_topic,
)
from speed_server.settings import MS, SECOND

TICKET = b"t" * 16
HANDS = ((1, 2, 3, 4, 5), (-2, -2, -2, -2, -2))
MANY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

EVENTS = anything(Event)
RULES = st.sampled_from(
    [
        Rules(),
        make_rules("pagat"),
        make_rules("us", jokers=4),
        make_rules("us", refill="manual"),
        make_rules("us", jokers=2, joker_mode="declared", flip_trigger="all_ready"),
        make_rules("us", players=3, call_speed=True),
        make_rules("us", players=3, piles=3, out=2, flip_trigger="all_ready"),
        make_rules("four", call_speed=True, false_call="cards"),
    ]
)


def a_view(rules: Rules, draws: int = 2, sides: int = 1) -> View:
    players, piles = rules.players, rules.piles
    hands = (tuple(range(rules.hand_size)), *[(-2,) * rules.hand_size] * (players - 1))
    tops = tuple(range(20, 20 + piles))
    return View(1, hands, (draws,) * players, tops, (1,) * piles, (sides,) * piles, (-1,) * players, (0,) * players)


def a_table(draws: int = 2, sides: int = 1) -> Table:
    return table_of(Rules(), a_view(Rules(), draws, sides), 0)


def a_snapshot(rules: Rules, seat: int = 0, revision: int = 7) -> Snapshot:
    room = Room(1, PLAYING, tuple(map(SeatInfo, ("anna", "bob", "cho", "dev")[: rules.players])), rules, 1, 1)
    return Snapshot(revision, 1, seat, room, a_view(rules))


def shape(table: Table) -> tuple[Any, ...]:
    return (
        [len(hand) for hand in table.hands],
        *(len(one) for one in (table.held, table.draws, table.tops, table.under, table.sides, table.named)),
        *(len(one) for one in (table.reach, table.lifted, table.beaten, table.last_play)),
        *(len(one) for one in (table.gone, table.asked, table.frozen)),
    )


@pytest.mark.parametrize(
    "event",
    [
        Revealed(0, HANDS, (20,)),
        Revealed(0, HANDS[:1], (20, 21)),
        Revealed(0, ((1,), (2,)), (20, 21)),
        Revealed(0, HANDS, (20, -2)),
        Played(0, 2, 0, 1, 0, -1),
        Played(0, 0, 5, 1, 0, -1),
        Played(0, 0, 0, 1, 2, -1),
        Played(0, 0, 0, -2, 0, -1),
        Drew(0, 0, 7, 1),
        Flipped(0, (1,)),
        Flipped(0, (1, -2)),
        Reshuffled(0, ((-2,),), 0),
        Tucked(0, HANDS, ((),)),
        Tucked(0, ((), ()), ((), ())),
        Won(0, 3, 4),
        Lifted(0, 0, 6),
        Dropped(0, 2, 0),
        Beaten(0, 0, 0, 3, 5),
        Beaten(0, 0, 2, 1, 5),
        Emptied(0, 2, 5),
        Frozen(0, 3, 5),
        FlipAsked(0, 2),
        Took(0, 2, 0, (-2,) * 5, (), 0),
        Took(0, 0, 2, (-2,) * 5, (), 0),
        Took(0, 0, 0, (-2,) * 4, (), 0),
        Took(0, 0, 0, (-2,) * 5, (), 0, 2),
        Left(0, 2, ((), ()), 0),
        Left(0, 1, ((),), 0),
    ],
)
def test_what_the_table_has_no_place_for_cannot_happen(event: Event) -> None:
    assert not can_happen(a_table(), event)


def test_a_card_cannot_come_from_an_empty_pile() -> None:
    bare = a_table(draws=0, sides=0)
    assert not can_happen(bare, Played(0, 0, 0, 1, 0, refill=3))
    assert not can_happen(bare, Drew(0, 0, 0, 1))
    assert not can_happen(bare, Flipped(0, (1, -1)))
    assert can_happen(bare, Played(0, 0, 0, 1, 0, refill=-1))
    assert can_happen(bare, Flipped(0, (-1, -1)))


@MANY
@given(RULES, st.lists(EVENTS, max_size=8))
def test_what_can_happen_is_applied_and_keeps_the_tables_shape(rules: Rules, events: list[Event]) -> None:
    table = table_of(rules, a_view(rules), 0)
    before = shape(table)
    for event in events:
        if can_happen(table, event):
            evolve(table, event)
            assert shape(table) == before


def test_what_the_real_server_says_always_can_be() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    lan.watcher()
    lan.play_out(anna, bob)
    assert anna.session.mirror.whole
    assert bob.session.mirror.whole


@pytest.mark.parametrize(
    "changes",
    [{"seats": ()}, {"seats": (SeatInfo("anna"),)}, {"seats": (SeatInfo("a"), SeatInfo("b"), SeatInfo("c"))}],
)
def test_a_room_of_other_seats_than_its_rules_say_cannot_be(changes: dict[str, Any]) -> None:
    snapshot = a_snapshot(Rules())
    assert can_be(snapshot)
    assert not can_be(structs.replace(snapshot, room=structs.replace(snapshot.room, **changes)))
    assert not can_be(structs.replace(snapshot, seat=2))
    with pytest.raises(ValueError, match="seats"):
        Mirror().apply_snapshot(structs.replace(snapshot, room=structs.replace(snapshot.room, **changes)))


# --- through the whole client -----------------------------------------------------------------------------------------


def welcomed() -> Session:
    session = Session("anna", b"", Want(ready=True), 0)
    session.connected(0)
    session.receive(encode(Welcome(1, "test", "id", "anna", TICKET, 500_000)), 0)
    session.outbox.clear()
    return session


def resyncs(session: Session) -> int:
    found = sum(isinstance(decode_up(data), Resync) for data in session.outbox)
    session.outbox.clear()
    return found


def test_an_event_that_cannot_be_is_a_gap_and_nothing_is_believed_until_the_snapshot() -> None:
    session = welcomed()
    session.receive(encode(a_snapshot(Rules())), 1)
    good, bad = Stuck(5, 1_000_000), Played(5, 0, 9, 1, 0, -1)
    session.news.clear()
    session.receive(encode(Delta(7, 1, (good, bad))), 2)
    assert resyncs(session) == 1
    session.receive(encode(Delta(7, 2, (good,))), 3)
    session.receive(encode(Delta(8, 3, (good,))), 4)
    assert session.news == []
    assert resyncs(session) == 0, "asked once"
    session.due(2 + SECOND)
    assert resyncs(session) == 1, ".. and again when nothing came"
    session.receive(encode(a_snapshot(Rules(), revision=9)), 5)
    table = session.mirror.table
    assert table is not None
    assert table == table_of(Rules(), a_view(Rules()), 0), "nothing half done is left"
    session.receive(encode(Delta(9, 4, (good,))), 6)
    assert session.mirror.revision == 10


def test_a_reveal_that_cannot_be_is_found_at_its_instant_and_is_a_gap_too() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    anna.ready()
    bob.ready()
    lan.run(700 * MS)
    session = anna.session
    session.receive(encode(Delta(session.mirror.revision, 1, (Revealed(0, (), ()),), 0)), anna.clock)
    session.outbox.clear()
    lan.run(400 * MS)
    assert -2 not in anna.hand, "healed by the snapshot that was asked for"


MESSAGES = st.one_of(
    anything(Snapshot),
    anything(Refused),
    anything(Lobby),
    st.builds(Delta, st.integers(0, 12), st.just(1), st.lists(EVENTS, max_size=4).map(tuple)),
    st.builds(a_snapshot, RULES, st.sampled_from([0, 1, 2, SPECTATOR]), st.just(7)),
    st.lists(EVENTS, min_size=1, max_size=1).map(lambda events: Delta(7, 1, tuple(events))),
)


@MANY
@given(st.lists(MESSAGES, max_size=8))
def test_whatever_a_server_says_the_player_sees_a_picture_and_lines(messages: list[Down]) -> None:
    session, story = welcomed(), Story()
    faces = PlainPlayer(session), JsonPlayer(session)
    for now, message in enumerate(messages):
        session.receive(encode(message), now)
        session.play(0, -1, now, now)
        session.due(now)
        news = list(session.news)
        for face in faces:
            session.news[:] = news
            list(face.changed(now))
        story.take(news, now)
        model, _ = from_session(session, story, Answers(), now)
        paint_table(model, 120, 40, Look())
        paint_table(model, 80, 24, Look())
        paint_table(model, 50, 14, Look())
        session.news.clear()


@MANY
@given(st.lists(MESSAGES, max_size=8))
def test_whatever_a_server_publishes_the_spectator_sees_a_picture_and_lines(messages: list[Down]) -> None:
    watching, story = Watching(0, 0), Story()
    watching.connected(0)
    faces = PlainWatcher(watching), JsonWatcher(watching)
    for now, message in enumerate(messages):
        topic = table_topic(message.room.table) if isinstance(message, Snapshot) else table_topic(1)
        watching.receive(topic, encode(message), now)
        watching.due(now)
        news = list(watching.news)
        for face in faces:
            watching.news[:] = news
            list(face.changed(now))
        watching.news.clear()
        story.take(news, now)
        for mirror in watching.tables.values():
            model = from_mirror(mirror, story, now, now)[0]
            paint_table(model, 80, 24, Look())
            paint_watch(WatchModel((model,), model.table), 80, 24, Look())
            paint_watch(WatchModel((model,), model.table), 40, 12, Look())
