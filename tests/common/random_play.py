"""Random play: what the laws about tables are tested with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from speed_common import tactics
from speed_common.cards import NO_CARD, RANKS, Card
from speed_common.decide import decide
from speed_common.deck import CodeStream, lay_out
from speed_common.events import (
    AUTO_PILE,
    AskFlip,
    Autoplay,
    Beaten,
    Call,
    Draw,
    Drop,
    Due,
    Event,
    Leave,
    Lift,
    Play,
    Refusal,
    Request,
    Reveal,
)
from speed_common.rules import Rules
from speed_common.table import CALLING, DEALT, OVER, STUCK, Table, new_table

NONSENSE = 0.1
FALSE_CALL = 0.05
LEAVES = 0.01


def dealt(rules: Rules, number: int) -> Table:
    """The server's table before the reveal of deal `number`."""
    stream = CodeStream(number)
    return new_table(rules, lay_out(rules, stream), stream)


def everything_on(table: Table) -> list[Card]:
    """All cards of the table, sorted."""
    heaps = (*table.hands, *table.draws, table.tops, *table.under, *table.sides, table.out)
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
    seats = random.sample(table.remaining(), len(table.remaining()))
    if table.phase == CALLING and random.random() < 0.9:
        return Call(table.emptied if random.random() < 0.5 else seats[0], at)
    if table.phase == STUCK and table.rules.flip_trigger == "all_ready" and random.random() < 0.9:
        return AskFlip(seats[0], at)
    for seat in seats:
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
    seats = range(len(table.hands))
    seat, slot = random.choice(seats), random.randrange(len(table.hands[0]))
    card = random.choice([*table.hands[seat], *table.hands[random.choice(seats)], *table.tops, -1, -2])
    if random.random() < LEAVES:
        return Leave(seat, at)
    if random.random() < FALSE_CALL:
        return Call(seat, at)
    requests: list[Request] = [
        Play(seat, card, random.randrange(-1, 4), at, random.randrange(-1, RANKS)),
        Play(seat, card, random.randrange(-1, 4), at),
        Draw(seat, at),
        AskFlip(seat, at),
        Autoplay(at + random.choice([0, table.rules.idle_autoplay_us])),
        Due(at),
        Reveal(at),
        Lift(seat, slot, at),
        Drop(seat, at),
    ]
    return random.choice(requests)
