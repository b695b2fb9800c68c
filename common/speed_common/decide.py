"""Judging: what a request does to a table, or why it may not.

`decide(table, request)` gives the events that answer the request, in order, or a `Refusal`; it changes nothing, and the
same table and request give the same answer always (a reshuffle reads the table's stream at the table's position).
Plays are judged in the order in which they come; which of two presses came first is the server's `race` to say.

One atomic play is: validate, move the card, refill the same slot, test the win, test stuck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from speed_common import tactics
from speed_common.cards import NO_CARD, NO_RANK, Card, Rank, is_joker
from speed_common.events import (
    AUTO_PILE,
    NOBODY,
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
from speed_common.rules import as_card_set, fits_rank
from speed_common.table import DEALT, NO_SLOT, OVER, PLAYING, STUCK, Table

Decision: TypeAlias = tuple[Event, ...] | Refusal


def decide(table: Table, request: Request) -> Decision:
    """The events that answer `request` on the server's own table, or a `Refusal` with a stable word."""
    if type(request) is Play:
        return _play(table, request)
    if isinstance(request, Reveal):
        return _reveal(table, request)
    if isinstance(request, Due):
        return _due(table, request)
    if isinstance(request, Draw):
        return _draw(table, request)
    if isinstance(request, Leave):
        return _leave(table, request)
    return _lift_or_drop(table, request)


def _play(table: Table, request: Play) -> Decision:
    if table.phase != PLAYING and table.phase != STUCK:
        return Refusal("not_started" if table.phase == DEALT else "deal_over")
    seat, card, pile, at = request.seat, request.card, request.pile, request.at
    held = table.held[seat]
    if not (card >= 0 and held >> card & 1):
        return Refusal("not_in_hand")
    reach = table.reach
    if pile == AUTO_PILE:
        pile = tactics.automatic_pile(held, reach, card, table.fits[card])
    if not (0 <= pile < len(reach) and reach[pile] >> card & 1):
        return _lost_race(table, request)

    named = NO_RANK
    if table.rules.declared and is_joker(card):
        top = _rank_on(table, pile)
        named = request.named
        if named == NO_RANK:
            named = tactics.best_rank(table.rules, held & ~(1 << card), top)
        elif top != NO_RANK and not fits_rank(table.rules, top) >> named & 1:
            return Refusal("illegal", pile=pile)

    draw = table.draws[seat]
    refill = draw[-1] if draw and table.rules.refill == "auto" else NO_CARD
    played = Played(at, seat, table.hands[seat].index(card), card, pile, refill, named)
    rest = held ^ 1 << card
    if refill != NO_CARD:
        rest |= 1 << refill
    elif not rest and not draw:
        return played, Won(at, seat, sum(table.cards_left(other) for other in _others(table, seat)))

    union = table.landing(card, named)
    for other, fit in enumerate(reach):
        if other != pile:
            union |= fit
    for other, cards in enumerate(table.held):
        if (rest if other == seat else cards) & union:
            return (played,) if table.due is None else (played, Freed(at))
    draws_left = any(
        table.draws[other] and (other == seat or NO_CARD in table.hands[other])
        for other in range(len(table.held))
    )
    return played, _at_a_stand(table, at, can_draw=table.rules.refill == "manual" and draws_left)


def _rank_on(table: Table, pile: int) -> Rank:
    """The rank that a pile's top counts as; `NO_RANK` for a joker that stands for none."""
    top = table.tops[pile]
    return table.named[pile] if is_joker(top) else top % 13


def _lost_race(table: Table, request: Play) -> Refusal:
    """Why a card that fits nowhere it may go does not: an opponent's play took the fit away lately, or it never fitted.

    For each pile the latest change that took the fit away counts, if an opponent's *play* made it within the window;
    over several piles the smallest lateness. A press from before that change is `late_link`: its message came too late.
    """
    card, at = request.card, request.at
    named = range(table.rules.piles) if request.pile == AUTO_PILE else (request.pile,)
    lost: Refusal | None = None
    for pile in named:
        if not 0 <= pile < table.rules.piles:
            continue
        change = next(
            (c for c in reversed(table.changes[pile]) if c.before >> card & 1 and not c.after >> card & 1),
            None,
        )
        if change is None or change.by in {NOBODY, request.seat}:
            continue
        late = at - change.at
        if late <= table.rules.beaten_window_us and (lost is None or late < lost.late):
            lost = Refusal("beaten" if late >= 0 else "late_link", late, change.by, pile, change.card)
    return lost or Refusal("illegal", pile=request.pile)


