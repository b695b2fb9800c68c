"""The computer player: ten speeds, one habit. It looks, lifts a card, and a quarter of a second later lays it down.

It is a pure state machine in deal time (microseconds since the reveal): whoever drives it tells it what happened (
`revealed`, `happened`, `refused`, `stopped`), wakes it at `next_due` with `due`, and hands its request to the same
`decide` that judges a person. It reads the own hand and the tops of the table it is shown, nothing else: give it a view
of its seat. Chance comes in by `dice` alone.

    due = reveal + period * jitter             each next one: due + period * jitter
    due - 0.25 s: look; something fits -> lift it, nothing fits -> skip to the next due
    due: play what was lifted; refused -> drop it
    a flip while nothing is lifted: due = flip + period * jitter

Where the rules have it, it asks for the flip of a stuck table one period * jitter after it got stuck, and calls
"Speed!": its own a quarter of a second after its last card, another's after a period * jitter, so that a person has
that long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from speed_common import tactics
from speed_common.cards import NO_CARD, Card
from speed_common.events import (
    NOBODY,
    AskFlip,
    Call,
    Draw,
    Drop,
    Emptied,
    Event,
    Flipped,
    Freed,
    Lift,
    Play,
    Stuck,
    Took,
    Tucked,
    Voided,
    Won,
)
from speed_common.rules import SECOND_US
from speed_common.state import CALLING, STUCK, Table

LEVELS: Final = 10
SLOWEST_US: Final = 2_800_000
FASTER: Final = 0.85
LIFT_US: Final = SECOND_US // 4
JITTER: Final = 0.10

NOTICED: Final = frozenset({Emptied, Flipped, Freed, Stuck, Took, Tucked, Voided, Won})
"""The events that a computer has to be told of; of the others it knows by its table."""

Move: TypeAlias = Lift | Drop | Play | Draw | Call | AskFlip


def period_us(level: int) -> int:
    """Microseconds between two plays of a computer of `level` 1..10: 2.8 s, and 15 % less for each level more.

    Raises `ValueError` for another level.
    """
    if not 1 <= level <= LEVELS:
        raise ValueError(f"a computer has speed 1 to {LEVELS}, not {level}")
    return round(SLOWEST_US * FASTER ** (level - 1))


class Computer:
    """One computer player in one deal. `dice` gives numbers in [0, 1) for the jitter; without it there is none.

    `lift_us` is how long before the play it lifts the card; with 0 it looks at the last moment, as simulations do.
    """

    __slots__ = ("_dice", "_dropping_at", "_due", "_lifted", "_refill_at", "_speaks_at", "level", "lift_us", "period")

    def __init__(self, level: int, dice: Callable[[], float] | None = None, lift_us: int = LIFT_US) -> None:
        self.level = level
        self.lift_us = lift_us
        self.period = period_us(level)
        self._dice = dice
        self._due: int | None = None
        self._lifted: tuple[int, Card, int] | None = None
        self._dropping_at: int | None = None
        self._refill_at: int | None = None
        self._speaks_at: int | None = None

    def revealed(self, at: int) -> None:
        """The deal begins."""
        self.stopped()
        self._due = at + self._wait()

    def happened(self, event: Event, table: Table, seat: int) -> None:
        """What happened at its table, of which it sits at `seat`; only the kinds in `NOTICED` matter."""
        kind = type(event)
        if self._due is None or kind not in NOTICED or (isinstance(event, Took) and event.by == NOBODY):
            return
        self._speaks_at = None
        if kind is Flipped:
            self.flipped(event.at)
        elif kind is Stuck:
            if table.rules.flip_trigger == "all_ready":
                self._speaks_at = event.at + self._wait()
        elif isinstance(event, Emptied):
            self._speaks_at = event.at + (LIFT_US if event.seat == seat else self._wait())
            if self._lifted is not None:
                self._lifted = None
                self._dropping_at = event.at
                self._put_off(event.at)
        elif kind is Took:
            self._due = event.at + self._wait()
        elif kind is Won or kind is Voided:
            self.stopped()

    def flipped(self, at: int) -> None:
        """New tops came up. Does nothing while a card is lifted."""
        if self._due is not None and self._lifted is None:
            self._due = at + self._wait()

    def refused(self, at: int) -> None:
        """The play was refused: the card is to be dropped, at once."""
        if self._due is not None:
            self._dropping_at = at

    def stopped(self) -> None:
        """The deal is over: nothing is due any more."""
        self._due = self._lifted = self._dropping_at = self._refill_at = self._speaks_at = None

    def next_due(self) -> int | None:
        """The deal time at which `due` is to be called next; None while no deal runs."""
        if self._due is None:
            return None
        when = self._due if self._lifted is not None else self._due - self.lift_us
        if self._refill_at is not None:
            when = min(when, self._refill_at)
        if self._speaks_at is not None:
            when = min(when, self._speaks_at)
        return when if self._dropping_at is None else min(when, self._dropping_at)

    def due(self, at: int, table: Table, seat: int) -> Move | None:
        """What it does at deal time `at`, not before `next_due`; None: it found nothing to do.

        The answer to a `Play` or `Draw` is to be applied (or `refused` called) before the next call.
        """
        if self._due is None:
            return None
        if self._dropping_at is not None:
            self._dropping_at = None
            return Drop(seat, at)
        if self._speaks_at is not None and at >= self._speaks_at:
            self._speaks_at = None
            return self._speak(at, table, seat)
        if self._lifted is not None:
            return self._lay_down(at, table, seat) if at >= self._due else None
        if not table.auto_refill and _can_draw(table, seat, at):
            self._refill_at = at
            return Draw(seat, at)
        self._refill_at = None
        return self._look(at, table, seat) if at >= self._due - self.lift_us else None

    def _speak(self, at: int, table: Table, seat: int) -> Call | AskFlip | None:
        if table.phase == CALLING:
            return Call(seat, at)
        return AskFlip(seat, at) if table.phase == STUCK and not table.asked[seat] else None

    def _look(self, at: int, table: Table, seat: int) -> Lift | None:
        hand = table.hands[seat]
        if table.call_speed and (table.phase == CALLING or at < table.frozen[seat]):
            self._put_off(at)
            return None
        found = tactics.best_play(hand, table.held[seat], table.reach, table.fits)
        if found is None:
            self._put_off(at)
            return None
        slot, pile = found
        self._lifted = (slot, hand[slot], pile)
        return Lift(seat, slot, at)

    def _lay_down(self, at: int, table: Table, seat: int) -> Play | Drop:
        assert self._lifted is not None
        slot, card, pile = self._lifted
        self._lifted = None
        self._put_off(at)
        if table.hands[seat][slot] != card:  # a tuck took it away
            return Drop(seat, at)
        if not table.auto_refill:
            self._refill_at = at + table.rules.min_play_gap_us
        return Play(seat, card, pile, at)

    def _put_off(self, at: int) -> None:
        """One interval after the last due, so that lateness does not add up; after a long sleep, after now."""
        assert self._due is not None
        slept = at - self._due > LIFT_US
        self._due = (at if slept else self._due) + self._wait()

    def _wait(self) -> int:
        if self._dice is None:
            return self.period
        return round(self.period * (1 - JITTER + 2 * JITTER * self._dice()))


def _can_draw(table: Table, seat: int, at: int) -> bool:
    may = table.phase != CALLING and at >= table.frozen[seat]
    return may and NO_CARD in table.hands[seat] and bool(table.draws[seat])
