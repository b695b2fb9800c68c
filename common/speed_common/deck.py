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
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from speed_common.cards import CARD_KINDS, Card
from speed_common.rules import Rules, fresh_deck

_WORD: Final = 1 << 64
_MASK: Final = _WORD - 1
_GAMMA: Final = 0x9E3779B97F4A7C15
_MIX_A: Final = 0xBF58476D1CE4E5B9
_MIX_B: Final = 0x94D049BB133111EB

# How many words are made at once: a deal of 52 cards takes 51, and one more in 10^17 deals.
_LANES: Final = 52
_ONES: Final = sum(1 << 128 * lane for lane in range(_LANES))
_LOW: Final = _MASK * _ONES
_STEPS: Final = sum(((lane + 1) * _GAMMA & _MASK) << 128 * lane for lane in range(_LANES))
_UNPACK: Final = struct.Struct("<" + "Q8x" * _LANES).unpack

# For each last place, the first word that would favour some places: the greatest multiple of `last + 1` in a word.
_LIMITS: Final = tuple(_WORD - _WORD % (last + 1) for last in range(CARD_KINDS))

MAX_DEAL_NUMBER: Final = 36**6 - 1
SEED_BYTES: Final = 32


class Stream(Protocol):
    """An endless row of cards' order: shuffling from `position` gives the cards and the position after."""

    def shuffled(self, cards: Sequence[Card], position: int) -> tuple[list[Card], int]:
        """A new list in shuffled order, and how many words of the stream are used up after it."""
        ...


class _WordStream:
    """A stream that fetches its words by the chunk and shuffles with them."""

    __slots__ = ("_words",)

    def __init__(self) -> None:
        self._words: tuple[int, ...] = ()

    def _first(self, count: int) -> tuple[int, ...]:
        """At least the first `count` words."""
        raise NotImplementedError

    def word(self, position: int) -> int:
        """The 64-bit word number `position`, counted from 0."""
        if position >= len(self._words):
            self._words = self._first(max(2 * len(self._words), position + 1))
        return self._words[position]

    def shuffled(self, cards: Sequence[Card], position: int) -> tuple[list[Card], int]:
        """See `Stream`. Fisher-Yates from the end.

        A word in the last, incomplete multiple of the bound is drawn again, so that no order is favoured.
        """
        order = list(cards)
        needed = position + len(order) - 1
        if needed > len(self._words):
            self.word(needed - 1)
        words = self._words
        for last in range(len(order) - 1, 0, -1):
            drawn = words[position]
            position += 1
            while drawn >= _LIMITS[last]:
                drawn = self.word(position)
                words = self._words
                position += 1
            other = drawn % (last + 1)
            order[last], order[other] = order[other], order[last]
        return order, position


class CodeStream(_WordStream):
    """SplitMix64 seeded with a deal number: word n mixes `number + (n + 1) * gamma`.

    Many words are mixed at once, as lanes of one long integer. A lane has 128 bits, so the product of two 64-bit
    numbers stays inside its own; what a shift carries in from the next lane is masked away.
    """

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        if not 0 <= number <= MAX_DEAL_NUMBER:
            raise ValueError(f"deal number {number} is outside 0..{MAX_DEAL_NUMBER}")
        super().__init__()
        self.number = number

    def _first(self, count: int) -> tuple[int, ...]:
        chunks = -(-count // _LANES)
        words = self._words
        for chunk in range(len(words) // _LANES, chunks):
            start = (self.number + chunk * _LANES * _GAMMA) & _MASK
            z = (start * _ONES + _STEPS) & _LOW
            z = ((z ^ (z >> 30 & _LOW)) * _MIX_A) & _LOW
            z = ((z ^ (z >> 27 & _LOW)) * _MIX_B) & _LOW
            z ^= z >> 31 & _LOW
            words += _UNPACK(z.to_bytes(16 * _LANES, "little"))
        return words


class SecretStream(_WordStream):
    """The 64-bit little-endian words of SHAKE-256 over a 32-byte seed."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a secret seed has {SEED_BYTES} bytes, not {len(seed)}")
        super().__init__()
        self.seed = seed

    def _first(self, count: int) -> tuple[int, ...]:
        count = max(count, _LANES)
        return struct.unpack(f"<{count}Q", hashlib.shake_256(self.seed).digest(8 * count))

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


def lay_out(rules: Rules, stream: Stream) -> Layout:
    """Shuffle and hand out: every hand, every draw pile, one card a centre pile, every side pile."""
    cards, position = stream.shuffled(fresh_deck(rules), 0)
    sizes = [rules.hand_size] * rules.players + [rules.draw_size] * rules.players + [rules.piles]
    sizes += [rules.side_size] * rules.piles
    heaps, at = [], 0
    for size in sizes:
        heaps.append(cards[at : at + size])
        at += size
    draws, centre = rules.players, 2 * rules.players
    return Layout(heaps[:draws], heaps[draws:centre], heaps[centre], heaps[centre + 1 :], cards[at:], position)
