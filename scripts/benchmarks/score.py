"""One deal written out beforehand, so that the load only reads off what to play next.

A deal asked for by number comes out the same every time, and with it every play, flip and refill. The players are
greedy and take turns; who cannot play lets the other go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from itertools import product
from typing import Final, NamedTuple

from benchmarks.measure import BenchError
from speed_common import table as deals
from speed_common.decide import Decision, decide
from speed_common.deck import CodeStream, lay_out
from speed_common.events import Due, Event, Play, Refusal, Reveal
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import Table, evolve, new_table
from speed_common.tactics import best_play

DEAL_NUMBER: Final = 193
"""38 plays, of them 9 pairs at once, and 2 flips with a reshuffle: what most deals have."""


class Step(NamedTuple):
    """One play, and how many events the table is further when the next one may follow.

    With `together` the next play is the other player's and both may go out at once: in either order they are accepted
    and leave the same table.
    """

    seat: int
    card: int
    pile: int
    events: int
    together: bool = False


class Score(NamedTuple):
    """A whole deal: the events of the reveal, then every play up to the last card."""

    revealed: int
    steps: tuple[Step, ...]


def bench_rules() -> Rules:
    """The usual rules without the waits: a stuck table flips at once, a player may play at any speed."""
    return make_rules("us", flip_delay_us=0, min_play_gap_us=0)


def write_score(rules: Rules, number: int = DEAL_NUMBER) -> Score:
    """Play deal `number` through and write it down: both players at once where they can, else one greedy play."""
    stream = CodeStream(number)
    table = new_table(rules, lay_out(rules, stream), stream)
    revealed = _apply(table, decide(table, Reveal()))
    revealed += _flip(table)
    steps: list[Step] = []
    seat = 0
    while table.phase != deals.OVER:
        pair = next(filter(None, map(partial(_as_pair, table), _pairs(table))), None)
        if pair is None:
            seat, slot, pile = next_play(table, seat)
            pair = (Play(seat, table.hands[seat][slot], pile, 0),)
        for place, play in enumerate(pair):
            events = _apply(table, decide(table, play))
            together = place == 0 and len(pair) > 1
            steps.append(Step(play.seat, play.card, play.pile, events + _flip(table), together))
        seat = 1 - steps[-1].seat
    return Score(revealed, tuple(steps))


def _pairs(table: Table) -> Iterator[tuple[Play, Play]]:
    """A play of each player, on different piles."""
    first, second = (
        [Play(seat, card, pile, 0) for card in hand for pile in table.fits_on(card)]
        for seat, hand in enumerate(table.hands)
    )
    return (pair for pair in product(first, second) if pair[0].pile != pair[1].pile)


def _as_pair(table: Table, pair: tuple[Play, Play]) -> tuple[Play, ...] | None:
    """The two plays if, in either order, each is a single event and both leave the same table; else None."""
    left = []
    for order in (pair, pair[::-1]):
        after = deepcopy(table)
        for play in order:
            decision = decide(after, play)
            if isinstance(decision, Refusal) or _apply(after, decision) != 1:
                return None
        left.append(after)
    return pair if left[0] == left[1] else None


def next_play(table: Table, seat: int) -> tuple[int, int, int]:
    """Seat, slot and pile of the next greedy play: of `seat`, or of the other one when it has none."""
    found = best_play(table.hands[seat], table.held[seat], table.reach, table.fits)
    if found is None:
        seat = 1 - seat
        found = best_play(table.hands[seat], table.held[seat], table.reach, table.fits)
    assert found is not None, "a table where nobody can play is stuck"
    return seat, *found


def play_deal(rules: Rules, number: int) -> int:
    """Play a deal through as the server does; the number of its plays."""
    stream = CodeStream(number)
    table = new_table(rules, lay_out(rules, stream), stream)
    plays = seat = 0
    _apply(table, decide(table, Reveal()))
    while table.phase != deals.OVER:
        if table.due is not None:
            _apply(table, decide(table, Due(table.due)))
            continue
        seat, slot, pile = next_play(table, seat)
        _apply(table, decide(table, Play(seat, table.hands[seat][slot], pile, 0)))
        plays += 1
        seat = 1 - seat
    return plays


def _apply(table: Table, decision: Decision) -> int:
    if isinstance(decision, Refusal):
        raise BenchError(f"the deal cannot be played: {decision}")
    event: Event
    for event in decision:
        evolve(table, event)
    return len(decision)


def _flip(table: Table) -> int:
    events = 0
    while table.due is not None:
        events += _apply(table, decide(table, Due(table.due)))
    return events
