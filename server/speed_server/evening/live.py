"""One live tournament: its desk, who is who in it, and what was done and said of its last durable state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from speed_common import wire
from speed_server.evening.people import People
from speed_server.tournament import events as ev
from speed_server.tournament.boards import board, pages
from speed_server.tournament.desk import Desk
from speed_server.tournament.entries import Entry
from speed_server.tournament.hall import Change, changes
from speed_server.tournament.model import IN_PLAY, Tournament
from speed_server.tournament.narrate import narrate, text_of


class Move(NamedTuple):
    """Something to be done at a table, and the state that asks for it."""

    change: Change
    state: Tournament


class Live:
    """A tournament from its log. Times are the tournament's own (see `model`)."""

    def __init__(self, tid: str, entries: Sequence[Entry] = ()) -> None:
        self.desk = Desk(tid)
        self.desk.load(entries)
        self.people = People()
        self.people.load(entries)
        self.acted = Tournament()
        self.told: dict[str, wire.Mine] = {}
        self.dealt_anew: set[int] = set()
        """Matches whose deal was lost with the server, until the next one is over."""
        self.seq = 0
        """The last entry that is durable."""
        self.due: int | None = None
        """When it is to be advanced; one that is past stays until that is done."""
        self._narrated = self.desk.public
        self._pages: dict[int, tuple[wire.BoardMatch, ...]] = {}

    @property
    def tid(self) -> str:
        """Its name in topics and in the log."""
        return self.desk.tid

    @property
    def public(self) -> Tournament:
        """What people may be told."""
        return self.desk.public

    @property
    def over(self) -> bool:
        """Whether nothing will come of it any more."""
        return self.public.phase in {"archived", "cancelled"}

    def boot(self, now: int) -> None:
        """The server is up again: see `Desk.boot`."""
        self.dealt_anew = {m.number for m in self.desk.state.matches.values() if m.status in IN_PLAY}
        self.desk.boot(now)

    def written(self, seq: int) -> tuple[list[Move], list[Entry], list[str]]:
        """All entries up to `seq` are on disk: what to do at the tables, what happened, and that in words."""
        moves, entries, lines = list[Move](), list[Entry](), list[str]()
        for news in self.desk.durable(seq):
            moves += [Move(change, news.state) for change in changes(self.acted, news.state)]
            self.acted = news.state
            self.seq = news.entries[-1].seq
            for entry in news.entries:
                event = entry.event
                if isinstance(event, ev.DealFinished):
                    self.dealt_anew.discard(event.match)
                self._narrated, told = narrate(self._narrated, event, event.at)
                lines += map(text_of, told)
            entries += news.entries
        return moves, entries, lines

    def board(self, now: int) -> wire.Board:
        """The board of now."""
        return board(self.public, self.seq, now)

    def pages(self, *, changed_only: bool) -> list[wire.BoardPage]:
        """The pages of the matches; `changed_only`: those that were not asked for in this way as they are now."""
        found = pages(self.public, self.seq)
        if changed_only:
            found = tuple(page for page in found if self._pages.get(page.page) != page.matches)
            self._pages |= {page.page: page.matches for page in found}
        return list(found)
