"""Stuck: when nobody can play, and what then happens, in the order that the rules state.

`stand` is the stuck test; it is made after every change of hands or tops. Once the delay has run out `step` says what
happens: side piles that have a card flip one each; empty ones are filled first by a reshuffle, or, when a whole pass of
the side piles let nobody play, every hand is tucked under its draw pile and drawn anew. Only so many passes can go
by without a play: more than that means that the deal can never go on, and it is void.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from speed_common.cards import BITS, NO_CARD, Card
from speed_common.events import DealTime, Drew, Event, Flipped, Freed, Reshuffled, Stuck, Tucked, Voided, Waiting
from speed_common.rules import as_card_set
from speed_common.table import PLAYING, Table


def step(table: Table, at: DealTime) -> tuple[Event, ...]:
    """What a delay that ran out brings: waiting hands filled; else a tuck, or a reshuffle if need be and the flip."""
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


def _flip(table: Table, at: DealTime, sides: Sequence[Sequence[Card]], before: tuple[Event, ...]) -> tuple[Event, ...]:
    """One card from every side pile that has one; where none is left the top stays."""
    tops: list[Card] = []
    reach = 0
    for side, fit in zip(sides, table.reach, strict=True):
        tops.append(side[-1] if side else NO_CARD)
        reach |= table.fits[side[-1]] if side else fit
    return *before, Flipped(at, tuple(tops)), *stand(table, at, table.held, reach)


def _tuck(table: Table, at: DealTime) -> tuple[Event, ...]:
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
    return Tucked(at, tuple(hands), tuple(draws)), *stand(table, at, held, union(table.reach))


def _fill_hands(table: Table, at: DealTime) -> tuple[Event, ...]:
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
    return *events, *after_draw(table, at, held, hands, draws)


def after_draw(
    table: Table,
    at: DealTime,
    held: Sequence[int],
    hands: Sequence[Sequence[Card]],
    draws: Sequence[Sequence[Card]],
) -> tuple[Event, ...]:
    """The stuck test after a draw, for hands and draw piles as they will be: stuck, free again, or no change."""
    stuck = stand(table, at, held, union(table.reach))
    if not stuck:
        return () if table.due is None else (Freed(at),)
    can_draw = any(draw and NO_CARD in hand for hand, draw in zip(hands, draws, strict=True))
    if can_draw and table.due is not None:
        return ()
    return (at_a_stand(table, at, can_draw=can_draw),)


def union(sets: Iterable[int]) -> int:
    """All cards of these sets."""
    found = 0
    for one in sets:
        found |= one
    return found


def stand(table: Table, at: DealTime, held: Sequence[int], reach: int) -> tuple[Event, ...]:
    """`Stuck`, if no card of the hands `held` is in `reach`, the cards that fit some top."""
    for cards in held:
        if cards & reach:
            return ()
    return (at_a_stand(table, at, can_draw=False),)


def at_a_stand(table: Table, at: DealTime, *, can_draw: bool) -> Event:
    """Nobody can play: the delay begins, after which the hands are filled (`can_draw`) or the table moves on."""
    due = at + table.rules.flip_delay_us
    return Waiting(at, due) if can_draw else Stuck(at, due)
