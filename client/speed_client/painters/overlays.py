"""Help and menu: panels over the table, which plays on underneath."""

from __future__ import annotations

from typing import Final

from speed_client.keys import digits_text
from speed_client.model import TableModel
from speed_client.painters.panel import GAP, PanelLine, Part, middle, pair

DEFAULT_HAND: Final = 5
MENU: Final = ("back", "help", "redraw", "leave")
_MENU_TEXT: Final = {
    "back": ("Esc", "back to the table"),
    "help": ("?", "keys and rules"),
    "redraw": ("Ctrl-L", "redraw the screen"),
    "leave": ("x", "leave the table"),
}


def help_lines(model: TableModel) -> list[PanelLine]:
    """Every key, and the rule that matters."""
    if not model.seated:
        keys = [
            pair("1-9", "look at that table"),
            pair("arrows", "choose a table, Enter opens it"),
            pair("Esc", "back to all tables; there: leave"),
        ]
    else:
        keys = [
            pair(digits_text(len(model.bottom.hand) or DEFAULT_HAND), "play that card, pile chosen for you"),
            pair("a s d f g", "the same cards to the left pile"),
            pair("h j k l ;", "the same cards to the right pile"),
            pair("Space", "draw a card" if model.draws else "ready, skip the countdown, rematch"),
            pair("r", "rematch, once the deal is over"),
            pair("Esc", "menu (Backspace too, quick in tmux)"),
        ]
    return [
        middle("KEYS", "panel-head"),
        GAP,
        *keys,
        pair("Ctrl-L", "redraw"),
        pair("Ctrl-C", "leave; asks in a deal"),
        GAP,
        middle("A card goes on its neighbour: 8 or 10 on 9.", "panel-hint"),
        middle("◂ marks where 1-5 lays a card that fits both.", "panel-hint"),
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
        middle(f"{model.top.name or 'The other'} wins it then."),
        GAP,
        middle("y leave    n stay", "panel-key"),
    ]


def overlay_lines(model: TableModel) -> list[PanelLine]:
    """The lines of the overlay that is open; none when there is none."""
    if model.overlay == "help":
        return help_lines(model)
    if model.overlay == "menu":
        return menu_lines(model)
    return leave_lines(model) if model.overlay == "leave" else []
