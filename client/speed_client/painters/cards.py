"""Cards: filled paper with a block numeral, backs, and, in ASCII, a frame with the rank in two corners.

Suits do not count in Speed, so the rank is what must be read from the corner of the eye: numerals are five columns of
six half rows, and every two of the thirteen differ in at least four cells. Paper is coloured blanks, not frames: there
is nothing to misalign but the two corners.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from speed_client.painters.canvas import Block, Cell, cells
from speed_common.cards import (
    FIRST_JOKER,
    HIDDEN,
    NO_CARD,
    NO_RANK,
    RANK_NAMES,
    SUIT_NAMES,
    SUIT_SIGNS,
    Card,
    Rank,
    card_name,
    suit_of,
)

CARD_WIDTH: Final = 9
NARROW: Final = 7
CARD_HEIGHT: Final = 5
NUMERAL_WIDTH: Final = 7
NAME_WIDTH: Final = 3
RED_SUITS: Final = (1, 2)

NUMERALS: Final[dict[str, tuple[str, str, str]]] = {
    "A": ("▄▀▀▀▄", "█▄▄▄█", "█   █"),
    "2": ("▀▀▀▀▄", "▄▀▀▀ ", "█▄▄▄▄"),
    "3": ("▀▀▀▀▄", " ▀▀▀▄", "▄▄▄▄▀"),
    "4": ("█  █ ", "▀▀▀█▀", "   █ "),
    "5": ("█▀▀▀▀", "▀▀▀▀▄", "▀▄▄▄▀"),
    "6": (" ▄▀▀ ", "█▀▀▀▄", "▀▄▄▄▀"),
    "7": ("▀▀▀▀█", "  ▄▀ ", "  █  "),
    "8": ("▄▀▀▀▄", "█▀▀▀█", "▀▄▄▄▀"),
    "9": ("▄▀▀▀▄", "▀▄▄▄█", " ▄▄▄▀"),
    "10": ("█ ▄▀▀▀▄", "█ █   █", "█ ▀▄▄▄▀"),
    "J": ("  ▀█▀", "   █ ", "▀▄▄▀ "),
    "Q": ("▄▀▀▀▄", "█ ▄ █", "▀▄▄▀▄"),
    "K": ("█  ▄▀", "█▀▀▄ ", "█   █"),
    "*": ("▄ ▄ ▄", " ▀█▀ ", "▀ ▀ ▀"),
}

DIGITS: Final = ((" ▄█  ", "  █  ", " ▄█▄ "), NUMERALS["2"], NUMERALS["3"])


def rank_name(card: Card) -> str:
    """The rank alone, as it stands large on the paper; `*` for a joker."""
    return "*" if card >= FIRST_JOKER else RANK_NAMES[card % len(RANK_NAMES)]


def ink(card: Card) -> str:
    """The ending of the style names for this card's suit."""
    return "red" if card < FIRST_JOKER and suit_of(card) in RED_SUITS else "dark"


def short_name(card: Card) -> str:
    """`9♠`, as it stands in a corner and in sentences."""
    return card_name(card, signs=True)


@lru_cache(maxsize=1024)
def face(card: Card, width: int, height: int, *, ascii_only: bool, flash: bool = False, named: Rank = NO_RANK) -> Block:
    """A card face up. Heights below five have no numeral, only the name in the middle.

    `named` is the rank that a joker stands for: what counts is shown large, and that it is a joker in the corner.
    """
    if ascii_only:
        return _framed(card, width, height, flash=flash, named=named)
    plain, strong = ("flash", f"flash-{ink(card)}") if flash else ("paper", f"paper-{ink(card)}")
    rows: list[list[Cell]] = [[(" ", plain)] * width for _ in range(height)]
    name = cells(f"★{RANK_NAMES[named]}" if named != NO_RANK else short_name(card), strong)
    if height < CARD_HEIGHT:
        x = (width - len(name)) // 2
        rows[height // 2][x : x + len(name)] = name
        return rows
    numeral = NUMERALS[RANK_NAMES[named] if named != NO_RANK else rank_name(card)]
    x = (width - NUMERAL_WIDTH) // 2
    for down, part in enumerate(numeral, start=1):
        # Blanks in and beside the numeral take its style too: on the wire a change of style costs more than a cell.
        rows[down][x : x + NUMERAL_WIDTH] = [(char, strong) for char in part.center(NUMERAL_WIDTH)]
    rows[-1][:NAME_WIDTH] = [(" ", strong)] * NAME_WIDTH
    rows[-1][: len(name)] = name
    if card < FIRST_JOKER:
        rows[-1][-1] = (SUIT_SIGNS[suit_of(card)], strong)
    return rows


def _framed(card: Card, width: int, height: int, *, flash: bool, named: Rank) -> Block:
    frame, strong = ("flash", f"flash-{ink(card)}") if flash else ("box", f"box-{ink(card)}")
    rank = rank_name(card) if named == NO_RANK else f"*{RANK_NAMES[named]}"
    suit = SUIT_NAMES[suit_of(card)] if card < FIRST_JOKER else ""
    if height < CARD_HEIGHT:
        body = f"[{(rank + suit).center(width - 2)}]"
        rows = [cells(" " * width, frame)] * height
        rows[height // 2] = tuple((char, strong if char.isalnum() else frame) for char in body)
        return rows
    inner = width - 2
    edge = f"+{'-' * inner}+"
    lines = [edge, f"|{f' {rank}'.ljust(inner)}|", f"|{suit.center(inner)}|", f"|{f'{rank} '.rjust(inner)}|", edge]
    return [tuple((char, strong if char.isalnum() or char == "*" else frame) for char in line) for line in lines]


@lru_cache(maxsize=64)
def back(width: int, height: int, *, ascii_only: bool, sign: str = "▒", style: str = "back") -> Block:
    """A card's back."""
    return [[("#" if ascii_only else sign, style)] * width for _ in range(height)]


@lru_cache(maxsize=256)
def sent(card: Card, width: int, height: int, *, ascii_only: bool) -> Block:
    """What stands where a card left the hand, until the server answers."""
    name = card_name(card) if ascii_only else short_name(card)
    rows: list[tuple[Cell, ...]] = [cells(" " * width)] * height
    middle = height // 2
    rows[middle] = cells(name.center(width) if height > 1 else f"({name})".center(width), "sent")
    if height > 1:
        rows[middle + 1] = cells("sent".center(width), "sent")
    return rows


def any_card(
    card: Card, width: int, height: int, *, ascii_only: bool, flash: bool = False, named: Rank = NO_RANK
) -> Block:
    """A card as its holder sees it: face, back, or nothing."""
    if card == NO_CARD:
        return []
    if card == HIDDEN:
        return back(width, height, ascii_only=ascii_only)
    return face(card, width, height, ascii_only=ascii_only, flash=flash, named=named)
