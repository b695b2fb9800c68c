from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.common.recording import Recorded, recorded, rehashed

from speed_common.codes import format_code
from speed_common.deck import CodeStream
from speed_common.events import Play, Reveal
from speed_common.presets import make_rules
from speed_common.record import MAX_BYTES, MAX_LINES, Entry, NumberedCards, entry_words, lines
from speed_common.record_read import RecordError, read
from speed_common.rules import Rules
from speed_common.verify import verify

US = make_rules()
WAYS: dict[str, dict[str, Any]] = {
    "us": {},
    "pagat": {"rules": "pagat"},
    "two jokers": {"jokers": 2},
    "declared jokers": {"jokers": 4, "joker_mode": "declared"},
    "manual refill": {"refill": "manual"},
    "no wrap, same rank": {"wrap": False, "same_rank": True},
    "three players": {"players": 3},
    "four players": {"rules": "four"},
    "all ready": {"flip_trigger": "all_ready"},
    "call": {"call_speed": True},
    "call for cards": {"call_speed": True, "false_call": "cards"},
    "idle": {"idle_autoplay_us": 10_000_000},
    "small": {"hand_size": 1, "draw_size": 19},
}


def rules_of(way: str) -> Rules:
    changes = dict(WAYS[way])
    return make_rules(changes.pop("rules", "us"), **changes)


@pytest.fixture(scope="module")
def deal() -> Recorded:
    """A deal with everything in it that a record can be wrong about."""
    for seed in range(1, 60):
        found = recorded(US, seed)
        if any(entry.events for entry in found.entries if entry.refusal) and found.result and not found.result.forfeit:
            return found
    raise AssertionError("no deal has a lost race in it")


@pytest.mark.parametrize("way", WAYS)
def test_what_was_played_is_found_right(way: str) -> None:
    rules = rules_of(way)
    for seed in range(6):
        found = verify(recorded(rules, seed).data)
        assert found.heading.rules == rules
    assert verify(recorded(rules, 9, CodeStream(95_000_000)).data).heading.cards == NumberedCards(number=95_000_000)


def test_a_deal_that_was_broken_off_is_found_right() -> None:
    assert verify(recorded(US, 1, most=20).data).ending.end == "unfinished"


def test_a_record_that_says_broken_off_of_a_deal_that_was_over_is_not_right(deal: Recorded) -> None:
    with pytest.raises(RecordError, match="the end is recorded as unfinished, but comes out as over"):
        verify(b"".join(lines(deal.heading, deal.entries, None)))


def test_a_record_that_says_won_of_a_deal_that_was_not_over_is_not_right(deal: Recorded) -> None:
    with pytest.raises(RecordError, match="the end is recorded as won, but comes out as unfinished"):
        verify(b"".join(lines(deal.heading, deal.entries[:-1], deal.result)))


def test_any_changed_byte_is_found_and_its_line_named(deal: Recorded) -> None:
    data, random = deal.data, Random(1)
    places = (
        {random.randrange(len(data)) for _ in range(1_500)} | set(range(40)) | {len(data) - 1 - n for n in range(40)}
    )
    for place in places:
        changed = bytearray(data)
        changed[place] ^= random.randrange(1, 256)
        with pytest.raises(RecordError) as caught:
            verify(bytes(changed))
        assert caught.value.line == data.count(b"\n", 0, place) + 1, (place, data[place - 20 : place + 20])


def test_a_record_cut_off_anywhere_is_found() -> None:
    data = recorded(US, 2, most=40).data
    for length in range(1, len(data), 7):
        with pytest.raises(RecordError) as caught:
            verify(data[:length])
        lines_left = data[:length].count(b"\n") + (data[length - 1 : length] != b"\n")
        assert caught.value.line == lines_left


