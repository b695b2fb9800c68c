"""Words for the reference's tests: a table laid by hand, in the notation of the rules."""

from __future__ import annotations

from typing import Any

from tests.reference.slow_deck import JOKER, Card, Laid, Parameters
from tests.reference.slow_speed import Outcome, Refused, SlowTable

NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")


class KeepOrder:
    """A shuffler that shuffles nothing."""

    def shuffled(self, row: list[Card]) -> list[Card]:
        return list(row)


def card(word: str) -> Card:
    """`8H`, `TD`; `*1` is a joker."""
    if word[0] == "*":
        return Card(JOKER, "*", int(word[1:]) - 1)
    return Card(NAMES.index(word[0]) + 1, word[1], 0)


def name(one: Card | None) -> str:
    if one is None:
        return "--"
    return f"*{one.copy + 1}" if one.rank == JOKER else NAMES[one.rank - 1] + one.suit


def cards(text: str) -> list[Card]:
    return [card(word) for word in text.split()]


def names(some: list[Card] | list[Card | None]) -> str:
    return " ".join(name(one) for one in some)


def suited(*rows: str) -> list[str]:
    """Rows of bare ranks with suits given in the order of their coming, so that no card is twice."""
    used = dict.fromkeys(NAMES, 0)
    done = []
    for row in rows:
        words = []
        for rank in row.split():
            words.append(rank + "CDHS"[used[rank]])
            used[rank] += 1
        done.append(" ".join(words))
    return done


def us(seconds: float) -> int:
    return round(seconds * 1_000_000)


class Game:
    """A laid and revealed table whose operations take words and seconds."""

    def __init__(
        self,
        hands: tuple[str, ...],
        centre: tuple[str, ...],
        draws: tuple[str, ...] = (),
        sides: tuple[str, ...] = ("3C", "3S"),
        **how: Any,
    ) -> None:
        how.setdefault("hand_size", max(len(hand.split()) for hand in hands))
        how.setdefault("players", len(hands))
        how.setdefault("piles", len(centre))
        size = how["hand_size"]
        rows: list[list[Card | None]] = [[*cards(hand), *[None] * (size - len(hand.split()))] for hand in hands]
        piles = [cards(draw) for draw in draws] or [[] for _ in hands]
        laid = Laid(rows, piles, [cards(pile) for pile in centre], [cards(side) for side in sides])
        self.table = SlowTable(Parameters(**how), laid, KeepOrder())
        self.revealed = self.table.reveal()

    def play(
        self, player: int, word: str, pile: int | None = None, at: float = 1.0, named: str | None = None
    ) -> Outcome:
        rank = None if named is None else NAMES.index(named) + 1
        return self.table.play(player, card(word), pile, rank, us(at))

    def due(self, at: float) -> Outcome:
        return self.table.due_now(us(at))

    def draw(self, player: int, at: float) -> Outcome:
        return self.table.draw(player, us(at))

    def call(self, player: int, at: float) -> Outcome:
        return self.table.call(player, us(at))

    def ask(self, player: int, at: float) -> Outcome:
        return self.table.ask_flip(player, us(at))

    def leave(self, player: int, at: float) -> Outcome:
        return self.table.leave(player, us(at))

    def hand(self, player: int) -> str:
        return names(self.table.hands[player])

    def pile(self, player: int) -> str:
        return names(self.table.draws[player])

    def tops(self) -> str:
        return " ".join(name(top.card) for top in self.table.tops())

    def side(self, pile: int) -> str:
        return names(self.table.sides[pile])


def ok(outcome: Outcome) -> bool:
    return not isinstance(outcome, Refused)


def beaten(late: float, by: int, pile: int) -> Refused:
    return Refused("beaten", us(late), by, pile)


ILLEGAL = Refused("illegal")
IS_OVER = Refused("deal_over")
