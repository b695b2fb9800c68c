"""What people settle before the first deal: the parameters of Speed, their presets, and which go together.

`Rules` is a value. It says what fits on what and how the cards are handed out; it knows no table and no player.
Times are microseconds. Every deal must balance: `players * (hand + draw) + piles * (side + 1) + out` is the number of
cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from speed_common.cards import ACE, BITS, CARD_KINDS, DECK, FIRST_JOKER, KING, RANKS, Card, Rank, is_joker

SECOND_US: Final = 1_000_000
MAX_DRAW: Final = 50
MAX_SIDE: Final = 30
MIN_TARGET: Final = 5

JokerMode = Literal["open", "declared"]
Reshuffle = Literal["pooled", "per_pile"]
Refill = Literal["auto", "manual"]


class RulesError(ValueError):
    """Parameters that do not go together; the text names the rule and the nearest legal choice."""


class Rules(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The parameters of one deal. Build them with `make_rules`, which also checks that they go together."""

    players: Annotated[int, Meta(ge=2, le=2)] = 2
    decks: Annotated[int, Meta(ge=1, le=1)] = 1
    jokers: Annotated[int, Meta(ge=0, le=4)] = 0
    hand_size: Annotated[int, Meta(ge=1, le=10)] = 5
    draw_size: Annotated[int, Meta(ge=0, le=MAX_DRAW)] = 15
    piles: Annotated[int, Meta(ge=2, le=4)] = 2
    side_size: Annotated[int, Meta(ge=1, le=MAX_SIDE)] = 5
    wrap: bool = True
    same_rank: bool = False
    joker_mode: JokerMode = "open"
    reshuffle: Reshuffle = "pooled"
    tuck: bool = True
    refill: Refill = "auto"
    flip_delay_us: Annotated[int, Meta(ge=0, le=5 * SECOND_US)] = SECOND_US
    min_play_gap_us: Annotated[int, Meta(ge=0, le=SECOND_US)] = 100_000
    beaten_window_us: Annotated[int, Meta(ge=0, le=2 * SECOND_US)] = 700_000
    match_target: Annotated[int, Meta(ge=0, le=500)] = 0

    @property
    def cards(self) -> int:
        """How many cards are in play, side piles and jokers included."""
        return DECK * self.decks + self.jokers

    @property
    def declared(self) -> bool:
        """Whether the player names the rank that a joker stands for."""
        return self.jokers > 0 and self.joker_mode == "declared"


PRESETS: Final[dict[str, dict[str, int]]] = {
    "us": {"hand_size": 5, "draw_size": 15, "side_size": 5},
    "pagat": {"hand_size": 5, "draw_size": 10, "side_size": 10},
}


@lru_cache(maxsize=64)
def fresh_deck(rules: Rules) -> tuple[Card, ...]:
    """All cards of the rules, in the fixed order that every shuffle starts from."""
    return (*range(DECK * rules.decks), *range(FIRST_JOKER, FIRST_JOKER + rules.jokers))


def make_rules(preset: str = "us", **changes: int | bool | str | None) -> Rules:
    """The rules of a preset with some parameters changed, checked together.

    A changed hand keeps the cards that a player sheds (20, pagat 15) unless `draw_size` is given too; jokers go to the
    draw piles unless the sizes are given. `None` leaves a parameter as the preset has it. Times in microseconds.

    Raises `RulesError` when a parameter is unknown, out of range, or does not go with the others.
    """
    if preset not in PRESETS:
        raise RulesError(f"no rules are called {preset!r}: choose {', '.join(PRESETS)}")
    given = {name: value for name, value in changes.items() if value is not None}
    values: dict[str, object] = {**PRESETS[preset], **given}
    shed = PRESETS[preset]["hand_size"] + PRESETS[preset]["draw_size"]
    if "draw_size" not in given:
        hand = values["hand_size"]
        extra = values.get("jokers", 0) if "side_size" not in given else 0
        if isinstance(hand, int) and isinstance(extra, int):
            values["draw_size"] = max(0, shed - hand + extra // 2)
    try:
        rules = msgspec.convert(values, Rules)
    except msgspec.ValidationError as error:
        raise RulesError(f"the rules do not allow this: {error}") from None
    check(rules)
    return rules


def check(rules: Rules) -> None:
    """Raise `RulesError` unless the parameters go together, as the balance equation and its neighbours ask."""
    dealt = rules.players * (rules.hand_size + rules.draw_size) + rules.piles * (rules.side_size + 1)
    if dealt != rules.cards:
        sizes = f"hand {rules.hand_size}, draw {rules.draw_size}, {rules.piles} piles of side {rules.side_size}"
        raise RulesError(
            f"{sizes} deal {dealt} cards, the deck has {rules.cards}: {_nearest_balance(rules)} would balance"
        )
    if rules.joker_mode == "declared" and not rules.jokers:
        raise RulesError("joker_mode declared needs jokers: give 2 or 4 of them, or leave it out")
    if 0 < rules.match_target < MIN_TARGET:
        raise RulesError(
            f"a match to {rules.match_target} points is too short: 0 is a single deal, {MIN_TARGET} the least"
        )


def _nearest_balance(rules: Rules) -> str:
    for draw in sorted(range(MAX_DRAW + 1), key=lambda draw: abs(draw - rules.draw_size)):
        rest = rules.cards - rules.players * (rules.hand_size + draw) - rules.piles
        if rest % rules.piles == 0 and 1 <= rest // rules.piles <= MAX_SIDE:
            return f"draw {draw} with side {rest // rules.piles}"
    return "no deal of this hand"


@lru_cache(maxsize=64)
def fits(rules: Rules) -> tuple[int, ...]:
    """For each card, as a top, the set (bits by card) of the cards in play that may go on it.

    Neighbouring ranks, ace and king too when `wrap` is on, the same rank when `same_rank` is on. A joker goes on
    everything, and everything goes on a joker that stands for no rank.
    """
    everything = as_card_set(fresh_deck(rules))
    return tuple(everything if top >= FIRST_JOKER else fits_rank(rules, top % RANKS) for top in range(CARD_KINDS))


@lru_cache(maxsize=1024)
def fits_rank(rules: Rules, rank: Rank) -> int:
    """The set of cards in play that may go on a top of this rank, or on a joker that stands for it."""
    return as_card_set(card for card in fresh_deck(rules) if is_joker(card) or _neighbours(rules, card % RANKS, rank))


def _neighbours(rules: Rules, rank: Rank, other: Rank) -> bool:
    step = abs(rank - other)
    return step == 1 or (rules.wrap and step == KING - ACE) or (rules.same_rank and step == 0)


def rank_fits(rules: Rules, rank: Rank, on: Rank) -> bool:
    """Whether a card of `rank` may go on a top of rank `on`."""
    return _neighbours(rules, rank, on)


def as_card_set(cards: Iterable[Card]) -> int:
    """The cards as the bits of one integer; marks (`NO_CARD`, `HIDDEN`) are left out."""
    found = 0
    for card in cards:
        found |= BITS[card]
    return found
