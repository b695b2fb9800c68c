"""The judge: a state, a command and `now` give events or a refusal. All that follows by itself is among the events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from speed_server.tournament import events as ev
from speed_server.tournament import (
    order_flow,
    order_people,
    order_results,
    order_setup,
    order_tables,
)
from speed_server.tournament.judging import Pen, Refusal, Refused
from speed_server.tournament.model import GONE, Tournament
from speed_server.tournament.orders import Order
from speed_server.tournament.play import PlayCommand, decide_play
from speed_server.tournament.queue import NOWHERE, Elsewhere
from speed_server.tournament.settle import settle


class Enter(msgspec.Struct, frozen=True, tag=True):
    """Somebody enters himself."""

    name: str


class CheckIn(msgspec.Struct, frozen=True, tag=True):
    """A player says that he is here for the evening."""

    player: int


class Leave(msgspec.Struct, frozen=True, tag=True):
    """A player withdraws himself."""

    player: int


Command = Order | PlayCommand | Enter | CheckIn | Leave


def decide(
    state: Tournament, command: Command, now: int, elsewhere: Elsewhere = NOWHERE
) -> tuple[ev.Event, ...] | Refusal:
    """The events of a command in their order, or why it is not obeyed. `now` never goes back.

    An order's events begin with `CommandGiven`. An order that only asks is not for here (`explain`), nor is `undo`,
    which needs the log.
    """
    pen = Pen(state, now)
    try:
        _obey(pen, command)
    except Refused as refused:
        return refused.refusal
    direct = len(pen.events)
    settle(pen, elsewhere)
    if isinstance(command, Order):
        return (given(command, now, direct), *pen.events)
    return tuple(pen.events)


def given(order: Order, now: int, direct: int, actor: str = "") -> ev.CommandGiven:
    """The mark of an order in the log."""
    return ev.CommandGiven(at=now, line=order.line, actor=actor, reason=order.reason, direct=direct)


def _obey(pen: Pen, command: Command) -> None:
    if isinstance(command, Order):
        if pen.state.phase in {"archived", "cancelled"}:
            raise Refused(f"the tournament is {pen.state.phase}", "make another one with `new NAME`")
        ORDERS[command.word](pen, command)
    elif isinstance(command, Enter):
        _enter(pen, command.name)
    elif isinstance(command, CheckIn):
        _check_in(pen, command.player)
    elif isinstance(command, Leave):
        _leave(pen, command.player)
    else:
        decide_play(pen, command)


def _enter(pen: Pen, name: str) -> None:
    if pen.state.phase not in order_setup.BEFORE_DRAW:
        raise Refused(f"nobody can enter, the tournament is {pen.state.phase}", "ask the director to `add` you")
    if pen.state.phase == "draft":
        pen.write(ev.RegistrationOpened(at=pen.now))
    order_setup.enter(pen, name)


def _leave(pen: Pen, number: int) -> None:
    """Whoever wants to go may go in every state; where nothing is left to lose, nothing happens."""
    player = pen.state.players[number]
    if pen.state.phase not in {"finished", "archived", "cancelled"} and player.status not in GONE:
        order_people.leave(pen, player, by_himself=True)


def _check_in(pen: Pen, number: int) -> None:
    player = pen.state.players[number]
    if pen.state.phase != "check_in" or player.status != "registered":
        raise Refused(f"{player.name} cannot check in now", "ask the director to `checkin` you")
    pen.write(ev.PlayerCheckedIn(at=pen.now, player=number))


ORDERS: Final[dict[str, Callable[[Pen, Order], None]]] = {
    "new": order_setup.new,
    "set": order_setup.set_,
    "add": order_people.add,
    "late": order_people.add,
    "remove": order_setup.remove,
    "checkin": order_setup.check_in,
    "seed": order_setup.seed,
    "draw": order_setup.draw,
    "undraw": order_setup.undraw,
    "rest": order_people.rest,
    "activate": order_people.activate,
    "withdraw": order_people.withdraw,
    "dq": order_people.disqualify,
    "rename": order_people.rename,
    "start": order_flow.start,
    "pause": order_flow.pause,
    "resume": order_flow.resume,
    "publish": order_flow.publish,
    "unpublish": order_flow.unpublish,
    "repair": order_flow.repair,
    "fix": order_flow.fix,
    "bye": order_flow.bye,
    "forbid": order_flow.forbid,
    "next": order_flow.next_,
    "finish": order_flow.finish,
    "reopen": order_flow.reopen,
    "archive": order_flow.archive,
    "cancel": order_flow.cancel,
    "playoff": order_flow.playoff,
    "open": order_tables.open_,
    "close": order_tables.close,
    "move": order_tables.move,
    "pin": order_tables.pin,
    "hold": order_tables.hold,
    "recall": order_tables.recall,
    "walkover": order_results.walkover,
    "both-absent": order_results.both_absent,
    "result": order_results.result,
    "correct": order_results.correct,
    "replay": order_results.replay,
    "void": order_results.void,
    "note": order_flow.note,
    "announce": order_flow.note,
}
"""The judge of each word that changes something."""
