"""Knocking at a server's door: one TCP connection, one JSON line, within three seconds. Part of the rim.

The line says who is there, what it speaks and under which key, so that a wrong name, a closed port, another service and
an old version each get their own plain sentence before any other socket is opened.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from speed_client.printable import printable
from speed_common import __version__
from speed_common.wire import PROTOCOL_HIGH, PROTOCOL_LOW

KNOCK_SECONDS: Final = 2.5
MAX_LINE_BYTES: Final = 4_096
_Z85: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

_Port = Annotated[int, Meta(ge=1, le=65_535)]
_Text = Annotated[str, Meta(max_length=200)]


_Found = tuple[int, str]
"""An address family and a numeric address."""


class DoorError(Exception):
    """Why there is no playing at this server: one sentence for people, which names the remedy."""


class Address(NamedTuple):
    """What the player typed: a host name or address, and the port of the door."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class DoorLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a server says of itself. Unknown fields of later versions are ignored."""

    speed: Annotated[str, Meta(pattern="^speed-lan$")]
    name: _Text
    id: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    protocol: tuple[int, int]
    version: _Text
    key: Annotated[str, Meta(min_length=40, max_length=40)]
    play: _Port
    watch: _Port
    players: int = 0
    tables: int = 0
    locked: bool = False
    watch_locked: bool = False
    insecure: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """The key pair (Z85) by which a closed server knows who was told its passcode.

    `admitted` is called once the server took it; `kept` says that it is from an earlier visit.
    """

    public: bytes
    secret: bytes = field(repr=False)
    kept: bool = False
    admitted: Callable[[], None] = field(default=lambda: None, compare=False)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answered: what was typed, the numeric address that it answered at, its line, and our pass there."""

    address: Address
    numeric: str
    line: DoorLine
    pass_: Pass | None = None

    def endpoint(self, port: int) -> str:
        """The ZeroMQ endpoint of one of its ports."""
        host = f"[{self.numeric}]" if ":" in self.numeric else self.numeric
        return f"tcp://{host}:{port}"


def is_loopback(numeric: str) -> bool:
    """Whether a numeric address is this very machine, where nobody is in between."""
    try:
        return ipaddress.ip_address(numeric.partition("%")[0]).is_loopback
    except ValueError:
        return False


def fingerprint(key: str) -> str:
    """A server key short enough to read aloud: 16 hexadecimal digits in fours."""
    digits = hashlib.sha256(key.encode()).hexdigest()[:16]
    return " ".join(digits[at : at + 4] for at in range(0, 16, 4))


def parse_line(data: bytes, address: Address) -> DoorLine:
    """The line of a server that speaks our protocol. Raises `DoorError` for anything else."""
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError):
        plain = None
    if not isinstance(plain, dict) or plain.get("speed") != "speed-lan":
        raise DoorError(
            f"something listens on {address}, but it is not speed-server: check the port that speed-server printed"
        )
    protocol = plain.get("protocol")
    if isinstance(protocol, list) and [type(number) for number in protocol] == [int, int]:
        _check_protocol(protocol[0], protocol[1], str(plain.get("version")))
    try:
        line = msgspec.convert(plain, DoorLine)
    except msgspec.ValidationError as error:
        raise DoorError(
            f"the server at {address} says something of itself that makes no sense: {printable(error, 120)}"
        ) from None
    if not _is_key(line.key):
        raise DoorError(f"the server at {address} says something of itself that makes no sense: a key that is none")
    return line


def _check_protocol(low: int, high: int, version: str) -> None:
    if low <= PROTOCOL_HIGH and high >= PROTOCOL_LOW:
        return
    theirs = printable(low, 120) if low == high else f"{printable(low, 120)} to {printable(high, 120)}"
    ours = f"{PROTOCOL_LOW}" if PROTOCOL_LOW == PROTOCOL_HIGH else f"{PROTOCOL_LOW} to {PROTOCOL_HIGH}"
    older = "client here" if low > PROTOCOL_HIGH else "server there"
    raise DoorError(
        f"the server speaks protocol {theirs} (version {printable(version, 20)}), "
        f"this client {ours} (version {__version__}): update the {older}"
    )


def _is_key(text: str) -> bool:
    """Whether ZeroMQ will take it for a key: Z85, in which five signs stand for four bytes."""
    groups = [[_Z85.find(sign) for sign in text[at : at + 5]] for at in range(0, len(text), 5)]
    return all(
        min(group) >= 0 and sum(digit * len(_Z85) ** place for place, digit in enumerate(reversed(group))) < 1 << 32
        for group in groups
    )


async def knock(address: Address, seconds: float = KNOCK_SECONDS) -> Server:
    """Who is at the door. Raises `DoorError`, at the latest after `seconds`."""
    data, numeric = b"", ""
    try:
        async with asyncio.timeout(seconds):
            reader, writer, numeric = await _connect(address, seconds)
            try:
                data = await _read_line(reader)
            finally:
                writer.transport.abort()
    except TimeoutError:
        if not numeric:
            raise DoorError(
                f"{address.host} did not answer within {seconds:g} s: is it switched on, in this network, "
                f"and port {address.port} open in its firewall?"
            ) from None
    except OSError:
        data = b""
    line = parse_line(data, address)
    if line.insecure and not is_loopback(numeric):
        raise DoorError(f"the server at {address} encrypts nothing, which is for its own machine only: tell its host")
    return Server(address, numeric, line)


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    data = b""
    while b"\n" not in data and len(data) <= MAX_LINE_BYTES:
        more = await reader.read(MAX_LINE_BYTES)
        if not more:
            break
        data += more
    return data[: MAX_LINE_BYTES + 1].split(b"\n")[0]


async def _connect(address: Address, seconds: float) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, str]:
    failed: OSError | None = None
    found = await _resolve(address)
    for family, numeric in found:
        try:
            async with asyncio.timeout(seconds / len(found)):
                reader, writer = await asyncio.open_connection(
                    numeric, address.port, family=family, limit=MAX_LINE_BYTES
                )
        except TimeoutError:
            continue
        except OSError as error:
            if failed is None or isinstance(error, ConnectionRefusedError):
                failed = error
        else:
            return reader, writer, numeric
    if failed is None:
        raise TimeoutError
    if isinstance(failed, ConnectionRefusedError):
        raise DoorError(f"nothing listens on {address}: is speed-server running there?") from None
    raise DoorError(
        f"there is no way to {address.host} from here ({failed.strerror or failed}): "
        f"are both machines in the same network?"
    ) from None


async def _resolve(address: Address) -> list[_Found]:
    """The numeric addresses of a host, found in a thread of its own: a slow name server must not hold our end up."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[_Found]] = loop.create_future()

    def settle(result: list[_Found], error: Exception | None) -> None:
        if found.done():
            return
        if error is None:
            found.set_result(result)
        else:
            found.set_exception(error)

    def look_up() -> None:
        result: list[_Found] = []
        failed: Exception | None = None
        try:
            for family, _, _, _, sockaddr in socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM):
                numeric = socket.getnameinfo(sockaddr, socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)[0]
                result.append((int(family), numeric))
        except (OSError, UnicodeError) as error:
            failed = error
        try:
            loop.call_soon_threadsafe(settle, result, failed)
        except RuntimeError:
            return  # nobody waits any more

    threading.Thread(target=look_up, name="resolve", daemon=True).start()
    try:
        return await found
    except (OSError, UnicodeError):
        raise DoorError(
            f"no machine is called {address.host!r} here: check the name, or use the address that speed-server printed"
        ) from None
