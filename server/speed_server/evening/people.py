"""Which player somebody is, in one tournament.

Somebody is known by a mark: the first characters of the hash of the ticket that the server gave. The mark goes into the
log as the actor of what a player does, so that a ticket opens the same player after a restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from speed_server.tournament.entries import Entry
from speed_server.tournament.model import Tournament

MARK_CHARACTERS: Final = 16
_ACTOR: Final = "ticket "


def mark_of(key: bytes) -> str:
    """The mark of a session's key (see `sessions`): 64 bits of a hash of 128 random ones."""
    return key.hex()[:MARK_CHARACTERS]


def actor_of(mark: str) -> str:
    """Who did it, for the log."""
    return _ACTOR + mark


class People:
    """Marks by player's number, and back."""

    def __init__(self) -> None:
        self._marks: dict[int, str] = {}
        self._players: dict[str, int] = {}

    def load(self, entries: Iterable[Entry]) -> None:
        """Learn from a log who was whom."""
        for entry in entries:
            player = getattr(entry.event, "player", 0) if entry.actor.startswith(_ACTOR) else 0
            if player:
                self.bind(entry.actor.removeprefix(_ACTOR), player)

    def bind(self, mark: str, player: int) -> None:
        """From now on this mark is that player, and no other is."""
        self._players.pop(self._marks.pop(player, ""), None)
        self._marks.pop(self._players.pop(mark, 0), None)
        self._marks[player] = mark
        self._players[mark] = player

    def player_of(self, mark: str, state: Tournament) -> int:
        """The player's number; 0 for who is not in it, or whose entry was taken back."""
        number = self._players.get(mark, 0)
        player = state.players.get(number)
        return number if player is not None and player.status != "removed" else 0

    def mark_of(self, player: int) -> str:
        """The player's mark; empty where nobody has claimed the name yet."""
        return self._marks.get(player, "")

    def __contains__(self, mark: str) -> bool:
        return mark in self._players

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(list(self._players.items()))
