from __future__ import annotations

import argparse
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speed_common.presets import PRESETS, RulesError, make_rules
from speed_common.rule_words import add_rule_options, describe, parse_words, rules_from
from speed_common.rules import Rules


@st.composite
def rules_by_name(draw: st.DrawFn) -> Rules:
    """Rules that some preset with some changes makes."""
    changes: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "players": st.integers(2, 4),
                "piles": st.integers(2, 4),
                "hand_size": st.integers(1, 7),
                "jokers": st.sampled_from([0, 2, 4]),
                "wrap": st.booleans(),
                "same_rank": st.booleans(),
                "refill": st.sampled_from(["auto", "manual"]),
                "call_speed": st.booleans(),
                "flip_delay_us": st.integers(0, 5_000_000),
                "best_of": st.sampled_from([0, 3, 5]),
            },
        )
    )
    try:
        return make_rules(draw(st.sampled_from(sorted(PRESETS))), **changes)
    except RulesError:
        return make_rules()


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_rule_options(parser)
    return parser.parse_args(words)


@given(rules_by_name())
def test_rules_are_read_back_from_the_words_that_describe_them(rules: Rules) -> None:
    assert parse_words(describe(rules)) == rules


@pytest.mark.parametrize(
    ("words", "described"),
    [
        ("us", "us"),
        ("web", "us"),
        ("", "us"),
        ("four, no-wrap, hand 3", "four hand 3 no-wrap"),
        ("players 4", "four"),
        ("jokers 2", "wild"),
        ("pagat flip-delay 0.5", "pagat flip-delay 0.5"),
        ("players 3", "us players 3"),
    ],
)
def test_rules_are_described_by_what_differs_from_the_nearest_preset(words: str, described: str) -> None:
    assert describe(parse_words(words)) == described


def test_the_options_of_a_command_are_the_same_words() -> None:
    asked = options("--rules", "four", "--no-wrap", "--hand", "3", "--flip-trigger", "all_ready", "--gap", "0.05")
    assert rules_from(asked) == parse_words("four no-wrap hand 3 flip-trigger all_ready gap 0.05")
    assert rules_from(options()) == make_rules()


@given(rules_by_name())
def test_an_option_takes_all_words_together_as_a_player_types_them(rules: Rules) -> None:
    assert rules_from(options("--rules", describe(rules))) == rules


def test_an_option_of_its_own_counts_for_more_than_a_word() -> None:
    asked = options("--rules", "four no-wrap hand 3", "--hand", "4", "--wrap")
    assert rules_from(asked) == parse_words("four hand 4")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("german", "no rule is called 'german'"),
        ("no-hand", "no rule is called 'no-hand'"),
        ("hand", "hand takes a whole number"),
        ("hand five", "hand takes a whole number"),
        ("gap nan", "gap takes seconds"),
        ("gap 1e999", "gap takes seconds"),
        ("refill lazily", "refill is auto or manual"),
        ("players 9", "players is 9"),
        ("hand 5 us", "no rule is called 'us'"),
    ],
)
def test_words_that_are_no_rules_are_refused_with_what_would_be(words: str, told: str) -> None:
    with pytest.raises(RulesError, match=told):
        parse_words(words)


def test_an_option_that_is_no_value_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        options("--gap", "soon")
    assert exit_.value.code == 2
    assert "gap takes seconds, not 'soon'" in capsys.readouterr().err
