"""What the server knows of one player's link: the clock at its far end, and how long messages take.

Everything comes from stamps: each message up says when it left (`c_send`), each heartbeat and each echo of a probe also
when something of ours came (`s_sent`, `c_got`). The clock's difference is an interval (see `speed_common.clock`);
delays are known only as far as the path is symmetric, and whatever asymmetry hides is the same in both directions, so
that it cancels where a showing and a press are read by the same clock.

A clock that steps, or a machine that slept, contradicts the interval: then everything is forgotten, `epoch` goes up,
and readings from before count no more. All times are nanoseconds; `c_*` are the client's, all others the server's.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from speed_common.clock import Clock

SAMPLES: Final = 128
SAMPLE_NS: Final = 100_000_000
"""Between two samples of a delay: a window of quick heartbeats would else be shorter than what disturbs a link."""

PEAK_BUCKET_NS: Final = 500_000_000
PEAK_BUCKETS: Final = 20
REFRESH_NS: Final = 500_000_000
JUMP_NS: Final = 1_000_000
"""A clock that is so far ahead of what can be has jumped, and not drifted since its bounds were last worked out."""

LONG_AGO: Final = -(1 << 62)


class _Peak:
    """The greatest value of the last ten seconds."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: list[tuple[int, int]] = []

    def add(self, value: int, now: int) -> None:
        kept, bucket = self._kept, now // PEAK_BUCKET_NS
        while kept and kept[-1][1] <= value:
            kept.pop()
        if not kept or kept[-1][0] < bucket:
            kept.append((bucket, value))

    def at(self, now: int) -> int:
        kept, oldest = self._kept, now // PEAK_BUCKET_NS - PEAK_BUCKETS
        while kept and kept[0][0] <= oldest:
            del kept[0]
        return max(0, kept[0][1]) if kept else 0


