"""What a player keeps on disk: servers and their keys, and the tickets to come back by. Part of the rim.

    servers.json               server id -> key, name, last address, when it was last used
    passes.json                server id -> the key that its passcode stands for, -watch behind it for a watcher's
    practice.json              which speeds of the computer are open, and the best times
    tickets/<id>-<name>.json   the ticket of one name at one server
    tickets/<id>-<name>.lock   locked by the running client, so that a second one does not take the first one's seat

Files are 0600 in folders 0700 and replaced whole. Nothing here stops play: a file that cannot be read is put aside as
`.bad`, one that cannot be written is done without, and `notes` says so in a line each.
"""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final, TypeVar

import msgspec
import platformdirs

from speed_client.door import Address, DoorError, Server, fingerprint, is_loopback
from speed_client.progress import Progress
from speed_client.settings import parse_host
from speed_common.names import MAX_CELLS, clean_name
from speed_common.wire import TICKET_BYTES
from speed_common.words import key_words

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

HOME_VARIABLE: Final = "SPEED_HOME"
MOST_OF_ONE_NAME: Final = 99

_T = TypeVar("_T")


class KnownServer(msgspec.Struct, frozen=True):
    """A server met before."""

    key: str
    name: str
    address: str
    used: int = 0
    """When it was last joined, in seconds of the day's clock since 1970; 0 for never by a client that noted it."""


class _NoFileError(Exception):
    """A folder lies where a file should, or a pipe, which would be waited for."""


class _Ticket(msgspec.Struct, frozen=True):
    name: str
    ticket: str


