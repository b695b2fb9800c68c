"""The settings with a live sample beside them: cards of four suits, names, a sentence, keys, as they look now."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speed_client.painters import cards
from speed_client.painters.any_screen import paint_bar
from speed_client.painters.canvas import Canvas, cut, width_of
from speed_client.painters.foes import draw_bar
from speed_client.painters.lists import Cells, Column, ListModel, paint_list
from speed_client.painters.plan import FULL_HEIGHT, FULL_WIDTH
from speed_client.style import Look
from speed_common.cards import HIDDEN, parse_card

SAMPLE: Final = tuple(map(parse_card, ("9S", "10H", "JD", "AC")))
SAMPLE_WIDTH: Final = 39
NAME_WIDTH: Final = 11
VALUE_X: Final = 15
LEFT: Final = 3


@dataclass(frozen=True, slots=True)
class SettingsModel:
    """Rows of a name and a value; `values` are the steps of the chosen one, `typed` what is being typed."""

    rows: tuple[tuple[str, str], ...]
    chosen: int = 0
    about: str = ""
    about_style: str = "hint"
    typed: str | None = None
    tenths: bool = False
    hints: bool = False
    keys: tuple[tuple[str, str], ...] = ()


def paint_settings(model: SettingsModel, width: int, height: int, look: Look) -> Canvas:
    """The settings; on a small terminal the list alone."""
    if width < FULL_WIDTH or height < FULL_HEIGHT:
        return paint_list(_as_list(model), width, height, look)
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    top = 2 + (height - FULL_HEIGHT) // 4
    left = LEFT + (width - FULL_WIDTH) // 2
    canvas.text(left - 2, top - 2, "SETTINGS", "head")
    for place, (name, held) in enumerate(model.rows):
        chosen = place == model.chosen
        style = "focus" if chosen else ""
        if chosen:
            canvas.text(left - 2, top + place, ">", "focus")
        canvas.text(left, top + place, cut(name, NAME_WIDTH), style)
        value = f"{model.typed}_" if chosen and model.typed is not None else held
        canvas.text(left + VALUE_X - 2, top + place, "◂ " if chosen and value else "  ", "key")
        end = canvas.text(left + VALUE_X, top + place, cut(value, 16), "key" if chosen else "hint")
        canvas.text(end, top + place, " ▸" if chosen and value else "", "key")
    _sample(canvas, model, left + FULL_WIDTH - LEFT - 1 - SAMPLE_WIDTH, top + 1, look)
    canvas.text(left, height - 3, cut(model.about, width - left - 1), model.about_style)
    paint_bar(canvas, list(model.keys))
    return canvas


def _sample(canvas: Canvas, model: SettingsModel, x: int, y: int, look: Look) -> None:
    canvas.text(x, y - 2, "this is how it looks", "hint")
    end = canvas.text(x, y, "anna", "me")
    end = canvas.text(end + 2, y, "1 – 0", "score")
    canvas.text(end + 2, y, "bob", "foe")
    canvas.right(x + SAMPLE_WIDTH, y, "0:47.3" if model.tenths else "0:47", "clock")
    tall = 1 if look.frame == "compact" else cards.CARD_HEIGHT
    labels = look.keys.slot_keys(len(SAMPLE))
    for place, card in enumerate(SAMPLE):
        at = x + place * (cards.CARD_WIDTH + 1)
        block = cards.any_card(card, cards.CARD_WIDTH, tall, look)
        canvas.block(at, y + 2, block)
        cards.draw_key(canvas, at + 4, y + 2 + tall, labels[place : place + 1], fits=model.hints and place % 2 == 0)
    y += tall
    rows = look.keys.rows()
    canvas.text(x + 5, y + 4, " ".join(rows[0]), "key")
    canvas.text(x + 25, y + 4, " ".join(rows[1]), "key")
    canvas.text(x + 7, y + 5, "left", "hint")
    canvas.text(x + 27, y + 5, "right", "hint")
    lead = "! " if look.ascii else ""
    canvas.text(x, y + 7, f"{lead}beaten by 0.12 s — bob played J♦ first", "late")
    block = cards.any_card(HIDDEN, 3, 1, look)
    for place in range(3):
        canvas.block(x + place * 4, y + 9, block)
    draw_bar(canvas, x + 13, y + 9, 11, 15, "foe")
    canvas.text(x + 30, y + 9, "11", "foe")


def _as_list(model: SettingsModel) -> ListModel:
    rows = tuple(
        Cells((name, f"{model.typed}_" if place == model.chosen and model.typed is not None else value))
        for place, (name, value) in enumerate(model.rows)
    )
    widest = max(width_of(name) for name, _ in model.rows)
    return ListModel(
        "SETTINGS",
        (Column("", widest), Column("")),
        rows,
        model.chosen,
        about=model.about,
        about_style=model.about_style,
        keys=model.keys,
    )
