"""The file of the tournaments' log: its table, its chain, and what can be wrong with it.

Each entry's hash depends on all entries before it, and triggers refuse any change. So a changed byte is found at the
start, and the entry it is in can be named.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import msgspec

from speed_server.tournament.entries import Entry

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS event (
    number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    tid TEXT NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    cmd_id TEXT UNIQUE,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (tid, seq)
);
CREATE TRIGGER IF NOT EXISTS event_is_final BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER IF NOT EXISTS event_stays BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""
ROOT: Final = "0" * 64
BACKUPS: Final = 10
_FULL: Final = 2


class JournalError(Exception):
    """The log cannot be used; the text says in one line what is wrong and what to do."""


def chain(prev: str, entry: Entry) -> str:
    """The hash of an entry that follows the one with hash `prev`."""
    parts = (prev, entry.seq, entry.tid, entry.at, entry.actor, entry.kind, entry.body, entry.cmd_id)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def insert(connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Write entries after the last one, all or none. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        row = connection.execute("SELECT hash FROM event ORDER BY number DESC LIMIT 1").fetchone()
        prev = row[0] if row else ROOT
        for entry in entries:
            hash_ = chain(prev, entry)
            connection.execute(
                "INSERT INTO event (seq, tid, at, actor, kind, body, cmd_id, prev, hash)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    entry.seq,
                    entry.tid,
                    entry.at,
                    entry.actor,
                    entry.kind,
                    entry.body,
                    _key(entry),
                    prev,
                    hash_,
                ),
            )
            prev = hash_
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _key(entry: Entry) -> str | None:
    """A command's id is unique within its tournament."""
    return None if entry.cmd_id is None else f"{entry.tid}\x1f{entry.cmd_id}"


def connect(path: Path) -> sqlite3.Connection:
    """A connection that writes safely to the log, a new one if there is none. Raises sqlite3.Error, JournalError."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=2)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        _check_safe(connection, path)
        connection.executescript(SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_safe(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA synchronous").fetchone()[0] != _FULL:
        raise JournalError(f"the log {path} cannot be written safely here: use a SQLite with synchronous=FULL")


def read_chain(connection: sqlite3.Connection, path: Path) -> list[Entry]:
    """All entries, checked. Raises JournalError naming the first one that is not as it was written."""
    connection.text_factory = lambda raw: raw.decode(errors="replace")  # so that the chain finds it, and can name it
    prev, last = ROOT, 0
    entries = []
    seqs: dict[str, int] = {}
    rows = connection.execute(
        "SELECT number, seq, tid, at, actor, kind, body, cmd_id, prev, hash FROM event ORDER BY number"
    )
    for number, seq, tid, at, actor, kind, body, key, before, hash_ in rows:
        cmd_id = None if key is None else str(key).partition("\x1f")[2]
        entry = Entry(seq, tid, at, actor, kind, body, cmd_id)
        if not _is_text(tid, at, actor, kind, body) or before != prev or hash_ != chain(prev, entry):
            raise JournalError(damaged(path, f"entry {number} (number {seq} of {tid}) is not as it was written"))
        if number != last + 1 or seq != seqs.get(tid, 0) + 1:
            raise JournalError(damaged(path, f"an entry before entry {number} is missing"))
        prev, last, seqs[tid] = hash_, number, seq
        entries.append(entry)
    verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise JournalError(damaged(path, f"SQLite says {verdict}"))
    return entries


def _is_text(*values: object) -> bool:
    return all(isinstance(value, str) for value in values)


def verify(path: Path) -> int:
    """Check a log that nobody needs to own; the number of its entries. Raises JournalError."""
    if not path.is_file():
        raise JournalError(f"there is no log {path}: name the file of a tournament")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return len(read_chain(connection, path))
    except sqlite3.DatabaseError as error:
        raise JournalError(damaged(path, f"SQLite says {error}")) from None


def restore(backup: Path, path: Path) -> None:
    """Put a verified backup in the place of a damaged log, which is kept as `.damaged`. Raises JournalError."""
    verify(backup)
    for suffix in ("", "-wal", "-shm"):
        old = path.with_name(path.name + suffix)
        if old.exists():
            old.replace(path.with_name(f"{path.name}.damaged{suffix}"))
    with closing(sqlite3.connect(backup)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)


def copy_to(connection: sqlite3.Connection, path: Path) -> None:
    """A copy that is whole or not there at all; of the copies beside it the oldest go."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    connection.execute("VACUUM INTO ?", (str(part),))
    part.replace(path)
    copies = sorted(path.parent.glob(f"*{path.suffix}"), key=lambda copy: copy.stat().st_mtime_ns)
    for old in copies[:-BACKUPS]:
        old.unlink(missing_ok=True)


def busy_or_broken(path: Path, error: sqlite3.OperationalError) -> str:
    """What to say about a log that does not open."""
    if "locked" in str(error) or "busy" in str(error):
        return f"the log {path} is in use: stop the other server, or start this one with another --data"
    return f"the log {path} cannot be opened ({error}): check the folder, or start with another --data"


def damaged(path: Path, what: str) -> str:
    """What to say about a log that is not as it was written."""
    return f"the log {path} is damaged, {what}: start with --restore BACKUP, the file is kept"
