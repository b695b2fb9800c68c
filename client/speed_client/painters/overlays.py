"""Help and menu: panels over the table, which plays on underneath."""

from __future__ import annotations

from typing import Final

from speed_client.keys import digits_text, pile_keys
from speed_client.model import TableModel
from speed_client.painters.panel import GAP, PAIR, PanelLine, Part, middle, pair
from speed_client.wording import pile_word

DEFAULT_HAND: Final = 5
MENU: Final = ("back", "help", "redraw", "leave")
_MENU_TEXT: Final = {
    "back": ("Esc", "back to the table"),
    "help": ("?", "keys and rules"),
    "redraw": ("Ctrl-L", "redraw the screen"),
    "leave": ("x", "leave the table"),
}
_SPACE_TEXT: Final = {"draw": "draw a card", "flip": "ask for the flip", "call Speed!": "call Speed!"}


def help_lines(model: TableModel) -> list[PanelLine]:
    """Every key, and the rule that matters."""
    if not model.seated:
        return [
            middle("KEYS", "panel-head"),
            GAP,
            pair("1-9", "look at that table"),
            pair("arrows", "choose a table, Enter opens it"),
            pair("Esc", "back to all tables; there: leave"),
            pair("Ctrl-L", "redraw"),
            pair("Ctrl-C", "leave"),
            GAP,
            middle("A card goes on its neighbour: 8 or 10 on 9.", "panel-hint"),
        ]
    piles = len(model.piles) or PAIR
    rows = [
        pair(" ".join(keys), f"the same cards to the {pile_word(pile, piles)} pile")
        for pile, keys in enumerate(pile_keys(piles))
    ]
    return [
        middle("KEYS", "panel-head"),
        GAP,
        pair(digits_text(len(model.bottom.hand) or DEFAULT_HAND), "play that card, pile chosen for you"),
        *rows,
        pair("Space", _SPACE_TEXT.get(model.space, "ready, skip the countdown, rematch")),
        *([pair("!", "call Speed! when somebody is out")] if model.calls else []),
        pair("r", "rematch, once the deal is over"),
        pair("Esc", "menu (Backspace too, quick in tmux)"),
        pair("Ctrl-L", "redraw"),
        pair("Ctrl-C", "leave; asks in a deal"),
        GAP,
        middle("A card goes on its neighbour: 8 or 10 on 9.", "panel-hint"),
        middle(f"◂ marks where 1-5 lays a card that fits {'both' if piles == PAIR else 'several'}.", "panel-hint"),
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


def overlay_lines(model: TableModel) -> list[PanelLine]:
    """The lines of the overlay that is open; none when there is none."""
    if model.overlay == "help":
        return help_lines(model)
    if model.overlay == "menu":
        return menu_lines(model)
    return leave_lines(model) if model.overlay == "leave" else []
