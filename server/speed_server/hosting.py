"""Taking the tournaments up where the last run left them, and who may direct: what is done once at the start."""

from __future__ import annotations

import base64
import contextlib
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from speed_server.bell import Bell
from speed_server.evening.evening import Evening
from speed_server.journal import Journal
from speed_server.journal_file import JournalError, restore, verify
from speed_server.keys import KeysError, write_whole
from speed_server.office import LOG_FILE, Office
from speed_server.tournament.entries import Entry

SECRET_FILE: Final = "director"  # noqa: S105  # its name
_SECRET_BYTES: Final = 10
_GROUP: Final = 4
_LEAST_SECRET: Final = 8
_MOST_SECRET: Final = 64
_NS: Final = 1_000_000_000


class Hosting(NamedTuple):
    """The tournaments, their office, the director's secret and whether it was made just now."""

    evening: Evening
    office: Office
    secret: str
    secret_is_new: bool


@contextlib.contextmanager
def hosting(
    data: Path,
    backup: Path | None,
    wall: Callable[[], int],
    clock: Callable[[], int],
    warn: Callable[[str], None],
) -> Iterator[Hosting]:
    """All tournaments of a data folder, resumed; from `backup` if that is given. Raises JournalError, KeysError.

    `wall` gives nanoseconds since the epoch, `clock` the server's monotonic ones.
    """
    secret, is_new = director_secret(data)
    if backup is not None:
        restore(backup, data / LOG_FILE)
    bell = Bell()
    with Journal(data / LOG_FILE, bell.ring) as journal:
        now = clock()
        evening = Evening(journal.entries, _start_of(journal.entries, wall()) - now, now)
        yield Hosting(evening, Office(data, journal, bell, evening, warn), secret, is_new)


def director_secret(data: Path) -> tuple[str, bool]:
    """The director's secret of a folder, and whether it was made just now. Raises KeysError."""
    path = data / SECRET_FILE
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        secret = _new_secret()
        try:
            write_whole(path, f"{secret}\n".encode())
        except OSError as error:
            raise KeysError(f"cannot write {path} ({error.strerror}): give another folder with --data DIR") from None
        return secret, True
    except (OSError, UnicodeDecodeError):
        raise KeysError(f"cannot read the director's secret {path}: remove it, the next start makes another") from None
    if not _LEAST_SECRET <= len(secret) <= _MOST_SECRET:
        raise KeysError(f"the director's secret {path} is not of 8 to 64 letters: remove it, or write a better one")
    return secret, False


def _new_secret() -> str:
    """16 letters and digits that are easy to read out: 80 random bits."""
    plain = base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode().lower()
    return "-".join(plain[n : n + _GROUP] for n in range(0, len(plain), _GROUP))


def _start_of(entries: Sequence[Entry], wall: int) -> int:
    """The tournaments' time of now: this machine's, but never before what the log has already."""
    last = max((_time_of(entry) for entry in entries), default=0)
    return max(wall, last)


def _time_of(entry: Entry) -> int:
    return int(datetime.fromisoformat(entry.at).timestamp() * _NS) + _NS // 1_000


def main(arguments: Sequence[str]) -> int:
    """Run `speed-server verify FILE`; the exit code: 0, 1 for a log that is not whole, 2 for a wrong command."""
    if len(arguments) != 1 or arguments[0][:1] in {"", "-"}:
        print("speed-server verify: write `speed-server verify FILE`, a tournaments.db", file=sys.stderr)  # noqa: T201
        return 2
    try:
        print(f"the log is whole: {verify(Path(arguments[0]))} entries")  # noqa: T201
    except JournalError as error:
        print(f"speed-server: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0
