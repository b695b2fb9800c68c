"""How a thread has the server's loop look at what it has left for it."""

from __future__ import annotations

from collections.abc import Callable


class Bell:
    """Rung by any thread. `wake` ends the loop's wait; whoever looks sets `rang` back first."""

    def __init__(self) -> None:
        self.rang = False
        self.wake: Callable[[], None] = lambda: None

    def ring(self) -> None:
        """Have the loop look."""
        self.rang = True
        self.wake()
