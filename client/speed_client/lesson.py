"""Twenty seconds before the first practice: the keys, lit one at a time, against somebody who is very slow. Pure.

It is a little play with a fixed hand. Whoever presses the lit key goes on at once; whoever does not sees, after a few
seconds, what the key does. Escape ends it at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speed_client.model import CentrePile, Place, Side, TableModel
from speed_client.pages import ENTER, INTERRUPT, LEAVE, Back, Choice, Quit
from speed_client.painters.canvas import Canvas
from speed_client.painters.sizes import paint_table
from speed_client.story import Notice
from speed_client.style import Look
from speed_common.cards import HIDDEN, parse_card

SECOND_NS: Final = 1_000_000_000
NAME: Final = "the other"
DRAW: Final = 15


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence with the key to press (empty: only to watch), and what happens then, at the latest after `seconds`.

    `slot` goes to `pile` and `refill` takes its place; `tops` are turned instead where nobody plays. `lifts`: the other
    has a card in the air.
    """

    says: str
    key: str
    seconds: float
    slot: int = -1
    pile: int = 0
    refill: str = ""
    tops: tuple[str, str] | None = None
    lifts: bool = False


HAND: Final = ("8C", "3D", "QS", "6H", "KD")
TOPS: Final = ("9S", "5D")
STEPS: Final = (
    Step("the 8 goes on the 9: press 1", "1", 4.5, slot=0, pile=0, refill="4H"),
    Step("letters name the pile: l, the 6 right", "l", 4.5, slot=3, pile=1, refill="7S"),
    Step("the 7 fits both piles: f is the left", "f", 4.5, slot=3, pile=0, refill="2C"),
    Step("nobody can play: new cards are turned", "", 2.0, tops=("JC", "9D")),
    Step("the other lifts a card: quick, press 3", "3", 3.0, slot=2, pile=0, refill="AH", lifts=True),
    Step("who has no cards left wins: Space", " ", 1.5),
)


class Lesson:
    """The play and where it has come to."""

    def __init__(self, name: str, now: int) -> None:
        self.name = name
        self.step = 0
        self.hand = [parse_card(card) for card in HAND]
        self.tops = [parse_card(card) for card in TOPS]
        self.draw = DRAW
        self._since = now

    @property
    def over(self) -> bool:
        """Whether there is nothing more to show."""
        return self.step >= len(STEPS)

    def press(self, key: str, now: int) -> Choice | None:
        """The lit key goes on; Escape and Enter end the lesson."""
        if key in INTERRUPT:
            return Quit()
        if key in (LEAVE | ENTER):
            return Back()
        if not self.over and key.lower() == STEPS[self.step].key:
            return self._go_on(now)
        return None

    def due(self, now: int) -> Choice | None:
        """Show what the key would have done."""
        at = self.next_due()
        return self._go_on(now) if at is not None and now >= at else None

    def next_due(self) -> int | None:
        """When the step does itself."""
        return None if self.over else self._since + round(STEPS[self.step].seconds * SECOND_NS)

    def paint(self, width: int, height: int, look: Look) -> Canvas:
        """The table with the key lit."""
        canvas = paint_table(self.model(), width, height, look)
        if not self.over:
            _light(canvas, STEPS[self.step].key, look)
        return canvas

    def model(self) -> TableModel:
        """The table."""
        step = STEPS[min(self.step, len(STEPS) - 1)]
        backs = tuple(Place(HIDDEN, lifted=step.lifts and slot == 1) for slot in range(len(HAND)))
        return TableModel(
            stage="playing",
            bottom=Side(self.name, tuple(map(Place, self.hand)), self.draw, DRAW),
            foes=(Side(NAME, backs, DRAW - 1, DRAW),),
            piles=tuple(CentrePile(top, 5) for top in self.tops),
            title=f"LESSON {min(self.step + 1, len(STEPS))} of {len(STEPS)} · Esc skips it",
            notice=Notice(step.says),
        )

    def _go_on(self, now: int) -> Choice | None:
        step = STEPS[self.step]
        if step.slot >= 0:
            self.tops[step.pile] = self.hand[step.slot]
            self.hand[step.slot] = parse_card(step.refill)
            self.draw -= 1
        if step.tops is not None:
            self.tops = [parse_card(card) for card in step.tops]
        self.step += 1
        self._since = now
        return Back() if self.over else None


def _light(canvas: Canvas, key: str, look: Look) -> None:
    """Give the key's own letter on the table the style of a call, and brackets where there is no colour."""
    for row in canvas.rows:
        for x, (char, style) in enumerate(row):
            if style == "key" and char == key != " ":
                row[x] = (char, "call")
                if look.theme == "none" and 0 < x < len(row) - 1:
                    row[x - 1], row[x + 1] = ("[", "key"), ("]", "key")
