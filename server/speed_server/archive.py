"""The records of finished deals on disk: a folder, and a thread of its own that writes into it. Part of the rim.

    2026-11-30T21-41-13Z-table-3-deal-7.jsonl    one deal, see `speed_common.record`

Files are 0600 in a folder 0700 and come whole or not at all. The game never waits for any of this: the loop only hands
values over, and the thread makes way after a few lines, so that it holds up no play. A disk that takes no more costs a
line on standard error and the records of that time.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from speed_server.records import Finished

KEEP: Final = 10_000
"""Records that are kept, at about 20 kB each."""

MOST_WAITING: Final = 1_000
"""Deals that may wait for a slow disk; later ones are not recorded, for memory has an end too."""

CLOSING_S: Final = 5.0
BREATH_S: Final = 0.000_2
BREATH_LINES: Final = 4
"""Python lets the loop wait for another thread's turn to end: a few lines, 0.1 ms. Each turn costs a waking as well."""

_NAME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-table-\d+-deal-\d+(-\d+)?\.(jsonl|half)")
_HALF: Final = ".half"
_TRIAL: Final = ".speed-server-trial"
_SECOND_NS: Final = 1_000_000_000


class ArchiveError(Exception):
    """The folder of the records cannot be used. The text names the remedy."""


class Keeper(Protocol):
    """Who takes the records of finished deals; `Archive` is the one."""

    def keep(self, finished: Sequence[Finished], now: int) -> None:
        """Take records; `now` is the server's clock. Never waits, never raises."""
        ...


class Archive:
    """A folder of records and the thread that fills it, until `close`. `wall` gives seconds of the day's clock.

    Raises `ArchiveError` when the folder cannot be made or written.
    """

    def __init__(self, folder: Path, most: int = KEEP, wall: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._most = most
        self._wall = wall
        self._waiting: deque[tuple[Finished, float]] = deque()
        self._change = threading.Condition()
        self._closing = False
        self._failing = False
        self._lost = 0
        self._names = _open_folder(folder)
        self._thread = threading.Thread(target=self._run, name="records", daemon=True)
        self._thread.start()

    def keep(self, finished: Sequence[Finished], now: int) -> None:
        """See `Keeper`."""
        wall = self._wall()
        with self._change:
            for one in finished:
                if len(self._waiting) < MOST_WAITING:
                    self._waiting.append((one, wall - (now - one.started_ns) / _SECOND_NS))
                else:
                    self._lost += 1
            self._change.notify()

    def close(self, patience_s: float = CLOSING_S) -> None:
        """Write what waits, for at most `patience_s`, and end."""
        with self._change:
            self._closing = True
            self._change.notify()
        self._thread.join(patience_s)
        left = len(self._waiting) + self._thread.is_alive()
        if left:
            _complain(f"{left} deals have no record: {self.folder} was too slow")

    def _run(self) -> None:
        self._prune()
        while True:
            with self._change:
                while not self._waiting and not self._closing:
                    self._change.wait()
                if not self._waiting:
                    return
                finished, started = self._waiting.popleft()
            try:
                self._write(finished, started)
            except OSError as error:
                self._fail(error.strerror or str(error))
            else:
                self._recover()
            self._prune()

    def _write(self, finished: Finished, started: float) -> None:
        date = datetime.fromtimestamp(started, UTC)
        name = f"{date:%Y-%m-%dT%H-%M-%SZ}-table-{finished.heading.table}-deal-{finished.heading.deal}"
        path, count = self.folder / f"{name}.jsonl", 1
        while path.exists():
            count += 1
            path = self.folder / f"{name}-{count}.jsonl"
        half = path.with_suffix(_HALF)
        try:
            _write_private(half, self._with_breath(finished.lines(f"{date:%Y-%m-%dT%H:%M:%SZ}")))
            half.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)
            raise
        self._names.append(path.name)

    def _with_breath(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        for count, line in enumerate(lines, 1):
            yield line
            if count % BREATH_LINES == 0 and not self._closing:
                time.sleep(BREATH_S)

    def _prune(self) -> None:
        """Delete the oldest records beyond those to be kept."""
        while len(self._names) > self._most:
            with contextlib.suppress(OSError):
                (self.folder / self._names.popleft()).unlink(missing_ok=True)

    def _fail(self, reason: str) -> None:
        """Say once that records are lost, not for each of them."""
        self._lost += 1
        if not self._failing:
            self._failing = True
            _complain(f"deals are not recorded any more: cannot write in {self.folder} ({reason})")

    def _recover(self) -> None:
        if self._failing or self._lost:
            _complain(f"deals are recorded again; {self._lost} have no record")
        self._failing, self._lost = False, 0


def _open_folder(folder: Path) -> deque[str]:
    """The names of the records in it, oldest first. What a crash left half written is removed.

    The folder may be anybody's, so nothing is touched whose name is not a record's.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        trial = folder / _TRIAL
        _write_private(trial, [])
        trial.unlink(missing_ok=True)
        names = sorted(path.name for path in folder.iterdir() if _NAME.fullmatch(path.name))
        for name in names:
            if name.endswith(_HALF):
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise ArchiveError(
            f"cannot keep records in {folder} ({error.strerror}): give another folder with --records DIR, "
            "or play without with --no-records"
        ) from None
    return deque(name for name in names if not name.endswith(_HALF))


def _write_private(path: Path, lines: Iterable[bytes]) -> None:
    # In a folder that others may write in, a link under the file's name must not lead to another file.
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags, 0o600)
    with os.fdopen(handle, "wb") as file:
        for line in lines:
            file.write(line)
        file.flush()
        os.fsync(file.fileno())


def _complain(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(f"speed-server: {text}", file=sys.stderr, flush=True)  # noqa: T201
