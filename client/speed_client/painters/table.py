"""The table at 80x24 and above: header, the opponent, piles, the sentence, the hand, the key bar."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from typing import Final

from speed_client.keys import LEFT_KEYS, RIGHT_KEYS, digits_text
from speed_client.model import CentrePile, Place, Side, TableModel
from speed_client.painters import cards
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.painters.overlays import DEFAULT_HAND, overlay_lines
from speed_client.painters.panel import PanelLine, paint_panel
from speed_client.painters.plan import PAIR, Plan, plan_for
from speed_client.painters.result import connecting_lines, end_lines, ready_lines, result_lines
from speed_client.painters.side import paint_side
from speed_client.style import Look
from speed_common.cards import HIDDEN, NO_CARD

BAR_CELLS: Final = 15
NAME_COLUMNS: Final = 16


def paint_full(model: TableModel, width: int, height: int, look: Look) -> Canvas:
    """The table screen of a terminal of at least 80x24."""
    canvas = Canvas(width, height, ascii_only=look.ascii)
    plan = plan_for(width, height, len(model.bottom.hand) or DEFAULT_HAND, len(model.piles) or PAIR)
    paint_header(canvas, model)
    paint_bar(canvas, bar_items(model))
    if plan.side_x:
        paint_side(canvas, model, plan.side_x)
    if model.stage != "connecting":
        _opponent(canvas, plan, model.top, look)
        _own_row(canvas, plan, model.bottom)
    panel = panel_of(model)
    if not panel:
        _piles(canvas, plan, model, look)
        _hand(canvas, plan, model, look)
        if model.stage == "countdown":
            _countdown(canvas, plan, model.digit)
        elif model.notice.text:
            _sentence(canvas, plan, model, look)
    else:
        paint_panel(canvas, *plan.panel, panel)
    return canvas


def panel_of(model: TableModel) -> list[PanelLine]:
    """The lines of the panel that stands over piles and hand now; none when they are to be seen."""
    if model.end:
        return end_lines(model.end)
    if model.overlay:
        return overlay_lines(model)
    if model.stage == "connecting":
        return connecting_lines(no_link=model.no_link)
    if model.stage == "waiting":
        return ready_lines(model)
    if model.stage == "over" and model.outcome is not None:
        return result_lines(model, model.outcome)
    return []


def paint_header(canvas: Canvas, model: TableModel) -> None:
    """Names and score at the left, answer time and clock at the right."""
    end = canvas.width - 1
    canvas.right(end, 0, model.clock, "clock")
    if model.no_link:
        room_for_title = canvas.right(end - 7, 0, "NO LINK", "alarm")
    else:
        room_for_title = canvas.right(end - 7, 0, model.answer, "hint")
    x = canvas.text(1, 0, cut(model.bottom.name, NAME_COLUMNS), "me")
    if model.top.name:
        x = canvas.text(x + 2, 0, f"{model.bottom.score} – {model.top.score}", "score")
        x = canvas.text(x + 2, 0, cut(model.top.name, NAME_COLUMNS), "foe")
    canvas.text(x + 2, 0, cut(model.title, room_for_title - x - 4), "hint")


def bar_items(model: TableModel) -> list[tuple[str, str]]:
    """The keys that mean something now, and their words."""
    if model.end:
        return [("Esc", "leave")]
    if not model.seated or model.stage == "connecting":
        return [("?", "help"), ("Esc", "leave")]
    first: list[tuple[str, str]] = []
    if model.stage == "waiting":
        first = [("Space", "ready")] if model.top.name else []
    elif model.stage == "countdown":
        first = [("Space", "skip")]
    elif model.stage == "over":
        first = [("r", "rematch")]
    else:
        digits = digits_text(len(model.bottom.hand) or DEFAULT_HAND)
        first = [(digits, "play"), ("a-g", "left"), ("h-;", "right")]
        if model.draws:
            first.append(("Space", "draw"))
    return [*first, ("?", "help"), ("Esc", "menu")]


def paint_bar(canvas: Canvas, items: list[tuple[str, str]], y: int | None = None, x: int = 1) -> None:
    """The key bar; where room is short it drops the words and keeps the keys."""
    row = canvas.height - 1 if y is None else y
    canvas.fill(0, row, canvas.width, 1, (" ", "bar"))
    text = "   ".join(f"{key} {word}" for key, word in items)
    if x + width_of(text) > canvas.width:
        text = "  ".join(key for key, _ in items)
    canvas.text(x, row, text, "bar")


def draw_bar(canvas: Canvas, x: int, y: int, count: int, of: int, style: str) -> None:
    """A count as a bar of fifteen cells."""
    full = min(BAR_CELLS, -(-count * BAR_CELLS // of))
    canvas.text(x, y, ("=" if canvas.ascii else "█") * full, style)
    canvas.text(x + full, y, ("." if canvas.ascii else "·") * (BAR_CELLS - full), "hint")


def _draw_pile(canvas: Canvas, plan: Plan, y: int, side: Side, style: str) -> None:
    canvas.text(plan.axis + 1, y, "draw", "hint")
    draw_bar(canvas, plan.axis + 6, y, side.draw, side.draw_of, style)
    canvas.text(plan.axis + 23, y, f"{side.draw:2d}", style)


def _opponent(canvas: Canvas, plan: Plan, side: Side, look: Look) -> None:
    if not side.name:
        return
    style = "foe" if side.here else "hint"
    if plan.roomy:
        canvas.text(plan.hand_x, plan.foe_y, side.name if side.here else f"{side.name} (no link)", style)
        _draw_pile(canvas, plan, plan.foe_draw_y, side, style)
        for slot, place in enumerate(side.hand):
            if place.card != NO_CARD:
                y = plan.foe_y + 1 + place.lifted
                block = cards.back(plan.card_width, 3, ascii_only=look.ascii, sign="░", style=_back_style(place))
                canvas.block(plan.slot_x(slot), y, block)
        return
    name = cut(side.name, NAME_COLUMNS)
    # The backs keep their place whatever the name is; a long name grows to the left.
    backs_x = plan.hand_x + 5
    canvas.text(max(0, min(plan.hand_x, backs_x - 2 - width_of(name))), plan.foe_y, name, style)
    _draw_pile(canvas, plan, plan.foe_y, side, style)
    wide = 3 if len(side.hand) <= DEFAULT_HAND else 1
    for slot, place in enumerate(side.hand):
        if place.card != NO_CARD:
            block = cards.back(wide, 1, ascii_only=look.ascii, style=_back_style(place))
            canvas.block(backs_x + slot * (wide + 1), plan.foe_y + place.lifted, block)


def _back_style(place: Place) -> str:
    return "lift" if place.lifted else "back"


def _own_row(canvas: Canvas, plan: Plan, side: Side) -> None:
    canvas.text(plan.hand_x, plan.me_y, cut(side.name, plan.axis - plan.hand_x), "me")
    _draw_pile(canvas, plan, plan.me_y, side, "me")


def _piles(canvas: Canvas, plan: Plan, model: TableModel, look: Look) -> None:
    letters = (LEFT_KEYS, RIGHT_KEYS)
    playing = model.stage == "playing" and model.seated
    for pile, centre in enumerate(model.piles):
        x = plan.pile_x(pile)
        flash = centre.flash and look.motion
        block = cards.any_card(centre.top, cards.CARD_WIDTH, cards.CARD_HEIGHT, ascii_only=look.ascii, flash=flash)
        canvas.block(x, plan.piles_y, block)
        if playing and pile < len(letters):
            canvas.text(x, plan.letters_y, " ".join(letters[pile]), "key")
        if model.stage != "countdown" or plan.roomy:
            _side_pile(canvas, plan, model, pile, centre, look)


def _side_pile(canvas: Canvas, plan: Plan, model: TableModel, pile: int, centre: CentrePile, look: Look) -> None:
    x, text = plan.pile_x(pile), f"side {centre.side}"
    if len(model.piles) != PAIR:
        canvas.centred(x + cards.CARD_WIDTH // 2 + 1, plan.piles_y - 1, text, "hint")
    elif plan.roomy:
        side_x = plan.hand_x if pile == 0 else plan.hand_x + plan.hand_width - cards.CARD_WIDTH
        if abs(side_x - x) > cards.CARD_WIDTH and centre.side:
            block = cards.back(cards.CARD_WIDTH, cards.CARD_HEIGHT, ascii_only=look.ascii, sign="░")
            canvas.block(side_x, plan.piles_y, block)
        canvas.text(side_x + 1, plan.letters_y, text, "hint")
    elif pile == 0:
        canvas.right(x - 2, plan.piles_y + 2, text, "hint")
    else:
        canvas.text(x + cards.CARD_WIDTH + 2, plan.piles_y + 2, text, "hint")


def _hand(canvas: Canvas, plan: Plan, model: TableModel, look: Look) -> None:
    playing = model.stage == "playing" and model.seated
    for slot, place in enumerate(model.bottom.hand):
        x, y, width = plan.slot_x(slot), plan.hand_y, plan.card_width
        if place.sent:
            block = cards.sent(place.card, width, cards.CARD_HEIGHT, ascii_only=look.ascii)
        elif place.card == HIDDEN and place.lifted:
            y -= 1
            block = cards.back(width, cards.CARD_HEIGHT, ascii_only=look.ascii, style="lift")
        else:
            block = cards.any_card(place.card, width, cards.CARD_HEIGHT, ascii_only=look.ascii)
        canvas.block(x, y, block)
        if not playing:
            continue
        canvas.text(x + width // 2, plan.numbers_y, str((slot + 1) % 10), "key")
        if place.hint:
            right = place.hint == "right"
            hint = f"{place.hint} ▸" if right else f"◂ {place.hint}"
            canvas.text(x + width // 2 - (3 if right else 1), plan.hint_y, hint, "hint")


def _sentence(canvas: Canvas, plan: Plan, model: TableModel, look: Look) -> None:
    lead = "! " if look.ascii else ""
    most = (plan.side_x or plan.width) - 2
    canvas.centred(plan.axis, plan.status_y, lead + model.notice.text, model.notice.kind, most)


def _countdown(canvas: Canvas, plan: Plan, digit: int) -> None:
    if digit <= 0:
        return
    y = plan.letters_y
    if canvas.ascii or digit > len(cards.DIGITS):
        canvas.centred(plan.axis, y + 1, f">>> {digit} <<<", "key")
        return
    for down, part in enumerate(cards.DIGITS[digit - 1]):
        canvas.text(plan.axis - 2, y + down, part, "key")
