"""The fold: the state after an event. It never judges and never fails; judging is `decide`.

`evolve` is a table of one function for each kind of event. Those about matches are in `fold_matches`, those about
people in `fold_people`; here are the ones about the tournament as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, Final

from msgspec.structs import replace

from speed_server.tournament import events as ev
from speed_server.tournament import slots
from speed_server.tournament.fold_matches import MATCH_FOLDS
from speed_server.tournament.fold_people import PEOPLE_FOLDS
from speed_server.tournament.model import Pair, Round, Source, Spec, Stage, Table, Tournament

_PLAYING_STATUSES: Final = frozenset({"registered", "checked_in"})


def evolve(state: Tournament, event: ev.Event) -> Tournament:
    """The state after one event that was decided on exactly this state."""
    return _FOLDS[type(event)](state, event)


def fold(events: Iterable[ev.Event], state: Tournament | None = None) -> Tournament:
    """The state after a whole log."""
    return reduce(evolve, events, Tournament() if state is None else state)


def _same(state: Tournament, _: ev.Event) -> Tournament:
    return state


def _created(state: Tournament, event: ev.TournamentCreated) -> Tournament:
    return replace(state, tid=event.tid, name=event.name)


def _config(state: Tournament, event: ev.ConfigChanged) -> Tournament:
    return replace(state, config=event.config)


def _start_set(state: Tournament, event: ev.StartSet) -> Tournament:
    return replace(state, start_at=event.start)


def _registration(state: Tournament, _: ev.RegistrationOpened) -> Tournament:
    return replace(state, phase="registration")


def _check_in(state: Tournament, _: ev.CheckInOpened) -> Tournament:
    return replace(state, phase="check_in")


def _seeds(state: Tournament, event: ev.SeedsSet) -> Tournament:
    return replace(state, seeds=event.players)


def _drawn(state: Tournament, event: ev.StageDrawn) -> Tournament:
    players = state.players
    phase = state.phase
    if not state.stages:
        phase = "drawn"
        members = set(event.stage.members)
        players = {
            n: replace(p, status="active") if n in members and p.status in _PLAYING_STATUSES else p
            for n, p in players.items()
        }
    number = len(state.stages)
    return replace(
        state,
        phase=phase,
        players=players,
        stages=(*state.stages, event.stage),
        matches=slots.add(state.matches, event.matches, number, event.at),
        cooling_until=0,
    )


def _undrawn(state: Tournament, event: ev.Undrawn) -> Tournament:
    stages = state.stages[: event.stage]
    if stages:
        last = replace(stages[-1], closed=False, order=())
        stages = (*stages[:-1], last)
    matches = {n: m for n, m in state.matches.items() if m.stage < event.stage}
    state = replace(state, stages=stages, matches=matches, rounds=(), cooling_until=0)
    if stages:
        return state
    players = {
        n: replace(p, status="checked_in") if p.status in {"active", "resting"} else p for n, p in state.players.items()
    }
    return replace(state, phase="registration", players=players)


def _planned(state: Tournament, event: ev.RoundPlanned) -> Tournament:
    kept = tuple(round_ for round_ in state.rounds if round_.number < event.number)
    return replace(
        state,
        rounds=(*kept, Round(event.number, event.pairs)),
        cooling_until=0,
        fixed=(),
        fixed_bye=0,
    )


def pair_spec(pair: Pair, number: int, position: int) -> Spec:
    """The match of a line of Swiss round `number`."""
    a, b = Source("player", pair.a), Source("player", pair.b)
    return Spec(pair.number, number, "main", number, position, a, b)


def _published(state: Tournament, event: ev.RoundPublished) -> Tournament:
    *before, last = state.rounds
    specs = tuple(pair_spec(pair, event.number, n) for n, pair in enumerate(last.pairs))
    return replace(
        state,
        rounds=(*before, replace(last, published=True, hold=False)),
        matches=slots.add(state.matches, specs, state.stage, event.at),
    )


def _unpublished(state: Tournament, event: ev.RoundUnpublished) -> Tournament:
    *before, last = state.rounds
    matches = {n: m for n, m in state.matches.items() if not (m.stage == state.stage and m.spec.round == event.number)}
    return replace(state, rounds=(*before, replace(last, published=False, hold=event.hold)), matches=matches)


def _added(state: Tournament, event: ev.MatchAdded) -> Tournament:
    matches = slots.add(state.matches, (event.match,), event.stage, event.at)
    return replace(state, matches=matches, cooling_until=0)


def _stage_closed(state: Tournament, event: ev.StageClosed) -> Tournament:
    stages = list(state.stages)
    stages[event.stage] = replace(stages[event.stage], closed=True, order=event.order)
    return replace(state, stages=tuple(stages), cooling_until=0)


def _started(state: Tournament, event: ev.Started) -> Tournament:
    ends = event.at + state.config.duration if state.config.format == "arena" else 0
    return replace(state, phase="running", started_at=event.at, ends_at=ends)


def _cooling(state: Tournament, event: ev.CoolingStarted) -> Tournament:
    return replace(state, cooling_until=event.until)


def _finished(state: Tournament, event: ev.TournamentFinished) -> Tournament:
    return replace(state, phase="finished", finished_at=event.at, ended_early=event.early, cooling_until=0)


def _reopened(state: Tournament, _: ev.TournamentReopened) -> Tournament:
    stages: tuple[Stage, ...] = state.stages
    if stages:
        stages = (*stages[:-1], replace(stages[-1], closed=False, order=()))
    return replace(state, phase="running", finished_at=0, ended_early=False, stages=stages, cooling_until=0)


def _archived(state: Tournament, _: ev.TournamentArchived) -> Tournament:
    return replace(state, phase="archived")


def _cancelled(state: Tournament, event: ev.TournamentCancelled) -> Tournament:
    return replace(state, phase="cancelled", finished_at=event.at)


def _note(state: Tournament, event: ev.DirectorNote) -> Tournament:
    return replace(state, notes=(*state.notes, event.text))


def _table_opened(state: Tournament, event: ev.TableOpened) -> Tournament:
    return replace(state, tables={**state.tables, event.table: Table(event.table)})


def _table_closed(state: Tournament, event: ev.TableClosed) -> Tournament:
    return replace(state, tables={**state.tables, event.table: Table(event.table, open=False)})


def _pair_fixed(state: Tournament, event: ev.PairFixed) -> Tournament:
    return replace(state, fixed=_with(state.fixed, event.a, event.b, on=event.on))


def _bye_fixed(state: Tournament, event: ev.ByeFixed) -> Tournament:
    return replace(state, fixed_bye=event.player)


def _pair_forbidden(state: Tournament, event: ev.PairForbidden) -> Tournament:
    return replace(state, forbidden=_with(state.forbidden, event.a, event.b, on=event.on))


def _with(pairs: tuple[tuple[int, int], ...], a: int, b: int, *, on: bool) -> tuple[tuple[int, int], ...]:
    pair = (min(a, b), max(a, b))
    rest = tuple(other for other in pairs if other != pair)
    return (*rest, pair) if on else rest


def _undone(state: Tournament, event: ev.CommandUndone) -> Tournament:
    """What differs replaces what was; players and matches that the event does not name stay."""
    players = {**state.players, **{p.number: p for p in event.players}}
    matches = {**state.matches, **{m.number: m for m in event.matches}}
    for number in event.removed_players:
        del players[number]
    for number in event.removed_matches:
        del matches[number]
    return replace(event.rest, players=players, matches=matches)


_FOLDS: Final[dict[type[ev.Event], Callable[[Tournament, Any], Tournament]]] = {
    **MATCH_FOLDS,
    **PEOPLE_FOLDS,
    ev.CommandGiven: _same,
    ev.TournamentCreated: _created,
    ev.ConfigChanged: _config,
    ev.StartSet: _start_set,
    ev.RegistrationOpened: _registration,
    ev.CheckInOpened: _check_in,
    ev.SeedsSet: _seeds,
    ev.StageDrawn: _drawn,
    ev.Undrawn: _undrawn,
    ev.RoundPlanned: _planned,
    ev.RoundPublished: _published,
    ev.RoundUnpublished: _unpublished,
    ev.MatchAdded: _added,
    ev.StageClosed: _stage_closed,
    ev.Started: _started,
    ev.CoolingStarted: _cooling,
    ev.ServerStopped: _same,
    ev.TournamentFinished: _finished,
    ev.TournamentReopened: _reopened,
    ev.TournamentArchived: _archived,
    ev.TournamentCancelled: _cancelled,
    ev.DirectorNote: _note,
    ev.TableOpened: _table_opened,
    ev.TableClosed: _table_closed,
    ev.PairFixed: _pair_fixed,
    ev.ByeFixed: _bye_fixed,
    ev.PairForbidden: _pair_forbidden,
    ev.CommandUndone: _undone,
}
