"""What one player is told of a tournament: how he stands in it, and the call to a table."""

from __future__ import annotations

from typing import Final

from speed_common import wire
from speed_server.tournament.config import MINUTE, SECOND
from speed_server.tournament.model import EMPTY, GONE, LIVE, Match, Tournament
from speed_server.tournament.queue import estimates
from speed_server.tournament.standings import champion

NS_PER_US: Final = 1_000
_STEP_S: Final = 30
"""A guess of a wait is told in steps, so that it is not told again each second."""


def mine(state: Tournament, player: int, now: int, *, dealt_anew: bool = False, said: str = "") -> wire.Mine:
    """How a player (0: nobody) stands. `dealt_anew`: his deal was lost with the server. `said` goes before all else."""
    if not player:
        return wire.Mine(state.tid, state.name, state.phase, 0, "", text=said)
    entrant = state.players[player]
    match = next_match(state, player)
    if match is None:
        return wire.Mine(state.tid, state.name, state.phase, player, entrant.status, text=said or _idle(state, player))
    a, b = match.players
    rival = b if a == player else a
    wait = estimates(state, now).get(match.number, -1) if match.status == "ready" else -1
    return wire.Mine(
        state.tid,
        state.name,
        state.phase,
        player,
        entrant.status,
        match.number,
        state.name_of(rival) if rival else "",
        match.table if match.status in LIVE else 0,
        -1 if wait < 0 else round(wait / SECOND / _STEP_S) * _STEP_S,
        said or _coming(state, match, rival, wait, dealt_anew=dealt_anew),
    )


def next_match(state: Tournament, player: int) -> Match | None:
    """The match a player is called to or plays, else the first that is known to come."""
    own = [match for match in state.matches.values() if match.result is None and player in match.players]
    return min(own, key=lambda match: (match.status not in LIVE, match.spec.depth, match.number), default=None)


def called(state: Tournament, match: Match, player: int, now: int) -> wire.Called:
    """The call of a match to one of its two players."""
    side = match.side_of(player)
    return wire.Called(
        state.tid,
        match.number,
        title(state, match),
        match.table,
        state.name_of(match.known[1 - side]),
        max(0, match.deadline - now) // NS_PER_US if match.deadline else None,
        match.bells,
        match.seated[side],
        match.seated[1 - side],
    )


def title(state: Tournament, match: Match) -> str:
    """What a match is called where there is room for a word or two: `M4, winners round 2`."""
    side = match.spec.side
    named = {"final", "reset", "third", "playoff"}
    part = (
        side if side in named else f"round {match.spec.round}" if side == "main" else f"{side} round {match.spec.round}"
    )
    return f"{match.name}, {part}" if state.stages else match.name


def _idle(state: Tournament, player: int) -> str:
    """What to say to who has no match before him."""
    entrant = state.players[player]
    if entrant.status in GONE:
        return "you have left the tournament" if entrant.status == "withdrawn" else "you were disqualified"
    if state.phase in {"finished", "archived"}:
        winner = champion(state)
        if winner == player:
            return "you have won the tournament"
        return f"the tournament is over, {state.name_of(winner)} has won it" if winner else "the tournament is over"
    if state.phase == "cancelled":
        return "the tournament was cancelled"
    if state.phase == "check_in" and entrant.status == "registered":
        return "check in: press Space, or say ready"
    if entrant.status == "dropped":
        return "you did not check in: ask the director to bring you in again"
    if not state.stages:
        return "you are in: the draw is yet to come"
    if entrant.status == "resting":
        return "you rest: the director or your coming back brings you in again"
    if state.stages[-1].kind in {"bracket", "double"}:
        lost = any(
            m.result is not None and player in m.players and m.result.winner != player for m in state.matches.values()
        )
        return "you are out: thank you for playing" if lost else "you are through: what comes next is yet to be said"
    return "your next match is yet to be drawn"


def _coming(state: Tournament, match: Match, rival: int | None, wait: int, *, dealt_anew: bool) -> str:
    against = f"against {state.name_of(rival)}" if rival else "against whoever comes out of the match before"
    if state.phase == "paused":
        return f"the tournament is paused: {state.pause_reason}" if state.pause_reason else "the tournament is paused"
    if dealt_anew and match.status in LIVE:
        return "the server was started again: the deal is dealt anew, the score stands"
    if match.status == "called":
        return f"come to table {match.table}, {against}"
    if match.status in LIVE:
        return f"you play at table {match.table}, {against}"
    if rival == EMPTY or match.status == "waiting":
        return f"your next match is {match.name}, {against}"
    if wait > MINUTE:
        return f"your next match is {match.name}, {against}, in about {round(wait / MINUTE)} min"
    return f"your next match is {match.name}, {against}, soon"
