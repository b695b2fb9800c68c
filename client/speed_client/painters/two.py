"""Two players at one terminal: the piles between them, their hands side by side (below 80x24 above each other).

Each hand lies over its half of the keyboard. What only one of them must read stands over that one's hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speed_client.keymap import make_keymap
from speed_client.model import Side, TableModel
from speed_client.painters import cards
from speed_client.painters.any_screen import paint_bar, paint_too_small
from speed_client.painters.canvas import Canvas, cut
from speed_client.painters.foes import draw_bar
from speed_client.painters.panel import GAP, PanelLine, middle, paint_panel, pair
from speed_client.painters.panel import WIDTH as PANEL_WIDTH
from speed_client.painters.plan import (
    FULL_HEIGHT,
    FULL_WIDTH,
    PILE_GAP,
    ROOMY_HEIGHT,
    ROOMY_WIDTH,
    SMALL_HEIGHT,
    SMALL_WIDTH,
)
from speed_client.painters.result import connecting_lines, end_lines, result_lines
from speed_client.style import Look
from speed_client.two_keys import HALF, Half, halves
from speed_common.cards import NO_CARD

STYLES: Final = ("me", "foe")
NAME_COLUMNS: Final = 14
MOST_OTHERS: Final = 2
NARROW_EDGE: Final = 3
SIDE_COLUMNS: Final = 10


@dataclass(frozen=True, slots=True)
class TwoModel:
    """What each of the two sees, and who else sits there. `overlay` is `help`, `menu` or `leave`."""

    left: TableModel
    right: TableModel
    others: tuple[Side, ...] = ()
    layout: str = "qwerty"
    overlay: str = ""
    choice: int = 0
    end: str = ""

    @property
    def players(self) -> tuple[TableModel, TableModel]:
        """Both, the left one first."""
        return self.left, self.right


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where things stand: rows of the piles, what is said, the hands with their keys, and the names."""

    piles: int
    said: int
    hand: int
    tall: int

    @property
    def keys(self) -> int:
        return self.hand + self.tall

    @property
    def name(self) -> int:
        return self.keys + 2


