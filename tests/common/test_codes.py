from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.common.test_rule_words import rules_by_name

from speed_common.cards import card_name
from speed_common.codes import PEOPLE, CodeError, GameCode, deal_digits, format_code, parse_code
from speed_common.deck import MAX_DEAL_NUMBER, CodeStream, lay_out
from speed_common.presets import make_rules
from speed_common.rules import Rules


@given(st.integers(0, 10), rules_by_name(), st.integers(0, MAX_DEAL_NUMBER))
def test_a_code_says_opponent_rules_and_deal_and_is_read_back(level: int, rules: Rules, number: int) -> None:
    assert parse_code(format_code(level, rules, number)) == GameCode(level, rules, number)


def test_the_web_games_codes_are_understood_and_written_without_a_dot() -> None:
    code = parse_code("A03KX-1K9Z4Q")
    assert (code.level, code.rules.wrap, code.rules.same_rank, code.number) == (3, True, False, 94_523_930)
    assert code.rules == make_rules()
    assert format_code(*code) == "A03KX-1K9Z4Q"
    assert parse_code(" a10xs-00000a ") == GameCode(10, make_rules(wrap=False, same_rank=True), 10)
    assert parse_code("B00KX-ZZZZZZ") == GameCode(PEOPLE, make_rules(), MAX_DEAL_NUMBER)


# These hold for ever: a code that was given out must bring the same rules and cards in every version.
@pytest.mark.parametrize(
    ("code", "preset", "changes"),
    [
        ("B00KX-1K9Z4Q.GP", "pagat", {}),
        ("B00KX-1K9Z4Q.J2O", "wild", {}),
        ("B00KX-1K9Z4Q.P4", "four", {}),
        ("B00KX-1K9Z4Q.P4D2C4", "four", {}),
        ("B00KX-1K9Z4Q.P3", "us", {"players": 3}),
        ("A05KX-1K9Z4Q.J2DW15", "us", {"jokers": 2, "joker_mode": "declared", "draw_size": 15}),
        ("B00XX-1K9Z4Q.H3TX", "us", {"hand_size": 3, "wrap": False, "tuck": False}),
        ("B00KX-1K9Z4Q.RPEMFAVCYS", "us", {
            "reshuffle": "per_pile", "refill": "manual", "flip_trigger": "all_ready", "call_speed": True,
            "false_call": "cards",
        }),
        ("B00KX-1K9Z4Q.L500000Z0B1000000U500000I20000000M25", "us", {
            "flip_delay_us": 500_000, "min_play_gap_us": 0, "beaten_window_us": 1_000_000, "call_window_us": 500_000,
            "idle_autoplay_us": 20_000_000, "match_target": 25,
        }),
    ],
)  # fmt: skip
def test_what_a_code_has_meant_it_means(code: str, preset: str, changes: dict[str, Any]) -> None:
    assert parse_code(code).rules == make_rules(preset, **changes)


def test_the_rules_of_a_plain_code_are_fixed() -> None:
    assert parse_code("B00KX-000000").rules == Rules(
        players=2, decks=1, jokers=0, hand_size=5, draw_size=15, piles=2, side_size=5, out=0, wrap=True,
        same_rank=False, joker_mode="open", reshuffle="pooled", tuck=True, refill="auto", flip_trigger="auto",
        call_speed=False, false_call="freeze", flip_delay_us=1_000_000, min_play_gap_us=100_000,
        beaten_window_us=700_000, call_window_us=2_000_000, idle_autoplay_us=0, match_target=0, best_of=0,
    )  # fmt: skip


def test_a_code_of_many_players_deals_the_same_for_ever() -> None:
    code = parse_code("B00KX-1K9Z4Q.P3")
    layout = lay_out(code.rules, CodeStream(code.number))
    hands = [" ".join(card_name(card) for card in hand) for hand in layout.hands]
    assert hands == ["9D 4S 10D JC JS", "6H KC 4S 5D 8C", "AS 2S 9H 3D 9D"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no game code"),
        ("A00KX-1K9Z4Q", "is no game code"),
        ("A11KX-1K9Z4Q", "is no game code"),
        ("B01KX-1K9Z4Q", "is no game code"),
        ("A03KX-1K9Z4", "is no game code"),
        ("A03KX-1K9Z4Q.", "is no game code"),
        ("A03KX-1K9Z4Q.Q4", "'Q4' in a game code means nothing to this version"),
        ("A03KX-1K9Z4Q.XY", "'XY' in a game code means nothing to this version"),
        ("A03KX-1K9Z4Q.J2", "'J2' in a game code means nothing to this version"),
        ("A03KX-1K9Z4Q.P4P4", "says players twice"),
        ("A03KX-1K9Z4Q.GPGP", "says GP twice"),
        ("A03KX-1K9Z4Q.P3C3", "rules that cannot be: .* would balance"),
        ("A03KX-1K9Z4Q.P9", "rules that cannot be: players is 9"),
        ("A03KX-1K9Z4Q\n" * 20, "is no game code"),
    ],
)
def test_what_is_no_code_is_refused_with_the_reason(text: str, told: str) -> None:
    with pytest.raises(CodeError, match=told):
        parse_code(text)


@given(st.text(max_size=120))
def test_whatever_is_typed_only_a_code_error_comes_of_it(text: str) -> None:
    for typed in (text, f"B00KX-1K9Z4Q.{text}"):
        with contextlib.suppress(CodeError):
            parse_code(typed)


def test_deal_numbers_have_six_digits() -> None:
    assert [deal_digits(number) for number in (0, 35, 36, MAX_DEAL_NUMBER)] == ["000000", "00000Z", "000010", "ZZZZZZ"]
