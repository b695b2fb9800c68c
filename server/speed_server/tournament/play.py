"""What comes from the hall and the clock rather than from the director: seats taken, deals, links lost and found, time.

These commands never name people by their words: the hub knows players and matches by number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from speed_server.tournament import events as ev
from speed_server.tournament.clocks import finish_if_won, run_clocks
from speed_server.tournament.judging import Pen, Refused, playing_match
from speed_server.tournament.model import EMPTY, IN_PLAY, Match, Pair, Player, Tournament
from speed_server.tournament.pairing import next_round, swiss_task
from speed_server.tournament.swiss import Line


class Tick(msgspec.Struct, frozen=True, tag=True):
    """Time has passed."""


class Boot(msgspec.Struct, frozen=True, tag=True):
    """The server is up again; `down` is how long it was away."""

    down: int = 0


class Halt(msgspec.Struct, frozen=True, tag=True):
    """The server is about to stop."""


class PlanRound(msgspec.Struct, frozen=True, tag=True):
    """The pairs of the round that was asked for."""

    number: int
    lines: tuple[Line, ...]


class Acknowledge(msgspec.Struct, frozen=True, tag=True):
    """A player's client shows his call."""

    player: int


class Sit(msgspec.Struct, frozen=True, tag=True):
    """A called player is ready at his table."""

    player: int


class ReportDeal(msgspec.Struct, frozen=True, tag=True):
    """A deal of a match was won; `points` are those of the deal."""

    match: int
    winner: int
    points: int


class Lose(msgspec.Struct, frozen=True, tag=True):
    """A player's connection is gone; `stake` is how many cards he held."""

    player: int
    stake: int = 0


class Return(msgspec.Struct, frozen=True, tag=True):
    """A player is connected again."""

    player: int


PlayCommand = Tick | Boot | Halt | PlanRound | Acknowledge | Sit | ReportDeal | Lose | Return


def decide_play(pen: Pen, command: PlayCommand) -> None:
    """Write what follows from a command of the hall."""
    _JUDGES[type(command)](pen, command)


def _tick(pen: Pen, _: Tick) -> None:
    run_clocks(pen)


def _boot(pen: Pen, command: Boot) -> None:
    pen.write(ev.ServerStarted(at=pen.now, down=command.down))


def _halt(pen: Pen, _: Halt) -> None:
    pen.write(ev.ServerStopped(at=pen.now))


def _plan(pen: Pen, command: PlanRound) -> None:
    """Take the pairs if they are still of the players who are there; else the task is asked for again."""
    state = pen.state
    stale = (
        not state.stages or command.number != next_round(state) or any(m.result is None for m in state.matches.values())
    )
    if stale or {entrant.player for entrant in swiss_task(state).entrants} != _players_of(command.lines):
        return
    first = max(state.matches, default=0) + 1
    lines = [line for line in command.lines if line.b != EMPTY] + [line for line in command.lines if line.b == EMPTY]
    pairs = tuple(Pair(first + n, line.a, line.b, line.why) for n, line in enumerate(lines))
    pen.write(ev.RoundPlanned(at=pen.now, number=command.number, pairs=pairs))
    pen.write(ev.RoundPublished(at=pen.now, number=command.number))


def _players_of(lines: tuple[Line, ...]) -> set[int]:
    return {player for line in lines for player in (line.a, line.b) if player != EMPTY}


def _called(state: Tournament, player: int) -> Match:
    match = playing_match(state, player)
    if match is None or match.status != "called":
        name = state.name_of(player)
        raise Refused(f"{name} is not called to a table", "wait for the call, or ask the director for `status`")
    return match


def _acknowledge(pen: Pen, command: Acknowledge) -> None:
    match = _called(pen.state, command.player)
    side = match.side_of(command.player)
    if match.acknowledged[side]:
        return
    starts = match.acknowledged[1 - side] and match.deadline and match.clock_from > pen.now
    deadline = pen.now + pen.state.config.call if starts else 0
    pen.write(ev.CallAcknowledged(at=pen.now, match=match.number, player=command.player, deadline=deadline))


def _sit(pen: Pen, command: Sit) -> None:
    _wake(pen, pen.state.players[command.player])
    match = _called(pen.state, command.player)
    if not pen.state.players[command.player].connected:
        pen.write(ev.PlayerBack(at=pen.now, player=command.player))
    if not match.seated[match.side_of(command.player)]:
        pen.write(ev.PlayerReady(at=pen.now, match=match.number, player=command.player))


def _deal(pen: Pen, command: ReportDeal) -> None:
    state = pen.state
    match = state.matches.get(command.match)
    if match is None or match.status not in IN_PLAY or command.winner not in match.known:
        title = f"M{command.match}" if match is None else state.title(match)
        raise Refused(f"{title} is not being played", "enter a result with `result M 25:19`")
    pen.write(ev.DealFinished(at=pen.now, match=match.number, winner=command.winner, points=command.points))
    finish_if_won(pen, pen.state.matches[match.number])


def _lose(pen: Pen, command: Lose) -> None:
    player = pen.state.players[command.player]
    if not player.connected:
        return
    pen.write(ev.PlayerLost(at=pen.now, player=player.number, stake=command.stake))
    state = pen.state
    if state.phase != "running":
        return
    window = pen.now - state.config.mass_window
    people = [p for p in state.players.values() if p.status in {"active", "resting"}]
    lost = sum(not p.connected and p.lost_at > 0 and p.lost_at >= window for p in people)
    before = lost + sum(p.connected for p in people)
    if lost >= state.config.mass_least and 2 * lost >= before:
        pen.write(ev.Paused(at=pen.now, reason=f"{lost} of {before} players lost their connection"))


def _return(pen: Pen, command: Return) -> None:
    player = pen.state.players[command.player]
    if not player.connected:
        pen.write(ev.PlayerBack(at=pen.now, player=player.number))
    _wake(pen, player)


def _wake(pen: Pen, player: Player) -> None:
    """Who rested because of a missed call has answered."""
    if player.status == "resting" and player.no_show:
        pen.write(ev.PlayerActivated(at=pen.now, player=player.number))


_JUDGES: Final[dict[type[PlayCommand], Callable[[Pen, Any], None]]] = {
    Tick: _tick,
    Boot: _boot,
    Halt: _halt,
    PlanRound: _plan,
    Acknowledge: _acknowledge,
    Sit: _sit,
    ReportDeal: _deal,
    Lose: _lose,
    Return: _return,
}
