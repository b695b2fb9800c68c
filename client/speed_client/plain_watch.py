"""A spectator's line mode: one short line for what is worth one, at one table or at several. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from speed_client.evening_words import ASKS, EveningTeller, asked
from speed_client.news import (
    Ended,
    EveningChanged,
    Happened,
    LinkChanged,
    LobbyChanged,
    News,
    RoomChanged,
)
from speed_client.printable import printable
from speed_client.speaker import Speaker
from speed_client.watching import Watching
from speed_client.wording import (
    cards_word,
    contest_words,
    listed,
    pile_word,
    rank_words,
    result_sentence,
)
from speed_common.events import (
    Beaten,
    Flipped,
    Played,
    Revealed,
    Tucked,
)
from speed_common.wire import COUNTDOWN, Room


class PlainWatcher(Speaker):
    """A spectator's line mode. With several tables each line names its own."""

    listening = True
    _flip_wish = "The flip comes when all have asked, or in"

    def __init__(self, watching: Watching) -> None:
        super().__init__()
        self.watching = watching
        self._teller = EveningTeller()
        self._tables_said: tuple[tuple[int, tuple[str, ...]], ...] | None = None

    def changed(self, now: int) -> Iterator[str]:
        """A line for each thing learned."""
        news, self.watching.news = self.watching.news, []
        for item in news:
            yield from self._say(item, now)

    def command(self, line: str, press: int, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """Obey a line."""
        word = line.strip().lower()
        if word in {"leave", "quit", "exit"}:
            self.watching.stop("left", "you stopped watching")
        elif word in {"help", "?"}:
            yield "leave: stop watching."
            if self.watching.evening is not None:
                yield f"Of the tournament: {', '.join(ASKS)}."
        elif word in ASKS and self.watching.evening is not None:
            yield from asked(word, self.watching.evening)
        elif word:
            yield f"Not understood: {printable(word, 20, ' ')}. You are watching; leave ends it."

    def closed(self, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """A spectator needs no input to go on."""
        yield from ()

    def _say(self, item: News, now: int) -> Iterator[str]:
        if isinstance(item, Happened):
            yield from self._event(item)
        elif isinstance(item, RoomChanged):
            yield from (self._named(item.table, line) for line in self._room(item.room, now))
        elif isinstance(item, LobbyChanged):
            tables = tuple((line.number, line.names) for line in item.tables)
            if tables != self._tables_said:
                self._tables_said = tables
                yield "Tables: " + ("; ".join(_table_words(number, names) for number, names in tables) or "none") + "."
        elif isinstance(item, EveningChanged) and self.watching.evening is not None:
            yield from self._teller.changed(self.watching.evening)
        elif isinstance(item, LinkChanged):
            yield self._link(item)
        elif isinstance(item, Ended):
            yield item.text[:1].upper() + item.text[1:] + "."

    def _named(self, table: int, line: str) -> str:
        return line if self.watching.focus else f"Table {table}: {line}"

    def _event(self, item: Happened) -> Iterator[str]:
        mirror = self.watching.tables.get(item.table)
        if mirror is None or mirror.table is None or mirror.room is None:
            return
        room = self._said.get(item.table, mirror.room)
        names = {n: info.name for n, info in enumerate(room.seats)}
        line = self._told(item.event, names, mirror.table.rules)
        if isinstance(item.event, Revealed | Flipped):
            line = f"{'Go' if isinstance(item.event, Revealed) else 'New cards'}. Piles {rank_words(item.event.tops)}."
        elif isinstance(item.event, Played):
            line = f"{line} {cards_word(mirror.table.cards_left(item.event.seat))} left."
        elif isinstance(item.event, Tucked):
            line = "New hands."
        elif isinstance(item.event, Beaten):
            pile = pile_word(item.event.pile, room.rules.piles)
            line = f"{contest_words(item.event, item.race, names, pile)}."
        if line is not None:
            yield self._named(item.table, line)

    def _room(self, room: Room, now: int) -> Iterator[str]:
        before = self._said.get(room.table)
        server_now = self.watching.server_now(now)
        ahead = room.paused_until_ns - server_now if server_now is not None and room.paused_until_ns else None
        yield from self._missing(room, ahead)
        names = [info.name for info in room.seats]
        if before is None or names != [info.name for info in before.seats]:
            yield f"{_against([name or 'nobody yet' for name in names])}."
            if room.code:
                yield f"Code {room.code}."
        if room.phase == COUNTDOWN and (before is None or before.phase != COUNTDOWN):
            yield "Get ready."
        if room.result is not None and (before is None or before.result != room.result):
            yield result_sentence(room.result, room)
        self._said[room.table] = room


def _table_words(number: int, names: tuple[str, ...]) -> str:
    return f"{number} {_against([name or 'free' for name in names])}"


def _against(names: Sequence[str]) -> str:
    return " against ".join(names) if len(names) <= 2 else listed(names)  # noqa: PLR2004  # one against one
