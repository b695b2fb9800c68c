"""The heartbeat: when to beat, what the server's clock says, how far away it is, when it fell silent. Pure.

Only a deal needs quick heartbeats: they keep the clocks in step and tell a dead link from a thinking opponent. Where
none runs they come `IDLE_BEAT_FACTOR` times less often. `now` is always this machine's `perf_counter_ns`.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from speed_common.clock import Clock
from speed_common.wire import IDLE_BEAT_FACTOR, Beat, BeatBack, Probe, ProbeBack

MILLISECOND_NS: Final = 1_000_000
QUICK_BEATS: Final = 8
QUICK_BEAT_NS: Final = 20 * MILLISECOND_NS
LONGEST_BEAT_NS: Final = 500 * MILLISECOND_NS
PATIENCE_NS: Final = 1_000 * MILLISECOND_NS
RTT_SAMPLES: Final = 8


class Pulse:
    """Heartbeats over one connection after the other; `start` begins anew with each welcome."""

    __slots__ = (
        "_back", "_beat_ns", "_beats", "_clock", "_echoes", "_floor", "_heard", "_in_deal", "_rtts", "beat_at",
        "jitter_ns", "rtt_ns",
    )  # fmt: skip

    def __init__(self, now: int) -> None:
        self.rtt_ns: int | None = None
        self.jitter_ns = 0
        """By how much the last answers differed in their time."""
        self._rtts: deque[int] = deque(maxlen=RTT_SAMPLES)
        self.start(LONGEST_BEAT_NS // 1_000, now)

    def start(self, beat_us: int, now: int) -> None:
        """A server welcomed us; `beat_us` is its pace in a deal. Nothing is known of its clock, and a beat is due."""
        self.beat_at = now
        self._beat_ns = min(max(beat_us * 1_000, MILLISECOND_NS), LONGEST_BEAT_NS)
        self._beats = 0
        self._clock = Clock()
        self._floor: int | None = None
        self._heard = now
        self._in_deal = False
        self._back = (0, 0)
        self._echoes: list[tuple[int, int, int]] = []
        self._rtts.clear()

    def heard(self, now: int) -> None:
        """Something came from the server, or the connection changed: silence counts from here."""
        self._heard = now

    def stamped(self, s_sent: int, now: int) -> None:
        """A message that tells when it left: the server's clock is at least that far."""
        floor = s_sent - now
        self._floor = floor if self._floor is None else max(self._floor, floor)

    def deal_runs(self, runs: bool, now: int) -> None:  # noqa: FBT001  # the sentence names it
        """Whether a deal runs at our table, or is counted down to. When one begins, the next beat is due at once."""
        if runs and not self._in_deal:
            self.hasten(now)
        self._in_deal = runs

    def hasten(self, now: int) -> None:
        """Let the next beat be due at once."""
        self.beat_at = min(self.beat_at, now)

    def beat(self, ticket: bytes, now: int) -> Beat:
        """The heartbeat to send now."""
        self._beats += 1
        if self._beats < QUICK_BEATS:
            self.beat_at = now + QUICK_BEAT_NS
        else:
            # A link that fell silent is felt for at the quick pace, so that its return is seen soon.
            self.beat_at = now + (self._beat_ns if now >= self.silent_at else self._pace_ns)
        back, self._back = self._back, (0, 0)
        return Beat(ticket, now, *back)

    def probed(self, probe: Probe, now: int) -> None:
        """The server asks for a sign, some time from now."""
        self._echoes.append((now + probe.wait_us * 1_000, probe.s_sent, now))

    def echo(self, ticket: bytes, now: int) -> ProbeBack | None:
        """The sign that is due, if one is."""
        for due in self._echoes:
            if due[0] <= now:
                self._echoes.remove(due)
                return ProbeBack(ticket, now, *due[1:])
        return None

    @property
    def echo_at(self) -> int | None:
        """When the first sign is due."""
        return min(self._echoes)[0] if self._echoes else None

    def answered(self, message: BeatBack, now: int) -> None:
        """The answer to a heartbeat came at `now`. One to a beat that was never sent is ignored."""
        if message.c_send > now:
            return
        self._clock.heard(message.s_sent, now)
        self._clock.told(message.c_send, message.s_got, now)
        if self._back == (0, 0):  # of several that came in one heap the first was the slowest: it tells most
            self._back = (message.s_sent, now)
        if message.beat_us:
            self._beat_ns = min(max(message.beat_us * 1_000, MILLISECOND_NS), LONGEST_BEAT_NS)
            if self._in_deal:
                self.beat_at = min(self.beat_at, now + self._beat_ns)
        self._rtts.append(now - message.c_send - (message.s_sent - message.s_got))
        self.rtt_ns = min(self._rtts)
        self.jitter_ns = max(self._rtts) - self.rtt_ns

    @property
    def silent_at(self) -> int:
        """When the link counts as lost, unless something comes before."""
        return self._heard + self._pace_ns + PATIENCE_NS

    def server_now(self, now: int) -> int | None:
        """The server's clock, by our best guess; None before anything is known of it."""
        theta = self._clock.theta(now)
        if theta is None:
            theta = self._floor
        return None if theta is None else now + theta

    def own_time(self, server_ns: int) -> int:
        """When the server's clock will show `server_ns`, on ours; as soon as may be while it is not known."""
        then = self.server_now(self._heard)
        return self._heard if then is None else self._heard + server_ns - then

    @property
    def _pace_ns(self) -> int:
        return self._beat_ns if self._in_deal else self._beat_ns * IDLE_BEAT_FACTOR
