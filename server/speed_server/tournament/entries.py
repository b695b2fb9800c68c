"""A line of the log: an event with who caused it and its place in the order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from speed_server.tournament.events import AnyEvent, Event, decode_event, encode_event

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(msgspec.Struct, frozen=True):
    """One event in the log. `cmd_id` is on the first event of a command only, else None."""

    seq: int
    tid: str
    at: str
    actor: str
    kind: str
    body: str
    cmd_id: str | None = None

    @property
    def event(self) -> AnyEvent:
        """The event itself. Raises msgspec.DecodeError for a damaged body."""
        return decode_event(self.body)


def entry(seq: int, tid: str, event: Event, actor: str, cmd_id: str | None = None) -> Entry:
    """The entry of an event."""
    kind = type(event).__struct_config__.tag
    return Entry(seq, tid, iso_time(event.at), actor, str(kind), encode_event(event), cmd_id)


def iso_time(at: int) -> str:
    """UTC as ISO 8601 with milliseconds, of nanoseconds since the epoch."""
    moment = _EPOCH + timedelta(microseconds=at // 1_000)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
