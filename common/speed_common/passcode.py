"""From a passcode or an invitation to the key that opens a closed server. Pure.

Who knows the passcode can make the key pair, and the server admits no other to the encryption's handshake; the
passcode itself is never sent. It is stretched with scrypt, so that trying words takes a tenth of a second each even
for who runs a server of the same id to catch one.

An invitation is 16 signs: eight are a passcode of 40 random bits, eight are of the hash of the server's key, so that
who was invited trusts the right server from the first meeting on.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

LEAST_CHARACTERS: Final = 4
MOST_CHARACTERS: Final = 64
SECRET_BYTES: Final = 32
INVITE_BYTES: Final = 5
"""Random bytes of an invitation."""

_SIGNS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's 32: none is mistaken for another, and what is mistyped for a digit is read as it."""

_MEANT: Final = str.maketrans("OIL", "011")
_HALF: Final = 8
_SCRYPT_N: Final = 1 << 14
"""16 MB and some 50 ms: what the slowest machine at the table can bear at the start."""


class PasscodeError(ValueError):
    """The text cannot be a passcode, or no invitation. The text says why."""


def clean_passcode(text: str) -> str:
    """The passcode in the one spelling that counts: capitals, blanks around and double ones make no difference.

    Raises `PasscodeError`.
    """
    passcode = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if not LEAST_CHARACTERS <= len(passcode) <= MOST_CHARACTERS or not passcode.isprintable():
        raise PasscodeError(f"a passcode has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters")
    return passcode


def passcode_secret(passcode: str, server_id: str) -> bytes:
    """The secret key (32 bytes) that stands for a clean passcode at a server. Takes some 50 ms."""
    salt = f"speed-lan passcode {server_id}".encode()
    return hashlib.scrypt(passcode.encode(), salt=salt, n=_SCRYPT_N, r=8, p=1, dklen=SECRET_BYTES)


def make_invite(random: bytes, server_key: str) -> str:
    """The invitation to the server of a key, as it is printed; `random` are `INVITE_BYTES` secret bytes."""
    text = _signs(random) + _key_check(server_key)
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def parse_invite(text: str) -> tuple[str, str]:
    """The passcode in an invitation, and its check of the server's key (see `is_invited_to`).

    Capitals and dashes make no difference. Raises `PasscodeError`.
    """
    signs = re.sub(r"[-\s]", "", text).upper().translate(_MEANT)
    if len(signs) != 2 * _HALF or not set(signs) <= set(_SIGNS):
        raise PasscodeError(f"{text!r} is no invitation: it has 16 letters and digits, as K7QM-2XZP-9TRA-44CN")
    return signs[:_HALF].casefold(), signs[_HALF:]


def is_invited_to(check: str, server_key: str) -> bool:
    """Whether the invitation with this check is to the server with this key."""
    return check == _key_check(server_key)


def _key_check(server_key: str) -> str:
    return _signs(hashlib.sha256(f"speed-lan invite {server_key}".encode()).digest()[:INVITE_BYTES])


def _signs(data: bytes) -> str:
    number = int.from_bytes(data, "big")
    return "".join(_SIGNS[number >> shift & 31] for shift in range(len(data) * 8 - 5, -1, -5))
