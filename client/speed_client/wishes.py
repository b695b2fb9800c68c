"""What a player wants of a server beside cards: a seat, and to be ready. Pure.

Ready is said once for each moment. Every saying is answered by a snapshot, and a snapshot that left before it may cross
it on the way: to say it again at each would be an endless talk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from speed_common.rules import Rules
from speed_common.wire import ANY_TABLE, OVER, WAITING, Enter, Ready, Room, Sit

_DENIED: Final = {
    "table_full": "all seats of that table are taken; use --watch to watch it, or leave --table out",
    "no_such_table": "the server has no table of that number; leave --table out, or use --table new",
    "bad_rules": "the server lays no table with these rules",
    "bad_code": "the server plays no deal by this code",
    "full": "the server has no free seat and can lay no more tables",
}

_Moment: TypeAlias = tuple[int, int, int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Want:
    """What to sit down to: a table (`ANY_TABLE`, `NEW_TABLE`, a number), the levels of computers, rules, a game code.

    Rules are a new table's. `ready` says so by itself as soon as there is a seat. `tournament` is the one to play in,
    by its name in topics: then the server seats us, and no table is asked for.
    """

    table: int = ANY_TABLE
    computers: tuple[int, ...] = ()
    ready: bool = False
    rules: Rules | None = None
    code: str = ""
    tournament: str = ""


class Wishes:
    """One player's wishes at one server, and which of them were said on the present connection."""

    __slots__ = ("_asked", "_was_seated", "want")

    def __init__(self, want: Want) -> None:
        self.want = want
        self._was_seated = False
        self._asked: _Moment | None = None

    def start(self, ticket: bytes) -> Sit | Enter:
        """A server welcomed us: ask for a seat, or take part in a tournament; who does so already says that he is here.

        A session that was resumed may hold one or none; the server refuses a second one as `seated`. A server that was
        started anew has other tables than the one we sat at; rules are asked for again, since a table of theirs is.
        """
        self._asked = None
        want = self.want
        if want.tournament:
            return Enter(ticket, want.tournament)
        table = ANY_TABLE if self._was_seated and want.rules is None else want.table
        return Sit(ticket, table, want.computers, want.rules, want.code)

    def seen(self, room: Room, seat: int, ticket: bytes) -> Ready | None:
        """A snapshot came. The ready to say, if we want to be ready by ourselves."""
        self._was_seated = self._was_seated or seat >= 0
        if seat < 0 or room.seats[seat].ready or self._asked != _moment(room):
            self._asked = None
        return self.ready(room, seat, ticket) if self.want.ready and room.phase == WAITING and seat >= 0 else None

    def ready(self, room: Room, seat: int, ticket: bytes) -> Ready | None:
        """What to say to be ready; None when that was said."""
        if room.seats[seat].ready or self._asked == _moment(room):
            return None
        self._asked = _moment(room)
        return Ready(ticket)

    def idle(self, room: Room, seat: int) -> bool:
        """Whether no deal runs and none was asked for; the result of one counts as nothing asked for."""
        asked = self.want.ready or room.seats[seat].ready or self._asked == _moment(room)
        return room.phase == OVER or (room.phase == WAITING and not asked)


def denied(word: str) -> str | None:
    """The sentence for a seat that is refused for good; None when the refusal is no reason to go."""
    return _DENIED.get(word)


def _moment(room: Room) -> _Moment:
    """What a ready is an answer to: the table, the deal, the phase, and who sits there."""
    return room.table, room.deal, room.phase, tuple(info.name for info in room.seats)
