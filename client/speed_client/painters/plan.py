"""Where things stand on a full table screen: one centre axis for piles and hand, the sentence between them.

At 80x24 cards take ten of the rows; from 120x40 the same cards get more air, whole backs for the opponent, and a side
panel. In between, the smaller picture stands in the middle. Several opponents stand side by side above the piles, each
in a field of the same width; more than two piles have their side piles' counts above them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from speed_client.painters.cards import CARD_WIDTH, NARROW
from speed_client.painters.panel import WIDTH as PANEL_WIDTH

FULL_WIDTH: Final = 80
FULL_HEIGHT: Final = 24
ROOMY_WIDTH: Final = 120
ROOMY_HEIGHT: Final = 40
SMALL_WIDTH: Final = 40
SMALL_HEIGHT: Final = 12
SIDE_WIDTH: Final = 36
PILE_GAP: Final = 6
PAIR: Final = 2

MOST_FIELD: Final = 42

# The rows of: opponent, its draw pile, piles, letters, sentence, hand, numbers, hint, own name.
_FULL: Final = (2, 2, 4, 9, 11, 13, 18, 19, 20)
_MANY_PILES: Final = (1, 1, 4, 9, 11, 13, 18, 19, 20)
_CROWD: Final = (1, 1, 5, 10, 12, 14, 19, 20, 21)
_ROOMY: Final = (3, 8, 12, 17, 20, 24, 29, 30, 33)
_ROOMY_CROWD: Final = (2, 7, 12, 17, 20, 24, 29, 30, 33)


@dataclass(frozen=True, slots=True)
class Plan:
    """Columns and rows. `side_x` is the side panel's first column, 0 for none; an opponent's field is `field_width`."""

    width: int
    height: int
    roomy: bool
    side_x: int
    axis: int
    card_width: int
    gap: int
    hand_x: int
    hand_width: int
    piles_x: int
    field_x: int
    field_width: int
    foe_y: int
    foe_draw_y: int
    piles_y: int
    letters_y: int
    status_y: int
    hand_y: int
    numbers_y: int
    hint_y: int
    me_y: int

    @property
    def bar_y(self) -> int:
        """The row of the key bar."""
        return self.height - 1

    def panel(self, least: int = PANEL_WIDTH) -> tuple[int, int, int, int]:
        """Column, row, width and height of a panel that covers piles and hand and shows no card's edge."""
        width = max(least, self.hand_width + 1)
        x = min(self.hand_x, self.axis - least // 2 + (least == PANEL_WIDTH))
        return x, self.piles_y, width, self.numbers_y - self.piles_y

    def slot_x(self, slot: int) -> int:
        """The first column of a slot of the hand."""
        return self.hand_x + slot * (self.card_width + self.gap)

    def foe_x(self, foe: int) -> int:
        """The first column of an opponent's field."""
        return self.field_x + foe * self.field_width

    def pile_x(self, pile: int) -> int:
        """The first column of a centre pile."""
        return self.piles_x + pile * (CARD_WIDTH + PILE_GAP)


@lru_cache(maxsize=32)
def plan_for(width: int, height: int, slots: int, piles: int, foes: int) -> Plan:
    """The plan for a terminal of at least 80x24."""
    roomy = width >= ROOMY_WIDTH and height >= ROOMY_HEIGHT
    side_x = width - SIDE_WIDTH if width >= ROOMY_WIDTH else 0
    axis = (side_x or width) // 2
    slots = max(slots, 1)
    card_width, gap = (CARD_WIDTH, 2) if slots * (CARD_WIDTH + 2) <= (side_x or width) else (NARROW, 1)
    hand_width = slots * (card_width + gap) - gap
    pile_width = piles * (CARD_WIDTH + PILE_GAP) - PILE_GAP
    field_width = min(MOST_FIELD, ((side_x or width) - 2) // max(1, foes))
    if roomy:
        down = (height - ROOMY_HEIGHT) // 2
        rows = _ROOMY_CROWD if foes > 1 else _ROOMY
    else:
        down = (height - FULL_HEIGHT) // 2
        rows = _CROWD if foes > 1 else _FULL if piles <= PAIR else _MANY_PILES
    return Plan(
        width,
        height,
        roomy,
        side_x,
        axis,
        card_width,
        gap,
        axis - hand_width // 2,
        hand_width,
        axis - pile_width // 2,
        axis - field_width * foes // 2,
        field_width,
        *(row + down for row in rows),
    )
