"""The part of the fold about matches: call, play, result, and what stops and restarts their clocks.

Clocks are deadlines. Whatever freezes them (a pause, the server's absence) takes them off; whatever thaws them gives a
fresh period to sit down. Points are never touched by that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from speed_server.tournament import events as ev
from speed_server.tournament import slots
from speed_server.tournament.fold_people import set_side
from speed_server.tournament.model import EMPTY, IN_PLAY, Match, Result, Tournament


def _put(state: Tournament, match: Match) -> Tournament:
    return replace(state, matches={**state.matches, match.number: match})


def _called(state: Tournament, event: ev.MatchCalled) -> Tournament:
    match = replace(
        state.matches[event.match],
        status="called",
        table=event.table,
        called_at=event.at,
        clock_from=event.clock_from,
        deadline=event.deadline,
        bells=1,
        penalties=0,
        acknowledged=(False, False),
        seated=(False, False),
    )
    return _put(state, match)


def _acknowledged(state: Tournament, event: ev.CallAcknowledged) -> Tournament:
    match = state.matches[event.match]
    match = replace(match, acknowledged=set_side(match.acknowledged, match.side_of(event.player), value=True))
    if event.deadline:
        match = replace(match, clock_from=event.at, deadline=event.deadline)
    return _put(state, match)


def _bell(state: Tournament, event: ev.BellRung) -> Tournament:
    return _put(state, replace(state.matches[event.match], bells=event.number))


def _late(state: Tournament, event: ev.LatenessPenalty) -> Tournament:
    match = state.matches[event.match]
    match = replace(
        match,
        score=_raised(match, event.winner, event.points),
        penalties=match.penalties + 1,
        deadline=event.deadline,
    )
    return _put(state, match)


def _recalled(state: Tournament, event: ev.MatchRecalled) -> Tournament:
    match = state.matches[event.match]
    return _put(state, slots.afresh(match, match.players, match.ready_at))


def _moved(state: Tournament, event: ev.MatchMoved) -> Tournament:
    return _put(state, replace(state.matches[event.match], table=event.table))


def _pinned(state: Tournament, event: ev.MatchPinned) -> Tournament:
    return _put(state, replace(state.matches[event.match], pinned=event.on))


def _held(state: Tournament, event: ev.MatchHeld) -> Tournament:
    return _put(state, replace(state.matches[event.match], held=event.on))


def _ready(state: Tournament, event: ev.PlayerReady) -> Tournament:
    match = state.matches[event.match]
    return _put(state, replace(match, seated=set_side(match.seated, match.side_of(event.player), value=True)))


def _started(state: Tournament, event: ev.MatchStarted) -> Tournament:
    return _put(state, replace(state.matches[event.match], status="playing", started_at=event.at, deadline=0))


def _deal(state: Tournament, event: ev.DealFinished) -> Tournament:
    match = state.matches[event.match]
    counted = event.points if state.config.measure == "points" else 1
    match = replace(match, score=_raised(match, event.winner, counted), deals=match.deals + 1)
    if event.forfeit:
        side = 1 - match.side_of(event.winner)
        spent = max(0, event.at - match.away_since[side]) if match.away_since[side] else 0
        match = replace(
            match,
            lapses=set_side(match.lapses, side, match.lapses[side] + 1),
            used=set_side(match.used, side, match.used[side] + spent),
            away_since=set_side(match.away_since, side, event.at),
            stake=set_side(match.stake, side, 0),
        )
    return _put(state, match)


def _raised(match: Match, winner: int, by: int) -> tuple[int, int]:
    side = match.side_of(winner)
    return set_side(match.score, side, match.score[side] + by)


def _finished(state: Tournament, event: ev.MatchFinished) -> Tournament:
    return _resolved(state, event.match, event.result, event.at, counts_as_rest=event.result.kind == "played")


def _corrected(state: Tournament, event: ev.ResultCorrected) -> Tournament:
    return _resolved(state, event.match, event.result, state.matches[event.match].finished_at, counts_as_rest=False)


def _resolved(state: Tournament, number: int, result: Result, at: int, *, counts_as_rest: bool) -> Tournament:
    match = replace(
        state.matches[number],
        status="finished",
        result=result,
        score=result.score or (0, 0),
        deadline=0,
        away=(False, False),
        away_since=(0, 0),
        finished_at=at,
    )
    players = state.players
    if counts_as_rest:
        players = dict(players)
        for player in match.known:
            if player != EMPTY:
                players[player] = replace(players[player], free_since=at)
    return replace(state, matches=slots.put(state.matches, match, at), players=players, cooling_until=0)


def _reopened(state: Tournament, event: ev.MatchReopened) -> Tournament:
    match = state.matches[event.match]
    match = slots.afresh(match, match.players, event.at)
    return replace(state, matches=slots.put(state.matches, match, event.at), cooling_until=0)


def _paused(state: Tournament, event: ev.Paused) -> Tournament:
    matches = {n: _frozen(m, event.at) if m.status in {"called", *IN_PLAY} else m for n, m in state.matches.items()}
    return replace(state, phase="paused", pause_reason=event.reason, paused_at=event.at, matches=matches)


def _resumed(state: Tournament, event: ev.Resumed) -> Tournament:
    matches = {n: _thawed(state, m, event.at) for n, m in state.matches.items()}
    cooling = event.at + state.config.cooling if state.cooling_until else 0
    ends = state.ends_at + event.at - state.paused_at if state.ends_at else 0
    return replace(
        state, phase="running", pause_reason="", paused_at=0, ends_at=ends, matches=matches, cooling_until=cooling
    )


def _server_started(state: Tournament, event: ev.ServerStarted) -> Tournament:
    """Nobody is connected yet, whoever played is interrupted, and no clock has run while the server was away."""
    players = {n: replace(p, connected=False, lost_at=0) for n, p in state.players.items()}
    matches = {}
    for number, match in state.matches.items():
        if match.status in IN_PLAY:
            frozen = replace(_frozen(match, 0), status="suspended", away=(True, True), stake=(0, 0))
            matches[number] = frozen
        elif match.status == "called":
            matches[number] = replace(_frozen(match, 0), seated=(False, False))
        elif match.status == "ready":
            matches[number] = replace(match, ready_at=event.at)
        else:
            matches[number] = match
    if state.phase != "paused":
        matches = {n: _thawed(state, m, event.at) for n, m in matches.items()}
    cooling = event.at + state.config.cooling if state.cooling_until else 0
    ends = state.ends_at + event.down if state.ends_at and state.phase != "paused" else state.ends_at
    return replace(state, players=players, matches=matches, cooling_until=cooling, ends_at=ends)


def _frozen(match: Match, at: int) -> Match:
    used = match.used
    for side in (0, 1):
        since = match.away_since[side]
        if since and at > since:
            used = set_side(used, side, used[side] + at - since)
    return replace(match, deadline=0, away_since=(0, 0), used=used)


def _thawed(state: Tournament, match: Match, at: int) -> Match:
    fresh = at + state.config.call
    if match.status == "called":
        return replace(match, deadline=fresh, clock_from=at, bells=1)
    if match.status == "suspended":
        since = (fresh if match.away[0] else 0, fresh if match.away[1] else 0)
        return replace(match, away_since=since)
    return match


MATCH_FOLDS: Final[dict[type[ev.Event], Callable[[Tournament, Any], Tournament]]] = {
    ev.MatchCalled: _called,
    ev.CallAcknowledged: _acknowledged,
    ev.BellRung: _bell,
    ev.LatenessPenalty: _late,
    ev.MatchRecalled: _recalled,
    ev.MatchMoved: _moved,
    ev.MatchPinned: _pinned,
    ev.MatchHeld: _held,
    ev.PlayerReady: _ready,
    ev.MatchStarted: _started,
    ev.DealFinished: _deal,
    ev.MatchFinished: _finished,
    ev.ResultCorrected: _corrected,
    ev.MatchReopened: _reopened,
    ev.Paused: _paused,
    ev.Resumed: _resumed,
    ev.ServerStarted: _server_started,
}
