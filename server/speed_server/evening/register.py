"""The live tournaments of one server by their tid, their common clock, and the trays of what comes of a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from speed_common import wire
from speed_server.evening.live import Live, Move
from speed_server.tournament.decide import Command
from speed_server.tournament.desk import Answer
from speed_server.tournament.entries import Entry
from speed_server.tournament.model import LIVE, Tournament
from speed_server.tournament.queue import NOWHERE, Elsewhere
from speed_server.tournament.swiss import Task

MOST_LINES = 16
"""Tournaments in the lobby's list: the newest."""


class Notice(NamedTuple):
    """A message for the player with this mark."""

    mark: str
    message: wire.Mine | wire.Called | wire.Directed


class Register:
    """Whoever empties a tray replaces it by an empty one. `offset_ns` is the tournaments' clock less the server's."""

    def __init__(self, offset_ns: int) -> None:
        self.due_ns: int | None = None
        """When a tournament has something to do if nothing else happens before, on the server's clock."""
        self.entries: list[Entry] = []
        """For the log."""
        self.moves: list[Move] = []
        """For the tables."""
        self.notices: list[Notice] = []
        self.heard: list[str] = []
        """What happened, in words, and the answers at the console: for the server's own terminal."""
        self.tasks: dict[str, Task] = {}
        """Swiss rounds that want pairing, by tid."""
        self.boards_changed: set[str] = set()
        self.lines_changed = False
        self.here: set[str] = set()
        """The marks of all who are connected."""
        self.lives: dict[str, Live] = {}
        """The oldest first."""
        self._offset_ns = offset_ns

    def at(self, now: int) -> int:
        """The tournaments' time of a reading of the server's clock."""
        return now + self._offset_ns

    def server_time(self, at: int) -> int:
        """The server's clock at a tournament's time."""
        return at - self._offset_ns

    def knows(self, mark: str) -> bool:
        """Whether this mark is a player of any tournament: then its ticket is good after a restart."""
        return any(mark in live.people for live in self.lives.values())

    def names(self) -> list[str]:
        """All players, for completion."""
        return [player.name for live in self.lives.values() for player in live.desk.state.players.values()]

    def lines(self) -> tuple[wire.TournamentLine, ...]:
        """The lobby's list."""
        shown = [live for live in self.lives.values() if live.public.name and not live.over][-MOST_LINES:]
        return tuple(
            wire.TournamentLine(live.tid, live.public.name, live.public.phase, _entrants(live.public)) for live in shown
        )

    def tables(self) -> frozenset[int]:
        """The tables that tournaments play at or are about to."""
        busy = {"drawn", "running", "paused"}
        states = [live.desk.state for live in self.lives.values()]
        open_ = {n for state in states if state.phase in busy for n, table in state.tables.items() if table.open}
        return frozenset(open_ | {m.table for state in states for m in state.matches.values() if m.status in LIVE})

    # --- commands -----------------------------------------------------------------------------------------------------

    def enrol(self, tid: str, entries: Sequence[Entry], now: int) -> Live:
        """Take up a tournament from its log, none for a new one."""
        live = self.lives[tid] = Live(tid, entries)
        live.boot(self.at(now))
        self.settle(live, now)
        return live

    def obey(self, live: Live, command: Command, now: int, actor: str = "hall") -> Answer:
        """A command of the hall; `execute` is for those of the director."""
        live.desk.elsewhere = self.elsewhere(live)
        answer = live.desk.handle(command, self.at(now), actor)
        self.settle(live, now)
        return answer

    def execute(self, live: Live, text: str, now: int, command: str | None) -> Answer:
        """A line of the director."""
        live.desk.elsewhere = self.elsewhere(live)
        answer = live.desk.execute(text, "director", self.at(now), command)
        self.settle(live, now)
        return answer

    def settle(self, live: Live, now: int) -> None:
        """What is to be done after each call of a desk."""
        entries = live.desk.take()
        self.entries += entries
        if entries:
            self._offer_tables(live, now)
        task = live.desk.task(self.at(now))
        if task is None:
            self.tasks.pop(live.tid, None)
        else:
            self.tasks[live.tid] = task
        self.look_ahead(now)

    def look_ahead(self, now: int) -> None:
        """Find out when the next thing is due. What is due already and not done yet stays so: desks tell the future."""
        at = self.at(now)
        for live in self.lives.values():
            if live.over:
                live.due = None
            elif live.due is None or live.due > at:
                live.due = live.desk.next_due(at)
        first = min((live.due for live in self.lives.values() if live.due is not None), default=None)
        self.due_ns = None if first is None else self.server_time(first)

    def _offer_tables(self, live: Live, now: int) -> None:
        """Something happened in a tournament: tables or players may be free now for the others of the hall."""
        for other in self.lives.values():
            if other is not live and other.desk.state.phase == "running":
                other.due = self.at(now)

    def elsewhere(self, live: Live) -> Elsewhere:
        """Who is busy in the other tournaments of the hall, and which tables are."""
        others = [other.desk.state for other in self.lives.values() if other is not live]
        matches = [(state, m) for state in others for m in state.matches.values() if m.status in LIVE]
        if not matches:
            return NOWHERE
        busy = frozenset(state.name_of(player) for state, match in matches for player in match.known if player)
        return Elsewhere(busy, frozenset(match.table for _, match in matches))

    def entries_of(self, mark: str) -> Iterable[tuple[Live, int]]:
        """The tournaments in which somebody plays, and his number there."""
        found = [(live, live.people.player_of(mark, live.desk.state)) for live in self.lives.values()]
        return [(live, player) for live, player in found if player and not live.over]

    def tell(self, mark: str, message: wire.Mine | wire.Called | wire.Directed) -> None:
        """Put a message into the tray."""
        self.notices.append(Notice(mark, message))


def _entrants(state: Tournament) -> int:
    return sum(player.status not in {"removed", "dropped"} for player in state.players.values())
