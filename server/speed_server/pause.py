"""A deal's pause: time stands still for the cards while somebody who dropped is waited for."""

from __future__ import annotations


class Pause:
    """Instants are server time, nanoseconds. `until_ns` is when the wait is over; 0 while nothing is paused."""

    __slots__ = ("since_ns", "until_ns")

    def __init__(self) -> None:
        self.since_ns = 0
        self.until_ns = 0

    def __bool__(self) -> bool:
        return self.until_ns > 0

    def wait(self, now: int, grace_ns: int) -> None:
        """Begin to wait, or wait anew, a whole grace from now; time stands still since the first of these."""
        if not self:
            self.since_ns = now
        self.until_ns = now + grace_ns

    def over(self, now: int) -> bool:
        """Whether the wait was in vain."""
        return bool(self) and now >= self.until_ns

    def end(self, now: int) -> int:
        """End the pause; how long time stood still."""
        stood = now - self.since_ns if self else 0
        self.until_ns = 0
        return stood
