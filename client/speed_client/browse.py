"""Listening for servers that announce themselves by multicast DNS, in the running asyncio loop. Part of the rim.

python-zeroconf is imported here and nowhere else in the client, in a thread, since that takes longer than the first
picture of the list. A network without multicast is no error of anybody's: `run` ends, and says why.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
from collections.abc import Callable
from typing import Any, Final

from speed_client.finding import SERVICE, Sighting, read_sighting
from speed_client.printable import printable

RESOLVE_MS: Final = 1_500

Seen = Callable[[Sighting], None]
Gone = Callable[[str], None]


async def browse(seen: Seen, gone: Gone, library: Any = None) -> str:
    """Call `seen` for each announcement of a server and `gone` with the id of each that left, until cancelled.

    Ends only where the network cannot be listened to; the reason. `library` is `zeroconf.asyncio`, imported if None.
    """
    try:
        library = library or await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")
        network = library.AsyncZeroconf()
    except Exception as error:  # noqa: BLE001 - a list without multicast is still a list
        return printable(str(error) or type(error).__name__, 120)
    instances: dict[str, str] = {}
    tasks: set[asyncio.Task[None]] = set()

    async def resolve(name: str) -> None:
        info = library.AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(network.zeroconf, RESOLVE_MS):
            return
        sighting = read_sighting(name, info.port, info.parsed_scoped_addresses(), info.properties or {})
        if sighting is not None:
            instances[name] = sighting.id
            seen(sighting)

    def changed(*, name: str, state_change: Any, **_rest: Any) -> None:
        if state_change.name == "Removed":
            if name in instances:
                gone(instances.pop(name))
            return
        task = asyncio.create_task(resolve(name))
        tasks.add(task)
        task.add_done_callback(_finished)
        task.add_done_callback(tasks.discard)

    browser = library.AsyncServiceBrowser(network.zeroconf, [SERVICE], handlers=[changed])
    try:
        await asyncio.Event().wait()
    finally:
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(OSError, RuntimeError):
            await browser.async_cancel()
            await network.async_close()
    return ""


def _finished(task: asyncio.Task[None]) -> None:
    """What a stranger's packet made of zeroconf concerns one row, which is then not shown."""
    if not task.cancelled():
        task.exception()
