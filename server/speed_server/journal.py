"""The tournaments' log on disk: an append-only, hash-chained SQLite table, written by a thread of its own.

What `append` is given is on disk when `durable` says so, and only then may it be announced. The chain makes each entry
depend on all before it: a changed byte anywhere is found at the start, which then names the entry. A log that was cut
off in its last transaction by a power cut loses only what nobody was told.

The writer thread owns the connection. It never raises: a full disk or an I/O error is told by `trouble`, the entries
stay in its hands, and it tries again. `wake` is called from the thread after each step, to let the server's loop
look.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from speed_server.journal_file import JournalError, busy_or_broken, connect, copy_to, damaged, insert, read_chain
from speed_server.tournament.entries import Entry

RETRY_S: Final = 1.0

_Item = Sequence[Entry] | Path | None


class Journal:
    """The log in one file. Use it as a context manager, or `close` it: that writes what is still in hand.

    Raises JournalError if the file is damaged or in use by another server.
    """

    def __init__(self, path: Path, wake: Callable[[], None] = lambda: None) -> None:
        self.path = path
        self.trouble = ""
        """What keeps the thread from writing, for people; empty while all is well."""
        self._wake = wake
        self._queue: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._durable: dict[str, int] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self.entries = self._read()
        """All entries at the start, in the order of the log."""
        self._thread = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, entries: Sequence[Entry]) -> None:
        """Hand entries over to be written as one transaction; returns at once."""
        if entries:
            self._queue.put(tuple(entries))

    def durable(self, tid: str) -> int:
        """The `seq` of a tournament's last entry that is on disk; 0 for none."""
        with self._lock:
            return self._durable.get(tid, 0)

    def backup(self, path: Path) -> None:
        """Have a copy of the log written to `path`, after all that was appended before."""
        self._queue.put(path)

    def close(self) -> None:
        """Write what is in hand, unless the disk refuses it, and end the thread."""
        self._closing.set()
        self._queue.put(None)
        self._thread.join()

    # --- at the start -------------------------------------------------------------------------------------------------

    def _read(self) -> list[Entry]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(connect(self.path)) as connection:
                entries = read_chain(connection, self.path)
        except sqlite3.OperationalError as error:
            raise JournalError(busy_or_broken(self.path, error)) from None
        except sqlite3.DatabaseError as error:
            raise JournalError(damaged(self.path, f"SQLite says {error}")) from None
        for entry in entries:
            self._durable[entry.tid] = entry.seq
        return entries

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        connection: sqlite3.Connection | None = None
        try:
            while (item := self._queue.get()) is not None:
                connection = self._write(connection, item)
        finally:
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    def _write(self, connection: sqlite3.Connection | None, item: Sequence[Entry] | Path) -> sqlite3.Connection | None:
        """Write one item, however long it takes; the connection afterwards."""
        while True:
            try:
                connection = connection or connect(self.path)
                if isinstance(item, Path):
                    copy_to(connection, item)
                else:
                    self._commit(connection, item)
                self.trouble = ""
            except sqlite3.IntegrityError as error:
                self.trouble = (
                    f"the log {self.path} refuses an entry ({error}): stop the other server that writes to it"
                )
            except (sqlite3.Error, OSError, JournalError) as error:
                self.trouble = f"the log {self.path} cannot be written ({error}): make room or repair the disk"
            else:
                self._wake()
                return connection
            self._wake()
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()
                connection = None
            if isinstance(item, Path) or self._closing.wait(RETRY_S):
                return None

    def _commit(self, connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
        insert(connection, entries)
        with self._lock:
            for entry in entries:
                self._durable[entry.tid] = entry.seq
