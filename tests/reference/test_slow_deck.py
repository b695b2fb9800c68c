"""The reference's deck against the figures that the rules give for the generator and two deals."""

from __future__ import annotations

import pytest
from tests.reference.laying import names
from tests.reference.slow_deck import Parameters, SplitMix64, deal_number, fresh_deck, hand_out
from tests.reference.slow_speed import SlowTable


def test_the_generator_starts_as_the_rules_say() -> None:
    stream = SplitMix64(0)
    assert [f"{stream.next():016x}" for _ in range(3)] == ["e220a8397b1dcdaf", "6e789e6aa1b965f4", "06c45d188009454f"]


def test_a_code_is_a_number_in_base_36() -> None:
    assert deal_number("1K9Z4Q") == 94_523_930
    assert deal_number("ZZZZZZ") == 2_176_782_335


def test_the_deal_of_the_example_code() -> None:
    table = SlowTable.of_number(Parameters(), deal_number("1K9Z4Q"))
    assert [names(hand) for hand in table.hands] == ["3H 7S 5D KS KD", "2D AD KC 4H 4C"]
    assert [names(pile) for pile in table.centre] == ["2C", "8H"]
    assert [names(side) for side in table.sides] == ["TD QS 4D KH TS", "JS 3C 6C 3D 7D"]


def test_the_deal_of_number_nought() -> None:
    table = SlowTable.of_number(Parameters(), 0)
    assert names(table.hands[0]) == "8S JH 9C 2S 2D"
    assert [names(pile) for pile in table.centre] == ["9S", "7D"]


def test_a_deal_uses_every_card_once() -> None:
    how = Parameters(players=3, decks=2, piles=3, side_size=13, out=2)
    table = SlowTable.of_number(how, 7)
    assert table.everything() == sorted(fresh_deck(2, 0))
    assert len(table.out) == 2


def test_a_deal_that_does_not_balance_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cards are over"):
        hand_out(Parameters(jokers=1), fresh_deck(1, 1))
