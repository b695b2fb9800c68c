"""The table on a small terminal (from 40x12): one-line cards, or three-line ones where the height allows."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from typing import Final

from speed_client.model import Side, TableModel
from speed_client.painters import cards
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.painters.panel import WIDTH as PANEL_WIDTH
from speed_client.painters.panel import paint_panel
from speed_client.painters.plan import PAIR
from speed_client.painters.table import bar_items, paint_scores, panel_of
from speed_client.style import Look
from speed_common.cards import NO_CARD

TALL: Final = 14
WIDE_CARD: Final = 7


def paint_compact(model: TableModel, width: int, height: int, look: Look) -> Canvas:
    """The table screen of a terminal below 80x24."""
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    _header(canvas, model)
    _bottom(canvas, model, look)
    panel = panel_of(model, look.keys)
    if panel:
        broad = min(PANEL_WIDTH, width)
        top = 1 + (len(model.foes) > 1 and model.outcome is None)
        paint_panel(canvas, (width - broad) // 2, top, broad, height - 1 - top, panel)
        return canvas
    tall = 3 if height >= TALL else 1
    head = 1 + (len(model.foes) > 1)
    # Header, piles, their letters, the sentence, hand, its digits, bar; the rest is air between them, from the top.
    spare = height - (head + 4 + 2 * tall)
    air = [spare // 4 + (spare % 4 > part) for part in range(4)]
    piles_y = head + air[0]
    status_y = piles_y + tall + 1 + air[1]
    hand_y = status_y + 1 + air[2]
    _piles(canvas, model, look, piles_y, tall)
    if model.digit:
        canvas.centred(width // 2, status_y, f">>> {model.digit} <<<", "key")
    elif model.notice.text:
        lead = "! " if look.ascii else ""
        if model.notice.kind == "call":
            canvas.fill(0, status_y, width, 1, (" ", "call"))
        canvas.centred(width // 2, status_y, lead + model.notice.text, model.notice.kind, width)
    _hand(canvas, model, look, hand_y, tall)
    return canvas


def _counts(side: Side) -> str:
    return f"{side.left - side.draw}+{side.draw}"


def _header(canvas: Canvas, model: TableModel) -> None:
    if len(model.foes) > 1:
        longest = max(2, (canvas.width - (14 if model.no_link else 6)) // len(model.sides) - 4)
        paint_scores(canvas, model, 0, longest)
        _foes_row(canvas, model)
    for foe in model.foes if len(model.foes) == 1 else ():
        if not foe.name:
            continue
        style = "foe" if foe.here else "hint"
        end = canvas.text(0, 0, f"{cut(foe.name, canvas.width // 2 - 10)} {_counts(foe)}", style)
        if any(place.lifted for place in foe.hand):
            canvas.text(end + 1, 0, "lifts", "lift")
        canvas.centred(canvas.width // 2 + 4, 0, f"{model.bottom.score}–{foe.score}", "score")
    if model.no_link:
        canvas.right(canvas.width - 6, 0, "NO LINK", "alarm")
    canvas.right(canvas.width, 0, model.clock, "clock")


def _foes_row(canvas: Canvas, model: TableModel) -> None:
    """Several opponents in one line: a name and what is left; a mark where a card is lifted."""
    step = canvas.width // len(model.foes)
    for place, foe in enumerate(model.foes):
        style = "foe" if foe.here and not foe.gone else "hint"
        lifts = any(card.lifted for card in foe.hand)
        left = "left" if foe.gone else f"{_counts(foe)}{'^' if lifts else ''}" if foe.name else ""
        name = cut(foe.name or "free", step - 2 - width_of(left))
        end = canvas.text(place * step, 1, name, style)
        canvas.text(end + 1, 1, left, "lift" if lifts else style)


def _bottom(canvas: Canvas, model: TableModel, look: Look) -> None:
    y = canvas.height - 1
    end = canvas.text(0, y, f"{cut(model.bottom.name, canvas.width // 2 - 8)} {_counts(model.bottom)}", "me")
    items = [item for item in bar_items(model, look.keys) if item[1] not in {"play", "left", "right", "piles"}]
    text = "  ".join(f"{key} {word}" for key, word in items)
    if end + 2 + width_of(text) > canvas.width:
        text = "  ".join(key for key, _ in items)
    canvas.right(canvas.width, y, text, "hint")


def _piles(canvas: Canvas, model: TableModel, look: Look, y: int, tall: int) -> None:
    count = max(1, len(model.piles))
    step = canvas.width // (count + 1) if count > PAIR else min(20, canvas.width // 3)
    first = canvas.width // 2 - (count - 1) * step // 2
    letters = look.keys.rows(count)
    for pile, centre in enumerate(model.piles):
        x = first + pile * step - WIDE_CARD // 2
        flash = centre.flash and look.motion
        block = cards.any_card(centre.top, WIDE_CARD, tall, look, flash=flash, named=centre.named)
        canvas.block(x, y, block)
        if model.stage == "playing" and model.seated and pile < len(letters):
            canvas.text(x + 1, y + tall, letters[pile], "key")


def _hand(canvas: Canvas, model: TableModel, look: Look, y: int, tall: int) -> None:
    hand = model.bottom.hand
    if not hand:
        return
    gap = 2 if len(hand) * (WIDE_CARD + 2) <= canvas.width else 1
    width = min(WIDE_CARD, (canvas.width + gap) // len(hand) - gap)
    first = (canvas.width - len(hand) * (width + gap) + gap) // 2
    labels = look.keys.slot_keys(len(hand))
    for slot, place in enumerate(hand):
        x = first + slot * (width + gap)
        if place.sent:
            canvas.block(x, y, cards.sent(place.card, width, tall, ascii_only=look.ascii, suits=look.suits))
        elif place.card != NO_CARD:
            canvas.block(x, y, cards.any_card(place.card, width, tall, look))
        if model.stage == "playing" and model.seated:
            cards.draw_key(canvas, x + width // 2, y + tall, labels[slot : slot + 1], fits=place.fits)
