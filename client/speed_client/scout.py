"""Looking for servers: listens to the network and knocks at every door that is heard of. Part of the rim."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from time import perf_counter_ns
from typing import Any, Final

from speed_client.browse import Gone, Seen, browse
from speed_client.door import Address, DoorError, Server, knock
from speed_client.finding import Finding, Row

KNOCK_SECONDS: Final = 1.2
AT_ONCE: Final = 16
LONGEST_SECONDS: Final = 1.0

Knock = Callable[[Address, float], Awaitable[Server]]
Browse = Callable[[Seen, Gone], Coroutine[Any, Any, str]]


class Scout:
    """Keeps a `Finding` up to date while `run` runs."""

    def __init__(self, finding: Finding, *, knock: Knock = knock, browse: Browse = browse) -> None:
        self._finding = finding
        self._knock = knock
        self._browse = browse
        self._heard = asyncio.Event()
        self._doors = asyncio.Semaphore(AT_ONCE)

    async def run(self, on_change: Callable[[], None]) -> None:
        """Look until cancelled. `on_change` is called after everything learned."""
        finding = self._finding

        def heard() -> None:
            self._heard.set()
            on_change()

        listener = asyncio.create_task(self._listen(heard))
        knocking: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._heard.clear()
                for row in finding.due(perf_counter_ns()):
                    task = asyncio.create_task(self._ask(row, on_change))
                    knocking.add(task)
                    task.add_done_callback(knocking.discard)
                due = finding.next_due()
                seconds = LONGEST_SECONDS if due is None else max(0.0, (due - perf_counter_ns()) / 1e9)
                # Not `wait_for`, which in Python 3.11 swallows a cancel that comes at the moment of the event.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(seconds, LONGEST_SECONDS)):
                        await self._heard.wait()
        finally:
            for task in (listener, *knocking):
                task.cancel()
            await asyncio.gather(listener, *knocking, return_exceptions=True)

    async def _listen(self, heard: Callable[[], None]) -> None:
        finding = self._finding

        def seen(sighting: Any) -> None:
            finding.announced(sighting, perf_counter_ns())
            heard()

        def gone(server_id: str) -> None:
            finding.gone(server_id)
            heard()

        finding.fault = await self._browse(seen, gone)
        heard()

    async def _ask(self, row: Row, on_change: Callable[[], None]) -> None:
        """Knock at a server's addresses, one after the other, until one answers."""
        why = ""
        async with self._doors:
            for address in row.addresses:
                start = perf_counter_ns()
                try:
                    server = await self._knock(address, KNOCK_SECONDS)
                except DoorError as error:
                    why = why or str(error)
                    continue
                now = perf_counter_ns()
                self._finding.answered(row.id, address, server.line, now - start, now)
                on_change()
                return
        self._finding.silent(row.id, why)
        on_change()
