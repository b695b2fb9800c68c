"""What stands on a screen, as one frozen value: made by `compose`, taken by painters.

It holds what is shown and nothing else: no session, no table, no instant. Two equal models paint the same picture.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from speed_client.story import Line, Notice
from speed_common.cards import NO_CARD, NO_RANK, Card, Rank
from speed_common.wire import TableLine

Stage: TypeAlias = Literal["connecting", "waiting", "countdown", "playing", "over"]
Overlay: TypeAlias = Literal["", "help", "menu", "leave"]


class Place(Struct, frozen=True):
    """One slot of a hand. `sent`: the card left it and waits for an answer. `hint`: which of several piles it takes.

    `fits`: it can be played now, where a player is told so. `away`: the card on its way when the next one has filled
    its place already.
    """

    card: Card
    sent: bool = False
    lifted: bool = False
    hint: str = ""
    fits: bool = False
    away: Card = NO_CARD


class Side(Struct, frozen=True):
    """One player: the hand by slot, the draw pile and what it held at the deal, wins or points, presence.

    `state` is what else is to be known of the player in this deal, in a word or two.
    """

    name: str = ""
    hand: tuple[Place, ...] = ()
    draw: int = 0
    draw_of: int = 1
    score: int = 0
    ready: bool = False
    here: bool = True
    gone: bool = False
    state: str = ""

    @property
    def left(self) -> int:
        """Cards in hand and draw pile."""
        return self.draw + sum(place.card != NO_CARD for place in self.hand)


class CentrePile(Struct, frozen=True):
    """A centre pile's top, its side pile's count, whether it flashes, and what rank a joker on it stands for."""

    top: Card
    side: int
    flash: bool = False
    named: Rank = NO_RANK


class Pace(Struct, frozen=True):
    """How fast a player plays: seconds a card, and the last gaps as heights 0..6."""

    name: str
    seconds: str = ""
    bars: tuple[int, ...] = ()


class Outcome(Struct, frozen=True):
    """The result card: a headline, how, and rows of a label and a figure for each of `names`, the viewer's first.

    `report` is more rows, of what the fair order did, for a screen that has room for them.
    `match` is what the deal means for the match, `gains` what it brought in practice, `wish` what is waited for;
    `again`: a rematch may be asked for, or the next deal of a match (`next_word`).
    """

    title: str
    won: bool
    how: str
    names: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    match: str = ""
    code: str = ""
    wish: str = ""
    again: bool = True
    gains: tuple[str, ...] = ()
    next_word: str = "rematch"
    report: tuple[tuple[str, ...], ...] = ()


class TableModel(Struct, frozen=True):
    """Everything that a table's painters know. `bottom` is the viewer's side, or seat 0 for a spectator.

    `foes` are the others clockwise, from the viewer's left. `space` is what Space does now. `listed`: a spectator goes
    back to the list of tables from here. `address` and `join` are what others type to sit down here. `link` tells
    of the own link and what the fair order costs.
    """

    stage: Stage = "connecting"
    seated: bool = True
    table: int = 0
    bottom: Side = field(default_factory=Side)
    foes: tuple[Side, ...] = ()
    piles: tuple[CentrePile, ...] = ()
    title: str = ""
    answer: str = ""
    link: tuple[str, ...] = ()
    no_link: bool = False
    clock: str = ""
    notice: Notice = field(default_factory=lambda: Notice(""))
    digit: int = 0
    outcome: Outcome | None = None
    rules: str = ""
    space: str = ""
    calls: bool = False
    listed: bool = False
    log: tuple[tuple[str, str, Line], ...] = ()
    paces: tuple[Pace, ...] = ()
    others: tuple[TableLine, ...] = ()
    overlay: Overlay = ""
    choice: int = 0
    end: str = ""
    address: str = ""
    join: str = ""

    @property
    def complete(self) -> bool:
        """Whether somebody sits on every seat."""
        return bool(self.bottom.name and self.foes and all(foe.name for foe in self.foes))

    @property
    def sides(self) -> tuple[Side, ...]:
        """Everybody, the viewer first."""
        return (self.bottom, *self.foes)
