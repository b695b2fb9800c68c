"""When a picture changes by itself, and a figure that must not change too often.

A screen wakes for a clock's next second or the end of a sentence, and never else. Instants are this machine's
nanoseconds.
"""

from __future__ import annotations

from typing import Final

SECOND_NS: Final = 1_000_000_000
TENTH_NS: Final = 100_000_000
ANSWER_NS: Final = SECOND_NS


class Wake:
    """The first instant at which the picture changes by itself, on this machine's clock."""

    __slots__ = ("at", "now")

    def __init__(self, now: int) -> None:
        self.now = now
        self.at: int | None = None

    def by(self, instant: int) -> None:
        """Something shown changes at `instant`; the past does not count."""
        if instant > self.now and (self.at is None or instant < self.at):
            self.at = instant

    def seconds_left(self, left_ns: int) -> int:
        """Whole seconds until something, begun ones counted; it changes with each."""
        if left_ns <= 0:
            return 0
        self.by(self.now + (left_ns - 1) % SECOND_NS + 1)
        return -(-left_ns // SECOND_NS)

    def tenths_left(self, left_ns: int) -> str:
        """Seconds and tenths until something, as `1.4`; it changes with each tenth."""
        tenths = max(0, -(-left_ns // TENTH_NS))
        if left_ns > 0:
            self.by(self.now + (left_ns - 1) % TENTH_NS + 1)
        return f"{tenths // 10}.{tenths % 10}"

    def seconds_gone(self, gone_ns: int) -> int:
        """Whole seconds since something; it changes with each."""
        self.by(self.now + SECOND_NS - gone_ns % SECOND_NS)
        return gone_ns // SECOND_NS

    def tenths_gone(self, gone_ns: int) -> int:
        """Whole tenths of a second since something; it changes with each."""
        self.by(self.now + TENTH_NS - gone_ns % TENTH_NS)
        return gone_ns // TENTH_NS


class Answers:
    """What is shown of the link: held still for a second, so that it costs no redraw at each heartbeat."""

    __slots__ = ("_link", "_link_until", "_shown", "_until")

    def __init__(self) -> None:
        self._shown = ""
        self._link: tuple[str, ...] = ()
        self._until = self._link_until = 0

    def text(self, rtt_ns: int | None, now: int) -> str:
        """The answer time in the header, as `0.4 ms`."""
        if rtt_ns is not None and now >= self._until:
            self._shown, self._until = _ms(rtt_ns), now + ANSWER_NS
        return self._shown

    def link(self, rtt_ns: int | None, jitter_ns: int, settled_ns: int | None, now: int) -> tuple[str, ...]:
        """The lines about the link in the side panel: the way there and back, and how soon all see our plays."""
        if rtt_ns is not None and now >= self._link_until:
            self._link_until = now + ANSWER_NS
            self._link = (f"there and back in {_ms(rtt_ns)}", f"at worst {_ms(jitter_ns)} longer")
            if settled_ns is not None:
                self._link += (f"all see your plays in {_ms(settled_ns)}",)
        return self._link


def _ms(duration_ns: int) -> str:
    return f"{duration_ns / 1_000_000:.1f} ms"
