"""Counting wrong passcodes: so many of one address, so many in all, within a minute. Pure.

Over the limit nobody is told whether a passcode was right, not even who has it: else the limit would limit nothing.
But whose address came in before, and has not guessed itself, comes in whatever others do: strangers shall not be able
to lock players out of their own game.
"""

from __future__ import annotations

import ipaddress
from collections import deque
from typing import Final

from speed_server.limits import KNOWN_BEFORE, Limits

_NETWORK_BITS: Final = 64
"""One machine may have every IPv6 address of its network part; it is counted as one."""


class Guesses:
    """Who guessed when. Addresses are those of `visitors.plain_address`."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._wrong: deque[tuple[int, str]] = deque()
        self._welcome: dict[str, None] = {}

    def too_many(self, address: str, now: int) -> bool:
        """Whether nobody may try from this address at `now`."""
        while self._wrong and now - self._wrong[0][0] >= self._limits.guesses_ns:
            self._wrong.popleft()
        who = _counted_as(address)
        if sum(other == who for _, other in self._wrong) >= self._limits.guesses_of_one_address:
            return True
        return len(self._wrong) >= self._limits.guesses_in_all and who not in self._welcome

    def wrong(self, address: str, now: int) -> None:
        """A wrong passcode was tried from the address."""
        self._wrong.append((now, _counted_as(address)))

    def right(self, address: str) -> None:
        """The right one was."""
        who = _counted_as(address)
        self._welcome.pop(who, None)
        self._welcome[who] = None
        if len(self._welcome) > KNOWN_BEFORE:
            del self._welcome[next(iter(self._welcome))]


def _counted_as(text: str) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address) or address.is_link_local:
        return text
    return str(ipaddress.ip_network((address, _NETWORK_BITS), strict=False))
