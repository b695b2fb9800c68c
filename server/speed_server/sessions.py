"""Who is who: sessions, known by their tickets alone.

A ticket is 128 random bits that the server gives once and then knows only by hash, bound to its own id. A connection
(`origin`, the ROUTER's routing id) is merely where the answers go; it changes when a player reconnects.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator

from speed_common.fair_settings import FairSettings
from speed_common.names import clean_name, numbered_name
from speed_common.wire import TICKET_BYTES
from speed_server.fair.player import FairPlayer
from speed_server.room import Room
from speed_server.seats import NO_SEAT

NO_ORIGIN = b""


class Session:
    """One player: the name, where answers go, what the fair order knows of the link, and the seat.

    `behind_ns` is when the last message leaves that was told to go out later: none may overtake it.
    """

    __slots__ = ("behind_ns", "fair", "key", "lagging", "last_heard_ns", "name", "origin", "room", "seat")

    def __init__(self, key: bytes, name: str, origin: bytes, fair: FairPlayer, now: int) -> None:
        self.key = key
        self.name = name
        self.origin = origin
        self.fair = fair
        self.last_heard_ns = now
        self.behind_ns = 0
        self.lagging = False
        self.room: Room | None = None
        self.seat = NO_SEAT

    @property
    def reachable(self) -> bool:
        """Whether a message would get there now."""
        return self.origin != NO_ORIGIN and not self.lagging


class Sessions:
    """All sessions, by ticket and by connection. `secrets(n)` gives n random bytes."""

    def __init__(self, server_id: str, secrets: Callable[[int], bytes], fair: FairSettings) -> None:
        self._fair = fair
        self._salt = hashlib.sha256(server_id.encode()).digest()
        self._secrets = secrets
        self._by_key: dict[bytes, Session] = {}
        self._by_origin: dict[bytes, Session] = {}

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._by_key.values()))

    def by_ticket(self, ticket: bytes) -> Session | None:
        """The session that the ticket opens."""
        return self._by_key.get(self._hash(ticket))

    def by_origin(self, origin: bytes) -> Session | None:
        """The session whose answers go to this connection."""
        return self._by_origin.get(origin)

    def key_of(self, ticket: bytes) -> bytes:
        """What is known of a ticket: its hash."""
        return self._hash(ticket)

    def open(self, name: str, origin: bytes, now: int, grain_ns: int = 0, ticket: bytes = b"") -> tuple[Session, bytes]:
        """A new session and its ticket, which is kept nowhere here; a given `ticket` is one of an earlier run.

        Raises `ValueError` when the name cannot be shown; a name in use gets a number behind it.
        """
        wanted = clean_name(name)
        taken = {session.name.casefold() for session in self._by_key.values()}
        names = (wanted if count == 1 else numbered_name(wanted, count) for count in itertools.count(1))
        chosen = next(name for name in names if name.casefold() not in taken)
        ticket = ticket or self._secrets(TICKET_BYTES)
        session = Session(self._hash(ticket), chosen, origin, FairPlayer(self._fair, grain_ns), now)
        self._by_key[session.key] = session
        self.attach(session, origin)
        return session, ticket

    def attach(self, session: Session, origin: bytes) -> bytes:
        """Send the session's answers to this connection from now on; the connection before it, if another.

        Whoever else was there must have been detached.
        """
        assert self._by_origin.get(origin) in {None, session}
        before = session.origin
        self._by_origin.pop(before, None)
        session.origin = origin
        if before != origin:
            session.fair.link.kernel_rtt_ns = None  # it was the other connection's
        self._by_origin[origin] = session
        return before if before != origin else NO_ORIGIN

    def detach(self, session: Session) -> None:
        """The connection is gone; the session and its seat stay."""
        self._by_origin.pop(session.origin, None)
        session.origin = NO_ORIGIN

    def close(self, session: Session) -> None:
        """Forget the session: its ticket opens nothing any more."""
        self.detach(session)
        self._by_key.pop(session.key, None)

    def close_a_stale_one(self) -> bool:
        """Forget who was silent longest of those with neither connection nor seat; false: there is none."""
        gone = [s for s in self._by_key.values() if s.origin == NO_ORIGIN and s.room is None]
        if gone:
            self.close(min(gone, key=lambda session: session.last_heard_ns))
        return bool(gone)

    def _hash(self, ticket: bytes) -> bytes:
        # BLAKE2b comes from Python's own module: a message's ticket costs a third of what OpenSSL's hashes cost. The
        # salt goes in front: as a keyword it would cost as much again as the hash.
        return hashlib.blake2b(self._salt + ticket).digest()
