"""The director's words about results, and the rules of correction.

The same winner: always. Another winner: whatever depends on it and was only called is recalled, and an unplayed Swiss
round is taken back. What depends on it and was played: in a bracket only with `--cascade`, after a list of what goes;
elsewhere the pairings stay as they were played and only the standings change.
"""

from __future__ import annotations

import re

from speed_server.tournament import events as ev
from speed_server.tournament.fold import evolve
from speed_server.tournament.judging import Pen, Refused, find_match, find_player
from speed_server.tournament.model import EMPTY, IN_PLAY, Match, Result, Tournament
from speed_server.tournament.order_flow import begun_match
from speed_server.tournament.orders import Order
from speed_server.tournament.settle import qualified
from speed_server.tournament.standings import standings

BRACKETS = frozenset({"bracket", "double"})


def _score(state: Tournament, match: Match, text: str) -> Result:
    parts = re.fullmatch(r"(\d{1,3}):(\d{1,3})", text)
    if parts is None or parts[1] == parts[2]:
        a, b = map(state.name_of, match.known)
        raise Refused(
            f"{text!r} is no result of {a}-{b}", f"write the score in that order, as `result {match.name} 25:19`"
        )
    score = int(parts[1]), int(parts[2])
    return Result("played", match.known[0 if score[0] > score[1] else 1], score)


def _open_match(pen: Pen, text: str) -> Match:
    """A match of two known players that has no result. Raises Refused."""
    state = pen.state
    match = find_match(state, text)
    if state.phase not in {"running", "paused"}:
        raise Refused(
            f"{state.title(match)} cannot have a result, the tournament is {state.phase}", _phase_remedy(state)
        )
    if match.result is not None:
        raise Refused(f"{state.title(match)} has a result", f"`correct {match.name} 25:19` or `replay {match.name}`")
    if EMPTY in match.known:
        raise Refused(f"{state.title(match)} waits for its players", "`why` tells which match comes before")
    return match


def _phase_remedy(state: Tournament) -> str:
    return "`start` first" if state.phase == "drawn" else "`reopen` or `draw` first"


def _finish(pen: Pen, match: Match, result: Result) -> None:
    pen.write(ev.MatchFinished(at=pen.now, match=match.number, players=match.known, result=result))


def result(pen: Pen, order: Order) -> None:
    """Enter a result by hand."""
    match = _open_match(pen, order.arguments[0])
    _finish(pen, match, _score(pen.state, match, order.arguments[1]))


def walkover(pen: Pen, order: Order) -> None:
    """A match goes to the one who is here."""
    match = _open_match(pen, order.arguments[0])
    winner = find_player(pen.state, order.arguments[1])
    if winner.number not in match.known:
        raise Refused(
            f"{winner.name} does not play {pen.state.title(match)}", "`walkover MATCH WINNER` takes one of both"
        )
    _finish(pen, match, Result("walkover", winner.number, why=order.reason or "by the director"))


def both_absent(pen: Pen, order: Order) -> None:
    """Neither came."""
    match = _open_match(pen, order.arguments[0])
    _finish(pen, match, Result("double_walkover", EMPTY, why=order.reason or "by the director"))


def void(pen: Pen, order: Order) -> None:
    """A match counts for nobody."""
    match = find_match(pen.state, order.arguments[0])
    verdict = Result("void", EMPTY, why=order.reason or "by the director")
    if match.result is None:
        _finish(pen, _open_match(pen, order.arguments[0]), verdict)
    else:
        _change(pen, match, verdict, order)


def correct(pen: Pen, order: Order) -> None:
    """Another score for a finished match."""
    match = _finished_match(pen, order.arguments[0])
    _change(pen, match, _score(pen.state, match, order.arguments[1]), order)


def replay(pen: Pen, order: Order) -> None:
    """Play a finished match again."""
    match = _finished_match(pen, order.arguments[0])
    left = next((player for player in match.known if pen.state.is_gone(player)), EMPTY)
    if left != EMPTY:
        raise Refused(
            f"{pen.state.name_of(left)} has left", f"`activate {pen.state.name_of(left)}` first, or `correct`"
        )
    _change(pen, match, None, order)


