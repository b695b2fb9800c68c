"""What the tables must do so that the hall is as the tournament says: the difference of two states as instructions.

The hub compares the state it last acted on with the next durable one. So a recall, a correction, an undo or a restart
needs no rule of its own: whatever the reason, the same difference asks for the same thing.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from speed_server.tournament.model import LIVE, Match, Tournament


class Clear(msgspec.Struct, frozen=True, tag=True):
    """A table is not for this match any more: end its deal without a result, let its players go."""

    table: int
    match: int
    players: tuple[int, int]


class Call(msgspec.Struct, frozen=True, tag=True):
    """Two players shall come to a table: show it to them full screen, with the bell. Also sent when the clock changed.

    `deadline` is 0 while the clock stands. `seated` tells who has come.
    """

    table: int
    match: int
    players: tuple[int, int]
    deadline: int
    seated: tuple[bool, bool]
    bells: int


class Play(msgspec.Struct, frozen=True, tag=True):
    """Both are there: lay a deal. `resumed` when the match was interrupted: a deal that lies there goes on."""

    table: int
    match: int
    players: tuple[int, int]
    score: tuple[int, int]
    resumed: bool


class Suspend(msgspec.Struct, frozen=True, tag=True):
    """The match waits: `away` tells for whom; `until` is when each one's grace ends, 0 while no clock runs."""

    table: int
    match: int
    players: tuple[int, int]
    away: tuple[bool, bool]
    until: tuple[int, int]


class NextDeal(msgspec.Struct, frozen=True, tag=True):
    """A deal is over and the match is not: lay the next one. Also when a deal was lost by absence."""

    table: int
    match: int
    players: tuple[int, int]
    score: tuple[int, int]


Change = Clear | Call | Play | Suspend | NextDeal


def changes(old: Tournament, new: Tournament) -> list[Change]:
    """What to do at the tables, in the order to do it: first clear, then the rest by table."""
    before = {n: match for n, match in old.matches.items() if match.status in LIVE}
    after = {n: match for n, match in new.matches.items() if match.status in LIVE}
    cleared: list[Change] = [
        Clear(match.table, n, match.known)
        for n, match in before.items()
        if n not in after or (after[n].table, after[n].players) != (match.table, match.players)
    ]
    found: list[Change] = []
    for n, match in sorted(after.items(), key=lambda item: item[1].table):
        was = before.get(n)
        if was is not None and (was.table, was.players) != (match.table, match.players):
            was = None
        if was is not match:
            found += _of(new, was, match)
    return cleared + found


def _of(state: Tournament, was: Match | None, match: Match) -> list[Change]:
    return _KINDS[match.status](state, was, match)


def _call(_: Tournament, was: Match | None, match: Match) -> list[Change]:
    found = Call(match.table, match.number, match.known, match.deadline, match.seated, match.bells)
    same = was is not None and was.status == "called" and _call(_, None, was) == [found]
    return [] if same else [found]


def _play(_: Tournament, was: Match | None, match: Match) -> list[Change]:
    if was is not None and was.status == "playing":
        if was.deals == match.deals:
            return []
        return [NextDeal(match.table, match.number, match.known, match.score)]
    resumed = was is not None and was.status == "suspended" and was.deals == match.deals
    return [Play(match.table, match.number, match.known, match.score, resumed)]


def _suspend(state: Tournament, was: Match | None, match: Match) -> list[Change]:
    until = (_until(state, match, 0), _until(state, match, 1))
    found: list[Change] = [Suspend(match.table, match.number, match.known, match.away, until)]
    if was is not None and was.deals != match.deals:
        found.insert(0, NextDeal(match.table, match.number, match.known, match.score))
    same = was is not None and was.status == "suspended" and _suspend(state, None, was) == found
    return [] if same else found


def _until(state: Tournament, match: Match, side: int) -> int:
    since = match.away_since[side]
    return since + min(state.config.grace, state.config.grace_total - match.used[side]) if since else 0


_KINDS: dict[str, Callable[[Tournament, Match | None, Match], list[Change]]] = {
    "called": _call,
    "playing": _play,
    "suspended": _suspend,
}
