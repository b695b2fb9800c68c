from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.common.helpers import cards

from speed_common.cards import FIRST_JOKER, HIDDEN, NO_CARD, RANK_NAMES, card_name, parse_card, rank_of, suit_of
from speed_common.rules import RulesError, as_card_set, fits, fits_rank, fresh_deck, make_rules, rank_fits


@given(st.integers(0, 51))
def test_a_card_is_read_back_from_its_name(card: int) -> None:
    assert parse_card(card_name(card)) == card
    assert parse_card(card_name(card, signs=True)) == card
    assert card == suit_of(card) * 13 + rank_of(card)


def test_marks_and_jokers_have_names_of_their_own() -> None:
    assert card_name(NO_CARD) == "--"
    assert card_name(HIDDEN) == "??"
    assert card_name(FIRST_JOKER, signs=True) == "★1"
    assert parse_card("*4") == FIRST_JOKER + 3
    assert rank_of(FIRST_JOKER) == rank_of(HIDDEN) == -1
    with pytest.raises(ValueError, match="no card is named '1S'"):
        parse_card("1S")


@pytest.mark.parametrize(
    ("preset", "changes", "draw", "side"),
    [
        ("us", {}, 15, 5),
        ("pagat", {}, 10, 10),
        ("us", {"jokers": 2}, 16, 5),
        ("us", {"jokers": 2, "draw_size": 15, "side_size": 6}, 15, 6),
        ("us", {"jokers": 4}, 17, 5),
        ("us", {"jokers": 4, "side_size": 7}, 15, 7),
        ("pagat", {"jokers": 2}, 11, 10),
        ("pagat", {"jokers": 2, "side_size": 11}, 10, 11),
        ("us", {"hand_size": 3}, 17, 5),
        ("us", {"hand_size": 1}, 19, 5),
        ("pagat", {"hand_size": 7}, 8, 10),
        ("us", {"piles": 3, "side_size": 3}, 15, 3),
    ],
)
def test_the_named_variants_balance(preset: str, changes: dict[str, Any], draw: int, side: int) -> None:
    rules = make_rules(preset, **changes)
    assert (rules.draw_size, rules.side_size) == (draw, side)
    assert len(fresh_deck(rules)) == rules.cards


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"side_size": 6}, "draw 15 with side 5 would balance"),
        ({"draw_size": 10}, "draw 10 with side 10 would balance"),
        ({"jokers": 1}, "the deck has 53"),
        ({"jokers": 3}, "the deck has 55"),
        ({"side_size": 0}, "side_size"),
        ({"hand_size": 0}, "hand_size"),
        ({"hand_size": 11}, "hand_size"),
        ({"players": 3}, "players"),
        ({"joker_mode": "declared"}, "needs jokers"),
        ({"match_target": 4}, "too short"),
        ({"reshuffle": "never"}, "reshuffle"),
        ({"wrap": "yes"}, "wrap"),
        ({"colour": 1}, "colour"),
        ({"flip_delay_us": 5_000_001}, "flip_delay_us"),
    ],
)
def test_parameters_that_do_not_go_together_are_refused_with_what_would(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(RulesError, match=told):
        make_rules("us", **changes)


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match="choose us, pagat"):
        make_rules("german")


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("same_rank", [True, False])
def test_a_rank_fits_its_neighbours_and_round_the_corner_only_with_wrap(wrap: bool, same_rank: bool) -> None:  # noqa: FBT001
    rules = make_rules(wrap=wrap, same_rank=same_rank)
    for on, name in enumerate(RANK_NAMES):
        near = {on - 1, on + 1} & set(range(13))
        near |= {12 - on} if wrap and on in {0, 12} else set()
        near |= {on} if same_rank else set()
        assert {rank for rank in range(13) if rank_fits(rules, rank, on)} == near, name
        assert fits(rules)[on] == as_card_set(card for card in range(52) if card % 13 in near)


def test_a_joker_goes_on_everything_and_everything_on_a_joker() -> None:
    rules = make_rules(jokers=2)
    jokers = as_card_set(cards("*1 *2"))
    assert all(fits(rules)[card] & jokers == jokers for card in fresh_deck(rules))
    assert fits(rules)[FIRST_JOKER] == as_card_set(fresh_deck(rules))
    assert fits_rank(rules, 4) & jokers == jokers


def test_marks_are_in_no_set_of_cards() -> None:
    assert as_card_set([NO_CARD, HIDDEN]) == 0
