"""A second, slow reading of how the deck is made, shuffled and handed out; it shares no code with the real one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

JOKER = 0
ACE, KING = 1, 13
_WORD = 2**64


class Card(NamedTuple):
    """One card: rank 1 (ace) to 13 (king), or 0 for a joker; suit C D H S, or * for a joker; which deck, or joker."""

    rank: int
    suit: str
    copy: int


class Shuffler(Protocol):
    """Whatever can shuffle a row of cards, again and again."""

    def shuffled(self, row: list[Card]) -> list[Card]: ...


@dataclass
class Parameters:
    """Everything that the host may choose about one deal; times in microseconds."""

    players: int = 2
    decks: int = 1
    jokers: int = 0
    hand_size: int = 5
    draw_size: int = 15
    piles: int = 2
    side_size: int = 5
    out: int = 0
    wrap: bool = True
    same_rank: bool = False
    joker_mode: str = "open"
    reshuffle: str = "pooled"
    tuck: bool = True
    refill: str = "auto"
    flip_trigger: str = "auto"
    flip_delay: int = 1_000_000
    beaten_window: int = 700_000
    call_speed: bool = False
    call_window: int = 2_000_000
    false_call: str = "freeze"


@dataclass
class Laid:
    """Cards as they lie: hands by slot, every pile from the bottom to the top."""

    hands: list[list[Card | None]]
    draws: list[list[Card]]
    centre: list[list[Card]]
    sides: list[list[Card]]
    out: list[Card] = field(default_factory=list)


class SplitMix64:
    """The generator of coded deals, and the Fisher-Yates that it feeds."""

    def __init__(self, number: int) -> None:
        self.state = number % _WORD

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % _WORD
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % _WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % _WORD
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        fair = _WORD - _WORD % bound
        while True:
            number = self.next()
            if number < fair:
                return number % bound

    def shuffled(self, row: list[Card]) -> list[Card]:
        row = list(row)
        last = len(row) - 1
        while last > 0:
            other = self.below(last + 1)
            row[last], row[other] = row[other], row[last]
            last -= 1
        return row


def fresh_deck(decks: int, jokers: int) -> list[Card]:
    deck = [Card(rank, suit, copy) for copy in range(decks) for suit in "CDHS" for rank in range(ACE, KING + 1)]
    return deck + [Card(JOKER, "*", number) for number in range(jokers)]


def hand_out(how: Parameters, order: list[Card]) -> Laid:
    """Lay the deal whose cards come in this order; what is over is out of play."""
    rest = list(order)

    def take(count: int) -> list[Card]:
        taken = rest[:count]
        del rest[:count]
        return taken

    hands: list[list[Card | None]] = [[*take(how.hand_size)] for _ in range(how.players)]
    draws = [take(how.draw_size) for _ in range(how.players)]
    centre = [take(1) for _ in range(how.piles)]
    sides = [take(how.side_size) for _ in range(how.piles)]
    if len(rest) != how.out:
        raise ValueError(f"{len(rest)} cards are over, {how.out} should be: {how!r}")
    return Laid(hands, draws, centre, sides, rest)


def deal_number(code: str) -> int:
    """The number that the six characters of a game code stand for."""
    return int(code, 36)