def test_a_line_taken_out_put_in_or_exchanged_is_found(deal: Recorded) -> None:
    whole = deal.data.splitlines(keepends=True)
    for changed in (
        whole[:10] + whole[11:],
        [*whole[:10], whole[4], *whole[10:]],
        [*whole[:10], whole[11], whole[10], *whole[12:]],
    ):
        with pytest.raises(RecordError, match="line 11: damaged") as caught:
            verify(b"".join(changed))
        assert caught.value.line == 11
    with pytest.raises(RecordError):
        verify(deal.data + whole[-1])


def test_an_empty_file_is_called_empty() -> None:
    with pytest.raises(RecordError, match="the record is empty"):
        verify(b"")


def test_a_record_of_a_newer_program_is_called_that_whatever_else_is_in_it() -> None:
    for data in (
        b'{"format":2,"shape":"other"}\n\x00\n',
        recorded(US, 1).data.replace(b'"format":1', b'"format":12', 1),
    ):
        with pytest.raises(
            RecordError, match=r"line 1: written by a newer program \(format \d+; this one knows up to 1\)"
        ):
            verify(data)


@pytest.mark.parametrize(
    "data", [b"x" * (MAX_BYTES + 1), b"{}\n" * (MAX_LINES + 1), b'{"a":"' + b"x" * 20_000 + b'"}\n']
)
def test_what_is_too_long_is_no_record(data: bytes) -> None:
    with pytest.raises(RecordError, match="more than"):
        verify(data)


