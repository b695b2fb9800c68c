from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest
from tests.common.recording import recorded

from speed_common import record
from speed_common.cards import CARD_KINDS, HIDDEN
from speed_common.deck import CodeStream, SecretStream
from speed_common.events import (
    AUTO_PILE,
    AskFlip,
    Call,
    Draw,
    Event,
    FlipAsked,
    Flipped,
    Lift,
    Play,
    Played,
    Refusal,
    Request,
    Reveal,
    Won,
)
from speed_common.presets import make_rules
from speed_common.record import Entry
from speed_common.record_words import (
    CARD_FIELDS,
    event_words,
    parse_request,
    reason_words,
    request_words,
)

US = make_rules()
FOUR = make_rules("four")


def test_every_line_ends_in_the_hash_of_itself_and_of_the_line_before() -> None:
    chain = ""
    for line in recorded(US, 1).data.splitlines():
        text, digits = line[:-27] + b"}", line[-18:-2]
        assert line == text[:-1] + b',"hash":"' + digits + b'"}'
        chain = hashlib.sha256(chain.encode() + text).hexdigest()[:16]
        assert digits.decode() == chain


def test_the_first_line_has_all_rules_and_how_the_cards_came() -> None:
    seed = bytes(range(32))
    first = json.loads(recorded(US, 1, SecretStream(seed)).data.splitlines()[0])
    assert list(first["rules"]) == list(US.__struct_fields__)
    assert first["cards"] == {
        "from": "secret",
        "seed": seed.hex(),
        "commitment": hashlib.sha256(seed).hexdigest(),
    }
    assert (first["format"], first["table"], first["deal"]) == (1, 3, 7)
    assert first["players"] == [{"name": "anna", "level": 0}, {"name": "bob", "level": 1}]
    by_number = json.loads(recorded(US, 1, CodeStream(36)).data.splitlines()[0])
    assert by_number["cards"] == {"from": "number", "number": 36, "code": ""}


def test_the_last_line_says_how_it_ended_and_how_many_were_asked() -> None:
    deal = recorded(US, 1)
    last = json.loads(deal.data.splitlines()[-1])
    assert deal.result is not None
    assert (last["end"], last["winner"], last["score"]) == ("won", deal.result.winner, deal.result.score)
    assert last["requests"] == len(deal.entries)
    assert [seat["left"] for seat in last["seats"]].count(0) == 1
    broken_off = json.loads(recorded(US, 1, most=5).data.splitlines()[-1])
    assert (broken_off["end"], broken_off["requests"]) == ("unfinished", 5)


def test_each_line_is_made_when_it_is_asked_for_so_that_a_writer_can_make_way_between_two() -> None:
    deal, asked = recorded(US, 1), []

    def entries() -> Iterator[Entry]:
        for number, entry in enumerate(deal.entries):
            asked.append(number)
            yield entry

    lines = record.lines(deal.heading, entries(), deal.result)
    for number in range(5):
        next(lines)
        assert len(asked) == number


def test_a_play_line_says_when_it_was_pressed_and_came_and_keeps_what_else_it_is_given() -> None:
    words = record.entry_words(
        Entry(Play(1, 8, AUTO_PILE, 812_345), None, (), {"press_us": 800_000, "arrival_us": 815_000, "hold_us": 7})
    )
    assert words == {
        "at_us": 812_345,
        "request": {"type": "play", "seat": 1, "card": "9C", "pile": None, "named": None},
        "press_us": 800_000,
        "arrival_us": 815_000,
        "hold_us": 7,
        "verdict": "accepted",
        "events": [],
    }


def test_a_refusal_says_its_reason_and_only_where_it_has_one() -> None:
    lost = Refusal("beaten", 120_000, 0, 1, 9)
    words = record.entry_words(Entry(Draw(1, 5), lost, ()))
    assert (words["verdict"], words["reason"]) == (
        "beaten",
        {"late_us": 120_000, "by": 0, "pile": 1, "took": "10C"},
    )
    assert "reason" not in record.entry_words(Entry(Draw(1, 5), Refusal("hand_full"), ()))
    assert reason_words(Refusal("late_link", -1, 0, 1, 9))["late_us"] == -1


