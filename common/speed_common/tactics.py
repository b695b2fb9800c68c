"""Choosing a pile and choosing a card, from what a player sees: the own hand and the tops.

Sets of cards are bits of one integer. `reach[pile]` is the set of cards that fit a pile's top now; a card's *landing*
is the set that would fit it as the new top. The server and the client's guess use the same functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from speed_common.cards import BITS, NO_RANK, RANKS, Card, Rank
from speed_common.events import AUTO_PILE
from speed_common.rules import Rules, fits_rank, rank_fits

# The common table is worth a short way round the loops: these are the hottest lines of the house.
TWO_PILES: Final = 2


def reach_after(reach: Sequence[int], pile: int, landing: int) -> int:
    """The set of cards that fit some top once `landing` is what fits on `pile`."""
    if len(reach) == TWO_PILES:
        return landing | reach[1 - pile]
    union = landing
    for other, fit in enumerate(reach):
        if other != pile:
            union |= fit
    return union


def automatic_pile(held: int, reach: Sequence[int], card: Card, landing: int) -> int:
    """The pile for a card played without one: most follow-ups, then most pairs, then the lower pile.

    Follow-ups are the other cards of the hand `held` (the unseen refill does not count) that fit some top afterwards;
    pairs are the (card, pile) pairs among them. `AUTO_PILE` when the card fits nowhere.
    """
    bit = BITS[card]
    if len(reach) == TWO_PILES and not reach[0] & reach[1] & bit:
        return 0 if reach[0] & bit else 1 if reach[1] & bit else AUTO_PILE
    rest, chosen, most = held & ~bit, AUTO_PILE, (-1, 0)
    for pile, fit in enumerate(reach):
        if fit & bit:
            # Wherever the card lands, all pairs stay but those of the top that it covers.
            serves = (rest & reach_after(reach, pile, landing)).bit_count(), -(rest & fit).bit_count()
            if serves > most:
                chosen, most = pile, serves
    return chosen


def best_play(hand: Sequence[Card], held: int, reach: Sequence[int], fits: Sequence[int]) -> tuple[int, int] | None:
    """The (slot, pile) that leaves most follow-ups; ties go to the lower slot, then the lower pile. None: no play."""
    if len(reach) == TWO_PILES:
        return _best_of_two(hand, held, reach[0], reach[1], fits)
    elsewhere = [reach_after(reach, pile, 0) for pile in range(len(reach))]
    playable = held & (elsewhere[0] | reach[0])
    best, best_slot, best_pile = -1, len(hand), 0
    while playable:
        bit = playable & -playable
        playable ^= bit
        card = bit.bit_length() - 1
        slot, rest, landing = hand.index(card), held ^ bit, fits[card]
        for pile, fit in enumerate(reach):
            if fit & bit:
                count = (rest & (landing | elsewhere[pile])).bit_count()
                if count > best or (count == best and slot < best_slot):
                    best, best_slot, best_pile = count, slot, pile
    return None if best < 0 else (best_slot, best_pile)


def _best_of_two(
    hand: Sequence[Card], held: int, first: int, second: int, fits: Sequence[int]
) -> tuple[int, int] | None:
    playable = held & (first | second)
    if not playable:
        return None
    if not playable & (playable - 1) and not playable & first & second:
        return hand.index(playable.bit_length() - 1), 0 if playable & first else 1
    best, best_slot, best_pile = -1, len(hand), 0
    while playable:
        bit = playable & -playable
        playable ^= bit
        card = bit.bit_length() - 1
        slot, rest, landing = hand.index(card), held ^ bit, fits[card]
        if first & bit:
            count = (rest & (landing | second)).bit_count()
            if count > best or (count == best and slot < best_slot):
                best, best_slot, best_pile = count, slot, 0
        if second & bit:
            count = (rest & (landing | first)).bit_count()
            if count > best or (count == best and slot < best_slot):
                best, best_slot, best_pile = count, slot, 1
    return best_slot, best_pile


def best_rank(rules: Rules, rest: int, top: Rank, elsewhere: int) -> Rank:
    """The rank to name for a joker on a top of rank `top` (`NO_RANK`: any): most follow-ups, then the higher rank.

    `rest` is the hand without the joker, `elsewhere` the set of cards that fit the other piles.
    """
    legal = [rank for rank in range(RANKS) if top == NO_RANK or rank_fits(rules, rank, top)]
    return max(legal, key=lambda rank: ((rest & (fits_rank(rules, rank) | elsewhere)).bit_count(), rank))
