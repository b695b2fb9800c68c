"""Judging: what a request does to a table, or why it may not.

`decide(table, request)` gives the events that answer the request, in order, or a `Refusal`; it changes nothing, and the
same table and request give the same answer always (a reshuffle reads the table's stream at the table's position).
Plays are judged in the order in which they come; which of two presses came first is the server's `race` to say.

One atomic play is: validate, move the card, refill the same slot, test the win, test stuck.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final, TypeAlias

from speed_common import tactics
from speed_common.cards import BITS, FIRST_JOKER, NO_CARD, NO_RANK, Card, Rank, is_joker, rank_of
from speed_common.events import (
    AUTO_PILE,
    Draw,
    Drew,
    Drop,
    Dropped,
    Due,
    Event,
    Leave,
    Lift,
    Lifted,
    Play,
    Played,
    Refusal,
    Request,
    Reveal,
    Revealed,
    Won,
)
from speed_common.rules import fits_rank, rank_fits
from speed_common.stuck import after_draw, at_a_stand, stand, step, union
from speed_common.table import DEALT, NO_SLOT, OVER, Table

_CLOSED: Final = frozenset({DEALT, OVER})

Decision: TypeAlias = tuple[Event, ...] | Refusal


def decide(table: Table, request: Request) -> Decision:
    """The events that answer `request` on the server's own table, or a `Refusal` with a stable word."""
    return _DECIDE[type(request)](table, request)


def _play(table: Table, request: Play) -> Decision:
    if table.phase in _CLOSED:
        return Refusal("not_started" if table.phase == DEALT else "deal_over")
    seat, card, pile, at = request.seat, request.card, request.pile, request.at
    held, reach = table.held[seat], table.reach
    bit = BITS[card]
    if not held & bit:
        return Refusal("not_in_hand")
    landing, named = table.fits[card], NO_RANK
    if card >= FIRST_JOKER and table.rules.declared:
        pile, named = _name_joker(table, request, held ^ bit)
        if named == NO_RANK:  # it fits as a card of the named rank would, and loses its race as one
            return _lost_race(table, request, request.named)
        landing = fits_rank(table.rules, named)
    elif pile == AUTO_PILE:
        pile = tactics.automatic_pile(held, reach, card, landing)
        if pile == AUTO_PILE:
            return _lost_race(table, request, card)
    elif not 0 <= pile < len(reach) or not reach[pile] & bit:
        return _lost_race(table, request, card)

    draw = table.draws[seat]
    refill = draw[-1] if draw and table.auto_refill else NO_CARD
    rest = held ^ bit | BITS[refill]
    played = Played(at, seat, table.hands[seat].index(card), card, pile, refill, named)
    if not rest and not draw:
        return played, Won(at, seat, _score(table, seat))
    fitting = tactics.reach_after(reach, pile, landing)
    if rest & fitting:
        return (played,)
    for other, cards in enumerate(table.held):
        if cards & fitting and other != seat:
            return (played,)
    return played, at_a_stand(table, at, can_draw=not table.auto_refill and _can_draw(table, seat))


def _score(table: Table, winner: int) -> int:
    """One point for each card left with the others."""
    return sum(table.cards_left(other) for other in _others(table, winner))


def _can_draw(table: Table, played: int) -> bool:
    """Whether anybody could draw, once `played` has an empty slot."""
    return any(draw and (seat == played or NO_CARD in table.hands[seat]) for seat, draw in enumerate(table.draws))


def _name_joker(table: Table, request: Play, rest: int) -> tuple[int, Rank]:
    """The pile and the rank for a declared joker, as asked or as serves its player best; `NO_RANK`: not legal.

    The rank must be legal on the old top, where a joker that stands for no rank takes any.
    """
    best, chosen = (-1, NO_RANK), (request.pile, NO_RANK)
    for pile, top in enumerate(table.tops):
        if request.pile not in {AUTO_PILE, pile}:
            continue
        on = table.named[pile] if is_joker(top) else rank_of(top)
        named = request.named
        elsewhere = tactics.reach_after(table.reach, pile, 0)
        if named == NO_RANK:
            named = tactics.best_rank(table.rules, rest, on, elsewhere)
        elif on != NO_RANK and not rank_fits(table.rules, named, on):
            continue
        count = (rest & (elsewhere | fits_rank(table.rules, named))).bit_count()
        if (count, -pile) > best:
            best, chosen = (count, -pile), (pile, named)
    return chosen


