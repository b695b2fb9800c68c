"""Calling "Speed!": who has no cards left must say so before another does (rules with `call_speed`).

A player whose last card was played has until the window's end to call; unless somebody else calls first, the deal is
won. Who is caught takes the smallest centre pile without its top and plays on. Calling with cards left is a false call,
which costs time, or cards, as the rules say.
"""

from __future__ import annotations

from speed_common.cards import NO_CARD
from speed_common.events import NOBODY, DealTime, Event, Frozen, Refusal, Took, Won
from speed_common.rules import FREEZE_US
from speed_common.state import CALLING, Table, copy_of
from speed_common.stuck import settle
from speed_common.table import evolve


def call(table: Table, seat: int, at: DealTime) -> tuple[Event, ...] | Refusal:
    """What comes of a call by a player who is still there, while cards are being played."""
    if not table.call_speed:
        return Refusal("illegal")
    if at < table.frozen[seat]:
        return Refusal("frozen")
    if table.phase == CALLING:
        owner = table.emptied
        return (_take(table, owner, at, by=seat) if seat != owner else ()) or (won(table, at, owner),)
    if at - table.caught_at <= table.rules.beaten_window_us:
        return Refusal("illegal")  # a lost race for the call is no false call
    penalty = table.rules.false_call
    if penalty == "freeze":
        return (Frozen(at, seat, at + FREEZE_US),)
    return (_take(table, seat, at) if penalty == "cards" else ()) or Refusal("illegal")


def won(table: Table, at: DealTime, winner: int, *, forfeit: bool = False) -> Won:
    """The deal is the winner's: one point for each card left with the others."""
    score = sum(table.cards_left(seat) for seat in range(len(table.hands)) if seat != winner)
    return Won(at, winner, score, forfeit)


def _take(table: Table, seat: int, at: DealTime, by: int = NOBODY) -> tuple[Event, ...]:
    """The smallest centre pile goes, shuffled and without its top, under the seat's draw pile; nothing if all are bare.

    With automatic refill the hand is filled from the draw pile at once.
    """
    stream = table.stream
    assert stream is not None, "only the server's table is asked to shuffle"
    pile = min(
        (pile for pile, under in enumerate(table.under) if under),
        key=lambda pile: len(table.under[pile]),
        default=NOBODY,
    )
    if pile == NOBODY:
        return ()
    cards, position = stream.shuffled(table.under[pile], table.position)
    draw = cards + table.draws[seat]
    hand = [draw.pop() if card == NO_CARD and draw and table.auto_refill else card for card in table.hands[seat]]
    took = Took(at, seat, pile, tuple(hand), tuple(draw), position, by)
    return took, *settle(evolve(copy_of(table), took), at)