def _finished_match(pen: Pen, text: str) -> Match:
    state = pen.state
    match = find_match(state, text)
    if state.phase not in {"running", "paused", "finished"}:
        raise Refused(f"{state.title(match)} is fixed, the tournament is {state.phase}", "`start` or `reopen` it first")
    if match.result is None and EMPTY in match.known:
        raise Refused(f"{state.title(match)} waits for its players", "`why` tells which match comes before")
    if match.result is None:
        raise Refused(f"{state.title(match)} has no result yet", f"enter it with `result {match.name} 25:19`")
    if EMPTY in match.known:
        raise Refused(f"{state.title(match)} is a bye", "`correct` or `replay` the match before it")
    return match


def _change(pen: Pen, match: Match, verdict: Result | None, order: Order) -> None:
    """Give a finished match another result, or none, with all that the rules of correction ask for."""
    state = pen.state
    if state.phase not in {"running", "paused", "finished"}:
        raise Refused(f"{state.title(match)} is fixed, the tournament is {state.phase}", "`start` or `reopen` it first")
    event: ev.Event
    if verdict is None:
        event = ev.MatchReopened(at=pen.now, match=match.number)
    else:
        event = ev.ResultCorrected(at=pen.now, match=match.number, players=match.known, result=verdict)
    _check_chain(state, evolve(state, event), match, order)
    other_winner = verdict is None or match.result is None or verdict.winner != match.result.winner
    if state.phase == "finished":
        _change_finished(pen, event)
        return
    pen.write(event)
    kind = state.stages[match.stage].kind
    if kind == "swiss" and other_winner:
        _take_round_back(pen, match)
    if kind == "groups" and match.stage < state.stage:
        _after_groups(pen, match, order)


def _check_chain(state: Tournament, after: Tournament, match: Match, order: Order) -> None:
    """Refuse if a played match would lose its players, unless the director wants that."""
    lost = [
        old
        for number, old in state.matches.items()
        if number != match.number and old.players != after.matches[number].players and _weighs(state, old)
    ]
    if lost and not order.cascade:
        chain = ", ".join(state.title(old) for old in lost)
        raise Refused(
            f"{chain} followed from {state.title(match)} and would be void", f"repeat `{order.line}` with `--cascade`"
        )


def _weighs(state: Tournament, match: Match) -> bool:
    """Whether people have played the match or are playing it, or a walk-over was given in it."""
    if match.status in IN_PLAY:
        return True
    if match.result is None or match.result.kind in {"bye", "not_needed", "void"}:
        return False
    return match.result.kind == "played" or not any(state.is_gone(player) for player in match.known)


def _change_finished(pen: Pen, event: ev.Event) -> None:
    """In a finished tournament the standings are frozen anew, or it goes on if something is open again."""
    pen.write(event)
    if any(match.result is None for match in pen.state.matches.values()):
        pen.write(ev.TournamentReopened(at=pen.now))
        return
    order = tuple(table.order for table in standings(pen.state, pen.state.stage))
    pen.write(ev.StageClosed(at=pen.now, stage=pen.state.stage, order=order))


def _take_round_back(pen: Pen, match: Match) -> None:
    """Take back a Swiss round that was paired on the old result, if nothing of it is played."""
    last = pen.state.rounds[-1]
    if last.number > match.spec.round and last.published and begun_match(pen.state, last) is None:
        pen.write(ev.RoundUnpublished(at=pen.now, number=last.number, hold=True))


def _after_groups(pen: Pen, match: Match, order: Order) -> None:
    """The groups are closed: freeze them anew, and draw the knockout again if others have qualified."""
    state = pen.state
    knockout = match.stage + 1
    table = tuple(group.order for group in standings(state, match.stage))
    settled = all(m.result is not None for m in state.matches.values() if m.stage == match.stage)
    if settled and qualified(state, table) == qualified(state, state.stages[match.stage].order):
        pen.write(ev.StageClosed(at=pen.now, stage=match.stage, order=table))
        return
    played = [m for m in state.matches.values() if m.stage == knockout and _weighs(state, m)]
    if played and not order.cascade:
        raise Refused(
            f"{', '.join(map(state.title, played))} of the knockout would be void",
            f"repeat `{order.line}` with `--cascade`",
        )
    pen.write(ev.Undrawn(at=pen.now, stage=knockout))
