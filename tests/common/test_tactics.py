"""The short ways round agree with the rule written out at length."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.common.helpers import cards

from speed_common.presets import make_rules
from speed_common.rules import Rules, as_card_set, fits, fresh_deck
from speed_common.tactics import automatic_pile, best_play, best_rank

games = st.sampled_from(
    [
        make_rules(),
        make_rules(wrap=False),
        make_rules(same_rank=True, jokers=2),
        make_rules(piles=3, side_size=3),
        make_rules(piles=4, side_size=2),
    ]
)


def laid(rules: Rules, seed: int) -> tuple[list[int], list[int]]:
    """A hand with some empty slots, and tops."""
    deck = list(fresh_deck(rules))
    Random(seed).shuffle(deck)
    hand = [card if Random(seed + slot).random() < 0.8 else -1 for slot, card in enumerate(deck[:5])]
    return hand, deck[5 : 5 + rules.piles]


def follow_ups(rules: Rules, hand: list[int], tops: list[int], card: int, pile: int) -> tuple[int, int]:
    """How many of the other cards fit some top after the play, and how many (card, pile) pairs that gives."""
    after = [card if at == pile else top for at, top in enumerate(tops)]
    fitting = [[bool(fits(rules)[top] >> other & 1) for top in after] for other in hand if other not in {card, -1}]
    return sum(any(row) for row in fitting), sum(map(sum, fitting))


def legal(rules: Rules, tops: list[int], card: int) -> list[int]:
    return [pile for pile, top in enumerate(tops) if card >= 0 and fits(rules)[top] >> card & 1]


@given(games, st.integers(0, 2**31))
def test_the_automatic_pile_has_most_follow_ups_then_most_pairs_then_the_lower_number(rules: Rules, seed: int) -> None:
    hand, tops = laid(rules, seed)
    held, reach = as_card_set(hand), [fits(rules)[top] for top in tops]
    for card in hand:
        if card < 0:
            continue
        piles = legal(rules, tops, card)
        best = max(piles, key=lambda pile: (*follow_ups(rules, hand, tops, card, pile), -pile)) if piles else -1
        assert automatic_pile(held, reach, card, fits(rules)[card]) == best


@given(games, st.integers(0, 2**31))
def test_the_best_play_leaves_most_follow_ups_then_takes_the_lower_slot_and_pile(rules: Rules, seed: int) -> None:
    hand, tops = laid(rules, seed)
    reach = [fits(rules)[top] for top in tops]
    plays = [(slot, pile) for slot, card in enumerate(hand) for pile in legal(rules, tops, card)]
    best = max(
        plays,
        key=lambda play: (follow_ups(rules, hand, tops, hand[play[0]], play[1])[0], -play[0], -play[1]),
        default=None,
    )
    assert best_play(hand, as_card_set(hand), reach, fits(rules)) == best


def test_a_jokers_rank_counts_the_cards_that_fit_elsewhere_too() -> None:
    rules = make_rules(jokers=2, joker_mode="declared")
    rest = as_card_set(cards("5C 5D 9H"))
    nothing, on_a_four = 0, fits(rules)[cards("4C")[0]]
    assert best_rank(rules, rest, -1, nothing) == cards("6C")[0]
    assert best_rank(rules, rest, -1, on_a_four) == cards("10C")[0]
