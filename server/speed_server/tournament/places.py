"""Places in elimination: who lost in the same round shares a place.

The places of a round are those that a full bracket gives it, cut to the number of players: they do not move when two
are absent and a place stays vacant.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from speed_server.tournament.model import EMPTY, Match, Tournament


class Place(msgspec.Struct, frozen=True):
    """Places `first` to `last`, shared by `players`; nobody when a place is vacant."""

    first: int
    last: int
    players: tuple[int, ...]


Exit = tuple[str, int]
"""The side and the round of a match."""


def exits(matches: Sequence[Match]) -> list[tuple[tuple[Exit, ...], int]]:
    """The exits from the best to the worst, each with how many places it has: the final's loser is 2nd and so on.

    Exits that share places are one row.
    """
    sides: dict[Exit, int] = {}
    for match in matches:
        if match.spec.side != "playoff":
            key = match.spec.side, match.spec.round
            sides[key] = sides.get(key, 0) + 1
    if ("reset", 2) in sides:
        rounds = sorted((key for key in sides if key[0] == "losers"), key=lambda key: -key[1])
        rows: list[tuple[tuple[Exit, ...], int]] = [((("reset", 2), ("final", 1)), 1)]
        return rows + [((key,), sides[key]) for key in rounds]
    last = max(round_ for _, round_ in sides)
    rows = [((("main", last),), 1)]
    if ("third", last) in sides:
        rows += [((("third_winner", last),), 1), ((("third", last),), 1)]
    else:
        rows.append(((("main", last - 1),), 2))
    rows += [((("main", n),), sides["main", n]) for n in range(last - 2, 0, -1)]
    return [row for row in rows if row[0][0][1] > 0]


def places(state: Tournament, stage: int) -> tuple[Place, ...]:
    """The places of a bracket as far as they are known, from the first."""
    matches = [match for match in state.matches.values() if match.stage == stage]
    members = state.stages[stage].members
    out = _exits_of(matches, members)
    rows = exits(matches)
    champion = next((player for player, key in out.items() if key == ("champion", 0)), EMPTY)
    table = [Place(1, 1, (champion,) if champion else ())] if champion or _over(matches) else []
    first = 2
    for keys, count in rows:
        last = first + count - 1
        here = tuple(player for player in members if out.get(player) in keys)
        low = min(first, len(members))
        if here or (first <= len(members) and table and first == 2):  # noqa: PLR2004  # a vacant second place is shown
            table.append(Place(low, max(low, min(last, len(members))), here))
        first = last + 1
    return _with_playoffs(table, [match for match in matches if match.spec.side == "playoff"])


def _over(matches: Sequence[Match]) -> bool:
    return all(match.result is not None for match in matches)


def _exits_of(matches: Sequence[Match], members: Sequence[int]) -> dict[int, Exit]:
    """The match in which each player who is out lost for the last time; `champion` for who won the last one."""
    out: dict[int, Exit] = {}
    drawn = [match for match in matches if match.spec.side != "playoff"]
    double = any(match.spec.side == "reset" for match in drawn)
    for match in sorted(drawn, key=lambda match: (match.spec.depth, match.number)):
        if match.result is None or match.result.kind == "not_needed":
            continue
        key = match.spec.side, match.spec.round
        for player in match.known:
            if player not in {EMPTY, match.result.winner}:
                out[player] = key
        if match.spec.side == "third" and match.result.winner:
            out[match.result.winner] = "third_winner", match.spec.round
    last = drawn[-1] if drawn else None
    if last is not None and last.result is not None:
        if last.result.kind == "not_needed":
            last = next(match for match in drawn if match.spec.side == "final")
        if last.result is not None and last.result.winner:
            out[last.result.winner] = "champion", 0
    if double:
        alive = _still_in(drawn)
        out = {player: key for player, key in out.items() if player not in alive}
    return {player: key for player, key in out.items() if player in members}


def _still_in(matches: Sequence[Match]) -> set[int]:
    """Who lost in the winners' bracket and still has a match to play."""
    return {player for match in matches if match.result is None for player in match.known if player != EMPTY}


def _with_playoffs(table: list[Place], playoffs: Sequence[Match]) -> tuple[Place, ...]:
    """A play-off moves its winner to the best place in question: a vacant one before his, else the first of his own."""
    for match in playoffs:
        if not match.decided or match.result is None:
            continue
        winner = match.result.winner
        index = next((n for n, place in enumerate(table) if winner in place.players), None)
        if index is None:
            continue
        vacant = next((n for n in range(index) if not table[n].players), None)
        rest = tuple(player for player in table[index].players if player != winner)
        if vacant is not None:
            table[index] = Place(table[index].first, table[index].last, rest)
            table[vacant] = Place(table[vacant].first, table[vacant].last, (winner,))
        elif match.loser in rest:
            first, last = table[index].first, table[index].last
            others = tuple(player for player in rest if player != match.loser)
            split = [Place(first, first, (winner,)), Place(first + 1, first + 1, (match.loser,))]
            if others:
                split = [Place(first, first, (winner,)), Place(first + 1, last, (match.loser, *others))]
            table[index : index + 1] = split
    return tuple(place for place in table if place.players or place.first <= 2)  # noqa: PLR2004
