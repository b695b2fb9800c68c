"""Deals played by computer players on nothing but deal time: what `speed-sim` counts and tests compare.

Everything about a deal follows from the seed and the deal's index: its number, who plays at which speed, every jitter.
So any part of a run can be played anywhere, in any order, and comes out the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import fmean, median
from typing import Any

import msgspec

from speed_common.computer import LEVELS, Computer
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


class Greedy(Computer):
    """The player of the rules' figures: looks and plays in the same instant, and keeps its beat through a flip."""

    __slots__ = ()

    def __init__(self, level: int, dice: Callable[[], float]) -> None:
        super().__init__(level, dice, lift_us=0)

    def flipped(self, at: int) -> None:
        """The beat goes on."""


class Figures(msgspec.Struct, gc=False):
    """What one deal came to. `winner` is the player's index (not the seat), `NOBODY` for a void deal."""

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
    figures = Figures()

    def ask(request: Request) -> bool:
        answer = decide(table, request)
        if isinstance(answer, Refusal):
            return False
        for event in answer:
            evolve(table, event)
            _count(figures, event)
            if type(event) is Flipped:
                for player in players:
                    player.flipped(event.at)
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


def simulate(rules: Rules, seed: int, deals: Iterable[int], levels: tuple[int, int] | None = None) -> list[Figures]:
    """The figures of the deals with these indices.

    Without `levels` two greedy players, each at a random one of the ten computer speeds, who look at the last moment;
    with them two computers that lift their card first, and who change seats from deal to deal.
    """
    return [_simulated(rules, seed, index, levels) for index in deals]


def _simulated(rules: Rules, seed: int, index: int, levels: tuple[int, int] | None) -> Figures:
    random = Random(f"{seed}/{index}")  # noqa: S311  # a simulation must come out the same again
    stream = CodeStream(random.randint(0, MAX_DEAL_NUMBER))
    dice = random.random
    if levels is None:
        return play_deal(rules, stream, [Greedy(random.randint(1, LEVELS), dice) for _ in range(rules.players)])
    players = [Computer(level, dice) for level in levels]
    changed = index % 2 == 1
    figures = play_deal(rules, stream, players[::-1] if changed else players)
    if changed and figures.winner != NOBODY:
        figures.winner = 1 - figures.winner
    return figures


def summary(results: Sequence[Figures]) -> dict[str, Any]:
    """The figures of many deals (at least one): means, medians, extremes; shares as parts of 1; times in seconds."""
    deals = len(results)
    won = [result for result in results if result.winner != NOBODY]
    flips = [result.flips for result in results]
    plays = [result.plays for result in results]
    return {
        "winners": len(won),
        "voids": deals - len(won),
        "won": [sum(result.winner == player for result in won) for player in range(2)],
        "flips": {"mean": round(fmean(flips), 3), "median": median(flips), "max": max(flips)},
        "reshuffle_share": round(sum(result.reshuffles > 0 for result in results) / deals, 5),
        "plays": {"median": median(plays), "max": max(plays)},
        "stuck_at_reveal_share": round(sum(result.stuck_at_reveal for result in results) / deals, 5),
        "score_mean": round(fmean(result.score for result in won), 3) if won else 0,
        "tucks": sum(result.tucks for result in results),
        "deals_with_tuck": sum(result.tucks > 0 for result in results),
        "refused": sum(result.refused for result in results),
        "duration_s": {
            "median": round(median(result.duration_us for result in results) / 1e6, 1),
            "max": round(max(result.duration_us for result in results) / 1e6, 1),
        },
    }
