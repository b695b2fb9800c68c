"""Help and menu: panels over the table, which plays on underneath."""

from __future__ import annotations

from typing import Final

from speed_client.keymap import Keymap
from speed_client.model import TableModel
from speed_client.painters.panel import GAP, PAIR, PanelLine, Part, middle, pair
from speed_client.wording import pile_word

DEFAULT_HAND: Final = 5
MENU: Final = ("back", "help", "settings", "redraw", "leave")
_MENU_TEXT: Final = {
    "back": ("Esc", "back to the table"),
    "help": ("?", "keys and rules"),
    "settings": ("F2", "settings and keys"),
    "redraw": ("Ctrl-L", "redraw the screen"),
    "leave": ("x", "leave the table"),
}
_SPACE_TEXT: Final = {"draw": "draw a card", "flip": "ask for the flip", "call Speed!": "call Speed!"}


def help_lines(model: TableModel, keys: Keymap) -> list[PanelLine]:
    """Every key, and the rule that matters."""
    if not model.seated:
        return [
            middle("KEYS", "panel-head"),
            GAP,
            pair("1-9", "look at that table"),
            pair("arrows", "choose a table, Enter opens it"),
            pair("PgUp PgDn", "the page before, the next page"),
            pair("Esc", "back to all tables; there: leave"),
            pair("Ctrl-L", "redraw"),
            pair("Ctrl-C", "leave"),
            GAP,
            middle("A card goes on its neighbour: 8 or 10 on 9.", "panel-hint"),
        ]
    piles = len(model.piles) or PAIR
    rows = [
        pair(" ".join(row), f"the same cards to the {pile_word(pile, piles)} pile")
        for pile, row in enumerate(keys.rows(piles))
    ]
    return [
        middle("KEYS", "panel-head"),
        GAP,
        pair(keys.digits(len(model.bottom.hand) or DEFAULT_HAND), "play that card, pile chosen for you"),
        *rows,
        pair(keys.key_of("space"), _SPACE_TEXT.get(model.space, "ready, skip the countdown, rematch")),
        *([pair(keys.key_of("call"), "call Speed! when somebody is out")] if model.calls else []),
        pair(keys.key_of("rematch"), "rematch, once the deal is over"),
        pair("Esc", "menu (Backspace too, quick in tmux)"),
        pair(keys.key_of("redraw"), "redraw"),
        pair("Ctrl-C", "leave; asks in a deal"),
        GAP,
        middle("A card goes on its neighbour: 8 or 10 on 9.", "panel-hint"),
        middle(
            f"◂ marks where {keys.digits(DEFAULT_HAND)} lays what fits {'both' if piles == PAIR else 'several'}.",
            "panel-hint",
        ),
    ]


def menu_lines(model: TableModel) -> list[PanelLine]:
    """The menu, with the chosen line marked."""
    lines: list[PanelLine] = [middle("MENU", "panel-head"), GAP]
    for place, word in enumerate(MENU):
        key, text = _MENU_TEXT[word]
        chosen = place == model.choice
        lines.append(
            (
                Part(f"{'>' if chosen else ' '} {key}", "panel-key", "left"),
                Part(text, "panel-head" if chosen else "panel", "text"),
            )
        )
    return [*lines, GAP, middle("the game goes on underneath", "panel-hint")]


def leave_lines(model: TableModel) -> list[PanelLine]:
    """The question before a deal is given up."""
    return [
        middle("LEAVE THIS DEAL?", "panel-head"),
        GAP,
        middle(
            f"{model.foes[0].name or 'The other'} wins it then."
            if len(model.foes) == 1
            else "The others play on without you."
        ),
        GAP,
        middle("y leave    n stay", "panel-key"),
    ]


def overlay_lines(model: TableModel, keys: Keymap) -> list[PanelLine]:
    """The lines of the overlay that is open; none when there is none."""
    if model.overlay == "help":
        return help_lines(model, keys)
    if model.overlay == "menu":
        return menu_lines(model)
    return leave_lines(model) if model.overlay == "leave" else []