def paint_two(model: TwoModel, width: int, height: int, look: Look) -> Canvas:
    """The table of two who share a terminal."""
    if width < SMALL_WIDTH or height < SMALL_HEIGHT:
        return paint_too_small(width, height, look)
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    full = width >= FULL_WIDTH and height >= FULL_HEIGHT
    _header(canvas, model)
    _bar(canvas, model)
    panel = _panel(model)
    if panel:
        broad = min(PANEL_WIDTH, width)
        paint_panel(canvas, (width - broad) // 2, 2, broad, height - 4, panel)
    elif full:
        _full(canvas, model, look)
    else:
        _small(canvas, model, look)
    return canvas


def _full(canvas: Canvas, model: TwoModel, look: Look) -> None:
    roomy = canvas.width >= ROOMY_WIDTH and canvas.height >= ROOMY_HEIGHT
    down = (canvas.height - FULL_HEIGHT) // 2
    rows = _Rows(10, 19, 23, cards.CARD_HEIGHT) if roomy else _Rows(3 + down, 11 + down, 13 + down, cards.CARD_HEIGHT)
    half = canvas.width // 2
    _others(canvas, model, rows.piles - 2)
    _piles(canvas, model, look, rows.piles, cards.CARD_WIDTH, PILE_GAP, cards.CARD_HEIGHT)
    _pile_keys(canvas, model, rows.piles + cards.CARD_HEIGHT)
    for player, table in enumerate(model.players):
        x = player * (half + canvas.width % 2)
        _hand(canvas, model, player, look, x, half, rows)
        _said(canvas, table, look, x + half // 2, rows.said, half - 1)
        _name(canvas, table.bottom, STYLES[player], x + 1, rows.name, half - 2)
    if model.left.digit:
        _digit(canvas, model.left.digit, rows.said - 1)


def _small(canvas: Canvas, model: TwoModel, look: Look) -> None:
    """The piles in one row, then one hand above the other; what is said takes the row between."""
    _piles(canvas, model, look, 1, 7, 4, 1)
    if model.left.digit:
        canvas.centred(canvas.width // 2, 2, f">>> {model.left.digit} <<<", "key")
    for player, table in enumerate(model.players):
        top = 3 + player * 4 + (canvas.height - SMALL_HEIGHT) // 2
        rows = _Rows(1, top, top + 1, 1)
        _name(canvas, table.bottom, STYLES[player], 0, top, canvas.width, bar=False)
        _hand(canvas, model, player, look, 0, canvas.width, rows)
        if table.notice.text and not model.left.digit:
            x = 20
            canvas.text(x, top, cut(("! " if look.ascii else "") + table.notice.text, canvas.width - x), "status")


def _hand(canvas: Canvas, model: TwoModel, player: int, look: Look, x: int, room: int, rows: _Rows) -> None:
    """One hand in its half, from column `x`, with its keys under it."""
    table = model.players[player]
    hand = table.bottom.hand
    if not hand:
        return
    wide = room >= len(hand) * (cards.CARD_WIDTH + 1)
    width = cards.CARD_WIDTH if wide else min(cards.NARROW, (room + 1) // len(hand) - 1)
    tall = rows.tall if width >= cards.NARROW else min(rows.tall, 3)
    gap = 2 if wide and room >= len(hand) * (width + 2) else 1
    broad = len(hand) * (width + gap) - gap
    # Where there is hardly room the hands go to the edges, so that one sees where one ends.
    first = x + (room - broad) // 2 if room - broad > NARROW_EDGE else x + (room - broad) * player
    keys = halves(model.layout)[player]
    labels = keys.home if len(hand) <= HALF else keys.home + keys.above
    for slot, place in enumerate(hand):
        at = first + slot * (width + gap)
        if place.sent:
            canvas.block(at, rows.hand, cards.sent(place.card, width, tall, ascii_only=look.ascii, suits=look.suits))
        elif place.card != NO_CARD:
            canvas.block(at, rows.hand, cards.any_card(place.card, width, tall, look))
        if table.stage == "playing":
            cards.draw_key(
                canvas, at + width // 2, rows.keys, labels[slot : slot + 1], fits=place.fits, style=STYLES[player]
            )
            if place.hint and rows.tall > 1:
                canvas.centred(at + width // 2, rows.keys + 1, _arrow(place.hint), "hint", width)


def _arrow(hint: str) -> str:
    return f"{hint} ▸" if hint.endswith("right") else hint if hint == "middle" else f"◂ {hint}"


def _piles(canvas: Canvas, model: TwoModel, look: Look, y: int, width: int, gap: int, tall: int) -> None:
    piles = model.left.piles
    first = canvas.width // 2 - (len(piles) * (width + gap) - gap) // 2
    for place, centre in enumerate(piles):
        x = first + place * (width + gap)
        flash = centre.flash and look.motion
        canvas.block(x, y, cards.any_card(centre.top, width, tall, look, flash=flash, named=centre.named))
    if not piles:
        return
    sides = [f"side {centre.side}" for centre in piles]
    if first < SIDE_COLUMNS:
        return
    canvas.right(first - 2, y + tall // 2, sides[0], "hint")
    canvas.text(first + len(piles) * (width + gap) - gap + 2, y + tall // 2, sides[-1], "hint")


def _pile_keys(canvas: Canvas, model: TwoModel, y: int) -> None:
    """Under the outer piles the keys that play onto them: the left player's over the right one's."""
    table = model.left
    if table.stage != "playing" or len(table.bottom.hand) > HALF:
        return
    count = len(table.piles)
    first = canvas.width // 2 - (count * (cards.CARD_WIDTH + PILE_GAP) - PILE_GAP) // 2
    last = first + (count - 1) * (cards.CARD_WIDTH + PILE_GAP)
    for player, half in enumerate(halves(model.layout)):
        canvas.text(first, y + player, " ".join(half.above), STYLES[player])
        canvas.text(last, y + player, " ".join(half.below), STYLES[player])


def _said(canvas: Canvas, table: TableModel, look: Look, axis: int, y: int, most: int) -> None:
    if table.notice.text and table.stage != "countdown" and not table.digit:
        lead = "! " if look.ascii else ""
        canvas.centred(axis, y, lead + table.notice.text, table.notice.kind, most)


def _name(canvas: Canvas, side: Side, style: str, x: int, y: int, room: int, *, bar: bool = True) -> None:
    """Name, state and draw pile in one row."""
    if not side.name:
        return
    style = style if side.here else "hint"
    end = canvas.text(x, y, cut(side.name, NAME_COLUMNS), style)
    if not bar:
        canvas.text(end + 1, y, f"{side.left - side.draw}+{side.draw}", style)
        return
    canvas.text(end + 1, y, cut(side.state, max(0, room - end + x - 20)), "status")
    draw_bar(canvas, x + room - 19, y, side.draw, side.draw_of, style)
    canvas.text(x + room - 3, y, f"{side.draw:2d}", style)


def _others(canvas: Canvas, model: TwoModel, y: int) -> None:
    """Who sits there beside the two, in a row: name, cards in hand as backs, cards left."""
    room = canvas.width // max(1, len(model.others))
    for place, side in enumerate(model.others[:MOST_OTHERS]):
        end = canvas.text(place * room + 1, y, cut(side.name or "free seat", NAME_COLUMNS), "hint")
        if not side.name:
            continue
        backs = sum(card.card != NO_CARD for card in side.hand)
        sign = "#" if canvas.ascii else "▒"
        lifted = any(card.lifted for card in side.hand)
        end = canvas.text(end + 1, y, sign * min(backs, 10), "lift" if lifted else "back")
        end = canvas.text(end + 1, y, f"{side.left}", "hint")
        canvas.text(end + 1, y, cut(side.state, max(0, room - 30)), "status")


def _digit(canvas: Canvas, digit: int, y: int) -> None:
    if canvas.ascii or digit > len(cards.DIGITS):
        canvas.centred(canvas.width // 2, y, f">>> {digit} <<<", "key")
        return
    for down, part in enumerate(cards.DIGITS[digit - 1]):
        canvas.text(canvas.width // 2 - 2, y - 1 + down, part, "key")


def _header(canvas: Canvas, model: TwoModel) -> None:
    end = canvas.width - 1
    canvas.right(end, 0, model.left.clock, "clock")
    room = canvas.right(end - 7, 0, "NO LINK", "alarm") if model.left.no_link or model.right.no_link else end - 7
    x = 1
    for player, table in enumerate(model.players):
        longest = NAME_COLUMNS if canvas.width >= FULL_WIDTH else 8
        x = canvas.text(x, 0, cut(table.bottom.name, longest), STYLES[player])
        x = canvas.text(x + 1, 0, str(table.bottom.score), "score") + 2
    canvas.text(x, 0, cut(model.left.title, room - x - 1), "hint")


def _bar(canvas: Canvas, model: TwoModel) -> None:
    left, right = halves(model.layout)
    if model.end or model.left.stage == "connecting":
        paint_bar(canvas, [("Esc", "leave")])
        return
    items = [(f"{left.home[0]}-{left.home[-1]} {right.home[0]}-{right.home[-1]}", "play")]
    if model.left.stage != "playing":
        items = [("Space", word) for word in [model.left.space or model.right.space] if word]
    elif model.left.space or model.right.space:
        items.append((f"{left.acts[0]}-{left.acts[-1]} {right.acts[0]}-{right.acts[-1]}", "act"))
    paint_bar(canvas, [*items, ("F1", "help"), ("Esc", "menu")])


def _panel(model: TwoModel) -> list[PanelLine]:
    left, right = model.players
    if model.end:
        return end_lines(model.end)
    if model.overlay == "help":
        return help_lines(model)
    if model.overlay == "menu":
        return menu_lines(model)
    if model.overlay == "leave":
        return [middle("LEAVE THIS DEAL, BOTH?", "panel-head"), GAP, middle("Enter leave    Esc stay", "panel-key")]
    if left.stage == "connecting" or right.stage == "connecting":
        return connecting_lines(no_link=left.no_link or right.no_link)
    if left.stage == "over" and left.outcome is not None:
        return _result(model)
    if left.stage == "waiting":
        return _waiting(model)
    return []


def _result(model: TwoModel) -> list[PanelLine]:
    """The result as it is for both: who won, not who "you" are."""
    outcome = model.left.outcome
    assert outcome is not None
    lines = result_lines(model.left, outcome, make_keymap())
    winner = model.left if outcome.won else model.right if model.right.outcome and model.right.outcome.won else None
    if winner is not None:
        style = "panel-good" if winner is model.left else "panel-bad"
        lines[0] = middle(f"{winner.bottom.name.upper()} WINS", style)
    wish = f"Space {outcome.next_word}    Esc menu" if outcome.again else "Esc menu"
    return [*lines[:-1], middle(wish, "panel-key")]


def _waiting(model: TwoModel) -> list[PanelLine]:
    seats = (model.left.bottom, model.right.bottom, *model.others)
    free = any(not side.name for side in seats)
    lines = [middle(f"TABLE {model.left.table}", "panel-head"), GAP]
    for player, side in enumerate(seats):
        state = "free seat" if not side.name else "ready" if side.ready else "not ready"
        style = ("panel-good", "panel-bad", "panel")[min(player, 2)]
        lines.append(middle(f"{side.name or '-'}: {state}", style))
    lines += [GAP, middle(model.left.rules, "panel-hint"), GAP]
    lines += [*_key_lines(halves(model.layout)), GAP]
    if free:
        return [*lines, middle("waiting for somebody to sit down")]
    ready = model.left.bottom.ready and model.right.bottom.ready
    return [*lines, middle("waiting for the others" if ready else "Space: both are ready", "panel-key")]


def _key_lines(both: tuple[Half, Half]) -> list[PanelLine]:
    left, right = both
    return [
        middle(f"{' '.join(left.above)}   left pile   {' '.join(right.above)}", "panel-hint"),
        middle(f"{' '.join(left.home)}     play      {' '.join(right.home)}", "panel-key"),
        middle(f"{' '.join(left.below)}  right pile   {' '.join(right.below)}", "panel-hint"),
    ]


def help_lines(model: TwoModel) -> list[PanelLine]:
    """The keyboard, cut in the middle."""
    left, right = halves(model.layout)
    return [
        middle("TWO AT ONE KEYBOARD", "panel-head"),
        GAP,
        *_key_lines((left, right)),
        GAP,
        pair(f"{left.acts[0]} {right.acts[0]}", "any digit of your half: flip, draw, call Speed!"),
        pair("Space", "both: ready, skip the countdown, rematch"),
        pair("Esc", "menu (Backspace too)"),
        pair("F2", "settings"),
        pair("Ctrl-C", "leave, both; asks in a deal"),
        GAP,
        middle("A card goes on its neighbour: 8 or 10 on 9.", "panel-hint"),
    ]


MENU: Final = ("back", "help", "settings", "leave")
_MENU_TEXT: Final = {
    "back": "back to the table",
    "help": "keys and rules",
    "settings": "settings",
    "leave": "leave the table, both",
}


def menu_lines(model: TwoModel) -> list[PanelLine]:
    """The menu, with the chosen line marked."""
    lines: list[PanelLine] = [middle("MENU", "panel-head"), GAP]
    for place, word in enumerate(MENU):
        chosen = place == model.choice
        lines.append(middle(f"{'> ' if chosen else '  '}{_MENU_TEXT[word]:<24}", "panel-head" if chosen else "panel"))
    return [*lines, GAP, middle("up down Enter, Esc back", "panel-hint")]
