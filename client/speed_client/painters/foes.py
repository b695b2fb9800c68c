"""The opponents on a full table screen: names, backs, draw piles; one as broad as the table, several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from speed_client.model import Place, Side
from speed_client.painters import cards
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.painters.plan import Plan
from speed_client.style import Look
from speed_common.cards import NO_CARD

BAR_CELLS: Final = 15
NAME_COLUMNS: Final = 16
COMMON_HAND: Final = 5
BROAD_FIELD: Final = 38
"""From so many columns an opponent's field holds the name and the draw pile's bar beside each other."""

MOST_BACK: Final = 3
MOST_ROOMY_BACK: Final = 5


def paint_foes(canvas: Canvas, plan: Plan, foes: Sequence[Side], look: Look) -> None:
    """Paint the opponents."""
    if len(foes) == 1:
        _one(canvas, plan, foes[0], look)
        return
    for number, side in enumerate(foes):
        _field(canvas, plan, plan.foe_x(number), side, look)


def draw_bar(canvas: Canvas, x: int, y: int, count: int, of: int, style: str) -> None:
    """A count as a bar of fifteen cells."""
    full = min(BAR_CELLS, -(-count * BAR_CELLS // of))
    canvas.text(x, y, ("=" if canvas.ascii else "█") * full, style)
    canvas.text(x + full, y, ("." if canvas.ascii else "·") * (BAR_CELLS - full), "hint")


def draw_pile(canvas: Canvas, plan: Plan, y: int, side: Side, style: str) -> None:
    """A draw pile in words, as a bar and as a figure, right of the table's axis."""
    canvas.text(plan.axis + 1, y, "draw", "hint")
    draw_bar(canvas, plan.axis + 6, y, side.draw, side.draw_of, style)
    canvas.text(plan.axis + 23, y, f"{side.draw:2d}", style)


def _one(canvas: Canvas, plan: Plan, side: Side, look: Look) -> None:
    if not side.name:
        return
    style = "foe" if side.here else "hint"
    if plan.roomy:
        end = canvas.text(plan.hand_x, plan.foe_y, side.name if side.here else f"{side.name} (no link)", style)
        if side.here:
            canvas.text(end + 2, plan.foe_y, side.state, "status")
        draw_pile(canvas, plan, plan.foe_draw_y, side, style)
        for slot, place in enumerate(side.hand):
            if place.card != NO_CARD:
                y = plan.foe_y + 1 + place.lifted
                block = cards.back(plan.card_width, 3, ascii_only=look.ascii, sign="░", style=back_style(place))
                canvas.block(plan.slot_x(slot), y, block)
        return
    name = cut(side.name, NAME_COLUMNS)
    # The backs keep their place whatever the name is; a long name grows to the left.
    backs_x = plan.hand_x + 5
    canvas.text(max(0, min(plan.hand_x, backs_x - 2 - width_of(name))), plan.foe_y, name, style)
    draw_pile(canvas, plan, plan.foe_y, side, style)
    if side.here:
        canvas.text(plan.axis + 27, plan.foe_y, side.state, "status")
    _backs(canvas, backs_x, plan.foe_y, side, look, MOST_BACK if len(side.hand) <= COMMON_HAND else 1)


def _field(canvas: Canvas, plan: Plan, x: int, side: Side, look: Look) -> None:
    """One of several: the name and the backs below it, the draw pile beside either or below both."""
    style = "foe" if side.here and not side.gone else "hint"
    y, width = plan.foe_y, plan.field_width
    broad = width >= BROAD_FIELD
    name = cut(side.name or "free seat", NAME_COLUMNS)
    end = canvas.text(x, y, name, style if side.name else "hint")
    if not side.name:
        return
    if plan.roomy:
        canvas.text(end + 2, y, cut(side.state, max(0, x + width - end - 3)), "status")
        _backs(canvas, x, y + 1, side, look, _back_width(side, width - 1, MOST_ROOMY_BACK), 3, "░")
        draw_bar(canvas, x, plan.foe_draw_y, side.draw, side.draw_of, style)
        canvas.text(x + BAR_CELLS + 1, plan.foe_draw_y, f"{side.draw:2d}", style)
    elif broad:
        draw_bar(canvas, x + NAME_COLUMNS + 2, y, side.draw, side.draw_of, style)
        canvas.text(x + NAME_COLUMNS + BAR_CELLS + 3, y, f"{side.draw:2d}", style)
        after = _backs(canvas, x, y + 1, side, look, _back_width(side, width - 11, MOST_BACK))
        canvas.text(after + 2, y + 1, side.state, "status")
    else:
        canvas.text(end + 1, y, cut(side.state, max(0, x + width - end - 2)), "status")
        after = _backs(canvas, x, y + 1, side, look, _back_width(side, width - 4, MOST_BACK))
        canvas.text(after + 1, y + 1, f"{side.draw:2d}", style)


def _back_width(side: Side, columns: int, most: int) -> int:
    """How wide each back of a hand may be, so that all have place and a gap between them."""
    return max(1, min(most, (columns + 1) // max(1, len(side.hand)) - 1))


def _backs(canvas: Canvas, x: int, y: int, side: Side, look: Look, width: int, height: int = 1, sign: str = "▒") -> int:
    """The backs of a hand, a lifted one a row lower; the column after the last slot."""
    for slot, place in enumerate(side.hand):
        if place.card != NO_CARD:
            block = cards.back(width, height, ascii_only=look.ascii, sign=sign, style=back_style(place))
            canvas.block(x + slot * (width + 1), y + place.lifted, block)
    return x + max(0, len(side.hand) * (width + 1) - 1)


def back_style(place: Place) -> str:
    """The style of a card's back."""
    return "lift" if place.lifted else "back"
