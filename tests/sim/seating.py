"""Seats and connections change only by the ticket that they belong to, or by leaving, silence and the grace."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tests.sim.truth import Breach, Place, place_of, sessions_of

from speed_common import wire
from speed_server.hub import Hub
from speed_server.sessions import NO_ORIGIN, Session

SLACK_NS = 50_000_000
_HEARTBEATS = (wire.Beat, wire.ProbeBack)


class Cause(NamedTuple):
    """What the hub is asked: a message from a connection (with whose ticket it came), or only time."""

    origin: bytes
    message: wire.Up | None
    session: Session | None


TIME = Cause(NO_ORIGIN, None, None)


class _Held(NamedTuple):
    place: Place | None
    origin: bytes


class Seating:
    """What each session held after the last call."""

    def __init__(self, hub: Hub, grace_ns: int, met: Counter[str]) -> None:
        self._met = met
        self._hub = hub
        self._grace_ns = grace_ns
        self._held: dict[bytes, _Held] = {}
        self._gone_at: dict[bytes, int] = {}
        self._away_ns: dict[bytes, int] = {}

    def check(self, cause: Cause, now: int) -> bool:
        """Compare with what may have changed by `cause`; whether anything has."""
        session = cause.session
        if session is not None and isinstance(cause.message, _HEARTBEATS):
            held = self._held.get(session.key)
            if held == (place_of(session), cause.origin) and session.origin == cause.origin:
                return False  # most of what comes; what it changed of others is found at the next call
        found: dict[bytes, _Held] = {}
        for session in sessions_of(self._hub):
            key = session.key
            now_held = found[key] = _Held(place_of(session), session.origin)
            held = self._held.get(key)
            if held != now_held:
                self._changed(session, held, now_held, cause, now)
        for key, held in self._held.items():
            if key not in found and held.place is not None:
                raise Breach(f"who held {held.place} is forgotten")
        places = [held.place for held in found.values() if held.place is not None]
        if len(places) != len(set(places)):
            raise Breach(f"two sessions hold one seat: {sorted(places)}")
        changed = found != self._held
        self._held = found
        return changed

    def _changed(self, session: Session, before: _Held | None, after: _Held, cause: Cause, now: int) -> None:
        message, own = cause.message, cause.session is session
        if before is None:
            if not isinstance(message, wire.Hello) or after.origin != cause.origin or after.place is not None:
                raise Breach(f"{session.name} came in by {message}, with {after}")
            return
        if before.origin != after.origin:
            self._moved(session, before.origin, after.origin, cause, now)
        if before.place == after.place:
            return
        if before.place is None:
            if not own or not isinstance(message, wire.Sit):
                raise Breach(f"{session.name} got {after.place} by {message}")
        elif after.place is not None:
            raise Breach(f"{session.name} went from {before.place} to {after.place} by {message}")
        elif message is None:
            away = self._away_ns.get(session.key, 0)
            away += now - self._gone_at.get(session.key, now)
            if away < self._grace_ns - SLACK_NS:
                raise Breach(f"{session.name} lost {before.place} after {away} ns away")
            self._met["grace over"] += 1
        elif not own or not isinstance(message, wire.Leave):
            raise Breach(f"{session.name} lost {before.place} by {message}")

    def _moved(self, session: Session, before: bytes, after: bytes, cause: Cause, now: int) -> None:
        if after == NO_ORIGIN:
            self._gone_at[session.key] = now
            if cause.message is not None and cause.origin != before:
                raise Breach(f"{session.name} was cut off by {cause}")
            return
        if cause.session is not session or after != cause.origin:
            raise Breach(f"{session.name} was moved to {after!r} by {cause}")
        if before == NO_ORIGIN:
            self._away_ns[session.key] = self._away_ns.get(session.key, 0) + now - self._gone_at.get(session.key, now)
