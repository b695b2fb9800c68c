"""Stuck: when nobody can play, and what then happens, in the order that the rules state.

`stand` and `settle` are the stuck test; it is made after every change of hands or tops. Once the delay has run out, or
everybody has asked for the flip, `step` says what happens: side piles that have a card flip one each; empty ones are
filled first by a reshuffle, or, when a whole pass of the side piles let nobody play, every hand is tucked under its
draw pile and drawn anew. Only so many passes can go by without a play: more than that means that the deal can never go
on, and it is void.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from speed_common.cards import BITS, NO_CARD, Card
from speed_common.events import (
    NOBODY,
    DealTime,
    Drew,
    Event,
    Flipped,
    Freed,
    Reshuffled,
    Stuck,
    Tucked,
    Voided,
    Waiting,
)
from speed_common.rules import ASK_LIMIT_US, as_card_set
from speed_common.state import PLAYING, STUCK, Table


def step(table: Table, at: DealTime) -> tuple[Event, ...]:
    """What a delay that ran out brings: waiting hands filled; else a tuck, or a reshuffle if need be and the flip."""
    if table.phase == PLAYING:
        return _fill_hands(table, at)
    if any(table.sides):
        return _flip(table, at, table.sides, ())
    if table.barren > _most_barren(table):
        return (Voided(at),)
    sides, position = _reshuffle(table)
    can_tuck = table.rules.tuck and any(table.draws)
    if not any(sides):
        return _tuck(table, at) if can_tuck else (Voided(at),)
    if can_tuck and not table.played_since_filling and not table.tucked_since_filling:
        return _tuck(table, at)
    return _flip(table, at, sides, (Reshuffled(at, tuple(map(tuple, sides)), position),))


def _most_barren(table: Table) -> int:
    """How many passes and tucks can go by without a play, as long as every rank is on the table or in somebody's hand.

    Each tuck shows the next of at most K windows of a hand over all that the player holds.
    """
    if not table.rules.tuck:
        return 1
    largest = max(map(table.cards_left, range(len(table.hands))))
    return -(-largest // table.rules.hand_size) + 1


def everybody_asked(table: Table, asking: int = NOBODY) -> bool:
    """Whether all who are still there ask for the flip of a stuck table, once `asking` does too."""
    return all(
        asked or gone or seat == asking for seat, (asked, gone) in enumerate(zip(table.asked, table.gone, strict=True))
    )


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
    for pile, side in enumerate(sides):
        if side:
            top = side[-1]
            tops.append(top)
            reach |= table.fits[top]
        else:
            tops.append(NO_CARD)
            reach |= table.reach[pile]
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
    if not stand(table, at, held, union(table.reach)):
        return () if table.due is None else (Freed(at),)
    can_draw = not table.auto_refill and any(draw and NO_CARD in hand for hand, draw in zip(hands, draws, strict=True))
    if table.due is not None and can_draw == (table.phase == PLAYING):
        return ()  # the right delay runs already
    return (at_a_stand(table, at, can_draw=can_draw),)


def settle(table: Table, at: DealTime) -> tuple[Event, ...]:
    """The stuck test for a table on which somebody's cards or presence changed, its tops not."""
    if table.phase == STUCK and table.rules.flip_trigger == "all_ready" and everybody_asked(table):
        return step(table, at)
    return after_draw(table, at, table.held, table.hands, table.draws)


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
    rules = table.rules
    if can_draw:
        return Waiting(at, at + rules.flip_delay_us)
    return Stuck(at, at + (rules.flip_delay_us if rules.flip_trigger == "auto" else ASK_LIMIT_US))
