"""Who the server is: its id and its CURVE key, made at the first start and kept in a folder of one server at a time.

The key file is written once, whole or not at all, readable by its owner only. A file that cannot be read as a key is
never replaced: players remember the key, so a new one is the host's decision.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import platformdirs
import zmq

KEY_FILE: Final = "server-key.json"
LOCK_FILE: Final = "lock"
_FORMAT: Final = 1
_ID_BYTES: Final = 8
_KEY_CHARACTERS: Final = 40


class KeysError(Exception):
    """The data folder cannot be used. The text names the remedy."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The server's id (16 hexadecimal digits) and its key pair (Z85 text, 40 characters each)."""

    server_id: str
    public: str
    secret: str = field(repr=False)


class DataFolder:
    """The server's folder, held for itself until `close`.

    Raises `KeysError` when the folder cannot be made or written, or when another server holds it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or Path(platformdirs.user_data_dir("speed-lan", appauthor=False)) / "server"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock: IO[bytes] = (self.path / LOCK_FILE).open("ab")
        except OSError as error:
            raise KeysError(_cannot_write(self.path, error)) from None
        if not _try_lock(self._lock):
            self._lock.close()
            raise KeysError(
                f"another speed-server uses the folder {self.path}: stop it, or give this one another with --data DIR"
            )

    def keys(self) -> Keys:
        """The keys kept here, made and written now if this is the first start.

        Raises `KeysError` when the file is damaged or cannot be read or written.
        """
        path = self.path / KEY_FILE
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            keys = _new_keys()
            try:
                write_whole(path, _as_text(keys))
            except OSError as error:
                raise KeysError(_cannot_write(self.path, error)) from None
            return keys
        except OSError as error:
            raise KeysError(f"cannot read the server's key {path} ({error.strerror}): mend its rights") from None
        keys = _parse(text, path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(0o600)
        return keys

    def close(self) -> None:
        """Let the folder go."""
        self._lock.close()


def _new_keys() -> Keys:
    public, secret = zmq.curve_keypair()
    return Keys(secrets.token_hex(_ID_BYTES), public.decode("ascii"), secret.decode("ascii"))


def _as_text(keys: Keys) -> bytes:
    fields = {"format": _FORMAT, "id": keys.server_id, "public": keys.public, "secret": keys.secret}
    return json.dumps(fields, indent=1).encode("ascii") + b"\n"


def _parse(text: bytes, path: Path) -> Keys:
    try:
        fields = json.loads(text)
        keys = Keys(fields["id"], fields["public"], fields["secret"])
        sound = (
            fields["format"] == _FORMAT
            and len(bytes.fromhex(keys.server_id)) == _ID_BYTES
            and len(keys.secret) == _KEY_CHARACTERS
            and zmq.curve_public(keys.secret.encode("ascii")).decode("ascii") == keys.public
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, zmq.ZMQError):
        sound = False
    if not sound:
        raise KeysError(
            f"the server's key {path} is damaged: put its copy back, or move it away for a new key "
            "(players are then asked to trust the new one)"
        )
    return keys


def write_whole(path: Path, text: bytes) -> None:
    """Write a private file so that a crash leaves either all of it or none."""
    half = path.with_suffix(".new")
    half.unlink(missing_ok=True)
    handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _try_lock(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _cannot_write(path: Path, error: OSError) -> str:
    return f"cannot write in the folder {path} ({error.strerror}): give another with --data DIR"
