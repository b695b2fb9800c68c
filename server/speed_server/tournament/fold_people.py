"""The part of the fold about people: entering, resting, leaving, losing the link and coming back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from speed_server.tournament import events as ev
from speed_server.tournament.model import IN_PLAY, Match, Player, Tournament


def _change(state: Tournament, number: int, **fields: Any) -> Tournament:
    return replace(state, players={**state.players, number: replace(state.players[number], **fields)})


def _registered(state: Tournament, event: ev.PlayerRegistered) -> Tournament:
    player = Player(
        number=event.player,
        name=event.name,
        status="active" if event.active else "registered",
        joined=event.joined,
    )
    return replace(state, players={**state.players, event.player: player})


def _checked_in(state: Tournament, event: ev.PlayerCheckedIn) -> Tournament:
    return _change(state, event.player, status="checked_in")


def _dropped(state: Tournament, event: ev.PlayerDropped) -> Tournament:
    return _change(state, event.player, status="dropped")


def _removed(state: Tournament, event: ev.PlayerRemoved) -> Tournament:
    return _change(state, event.player, status="removed")


def _rested(state: Tournament, event: ev.PlayerRested) -> Tournament:
    return _change(state, event.player, status="resting", no_show=event.no_show)


def _activated(state: Tournament, event: ev.PlayerActivated) -> Tournament:
    joined = event.joined or state.players[event.player].joined
    return _change(state, event.player, status="active", no_show=False, left=0, joined=joined)


def _withdrawn(state: Tournament, event: ev.PlayerWithdrawn) -> Tournament:
    return _change(state, event.player, status="withdrawn", left=event.left)


def _disqualified(state: Tournament, event: ev.PlayerDisqualified) -> Tournament:
    return _change(state, event.player, status="disqualified", left=event.left)


def _renamed(state: Tournament, event: ev.PlayerRenamed) -> Tournament:
    return _change(state, event.player, name=event.name)


def set_side(pair: tuple[Any, Any], side: int, value: Any) -> tuple[Any, Any]:
    """The pair with one side's value changed."""
    return (value, pair[1]) if side == 0 else (pair[0], value)


def _lost(state: Tournament, event: ev.PlayerLost) -> Tournament:
    state = _change(state, event.player, connected=False, lost_at=event.at)
    matches = state.matches
    for match in _matches_of(state, event.player):
        side = match.side_of(event.player)
        if match.status == "called":
            match = replace(match, seated=set_side(match.seated, side, value=False))  # noqa: PLW2901
        elif match.status in IN_PLAY:
            since = 0 if state.phase == "paused" else event.at
            match = replace(  # noqa: PLW2901
                match,
                status="suspended",
                away=set_side(match.away, side, value=True),
                away_since=set_side(match.away_since, side, since),
                stake=set_side(match.stake, side, event.stake),
            )
        matches = {**matches, match.number: match}
    return replace(state, matches=matches)


def _back(state: Tournament, event: ev.PlayerBack) -> Tournament:
    state = _change(state, event.player, connected=True, lost_at=0)
    matches = state.matches
    for match in _matches_of(state, event.player):
        side = match.side_of(event.player)
        if not match.away[side]:
            continue
        since = match.away_since[side]
        spent = max(0, event.at - since) if since else 0
        away = set_side(match.away, side, value=False)
        matches = {
            **matches,
            match.number: replace(
                match,
                status="suspended" if any(away) else "playing",
                away=away,
                away_since=set_side(match.away_since, side, 0),
                used=set_side(match.used, side, match.used[side] + spent),
            ),
        }
    return replace(state, matches=matches)


def _matches_of(state: Tournament, player: int) -> list[Match]:
    return [m for m in state.matches.values() if m.status in {"called", *IN_PLAY} and player in m.players]


PEOPLE_FOLDS: Final[dict[type[ev.Event], Callable[[Tournament, Any], Tournament]]] = {
    ev.PlayerRegistered: _registered,
    ev.PlayerCheckedIn: _checked_in,
    ev.PlayerDropped: _dropped,
    ev.PlayerRemoved: _removed,
    ev.PlayerRested: _rested,
    ev.PlayerActivated: _activated,
    ev.PlayerWithdrawn: _withdrawn,
    ev.PlayerDisqualified: _disqualified,
    ev.PlayerRenamed: _renamed,
    ev.PlayerLost: _lost,
    ev.PlayerBack: _back,
}
