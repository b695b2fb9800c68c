"""Deals played by computer players on nothing but deal time: what `speed-sim` counts and tests compare.

Everything about a deal follows from the seed and the deal's index: its number, who plays at which speed, every jitter.
So any part of a run can be played anywhere, in any order, and comes out the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Final

import msgspec

from speed_common.computer import LEVELS, NOTICED, Computer
from speed_common.decide import decide
from speed_common.deck import MAX_DEAL_NUMBER, CodeStream, Stream, lay_out
from speed_common.events import (
    NOBODY,
    Due,
    Event,
    Flipped,
    Play,
    Played,
    Refusal,
    Request,
    Reshuffled,
    Reveal,
    Tucked,
    Voided,
    Won,
)
from speed_common.rules import Rules
from speed_common.table import OVER, evolve, new_table

_TENTH_US: Final = 100_000


class Greedy(Computer):
    """The player of the rules' figures: looks and plays in the same instant, and keeps its beat through a flip."""

    __slots__ = ()

    def __init__(self, level: int, dice: Callable[[], float]) -> None:
        super().__init__(level, dice, lift_us=0)

    def flipped(self, at: int) -> None:
        """The beat goes on."""


class Figures(msgspec.Struct, gc=False):
    """What one deal came to. `winner` is the player's index (not the seat), `NOBODY` for a void deal."""

    players: int
    winner: int = NOBODY
    score: int = 0
    plays: int = 0
    refused: int = 0
    flips: int = 0
    reshuffles: int = 0
    tucks: int = 0
    stuck_at_reveal: bool = False
    duration_us: int = 0


def play_deal(rules: Rules, stream: Stream, players: Sequence[Computer]) -> Figures:
    """One deal from reveal to end; `players` sit in their order. At the same instant the table goes before a player."""
    table = new_table(rules, lay_out(rules, stream), stream)
    figures = Figures(rules.players)

    def ask(request: Request) -> bool:
        answer = decide(table, request)
        if isinstance(answer, Refusal):
            return False
        for event in answer:
            evolve(table, event)
            _count(figures, event)
            if type(event) in NOTICED:
                for seat, player in enumerate(players):
                    player.happened(event, table, seat)
        return True

    for player in players:
        player.revealed(0)
    ask(Reveal())
    figures.stuck_at_reveal = table.due is not None
    while table.phase != OVER:
        seat, at = 0, players[0].next_due()
        for other in range(1, len(players)):
            when = players[other].next_due()
            if at is None or (when is not None and when < at):
                seat, at = other, when
        if table.due is not None and (at is None or table.due <= at):
            ask(Due(table.due))
            continue
        assert at is not None, "a player is always due while the deal runs"
        request = players[seat].due(at, table, seat)
        if request is not None and not ask(request) and type(request) is Play:
            players[seat].refused(at)
            figures.refused += 1
    return figures


def _count(figures: Figures, event: Event) -> None:
    kind = type(event)
    if kind is Played:
        figures.plays += 1
    elif kind is Flipped:
        figures.flips += 1
    elif kind is Reshuffled:
        figures.reshuffles += 1
    elif kind is Tucked:
        figures.tucks += 1
    elif isinstance(event, Won):
        figures.winner, figures.score, figures.duration_us = event.seat, event.score, event.at
    elif isinstance(event, Voided):
        figures.duration_us = event.at


def simulate(rules: Rules, seed: int, deals: Iterable[int], levels: Sequence[int] | None = None) -> list[Figures]:
    """The figures of the deals with these indices.

    Without `levels` greedy players, each at a random one of the ten computer speeds, who look at the last moment; with
    them one computer for each level, who lift their card first, and who move on by a seat from deal to deal.

    Raises `ValueError` when there are not as many levels as players.
    """
    if levels is not None and len(levels) != rules.players:
        raise ValueError(f"{len(levels)} computers cannot play a deal for {rules.players}")
    return [_simulated(rules, seed, index, levels) for index in deals]


def _simulated(rules: Rules, seed: int, index: int, levels: Sequence[int] | None) -> Figures:
    random = Random(f"{seed}/{index}")  # noqa: S311  # a simulation must come out the same again
    stream = CodeStream(random.randint(0, MAX_DEAL_NUMBER))
    dice = random.random
    if levels is None:
        return play_deal(rules, stream, [Greedy(random.randint(1, LEVELS), dice) for _ in range(rules.players)])
    players = [Computer(level, dice) for level in levels]
    moved = index % rules.players
    figures = play_deal(rules, stream, players[moved:] + players[:moved])
    if figures.winner != NOBODY:
        figures.winner = (figures.winner + moved) % rules.players
    return figures


class Totals:
    """Counts over any number of deals, in a space that does not grow with them."""

    def __init__(self) -> None:
        self.deals = 0
        self._winners: Counter[int] = Counter()
        self._flips: Counter[int] = Counter()
        self._plays: Counter[int] = Counter()
        self._tenths: Counter[int] = Counter()
        self._sums: Counter[str] = Counter()
        self._players = 0

    def add(self, results: Sequence[Figures]) -> None:
        """Count these deals too."""
        self.deals += len(results)
        for deal in results:
            self._players = deal.players
            self._winners[deal.winner] += 1
            self._flips[deal.flips] += 1
            self._plays[deal.plays] += 1
            self._tenths[round(deal.duration_us / _TENTH_US)] += 1
            self._sums["score"] += deal.score
            self._sums["reshuffled"] += deal.reshuffles > 0
            self._sums["stuck"] += deal.stuck_at_reveal
            self._sums["tucks"] += deal.tucks
            self._sums["tucked"] += deal.tucks > 0
            self._sums["refused"] += deal.refused

    def report(self) -> dict[str, Any]:
        """Means, medians, extremes; shares as parts of 1; times in seconds. There must be at least one deal."""
        winners, sums = self.deals - self._winners[NOBODY], self._sums
        mean_flips = sum(flips * deals for flips, deals in self._flips.items()) / self.deals
        return {
            "winners": winners,
            "voids": self._winners[NOBODY],
            "won": [self._winners[player] for player in range(self._players)],
            "flips": {"mean": round(mean_flips, 3), "median": _median(self._flips), "max": max(self._flips)},
            "reshuffle_share": round(sums["reshuffled"] / self.deals, 5),
            "plays": {"median": _median(self._plays), "max": max(self._plays)},
            "stuck_at_reveal_share": round(sums["stuck"] / self.deals, 5),
            "score_mean": round(sums["score"] / winners, 3) if winners else 0,
            "tucks": sums["tucks"],
            "deals_with_tuck": sums["tucked"],
            "refused": sums["refused"],
            "duration_s": {"median": round(_median(self._tenths) / 10, 2), "max": max(self._tenths) / 10},
        }


def summary(results: Sequence[Figures]) -> dict[str, Any]:
    """The figures of these deals, at least one; see `Totals.report`."""
    totals = Totals()
    totals.add(results)
    return totals.report()


def _median(counts: Counter[int]) -> float:
    """The median of values given with how often each came."""
    values, total = sorted(counts), counts.total()
    passed = list(accumulate(counts[value] for value in values))
    low, high = (values[bisect_right(passed, middle)] for middle in ((total - 1) // 2, total // 2))
    return (low + high) / 2
