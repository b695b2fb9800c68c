"""What follows by itself: empty slots and leavers flow through, rounds and stages end, free tables take matches.

`settle` goes on until nothing follows any more, so after each command the state is at rest. The pairing of a Swiss
round does not follow by itself, because it may take long: `wanted_round` gives the task, and its pairs come back as a
command.
"""

from __future__ import annotations

from typing import Final

from speed_server.tournament import events as ev
from speed_server.tournament.bracket import single_elimination
from speed_server.tournament.buckets import buckets
from speed_server.tournament.calling import arena_closed, call_ready
from speed_server.tournament.judging import Pen
from speed_server.tournament.model import EMPTY, GONE, Match, Result, Stage, Tournament
from speed_server.tournament.pairing import next_round, swiss_task
from speed_server.tournament.queue import (
    NOWHERE,
    Elsewhere,
)
from speed_server.tournament.schedule import knockout_seeds
from speed_server.tournament.standings import members_of, standings
from speed_server.tournament.swiss import Task

_FILLING: Final = (
    ev.StageDrawn,
    ev.RoundPublished,
    ev.MatchAdded,
    ev.ResultCorrected,
    ev.MatchReopened,
    ev.Undrawn,
    ev.CommandUndone,
)


def settle(pen: Pen, elsewhere: Elsewhere = NOWHERE) -> None:
    """Write all that follows from the state."""
    if pen.state.phase not in {"drawn", "running", "paused"}:
        return
    _flow(pen)
    if pen.state.phase != "running":
        return
    _start_seated(pen)
    while pen.state.phase == "running" and _step_stage(pen):
        _flow(pen)
    if pen.state.phase == "running":
        call_ready(pen, elsewhere)


# --- byes, walk-overs ------------------------------------------------------------------------------------------------


def _flow(pen: Pen) -> None:
    """Finish what needs no play, until nothing new has come of it."""
    looked = _gone(pen.state) == _gone(pen.origin)
    seen = 0
    while seen < len(pen.events) or not looked:
        fresh = not looked or any(_fills_slots(pen.state, event) for event in pen.events[seen:])
        looked, seen = True, len(pen.events)
        for match in buckets(pen.state).unfinished if fresh else ():
            result = _foregone(pen.state, match)
            if result is not None and pen.state.matches[match.number] is match:
                pen.write(ev.MatchFinished(at=pen.now, match=match.number, players=match.known, result=result))


def _fills_slots(state: Tournament, event: ev.Event) -> bool:
    """Whether the slots of other matches may have changed."""
    if isinstance(event, ev.MatchFinished):
        return event.match in state.matches and bool(state.matches[event.match].feeds)
    return isinstance(event, _FILLING)


def _gone(state: Tournament) -> set[int]:
    return {number for number, player in state.players.items() if player.status in GONE}


def _foregone(state: Tournament, match: Match) -> Result | None:
    """The result of a match that needs no play; None while it does."""
    a, b = match.players
    if a is None or b is None:
        return None
    if EMPTY in (a, b):
        if match.spec.side == "reset":
            return Result("not_needed", EMPTY)
        other = a or b
        return Result("bye", EMPTY if state.is_gone(other) else other)
    gone = state.is_gone(a), state.is_gone(b)
    if gone == (True, True):
        return Result("double_walkover", EMPTY, why="both have left")
    if True in gone:
        winner, absent = (b, a) if gone[0] else (a, b)
        return Result("walkover", winner, why=f"{state.name_of(absent)} has left")
    return None


def _start_seated(pen: Pen) -> None:
    for match in buckets(pen.state).live:
        if match.status == "called" and all(match.seated):
            pen.write(ev.MatchStarted(at=pen.now, match=match.number))


# --- rounds and stages -----------------------------------------------------------------------------------------------


def staying(state: Tournament) -> list[int]:
    """The members of the stage who have not left."""
    return [player for player in members_of(state, state.stage) if not state.is_gone(player)]


def open_matches(state: Tournament) -> tuple[Match, ...]:
    """The matches without a result."""
    return buckets(state).unfinished


