"""What stands on a screen, as one frozen value: made by `compose`, taken by painters.

It holds what is shown and nothing else: no session, no table, no instant. Two equal models paint the same picture.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from speed_client.story import Line, Notice
from speed_common.cards import NO_CARD, Card
from speed_common.wire import TableLine

Stage: TypeAlias = Literal["connecting", "waiting", "countdown", "playing", "over"]
Overlay: TypeAlias = Literal["", "help", "menu", "leave"]


class Place(Struct, frozen=True):
    """One slot of a hand. `sent`: the card left it and waits for an answer. `hint`: which of several piles it takes."""

    card: Card
    sent: bool = False
    lifted: bool = False
    hint: str = ""


class Side(Struct, frozen=True):
    """One player: the hand by slot, the draw pile and what it held at the deal, wins or points, presence."""

    name: str = ""
    hand: tuple[Place, ...] = ()
    draw: int = 0
    draw_of: int = 1
    score: int = 0
    ready: bool = False
    here: bool = True

    @property
    def left(self) -> int:
        """Cards in hand and draw pile."""
        return self.draw + sum(place.card != NO_CARD for place in self.hand)


class CentrePile(Struct, frozen=True):
    """A centre pile's top, its side pile's count, whether it flashes."""

    top: Card
    side: int
    flash: bool = False


class Pace(Struct, frozen=True):
    """How fast a player plays: seconds a card, and the last gaps as heights 0..6."""

    name: str
    seconds: str = ""
    bars: tuple[int, ...] = ()


class Outcome(Struct, frozen=True):
    """The result card: a headline, how, and rows of (label, mine, the other's)."""

    title: str
    won: bool
    how: str
    rows: tuple[tuple[str, str, str], ...] = ()
    wish: str = ""


class TableModel(Struct, frozen=True):
    """Everything that a table's painters know. `bottom` is the viewer's side, or seat 0 for a spectator."""

    stage: Stage = "connecting"
    seated: bool = True
    table: int = 0
    bottom: Side = field(default_factory=Side)
    top: Side = field(default_factory=Side)
    piles: tuple[CentrePile, ...] = ()
    title: str = ""
    answer: str = ""
    no_link: bool = False
    clock: str = ""
    notice: Notice = field(default_factory=lambda: Notice(""))
    digit: int = 0
    outcome: Outcome | None = None
    rules: str = ""
    draws: bool = False
    log: tuple[tuple[str, str, Line], ...] = ()
    paces: tuple[Pace, ...] = ()
    others: tuple[TableLine, ...] = ()
    overlay: Overlay = ""
    choice: int = 0
    end: str = ""
    address: str = ""
