"""What time does: bells, the end of a call, the end of a grace, check-in, cooling; and when it does something next.

Whoever is connected and seated never loses by a clock. Nothing runs while a tournament is paused.
"""

from __future__ import annotations

from speed_server.tournament import events as ev
from speed_server.tournament.buckets import buckets
from speed_server.tournament.config import MINUTE
from speed_server.tournament.judging import Pen
from speed_server.tournament.model import EMPTY, Match, Result, Tournament
from speed_server.tournament.queue import callable_at, free_tables, median_length


def run_clocks(pen: Pen) -> None:
    """Write what is due by now."""
    if pen.state.phase == "check_in":
        _close_check_in(pen)
    if pen.state.phase != "running":
        return
    for match in buckets(pen.state).live:
        if match.status == "called":
            _ring(pen, match)
            _end_call(pen, match)
        elif match.status == "suspended":
            _end_grace(pen, match.number)


def next_due(state: Tournament, now: int) -> int | None:
    """When `run_clocks` or `settle` has something to do if nothing happens before; None: never by itself."""
    times: list[int] = []
    if state.phase == "check_in" and state.start_at:
        times.append(state.start_at - state.config.check_in_lead)
    if state.phase == "running":
        found = buckets(state)
        for match in found.live:
            times += _times_of(state, match)
        if free_tables(state):
            times += [callable_at(state, match) for match in found.ready]
        if state.cooling_until:
            times.append(state.cooling_until)
        if state.ends_at:
            times.append(state.ends_at - median_length(state) + 1)
            times += [p.free_since + state.config.rest for p in state.players.values() if p.free_since]
    return min((time for time in times if time > now), default=None)


def _times_of(state: Tournament, match: Match) -> list[int]:
    times = []
    if match.status == "called" and match.deadline:
        times.append(match.deadline)
        if match.bells < len(state.config.bells):
            times.append(match.clock_from + state.config.bells[match.bells])
    times += [match.away_since[side] + grace_left(state, match, side) for side in (0, 1) if match.away_since[side]]
    return times


def grace_left(state: Tournament, match: Match, side: int) -> int:
    """How long this absence may last, from its begin."""
    config = state.config
    return min(config.grace, config.grace_total - match.used[side])


def _close_check_in(pen: Pen) -> None:
    state = pen.state
    if state.start_at and pen.now >= state.start_at - state.config.check_in_lead:
        drop_unchecked(pen)
        pen.write(ev.StartSet(at=pen.now, start=0))


def drop_unchecked(pen: Pen) -> None:
    """Take off the list who did not check in; the director may add them back."""
    for player in list(pen.state.players.values()):
        if player.status == "registered":
            pen.write(ev.PlayerDropped(at=pen.now, player=player.number))


def _ring(pen: Pen, match: Match) -> None:
    bells = pen.state.config.bells
    if all(match.seated) or not match.deadline:
        return
    due = sum(match.clock_from + bell <= pen.now for bell in bells)
    if due > match.bells:
        pen.write(ev.BellRung(at=pen.now, match=match.number, number=due))


def _end_call(pen: Pen, match: Match) -> None:
    if not match.deadline or pen.now < match.deadline:
        return
    config, seated = pen.state.config, match.seated
    lenient = config.lateness_points > 0 and config.measure == "points" and match.penalties < config.lateness_minutes
    if True in seated and lenient:
        _penalise(pen, match)
        return
    if seated == (False, False):
        _finish(pen, match, Result("double_walkover", EMPTY, why="both missed the call"))
        absent: tuple[int, ...] = match.known
    else:
        winner = match.known[seated.index(True)]
        absent = (match.known[seated.index(False)],)
        _finish(pen, match, Result("walkover", winner, why=f"{pen.state.name_of(absent[0])} missed the call"))
    if pen.state.stages[match.stage].kind in {"swiss", "arena"}:
        for player in absent:
            if pen.state.players[player].status == "active":
                pen.write(ev.PlayerRested(at=pen.now, player=player, no_show=True))


def _penalise(pen: Pen, match: Match) -> None:
    config, seated = pen.state.config, match.seated
    winner = match.known[seated.index(True)]
    pen.write(
        ev.LatenessPenalty(
            at=pen.now,
            match=match.number,
            winner=winner,
            points=config.lateness_points,
            deadline=match.deadline + MINUTE,
        )
    )


def _end_grace(pen: Pen, number: int) -> None:
    """The deal, and at the second time the match, goes to whoever is here; with both away nobody loses."""
    while True:
        match = pen.state.matches[number]
        if match.status != "suspended" or all(match.away) or True not in match.away:
            return
        side = match.away.index(True)
        since = match.away_since[side]
        if not since or pen.now < since + grace_left(pen.state, match, side):
            return
        other = match.known[1 - side]
        if match.used[side] + pen.now - since >= pen.state.config.grace_total:
            why = f"{pen.state.name_of(match.known[side])} was away for too long"
            _finish(pen, match, Result("walkover", other, why=why))
            return
        points = match.stake[side] or pen.state.config.forfeit_points
        end = since + grace_left(pen.state, match, side)
        pen.write(ev.DealFinished(at=end, match=number, winner=other, points=points, forfeit=True))
        if finish_if_won(pen, pen.state.matches[number]):
            return


def finish_if_won(pen: Pen, match: Match) -> bool:
    """Write the result of a match whose score is enough."""
    needed = pen.state.config.wins_needed
    for side in (0, 1):
        if match.score[side] >= needed:
            _finish(pen, match, Result("played", match.known[side], match.score))
            return True
    return False


def _finish(pen: Pen, match: Match, result: Result) -> None:
    pen.write(ev.MatchFinished(at=pen.now, match=match.number, players=match.known, result=result))
