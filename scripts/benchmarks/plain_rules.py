"""The same deals on bare lists and integers: no events, no refusals, nobody else's view. What the rules cost at least.

Shuffle, greedy players, refills, stuck table, reshuffle, tuck: each as in the game, written as one loop. It knows the
usual rules only, two players and two piles, and not the deal that nobody can end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from speed_common.rules import Rules, fits

HAND: Final = 5
DRAW: Final = 15
SIDE: Final = 5
_MASK: Final = (1 << 64) - 1


def play_plain_deal(rules: Rules, number: int) -> int:  # noqa: PLR0912  # one loop, or it would not be the least
    """Play deal `number` through; the number of its plays."""
    fitting = fits(rules)
    cards, position = _shuffled(range(52), number, 0)
    at = 2 * HAND
    hands = [cards[:HAND], cards[HAND:at]]
    draws = [cards[at : at + DRAW], cards[at + DRAW : at + 2 * DRAW]]
    at += 2 * DRAW
    tops = cards[at : at + 2]
    sides = [cards[at + 2 : at + 2 + SIDE], cards[at + 2 + SIDE :]]
    held = [sum(1 << card for card in hand) for hand in hands]
    under: list[list[int]] = [[], []]
    reach = [fitting[top] for top in tops]
    plays = seat = 0
    played = tucked = False
    while True:
        union = reach[0] | reach[1]
        playable = held[seat] & union
        if not playable:
            playable = held[1 - seat] & union
            if not playable:
                if not sides[0] and not sides[1]:
                    if not played and not tucked and (draws[0] or draws[1]):
                        _tuck(hands, draws, held)
                        tucked = True
                        continue
                    cards, position = _shuffled(under[0] + under[1], number, position)
                    sides = [cards[0::2], cards[1::2]]
                    under = [[], []]
                    played = tucked = False
                for pile, side in enumerate(sides):
                    if side:
                        under[pile].append(tops[pile])
                        tops[pile] = side.pop()
                        reach[pile] = fitting[tops[pile]]
                continue
            seat = 1 - seat
        hand = hands[seat]
        best, slot, pile = -1, 0, 0
        for place, card in enumerate(hand):
            if card < 0 or not playable >> card & 1:
                continue
            rest, landing = held[seat] & ~(1 << card), fitting[card]
            for on in (0, 1):
                if reach[on] >> card & 1:
                    count = (rest & (landing | reach[1 - on])).bit_count()
                    if count > best:
                        best, slot, pile = count, place, on
        card = hand[slot]
        held[seat] ^= 1 << card
        under[pile].append(tops[pile])
        tops[pile], reach[pile] = card, fitting[card]
        plays += 1
        played = True
        if draws[seat]:
            refill = draws[seat].pop()
            hand[slot] = refill
            held[seat] |= 1 << refill
        else:
            hand[slot] = -1
            if not held[seat]:
                return plays
        seat = 1 - seat


def _shuffled(cards: Sequence[int], number: int, position: int) -> tuple[list[int], int]:
    """The shuffle of a numbered deal, its words worked out in place."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        bound = last + 1
        limit = (1 << 64) - (1 << 64) % bound
        z = limit
        while z >= limit:
            position += 1
            z = (number + position * 0x9E3779B97F4A7C15) & _MASK
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            z ^= z >> 31
        other = z % bound
        order[last], order[other] = order[other], order[last]
    return order, position


def _tuck(hands: list[list[int]], draws: list[list[int]], held: list[int]) -> None:
    for seat, draw in enumerate(draws):
        if draw:
            pile = [card for card in reversed(hands[seat]) if card >= 0] + draw
            drawn = pile[: -HAND - 1 : -1]
            hands[seat] = drawn + [-1] * (HAND - len(drawn))
            draws[seat] = pile[: len(pile) - len(drawn)]
            held[seat] = sum(1 << card for card in drawn)
