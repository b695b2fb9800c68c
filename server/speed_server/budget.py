"""What one connection may say: requests and heartbeats are counted apart, each from a bucket that fills up steadily.

Pure. A message within its budget is `FINE`; one beyond it is `OVER`: it is not looked at, and a request that can be
answered is refused as too fast. Who goes on regardless is to be cut off: `KICK`, said once.

Whether a message is a heartbeat is read from its second byte, before anything is decoded, so that a flood costs next
to nothing. What only pretends to be one has the budget of one.
"""

from __future__ import annotations

from typing import Final

from speed_common import wire
from speed_common.wire import WireError
from speed_server.limits import KNOWN_BEFORE, Limits
from speed_server.settings import SECOND

FINE: Final = 0
OVER: Final = 1
KICK: Final = 2

_BEATS: Final = frozenset(wire.encode(kind(b"", 0, 0, 0))[1:2] for kind in (wire.Beat, wire.ProbeBack))


class Bucket:
    """So many a second, and so many at once. It keeps one number: when it will be full again."""

    __slots__ = ("_cost_ns", "_full_at", "_slack_ns")

    def __init__(self, per_second: int, burst: int) -> None:
        self._cost_ns = SECOND // per_second
        self._slack_ns = burst * self._cost_ns
        self._full_at = -self._slack_ns

    def take(self, now: int, count: int = 1) -> bool:
        """Whether `count` more are within the limit at `now`; if so they are taken."""
        full_at = max(self._full_at, now) + count * self._cost_ns
        if full_at - now > self._slack_ns:
            return False
        self._full_at = full_at
        return True


class Window:
    """Counts what comes within a time that begins with the first of it."""

    __slots__ = ("_begun_at", "_count", "_length_ns", "_most")

    def __init__(self, most: int, length_ns: int) -> None:
        self._most = most
        self._length_ns = length_ns
        self._begun_at = -length_ns
        self._count = 0

    def too_many(self, now: int) -> bool:
        """Count one at `now`; whether that fills the window."""
        if now - self._begun_at >= self._length_ns:
            self._begun_at, self._count = now, 0
        self._count += 1
        return self._count >= self._most


class _Account:
    __slots__ = ("beats", "flood", "kicked", "requests", "stubborn")

    def __init__(self, limits: Limits) -> None:
        self.requests = Bucket(limits.requests_per_second, limits.requests_burst)
        self.beats = Bucket(limits.beats_per_second, limits.beats_burst)
        self.flood = Window(limits.flood_requests, limits.flood_ns)
        self.stubborn = Window(limits.stubborn_requests, limits.stubborn_ns)
        self.kicked = False


class Budgets:
    """The budgets of all connections, by ROUTER's routing id."""

    def __init__(self, limits: Limits) -> None:
        self.over = 0
        self.kicked = 0
        self._limits = limits
        self._accounts: dict[bytes, _Account] = {}

    def __len__(self) -> int:
        return len(self._accounts)

    def judge(self, origin: bytes, data: bytes, now: int) -> int:
        """`FINE`, `OVER` or `KICK` for a message that came at `now`."""
        account = self._accounts.get(origin)
        if account is None:
            account = self._open(origin)
        if data[1:2] in _BEATS:
            if account.beats.take(now):
                return FINE
            flood = account.flood.too_many(now)
        else:
            if not self._limits.requests_per_second:
                return FINE
            flood = account.flood.too_many(now)
            if not flood and account.requests.take(now):
                return FINE
        self.over += 1
        stubborn = account.stubborn.too_many(now)
        if account.kicked or not (flood or stubborn):
            return OVER
        account.kicked = True
        self.kicked += 1
        return KICK

    def was_kicked(self, origin: bytes) -> bool:
        """Whether what still comes of this connection was under way before it was cut off."""
        account = self._accounts.get(origin)
        return account is not None and account.kicked

    def forget(self, origin: bytes) -> None:
        """The connection is gone."""
        self._accounts.pop(origin, None)

    def _open(self, origin: bytes) -> _Account:
        if len(self._accounts) >= KNOWN_BEFORE:
            del self._accounts[next(iter(self._accounts))]
        limits = self._limits
        if not limits.requests_per_second:
            limits = Limits()  # they are not asked, only the heartbeats'
        account = self._accounts[origin] = _Account(limits)
        return account


def too_fast(data: bytes) -> bytes | None:
    """The refusal of a request that came over its budget; None for what has no answer of its own."""
    try:
        message = wire.decode_up(data)
    except WireError:
        return None
    seq = getattr(message, "seq", 0)
    return wire.encode(wire.Refused(seq, "too_fast")) if seq else None
