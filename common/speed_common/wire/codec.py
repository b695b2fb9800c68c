"""Bytes to messages and back. Whatever a peer sends, only `WireError` leaves this module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

import msgpack
import msgspec

from speed_common.wire.bounds import MAX_DOWN_BYTES, MAX_UP_BYTES, WireError
from speed_common.wire.down import Down
from speed_common.wire.up import Up


def table_topic(number: int) -> bytes:
    """The watch socket's topic of a table; it ends in a slash, so that no topic begins another."""
    return b"table/%d/" % number


encode: Callable[[Up | Down], bytes] = msgspec.msgpack.Encoder().encode
"""The message's bytes: msgpack of its array. The `msgpack` package would take ten times as long for the same ones."""


def decode_up(data: bytes) -> Up:
    """The message that a client sent. Raises `WireError` for anything else."""
    if len(data) > MAX_UP_BYTES:
        raise WireError(f"{len(data)} bytes are more than a request may have ({MAX_UP_BYTES})")
    message: Up = _decode(data, _UP)
    return message


def decode_down(data: bytes) -> Down:
    """The message that a server sent. Raises `WireError` for anything else."""
    if len(data) > MAX_DOWN_BYTES:
        raise WireError(f"{len(data)} bytes are more than an answer may have ({MAX_DOWN_BYTES})")
    message: Down = _decode(data, _DOWN)
    return message


# By tag and one class at a time: msgspec keeps what it knows of a class, but works a union out anew at each call.
_UP: Final = {kind.__struct_config__.tag: kind for kind in get_args(Up)}
_DOWN: Final = {kind.__struct_config__.tag: kind for kind in get_args(Down)}


def _decode(data: bytes, kinds: dict[Any, Any]) -> Any:
    try:
        plain = msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_str_len=512,
            max_bin_len=64,
            max_array_len=512,
            max_map_len=32,
            max_ext_len=0,
        )
        return msgspec.convert(plain, kinds[plain[0]])
    except (
        ValueError,
        TypeError,
        LookupError,
        OverflowError,
        RecursionError,
        msgpack.UnpackException,
    ) as error:
        raise WireError(f"no message: {type(error).__name__}: {error}") from None
