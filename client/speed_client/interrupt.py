"""Ctrl-C and `kill` for the faces without a screen: an orderly farewell instead of an exception. Part of the rim."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def on_interrupt(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> Iterator[None]:
    """Call `call` in the loop at SIGINT or SIGTERM; where a loop cannot (Windows), Ctrl-C stays an exception."""
    caught: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, call)
            caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
