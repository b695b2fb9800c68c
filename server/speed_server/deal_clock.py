"""Deal time: microseconds since the reveal, negative before it, standing still while the deal waits for somebody.

Instants are server time in nanoseconds. A stop moves the reveal: when the clock goes on, `reveal_at_ns` is later by as
long as it stood, so everything that was due in deal time stays due as long after as it was. It can be told beforehand
to go on at an instant to come, and stands still until then.
"""

from __future__ import annotations

from typing import Final

from speed_common.events import DealTime

NS_PER_US: Final = 1_000


class DealClock:
    """The clock of one table's deals."""

    __slots__ = ("_stopped_at_ns", "resumed_at_ns", "reveal_at_ns")

    def __init__(self) -> None:
        self.reveal_at_ns = 0
        self.resumed_at_ns = 0
        """No press from before this instant belongs to the deal as it runs now."""
        self._stopped_at_ns: int | None = None

    def start(self, now: int, countdown_ns: int) -> None:
        """A new deal, to be revealed after the countdown."""
        self.reveal_at_ns = now + countdown_ns
        self.resumed_at_ns = now
        self._stopped_at_ns = None

    def stop(self, now: int) -> None:
        """Stand still from now on."""
        if self._stopped_at_ns is None:
            self._stopped_at_ns = max(now, self.resumed_at_ns)

    def go(self, at_ns: int) -> None:
        """Go on at this instant, now or later."""
        if self._stopped_at_ns is not None:
            self.reveal_at_ns += at_ns - self._stopped_at_ns
            self.resumed_at_ns = at_ns
            self._stopped_at_ns = None

    @property
    def stopped(self) -> bool:
        """Whether it stands still until it is told to go on."""
        return self._stopped_at_ns is not None

    def hasten(self, now: int, lead_ns: int) -> None:
        """Bring the reveal forward to `lead_ns` from here."""
        self.reveal_at_ns = min(self.reveal_at_ns, self._here(now) + lead_ns)
        self.resumed_at_ns = min(self.resumed_at_ns, self._here(now))

    def before_reveal_ns(self, now: int) -> int:
        """How long it is to the reveal; negative after it."""
        return self.reveal_at_ns - self._here(now)

    def at(self, now: int) -> DealTime:
        """The deal time of now."""
        here = now if self._stopped_at_ns is None else self._stopped_at_ns
        return (max(here, self.resumed_at_ns) - self.reveal_at_ns) // NS_PER_US

    def server_time(self, at: DealTime) -> int:
        """The instant of a deal time while the clock goes on."""
        return self.reveal_at_ns + at * NS_PER_US

    def _here(self, now: int) -> int:
        return now if self._stopped_at_ns is None else self._stopped_at_ns
