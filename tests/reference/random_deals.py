"""Random legal parameters and random play, sensible and not, drawn from what lies on the reference's table."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from tests.reference.slow_deck import Card, Parameters
from tests.reference.slow_speed import SlowTable
from tests.reference.slow_state import CALLING, DEALT, PLAYING, STUCK

MOST_DRAW, MOST_SIDE = 50, 30
DRY = 0.12
STEPS = (0, 0, 1, 1_000, 40_000, 150_000, 400_000, 900_000)
RANK_NUMBERS = range(1, 14)


class Step(NamedTuple):
    """One request: its word, and what the word needs; `card`, `pile` and `named` only with `play`."""

    word: str
    player: int
    at: int
    card: Card | None = None
    pile: int | None = None
    named: int | None = None


def random_parameters(random: Random) -> Parameters:
    """Any legal parameters: sizes that balance, and every switch either way."""
    how = _random_switches(_random_sizes(random), random)
    return _dry(how, random) if random.random() < DRY else how


def _dry(how: Parameters, random: Random) -> Parameters:
    """Small hands and few cards on the table: hardly anything fits, and there are many tucks and some void deals."""
    hand_size, side_size = random.randint(1, 3), random.randint(1, 2)
    small: dict[str, Any] = {
        "players": 2,
        "decks": 1,
        "jokers": 0,
        "piles": 2,
        "out": 0,
        "joker_mode": "open",
        "same_rank": False,
    }
    sizes: dict[str, Any] = {"hand_size": hand_size, "side_size": side_size, "draw_size": 25 - side_size - hand_size}
    return replace(how, **small, **sizes)


def _random_sizes(random: Random) -> Parameters:
    while True:
        players = random.choice([2, 2, 2, 2, 3, 3, 4])
        decks = random.choice([1, 2]) if players == 2 else random.choice([1, 2, 2])
        jokers = random.choice([0, 0, 0, 1, 2, 2, 3, 4])
        piles = random.choice([2, 2, 2, 3, 4])
        hand_size = random.choice([1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9, 10])
        draw_size = random.randint(0, min(MOST_DRAW, (52 * decks + jokers) // players))
        rest = 52 * decks + jokers - players * (hand_size + draw_size)
        side_size, out = rest // piles - 1, rest % piles
        if 1 <= side_size <= MOST_SIDE:
            return Parameters(players, decks, jokers, hand_size, draw_size, piles, side_size, out)


def _random_switches(sizes: Parameters, random: Random) -> Parameters:
    call_speed = random.random() < 0.4
    return replace(
        sizes,
        wrap=random.random() < 0.5,
        same_rank=random.random() < 0.3,
        joker_mode=random.choice(["open", "declared"]) if sizes.jokers else "open",
        reshuffle=random.choice(["pooled", "pooled", "per_pile"]),
        tuck=random.random() < 0.7,
        refill=random.choice(["auto", "auto", "manual"]),
        flip_trigger=random.choice(["auto", "auto", "all_ready"]),
        flip_delay=random.choice([0, 500_000, 1_000_000]),
        beaten_window=random.choice([0, 200_000, 700_000, 700_000, 2_000_000]),
        call_speed=call_speed,
        call_window=random.choice([500_000, 2_000_000]),
        false_call=random.choice(["none", "freeze", "cards"]) if call_speed else "freeze",
    )


class Players:
    """Everybody round one table; they see all of it, so that they can be wrong on purpose."""

    def __init__(self, table: SlowTable, random: Random) -> None:
        self.table = table
        self.random = random
        self.at = 0
        self.sense = random.choice([0.97, 0.9, 0.7])
        self.leaving = random.choice([0, 0, 0.001, 0.01]) * (table.how.players - 1)
        self.false_calls = random.choice([0, 0.002, 0.02])
        self.lateness = random.choice([0, 0, 0.05])

    def next(self) -> Step:
        """The next request."""
        table, random = self.table, self.random
        self.at += random.choice(STEPS)
        if table.phase == CALLING and table.due is not None:
            self.at = min(self.at, table.due)  # the server lets the window end before it looks at what came later
        at = self.at
        player = random.randrange(table.how.players)
        if table.phase != DEALT and random.random() < self.leaving:
            return Step("leave", player, at)
        if random.random() < self.false_calls:
            return Step("call", player, at)
        if random.random() < self.sense:
            return self._sensible(at)
        return self._nonsense(player, at)

    def _sensible(self, at: int) -> Step:
        table, random = self.table, self.random
        if table.phase == DEALT:
            return Step("reveal", 0, 0)
        if table.phase == PLAYING:
            return self._draw(at) if random.random() < 0.3 and self._drawers() else self._play(at)
        if table.phase == CALLING and random.random() < 0.5:
            return Step("call", random.choice(table.remaining()), at)
        if table.phase == STUCK and table.how.flip_trigger == "all_ready" and random.random() < 0.8:
            return Step("ask", random.choice(table.remaining()), at)
        if self._drawers() and random.random() < 0.5:
            return self._draw(at)
        if random.random() < 0.2:
            return self._beaten(at)
        self.at = max(at, table.due or 0)
        if table.phase != CALLING:
            self.at += random.choice([0, 0, 0, 7, 20_000])
        return Step("due", 0, self.at)

    def _drawers(self) -> list[int]:
        return [player for player in self.table.remaining() if self.table.can_draw(player)]

    def _draw(self, at: int) -> Step:
        return Step("draw", self.random.choice(self._drawers()), at)

    def _play(self, at: int) -> Step:
        table, random = self.table, self.random
        if random.random() < 0.1:
            return self._beaten(at)
        able = [player for player in table.remaining() if table.can_play(player)]
        player = random.choice(able)
        ways = [
            (card, pile)
            for card in table.held(player)
            for pile, top in enumerate(table.tops())
            if table.fits(card, top)
        ]
        card, pile = random.choice(ways)
        named = random.choice([None, None, random.choice(RANK_NUMBERS)]) if card.rank == 0 else None
        return Step("play", player, at, card, random.choice([pile, None]), named)

    def _beaten(self, at: int) -> Step:
        """A card that fitted some time ago."""
        table, random = self.table, self.random
        if random.random() < self.lateness:
            at = max(0, at - random.choice([1, 50_000, 300_000]))
        ways = [
            (player, card, pile)
            for player in table.remaining()
            for card in table.held(player)
            for pile, changes in enumerate(table.changes)
            if any(table.fits(card, change.before) for change in changes[-3:])
        ]
        if not ways:
            return self._nonsense(random.choice(table.remaining()), at)
        player, card, pile = random.choice(ways)
        named = random.choice([None, *RANK_NUMBERS]) if card.rank == 0 else None
        return Step("play", player, at, card, random.choice([pile, None]), named)

    def _nonsense(self, player: int, at: int) -> Step:
        table, random = self.table, self.random
        word = random.choice(["play", "play", "play", "draw", "due", "ask", "call", "reveal"])
        if word == "call" and random.random() < 0.8:
            word = "play"
        if word != "play":
            return Step(word, player, 0 if word == "reveal" else at)
        cards = random.choice([table.held(player), table.held(player), table.everything()]) or table.everything()
        pile = random.choice([None, *range(table.how.piles)])
        named = random.choice([None, None, *RANK_NUMBERS])
        return Step("play", player, at, random.choice(cards), pile, named)
