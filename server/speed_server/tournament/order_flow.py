"""The director's words about the course of the evening: start, pause, Swiss rounds, the end."""

from __future__ import annotations

from speed_server.tournament import events as ev
from speed_server.tournament.judging import Pen, Refused, find_pair, find_player
from speed_server.tournament.model import EMPTY, IN_PLAY, LIVE, Result, Round, Source, Spec, Tournament
from speed_server.tournament.orders import Order
from speed_server.tournament.settle import close_stage, open_matches, stage_over


def start(pen: Pen, _: Order) -> None:
    """Let matches be called."""
    if pen.state.phase != "drawn":
        remedy = "`draw` first" if not pen.state.stages else "`status` shows where it stands, `resume` ends a pause"
        raise Refused(f"the tournament is {pen.state.phase}", remedy)
    pen.write(ev.Started(at=pen.now))


def pause(pen: Pen, order: Order) -> None:
    """Stop all clocks."""
    if pen.state.phase != "running":
        raise Refused(f"the tournament is {pen.state.phase}", "`start` or `resume` lets it run")
    pen.write(ev.Paused(at=pen.now, reason=" ".join(order.arguments) or order.reason or "by the director"))


def resume(pen: Pen, _: Order) -> None:
    """Let the clocks run again."""
    if pen.state.phase != "paused":
        remedy = "`reopen` lets it go on" if pen.state.phase == "finished" else "`pause` would stop it, `start` begins"
        raise Refused(f"the tournament is {pen.state.phase}, not paused", remedy)
    pen.write(ev.Resumed(at=pen.now))


# --- Swiss rounds ----------------------------------------------------------------------------------------------------


def _swiss(state: Tournament) -> None:
    if not state.stages or state.stages[-1].kind != "swiss" or state.phase not in {"drawn", "running", "paused"}:
        raise Refused("there is no Swiss round now", "`set format swiss` before the `draw` makes one")


def _last_round(state: Tournament) -> Round:
    if not state.rounds:
        raise Refused("no round is planned yet", "`next` plans one once the matches are over; `why` tells more")
    return state.rounds[-1]


def publish(pen: Pen, _: Order) -> None:
    """Show a round that was taken back, as it is."""
    _swiss(pen.state)
    last = _last_round(pen.state)
    if last.published:
        raise Refused(f"round {last.number} is published already", "`unpublish` takes it back while nothing is played")
    left = next((p for pair in last.pairs for p in (pair.a, pair.b) if pen.state.is_gone(p)), EMPTY)
    if left != EMPTY:
        raise Refused(f"{pen.state.name_of(left)} of round {last.number} has left", "`repair` pairs it anew")
    pen.write(ev.RoundPublished(at=pen.now, number=last.number))


def unpublish(pen: Pen, _: Order) -> None:
    """Take an unplayed round back."""
    _swiss(pen.state)
    take_back(pen, hold=True)


def repair(pen: Pen, _: Order) -> None:
    """Pair an unplayed round anew."""
    _swiss(pen.state)
    last = _last_round(pen.state)
    if last.published:
        take_back(pen, hold=False)
    else:
        pen.write(ev.RoundUnpublished(at=pen.now, number=last.number))


def take_back(pen: Pen, *, hold: bool) -> None:
    """Take the last published Swiss round back. Raises Refused when something of it was played."""
    last = _last_round(pen.state)
    if not last.published:
        raise Refused(f"round {last.number} is not published", "`publish` shows it, `repair` pairs it anew")
    begun = begun_match(pen.state, last)
    if begun is not None:
        raise Refused(
            f"{pen.state.title(pen.state.matches[begun])} of round {last.number} has begun",
            "`next` goes on to the round after it, `withdraw` takes a player out",
        )
    pen.write(ev.RoundUnpublished(at=pen.now, number=last.number, hold=hold))


def begun_match(state: Tournament, round_: Round) -> int | None:
    """A match of the round that is being played or was played; None while there is none."""
    for pair in round_.pairs:
        match = state.matches.get(pair.number)
        if match is None:
            continue
        played = match.result is not None and match.result.kind == "played"
        if match.status in IN_PLAY or played:
            return pair.number
    return None


def fix(pen: Pen, order: Order) -> None:
    """Two players meet in the next Swiss round."""
    _swiss(pen.state)
    one, other = find_pair(pen.state, order.arguments[0])
    on = _on(order)
    if on and any({one.number, other.number} & set(pair) for pair in pen.state.fixed):
        raise Refused(
            f"{one.name} or {other.name} has a fixed opponent already", f"`fix {order.arguments[0]} off` first"
        )
    pen.write(ev.PairFixed(at=pen.now, a=one.number, b=other.number, on=on))


