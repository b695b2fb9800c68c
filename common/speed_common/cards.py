"""Cards as small integers, and the two marks that stand where a card is not.

A card is its number in a fresh deck: clubs, diamonds, hearts, spades, each ace to king, 0..51; the second deck follows
at 52..103 and jokers at 104..107. So `card % 13` is the rank of every card but a joker, one byte holds any card on the
wire, and a set of cards is the bits of one integer.

`NO_CARD` says that a place is empty, `HIDDEN` that a card lies there which this viewer may not see. They are two
different facts and never stand for each other.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Card: TypeAlias = int
Rank: TypeAlias = int

NO_CARD: Final = -1
HIDDEN: Final = -2
NO_RANK: Final = -1

RANKS: Final = 13
DECK: Final = 52
FIRST_JOKER: Final = 104
JOKERS: Final = 4
CARD_KINDS: Final = FIRST_JOKER + JOKERS

# A card's place in a set of cards. The marks are in no set: BITS[NO_CARD] == BITS[HIDDEN] == 0.
BITS: Final = (*(1 << card for card in range(CARD_KINDS)), 0, 0)

ACE, TWO, JACK, QUEEN, KING = 0, 1, 10, 11, 12

RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUIT_NAMES: Final = ("C", "D", "H", "S")
SUIT_SIGNS: Final = ("♣", "♦", "♥", "♠")

_CARD = re.compile(r"(10|[A2-9TJQK])([CDHS♣♦♥♠])")


def rank_of(card: Card) -> Rank:
    """The rank 0 (ace) .. 12 (king) of a card; `NO_RANK` for a joker, a hidden card or none."""
    return card % RANKS if 0 <= card < FIRST_JOKER else NO_RANK


def suit_of(card: Card) -> int:
    """The suit 0..3 (clubs, diamonds, hearts, spades) of a card that is no joker."""
    return (card // RANKS) % len(SUIT_NAMES)


def is_joker(card: Card) -> bool:
    """Whether the card is a joker."""
    return card >= FIRST_JOKER


def card_name(card: Card, *, signs: bool = False) -> str:
    """`9S`, `10H`, `*1` for the first joker, `--` for no card, `??` for a hidden one; with `signs`, `9♠`."""
    if card == NO_CARD:
        return "--"
    if card == HIDDEN:
        return "??"
    if is_joker(card):
        return f"{'★' if signs else '*'}{card - FIRST_JOKER + 1}"
    return RANK_NAMES[card % RANKS] + (SUIT_SIGNS if signs else SUIT_NAMES)[suit_of(card)]


def parse_card(text: str) -> Card:
    """The card of the first deck that `text` names (`9S`, `TD`, `10♥`, `*2`).

    Raises `ValueError` when it names none.
    """
    word = text.strip().upper()
    if word[:1] in {"*", "★"} and word[1:] in {"1", "2", "3", "4"}:
        return FIRST_JOKER + int(word[1:]) - 1
    found = _CARD.fullmatch(word)
    if found is None:
        raise ValueError(f"no card is named {text!r}: write rank and suit, as 9S or 10H")
    rank = RANK_NAMES.index("10" if found[1] == "T" else found[1])
    suit = SUIT_NAMES.index(found[2]) if found[2] in SUIT_NAMES else SUIT_SIGNS.index(found[2])
    return suit * RANKS + rank
