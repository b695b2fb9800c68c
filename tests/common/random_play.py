"""Random legal rules and random play on them: what the laws about tables are tested with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from hypothesis import strategies as st

from speed_common import tactics
from speed_common.cards import NO_CARD, RANKS, Card
from speed_common.decide import decide
from speed_common.deck import CodeStream, lay_out
from speed_common.events import AUTO_PILE, Beaten, Draw, Drop, Due, Event, Leave, Lift, Play, Refusal, Request, Reveal
from speed_common.rules import Rules, RulesError, make_rules
from speed_common.table import DEALT, OVER, Table, new_table

NONSENSE = 0.1


@st.composite
def rules_of_any_kind(draw: st.DrawFn, *, tuck: bool | None = None) -> Rules:
    """Any legal rules for two players."""
    while True:
        jokers = draw(st.sampled_from([0, 0, 2, 4]))
        hand, draw_size = draw(st.integers(1, 10)), draw(st.integers(0, 18))
        piles = draw(st.sampled_from([2, 2, 2, 3, 4]))
        side, rest = divmod(52 + jokers - 2 * (hand + draw_size) - piles, piles)
        if rest or not 1 <= side <= 30:
            continue
        try:
            return make_rules(
                hand_size=hand,
                draw_size=draw_size,
                piles=piles,
                side_size=side,
                jokers=jokers,
                joker_mode=draw(st.sampled_from(["open", "declared"])) if jokers else None,
                wrap=draw(st.booleans()),
                same_rank=draw(st.booleans()),
                reshuffle=draw(st.sampled_from(["pooled", "per_pile"])),
                refill=draw(st.sampled_from(["auto", "manual"])),
                tuck=draw(st.booleans()) if tuck is None else tuck,
                flip_delay_us=draw(st.sampled_from([0, 500_000, 1_000_000])),
            )
        except RulesError:
            continue


def dealt(rules: Rules, number: int) -> Table:
    """The server's table before the reveal of deal `number`."""
    stream = CodeStream(number)
    return new_table(rules, lay_out(rules, stream), stream)


def everything_on(table: Table) -> list[Card]:
    """All cards of the table, sorted."""
    heaps = (*table.hands, *table.draws, table.tops, *table.under, *table.sides)
    return sorted(card for heap in heaps for card in heap if card != NO_CARD)


def random_play(
    table: Table, random: Random, settled: Callable[[Table], None] = lambda _: None, limit: int = 3_000
) -> Iterator[Event]:
    """Events of a deal at random, each to be applied before the next is asked for; some requests are nonsense.

    `settled` sees the table between two requests. Ends with the deal. Raises `AssertionError` when the deal has no end
    within `limit` requests.
    """
    at = 0
    for _ in range(limit):
        settled(table)
        if table.phase == OVER:
            return
        at += random.choice([0, 1_000, 50_000, 300_000])
        request = _nonsense(table, random, at) if random.random() < NONSENSE else _sensible(table, random, at)
        at = max(at, request.at)
        answer = decide(table, request)
        if isinstance(answer, Refusal):
            if answer.word == "beaten" and isinstance(request, Play):
                yield Beaten(at, request.seat, answer.pile, answer.by, answer.late)
            continue
        yield from answer
    raise AssertionError(f"no end of the deal: {table!r} {table.rules!r}")


def _sensible(table: Table, random: Random, at: int) -> Request:
    if table.phase == DEALT:
        return Reveal()
    for seat in random.sample(range(2), 2):
        if NO_CARD in table.hands[seat] and table.draws[seat] and not table.auto_refill and random.random() < 0.7:
            return Draw(seat, at)
        held = table.held[seat]
        found = tactics.best_play(table.hands[seat], held, table.reach, table.fits)
        if found is not None:
            slot, pile = found
            named = random.randrange(RANKS) if random.random() < 0.3 else -1
            return Play(seat, table.hands[seat][slot], random.choice([pile, AUTO_PILE]), at, named)
    return Due(max(at, table.due or 0))


def _nonsense(table: Table, random: Random, at: int) -> Request:
    seat, slot = random.randrange(2), random.randrange(len(table.hands[0]))
    card = random.choice([*table.hands[seat], *table.hands[1 - seat], *table.tops, -1, -2])
    requests: list[Request] = [
        Play(seat, card, random.randrange(-1, 4), at, random.randrange(-1, RANKS)),
        Play(seat, card, random.randrange(-1, 4), at),
        Draw(seat, at),
        Due(at),
        Reveal(at),
        Lift(seat, slot, at),
        Drop(seat, at),
    ]
    if random.random() < 0.003:
        requests.append(Leave(seat, at))
    return random.choice(requests)
