"""Taking the last command back: the evening as if it had not been given, with all that people have played since.

From the state before the command, the later events are applied again as far as they still fit. What followed by
itself (calls, byes, cooling) may fall away; what people did (a deal, a match) may not: then the undo is refused, and
names the match and the command that mends it. The log gets one event with what differs, so a replay applies nothing
anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from speed_server.tournament import events as ev
from speed_server.tournament.fold import evolve
from speed_server.tournament.judging import Pen, Refusal
from speed_server.tournament.model import IN_PLAY, Match, Tournament
from speed_server.tournament.pairing import next_round
from speed_server.tournament.queue import NOWHERE, Elsewhere, free_tables
from speed_server.tournament.settle import settle
from speed_server.tournament.standings import standings


def decide_undo(
    before: Tournament,
    given: ev.CommandGiven,
    since: Sequence[ev.Event],
    state: Tournament,
    now: int,
    elsewhere: Elsewhere = NOWHERE,
) -> tuple[ev.Event, ...] | Refusal:
    """The event that takes a command back, with what follows; or why it cannot be taken back.

    `before` is the state before the command, `since` the events after its `CommandGiven`, its own ones included.
    """
    found = rebase(before, since[given.direct :])
    if isinstance(found, ev.Event):
        return _refusal(state, given, found)
    rebased, kept = found
    event = _difference(given.line, state, rebased, now, kept)
    pen = Pen(state, now)
    pen.write(event)
    settle(pen, elsewhere)
    return tuple(pen.events)


def rebase(state: Tournament, later: Sequence[ev.Event]) -> tuple[Tournament, tuple[int, ...]] | ev.Event:
    """The state with later events applied as far as they fit, and which did.

    Or the first thing that people did and that does not fit any more.
    """
    kept = []
    for index, event in enumerate(later):
        fits = _FITS.get(type(event))
        if fits is not None and fits(state, event):
            state = evolve(state, event)
            kept.append(index)
        elif _is_deed(event):
            return event
    return state, tuple(kept)


def _is_deed(event: ev.Event) -> bool:
    if isinstance(event, ev.MatchFinished):
        return event.result.kind == "played"
    return isinstance(event, ev.MatchStarted | ev.DealFinished | ev.PlayerRegistered)


def _refusal(state: Tournament, given: ev.CommandGiven, deed: ev.Event) -> Refusal:
    number = getattr(deed, "match", None)
    if number is not None and number in state.matches:
        match = state.matches[number]
        remedy = f"`correct` or `replay` mends a result, `void {match.name}` a match, `pause` stops the clocks"
        return Refusal(f"{given.line!r} led to {state.title(match)}, which has been played", remedy)
    return Refusal(f"{given.line!r} led to what people have done since", "`log` shows it; use the opposite command")


def _difference(line: str, old: Tournament, new: Tournament, now: int, kept: tuple[int, ...]) -> ev.CommandUndone:
    return ev.CommandUndone(
        at=now,
        line=line,
        players=tuple(player for n, player in new.players.items() if old.players.get(n) != player),
        matches=tuple(match for n, match in new.matches.items() if old.matches.get(n) != match),
        removed_players=tuple(n for n in old.players if n not in new.players),
        removed_matches=tuple(n for n in old.matches if n not in new.matches),
        rest=replace(new, players={}, matches={}),
        kept=kept,
    )


# --- what still fits -------------------------------------------------------------------------------------------------


def _match(state: Tournament, event: Any) -> Match | None:
    return state.matches.get(event.match)


def _call_fits(state: Tournament, event: ev.MatchCalled) -> bool:
    match = _match(state, event)
    fits = match is not None and match.status == "ready" and match.players == event.players and not match.held
    return fits and state.phase == "running" and event.table in free_tables(state) and _all_free(state, event.players)


def _all_free(state: Tournament, players: tuple[int, int]) -> bool:
    busy = {p for m in state.matches.values() if m.status in {"called", *IN_PLAY} for p in m.known}
    return not busy & set(players)


def _in_call(state: Tournament, event: Any) -> bool:
    match = _match(state, event)
    who = getattr(event, "player", None)
    return match is not None and match.status == "called" and (who is None or who in match.known)


def _start_fits(state: Tournament, event: ev.MatchStarted) -> bool:
    match = _match(state, event)
    return match is not None and match.status == "called" and all(match.seated)


def _deal_fits(state: Tournament, event: ev.DealFinished) -> bool:
    match = _match(state, event)
    return match is not None and match.status in IN_PLAY and event.winner in match.known


def _result_fits(state: Tournament, event: ev.MatchFinished) -> bool:
    match = _match(state, event)
    if match is None or match.result is not None or match.known != event.players or None in match.players:
        return False
    if event.result.kind == "played" and match.status not in {"called", *IN_PLAY}:
        return False
    gone = any(state.is_gone(player) for player in match.known)
    return gone or not event.result.why.endswith("left")


def _person_fits(state: Tournament, event: Any) -> bool:
    return event.player in state.players


def _new_person_fits(state: Tournament, event: ev.PlayerRegistered) -> bool:
    return event.player not in state.players


def _round_fits(state: Tournament, event: ev.RoundPlanned) -> bool:
    people = {player for pair in event.pairs for player in (pair.a, pair.b) if player}
    open_now = any(match.result is None for match in state.matches.values())
    return (
        bool(state.stages)
        and state.stages[-1].kind == "swiss"
        and event.number == next_round(state)
        and not open_now
        and all(p in state.players and state.players[p].status == "active" for p in people)
        and not {pair.number for pair in event.pairs} & set(state.matches)
    )


def _publish_fits(state: Tournament, event: ev.RoundPublished) -> bool:
    return bool(state.rounds) and state.rounds[-1].number == event.number and not state.rounds[-1].published


def _added_fits(state: Tournament, event: ev.MatchAdded) -> bool:
    people = event.match.a.ref, event.match.b.ref
    known = all(player in state.players for player in people)
    return known and event.stage == state.stage and event.match.number not in state.matches and _all_free(state, people)


def _cooling_fits(state: Tournament, _: ev.CoolingStarted) -> bool:
    return state.phase == "running" and all(match.result is not None for match in state.matches.values())


def _closed_fits(state: Tournament, event: ev.StageClosed) -> bool:
    if event.stage != state.stage or any(match.result is None for match in state.matches.values()):
        return False
    return tuple(table.order for table in standings(state, event.stage)) == event.order


def _drawn_fits(state: Tournament, _: ev.StageDrawn) -> bool:
    return bool(state.stages) and state.stages[-1].closed and state.stages[-1].kind == "groups"


def _finished_fits(state: Tournament, _: ev.TournamentFinished) -> bool:
    return state.phase == "running" and bool(state.stages) and state.stages[-1].closed


def _always(_: Tournament, __: ev.Event) -> bool:
    return True


_FITS: Final[dict[type[ev.Event], Callable[[Tournament, Any], bool]]] = {
    ev.MatchCalled: _call_fits,
    ev.CallAcknowledged: _in_call,
    ev.BellRung: _in_call,
    ev.LatenessPenalty: _in_call,
    ev.PlayerReady: _in_call,
    ev.MatchStarted: _start_fits,
    ev.DealFinished: _deal_fits,
    ev.MatchFinished: _result_fits,
    ev.PlayerLost: _person_fits,
    ev.PlayerBack: _person_fits,
    ev.PlayerRested: _person_fits,
    ev.PlayerActivated: _person_fits,
    ev.PlayerWithdrawn: _person_fits,
    ev.PlayerCheckedIn: _person_fits,
    ev.PlayerDropped: _person_fits,
    ev.PlayerRegistered: _new_person_fits,
    ev.RoundPlanned: _round_fits,
    ev.RoundPublished: _publish_fits,
    ev.MatchAdded: _added_fits,
    ev.CoolingStarted: _cooling_fits,
    ev.StageClosed: _closed_fits,
    ev.StageDrawn: _drawn_fits,
    ev.TournamentFinished: _finished_fits,
    ev.Paused: lambda state, _: state.phase == "running",
    ev.Resumed: lambda state, _: state.phase == "paused",
    ev.ServerStarted: _always,
    ev.ServerStopped: _always,
    ev.DirectorNote: _always,
    ev.StartSet: _always,
}
"""Which of the events that no command of the director wrote still fit a state; commands come one at a time."""
