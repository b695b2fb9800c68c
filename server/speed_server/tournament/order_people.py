"""The director's words about people once they are entered."""

from __future__ import annotations

from speed_common.names import clean_name
from speed_server.tournament import events as ev
from speed_server.tournament.judging import Pen, Refused, find_player, playing_match
from speed_server.tournament.model import GONE, Player, Tournament
from speed_server.tournament.order_setup import BEFORE_DRAW, enter
from speed_server.tournament.orders import Order
from speed_server.tournament.pairing import next_round
from speed_server.tournament.standings import is_struck

OPEN_FIELDS = frozenset({"swiss", "arena"})
_STAGED = frozenset({"drawn", "running", "paused"})


def add(pen: Pen, order: Order) -> None:
    """Enter players; once a Swiss or an arena is drawn they come in late."""
    for name in order.arguments:
        _add(pen, name)


def _add(pen: Pen, name: str) -> None:
    state = pen.state
    if state.phase == "draft":
        pen.write(ev.RegistrationOpened(at=pen.now))
        state = pen.state
    if state.phase in BEFORE_DRAW:
        enter(pen, name)
        return
    if state.phase not in _STAGED:
        raise Refused(f"{name} cannot enter a tournament that is {state.phase}", "`reopen` it, or make a `new` one")
    kind = state.stages[-1].kind
    if kind not in OPEN_FIELDS:
        remedy = "`undraw`, add and `draw` again" if state.phase == "drawn" else "`note` the name for the next evening"
        raise Refused(f"{name} is too late for a {state.config.format}", remedy)
    enter(pen, name, joined=_next_free_round(state) if kind == "swiss" else 1, active=True)
    _pair_again(pen)


def _next_free_round(state: Tournament) -> int:
    """The first Swiss round whose pairs are not public yet; before the start the first one is made anew."""
    return 1 if state.phase == "drawn" else next_round(state)


def _pair_again(pen: Pen) -> None:
    """Before the start a Swiss round that nobody has begun is paired anew when people come or go."""
    state = pen.state
    if state.phase == "drawn" and state.rounds and state.rounds[-1].published:
        pen.write(ev.RoundUnpublished(at=pen.now, number=state.rounds[-1].number))


def rest(pen: Pen, order: Order) -> None:
    """Do not call or pair a player for a while."""
    player = find_player(pen.state, order.arguments[0])
    _must_be_in(pen.state, player)
    match = playing_match(pen.state, player.number)
    if match is not None and match.status != "called":
        raise Refused(
            f"{player.name} is playing {pen.state.title(match)}", f"wait for its end, or `withdraw {player.name}`"
        )
    if player.status == "resting":
        raise Refused(f"{player.name} rests already", f"`activate {player.name}` brings him in again")
    if match is not None:
        pen.write(ev.MatchRecalled(at=pen.now, match=match.number))
    pen.write(ev.PlayerRested(at=pen.now, player=player.number))


def _must_be_in(state: Tournament, player: Player) -> None:
    if state.phase not in _STAGED:
        raise Refused(f"{player.name} is not in a draw yet", "`draw` first, or `remove` the entry")
    if player.status not in {"active", "resting"}:
        raise Refused(f"{player.name} is {player.status}", f"`activate {player.name}` if the rules allow it")


def activate(pen: Pen, order: Order) -> None:
    """Bring a player in again."""
    state = pen.state
    player = find_player(state, order.arguments[0])
    if player.status == "dropped" and state.phase in BEFORE_DRAW:
        pen.write(ev.PlayerCheckedIn(at=pen.now, player=player.number))
    elif player.status == "resting":
        pen.write(ev.PlayerActivated(at=pen.now, player=player.number))
    elif player.status in {"withdrawn", "dropped", "registered"} and state.phase in _STAGED:
        _come_back(pen, player)
    else:
        raise Refused(f"{player.name} is {player.status}", "nothing is to be done; `status` shows who is in")


def _come_back(pen: Pen, player: Player) -> None:
    state = pen.state
    kind = state.stages[-1].kind
    if kind in OPEN_FIELDS:
        # Rounds that he missed stay missed: coming back never pays.
        joined = _next_free_round(state) if kind == "swiss" else 1
        pen.write(ev.PlayerActivated(at=pen.now, player=player.number, joined=joined))
        _pair_again(pen)
        return
    if kind != "roundrobin" or player.number not in state.stages[-1].members:
        raise Refused(
            f"{player.name} cannot come back into a {state.config.format}",
            "`undo` if that was the last command, or `replay` the walk-over before the next match of its winner",
        )
    if is_struck(state, state.stage, player.number, "main"):
        raise Refused(f"{player.name} has missed half of his matches", "`note` the name for the next evening")
    pen.write(ev.PlayerActivated(at=pen.now, player=player.number))
    for match in list(pen.state.matches.values()):
        lost = match.result is not None and match.result.kind in {"walkover", "double_walkover"}
        if lost and player.number in match.players and match.result and match.result.winner != player.number:
            pen.write(ev.MatchReopened(at=pen.now, match=match.number))


def withdraw(pen: Pen, order: Order) -> None:
    """Players leave for good."""
    for name in order.arguments:
        leave(pen, find_player(pen.state, name), by_himself=False)


def leave(pen: Pen, player: Player, *, by_himself: bool) -> None:
    """Take a player out; before the draw his entry."""
    state = pen.state
    if player.status in GONE:
        raise Refused(f"{player.name} is {player.status} already", "nothing is to be done; `status` shows who is in")
    if state.phase in BEFORE_DRAW:
        pen.write(ev.PlayerRemoved(at=pen.now, player=player.number))
        return
    if state.phase not in _STAGED:
        raise Refused(f"the tournament is {state.phase}", "nothing is to be done; `reopen` would let it go on")
    pen.write(ev.PlayerWithdrawn(at=pen.now, player=player.number, left=_left(state, player), by_himself=by_himself))
    _pair_again(pen)


def _left(state: Tournament, player: Player) -> int:
    """The first round without him: the one being played, if he has not finished his match of it."""
    if state.stages[-1].kind != "swiss":
        return 0
    number = next_round(state)
    last = number - 1
    open_now = any(m.result is None and player.number in m.players for m in state.matches.values())
    return last if open_now else number


def disqualify(pen: Pen, order: Order) -> None:
    """Put a player out."""
    player = find_player(pen.state, order.arguments[0])
    _must_be_in(pen.state, player)
    left = _left(pen.state, player)
    pen.write(ev.PlayerDisqualified(at=pen.now, player=player.number, left=left, reason=order.reason))
    _pair_again(pen)


def rename(pen: Pen, order: Order) -> None:
    """Give a player another name."""
    player = find_player(pen.state, order.arguments[0])
    try:
        name = clean_name(order.arguments[1])
    except ValueError as error:
        raise Refused(f"{player.name} cannot be renamed, {error}", "`rename` with another name") from None
    for other in pen.state.players.values():
        if other.number != player.number and other.name.casefold() == name.casefold() and other.status != "removed":
            raise Refused(f"{name} is somebody else", f"`rename {player.name}` to another name")
    pen.write(ev.PlayerRenamed(at=pen.now, player=player.number, name=name))
