"""`--stats FILE`: how the server does, one JSON object a line, every five seconds. Part of the rim.

For a host who wants to know whether the machine keeps up, and for `scripts/load`. The lines are written by a thread of
their own: the game waits for no disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

EVERY_NS: Final = 5_000_000_000
CLOSING_S: Final = 2.0
MOST_WAITING: Final = 100
"""Lines that may wait for a slow disk; later ones are dropped."""

_STATM: Final = Path("/proc/self/statm")
_DESCRIPTORS: Final = Path("/proc/self/fd")


class StatsError(Exception):
    """The file cannot be written. The text names the remedy."""


class StatsFile:
    """The file, appended to until `close`. Raises `StatsError` when it cannot be opened."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("a", encoding="utf-8")
        except OSError as error:
            raise StatsError(f"cannot write {path} ({error.strerror}): give another --stats FILE") from None
        self._path = path
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._run, name="stats", daemon=True)
        self._thread.start()

    def write(self, figures: dict[str, Any]) -> None:
        """Add a line: the time of day, these figures, and what the process uses. Never waits, never raises."""
        line = {"at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", **figures, **_own_usage()}
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(json.dumps(line))

    def close(self) -> None:
        """Write what waits."""
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(None)
        self._thread.join(CLOSING_S)

    def _run(self) -> None:
        failing = False
        with contextlib.suppress(OSError), self._file as file:
            while (line := self._lines.get()) is not None:
                try:
                    file.write(line + "\n")
                    file.flush()
                except OSError as error:
                    if not failing:
                        _complain(f"no more figures: cannot write {self._path} ({error.strerror})")
                    failing = True


def _own_usage() -> dict[str, float]:
    """Processor seconds so far; where the system tells them cheaply, memory in MB and open descriptors."""
    used: dict[str, float] = {"cpu_s": round(time.process_time(), 3)}
    with contextlib.suppress(OSError, ValueError, IndexError):
        used["memory_mb"] = round(int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
        used["descriptors"] = sum(1 for _ in _DESCRIPTORS.iterdir())
    return used


def _complain(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(f"speed-server: {text}", file=sys.stderr, flush=True)  # noqa: T201
