"""What lies on the reference's table and what can be seen of it; nothing here changes anything."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.reference.slow_deck import ACE, JOKER, KING, Card, Laid, Parameters, Shuffler

DEALT, PLAYING, STUCK, WAITING, CALLING, OVER = "dealt", "playing", "stuck", "waiting", "calling", "over"

Happened = tuple[Any, ...]


class Top(NamedTuple):
    """What lies on a centre pile, and the rank that was named for it if it is a declared joker that was played."""

    card: Card
    named: int | None


class Change(NamedTuple):
    """One change of a top: when, by whose play (`None` for a flip), from what to what."""

    at: int
    by: int | None
    before: Top
    after: Top


class SlowState:
    """One deal as it lies. All of it is in the open: read it, and lay tests by setting it."""

    def __init__(self, how: Parameters, laid: Laid, shuffler: Shuffler) -> None:
        self.how = how
        self.shuffler = shuffler
        self.hands = [list(hand) for hand in laid.hands]
        self.draws = [list(pile) for pile in laid.draws]
        self.centre = [list(pile) for pile in laid.centre]
        self.sides = [list(pile) for pile in laid.sides]
        self.out = list(laid.out)
        self.named: list[int | None] = [None] * how.piles
        self.changes: list[list[Change]] = [[] for _ in range(how.piles)]
        self.phase = DEALT
        self.due: int | None = None
        self.gone: set[int] = set()
        self.asked: set[int] = set()
        self.caller: int | None = None
        self.caught_at: int | None = None
        self.frozen_until = [0] * how.players
        self.played_since_filling = False
        self.tucked_since_filling = False
        self.barren_passes = 0
        self.winner: int | None = None
        self.score = 0
        self.happened: list[Happened] = []

    def held(self, player: int) -> list[Card]:
        """The cards in a player's hand."""
        return [card for card in self.hands[player] if card is not None]

    def left(self, player: int) -> int:
        """How many cards a player has still to shed."""
        return len(self.held(player)) + len(self.draws[player])

    def remaining(self) -> list[int]:
        return [player for player in range(self.how.players) if player not in self.gone]

    def tops(self) -> list[Top]:
        return [Top(pile[-1], named) for pile, named in zip(self.centre, self.named, strict=True)]

    def neighbours(self, rank: int, other: int) -> bool:
        """Whether one rank may lie on the other."""
        if rank == other:
            return self.how.same_rank
        if {rank, other} == {ACE, KING}:
            return self.how.wrap
        return abs(rank - other) == 1

    def fits(self, card: Card, top: Top, named: int | None = None) -> bool:
        """Whether a card may be played on a top; `named` is the rank that the player says for a declared joker."""
        if self.is_declared(card) and named is not None:
            rank = named
        elif card.rank == JOKER:
            return True
        else:
            rank = card.rank
        stands_for = top.named if top.card.rank == JOKER else top.card.rank
        return stands_for is None or self.neighbours(rank, stands_for)

    def is_declared(self, card: Card) -> bool:
        return card.rank == JOKER and self.how.joker_mode == "declared"

    def can_play(self, player: int) -> bool:
        return any(self.fits(card, top) for card in self.held(player) for top in self.tops())

    def can_draw(self, player: int) -> bool:
        """Whether a player may take a card by hand."""
        return self.how.refill == "manual" and None in self.hands[player] and bool(self.draws[player])

    def everything(self) -> list[Card]:
        """All cards, sorted: the same at every moment of the deal."""
        heaps = [*self.draws, *self.centre, *self.sides, self.out, *(self.held(p) for p in range(self.how.players))]
        return sorted(card for heap in heaps for card in heap)
