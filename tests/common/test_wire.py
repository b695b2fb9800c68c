"""Bytes: every message comes back as it went, and nothing else than a message ever gets through."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import msgpack
import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.common.random_play import dealt, random_play
from tests.common.random_rules import any_rules

from speed_common import wire
from speed_common.events import Event
from speed_common.presets import make_rules
from speed_common.table import SPECTATOR, evolve
from speed_common.views import hide_event, view_of
from speed_common.wire import (
    MAX_DOWN_BYTES,
    MAX_UP_BYTES,
    NO_PLAYER,
    UNKNOWN,
    Beat,
    BeatBack,
    Board,
    BoardLine,
    BoardMatch,
    BoardNext,
    BoardPage,
    BoardStandings,
    BoardTable,
    Called,
    CallSpeed,
    Delta,
    Direct,
    Directed,
    DrawCard,
    Enter,
    FlipPlease,
    Goodbye,
    Heard,
    Hello,
    Leave,
    Lobby,
    MatchInfo,
    Mine,
    PlayCard,
    Probe,
    ProbeBack,
    Ready,
    Refused,
    Result,
    Resync,
    Room,
    SeatInfo,
    SeatResult,
    Sit,
    Snapshot,
    TableLine,
    TournamentLine,
    Welcome,
    WireError,
    Withdraw,
    decode_down,
    decode_up,
    encode,
)

TICKET = bytes(range(16))

UP: list[wire.Up] = [
    Hello(1, 1, "0.1.0", "anna"),
    Hello(1, 3, "0.1.0", "Zoë 日本", TICKET),
    Sit(TICKET),
    Sit(TICKET, -1, (10,)),
    Sit(TICKET, -1, (1, 5, 10), make_rules("four", call_speed=True)),
    Sit(TICKET, 0, (), None, "A03KX-1K9Z4Q"),
    Ready(TICKET),
    Leave(TICKET),
    PlayCard(TICKET, 7, 51, -1, 40, 123_456_789_012),
    PlayCard(TICKET, 1 << 40, 104, 3, 1 << 40, -(1 << 62), 12),
    PlayCard(TICKET, 7, 51, -1, 40, 5, -1, 6, 1, 6, ((40, 4),)),
    DrawCard(TICKET, 8, 5),
    Beat(TICKET, 1 << 62),
    Beat(TICKET, 1, 2, 3),
    Beat(TICKET, 1, 2, 3, ((40, 1 << 60), (41, 5))),
    ProbeBack(TICKET, 1, 2, 3),
    Resync(TICKET),
    CallSpeed(TICKET, 9, 5),
    FlipPlease(TICKET, 10),
    Enter(TICKET, "club-night"),
    Withdraw(TICKET, "club-night"),
    Heard(TICKET, "club-night", 12),
    Direct(TICKET, "kettle-otter-plum", "c-17", "result M12 25:19 " + "x" * 480, "club-night"),
]


def some_room() -> Room:
    seats = (SeatInfo("anna", wins=2), SeatInfo("", level=3, ready=True, connected=False))
    figures = (SeatResult(20, 0, 3, 1, -120_000), SeatResult(11, 9, 1, 3))
    result = Result(0, 9, False, 81_000_000, figures, bytes(32), match_over=True)
    match = MatchInfo("club-night", 3, "semi-final, M3", (17, 12), 25, "points")
    rules = make_rules("pagat", wrap=False)
    return Room(3, wire.OVER, seats, rules, 4, 1 << 60, bytes(32), 0, result, match=match)


def some_tournament() -> list[wire.Down]:
    table = BoardTable(1, 1, 1, 2, 17, 12, "called", 170)
    line = BoardLine(1, 1, 2, 3, 3, 0, ("7.5", "4"), "WWW", struck=False)
    standings = BoardStandings(0, "A", ("Buchholz", "difference"), (line,))
    match = BoardMatch(3, 0, "W", 2, 1, 1, UNKNOWN, 1, -2, 0, 0, "w", "", NO_PLAYER)
    names, seeds, statuses = ("", "anna", "bob"), (1, 2), ("", "active", "withdrawn")
    following = (BoardNext(2, 1, 2, -1),)
    return [
        Mine("club-night", "Club night", "running", 1, "active", 3, "bob", 2, 240, "your next opponent is bob"),
        Called("club-night", 3, "semi-final, M3", 2, "bob", 180_000_000, 1, here=True),
        Called("club-night", 3, "semi-final, M3", 2, "bob", None, 0),
        Directed("c-17", ok=False, lines=("M3 is not played yet: `status` tells what runs",)),
        Board(
            "club-night", 40, "Club night", "running", "", "single", NO_PLAYER, 1, names, seeds, statuses, (table,),
            following, (standings,), ("pizza at eight",), 25, "points",
        ),
        BoardPage("club-night", 40, 0, (match,)),
        Lobby((), (TournamentLine("club-night", "Club night", "check_in", 13),)),
    ]  # fmt: skip


def some_down() -> list[wire.Down]:
    table = dealt(make_rules(jokers=2, joker_mode="declared", hand_size=3), 5)
    messages: list[wire.Down] = [
        Welcome(1, "0.1.0", "ab12", "anna", TICKET, 1_000_000, resumed=True),
        Goodbye("stopping", "the server stops"),
        Lobby((TableLine(1, wire.PLAYING, ("anna", "bob"), (12, 9)), TableLine(2, wire.WAITING, ("", "")))),
        Lobby(()),
        Refused(9, "beaten", 120_000, 1, 0, 17),
        BeatBack(1, 2, 3),
        BeatBack(1, 2, 3, 10_000),
        Probe(1 << 60, 100_000),
        Snapshot(12, 99, SPECTATOR, some_room()),
        *some_tournament(),
    ]
    for revision, event in enumerate(random_play(table, Random(5))):
        evolve(table, event)
        messages.append(Delta(revision, revision, (hide_event(event, 0),)))
        if revision % 10 == 0:
            messages.append(Snapshot(revision, 1, 0, some_room(), view_of(table, 0)))
    return messages


DOWN = some_down()


@pytest.mark.parametrize("message", UP, ids=repr)
def test_what_goes_up_comes_back_the_same(message: wire.Up) -> None:
    data = encode(message)
    assert len(data) <= MAX_UP_BYTES
    assert decode_up(data) == message


def test_what_goes_down_comes_back_the_same() -> None:
    for message in DOWN:
        data = encode(message)
        assert len(data) <= MAX_DOWN_BYTES
        assert decode_down(data) == message


def test_the_bytes_are_msgpack_of_the_plain_array_and_those_of_a_delta_the_shortest() -> None:
    for message in (*UP, *DOWN):
        plain = msgspec.to_builtins(message, builtin_types=(bytes,))
        assert msgpack.unpackb(encode(message), strict_map_key=True) == msgpack.unpackb(msgpack.packb(plain))
        if isinstance(message, Delta):
            assert encode(message) == msgpack.packb(plain)


def test_every_kind_of_message_is_among_the_examples() -> None:
    assert {type(message) for message in UP} == set(get_args(wire.Up))
    assert {type(message) for message in DOWN} == set(get_args(wire.Down))


@settings(max_examples=20)
@given(any_rules(), st.integers(0, 2**31), st.sampled_from([0, 1, SPECTATOR]))
def test_every_event_of_a_deal_and_every_view_passes_the_wire(rules: Any, number: int, viewer: int) -> None:
    table = dealt(rules, number)
    for revision, event in enumerate(random_play(table, Random(number))):
        evolve(table, event)
        delta = Delta(revision, 0, (hide_event(event, viewer),))
        assert decode_down(encode(delta)) == delta
    view = view_of(table, viewer)
    snapshot = Snapshot(0, 0, viewer, msgspec.structs.replace(some_room(), rules=rules), view)
    assert decode_down(encode(snapshot)) == snapshot


def test_a_played_card_takes_few_bytes() -> None:
    plays = [message for message in DOWN if isinstance(message, Delta) and "Played" in repr(message.events)]
    assert max(len(encode(message)) for message in plays) <= 24


def test_one_sides_messages_are_not_the_others() -> None:
    for up in UP:
        with pytest.raises(WireError):
            decode_down(encode(up))
    for down in DOWN[:20]:
        with pytest.raises(WireError):
            decode_up(encode(down))


def survives(data: bytes) -> None:
    """Both decoders give a message or a `WireError`; a message can be encoded again."""
    for decode in (decode_up, decode_down):
        try:
            message = decode(data)
        except WireError:
            continue
        assert decode(encode(message)) == message


DEEP = bytes([0x91]) * 4_000
WIDE = bytes([0xDC, 0x02, 0x00]) * 1_300
BOMB = bytes([0xDD, 0xFF, 0xFF, 0xFF, 0xFF])


@given(st.binary(max_size=200))
@example(b"")
@example(b"\x90")
@example(DEEP)
@example(WIDE)
@example(BOMB)
@example(b"\xc1")
@example(b"\xd6\xff\x00\x00\x00\x00")
@example(b"\x92\xa1\xff\x01")
@example(b"\x81\x01\x02")
@example(b"\x81\x90\x02")
@example(b"\xc4\x02\x01\x01")
@example(b"\x91\x90")
@example(b"\x91\xc3")
@example(b"\x91\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00")
@example(b"\x05")
@example(b"\xc0")
def test_raw_bytes_are_a_message_or_a_wire_error(data: bytes) -> None:
    survives(data)


@settings(max_examples=300)
@given(st.sampled_from(UP + DOWN[:40]), st.data())
def test_a_message_with_changed_bytes_is_a_message_or_a_wire_error(message: Any, data: st.DataObject) -> None:
    mutated = bytearray(encode(message))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(mutated)))
        kind = data.draw(st.sampled_from(["set", "cut", "insert", "tail"]))
        if kind == "set" and at < len(mutated):
            mutated[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del mutated[at : at + data.draw(st.integers(1, 8))]
        elif kind == "insert":
            mutated[at:at] = data.draw(st.binary(max_size=8))
        else:
            del mutated[at:]
    survives(bytes(mutated))


odd_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 63), (1 << 64) - 1),
    st.floats(),
    st.text(max_size=400),
    st.binary(max_size=64),
    st.lists(st.integers(-5, 300), max_size=120),
    st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=3),
)


@settings(max_examples=400)
@given(st.sampled_from(UP + DOWN[:40]), st.data())
def test_a_message_with_an_odd_value_in_some_place_is_a_message_or_a_wire_error(
    message: Any, data: st.DataObject
) -> None:
    plain = msgpack.unpackb(encode(message))
    heap = plain
    while True:
        at = data.draw(st.integers(0, len(heap) - 1)) if heap else 0
        if not heap or not isinstance(heap[at], list) or data.draw(st.booleans()):
            break
        heap = heap[at]
    heap[at : at + 1] = [data.draw(odd_values)]
    survives(msgpack.packb(plain))


ODD = [True, False, float("nan"), float("inf"), 1.5, (1 << 64) - 1, -(1 << 63), "x" * 301, b"y" * 33]


@pytest.mark.parametrize("message", [*UP, *DOWN[:12]], ids=repr)
@pytest.mark.parametrize("odd", ODD)
def test_no_number_is_a_bool_a_fraction_or_beyond_its_bounds(message: Any, odd: object) -> None:
    """Each integer field of each message, replaced by what msgpack lets through and we do not."""
    plain = msgpack.unpackb(encode(message))
    for at, value in enumerate(plain):
        if type(value) is not int:
            continue
        changed = [*plain[:at], odd, *plain[at + 1 :]]
        for decode in (decode_up, decode_down):
            with pytest.raises(WireError):
                decode(msgpack.packb(changed))


def bounded(kind: Any) -> bool:
    """Whether a msgspec type has bounds wherever a peer could send without end."""
    if isinstance(kind, msgspec.inspect.IntType):
        return kind.ge is not None and kind.le is not None
    if isinstance(kind, (msgspec.inspect.StrType, msgspec.inspect.BytesType)):
        return kind.max_length is not None
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return kind.max_length is not None and bounded(kind.item_type)
    if isinstance(kind, msgspec.inspect.TupleType):
        return all(bounded(one) for one in kind.item_types)
    if isinstance(kind, (msgspec.inspect.StructType, msgspec.inspect.NamedTupleType)):
        return all(bounded(field.type) for field in kind.fields)
    if isinstance(kind, msgspec.inspect.UnionType):
        return all(bounded(one) for one in kind.types)
    return isinstance(kind, (msgspec.inspect.BoolType, msgspec.inspect.NoneType, msgspec.inspect.LiteralType))


@pytest.mark.parametrize("kind", [*get_args(wire.Up), *get_args(wire.Down), *get_args(Event)])
def test_every_field_of_every_message_has_bounds(kind: type) -> None:
    assert bounded(msgspec.inspect.type_info(kind)), kind


class Boundless(msgspec.Struct):
    """The planted fault."""

    count: int


def test_a_field_without_bounds_is_caught() -> None:
    assert not bounded(msgspec.inspect.type_info(Boundless))


@pytest.mark.parametrize(("decode", "limit"), [(decode_up, MAX_UP_BYTES), (decode_down, MAX_DOWN_BYTES)])
def test_more_bytes_than_allowed_are_not_even_unpacked(decode: Any, limit: int) -> None:
    with pytest.raises(WireError, match="more than"):
        decode(bytes(limit + 1))


def test_an_unknown_kind_and_one_too_short_or_too_long_are_wire_errors() -> None:
    for plain in ([99, TICKET], [2], [5, TICKET, 1], [3, b"short"], [3, TICKET + b"x"]):
        with pytest.raises(WireError):
            decode_up(msgpack.packb(plain))


def test_topics_do_not_begin_one_another() -> None:
    topics = [wire.table_topic(number) for number in range(1, 200)] + [wire.LOBBY_TOPIC]
    assert not [(a, b) for a in topics for b in topics if a != b and b.startswith(a)]
