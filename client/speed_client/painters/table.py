"""The table at 80x24 and above: header, the opponents, piles, the sentence, the hand, the key bar."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from typing import Final

from speed_client.keymap import Keymap
from speed_client.model import CentrePile, Side, TableModel
from speed_client.painters import cards
from speed_client.painters.any_screen import paint_bar
from speed_client.painters.canvas import Canvas, cut
from speed_client.painters.foes import draw_pile, paint_foes
from speed_client.painters.overlays import DEFAULT_HAND, overlay_lines
from speed_client.painters.panel import BROAD, PanelLine, paint_panel
from speed_client.painters.panel import WIDTH as PANEL_WIDTH
from speed_client.painters.plan import PAIR, Plan, plan_for
from speed_client.painters.result import connecting_lines, end_lines, ready_lines, result_lines
from speed_client.painters.side import paint_side
from speed_client.style import Look
from speed_common.cards import HIDDEN, NO_CARD

NAME_COLUMNS: Final = 16
BANNER_COLUMNS: Final = 54


def paint_full(model: TableModel, width: int, height: int, look: Look) -> Canvas:
    """The table screen of a terminal of at least 80x24."""
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    slots, piles = len(model.bottom.hand) or DEFAULT_HAND, len(model.piles) or PAIR
    plan = plan_for(width, height, slots, piles, len(model.foes))
    paint_header(canvas, model)
    paint_bar(canvas, bar_items(model, look.keys))
    if plan.side_x:
        paint_side(canvas, model, plan.side_x)
    if model.stage != "connecting":
        paint_foes(canvas, plan, model.foes, look)
        _own_row(canvas, plan, model.bottom)
    panel = panel_of(model, look.keys)
    if not panel:
        _piles(canvas, plan, model, look)
        _hand(canvas, plan, model, look)
        if model.digit:
            _countdown(canvas, plan, model.digit)
        elif model.notice.text and model.stage != "countdown":
            _sentence(canvas, plan, model, look)
    else:
        broad = model.outcome is not None and len(model.foes) > 1
        paint_panel(canvas, *plan.panel(BROAD if broad else PANEL_WIDTH), panel)
    return canvas


def panel_of(model: TableModel, keys: Keymap) -> list[PanelLine]:
    """The lines of the panel that stands over piles and hand now; none when they are to be seen."""
    if model.end:
        return end_lines(model.end)
    if model.overlay:
        return overlay_lines(model, keys)
    if model.stage == "connecting":
        return connecting_lines(no_link=model.no_link)
    if model.stage == "waiting":
        return ready_lines(model, keys)
    if model.stage == "over" and model.outcome is not None:
        return result_lines(model, model.outcome, keys)
    return []


def paint_header(canvas: Canvas, model: TableModel) -> None:
    """Names and score at the left, answer time and clock at the right."""
    end = canvas.width - 1
    canvas.right(end, 0, model.clock, "clock")
    if model.no_link:
        room_for_title = canvas.right(end - 7, 0, "NO LINK", "alarm")
    else:
        room_for_title = canvas.right(end - 7, 0, model.answer, "hint")
    if len(model.foes) > 1:
        longest = min(NAME_COLUMNS, (room_for_title - 2) // len(model.sides) - 6)
        x = paint_scores(canvas, model, 1, longest) - 2
    else:
        x = canvas.text(1, 0, cut(model.bottom.name, NAME_COLUMNS), "me")
        for foe in model.foes:
            if foe.name:
                x = canvas.text(x + 2, 0, f"{model.bottom.score} – {foe.score}", "score")
                x = canvas.text(x + 2, 0, cut(foe.name, NAME_COLUMNS), "foe")
    canvas.text(x + 2, 0, cut(model.title, room_for_title - x - 4), "hint")


def paint_scores(canvas: Canvas, model: TableModel, x: int, longest: int) -> int:
    """The names and scores of more than two, from column `x`; the column after them and their gap."""
    for place, side in enumerate(model.sides):
        if side.name:
            x = canvas.text(x, 0, cut(side.name, longest), "foe" if place else "me")
            x = canvas.text(x + 1, 0, str(side.score), "score") + 2
    return x


def bar_items(model: TableModel, keys: Keymap) -> list[tuple[str, str]]:
    """The keys that mean something now, and their words."""
    if model.end:
        return [("Esc", "leave")]
    if not model.seated or model.stage == "connecting":
        return [(keys.key_of("help"), "help"), ("Esc", "all tables" if model.listed else "leave")]
    first: list[tuple[str, str]] = []
    if model.stage == "playing":
        digits = keys.digits(len(model.bottom.hand) or DEFAULT_HAND)
        first = [(digits, "play"), *_pile_items(keys, len(model.piles) or PAIR)]
        if model.space:
            first.append((keys.key_of("space"), model.space))
        elif model.calls:
            first.append((keys.key_of("call"), "Speed!"))
    elif model.space == "rematch":
        first = [(keys.key_of("rematch"), model.outcome.next_word if model.outcome else "rematch")]
    elif model.space:
        first = [(keys.key_of("space"), model.space)]
    return [*first, (keys.key_of("help"), "help"), ("Esc", "menu")]


def _pile_items(keys: Keymap, piles: int) -> list[tuple[str, str]]:
    """Each pile's keys from the first to the last. What reads left to right needs no word."""
    rows = [f"{row[0]}-{row[4]}" for row in keys.rows(piles)]
    if piles == PAIR:
        return list(zip(rows, ("left", "right"), strict=True))
    return [("  ".join(rows), "piles")]


