"""What people settle before the first deal: the parameters of Speed.

`Rules` is a value. It says what fits on what and how the cards are handed out; it knows no table and no player.
Times are microseconds. Every deal must balance: `players * (hand + draw) + piles * (side + 1) + out` is the number of
cards. The named presets, and which parameters go together, are in `presets`.
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
MIN_IDLE_US: Final = 10 * SECOND_US
FREEZE_US: Final = 2 * SECOND_US
"""How long a player who called "Speed!" with cards left may not play."""
ASK_LIMIT_US: Final = 10 * SECOND_US
"""After so long a stuck table flips though somebody has not asked for it: refusing must not be a weapon."""

JokerMode = Literal["open", "declared"]
Reshuffle = Literal["pooled", "per_pile"]
Refill = Literal["auto", "manual"]
FlipTrigger = Literal["auto", "all_ready"]
FalseCall = Literal["none", "freeze", "cards"]


class Rules(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True, cache_hash=True):
    """The parameters of a match's deals. Build them with `presets.make_rules`, which checks that they go together."""

    players: Annotated[int, Meta(ge=2, le=4)] = 2
    decks: Annotated[int, Meta(ge=1, le=2)] = 1
    jokers: Annotated[int, Meta(ge=0, le=4)] = 0
    hand_size: Annotated[int, Meta(ge=1, le=10)] = 5
    draw_size: Annotated[int, Meta(ge=0, le=MAX_DRAW)] = 15
    piles: Annotated[int, Meta(ge=2, le=4)] = 2
    side_size: Annotated[int, Meta(ge=1, le=MAX_SIDE)] = 5
    out: Annotated[int, Meta(ge=0, le=3)] = 0
    wrap: bool = True
    same_rank: bool = False
    joker_mode: JokerMode = "open"
    reshuffle: Reshuffle = "pooled"
    tuck: bool = True
    refill: Refill = "auto"
    flip_trigger: FlipTrigger = "auto"
    call_speed: bool = False
    false_call: FalseCall = "freeze"
    flip_delay_us: Annotated[int, Meta(ge=0, le=5 * SECOND_US)] = SECOND_US
    min_play_gap_us: Annotated[int, Meta(ge=0, le=SECOND_US)] = 100_000
    beaten_window_us: Annotated[int, Meta(ge=0, le=2 * SECOND_US)] = 700_000
    call_window_us: Annotated[int, Meta(ge=SECOND_US // 2, le=5 * SECOND_US)] = 2 * SECOND_US
    idle_autoplay_us: Annotated[int, Meta(ge=0, le=60 * SECOND_US)] = 0
    match_target: Annotated[int, Meta(ge=0, le=500)] = 0
    best_of: Annotated[int, Meta(ge=0, le=99)] = 0

    @property
    def cards(self) -> int:
        """How many cards are in play, side piles and jokers included."""
        return DECK * self.decks + self.jokers

    @property
    def dealt(self) -> int:
        """How many cards the sizes take, those set aside (`out`) included."""
        return self.players * (self.hand_size + self.draw_size) + self.piles * (self.side_size + 1) + self.out

    @property
    def declared(self) -> bool:
        """Whether the player names the rank that a joker stands for."""
        return self.jokers > 0 and self.joker_mode == "declared"


@lru_cache(maxsize=64)
def fresh_deck(rules: Rules) -> tuple[Card, ...]:
    """All cards of the rules, in the fixed order that every shuffle starts from."""
    return (*range(DECK * rules.decks), *range(FIRST_JOKER, FIRST_JOKER + rules.jokers))


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
