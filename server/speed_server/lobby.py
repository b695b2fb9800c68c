"""Which tables are laid, and where a person who comes in is seated."""

from __future__ import annotations

from collections.abc import Callable

from speed_common import wire
from speed_server.room import Room
from speed_server.seats import NO_SEAT
from speed_server.settings import HubSettings


class LobbyError(Exception):
    """A seat that cannot be had; `word` is the stable reason."""

    def __init__(self, word: wire.RefusedWord) -> None:
        super().__init__(word)
        self.word = word


class Lobby:
    """All rooms by number. Tables are laid when somebody needs one and cleared when nobody is left."""

    def __init__(self, settings: HubSettings, secrets: Callable[[int], bytes]) -> None:
        self.rooms: dict[int, Room] = {}
        self.changed = True
        self._settings = settings
        self._secrets = secrets
        self._topics: dict[bytes, int] = {}
        self._all_topics = {wire.table_topic(number) for number in range(1, settings.max_tables + 1)}
        self._kept: set[int] = set()

    def open_bot_tables(self, now: int) -> list[Room]:
        """The tables at which two computers play for ever."""
        for _ in range(self._settings.bot_tables):
            room = self._open()
            self._kept.add(room.number)
            for side in ("left", "right"):
                room.sit(f"{side}-{self._settings.bot_level}", now, self._settings.bot_level)
        return list(self.rooms.values())

    def seat(self, name: str, table: int, computer: int, now: int) -> tuple[Room, int]:
        """A room and the seat in it for a person who asked for `table` (see `wire.Sit`).

        Raises `LobbyError` with `no_such_table`, `table_full` or `full`.
        """
        if table > 0:
            room = self.rooms.get(table)
            if room is None:
                raise LobbyError("no_such_table")
            if computer and room.seats.people:
                raise LobbyError("table_full")
        elif table == wire.ANY_TABLE and not computer:
            room = next((room for room in self.rooms.values() if room.welcoming), None)
            room = room or self._open()
        else:
            room = self._open()
        seat = room.sit(name, now)
        if seat == NO_SEAT:
            raise LobbyError("table_full")
        if computer:
            room.sit(_computer_name(computer), now, computer)
        self.changed = True
        return room, seat

    def close_if_empty(self, room: Room) -> None:
        """Clear a table that no person sits at any more."""
        if not room.seats.people and room.number not in self._kept and room.number in self.rooms:
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
        return wire.Lobby(tuple(room.line() for room in self.rooms.values()))

    def _open(self) -> Room:
        if len(self.rooms) >= self._settings.max_tables:
            raise LobbyError("full")
        number = next(n for n in range(1, len(self.rooms) + 2) if n not in self.rooms)
        room = Room(number, self._settings.rules, self._settings, self._secrets)
        self.rooms[number] = room
        self._topics[room.topic] = number
        return room


def _computer_name(level: int) -> str:
    return f"bot-{level}"
