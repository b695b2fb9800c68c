"""Round robin by the circle method, and the groups of a group stage.

The first seed stays, the others go round: 1-2 is always in the last round. With an odd number the empty seat goes round
as well, and whoever meets it has that round free.
"""

from __future__ import annotations

from collections.abc import Sequence

from speed_server.tournament.bracket import seed_order, size_for
from speed_server.tournament.model import EMPTY, Source, Spec


def circle(members: Sequence[int]) -> list[list[tuple[int, int]]]:
    """The rounds, each a list of pairs; EMPTY is the opponent of who is free."""
    ring = [*members, *([EMPTY] if len(members) % 2 else [])]
    rank = {member: n for n, member in enumerate(ring)}
    rounds = []
    for _ in range(len(ring) - 1):
        pairs = [(ring[n], ring[-1 - n]) for n in range(len(ring) // 2)]
        rounds.append([(a, b) if rank[a] < rank[b] else (b, a) for a, b in pairs])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds


def round_robin(members: Sequence[int], first: int = 1, legs: int = 1, side: str = "main") -> tuple[Spec, ...]:
    """All matches of `legs` rounds-robin; in the second the sides are changed."""
    specs: list[Spec] = []
    rounds = circle(members)
    for leg in range(legs):
        for n, pairs in enumerate(rounds):
            number = leg * len(rounds) + n + 1
            played = [pair for pair in pairs if EMPTY not in pair]
            for position, (a, b) in enumerate(played):
                one, other = (a, b) if leg == 0 else (b, a)
                sources = Source("player", one), Source("player", other)
                specs.append(Spec(first + len(specs), number, side, number, position, *sources))
    return tuple(specs)


def free_in_round(members: Sequence[int]) -> list[int]:
    """Who is free in each round; EMPTY for nobody."""
    return [next((a + b for a, b in pairs if EMPTY in (a, b)), EMPTY) for pairs in circle(members)]


def group_name(index: int) -> str:
    """`A` for the first group."""
    return chr(ord("A") + index)


def snake(members: Sequence[int], count: int) -> tuple[tuple[int, ...], ...]:
    """The groups: players by seed go to them from left to right and back."""
    groups: list[list[int]] = [[] for _ in range(count)]
    for n, member in enumerate(members):
        row, column = divmod(n, count)
        groups[column if row % 2 == 0 else count - 1 - column].append(member)
    return tuple(tuple(group) for group in groups)


def group_matches(groups: Sequence[Sequence[int]], first: int = 1, legs: int = 1) -> tuple[Spec, ...]:
    """The matches of all groups, numbered round by round so that the groups keep step."""
    specs = [spec for n, group in enumerate(groups) for spec in round_robin(group, 1, legs, side=group_name(n))]
    specs.sort(key=lambda spec: (spec.round, spec.side, spec.position))
    return tuple(Spec(first + n, spec.round, spec.side, spec.depth, n, spec.a, spec.b) for n, spec in enumerate(specs))


def knockout_seeds(winners: Sequence[int], seconds: Sequence[int]) -> list[int]:
    """The seeds of the knockout: group winners in their order, each second in the other half of the bracket.

    So mates of a group can meet again only in the final. `seconds` is empty when one goes on from each group; a place
    that nobody has is EMPTY.
    """
    if not seconds:
        return list(winners)
    count = len(winners)
    order = seed_order(size_for(2 * count))
    upper = set(order[: len(order) // 2])
    seeds = [*winners, *[EMPTY] * count]
    slots = {half: [s for s in range(2 * count, count, -1) if (s in upper) == half] for half in (True, False)}
    for n, second in enumerate(seconds):
        seeds[slots[n + 1 not in upper].pop(0) - 1] = second
    return seeds
