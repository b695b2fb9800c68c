from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.common.helpers import cards

from speed_common.cards import FIRST_JOKER, HIDDEN, NO_CARD, RANK_NAMES, card_name, parse_card, rank_of, suit_of
from speed_common.presets import make_rules
from speed_common.rules import as_card_set, fits, fits_rank, fresh_deck, rank_fits


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
