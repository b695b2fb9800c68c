"""A table as the server told it: replaced by snapshots, moved on by deltas, never ahead of what may be shown.

`Mirror` holds the state; it checks that no event was missed, and that what came can be. `Showing` stands before it:
what happens comes down the wire a little before it may be seen, so that every player sees it at the same instant. It
keeps such a message, and all that follow it, until their server time. Both are pure; `server_now` is an argument.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from speed_client.news import Happened, News, RoomChanged
from speed_client.plausible import can_be, can_happen
from speed_common.cards import HIDDEN, Card
from speed_common.events import Beaten, Revealed
from speed_common.table import DEALT, SPECTATOR, Table, evolve
from speed_common.views import table_of
from speed_common.wire import COUNTDOWN, MAX_SHOWN, PLAYING, Delta, Room, Snapshot

Update: TypeAlias = Delta | Snapshot


class Mirror:
    """One table as one viewer may see it. `table` is None before the first deal is laid, `room` before any snapshot.

    `whole` is False from an event that cannot be until the next snapshot: nothing is believed in between.
    """

    __slots__ = ("ahead", "revision", "room", "seat", "table", "whole")

    def __init__(self) -> None:
        self.revision = 0
        self.room: Room | None = None
        self.table: Table | None = None
        self.seat = SPECTATOR
        self.whole = True
        self.ahead: Card = HIDDEN
        """The card that our next play brings: `NO_CARD` for none, `HIDDEN` while it is not known."""

    def apply_snapshot(self, snapshot: Snapshot) -> None:
        """Replace everything. Raises `ValueError`, and changes nothing, when its parts do not go together."""
        self.table = _table_in(snapshot)
        self.whole = True
        # One made in the last moments of a countdown has the cards turned already; it was kept until they may be seen.
        turned = snapshot.room.phase == COUNTDOWN and _turns_cards(snapshot)
        self.room = msgspec.structs.replace(snapshot.room, phase=PLAYING) if turned else snapshot.room
        self.seat = snapshot.seat
        self.ahead = snapshot.ahead
        self.revision = snapshot.revision

    def apply_delta(self, delta: Delta) -> bool:
        """Move on by the events.

        False when the delta is not the next one, and nothing is changed; or when one of its events cannot be, and
        until the next snapshot nothing will be any more.
        """
        if self.table is None or not self.whole or delta.revision != self.revision:
            return False
        for event in delta.events:
            if not can_happen(self.table, event):
                self.whole = False
                return False
            evolve(self.table, event)
            if isinstance(event, Revealed) and self.room is not None:
                self.room = msgspec.structs.replace(self.room, phase=PLAYING)
        self.revision += len(delta.events)
        if delta.ahead != HIDDEN:
            self.ahead = delta.ahead
        return True


class Showing:
    """A mirror and the updates that wait for their instant, in order."""

    __slots__ = ("_held", "mirror", "shown")

    def __init__(self) -> None:
        self.mirror = Mirror()
        self.shown: deque[int] = deque(maxlen=MAX_SHOWN)
        """The newest revisions that were shown since this was emptied."""
        self._held: deque[tuple[int, Update]] = deque()

    @property
    def revision(self) -> int:
        """The revision after everything that came, shown or waiting."""
        if not self._held:
            return self.mirror.revision
        last = self._held[-1][1]
        return last.revision + (len(last.events) if isinstance(last, Delta) else 0)

    @property
    def waits(self) -> bool:
        """Whether something waits for its instant."""
        return bool(self._held)

    @property
    def show_at_ns(self) -> int | None:
        """The server time at which the first waiting update may be shown; None when none waits."""
        return self._held[0][0] if self._held else None

    def forget(self) -> None:
        """Drop what waits: the connection that it came by is gone."""
        self._held.clear()

    def snapshot(self, snapshot: Snapshot, server_now: int | None) -> list[News]:
        """Take a whole table, which outdates everything that waits; what is shown by it now.

        Raises `ValueError`, and changes nothing, when its parts do not go together.
        """
        _table_in(snapshot)
        self._held.clear()
        if _turns_cards(snapshot) and _early(snapshot.room, server_now):
            self._held.append((snapshot.room.reveal_at_ns, snapshot))
            return []
        return list(self._apply(snapshot))

    def delta(self, delta: Delta, server_now: int | None) -> list[News] | None:
        """Take what happened next; what is shown by it now. None when something was missed, or cannot be."""
        if not self.mirror.whole:
            return None
        if delta.revision < self.revision:
            return []
        if delta.revision > self.revision or (self.mirror.table is None and not self._held):
            return None
        self._held.append((self._show_ns(delta), delta))
        return self.due(server_now)

    def due(self, server_now: int | None) -> list[News] | None:
        """Show what waited, once its instant has come or the server's clock is not known. None as for `delta`."""
        news: list[News] = []
        while self._held and (server_now is None or self._held[0][0] <= server_now):
            news += self._apply(self._held.popleft()[1])
        return news if self.mirror.whole else None

    def _show_ns(self, delta: Delta) -> int:
        """When a delta may be shown: not before what came earlier."""
        before = self._held[-1] if self._held else (0, None)
        if delta.show_us is None:
            return before[0]
        room = before[1].room if isinstance(before[1], Snapshot) else self.mirror.room
        return max(before[0], delta.show_us * 1_000 + (room.reveal_at_ns if room is not None else 0))

    def _apply(self, update: Update) -> Iterator[News]:
        mirror = self.mirror
        if isinstance(update, Snapshot):
            mirror.apply_snapshot(update)
            assert mirror.room is not None
            yield RoomChanged(mirror.room, update.seat, update.room.table)
            return
        if not mirror.apply_delta(update):
            return
        self.shown.append(mirror.revision)
        room = mirror.room
        assert room is not None, "a mirror with a table has a room"
        for event in update.events:
            race = update.race if isinstance(event, Beaten) else None
            yield Happened(event, room.reveal_at_ns + event.at * 1_000, room.table, race)


def _table_in(snapshot: Snapshot) -> Table | None:
    """The table that a snapshot describes. Raises `ValueError` when its parts do not go together."""
    if not can_be(snapshot):
        raise ValueError(f"the room has {len(snapshot.room.seats)} seats, its rules {snapshot.room.rules.players}")
    return None if snapshot.view is None else table_of(snapshot.room.rules, snapshot.view, snapshot.seat)


def _turns_cards(snapshot: Snapshot) -> bool:
    return snapshot.view is not None and snapshot.view.phase != DEALT


def _early(room: Room | None, server_now: int | None) -> bool:
    """Whether it is too early to turn the cards. After a pause the reveal counts as later: that is no new countdown."""
    return room is not None and room.phase == COUNTDOWN and server_now is not None and server_now < room.reveal_at_ns
