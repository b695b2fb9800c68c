"""Free tables take matches: the first of the queue that can be called, and in an arena the next two who should play."""

from __future__ import annotations

from speed_server.tournament import arena
from speed_server.tournament import events as ev
from speed_server.tournament.buckets import buckets
from speed_server.tournament.judging import Pen
from speed_server.tournament.model import Match, Source, Spec, Tournament
from speed_server.tournament.queue import Elsewhere, busy_players, free_tables, median_length, next_call
from speed_server.tournament.standings import members_of
from speed_server.tournament.tally import stage_tally


def call_ready(pen: Pen, elsewhere: Elsewhere) -> None:
    """Call matches as long as there are free tables for them."""
    while True:
        tables = free_tables(pen.state, elsewhere)
        if not tables:
            return
        match = next_call(pen.state, pen.now, elsewhere) or _arena_match(pen, elsewhere)
        if match is None:
            return
        call(pen, match, tables[0])


def call(pen: Pen, match: Match, table: int) -> None:
    """Call a match to a table."""
    config = pen.state.config
    clock_from = pen.now + config.acknowledge
    pen.write(
        ev.MatchCalled(
            at=pen.now,
            match=match.number,
            table=table,
            players=match.known,
            clock_from=clock_from,
            deadline=clock_from + config.call,
        )
    )


def _arena_match(pen: Pen, elsewhere: Elsewhere) -> Match | None:
    state = pen.state
    if state.stages[-1].kind != "arena" or arena_closed(state, pen.now):
        return None
    busy = busy_players(state) | {player for match in buckets(state).unfinished for player in match.known}
    idle = [
        player
        for player in (state.players[number] for number in members_of(state, state.stage))
        if player.status == "active"
        and player.connected
        and player.number not in busy
        and player.name not in elsewhere.busy
        and (not player.free_since or player.free_since + state.config.rest <= pen.now)
    ]
    pair = arena.next_pair(state, stage_tally(state, state.stage, members_of(state, state.stage)), idle)
    if pair is None:
        return None
    number = max(state.matches, default=0) + 1
    spec = Spec(number, 1, "main", 1, number, Source("player", pair[0]), Source("player", pair[1]))
    pen.write(ev.MatchAdded(at=pen.now, match=spec, stage=state.stage))
    return pen.state.matches[number]


def arena_closed(state: Tournament, now: int) -> bool:
    """Whether an arena calls no match any more: less than the median match is left."""
    return now + median_length(state) > state.ends_at