def bye(pen: Pen, order: Order) -> None:
    """Who has the bye of the next Swiss round."""
    _swiss(pen.state)
    name = order.arguments[0]
    player = EMPTY if name == "off" else find_player(pen.state, name).number
    if player != EMPTY and any(player in pair for pair in pen.state.fixed):
        raise Refused(f"{name} has a fixed opponent", "`fix A-B off` first")
    pen.write(ev.ByeFixed(at=pen.now, player=player))


def forbid(pen: Pen, order: Order) -> None:
    """Two players never meet in a Swiss."""
    one, other = find_pair(pen.state, order.arguments[0])
    pen.write(ev.PairForbidden(at=pen.now, a=one.number, b=other.number, on=_on(order)))


def _on(order: Order) -> bool:
    if len(order.arguments) > 1 and order.arguments[1] != "off":
        raise Refused(f"{order.arguments[1]!r} is not understood", f"write `{order.word} {order.arguments[0]} off`")
    return len(order.arguments) == 1


# --- steps and the end -----------------------------------------------------------------------------------------------


def next_(pen: Pen, _: Order) -> None:
    """Do not wait for the cooling time."""
    state = pen.state
    if state.phase != "running":
        raise Refused(f"the tournament is {state.phase}", "`start` or `resume` lets it run")
    missing = open_matches(state)
    if missing:
        title = state.title(missing[0])
        remedy = f"enter it with `result {missing[0].name} 25:19`, or `why` tells more"
        raise Refused(f"{title} has no result yet", remedy)
    held = state.rounds and not state.rounds[-1].published and state.rounds[-1].hold
    if held:
        raise Refused(f"round {state.rounds[-1].number} was taken back", "`repair` pairs it anew, `publish` keeps it")
    pen.write(ev.CoolingStarted(at=pen.now, until=pen.now))


def finish(pen: Pen, _: Order) -> None:
    """End the tournament as it stands; what was not played counts for nobody."""
    state = pen.state
    if state.phase not in {"running", "paused"}:
        raise Refused(f"the tournament is {state.phase}", "`cancel` ends one that has not begun, `status` shows more")
    live = next((match for match in state.matches.values() if match.status in LIVE), None)
    if live is not None:
        remedy = f"wait for it, enter it with `result {live.name} 25:19`, or `void {live.name}`"
        raise Refused(f"{state.title(live)} is running", remedy)
    early = not stage_over(state, pen.now)
    if state.phase == "paused":
        pen.write(ev.Resumed(at=pen.now))
    while True:
        unplayed = next((match for match in open_matches(pen.state) if None not in match.players), None)
        if unplayed is None:
            break
        result = Result("void", EMPTY, why="not played")
        pen.write(ev.MatchFinished(at=pen.now, match=unplayed.number, players=unplayed.known, result=result))
    close_stage(pen, early=early)


def reopen(pen: Pen, _: Order) -> None:
    """Go on with a finished tournament."""
    if pen.state.phase != "finished":
        raise Refused(f"the tournament is {pen.state.phase}", "`reopen` is for a finished one; `status` shows more")
    pen.write(ev.TournamentReopened(at=pen.now))


def archive(pen: Pen, _: Order) -> None:
    """Let nothing change any more."""
    if pen.state.phase != "finished":
        raise Refused(f"the tournament is {pen.state.phase}", "`finish` it first")
    pen.write(ev.TournamentArchived(at=pen.now))


def cancel(pen: Pen, _: Order) -> None:
    """End a tournament without a result."""
    if pen.state.phase in {"finished", "archived", "cancelled"}:
        raise Refused(f"the tournament is {pen.state.phase}", "`reopen` lets a finished one go on")
    pen.write(ev.TournamentCancelled(at=pen.now))


def playoff(pen: Pen, order: Order) -> None:
    """Add a match between two who share a place."""
    state = pen.state
    if state.phase not in {"running", "finished"} or not state.stages or open_matches(state):
        missing = open_matches(state)
        what = f"{state.title(missing[0])} has no result yet" if missing else f"the tournament is {state.phase}"
        raise Refused(what, "a `playoff` comes after all other matches; `why` tells what is missing")
    one, other = find_pair(state, order.arguments[0])
    for player in (one, other):
        if state.is_gone(player.number):
            raise Refused(f"{player.name} has left", "`playoff` takes two who are here")
    if state.phase == "finished":
        pen.write(ev.TournamentReopened(at=pen.now))
    number = max(state.matches, default=0) + 1
    spec = Spec(number, 1, "playoff", 99, number, Source("player", one.number), Source("player", other.number))
    pen.write(ev.MatchAdded(at=pen.now, match=spec, stage=state.stage))


def note(pen: Pen, order: Order) -> None:
    """A line for the log, or for everybody."""
    pen.write(ev.DirectorNote(at=pen.now, text=" ".join(order.arguments)))
