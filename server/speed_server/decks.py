"""Where a table's cards come from: a secret seed for each deal, or at a table laid by code a number that all may know.

A number is short enough to be searched by a program that knows its own cards, so only what was asked for by code is
dealt by number: the code's own deal first, after it random ones, whose codes are shown as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from speed_common.deck import MAX_DEAL_NUMBER, SEED_BYTES, CodeStream, SecretStream

_NUMBER_BYTES: Final = 16
"""So many more than the numbers need that none of them is favoured."""


class Decks:
    """The decks of one table, in order. `secrets(n)` gives n random bytes.

    `first` is the number of the first deal at a table laid by code, else None; `every` is the number of all deals where
    the host wants one.
    """

    def __init__(self, secrets: Callable[[int], bytes], first: int | None, every: int | None) -> None:
        self.by_code = first is not None
        self.next_number = every if first is None else first
        """The number of the deal that comes next, where it is settled."""
        self._secrets = secrets
        self._every = every

    def stream(self) -> CodeStream | SecretStream:
        """The order of the next deal's cards. A numbered deal stays the next until it is `used`."""
        if self.next_number is None:
            return SecretStream(self._secrets(SEED_BYTES))
        return CodeStream(self.next_number)

    def used(self) -> None:
        """The deal was revealed: another one comes next."""
        self.next_number = self._every
        if self._every is None and self.by_code:
            self.next_number = int.from_bytes(self._secrets(_NUMBER_BYTES)) % (MAX_DEAL_NUMBER + 1)