def test_events_are_objects_with_card_names_null_for_no_card_and_the_decks_told_apart() -> None:
    assert event_words(Played(5, 1, 0, 8, 1, -1)) == {
        "type": "played",
        "at_us": 5,
        "seat": 1,
        "slot": 0,
        "card": "9C",
        "pile": 1,
        "refill": None,
        "named": None,
    }
    assert event_words(Flipped(5, (8, 60, -1)))["tops"] == ["9C", "9C/2", None]
    assert event_words(Played(5, 1, 0, 104, 1, 3, 11))["named"] == "Q"
    assert event_words(FlipAsked(5, 2)) == {"type": "flip_asked", "at_us": 5, "seat": 2}
    assert event_words(Won(5, 0, 4, forfeit=True)) == {
        "type": "won",
        "at_us": 5,
        "seat": 0,
        "score": 4,
        "forfeit": True,
    }


def test_every_card_has_a_name_of_its_own() -> None:
    names = [request_words(Play(0, card, 0, 0))["card"] for card in range(HIDDEN, CARD_KINDS)]
    assert len(set(names)) == CARD_KINDS + 2


def test_every_field_of_an_event_that_holds_cards_is_written_as_cards() -> None:
    def holds_cards(kind: msgspec.inspect.Type) -> bool:
        if isinstance(kind, msgspec.inspect.VarTupleType):
            return holds_cards(kind.item_type)
        return isinstance(kind, msgspec.inspect.IntType) and (kind.ge, kind.le) == (HIDDEN, CARD_KINDS - 1)

    found = set()
    for event in get_args(Event):
        info = msgspec.inspect.type_info(event)
        assert isinstance(info, msgspec.inspect.StructType)
        found |= {field.name for field in info.fields if holds_cards(field.type)}
    assert found <= CARD_FIELDS


@pytest.mark.parametrize(
    "request_",
    [
        Play(1, 8, 0, 5),
        Play(3, 100, AUTO_PILE, 5, 12),
        Play(0, 107, 3, 5),
        Play(0, -1, 3, 5),
        Draw(2, 5),
        Call(0, 5),
        AskFlip(3, 5),
        Reveal(5),
        Lift(1, 4, 5),
    ],
)
def test_a_request_is_read_back_as_it_was_written(request_: Request) -> None:
    assert parse_request(request_words(request_), 5, FOUR) == request_


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ({}, "is no kind of request"),
        ({"type": "cheat"}, "'cheat' is no kind of request"),
        ({"type": "draw"}, "the draw is not whole"),
        ({"type": "draw", "seat": 2}, "'2' is no seat here: 0 to 1"),
        ({"type": "draw", "seat": True}, "is no seat here"),
        ({"type": "draw", "seat": "anna"}, "'anna' is no seat"),
        ({"type": "draw", "seat": 1, "at": 3}, "a draw has no 'at'"),
        ({"type": "draw", "seat": 1, "why": 3}, "a draw has no 'why'"),
        ({"type": "lift", "seat": 1, "slot": 5}, "'5' is no slot here: 0 to 4"),
        ({"type": "play", "seat": 1, "card": "11S", "pile": 0}, "'11S' is no card"),
        ({"type": "play", "seat": 1, "card": 8, "pile": 0}, "'8' is no card"),
        ({"type": "play", "seat": 1, "card": "8S", "pile": 4}, "is no pile here"),
        ({"type": "play", "seat": 1, "card": "8S", "pile": 0, "named": "1"}, "is no named here"),
    ],
)
def test_what_is_no_request_is_said_in_a_sentence(words: dict[str, object], what: str) -> None:
    with pytest.raises(ValueError, match=what.replace("(", r"\(")):
        parse_request(words, 5, US)