def _lost_race(table: Table, request: Play, card: Card) -> Refusal:
    """Why `card` that fits nowhere it may go does not: an opponent's play took the fit away lately, or it never fitted.

    For each pile the latest change that took the fit away counts, if an opponent's *play* made it within the window;
    over several piles the smallest lateness. A press from before that change is `late_link`: its message came too late.
    """
    lost: Refusal | None = None
    for pile in range(len(table.tops)):
        if request.pile not in {AUTO_PILE, pile}:
            continue
        taken = _taken_by(table, pile, card)
        if taken is None or taken.seat == request.seat:
            continue
        late = request.at - taken.at
        if late <= table.rules.beaten_window_us and (lost is None or late < lost.late):
            lost = Refusal("beaten" if late >= 0 else "late_link", late, taken.seat, pile, taken.card)
    return lost or Refusal("illegal", pile=request.pile)


def _taken_by(table: Table, pile: int, card: Card) -> Played | None:
    """The play that took the pile's fit for `card` away; None if a flip did, or if the card never fitted."""
    bit = BITS[card]
    for change, before in pairwise(reversed(table.changes[pile])):
        if table.fits_after(before, pile) & bit and not table.fits_after(change, pile) & bit:
            return change if isinstance(change, Played) else None
    return None


def _reveal(table: Table, request: Reveal) -> Decision:
    if table.phase != DEALT:
        return Refusal("not_due")
    revealed = Revealed(request.at, tuple(map(tuple, table.hands)), tuple(table.tops))
    return revealed, *stand(table, request.at, table.held, union(table.fits[card] for card in table.tops))


def _due(table: Table, request: Due) -> Decision:
    if table.due is None or request.at < table.due:
        return Refusal("not_due")
    return step(table, request.at)


def _draw(table: Table, request: Draw) -> Decision:
    if table.phase in _CLOSED or table.rules.refill != "manual":
        return Refusal("not_started" if table.phase == DEALT else "deal_over" if table.phase == OVER else "illegal")
    seat, at = request.seat, request.at
    if NO_CARD not in table.hands[seat]:
        return Refusal("hand_full")
    if not table.draws[seat]:
        return Refusal("nothing_to_draw")
    card = table.draws[seat][-1]
    drew = Drew(at, seat, table.hands[seat].index(NO_CARD), card)
    held = list(table.held)
    held[seat] |= BITS[card]
    hands, draws = list(table.hands), list(table.draws)
    hands[seat] = [card if slot == drew.slot else kept for slot, kept in enumerate(hands[seat])]
    draws[seat] = draws[seat][:-1]
    return drew, *after_draw(table, at, held, hands, draws)


def _leave(table: Table, request: Leave) -> Decision:
    if table.phase in _CLOSED:
        return Refusal("not_started" if table.phase == DEALT else "deal_over")
    (winner,) = _others(table, request.seat)
    return (Won(request.at, winner, table.cards_left(request.seat), forfeit=True),)


def _lift_or_drop(table: Table, request: Lift | Drop) -> Decision:
    seat = request.seat
    if table.phase in _CLOSED:
        return Refusal("not_started" if table.phase == DEALT else "deal_over")
    if isinstance(request, Drop):
        lifted = table.lifted[seat]
        return () if lifted == NO_SLOT else (Dropped(request.at, seat, lifted),)
    if table.hands[seat][request.slot] == NO_CARD:
        return Refusal("not_in_hand")
    return (Lifted(request.at, seat, request.slot),)


def _others(table: Table, seat: int) -> list[int]:
    return [other for other in range(len(table.hands)) if other != seat]


_DECIDE: Final[dict[type, Callable[[Table, Any], Decision]]] = {
    Play: _play,
    Draw: _draw,
    Reveal: _reveal,
    Due: _due,
    Leave: _leave,
    Lift: _lift_or_drop,
    Drop: _lift_or_drop,
}
