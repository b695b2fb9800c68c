"""Judging: what a request does to a table, or why it may not.

`decide(table, request)` gives the events that answer the request, in order, or a `Refusal`; it changes nothing, and the
same table and request give the same answer always (a reshuffle reads the table's stream at the table's position).
Plays are judged in the order in which they come; which of two presses came first is the server's `race` to say.

One atomic play is: validate, move the card, refill the same slot, test the win, test stuck. What may happen beside
plays has modules of its own: `stuck`, `calls`, `leaving`, `idle`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from speed_common import calls, idle, leaving, tactics
from speed_common.cards import BITS, FIRST_JOKER, NO_CARD, NO_RANK, Rank, is_joker, rank_of
from speed_common.events import (
    AUTO_PILE,
    AskFlip,
    Autoplay,
    Call,
    DealTime,
    Draw,
    Drew,
    Drop,
    Dropped,
    Due,
    Emptied,
    Event,
    FlipAsked,
    Leave,
    Lift,
    Lifted,
    Play,
    Played,
    Refusal,
    Request,
    Reveal,
    Revealed,
)
from speed_common.lost_race import lost_race
from speed_common.rules import fits_rank, rank_fits
from speed_common.state import CALLING, DEALT, NO_SLOT, OVER, PLAYING, STUCK, Table
from speed_common.stuck import after_draw, at_a_stand, everybody_asked, stand, step, union

Decision: TypeAlias = tuple[Event, ...] | Refusal


def decide(table: Table, request: Request) -> Decision:
    """The events that answer `request` on the server's own table, or a `Refusal` with a stable word."""
    return _DECIDE[type(request)](table, request)


def _play(table: Table, request: Play) -> Decision:
    seat, card, pile, at = request.seat, request.card, request.pile, request.at
    if (table.phase != PLAYING or table.call_speed) and (closed := _closed_to(table, seat, at)):
        return closed
    held, reach = table.held[seat], table.reach
    bit = BITS[card]
    if not held & bit:
        return Refusal("deal_over" if table.gone[seat] else "not_in_hand")
    landing, named = table.fits[card], NO_RANK
    if card >= FIRST_JOKER and table.rules.declared:
        pile, named = _name_joker(table, request, held ^ bit)
        if named == NO_RANK:  # it fits as a card of the named rank would, and loses its race as one
            return lost_race(table, request, request.named)
        landing = fits_rank(table.rules, named)
    elif pile == AUTO_PILE:
        pile = tactics.automatic_pile(held, reach, card, landing)
        if pile == AUTO_PILE:
            return lost_race(table, request, card)
    elif not 0 <= pile < len(reach) or not reach[pile] & bit:
        return lost_race(table, request, card)

    draw = table.draws[seat]
    refill = draw[-1] if draw and table.auto_refill else NO_CARD
    rest = held ^ bit | BITS[refill]
    played = Played(at, seat, table.hands[seat].index(card), card, pile, refill, named)
    if not rest and not draw:
        emptied = table.call_speed
        return played, Emptied(at, seat, at + table.rules.call_window_us) if emptied else calls.won(table, at, seat)
    if rest & landing:
        return (played,)
    fitting = tactics.reach_after(reach, pile, landing)
    if rest & fitting:
        return (played,)
    for other, cards in enumerate(table.held):
        if cards & fitting and other != seat:
            return (played,)
    return played, at_a_stand(table, at, can_draw=not table.auto_refill and _can_draw(table, seat))


def _over_for(table: Table, seat: int) -> Refusal | None:
    """Why the seat has no say: the deal has not begun, or is over for its player."""
    if table.phase == DEALT:
        return Refusal("not_started")
    return Refusal("deal_over") if table.phase == OVER or table.gone[seat] else None


def _closed_to(table: Table, seat: int, at: DealTime) -> Refusal | None:
    """Why the seat may move no card at all."""
    if table.phase == CALLING and not table.gone[seat]:
        return Refusal("calling")
    return _over_for(table, seat) or (Refusal("frozen") if at < table.frozen[seat] else None)


def _can_draw(table: Table, played: int) -> bool:
    """Whether anybody could draw, once `played` has an empty slot."""
    return any(draw and (seat == played or NO_CARD in table.hands[seat]) for seat, draw in enumerate(table.draws))


def _name_joker(table: Table, request: Play, rest: int) -> tuple[int, Rank]:
    """The pile and the rank for a declared joker, as asked or as serves its player best; `NO_RANK`: not legal.

    The rank must be legal on the old top, where a joker that stands for no rank takes any.
    """
    best, chosen = (-1, 0, 0), (request.pile, NO_RANK)
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
        # With the rank given the automatic pile is chosen as for any card: then the one whose cover costs fewest pairs.
        covered = 0 if request.named == NO_RANK else (rest & table.reach[pile]).bit_count()
        if (count, -covered, -pile) > best:
            best, chosen = (count, -covered, -pile), (pile, named)
    return chosen


def _reveal(table: Table, request: Reveal) -> Decision:
    if table.phase != DEALT:
        return Refusal("not_due")
    revealed = Revealed(request.at, tuple(map(tuple, table.hands)), tuple(table.tops))
    return revealed, *stand(table, request.at, table.held, union(table.fits[card] for card in table.tops))


def _due(table: Table, request: Due) -> Decision:
    if table.due is None or request.at < table.due:
        return Refusal("not_due")
    if table.phase == CALLING:
        return (calls.won(table, table.due, table.emptied),)
    return step(table, request.at)


def _draw(table: Table, request: Draw) -> Decision:
    seat, at = request.seat, request.at
    closed = _closed_to(table, seat, at)
    if closed is not None:
        return closed
    if table.auto_refill:
        return Refusal("illegal")
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


def _call(table: Table, request: Call) -> Decision:
    refusal = _over_for(table, request.seat)
    if refusal is not None:
        return refusal
    return calls.call(table, request.seat, request.at)


def _ask_flip(table: Table, request: AskFlip) -> Decision:
    seat, at = request.seat, request.at
    if table.gone[seat]:
        return Refusal("deal_over")
    if table.phase != STUCK or table.rules.flip_trigger == "auto":
        return Refusal("not_due")
    if table.asked[seat]:
        return ()
    return FlipAsked(at, seat), *(step(table, at) if everybody_asked(table, seat) else ())


def _autoplay(table: Table, request: Autoplay) -> Decision:
    play = idle.play_for_the_idle(table, request.at)
    return Refusal("not_due") if play is None else _play(table, play)


def _leave(table: Table, request: Leave) -> Decision:
    refusal = _over_for(table, request.seat)
    if refusal is not None:
        return refusal
    return leaving.leave(table, request.seat, request.at)


def _lift(table: Table, request: Lift) -> Decision:
    seat, at = request.seat, request.at
    closed = _closed_to(table, seat, at)
    if closed is not None:
        return closed
    if table.hands[seat][request.slot] == NO_CARD:
        return Refusal("not_in_hand")
    return (Lifted(at, seat, request.slot),)


def _drop(table: Table, request: Drop) -> Decision:
    seat = request.seat
    refusal = _over_for(table, seat)
    if refusal is not None:
        return refusal
    lifted = table.lifted[seat]
    return () if lifted == NO_SLOT else (Dropped(request.at, seat, lifted),)


_DECIDE: Final[dict[type, Callable[[Table, Any], Decision]]] = {
    Play: _play,
    Draw: _draw,
    Reveal: _reveal,
    Due: _due,
    Call: _call,
    AskFlip: _ask_flip,
    Autoplay: _autoplay,
    Leave: _leave,
    Lift: _lift,
    Drop: _drop,
}
