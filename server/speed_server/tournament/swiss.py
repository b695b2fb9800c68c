"""Swiss pairing: two minimum-cost perfect matchings over the active players.

The first, over everybody (and a bye if their number is odd), decides who gets the bye and who plays outside his score
group. The second folds what is left of each score group: the k-th of the upper half against the k-th of the lower.
Costs are tuples compared from the left and summed over the pairs; each tuple is packed into one integer whose bases
no sum can exceed, so that the matching is exact.

A `Task` is a plain value: the caller pairs it in a worker and brings the pairs back as a command. networkx is imported
only here and only then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from speed_server.tournament.model import EMPTY

Float = Literal["", "down", "up"]
Cost = tuple[int, ...]
Edges = dict[tuple[int, int], Cost]


class Entrant(msgspec.Struct, frozen=True):
    """A player as the pairing sees him."""

    player: int
    score: int
    free: int = 0
    """Points had without play: byes and walk-over wins."""
    unplayed: int = 0
    """Rounds in which he did not play."""
    floated: Float = ""
    """How he floated in the last round; a bye or a walk-over win counts as down."""


class Task(msgspec.Struct, frozen=True):
    """One round to pair. `entrants` are in the order of rank: by score, then by seed."""

    number: int
    entrants: tuple[Entrant, ...]
    met: tuple[tuple[int, int, int, int], ...] = ()
    """Pairs that have played: the two, how often, in which round last."""
    fixed: tuple[tuple[int, int], ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()
    fixed_bye: int = EMPTY


class Line(msgspec.Struct, frozen=True):
    """A pair of the new round, the higher ranked first; `b` is EMPTY for the bye."""

    a: int
    b: int
    why: str = ""


BYE: Final = -1


def pair(task: Task) -> tuple[Line, ...]:
    """The pairs of the round by rank, the bye last. Raises ValueError when the director's wishes allow no round."""
    return _Pairing(task).lines()


