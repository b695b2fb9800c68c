"""The screens before a table: what each must be able to do, and what may be chosen on them. Pure.

A page is told keys and the time, and paints itself; a key may come to a choice, and then the page is done. `front` runs
pages in a terminal and does what was chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from speed_client.door import Address
from speed_client.painters.canvas import Canvas
from speed_client.style import Look
from speed_common.rules import Rules
from speed_common.wire import ANY_TABLE


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


@dataclass(frozen=True, slots=True)
class Back:
    """Go to the page before."""


@dataclass(frozen=True, slots=True)
class Join:
    """Go into the lobby of the server at `address`, or watch there; `word` is what was typed to open it."""

    address: Address
    watch: bool = False
    word: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Practise:
    """Play against a computer of this speed, without a server of others."""

    level: int


@dataclass(frozen=True, slots=True)
class Seat:
    """Sit down: at a table by its number, at any, or at a new one with these rules and computers."""

    table: int = ANY_TABLE
    computers: tuple[int, ...] = ()
    rules: Rules | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch this table, 0 for all."""

    table: int = 0


@dataclass(frozen=True, slots=True)
class TakePart:
    """Enter this tournament, or come back into it."""

    tid: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Choose colours, signs and keys."""


Choice: TypeAlias = Quit | Back | Settings | Join | Practise | Seat | Watch | TakePart


class Page(Protocol):
    """One screen before a table."""

    def press(self, key: str, now: int) -> Choice | None:
        """A key, as `terminal` names it; a choice ends the page."""

    def due(self, now: int) -> Choice | None:
        """Time has come to what `next_due` said."""

    def next_due(self) -> int | None:
        """When the picture changes by itself, on the clock that `now` is of."""

    def paint(self, width: int, height: int, look: Look) -> Canvas:
        """The picture now."""


UP: Final = frozenset({"up", "k"})
DOWN: Final = frozenset({"down", "j"})
ENTER: Final = frozenset({"c-m", "enter"})
LEAVE: Final = frozenset({"escape", "c-h", "backspace"})
HELP: Final = frozenset({"?", "f1"})
INTERRUPT: Final = frozenset({"c-c", "<sigint>"})


def step(key: str) -> int:
    """By how many rows the key moves the choice: -1, 0, 1."""
    return (key in DOWN) - (key in UP)
