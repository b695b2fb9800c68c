"""Which tournament is meant where none was named: the first that a server has. Part of the rim."""

from __future__ import annotations

import asyncio
import contextlib
from time import perf_counter_ns
from typing import Final

from speed_client.door import DoorError
from speed_client.news import LobbyChanged
from speed_client.watch import WatchLink
from speed_client.watching import Watching

PATIENCE_SECONDS: Final = 5.0


async def first_tournament(link: WatchLink) -> str:
    """The name in topics of the first tournament in the server's list. Raises `DoorError` where there is none."""
    watching = Watching(0, perf_counter_ns(), tables=False)

    def changed() -> None:
        if any(isinstance(item, LobbyChanged) for item in watching.news):
            watching.stop("left", "")

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            await link.run(watching, changed)
    if not watching.tournaments:
        raise DoorError("the server has no tournament: leave --tournament out, or ask its director for one")
    return watching.tournaments[0].tid