class _Pairing:
    def __init__(self, task: Task) -> None:
        self._task = task
        self._entrants = task.entrants
        self._met = {frozenset(row[:2]): (row[2], row[3]) for row in task.met}
        self._lowest = min((entrant.score for entrant in task.entrants), default=0)
        self._fixed = {frozenset(pair) for pair in task.fixed}
        self._bound = {player for pair in task.fixed for player in pair}
        self._forbidden = {frozenset(pair) for pair in task.forbidden}

    def lines(self) -> tuple[Line, ...]:
        count = len(self._entrants)
        if count < 2:  # noqa: PLR2004  # nobody to meet
            return tuple(Line(entrant.player, EMPTY, "alone") for entrant in self._entrants)
        pairs = self._match(self._all_edges(), count + count % 2)
        across = [(i, j) for i, j in pairs if i == BYE or self._keeps(i, j)]
        inside = [index for pair in pairs if pair not in across for index in pair]
        for score in sorted({self._entrants[index].score for index in inside}):
            across += self._fold(sorted(index for index in inside if self._entrants[index].score == score))
        across.sort(key=lambda pair: (pair[0] == BYE, pair))
        return tuple(self._line(i, j) for i, j in across)

    def _keeps(self, i: int, j: int) -> bool:
        """Whether the first matching has the last word on this pair."""
        one, other = self._entrants[i], self._entrants[j]
        return one.score != other.score or frozenset((one.player, other.player)) in self._fixed

    # --- costs --------------------------------------------------------------------------------------------------------

    def _all_edges(self) -> Edges:
        count = len(self._entrants)
        edges = {
            (i, j): self._pair_cost(i, j) for i in range(count) for j in range(i + 1, count) if self._allowed(i, j)
        }
        if count % 2:
            edges.update({(BYE, i): self._bye_cost(i) for i in range(count) if self._may_rest(i)})
        return edges

    def _allowed(self, i: int, j: int) -> bool:
        one, other = self._entrants[i].player, self._entrants[j].player
        pair_ = frozenset((one, other))
        if pair_ in self._forbidden or self._task.fixed_bye in pair_:
            return False
        return pair_ in self._fixed or not (pair_ & self._bound)

    def _may_rest(self, i: int) -> bool:
        player = self._entrants[i].player
        if self._task.fixed_bye:
            return player == self._task.fixed_bye
        return player not in self._bound

    def _bye_cost(self, i: int) -> Cost:
        entrant = self._entrants[i]
        from_bottom = len(self._entrants) - 1 - i
        return (entrant.free, 0, entrant.score - self._lowest, entrant.unplayed, 0, from_bottom, 0, 0, 0, 0)

    def _pair_cost(self, i: int, j: int) -> Cost:
        one, other = self._entrants[i], self._entrants[j]
        times, last = self._met.get(frozenset((one.player, other.player)), (0, 0))
        if one.score == other.score:
            return (0, times, 0, 0, last, 0, 0, 0, 0, 0)
        again = int(one.floated == "down") + int(other.floated == "up")
        gap = (one.score - other.score) ** 2
        return (0, times, 0, 0, last, 0, gap, again, (j - i - 1) ** 2, self._position(i, j, len(self._entrants)))

    @staticmethod
    def _position(i: int, j: int, count: int) -> int:
        """Ranks as digits: the sum is least when the highest ranked has the highest ranked opponent, then the next."""
        return (j + 1) * int((count + 1) ** (count - 1 - i))

    def _fold(self, indices: Sequence[int]) -> list[tuple[int, int]]:
        half = len(indices) // 2
        edges: Edges = {}
        for a in range(len(indices)):
            for b in range(a + 1, len(indices)):
                i, j = indices[a], indices[b]
                if self._allowed(i, j):
                    cost = self._pair_cost(i, j)
                    edges[i, j] = (cost[1], cost[4], (b - a - half) ** 2, self._position(a, b, len(indices)))
        return self._match(edges, len(indices))

    # --- the matching -------------------------------------------------------------------------------------------------

    def _match(self, edges: Edges, nodes: int) -> list[tuple[int, int]]:
        import networkx as nx  # noqa: PLC0415  # large, and needed only when a round is paired

        packed = pack(edges, nodes // 2)
        most = max(packed.values(), default=0)
        graph = nx.Graph()
        graph.add_weighted_edges_from((i, j, most - cost) for (i, j), cost in packed.items())
        found = nx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(found) != nodes:
            raise ValueError("no round is possible with these fixed and forbidden pairs")
        return [(min(i, j), max(i, j)) for i, j in found]

    # --- words --------------------------------------------------------------------------------------------------------

    def _line(self, i: int, j: int) -> Line:
        if i == BYE:
            entrant = self._entrants[j]
            return Line(entrant.player, EMPTY, self._why_bye(entrant))
        one, other = self._entrants[i], self._entrants[j]
        times, last = self._met.get(frozenset((one.player, other.player)), (0, 0))
        reasons = []
        if frozenset((one.player, other.player)) in self._fixed:
            reasons.append("fixed by the director")
        if times:
            reasons.append(f"re-match of round {last}: unavoidable, oldest")
        if one.score != other.score:
            reasons.append(f"across score groups, {one.score} against {other.score} points")
        return Line(one.player, other.player, "; ".join(reasons))

    def _why_bye(self, entrant: Entrant) -> str:
        if self._task.fixed_bye:
            return "bye fixed by the director"
        had = f"has had {entrant.free} free points" if entrant.free else "no free point yet"
        return f"bye: {had}, {entrant.score} points"


def pack(costs: Mapping[tuple[int, int], Cost], pairs: int) -> dict[tuple[int, int], int]:
    """Each tuple as one integer, so that sums over up to `pairs` of them compare as sums of the tuples do."""
    if not costs:
        return {}
    bases = [pairs * max(column) + 1 for column in zip(*costs.values(), strict=True)]
    packed = {}
    for edge, cost in costs.items():
        total = 0
        for value, base in zip(cost, bases, strict=True):
            total = total * base + value
        packed[edge] = total
    return packed