class Link:
    """One player's link. `grain_ns` is the step of the player's clock as the client measured it, 0 for a fine one.

    `theta_ns` is the client's clock minus ours (None: not in step), `error_ns` how wrong it can be at most. `up_ns`,
    `down_ns` are median delays, `up_low_ns`, `up_high_ns`, `down_high_ns` 10 %, 97 % and 95 %; all 0 until known;
    `slowest_up_ns`, `slowest_down_ns` are the longest of the last ten seconds;
    `down_newest` is how long the message took that the newest one echoes, None if it echoes none. `c_last` is when the
    newest message left, `c_before` the one before it; `c_floor` the oldest reading of this epoch.

    `excess_ns` is by how much the program's least round trip is longer than the kernel's, where that one is known: no
    forged stamp changes the kernel's. Stamps that are all set back look like a longer way up and would move theta by
    half of it, so theta is moved back.
    """

    __slots__ = (
        "_clock", "_down_peak", "_downs", "_echoed", "_epoch_at", "_refresh_at", "_sample_at", "_up_peak", "_ups",
        "c_before", "c_floor", "c_last", "down_high_ns", "down_newest", "down_ns", "epoch", "error_ns", "excess_ns",
        "grain_ns", "heard_at", "kernel_rtt_ns", "kernel_slack_ns", "slowest_down_ns", "slowest_up_ns", "theta_ns",
        "up_high_ns", "up_low_ns", "up_ns",
    )  # fmt: skip

    def __init__(self, kernel_slack_ns: int, grain_ns: int = 0) -> None:
        self.grain_ns = grain_ns
        self.kernel_slack_ns = kernel_slack_ns
        self.kernel_rtt_ns: int | None = None
        """The kernel's own least round trip, where it tells (`TCP_INFO`)."""
        self.epoch = 0
        self._clock = Clock()
        self.theta_ns: int | None = None
        self.error_ns = self.excess_ns = 0
        self.down_newest: int | None = None
        self._ups: deque[int] = deque(maxlen=SAMPLES)
        self._downs: deque[int] = deque(maxlen=SAMPLES)
        self._up_peak, self._down_peak = _Peak(), _Peak()
        self.slowest_up_ns = self.slowest_down_ns = 0
        self._refresh_at = self._sample_at = self._epoch_at = self._echoed = self.heard_at = 0
        self.c_floor = self.c_before = self.c_last = LONG_AGO
        self.up_low_ns = self.up_ns = self.up_high_ns = self.down_ns = self.down_high_ns = 0

    @property
    def synced(self) -> bool:
        """Whether the clock is known well enough to go by."""
        return self.theta_ns is not None

    def heard(self, c_send: int, now: int, s_sent: int = 0, c_got: int = 0, *, beat: bool = True) -> bool:
        """A message that left at `c_send` came at `now`; it may echo one of ours. False: the clock has stepped.

        `beat`: a heartbeat or a probe's echo, which nobody hurries or holds; only those say how the link is.
        An echo that was there before, or from an earlier epoch, is ignored.
        """
        epoch, down = self.epoch, None
        if c_send < self.c_last:
            self._step(c_send, now)
        self.c_before, self.c_last, self.heard_at = self.c_last, c_send, now
        theta = self.theta_ns
        if not beat and theta is not None:  # it brings nothing new, unless its clock has jumped ahead
            if c_send - now > theta + self.error_ns + JUMP_NS:
                self._step(c_send, now)
            return self.epoch == epoch
        clock = self._clock
        clock.heard(c_send, now)
        if self._echoed < s_sent <= now and s_sent >= self._epoch_at and self.c_floor <= c_got <= c_send:
            self._echoed = s_sent
            clock.told(s_sent, c_got + self.grain_ns, now)
            down = (c_got, s_sent)
        bounds = clock.bounds(now)
        if clock.epoch or (bounds is not None and bounds[0] > bounds[1]):
            self._step(c_send, now)
        elif bounds is not None and clock.synced:
            self.error_ns = (bounds[1] - bounds[0]) // 2
            if self.kernel_rtt_ns is not None:
                self.excess_ns = max(0, 2 * self.error_ns - self.grain_ns - self.kernel_rtt_ns - self.kernel_slack_ns)
            self.theta_ns = (bounds[0] + bounds[1] - self.excess_ns) // 2
        if beat and self.theta_ns is not None:
            self._sample(now - self.server_time(c_send), down and self.server_time(down[0]) - down[1], now)
        return self.epoch == epoch

    def trusted(self, c_send: int, now: int, doubt_ns: int) -> bool:
        """Whether the clock can be gone by for a message that came now: one very late says that it may have stopped."""
        return self.theta_ns is not None and now - self.server_time(c_send) < doubt_ns

    def server_time(self, c_reading: int) -> int:
        """A reading of the player's clock as server time. The clock must be in step."""
        assert self.theta_ns is not None, "nothing is known of this clock"
        return c_reading + self.grain_ns // 2 - self.theta_ns

    def _sample(self, up: int, down: int | None, now: int) -> None:
        """Note how long a heartbeat took, and the message that it echoes."""
        sampled = now >= self._sample_at
        self.down_newest = None if down is None else down - self.excess_ns
        self._up_peak.add(up, now)
        self.slowest_up_ns = max(self.slowest_up_ns, up)
        if down is not None:
            self._down_peak.add(down - self.excess_ns, now)
            self.slowest_down_ns = max(self.slowest_down_ns, down - self.excess_ns)
        if sampled:
            self._sample_at = now + SAMPLE_NS
            self._ups.append(up)
            if down is not None:
                self._downs.append(down - self.excess_ns)
        if now >= self._refresh_at and self._downs:
            self._refresh_at = now + REFRESH_NS
            self.slowest_up_ns, self.slowest_down_ns = self._up_peak.at(now), self._down_peak.at(now)
            ups, downs = sorted(self._ups), sorted(self._downs)
            self.up_low_ns, self.up_ns = max(0, ups[len(ups) // 10]), max(0, ups[len(ups) // 2])
            self.up_high_ns = max(0, ups[len(ups) * 97 // 100])
            self.down_ns, self.down_high_ns = max(0, downs[len(downs) // 2]), max(0, downs[len(downs) * 95 // 100])

    def _step(self, c_send: int, now: int) -> None:
        """Forget everything but that the clock showed `c_send` lately: from there the new epoch counts."""
        self.epoch += 1
        self._clock = Clock()
        self.theta_ns, self.error_ns, self.excess_ns = None, 0, 0
        self._ups.clear()
        self._downs.clear()
        self._up_peak, self._down_peak = _Peak(), _Peak()
        self.slowest_up_ns = self.slowest_down_ns = 0
        self._refresh_at = self._sample_at = self._echoed = 0
        self._epoch_at = now
        self.c_floor = self.c_before = self.c_last = c_send
        self.up_low_ns = self.up_ns = self.up_high_ns = self.down_ns = self.down_high_ns = 0