def changed_line(data: bytes, number: int, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The record with one line changed and all hashes made to fit."""
    whole = data.splitlines()
    words = json.loads(whole[number - 1])
    fingerprint = words.pop("hash")
    change(words)
    words["hash"] = fingerprint
    whole[number - 1] = json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
    return rehashed(b"\n".join(whole) + b"\n")


def first_line(deal: Recorded, wanted: Callable[[Entry], object]) -> int:
    return next(number for number, entry in enumerate(deal.entries, 2) if wanted(entry))


def assert_found(data: bytes, line: int, what: str) -> None:
    with pytest.raises(RecordError) as caught:
        verify(data)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")
    assert what in str(caught.value)


def test_a_forger_who_makes_the_hashes_fit_is_found_by_what_does_not_follow(deal: Recorded) -> None:
    data, last = deal.data, len(deal.entries) + 2
    assert verify(rehashed(data))
    revealed = first_line(deal, lambda entry: isinstance(entry.request, Reveal) and not entry.refusal)
    played = first_line(deal, lambda entry: isinstance(entry.request, Play) and not entry.refusal)
    beaten = first_line(deal, lambda entry: entry.refusal and entry.refusal.word == "beaten" and entry.events)
    cases: list[tuple[int, Callable[[dict[str, Any]], object], str]] = [
        (1, lambda words: words["cards"].update(commitment="0" * 64), "the commitment"),
        (1, lambda words: words.update(players=words["players"][:1]), "damaged"),
        (1, lambda words: words["rules"].update(side_size=6), "the rules cannot be"),
        (1, lambda words: words["rules"].update(cheating=True), "damaged"),
        (revealed, lambda words: words["events"][0]["hands"][0].reverse(), "what happened"),
        (played, lambda words: words.update(verdict="illegal"), "the verdict is recorded as illegal"),
        (played, lambda words: words["events"][0].update(refill="AS"), "what happened"),
        (played, lambda words: words["request"].update(seat=7), "is no seat here"),
        (played, lambda words: words.update(events={}), "damaged"),
        (beaten, lambda words: words.update(events=[]), "what happened"),
        (beaten, lambda words: words["reason"].update(late_us=1), "the reason"),
        (last, lambda words: words.update(winner=1 - words["winner"]), "winner is recorded as"),
        (last, lambda words: words.update(score=words["score"] + 1), "score is recorded as"),
        (last, lambda words: words.update(end="forfeit"), "end is recorded as forfeit"),
        (last, lambda words: words["seats"][0].update(races_won=30), "seats is recorded as"),
        (last, lambda words: words.update(requests=3), "it counts 3 requests"),
    ]
    for line, change, what in cases:
        assert_found(changed_line(data, line, change), line, what)


def test_keys_of_a_play_that_nobody_knows_yet_are_kept_and_ignored(deal: Recorded) -> None:
    played = first_line(deal, lambda entry: "press_us" in entry.extras)
    changed = changed_line(deal.data, played, lambda words: words.update(hold_us=12, bounds=[[1, 2], {"a": 3}]))
    found = verify(changed).lines[played - 2]
    assert found.extras == {**deal.entries[played - 2].extras, "hold_us": 12, "bounds": [[1, 2], {"a": 3}]}
    with pytest.raises(RecordError, match=f"line {played}: damaged"):
        verify(changed.replace(b'"hold_us":12', b'"hold_us":13'))


def test_a_play_that_waited_when_the_deal_was_paused_is_taken_as_it_stands(deal: Recorded) -> None:
    played = first_line(deal, lambda entry: "press_us" in entry.extras and not entry.refusal)
    words = entry_words(deal.entries[played - 2])
    whole = deal.data.splitlines()
    words = {**words, "verdict": "paused", "events": []}
    whole.insert(played - 1, json.dumps({**words, "hash": "0" * 16}, separators=(",", ":")).encode())
    counted = changed_line(
        b"\n".join(whole) + b"\n", len(whole), lambda words: words.update(requests=len(deal.entries) + 1)
    )
    assert verify(counted).lines[played - 2].verdict == "paused"


def test_the_game_code_must_be_of_this_deal_and_these_rules() -> None:
    deal = recorded(US, 3, CodeStream(94_523_930))
    for code, what in (
        ("A03KX-1K9Z4Q", ""),
        (format_code(0, US, 94_523_930), ""),
        ("A03KX-1K9Z4R", "the deal's number is recorded as 94523930"),
        ("A03XX-1K9Z4Q", "is of other rules"),
        ("anything", "is no game code"),
    ):

        def name(words: dict[str, Any], code: str = code) -> None:
            words["cards"]["code"] = code

        data = changed_line(deal.data, 1, name)
        if what:
            assert_found(data, 1, what)
        else:
            assert verify(data)


SOUND = recorded(US, 4, most=12).data

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300)
@given(st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_record_or_a_record_error(data: bytes) -> None:
    with pytest.raises(RecordError):
        verify(data)


@settings(max_examples=400)
@given(st.data())
def test_any_json_in_any_place_is_right_or_a_record_error(data: st.DataObject) -> None:
    whole = SOUND.splitlines()
    number = data.draw(st.integers(1, len(whole)))

    def change(words: dict[str, Any]) -> None:
        inner: Any = words
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            key = data.draw(st.sampled_from(keys)) if keys else None
            if key is None or not isinstance(inner[key], dict | list) or data.draw(st.booleans()):
                break
            inner = inner[key]
        if key is None:
            return
        inner[key] = data.draw(plain)

    try:
        read(changed_line(SOUND, number, change))
        verify(changed_line(SOUND, number, change))
    except RecordError as error:
        assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 15_000,
        b'{"format":1,"a":' + b"[" * 8_000 + b"]" * 8_000 + b"}",
        b'{"format":' + b"9" * 16_000 + b"}",
        b'{"format":1e400}',
        b'{"format":true}',
        b'"\xff\xfe"',
        b"null",
    ],
)
def test_cunning_json_is_a_record_error(line: bytes) -> None:
    for data in (line, line + b"\n", rehashed(line[:-1] + b',"hash":"0"}\n')):
        with pytest.raises(RecordError):
            verify(data)


def test_a_first_line_that_says_it_is_the_last_too_is_no_record() -> None:
    first = changed_line(SOUND, 1, lambda words: words.update(end="unfinished", requests=0)).splitlines()[0]
    assert_found(first + b"\n", 1, "the result is missing")
