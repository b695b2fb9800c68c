"""Judging: what a request does to a table, or why it may not.

`decide(table, request)` gives the events that answer the request, in order, or a `Refusal`; it changes nothing, and the
same table and request give the same answer always (a reshuffle reads the table's stream at the table's position).
Plays are judged in the order in which they come; which of two presses came first is the server's `race` to say.

One atomic play is: validate, move the card, refill the same slot, test the win, test stuck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    Flipped,
    Freed,
    Leave,
    Lift,
    Lifted,
    Play,
    Played,
    Refusal,
    Request,
    Reshuffled,
    Reveal,
    Revealed,
    Stuck,
    Tucked,
    Voided,
    Waiting,
    Won,
)
from speed_common.rules import as_card_set, fits_rank, rank_fits
from speed_common.table import DEALT, NO_SLOT, OVER, PLAYING, Table

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
    union = tactics.reach_after(reach, pile, landing)
    if rest & union:
        return (played,)
    for other, cards in enumerate(table.held):
        if cards & union and other != seat:
            return (played,)
    return played, _at_a_stand(table, at, can_draw=not table.auto_refill and _can_draw(table, seat))


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
    union = _union(table.fits[card] for card in table.tops)
    return revealed, *_stand(table, request.at, table.held, union)


def _due(table: Table, request: Due) -> Decision:
    """The stuck step: fill waiting hands; else tuck, or reshuffle if need be and flip; then the stuck test again."""
    if table.due is None or request.at < table.due:
        return Refusal("not_due")
    at = request.at
    if table.phase == PLAYING:
        return _fill_hands(table, at)
    if any(table.sides):
        return _flip(table, at, table.sides, ())
    draws_left = any(table.draws)
    if not table.played_since_filling:
        largest = max(map(table.cards_left, range(len(table.hands))))
        windows = -(-largest // table.rules.hand_size)
        if table.barren > (windows + 1 if table.rules.tuck else 1):
            return (Voided(at),)
        if table.rules.tuck and draws_left and not table.tucked_since_filling:
            return _tuck(table, at)
    sides, position = _reshuffle(table)
    if not any(sides):
        return (Voided(at),)
    return _flip(table, at, sides, (Reshuffled(at, tuple(map(tuple, sides)), position),))


def _reshuffle(table: Table) -> tuple[list[list[Card]], int]:
    """New side piles of all cards below the tops, and the stream's place after it.

    Pooled, the cards are dealt alternately to side pile 0, 1, .. so that sizes differ by at most one; per pile, each
    centre pile's own lower cards become its side pile.
    """
    stream = table.stream
    assert stream is not None, "only the server's table is asked to reshuffle"
    piles = table.rules.piles
    if table.rules.reshuffle == "per_pile":
        sides: list[list[Card]] = []
        position = table.position
        for under in table.under:
            cards, position = stream.shuffled(under, position)
            sides.append(cards)
        return sides, position
    cards, position = stream.shuffled([card for under in table.under for card in under], table.position)
    return [cards[pile::piles] for pile in range(piles)], position


def _flip(table: Table, at: int, sides: Sequence[Sequence[Card]], before: tuple[Event, ...]) -> Decision:
    """One card from every side pile that has one; where none is left the top stays."""
    tops: list[Card] = []
    union = 0
    for side, fit in zip(sides, table.reach, strict=True):
        tops.append(side[-1] if side else NO_CARD)
        union |= table.fits[side[-1]] if side else fit
    return *before, Flipped(at, tuple(tops)), *_stand(table, at, table.held, union)


def _tuck(table: Table, at: int) -> Decision:
    """Every hand goes under its draw pile in slot order, slot 0 to come back first, and is drawn anew."""
    hands: list[tuple[Card, ...]] = []
    draws: list[tuple[Card, ...]] = []
    size = table.rules.hand_size
    for hand, draw in zip(table.hands, table.draws, strict=True):
        if not draw:
            hands.append(tuple(hand))
            draws.append(())
            continue
        pile = [card for card in reversed(hand) if card != NO_CARD] + draw
        drawn = pile[: -size - 1 : -1]
        hands.append(tuple(drawn + [NO_CARD] * (size - len(drawn))))
        draws.append(tuple(pile[: len(pile) - len(drawn)]))
    held = [as_card_set(hand) for hand in hands]
    return Tucked(at, tuple(hands), tuple(draws)), *_stand(table, at, held, _union(table.reach))


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
    return drew, *_after_draw(table, at, held, hands, draws)


def _fill_hands(table: Table, at: int) -> Decision:
    """Draw for everybody who could (manual refill), because nobody can play and somebody did not draw."""
    events: list[Event] = []
    held, hands, draws = (
        list(table.held),
        [list(hand) for hand in table.hands],
        [list(d) for d in table.draws],
    )
    for seat, hand in enumerate(hands):
        for slot, card in enumerate(hand):
            if card == NO_CARD and draws[seat]:
                drawn = hand[slot] = draws[seat].pop()
                held[seat] |= BITS[drawn]
                events.append(Drew(at, seat, slot, drawn))
    return *events, *_after_draw(table, at, held, hands, draws)


def _after_draw(
    table: Table,
    at: int,
    held: Sequence[int],
    hands: Sequence[Sequence[Card]],
    draws: Sequence[Sequence[Card]],
) -> tuple[Event, ...]:
    stuck = _stand(table, at, held, _union(table.reach))
    if not stuck:
        return () if table.due is None else (Freed(at),)
    can_draw = any(draw and NO_CARD in hand for hand, draw in zip(hands, draws, strict=True))
    if can_draw and table.due is not None:
        return ()
    return (_at_a_stand(table, at, can_draw=can_draw),)


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


def _union(sets: Iterable[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union


def _stand(table: Table, at: int, held: Sequence[int], union: int) -> tuple[Event, ...]:
    """`Stuck`, if no card of the hands `held` is among those that fit some top; nobody could draw."""
    for cards in held:
        if cards & union:
            return ()
    return (_at_a_stand(table, at, can_draw=False),)


def _at_a_stand(table: Table, at: int, *, can_draw: bool) -> Event:
    due = at + table.rules.flip_delay_us
    return Waiting(at, due) if can_draw else Stuck(at, due)


_DECIDE: Final[dict[type, Callable[[Table, Any], Decision]]] = {
    Play: _play,
    Draw: _draw,
    Reveal: _reveal,
    Due: _due,
    Leave: _leave,
    Lift: _lift_or_drop,
    Drop: _lift_or_drop,
}
