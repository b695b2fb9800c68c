from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.common.helpers import cards
from tests.common.random_rules import any_rules

from speed_common.cards import card_name
from speed_common.deck import MAX_DEAL_NUMBER, CodeStream, SecretStream, lay_out
from speed_common.presets import make_rules
from speed_common.rules import Rules, fresh_deck

MASK = (1 << 64) - 1


def split_mix(number: int, position: int) -> int:
    """SplitMix64 as it is published, one word at a time."""
    z = (number + (position + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def names(some: Sequence[int]) -> str:
    return " ".join(card_name(card).replace("10", "T") for card in some)


def test_split_mix_starts_with_the_published_words() -> None:
    stream = CodeStream(0)
    assert [f"{stream.word(n):016x}" for n in range(3)] == ["e220a8397b1dcdaf", "6e789e6aa1b965f4", "06c45d188009454f"]


@given(st.integers(0, MAX_DEAL_NUMBER), st.lists(st.integers(0, 400), min_size=1, max_size=6))
def test_words_in_lanes_are_split_mix_words_in_whatever_order_they_are_asked(number: int, positions: list[int]) -> None:
    stream = CodeStream(number)
    assert [stream.word(position) for position in positions] == [split_mix(number, at) for at in positions]


def test_the_reference_deals_come_out() -> None:
    rules = make_rules()
    deal = lay_out(rules, CodeStream(int("1K9Z4Q", 36)))
    assert [names(hand) for hand in deal.hands] == ["3H 7S 5D KS KD", "2D AD KC 4H 4C"]
    assert names(deal.centre) == "2C 8H"
    assert [names(side) for side in deal.sides] == ["TD QS 4D KH TS", "JS 3C 6C 3D 7D"]
    assert int("1K9Z4Q", 36) == 94_523_930
    deal = lay_out(rules, CodeStream(0))
    assert names(deal.hands[0]) == "8S JH 9C 2S 2D"
    assert names(deal.centre) == "9S 7D"


@given(st.integers(0, MAX_DEAL_NUMBER), st.integers(0, 4))
def test_a_deal_hands_out_every_card_once(number: int, jokers: int) -> None:
    rules = make_rules(jokers=jokers // 2 * 2)
    deal = lay_out(rules, CodeStream(number))
    dealt = [card for heap in (*deal.hands, *deal.draws, deal.centre, *deal.sides, deal.out) for card in heap]
    assert Counter(dealt) == Counter(fresh_deck(rules))
    assert [len(heap) for heap in deal.draws] == [rules.draw_size] * 2


@given(any_rules(), st.integers(0, MAX_DEAL_NUMBER))
def test_a_deal_by_any_rules_hands_out_every_card_once_and_sets_aside_what_is_over(rules: Rules, number: int) -> None:
    deal = lay_out(rules, CodeStream(number))
    dealt = [card for heap in (*deal.hands, *deal.draws, deal.centre, *deal.sides, deal.out) for card in heap]
    assert sorted(dealt) == sorted(fresh_deck(rules))
    assert [len(hand) for hand in deal.hands] == [rules.hand_size] * rules.players
    assert [len(draw) for draw in deal.draws] == [rules.draw_size] * rules.players
    assert [len(side) for side in deal.sides] == [rules.side_size] * rules.piles
    assert (len(deal.centre), len(deal.out)) == (rules.piles, rules.out)


@pytest.mark.parametrize("number", [-1, MAX_DEAL_NUMBER + 1])
def test_a_deal_number_has_six_characters(number: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        CodeStream(number)


def test_a_word_that_would_favour_some_order_is_drawn_again() -> None:
    stream = CodeStream(0)
    stream._words = (MASK, 4, *range(60))
    order, position = stream.shuffled(cards("AC 2C 3C"), 0)
    assert position == 3, "2^64 - 1 is the one word beyond the last multiple of 3"
    assert names(order) == "3C AC 2C"


def test_a_later_shuffle_goes_on_where_the_last_one_stopped() -> None:
    once, again = CodeStream(7), CodeStream(7)
    _, position = once.shuffled(range(52), 0)
    assert position == 51
    assert once.shuffled(range(13), position) == again.shuffled(range(13), 51)
    assert once.shuffled([], 5) == ([], 5)
    assert once.shuffled([9], 5) == ([9], 5)


def test_a_secret_deal_follows_its_seed_and_its_commitment_opens_with_it() -> None:
    seed = bytes(range(32))
    stream = SecretStream(seed)
    assert stream.commitment() == hashlib.sha256(seed).digest()
    words = hashlib.shake_256(seed).digest(8 * 200)
    for position in (199, 0, 63, 64, 120):
        assert stream.word(position) == int.from_bytes(words[8 * position : 8 * position + 8], "little")
    assert stream.shuffled(range(52), 3) == SecretStream(seed).shuffled(range(52), 3)
    with pytest.raises(ValueError, match="32 bytes"):
        SecretStream(b"short")


def test_every_card_comes_to_every_place_about_as_often() -> None:
    deals = 6_000
    counts = [[0] * 13 for _ in range(13)]
    for number in range(deals):
        for place, card in enumerate(CodeStream(number).shuffled(range(13), 0)[0]):
            counts[place][card] += 1
    expected = deals / 13
    chi_square = sum((count - expected) ** 2 / expected for row in counts for count in row)
    assert chi_square < 144 + 5 * (2 * 144) ** 0.5