class Claim:
    """A name at a server, held by this process until `release`, with the ticket of the last visit (or none)."""

    def __init__(self, profile: Profile, name: str, path: Path, ticket: bytes, lock: IO[bytes] | None) -> None:
        self.name = name
        self.ticket = ticket
        self._profile = profile
        self._path = path
        self._lock = lock

    def save(self, ticket: bytes) -> None:
        """Keep the ticket for the next visit."""
        self.ticket = ticket
        self._profile.write(self._path, _Ticket(self.name, ticket.hex()))

    def release(self) -> None:
        """Let another process have the name."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


class Profile:
    """One folder of kept things; `notes` are lines that the player should read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self.introduction = ""
        """The note on a server that was met for the first time, where it is not on this machine."""

    def remember(self, server: Server) -> None:
        """Note a server's key, name and address.

        Raises `DoorError` when the server is known under another key.
        """
        known = self._servers()
        line = server.line
        before = known.get(line.id)
        if before is not None and before.key != line.key:
            raise DoorError(
                f"THE KEY OF {line.name!r} at {server.address} HAS CHANGED, somebody may be in between: "
                f"from {fingerprint(before.key)} ({key_words(before.key)}) to {fingerprint(line.key)} "
                f"({key_words(line.key)}): ask its host; if that is right, speed-client --forget {server.address}"
            )
        if before is None and not is_loopback(server.numeric):
            another = any(other.address == str(server.address) for other in known.values())
            said = "another server than before" if another else "a server met for the first time"
            self.introduction = (
                f"{said}: {line.name!r} at {server.address}, its key reads: {key_words(line.key)}, "
                f"as its own screen must say"
            )
            self._note(self.introduction)
        now = KnownServer(line.key, line.name, str(server.address), before.used if before is not None else 0)
        if now != before:
            self.write(self._servers_path, {**known, line.id: now})

    def used(self, server_id: str, at: int) -> None:
        """Note that a server was joined, `at` seconds since 1970: the last used is listed first."""
        known = self._servers()
        if server_id in known:
            self.write(
                self._servers_path, {**known, server_id: msgspec.structs.replace(known[server_id], used=max(0, at))}
            )

    def recent(self) -> list[tuple[str, str, Address]]:
        """Id, name and address of the servers met before, the last used first."""
        found = []
        for server_id, server in sorted(self._servers().items(), key=lambda pair: -pair[1].used):
            with contextlib.suppress(ValueError):
                found.append((server_id, server.name, Address(*parse_host(server.address))))
        return found

    def progress(self) -> Progress:
        """What practice has brought so far."""
        return self._read(self._progress_path, Progress) or Progress()

    def keep_progress(self, progress: Progress) -> None:
        """Keep it for the next time."""
        self.write(self._progress_path, progress)

    def forget(self, address: str) -> list[str]:
        """Forget the servers last met at an address; their names."""
        known = self._servers()
        gone = {id_: server for id_, server in known.items() if server.address == address}
        if gone:
            self.write(self._servers_path, {id_: server for id_, server in known.items() if id_ not in gone})
            passes = self._passes()
            left = {of: key for of, key in passes.items() if of.partition("-")[0] not in gone}
            if left != passes:
                self.write(self._passes_path, left)
        return [server.name for server in gone.values()]

    def kept_pass(self, server_id: str, *, watching: bool) -> str:
        """The secret key (Z85) that opened a closed server before; empty if there is none. Who may play may watch."""
        passes = self._passes()
        return (passes.get(f"{server_id}-watch", "") if watching else "") or passes.get(server_id, "")

    def keep_pass(self, server_id: str, secret: str, *, watching: bool) -> None:
        """Keep it for the next visit."""
        passes, of = self._passes(), f"{server_id}-watch" if watching else server_id
        if passes.get(of) != secret:
            self.write(self._passes_path, {**passes, of: secret})

    def claim(self, server_id: str, name: str) -> Claim:
        """Take the name at the server, or `name 2`, `name 3`, .. while other clients on this machine hold it."""
        for number in range(1, MOST_OF_ONE_NAME + 1):
            tried = _numbered(name, number)
            stem = f"{server_id}-{hashlib.sha256(tried.encode()).hexdigest()[:16]}"
            folder = self.folder / "tickets"
            try:
                _make_folder(folder)
                lock = _lock(folder / f"{stem}.lock")
            except OSError as error:
                self._note(f"this client cannot come back by itself: {_reason(error, folder)}")
                return Claim(self, tried, folder / f"{stem}.json", b"", None)
            if lock is not None:
                path = folder / f"{stem}.json"
                return Claim(self, tried, path, self._ticket(path, tried), lock)
        raise DoorError(f"{MOST_OF_ONE_NAME} clients called {name!r} run here already: use --name")

    def write(self, path: Path, value: object) -> None:
        """Replace a file whole; a failure is a note."""
        try:
            _make_folder(path.parent)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(msgspec.json.format(msgspec.json.encode(value)) + b"\n")
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            self._note(f"{path.name} could not be kept: {_reason(error, path)}")

    @property
    def _servers_path(self) -> Path:
        return self.folder / "servers.json"

    @property
    def _progress_path(self) -> Path:
        return self.folder / "practice.json"

    @property
    def _passes_path(self) -> Path:
        return self.folder / "passes.json"

    def _passes(self) -> dict[str, str]:
        return self._read(self._passes_path, dict[str, str]) or {}

    def _servers(self) -> dict[str, KnownServer]:
        return self._read(self._servers_path, dict[str, KnownServer]) or {}

    def _ticket(self, path: Path, name: str) -> bytes:
        kept = self._read(path, _Ticket)
        if kept is None or kept.name != name:
            return b""
        try:
            ticket = bytes.fromhex(kept.ticket)
        except ValueError:
            ticket = b""
        if len(ticket) != TICKET_BYTES:
            self._put_aside(path)
            return b""
        return ticket

    def _read(self, path: Path, kind: type[_T]) -> _T | None:
        try:
            return msgspec.json.decode(_read_file(path), type=kind)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._note(f"{path.name} could not be read: {_reason(error, path)}")
            return None
        except (msgspec.DecodeError, RecursionError, _NoFileError):
            self._put_aside(path)
            return None

    def _put_aside(self, path: Path) -> None:
        bad = path.with_name(path.name + ".bad")
        with contextlib.suppress(OSError):
            path.replace(bad)
        self._note(f"{path} is damaged: it is kept as {bad.name}, and play goes on without it")

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def open_profile(environment: Mapping[str, str]) -> Profile:
    """The profile of this user, or of the folder that `SPEED_HOME` names."""
    home = environment.get(HOME_VARIABLE)
    if home:
        return Profile(Path(home))
    return Profile(Path(platformdirs.user_data_dir("speed-lan", appauthor=False)) / "client")


def default_name() -> str:
    """The name of the machine's user, as far as it is a player's name; else `player`."""
    try:
        return clean_name(getpass.getuser())
    except (ValueError, OSError, KeyError):
        return "player"


def _numbered(name: str, number: int) -> str:
    if number == 1:
        return name
    tail = f" {number}"
    for length in range(len(name), 0, -1):
        with contextlib.suppress(ValueError):
            return clean_name(name[:length].rstrip() + tail)
    raise DoorError(f"no name can be made of {name!r} and {number}: use --name of at most {MAX_CELLS - len(tail)}")


def _make_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _read_file(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise _NoFileError
    return path.read_bytes()


def _lock(path: Path) -> IO[bytes] | None:
    """The open, locked file; None when another process has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    file = os.fdopen(handle, "r+b")
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _reason(error: OSError, path: Path) -> str:
    return f"{error.strerror or error} ({path})"
