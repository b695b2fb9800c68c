"""The director's words about tables and the queue."""

from __future__ import annotations

from speed_server.tournament import events as ev
from speed_server.tournament.judging import Pen, Refused, find_match
from speed_server.tournament.model import LIVE, Match
from speed_server.tournament.orders import Order
from speed_server.tournament.queue import free_tables

MOST_TABLES = 64


def _table(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_TABLES):
        raise Refused(f"{text!r} is no table", f"write a number from 1 to {MOST_TABLES}, as `open 3`")
    return int(text)


def open_(pen: Pen, order: Order) -> None:
    """Use tables."""
    for number in map(_table, order.arguments):
        table = pen.state.tables.get(number)
        if table is not None and table.open:
            raise Refused(f"table {number} is open already", f"`close {number}` closes it, `status` lists the tables")
        pen.write(ev.TableOpened(at=pen.now, table=number))


def close(pen: Pen, order: Order) -> None:
    """Use tables no more once their match is over."""
    for number in map(_table, order.arguments):
        table = pen.state.tables.get(number)
        if table is None or not table.open:
            raise Refused(f"table {number} is not open", f"`open {number}` opens it, `status` lists the tables")
        pen.write(ev.TableClosed(at=pen.now, table=number))


def move(pen: Pen, order: Order) -> None:
    """Bring a called or running match to another table."""
    match = find_match(pen.state, order.arguments[0])
    number = _table(order.arguments[1])
    if match.status not in LIVE:
        raise Refused(f"{pen.state.title(match)} is at no table", f"`pin {match.name}` brings it to the next free one")
    if number not in free_tables(pen.state):
        raise Refused(f"table {number} is not free", f"`open {number}` if it is closed, or take another one")
    pen.write(ev.MatchMoved(at=pen.now, match=match.number, table=number))


def pin(pen: Pen, order: Order) -> None:
    """Call a match before all others."""
    match, on = _waiting(pen, order)
    pen.write(ev.MatchPinned(at=pen.now, match=match.number, on=on))


def hold(pen: Pen, order: Order) -> None:
    """Do not call a match until `hold M off`."""
    match, on = _waiting(pen, order)
    if match.status == "called":
        pen.write(ev.MatchRecalled(at=pen.now, match=match.number))
    pen.write(ev.MatchHeld(at=pen.now, match=match.number, on=on))


def recall(pen: Pen, order: Order) -> None:
    """Take a call back."""
    match = find_match(pen.state, order.arguments[0])
    if match.status != "called":
        raise Refused(f"{pen.state.title(match)} is {match.status}", "`hold` keeps a match from being called")
    pen.write(ev.MatchRecalled(at=pen.now, match=match.number))
    pen.write(ev.MatchHeld(at=pen.now, match=match.number, on=True))


def _waiting(pen: Pen, order: Order) -> tuple[Match, bool]:
    match = find_match(pen.state, order.arguments[0])
    if len(order.arguments) > 1 and order.arguments[1] != "off":
        raise Refused(f"{order.arguments[1]!r} is not understood", f"write `{order.word} {match.name} off`")
    if match.status not in {"waiting", "ready", "called"}:
        raise Refused(f"{pen.state.title(match)} is {match.status}", f"`move {match.name} TABLE` moves a running one")
    return match, len(order.arguments) == 1
