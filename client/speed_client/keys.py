"""What a key may mean, and which presses count.

Which key means what is `keymap`'s to know. `RepeatGuard` keeps a key that is held down from playing the same card
twice: a terminal tells no release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from speed_client.layouts import rows_for
from speed_common.cards import Card
from speed_common.events import AUTO_PILE

MOST_SLOTS: Final = 10
REPEAT_NS: Final = 250_000_000


@dataclass(frozen=True, slots=True)
class PlaySlot:
    """Play the card of a slot onto a pile, or onto the automatic one."""

    slot: int
    pile: int = AUTO_PILE


@dataclass(frozen=True, slots=True)
class Do:
    """A wish without a card: `space`, `call`, `help`, `menu`, `redraw`, `interrupt`, an arrow, `enter` or a letter."""

    word: str


Intent: TypeAlias = PlaySlot | Do

_CONTROL: Final = ("escape", "c-h", "c-l", "c-c", "<sigint>", "c-m", "tab")
_MOVE: Final = ("up", "down", "left", "right", "pageup", "pagedown")
SPECIAL: Final = (*_CONTROL, *_MOVE, "f1", "f2", "f3", "f4")
"""The keys that are no character, by prompt_toolkit's names."""

LETTERS: Final = "rxynRXYN"


def pile_keys(piles: int) -> tuple[str, ...]:
    """For each of so many piles its row of keys, on the keyboard that the README describes."""
    return rows_for("qwerty", piles)


def digits_text(slots: int) -> str:
    """The digits that play a hand of so many slots, as `1-5`; the tenth is 0."""
    return f"1-{slots}" if slots < MOST_SLOTS else "1-9 0"


class RepeatGuard:
    """One press is one play: the same key counts again when another card lies in its slot, or after 250 ms.

    New tops change nothing: else a key held down would play at the instant at which its card fits.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: dict[PlaySlot, tuple[Card, int]] = {}

    def lets(self, play: PlaySlot, card: Card, now: int) -> bool:
        """Whether this press counts; `now` in nanoseconds."""
        before = self._last.get(play)
        if before is not None and before[0] == card and now - before[1] < REPEAT_NS:
            return False
        self._last[play] = (card, now)
        return True
