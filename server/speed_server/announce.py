"""Telling the LAN that a server is here, by multicast DNS (`_speed._tcp.local.`). Part of the rim.

What is announced says where the door is and what a list would show; the door itself stays the truth. A thread of its
own does it, and imports zeroconf there: the server starts without waiting for it, and a network without multicast costs
one line of warning and nothing else. The instance is named by the server's id, which nobody else has, so that there is
no clash of names and a client can tell one server on several interfaces from several servers.
"""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self

from speed_common import __version__
from speed_server.addresses import Place, reachable

if TYPE_CHECKING:
    from types import TracebackType

    from zeroconf import ServiceInfo

SERVICE: Final = "_speed._tcp.local."
CLOSE_SECONDS: Final = 1.5
MOST_NAME_BYTES: Final = 200

Warn = Callable[[str], None]


class Sign(NamedTuple):
    """What is announced; `players` and `tables` change, the rest does not."""

    server_id: str
    name: str
    port: int
    addresses: tuple[str, ...]
    locked: bool = False
    players: int = 0
    tables: int = 0

    @property
    def instance(self) -> str:
        """The announced service's full name."""
        return f"{self.server_id}.{SERVICE}"

    def properties(self) -> dict[str, str]:
        """The announced text records."""
        return {
            "id": self.server_id,
            "name": self.name.encode()[:MOST_NAME_BYTES].decode(errors="ignore"),
            "version": __version__,
            "port": str(self.port),
            "players": str(self.players),
            "tables": str(self.tables),
            "locked": "1" if self.locked else "0",
        }


class Responder(Protocol):
    """What is asked of zeroconf; its own `Zeroconf` is the one."""

    def register_service(self, info: ServiceInfo) -> None:
        """Announce a service."""

    def update_service(self, info: ServiceInfo) -> None:
        """Announce that it has changed."""

    def close(self) -> None:
        """Say that all of ours are gone, and end."""


Open = Callable[[Place], Responder]


def is_worth_announcing(place: Place) -> bool:
    """Whether anybody but this machine could come: a server on loopback alone is nobody's business."""
    return place.everywhere or not ipaddress.ip_address(place.address.partition("%")[0]).is_loopback


def open_responder(place: Place) -> Responder:
    """Zeroconf on the interfaces where the server listens. Raises `OSError` or zeroconf's own errors."""
    import zeroconf  # noqa: PLC0415  # a quarter of a second, in a thread that nobody waits for

    if not place.everywhere:
        return zeroconf.Zeroconf(interfaces=[place.address])
    try:
        return zeroconf.Zeroconf(ip_version=zeroconf.IPVersion.All)
    except OSError:
        return zeroconf.Zeroconf()


class Herald:
    """Announces a server for as long as the `with` block lasts. `warn` gets one line if that cannot be done.

    `tell` changes the counts; how often is the caller's business. Nothing here blocks the caller but leaving the block,
    for at most `CLOSE_SECONDS`: the network is told that the server is gone.
    """

    def __init__(self, sign: Sign, place: Place, warn: Warn, open_: Open = open_responder) -> None:
        self._sign = sign
        self._place = place
        self._warn = warn
        self._open = open_
        self._wanted = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announce", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._wanted.set()
        self._thread.join(CLOSE_SECONDS)

    def tell(self, players: int, tables: int) -> None:
        """Announce these counts from now on, if they are others."""
        sign = self._sign._replace(players=players, tables=tables)
        if sign != self._sign:
            self._sign = sign
            self._wanted.set()

    def _run(self) -> None:
        try:
            responder = self._open(self._place)
        except Exception as error:  # noqa: BLE001 - whatever the network or its library says, the evening goes on
            self._give_up(error)
            return
        try:
            told = self._sign
            responder.register_service(_info(told))
            while not self._over.is_set():
                self._wanted.wait()
                # Cleared before it is looked at: what is said from here on sets it again.
                self._wanted.clear()
                if told != self._sign and not self._over.is_set():
                    told = self._sign
                    responder.update_service(_info(told))
        except Exception as error:  # noqa: BLE001 - as above
            self._give_up(error)
        finally:
            responder.close()

    def _give_up(self, error: Exception) -> None:
        if not self._over.is_set():
            what = str(error) or type(error).__name__
            self._warn(f"not announced in the network ({what}): players type the address above")


class Silence:
    """A herald that says nothing: where nobody shall hear of the server."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End nothing."""

    def tell(self, players: int, tables: int) -> None:
        """Say nothing."""


def sign_of(server_id: str, name: str, port: int, place: Place) -> Sign:
    """The sign of a server whose door is open at `port`."""
    addresses = tuple(address for address in reachable(place) if "%" not in address)
    return Sign(server_id, name, port, addresses)


def _info(sign: Sign) -> ServiceInfo:
    from zeroconf import ServiceInfo  # noqa: PLC0415

    return ServiceInfo(
        SERVICE,
        sign.instance,
        port=sign.port,
        parsed_addresses=list(sign.addresses),
        properties=sign.properties(),
        server=f"{sign.server_id}.local.",
    )
