"""The game and the reference agree, step by step, on a few thousand random deals; `scripts/compare-rules` does more."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.reference.agreement import LockStep, compare
from tests.reference.random_deals import Step
from tests.reference.slow_deck import Parameters

DEALS = 2_000
CHUNK = 250
SEEN_OFTEN = {
    *("revealed", "played", "drew", "stuck", "waiting", "freed", "flipped", "reshuffled", "tucked", "won", "voided"),
    *("calling", "took", "frozen", "asked", "left"),
    *("illegal", "beaten", "not_in_hand", "not_started", "deal_over", "not_due", "hand_full", "nothing_to_draw"),
}
words: Counter[str] = Counter()


@pytest.mark.parametrize("first", range(0, DEALS, CHUNK))
def test_the_game_and_the_reference_agree_on_random_deals(first: int) -> None:
    for seed in range(first, first + CHUNK):
        met = compare(seed)
        if met.difference is not None:
            pytest.fail(str(met.difference))
        words.update(met.words)


def test_nearly_everything_that_can_happen_happens_in_a_few_hundred_deals() -> None:
    for seed in range(DEALS, DEALS + CHUNK):
        words.update(compare(seed).words)
    assert not SEEN_OFTEN - words.keys()


def test_a_difference_names_what_is_needed_to_see_it_again() -> None:
    both = LockStep(Parameters(), 7)
    both.slow.sides[0].pop()
    told = both.ask(Step("reveal", 0, 0))
    assert told is not None
    assert told.startswith("sides: game")
