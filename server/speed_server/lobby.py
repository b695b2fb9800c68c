"""Which tables are laid, and where a person who comes in is seated."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final

from speed_common import wire
from speed_common.codes import CodeError, parse_code
from speed_common.names import numbered_name
from speed_common.presets import RulesError, check
from speed_common.rules import Rules
from speed_server.fair.player import FairPlayer
from speed_server.notice import lobby_line
from speed_server.room import Room
from speed_server.seats import NO_SEAT
from speed_server.settings import HubSettings

MOST_RESERVED: Final = 128
"""Tables of tournaments, beside those that people lay."""

MOST_TEXT: Final = 300
"""Characters of a sentence in a refusal: what `wire.Text` holds."""


class LobbyError(Exception):
    """A seat that cannot be had: `word` is the stable reason, `text` a sentence where that says too little.

    A text may repeat what was asked for, so it is cut and made of plain characters.
    """

    def __init__(self, word: wire.RefusedWord, text: str = "") -> None:
        super().__init__(word, text)
        self.word = word
        self.text = text.encode("ascii", "backslashreplace").decode()[:MOST_TEXT]


class Lobby:
    """All rooms by number. Tables are laid when somebody needs one and cleared when nobody is left."""

    def __init__(self, settings: HubSettings, secrets: Callable[[int], bytes]) -> None:
        self.rooms: dict[int, Room] = {}
        self.changed = True
        self.tournaments: tuple[wire.TournamentLine, ...] = ()
        self.reserved: frozenset[int] = frozenset()
        """Tables that tournaments play at or are about to."""
        self._settings = settings
        self._secrets = secrets
        self._topics: dict[bytes, int] = {}
        numbers = range(1, settings.max_tables + MOST_RESERVED + 1)
        self._all_topics = {wire.table_topic(number) for number in numbers}
        self._kept: set[int] = set()

    def open_bot_tables(self, now: int) -> list[Room]:
        """The tables at which computers play for ever."""
        level, rules = self._settings.bot_level, self._settings.rules
        for _ in range(self._settings.bot_tables):
            room = self._open(rules)
            self._kept.add(room.number)
            for _ in range(rules.players):
                _seat_computer(room, level, now)
        return list(self.rooms.values())

    def seat(self, name: str, sit: wire.Sit, now: int, player: FairPlayer | None = None) -> tuple[Room, int]:
        """A room and the seat in it for a person who asks for one as `wire.Sit` says.

        Raises `LobbyError` with `no_such_table`, `table_full`, `full`, `bad_rules` or `bad_code`.
        """
        if sit.code:
            room, computers = self._table_by_code(sit)
        else:
            room, computers = self._table(sit), sit.computers
        seat = room.sit(name, now, player=player)
        if seat == NO_SEAT:
            raise LobbyError("table_full")
        if len(computers) == 1:
            computers *= room.rules.players - 1
        for level in computers:
            _seat_computer(room, level, now)
        self.changed = True
        return room, seat

    def close_if_empty(self, room: Room) -> None:
        """Clear a table that no person sits at any more."""
        if not room.seats.people and room.number not in self._kept and self.rooms.get(room.number) is room:
            del self.rooms[room.number]
            del self._topics[room.topic]
            self.changed = True

    def known_topic(self, topic: bytes) -> bool:
        """Whether the topic is the lobby's or that of a table that may be laid here, now or later."""
        return topic == wire.LOBBY_TOPIC or topic in self._all_topics

    def by_topic(self, topic: bytes) -> Room | None:
        """The room that a watch topic is about."""
        number = self._topics.get(topic)
        return None if number is None else self.rooms.get(number)

    def message(self) -> wire.Lobby:
        """The list of tables."""
        return wire.Lobby(tuple(map(lobby_line, self.rooms.values())), self.tournaments)

    def lay(self, room: Room) -> None:
        """A room that is not asked for by people, under a number that is free."""
        self.rooms[room.number] = room
        self._topics[room.topic] = room.number
        self.changed = True

    def renumber(self, room: Room) -> None:
        """Give a room another number, since a tournament plays at this one."""
        old, new = room.number, self._free_number()
        del self.rooms[old], self._topics[room.topic]
        room.move(new)
        self.lay(room)
        if old in self._kept:
            self._kept ^= {old, new}

    def _table(self, sit: wire.Sit) -> Room:
        """The table that is asked for by its number, or by its rules, or the first where somebody waits."""
        rules = self._settings.rules if sit.rules is None else sit.rules
        if sit.table > 0:
            room = self.rooms.get(sit.table)
            if room is None:
                raise LobbyError("no_such_table")
            if sit.rules is not None and sit.rules != room.rules:
                raise LobbyError("bad_rules", f"table {sit.table} has its own rules: ask for a new one to choose them")
            if sit.computers:
                raise LobbyError("table_full", f"people wait at table {sit.table}: ask for a new one for computers")
            return room
        if sit.table == wire.ANY_TABLE and not sit.computers and sit.rules is None:
            waiting = (room for room in self.rooms.values() if room.welcoming and not room.decks.by_code)
            room = next((room for room in waiting if room.rules == rules), None)
            if room is not None:
                return room
        try:
            check(rules)
        except RulesError as error:
            raise LobbyError("bad_rules", str(error)) from None
        _check_seats(rules, sit.computers)
        return self._open(rules)

    def _table_by_code(self, sit: wire.Sit) -> tuple[Room, tuple[int, ...]]:
        """The table that waits with this very deal, or a new one; and the computers that the code asks for."""
        try:
            code = parse_code(sit.code)
        except CodeError as error:
            raise LobbyError("bad_code", str(error)) from None
        if sit.table > 0 or sit.rules is not None:
            raise LobbyError("bad_code", "a game code lays a table with its own rules: ask for no other beside it")
        computers = (code.level,) if code.level else sit.computers
        asked = (True, code.number, code.rules)
        for room in self.rooms.values():
            if not computers and room.welcoming and (room.decks.by_code, room.decks.next_number, room.rules) == asked:
                return room, ()
        _check_seats(code.rules, computers)
        return self._open(code.rules, code.number), computers

    def _open(self, rules: Rules, first_deal: int | None = None) -> Room:
        if sum(number not in self.reserved for number in self.rooms) >= self._settings.max_tables:
            raise LobbyError("full")
        room = Room(self._free_number(), rules, self._settings, self._secrets, first_deal)
        self.lay(room)
        return room

    def _free_number(self) -> int:
        return next(n for n in itertools.count(1) if n not in self.rooms and n not in self.reserved)


def _check_seats(rules: Rules, computers: tuple[int, ...]) -> None:
    if len(computers) >= rules.players:
        text = f"{len(computers)} computers and you are more than {rules.players} players: ask for fewer computers"
        raise LobbyError("bad_rules", text)


def _seat_computer(room: Room, level: int, now: int) -> None:
    """Seat a computer under a name that nobody else has at the table."""
    taken = {seat.name.casefold() for seat in room.seats}
    name = f"bot-{level}"
    names = (name if count == 1 else numbered_name(name, count) for count in itertools.count(1))
    room.sit(next(name for name in names if name not in taken), now, level)
