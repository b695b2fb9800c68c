"""Where the order of the cards comes from: two counted streams of words, one shuffle, one way to lay a deal out.

A stream is a value: word number n is a function of seed and n alone. So a table carries only how many words were used
and a reshuffle goes on exactly where the last one stopped, in the server, in a replay and in a test.

`CodeStream` (SplitMix64) serves deals asked for by number, which must come out the same in every version for ever.
A number has 31 bits, few enough to search; every other deal therefore takes a `SecretStream` of a 256-bit seed
(SHAKE-256), whose SHA-256 is announced before the reveal and which is opened after the deal.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from speed_common.cards import DECK, FIRST_JOKER, Card
from speed_common.rules import Rules

_WORD: Final = 1 << 64
_MASK: Final = _WORD - 1
_GAMMA: Final = 0x9E3779B97F4A7C15
_MIX_A: Final = 0xBF58476D1CE4E5B9
_MIX_B: Final = 0x94D049BB133111EB
_SECRET_CHUNK: Final = 128

MAX_DEAL_NUMBER: Final = 36**6 - 1
SEED_BYTES: Final = 32


class Stream(Protocol):
    """An endless row of cards' order: shuffling from `position` gives the cards and the position after."""

    def shuffled(self, cards: Sequence[Card], position: int) -> tuple[list[Card], int]:
        """A new list in shuffled order, and how many words of the stream are used up after it."""
        ...


class CodeStream:
    """SplitMix64 seeded with a deal number: word n mixes `number + (n + 1) * gamma`."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        if not 0 <= number <= MAX_DEAL_NUMBER:
            raise ValueError(f"deal number {number} is outside 0..{MAX_DEAL_NUMBER}")
        self.number = number

    def word(self, position: int) -> int:
        """The 64-bit word number `position`, counted from 0."""
        z = (self.number + (position + 1) * _GAMMA) & _MASK
        z = ((z ^ (z >> 30)) * _MIX_A) & _MASK
        z = ((z ^ (z >> 27)) * _MIX_B) & _MASK
        return z ^ (z >> 31)

    def shuffled(self, cards: Sequence[Card], position: int) -> tuple[list[Card], int]:
        """See `Stream`."""
        return _fisher_yates(cards, self.word, position)


class SecretStream:
    """The 64-bit little-endian words of SHAKE-256 over a 32-byte seed."""

    __slots__ = ("_words", "seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a secret seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        self._words: tuple[int, ...] = ()

    def word(self, position: int) -> int:
        """The 64-bit word number `position`, counted from 0."""
        if position >= len(self._words):
            count = max(_SECRET_CHUNK, 2 * (position + 1))
            self._words = struct.unpack(f"<{count}Q", hashlib.shake_256(self.seed).digest(8 * count))
        return self._words[position]

    def shuffled(self, cards: Sequence[Card], position: int) -> tuple[list[Card], int]:
        """See `Stream`."""
        return _fisher_yates(cards, self.word, position)

    def commitment(self) -> bytes:
        """SHA-256 of the seed: told before the reveal, so that the deal cannot be chosen afterwards."""
        return hashlib.sha256(self.seed).digest()


class Layout(NamedTuple):
    """One deal as it lies before the reveal. Lists run bottom to top; hands run by slot."""

    hands: list[list[Card]]
    draws: list[list[Card]]
    centre: list[Card]
    sides: list[list[Card]]
    out: list[Card]
    position: int


def fresh_deck(rules: Rules) -> list[Card]:
    """All cards of the rules, in the fixed order that every shuffle starts from."""
    return [*range(DECK * rules.decks), *range(FIRST_JOKER, FIRST_JOKER + rules.jokers)]


def lay_out(rules: Rules, stream: Stream) -> Layout:
    """Shuffle and hand out: every hand, every draw pile, one card a centre pile, every side pile."""
    cards, position = stream.shuffled(fresh_deck(rules), 0)
    at = 0

    def take(count: int) -> list[Card]:
        nonlocal at
        at += count
        return cards[at - count : at]

    hands = [take(rules.hand_size) for _ in range(rules.players)]
    draws = [take(rules.draw_size) for _ in range(rules.players)]
    centre = take(rules.piles)
    sides = [take(rules.side_size) for _ in range(rules.piles)]
    return Layout(hands, draws, centre, sides, cards[at:], position)


def _fisher_yates(cards: Sequence[Card], word: Callable[[int], int], position: int) -> tuple[list[Card], int]:
    """From the end; a word in the last, incomplete multiple of the bound is drawn again, so no order is favoured."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        bound = last + 1
        limit = _WORD - _WORD % bound
        drawn = word(position)
        position += 1
        while drawn >= limit:
            drawn = word(position)
            position += 1
        other = drawn % bound
        order[last], order[other] = order[other], order[last]
    return order, position
