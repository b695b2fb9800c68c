"""What the line modes of a player and of a spectator say alike. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from speed_client.news import (
    LinkChanged,
)
from speed_client.wording import (
    MICROSECONDS,
    pile_word,
    rank_word,
)
from speed_common.events import (
    Event,
    Freed,
    Played,
    Reshuffled,
    Stuck,
    Waiting,
)
from speed_common.wire import Room

SECOND_NS: Final = 1_000_000_000


class Speaker:
    """What a player and a spectator say alike. The last room said is kept, to say only what is different."""

    def __init__(self) -> None:
        self._said: dict[int, Room] = {}

    def _link(self, news: LinkChanged) -> str:
        return "Linked." if news.link == "up" else "No link to the server."

    def _told(self, event: Event, who: dict[int, str], piles: int) -> str | None:
        """A line for an event as anybody may know it; None for what is not worth one."""
        if isinstance(event, Stuck | Waiting):
            return f"Stuck. New cards in {(event.due - event.at) / MICROSECONDS:.1f} s."
        if isinstance(event, Freed):
            return "Not stuck any more."
        if isinstance(event, Reshuffled):
            return "Reshuffled."
        if isinstance(event, Played):
            return f"{who[event.seat]} {rank_word(event.card)} {pile_word(event.pile, piles)}."
        return None

    def _missing(self, room: Room, ahead_ns: int | None) -> Iterator[str]:
        """Who dropped or came back since the room was last said."""
        before = self._said.get(room.table)
        for seat, info in enumerate(room.seats):
            was = before.seats[seat] if before is not None and seat < len(before.seats) else None
            if info.name and not info.connected and (was is None or was.connected):
                wait = "" if ahead_ns is None else f" The table waits {max(0, ahead_ns) // SECOND_NS} seconds."
                yield f"{info.name} lost the link.{wait}"
            elif was is not None and was.name == info.name and info.connected and not was.connected:
                yield f"{info.name} is back."
