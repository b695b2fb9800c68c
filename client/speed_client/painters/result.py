"""What is said on panels about a room: who sits here before the deal, how it ended, that it is over for good."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from speed_client.keymap import Keymap
from speed_client.model import Outcome, Side, TableModel
from speed_client.painters.panel import GAP, PanelLine, Part, figures, middle
from speed_client.wording import listed


def result_lines(model: TableModel, outcome: Outcome, own: Keymap) -> list[PanelLine]:
    """The result card."""
    rows = [figures(label, each) for label, *each in outcome.rows]
    rows += [figures(label, each, spare=True) for label, *each in outcome.report]
    names = [figures("", outcome.names, "panel-hint")] if rows else []
    if not model.seated:
        keys = f"Esc {'all tables' if model.listed else 'leave'}"
    else:
        keys = f"{own.key_of('rematch')} {outcome.next_word}    Esc menu" if outcome.again else "Esc menu"
    after = [middle(outcome.match, "panel-head")] if outcome.match else []
    after += [middle(gain, "panel-good") for gain in outcome.gains]
    after += [middle(f"code {outcome.code}", "panel-hint")] if outcome.code else []
    return [
        middle(outcome.title, "panel-good" if outcome.won else "panel-bad"),
        middle(outcome.how),
        GAP,
        *names,
        *rows,
        GAP,
        *after,
        *([middle(outcome.wish, "panel-key")] if outcome.wish else []),
        middle(keys, "panel-key"),
    ]


def ready_lines(model: TableModel, own: Keymap) -> list[PanelLine]:
    """The screen before a deal: who sits at the table, by which rules, and what is waited for."""
    lines = [
        middle(f"TABLE {model.table}", "panel-head"),
        GAP,
        _seat(model.bottom, "panel-good"),
        *(_seat(foe, "panel-bad") for foe in model.foes),
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
    if not model.complete:
        lines.append(middle("waiting for somebody to sit down, who types"))
        # Where we came by an address that is this machine's alone, only the server knows what others type.
        typed = f"speed-client {model.address}" if model.address else "the line that speed-server printed"
        typed += f"{'' if model.address else ' and'}{model.join}" if model.join else ""
        lines.append(middle(typed, "panel-key" if model.address else "panel"))
    elif model.bottom.ready:
        slow = [foe.name for foe in model.foes if not foe.ready]
        lines.append(middle(f"waiting until {listed(slow)} {'is' if len(slow) == 1 else 'are'} ready"))
    else:
        lines.append(middle(f"{own.key_of('space')} ready", "panel-key"))
    return lines


def _seat(side: Side, style: str) -> PanelLine:
    if not side.name:
        return (Part("free seat", "panel-hint", "left"), Part("–", "panel-hint", "right"))
    state = "no link" if not side.here else "ready" if side.ready else "not ready"
    return (
        Part(side.name, style, "left"),
        Part(state, "panel-key" if side.ready else "panel-hint", "right"),
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