def _own_row(canvas: Canvas, plan: Plan, side: Side) -> None:
    canvas.text(plan.hand_x, plan.me_y, cut(side.name, plan.axis - plan.hand_x), "me")
    draw_pile(canvas, plan, plan.me_y, side, "me")


def _piles(canvas: Canvas, plan: Plan, model: TableModel, look: Look) -> None:
    letters = look.keys.rows(len(model.piles))
    playing = model.stage == "playing" and model.seated
    for pile, centre in enumerate(model.piles):
        x = plan.pile_x(pile)
        flash = centre.flash and look.motion
        width, height = cards.CARD_WIDTH, cards.CARD_HEIGHT
        block = cards.any_card(centre.top, width, height, look, flash=flash, named=centre.named)
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
    labels = look.keys.slot_keys(len(model.bottom.hand))
    for slot, place in enumerate(model.bottom.hand):
        x, y, width = plan.slot_x(slot), plan.hand_y, plan.card_width
        if place.sent:
            block = cards.sent(place.card, width, cards.CARD_HEIGHT, ascii_only=look.ascii, suits=look.suits)
        elif place.card == HIDDEN and place.lifted:
            y -= 1
            block = cards.back(width, cards.CARD_HEIGHT, ascii_only=look.ascii, style="lift")
        else:
            block = cards.any_card(place.card, width, cards.CARD_HEIGHT, look)
        canvas.block(x, y, block)
        if not playing:
            continue
        cards.draw_key(canvas, x + width // 2, plan.numbers_y, labels[slot : slot + 1], fits=place.fits)
        if place.away != NO_CARD:
            canvas.centred(x + width // 2 + 1, plan.hint_y, f"{cards.short_name(place.away)} sent", "sent")
        elif place.hint:
            right = place.hint.endswith("right")
            hint = f"{place.hint} ▸" if right else place.hint if place.hint == "middle" else f"◂ {place.hint}"
            canvas.text(x + width // 2 - (len(hint) - 4 if right else 1), plan.hint_y, hint, "hint")


def _sentence(canvas: Canvas, plan: Plan, model: TableModel, look: Look) -> None:
    lead = "! " if look.ascii else ""
    most = (plan.side_x or plan.width) - 2
    if model.notice.kind == "call":
        broad = min(most, BANNER_COLUMNS)
        canvas.fill(plan.axis - broad // 2, plan.status_y - 1, broad, 3, (" ", "call"))
    canvas.centred(plan.axis, plan.status_y, lead + model.notice.text, model.notice.kind, most)


def _countdown(canvas: Canvas, plan: Plan, digit: int) -> None:
    if digit <= 0:
        return
    # Below the piles' letters, which stand already when a paused deal goes on.
    y = plan.letters_y + 1
    if canvas.ascii or digit > len(cards.DIGITS):
        canvas.centred(plan.axis, y, f">>> {digit} <<<", "key")
        return
    for down, part in enumerate(cards.DIGITS[digit - 1]):
        canvas.text(plan.axis - 2, y + down, part, "key")
