"""What is said on panels about a room: who sits here before the deal, how it ended, that it is over for good."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from speed_client.model import Outcome, Side, TableModel
from speed_client.painters.panel import GAP, PanelLine, Part, figures, middle


def result_lines(model: TableModel, outcome: Outcome) -> list[PanelLine]:
    """The result card."""
    rows = [figures(*row) for row in outcome.rows]
    names = [figures("", model.bottom.name, model.top.name, "panel-hint")] if rows else []
    keys = "r rematch    Esc menu" if model.seated else "Esc leave"
    return [
        middle(outcome.title, "panel-good" if outcome.won else "panel-bad"),
        middle(outcome.how),
        GAP,
        *names,
        *rows,
        GAP,
        *([middle(outcome.wish, "panel-key")] if outcome.wish else []),
        middle(keys, "panel-key"),
    ]


def ready_lines(model: TableModel) -> list[PanelLine]:
    """The screen before a deal: who sits at the table, by which rules, and what is waited for."""
    alone = not (model.top.name and model.bottom.name)
    lines = [
        middle(f"TABLE {model.table}", "panel-head"),
        GAP,
        _seat(model.bottom, "panel-good"),
        _seat(model.top, "panel-bad"),
        GAP,
        middle(model.rules, "panel-hint"),
        GAP,
    ]
    if model.outcome is not None:
        # The other gave the deal and the seat up: that is how it ended.
        said = f"{model.outcome.title}: {model.outcome.how}"
        lines += [middle(said, "panel-good" if model.outcome.won else "panel-bad"), GAP]
    elif model.notice.text:
        lines += [middle(model.notice.text, "panel-key"), GAP]
    if not model.seated:
        return [*lines, middle("waiting for the players")]
    if alone:
        lines.append(middle("waiting for somebody to sit down, who types"))
        # Where we came by an address that is this machine's alone, only the server knows what others type.
        typed = f"speed-client {model.address}" if model.address else "the line that speed-server printed"
        lines.append(middle(typed, "panel-key" if model.address else "panel"))
    elif model.bottom.ready:
        lines.append(middle(f"waiting until {model.top.name} is ready"))
    else:
        lines.append(middle("Space ready", "panel-key"))
    return lines


def _seat(side: Side, style: str) -> PanelLine:
    if not side.name:
        return (Part("free seat", "panel-hint", "left"), Part("–", "panel-hint", "other"))
    state = "no link" if not side.here else "ready" if side.ready else "not ready"
    return (
        Part(side.name, style, "left"),
        Part(state, "panel-key" if side.ready else "panel-hint", "other"),
    )


def end_lines(text: str) -> list[PanelLine]:
    """The session is over and the screen only waits to be left."""
    return [middle("THE GAME IS CLOSED", "panel-head"), GAP, middle(text), GAP, middle("Esc leave", "panel-key")]


def connecting_lines(*, no_link: bool) -> list[PanelLine]:
    """Before anything is known of a table."""
    if no_link:
        return [
            middle("no link to the server", "panel-head"),
            GAP,
            middle("trying again"),
            GAP,
            middle("Esc leave", "panel-key"),
        ]
    return [middle("connecting…", "panel-head"), GAP, middle("Esc leave", "panel-key")]