def _reveal(table: Table, request: Reveal) -> Decision:
    if table.phase != DEALT:
        return Refusal("not_due")
    revealed = Revealed(request.at, tuple(map(tuple, table.hands)), tuple(table.tops))
    reach = [table.fits[card] for card in table.tops]
    return revealed, *_stand(table, request.at, table.held, reach)


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
    tops = tuple(side[-1] if side else NO_CARD for side in sides)
    reach = [
        fit if card == NO_CARD else table.fits[card] for card, fit in zip(tops, table.reach, strict=True)
    ]
    return *before, Flipped(at, tops), *_stand(table, at, table.held, reach)


def _tuck(table: Table, at: int) -> Decision:
    """Every hand goes under its draw pile in slot order, slot 0 to come back first, and is drawn anew."""
    hands, draws = [], []
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
    held = [as_card_set(list(hand)) for hand in hands]
    return Tucked(at, tuple(hands), tuple(draws)), *_stand(table, at, held, table.reach)


def _draw(table: Table, request: Draw) -> Decision:
    if table.phase not in {PLAYING, STUCK} or table.rules.refill != "manual":
        return Refusal(
            "not_started" if table.phase == DEALT else "deal_over" if table.phase == OVER else "illegal"
        )
    seat, at = request.seat, request.at
    if NO_CARD not in table.hands[seat]:
        return Refusal("hand_full")
    if not table.draws[seat]:
        return Refusal("nothing_to_draw")
    card = table.draws[seat][-1]
    drew = Drew(at, seat, table.hands[seat].index(NO_CARD), card)
    held = list(table.held)
    held[seat] |= 1 << card
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
                held[seat] |= 1 << drawn
                events.append(Drew(at, seat, slot, drawn))
    return *events, *_after_draw(table, at, held, hands, draws)


def _after_draw(
    table: Table,
    at: int,
    held: Sequence[int],
    hands: Sequence[Sequence[Card]],
    draws: Sequence[Sequence[Card]],
) -> tuple[Event, ...]:
    stuck = _stand(table, at, held, table.reach)
    if not stuck:
        return () if table.due is None else (Freed(at),)
    can_draw = any(draw and NO_CARD in hand for hand, draw in zip(hands, draws, strict=True))
    if can_draw and table.due is not None:
        return ()
    return (_at_a_stand(table, at, can_draw=can_draw),)


def _leave(table: Table, request: Leave) -> Decision:
    if table.phase in {DEALT, OVER}:
        return Refusal("not_started" if table.phase == DEALT else "deal_over")
    (winner,) = _others(table, request.seat)
    return (Won(request.at, winner, table.cards_left(request.seat), forfeit=True),)


def _lift_or_drop(table: Table, request: Lift | Drop) -> Decision:
    seat = request.seat
    if table.phase not in {PLAYING, STUCK}:
        return Refusal("not_started" if table.phase == DEALT else "deal_over")
    if isinstance(request, Drop):
        lifted = table.lifted[seat]
        return () if lifted == NO_SLOT else (Dropped(request.at, seat, lifted),)
    if table.hands[seat][request.slot] == NO_CARD:
        return Refusal("not_in_hand")
    return (Lifted(request.at, seat, request.slot),)


def _others(table: Table, seat: int) -> list[int]:
    return [other for other in range(len(table.hands)) if other != seat]


def _stand(table: Table, at: int, held: Sequence[int], reach: Sequence[int]) -> tuple[Event, ...]:
    """`Stuck` (or nothing) for hands and tops as they will be; every draw pile of a full hand is out of reach."""
    union = 0
    for fit in reach:
        union |= fit
    if any(cards & union for cards in held):
        return ()
    return (_at_a_stand(table, at, can_draw=False),)


def _at_a_stand(table: Table, at: int, *, can_draw: bool) -> Event:
    due = at + table.rules.flip_delay_us
    return Waiting(at, due) if can_draw else Stuck(at, due)