def stage_over(state: Tournament, now: int) -> bool:
    """Whether nothing is left to play or to pair in the stage."""
    if open_matches(state):
        return False
    stage = state.stages[-1]
    if stage.kind == "swiss":
        return len(staying(state)) <= 1 or next_round(state) > stage.rounds
    if stage.kind == "arena":
        return len(staying(state)) <= 1 or arena_closed(state, now)
    return True


def _step_stage(pen: Pen) -> bool:
    """Cool down, close the stage, draw the next or finish; whether anything happened."""
    state, now = pen.state, pen.now
    over = stage_over(state, now)
    if not over and not _round_over(state):
        return False
    deserted = not staying(state)
    if not deserted and not state.cooling_until:
        pen.write(ev.CoolingStarted(at=now, until=now + state.config.cooling))
        return True
    if not over or (not deserted and now < state.cooling_until):
        return False
    close_stage(pen)
    return True


def _round_over(state: Tournament) -> bool:
    return (
        state.stages[-1].kind == "swiss"
        and bool(state.rounds)
        and state.rounds[-1].published
        and not open_matches(state)
    )


def close_stage(pen: Pen, *, early: bool = False) -> None:
    """Freeze the standings and go on to the knockout, or end the tournament."""
    number = pen.state.stage
    order = tuple(table.order for table in standings(pen.state, number))
    pen.write(ev.StageClosed(at=pen.now, stage=number, order=order))
    for text in _shared(pen.state, order):
        pen.write(ev.DirectorNote(at=pen.now, text=text))
    if pen.state.stages[number].kind == "groups" and not early:
        _draw_knockout(pen, order)
    else:
        pen.write(ev.TournamentFinished(at=pen.now, early=early))


def _shared(state: Tournament, order: tuple[tuple[tuple[int, ...], ...], ...]) -> list[str]:
    """What the director should know of places that nothing has decided."""
    stage = state.stages[-1]
    if stage.kind in {"bracket", "double"}:
        return []
    notes = []
    for group in order:
        first = 1
        for players in group:
            names = ", ".join(map(state.name_of, players))
            if stage.kind == "groups" and first <= state.config.qualifiers < first + len(players) - 1:
                notes.append(f"{names} are level in their group: the better seed goes on")
            elif stage.kind != "groups" and first == 1 < len(players):
                notes.append(f"{names} share the first place: `playoff A-B` decides it")
            first += len(players)
    return notes


def qualified(state: Tournament, order: tuple[tuple[tuple[int, ...], ...], ...]) -> list[int]:
    """The seeds of the knockout from the groups' standings; an empty slot for who has left."""
    rows = [[EMPTY if state.is_gone(player) else player for place in group for player in place] for group in order]
    winners = [row[0] for row in rows]
    seconds = [row[1] if len(row) > 1 else EMPTY for row in rows] if state.config.qualifiers > 1 else []
    return knockout_seeds(winners, seconds)


def _draw_knockout(pen: Pen, order: tuple[tuple[tuple[int, ...], ...], ...]) -> None:
    seeds = qualified(pen.state, order)
    first = max(pen.state.matches, default=0) + 1
    stage = Stage(kind="bracket", members=tuple(player for player in seeds if player != EMPTY))
    specs = single_elimination(seeds, first, third=pen.state.config.third)
    pen.write(ev.StageDrawn(at=pen.now, stage=stage, matches=specs))


def wanted_round(state: Tournament, now: int) -> Task | None:
    """The Swiss round that should be paired now; None when none should."""
    if state.phase not in {"drawn", "running"} or not state.stages or state.stages[-1].kind != "swiss":
        return None
    if open_matches(state) or next_round(state) > state.stages[-1].rounds:
        return None
    last = state.rounds[-1] if state.rounds else None
    if last is not None and not last.published and last.hold:
        return None
    if last is not None and last.published and not (state.cooling_until and now >= state.cooling_until):
        return None
    if state.phase == "drawn" and last is not None and last.published:
        return None
    task = swiss_task(state)
    return task if len(task.entrants) > 1 else None
