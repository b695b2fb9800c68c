"""The one queue of ready matches, and which of them a free table takes.

Order: pinned by the director, stage, depth, time since it became ready, place in the bracket. Nothing is timetabled; an
estimate comes from the median match of the evening.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

import msgspec

from speed_server.tournament.buckets import buckets
from speed_server.tournament.model import Match, Tournament


class Elsewhere(msgspec.Struct, frozen=True):
    """What other tournaments in the hall use: names of people who are busy there, and their tables."""

    busy: frozenset[str] = frozenset()
    tables: frozenset[int] = frozenset()


NOWHERE = Elsewhere()


def queue(state: Tournament) -> list[Match]:
    """The ready matches in the order in which they are called."""
    return sorted(buckets(state).ready, key=_key)


def _key(match: Match) -> tuple[bool, int, int, int, int, int]:
    spec = match.spec
    return not match.pinned, match.stage, spec.depth, match.ready_at, spec.position, spec.number


def free_tables(state: Tournament, elsewhere: Elsewhere = NOWHERE) -> list[int]:
    """The open tables that no match is on, lowest first."""
    taken = {match.table for match in buckets(state).live} | elsewhere.tables
    return sorted(n for n, table in state.tables.items() if table.open and n not in taken)


def busy_players(state: Tournament) -> set[int]:
    """Who is called or plays."""
    return {player for match in buckets(state).live for player in match.known}


def next_call(state: Tournament, now: int, elsewhere: Elsewhere = NOWHERE) -> Match | None:
    """The first match of the queue that can be called now."""
    busy = busy_players(state)
    able = [
        match
        for match in buckets(state).ready
        if match.players[0] not in busy
        and match.players[1] not in busy
        and not match.held
        and not blocked(state, match, elsewhere)
        and callable_at(state, match) <= now
    ]
    return min(able, key=_key, default=None)


def blocked(state: Tournament, match: Match, elsewhere: Elsewhere = NOWHERE) -> bool:
    """Whether a player of the match rests or plays in another tournament."""
    players = [state.players[player] for player in match.known]
    return any(player.status != "active" or player.name in elsewhere.busy for player in players)


def callable_at(state: Tournament, match: Match) -> int:
    """When both are rested, and when somebody who is not connected has been waited for long enough."""
    players = [state.players[player] for player in match.known]
    times = [player.free_since + state.config.rest for player in players if player.free_since]
    away = [player.lost_at for player in players if not player.connected]
    if away:
        times.append(max(match.ready_at, *away) + state.config.call)
    return max(times, default=0)


def median_length(state: Tournament, matches: Iterable[Match] | None = None) -> int:
    """The median length of the evening's matches; what the director expects before the first one is over."""
    lengths = [
        match.finished_at - match.started_at
        for match in (state.matches.values() if matches is None else matches)
        if match.started_at and match.result is not None and match.result.kind == "played"
    ]
    return int(median(lengths)) if lengths else state.config.length


def slow_matches(state: Tournament, now: int) -> list[Match]:
    """Matches that take twice the median: for the director's eyes."""
    limit = 2 * median_length(state)
    return [m for m in state.matches.values() if m.status == "playing" and now - m.started_at > limit]


def estimates(state: Tournament, now: int) -> dict[int, int]:
    """For each match of the queue, in about how many nanoseconds it is called: a guess for people."""
    length = median_length(state)
    ends = [max(0, match.started_at + length - now) if match.started_at else length for match in buckets(state).live]
    slots = sorted([*ends, *[0] * len(free_tables(state))])
    found: dict[int, int] = {}
    for match in queue(state):
        if not slots:
            break
        wait = slots.pop(0)
        found[match.number] = wait
        slots = sorted([*slots, wait + length])
    return found
