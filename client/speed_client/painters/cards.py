"""Cards: filled paper with a block numeral, backs, and, in ASCII, a frame with the rank in two corners.

Suits do not count in Speed, so the rank is what must be read from the corner of the eye: numerals are five columns of
six half rows, and every two of the thirteen differ in at least four cells. Paper is coloured blanks, not frames: there
is nothing to misalign but the two corners.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from speed_client.painters.canvas import Block, Canvas, Cell, cells
from speed_client.style import Look
from speed_client.themes import SUITS as SUIT_STYLES
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
    return SUIT_STYLES[suit_of(card)] if card < FIRST_JOKER else "spade"


def short_name(card: Card, suits: str = "signs") -> str:
    """`9♠`, as it stands in a corner and in sentences; `9S` in letters, `9` without a suit."""
    if suits == "none" and card < FIRST_JOKER:
        return rank_name(card)
    return card_name(card, signs=suits == "signs")


def suit_sign(card: Card, suits: str, *, ascii_only: bool) -> str:
    """The suit alone; empty where none is shown."""
    if card >= FIRST_JOKER or suits == "none":
        return ""
    return (SUIT_NAMES if ascii_only or suits == "letters" else SUIT_SIGNS)[suit_of(card)]


@lru_cache(maxsize=1024)
def face(
    card: Card,
    width: int,
    height: int,
    *,
    ascii_only: bool,
    flash: bool = False,
    named: Rank = NO_RANK,
    suits: str = "signs",
    frame: str = "paper",
) -> Block:
    """A card face up. Heights below five have no numeral, only the name in the middle.

    `named` is the rank that a joker stands for: what counts is shown large, and that it is a joker in the corner.
    """
    if ascii_only:
        return _framed(card, width, height, flash=flash, named=named, suits=suits)
    outlined = frame == "framed" and height >= CARD_HEIGHT and width >= NARROW + 2
    kind = "flash" if flash else "box" if outlined else "paper"
    plain, strong = kind, f"{kind}-{ink(card)}"
    rows: list[list[Cell]] = [[(" ", plain if kind != "box" else "")] * width for _ in range(height)]
    if outlined:
        _outline(rows, plain)
    name = cells(f"★{RANK_NAMES[named]}" if named != NO_RANK else short_name(card, suits), strong)
    if height < CARD_HEIGHT:
        x = (width - len(name)) // 2
        rows[height // 2][x : x + len(name)] = name
        return rows
    numeral = NUMERALS[RANK_NAMES[named] if named != NO_RANK else rank_name(card)]
    x = (width - NUMERAL_WIDTH) // 2
    for down, part in enumerate(numeral, start=1):
        # Blanks in and beside the numeral take its style too: on the wire a change of style costs more than a cell.
        rows[down][x : x + NUMERAL_WIDTH] = [(char, strong) for char in part.center(NUMERAL_WIDTH)]
    edge = 1 if outlined else 0
    if not outlined:
        rows[-1][:NAME_WIDTH] = [(" ", strong)] * NAME_WIDTH
    rows[-1][edge : edge + len(name)] = name
    sign = suit_sign(card, suits, ascii_only=False)
    if sign:
        rows[-1][-1 - edge] = (sign, strong)
    return rows


def _outline(rows: list[list[Cell]], style: str) -> None:
    """A frame around a card, for who dislikes filled blocks."""
    last = len(rows[0]) - 1
    rows[0][:] = [("┌", style), *[("─", style)] * (last - 1), ("┐", style)]
    rows[-1][:] = [("└", style), *[("─", style)] * (last - 1), ("┘", style)]
    for row in rows[1:-1]:
        row[0] = row[last] = ("│", style)


def _framed(card: Card, width: int, height: int, *, flash: bool, named: Rank, suits: str) -> Block:
    frame, strong = ("flash", f"flash-{ink(card)}") if flash else ("box", f"box-{ink(card)}")
    rank = rank_name(card) if named == NO_RANK else f"*{RANK_NAMES[named]}"
    suit = suit_sign(card, suits, ascii_only=True)
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
def sent(card: Card, width: int, height: int, *, ascii_only: bool, suits: str = "signs") -> Block:
    """What stands where a card left the hand, until the server answers."""
    name = short_name(card, "letters" if ascii_only and suits == "signs" else suits)
    rows: list[tuple[Cell, ...]] = [cells(" " * width)] * height
    middle = height // 2
    rows[middle] = cells(name.center(width) if height > 1 else f"({name})".center(width), "sent")
    if height > 1:
        rows[middle + 1] = cells("sent".center(width), "sent")
    return rows


def any_card(card: Card, width: int, height: int, look: Look, *, flash: bool = False, named: Rank = NO_RANK) -> Block:
    """A card as its holder sees it: face, back, or nothing."""
    if card == NO_CARD:
        return []
    if card == HIDDEN:
        return back(width, height, ascii_only=look.ascii)
    return face(
        card, width, height, ascii_only=look.ascii, flash=flash, named=named, suits=look.suits, frame=look.frame
    )


def draw_key(canvas: Canvas, x: int, y: int, key: str, *, fits: bool, style: str = "key") -> None:
    """The key under a card, in brackets where the player is told that the card fits."""
    if fits:
        canvas.text(x - 1, y, f"[{key}]", "good")
    else:
        canvas.text(x, y, key, style)
