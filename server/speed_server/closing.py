"""What a host's passcodes mean for the sockets: who opens them, and what those who are asked in type.

An invitation is kept in the data folder (0600), so that who was invited comes back after a restart.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import zmq
from zmq.utils import z85

from speed_common.passcode import INVITE_BYTES, make_invite, parse_invite, passcode_secret
from speed_server.keys import Keys, KeysError, write_whole
from speed_server.zap import Locks

INVITE_FILE: Final = "invite"


@dataclass(frozen=True, slots=True)
class Closing:
    """The locks, and what goes behind `speed-client HOST` to open them, for players and for watchers."""

    locks: Locks
    to_play: str = ""
    to_watch: str = ""


def close_doors(keys: Keys, passcode: str | None, invite: str | None, watch_passcode: str | None) -> Closing:
    """The locks for the passcodes (clean ones, see `passcode`) or the invitation that players have; each may be None.

    Who may play may watch. Takes some 50 ms for each.
    """
    to_play = to_watch = ""
    play: frozenset[bytes] | None = None
    if invite is not None:
        passcode, to_play = parse_invite(invite)[0], f" --invite {invite}"
    elif passcode is not None:
        to_play = " --passcode WORD"
    if passcode is not None:
        play = frozenset({_public_key(passcode, keys)})
    watch, to_watch = play, to_play
    if watch_passcode is not None:
        watch = (play or frozenset()) | {_public_key(watch_passcode, keys)}
        to_watch = " --passcode WORD"
    return Closing(Locks(play, watch), to_play, to_watch)


def kept_invite(folder: Path, keys: Keys, *, new: bool) -> str:
    """The invitation kept in the data folder; made and written now where there is none, or a `new` one is asked for.

    Raises `KeysError` when it cannot be read or written.
    """
    path = folder / INVITE_FILE
    try:
        if not new and path.exists():
            if os.name == "posix" and path.stat().st_mode & 0o077:
                path.chmod(0o600)
            random = _parse(path.read_text("ascii"))
        else:
            random = secrets.token_bytes(INVITE_BYTES)
            write_whole(path, random.hex().encode())
    except ValueError:
        raise KeysError(f"the invitation {path} is damaged: make another one with --invite new") from None
    except OSError as error:
        raise KeysError(f"cannot keep the invitation {path} ({error.strerror}): mend its rights") from None
    return make_invite(random, keys.public)


def _parse(text: str) -> bytes:
    random = bytes.fromhex(text)
    if len(random) != INVITE_BYTES:
        raise ValueError(f"{len(random)} bytes are no invitation")
    return random


def _public_key(passcode: str, keys: Keys) -> bytes:
    return z85.decode(zmq.curve_public(z85.encode(passcode_secret(passcode, keys.server_id))))
