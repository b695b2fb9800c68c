"""Single elimination: the standard order of seeds, byes for the best, and an optional match for the third place.

The order is built by one rule: in each round the pair of seed p is size + 1 - p. So seeds 1 and 2 can meet only in the
final, the best seeds get the byes, and an empty slot never meets another one in the first round.
"""

from __future__ import annotations

from collections.abc import Sequence

from speed_server.tournament.model import EMPTY, Source, Spec


def size_for(players: int) -> int:
    """The number of slots: the next power of two, at least 2."""
    return max(2, 1 << (players - 1).bit_length())


def seed_order(size: int) -> list[int]:
    """The seeds in the order of the slots, for a power of two."""
    order = [1]
    while len(order) < size:
        last = 2 * len(order) + 1
        order = [seed for upper in order for seed in (upper, last - upper)]
    return order


def opening(members: Sequence[int], first: int, side: str) -> list[Spec]:
    """The first round: `members` are players by seed (EMPTY for a slot nobody has), numbers count from `first`."""
    size = size_for(len(members))
    slots = [members[seed - 1] if seed <= len(members) else EMPTY for seed in seed_order(size)]
    return [
        Spec(first + n, 1, side, 1, n, Source("player", slots[2 * n]), Source("player", slots[2 * n + 1]))
        for n in range(size // 2)
    ]


def halving(specs: list[Spec], round_: int, side: str, first: int) -> list[Spec]:
    """The next round: neighbours' winners meet."""
    return [
        Spec(
            first + n,
            round_,
            side,
            max(specs[2 * n].depth, specs[2 * n + 1].depth) + 1,
            n,
            Source("winner", specs[2 * n].number),
            Source("winner", specs[2 * n + 1].number),
        )
        for n in range(len(specs) // 2)
    ]


def single_elimination(members: Sequence[int], first: int = 1, *, third: bool = False) -> tuple[Spec, ...]:
    """All matches of a bracket for players given by seed, numbered from `first` in the order of the rounds."""
    rounds = [opening(members, first, "main")]
    while len(rounds[-1]) > 1:
        following = rounds[-1][-1].number + 1
        rounds.append(halving(rounds[-1], len(rounds) + 1, "main", following))
    specs = [spec for round_ in rounds for spec in round_]
    if third and len(rounds) > 1:
        one, other = rounds[-2]
        final = specs.pop()
        sources = Source("loser", one.number), Source("loser", other.number)
        specs.append(Spec(final.number, final.round, "third", final.depth, 0, *sources))
        specs.append(Spec(final.number + 1, final.round, "main", final.depth, 1, final.a, final.b))
    return tuple(specs)
