"""Where this machine can be reached, and where the server may listen.

Standard library only. Names are never looked up while interfaces can be read: a broken resolver blocks for seconds.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
from pathlib import Path
from typing import Final, NamedTuple

DEFAULT_PORT: Final = 7770
LAST_PORT: Final = 65_533
"""The highest door port: play and watch take the two above it."""

_FAR_AWAY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_IF_INET6: Final = Path("/proc/net/if_inet6")
_GLOBAL_SCOPE: Final = "00"
_UNSETTLED: Final = 0x01 | 0x08 | 0x20 | 0x40  # temporary, duplicate, deprecated, tentative
_SIOCGIFCONF: Final = 0x8912
_SIOCGIFFLAGS: Final = 0x8913
_UP_AND_RUNNING: Final = 0x1 | 0x40
_IFREQ_BYTES: Final = 16 + struct.calcsize("PPP")


class CannotListenError(Exception):
    """The server cannot listen there. The text names the remedy; `taken` says that another program has the port."""

    def __init__(self, text: str, *, taken: bool = False) -> None:
        super().__init__(text)
        self.taken = taken


class Place(NamedTuple):
    """Where to listen: a numeric address, empty for every address of both families, and its family."""

    address: str
    family: socket.AddressFamily

    @property
    def everywhere(self) -> bool:
        """Whether every interface is meant."""
        return not self.address


def find_place(host: str | None) -> Place:
    """The place that `--host` names, every interface when it is None.

    Raises `CannotListenError` when the name stands for no address.
    """
    if host is None:
        return Place("", socket.AF_INET6 if socket.has_ipv6 else socket.AF_INET)
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise CannotListenError(
            f"{host!r} is no address of this machine: give one with --host, or leave it out for all"
        ) from None
    family, _, _, _, address = found[0]
    return Place(str(address[0]), socket.AddressFamily(family))


def reachable(place: Place) -> list[str]:
    """The addresses that players can type, the one of the default route first; loopback when there is no other."""
    if not place.everywhere:
        address = ipaddress.ip_address(place.address.partition("%")[0])
        if not address.is_unspecified:
            return [place.address]
    families = {socket.AF_INET} if place.family == socket.AF_INET else {socket.AF_INET, socket.AF_INET6}
    found = [*_towards_the_world(families), *_of_interfaces()] or _of_own_name()
    kept = [text for text in dict.fromkeys(found) if _worth_typing(text, families)]
    kept.sort(key=lambda text: ":" in text)
    return kept or ["127.0.0.1"]


def host_and_port(address: str, port: int) -> str:
    """What a player types for it: the port only when it is not the usual one, brackets only where it needs them."""
    if port == DEFAULT_PORT:
        return address
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _worth_typing(text: str, families: set[socket.AddressFamily]) -> bool:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004
    usable = not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast)
    return usable and family in families


def _towards_the_world(families: set[socket.AddressFamily]) -> list[str]:
    """The own address of the default route. Connecting a datagram socket sends nothing."""
    found = []
    for family, far in _FAR_AWAY:
        if family in families:
            with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))
                found.append(str(probe.getsockname()[0]))
    return found


def _of_interfaces() -> list[str]:
    """All addresses of interfaces that run, where the system is one that we can ask."""
    return [*_ipv4_of_interfaces(), *_ipv6_of_interfaces()] if sys.platform == "linux" else []


def _ipv4_of_interfaces() -> list[str]:
    if sys.platform != "linux":
        return []
    import array  # noqa: PLC0415
    import fcntl  # noqa: PLC0415

    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        room = array.array("B", bytes(256 * _IFREQ_BYTES))
        ask = struct.pack("iP", len(room), room.buffer_info()[0])
        length = struct.unpack("iP", fcntl.ioctl(probe, _SIOCGIFCONF, ask))[0]
        rows = room.tobytes()[:length]
        for start in range(0, length, _IFREQ_BYTES):
            row = rows[start : start + _IFREQ_BYTES]
            answer = fcntl.ioctl(probe, _SIOCGIFFLAGS, row[:16] + bytes(_IFREQ_BYTES - 16))
            flags = struct.unpack_from("H", answer, 16)[0]
            if flags & _UP_AND_RUNNING == _UP_AND_RUNNING:
                found.append(socket.inet_ntop(socket.AF_INET, row[20:24]))
    return found


def _ipv6_of_interfaces() -> list[str]:
    try:
        lines = _IF_INET6.read_text("ascii").splitlines()
    except (OSError, UnicodeError):
        return []
    rows = [line.split() for line in lines]
    return [
        socket.inet_ntop(socket.AF_INET6, bytes.fromhex(row[0]))
        for row in rows
        if len(row) == 6 and row[3] == _GLOBAL_SCOPE and not int(row[4], 16) & _UNSETTLED  # noqa: PLR2004
    ]


def _of_own_name() -> list[str]:
    try:
        return [str(row[4][0]) for row in socket.getaddrinfo(socket.gethostname(), None)]
    except (OSError, UnicodeError):
        return []
