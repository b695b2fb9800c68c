"""Double elimination: a winners' bracket, a losers' bracket that its losers drop into, and a grand final.

If the winner of the losers' bracket wins the grand final, both have lost once and a second final decides. The losers'
rounds alternate: into the even ones the losers of a winners' round drop, the odd ones halve. The order in which they
drop was found by search: it makes early re-matches rarest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from speed_server.tournament.bracket import halving, opening, size_for
from speed_server.tournament.model import Source, Spec

T = TypeVar("T")
_SWAPPED_IN: Final = 8
"""The bracket size in which the last two droppers change sides."""


def drop_order(losers: Sequence[T], size: int) -> list[T]:
    """The losers of one winners' round in the order in which they drop into a bracket of `size` slots."""
    count, half = len(losers), len(losers) // 2
    upper, lower = list(losers[:half]), list(losers[half:])
    if count == 16:  # noqa: PLR2004  # one row of the table for each count
        return lower + upper
    if count == 8:  # noqa: PLR2004
        return upper[::-1] + lower[::-1]
    if count == 4 or (count == 2 and size == _SWAPPED_IN):  # noqa: PLR2004
        return list(losers)[::-1]
    return list(losers)


def double_elimination(members: Sequence[int], first: int = 1) -> tuple[Spec, ...]:
    """All matches for players given by seed, numbered from `first`; the last two are the grand finals."""
    size = size_for(len(members))
    winners = [opening(members, first, "winners")]
    specs = list(winners[0])
    losers: list[Spec] = []
    losers_round = 0
    while len(winners[-1]) > 1:
        winners.append(halving(winners[-1], len(winners) + 1, "winners", specs[-1].number + 1))
        if not losers:
            losers_round, losers = 1, _first_losers(winners[0], winners[-1][-1].number + 1)
            specs += winners[-1] + losers
        else:
            losers_round += 1
            losers = halving(losers, losers_round, "losers", winners[-1][-1].number + 1)
            specs += winners[-1] + losers
        losers_round += 1
        losers = _drop(drop_order(winners[-1], size), losers, losers_round, specs[-1].number + 1)
        specs += losers
    return (*specs, *_finals(winners[-1][0], losers, specs[-1].number + 1))


def _first_losers(opening_round: list[Spec], number: int) -> list[Spec]:
    return [
        Spec(
            number + n,
            1,
            "losers",
            2,
            n,
            Source("loser", opening_round[2 * n].number),
            Source("loser", opening_round[2 * n + 1].number),
        )
        for n in range(len(opening_round) // 2)
    ]


def _drop(dropping: list[Spec], waiting: list[Spec], round_: int, number: int) -> list[Spec]:
    return [
        Spec(
            number + n,
            round_,
            "losers",
            max(upper.depth, lower.depth) + 1,
            n,
            Source("loser", upper.number),
            Source("winner", lower.number),
        )
        for n, (upper, lower) in enumerate(zip(dropping, waiting, strict=True))
    ]


def _finals(last: Spec, losers: list[Spec], number: int) -> tuple[Spec, Spec]:
    challenger = Source("winner", losers[0].number) if losers else Source("loser", last.number)
    depth = max([last.depth, *(spec.depth for spec in losers)]) + 1
    final = Spec(number, 1, "final", depth, 0, Source("winner", last.number), challenger)
    again = Spec(number + 1, 2, "reset", depth + 1, 0, Source("reset", number), Source("reset", number))
    return final, again
