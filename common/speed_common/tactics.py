"""Choosing a pile and choosing a card, from what a player sees: the own hand and the tops.

Sets of cards are bits of one integer. `reach[pile]` is the set of cards that fit a pile's top now; a card's *landing*
is the set that would fit it as the new top. The server and the client's guess use the same functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from speed_common.cards import NO_RANK, RANKS, Card, Rank
from speed_common.events import AUTO_PILE
from speed_common.rules import Rules, fits_rank


def follow_ups(rest: int, reach: Sequence[int], pile: int, landing: int) -> tuple[int, int]:
    """How many cards of `rest` fit some top once `landing` is on `pile`, and how many (card, pile) pairs that gives."""
    union = landing
    pairs = (rest & landing).bit_count()
    for other, fit in enumerate(reach):
        if other != pile:
            union |= fit
            pairs += (rest & fit).bit_count()
    return (rest & union).bit_count(), pairs


def automatic_pile(held: int, reach: Sequence[int], card: Card, landing: int) -> int:
    """The pile for a card played without one: most follow-ups, then most pairs, then the lower pile.

    `held` is the hand with the card still in it; the unseen refill does not count. `AUTO_PILE` when it fits nowhere.
    """
    bit = 1 << card
    open_piles = [pile for pile, fit in enumerate(reach) if fit & bit]
    if len(open_piles) < 2:
        return open_piles[0] if open_piles else AUTO_PILE
    rest = held & ~bit
    return max(open_piles, key=lambda pile: (*follow_ups(rest, reach, pile, landing), -pile))


def best_play(
    hand: Sequence[Card], held: int, reach: Sequence[int], fits: Sequence[int]
) -> tuple[int, int] | None:
    """The (slot, pile) that leaves most follow-ups; ties go to the lower slot, then the lower pile. None: no play."""
    union = 0
    for fit in reach:
        union |= fit
    playable = held & union
    if not playable:
        return None
    best, found = -1, None
    for slot, card in enumerate(hand):
        if card < 0 or not playable >> card & 1:
            continue
        rest, landing = held & ~(1 << card), fits[card]
        for pile, fit in enumerate(reach):
            if not fit >> card & 1:
                continue
            after = landing
            for other, other_fit in enumerate(reach):
                if other != pile:
                    after |= other_fit
            count = (rest & after).bit_count()
            if count > best:
                best, found = count, (slot, pile)
    return found


def best_rank(rules: Rules, rest: int, top: Rank) -> Rank:
    """The rank to name for a joker laid on a top of rank `top` (`NO_RANK`: any): most follow-ups, then the higher."""
    legal = [rank for rank in range(RANKS) if top == NO_RANK or fits_rank(rules, top) >> rank & 1]
    return max(legal, key=lambda rank: ((rest & fits_rank(rules, rank)).bit_count(), rank))
