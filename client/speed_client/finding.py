"""The servers that may be chosen: what the network announced, what is remembered, and what their doors said. Pure.

A server is one row, however many interfaces it was seen on: rows are kept by the server's id. What the door says counts
for more than what was announced, and an announcement comes from a stranger: it is bounded and cleaned here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from speed_client.door import Address, DoorLine
from speed_client.printable import printable
from speed_client.settings import DEFAULT_PORT

SERVICE: Final = "_speed._tcp.local."
SEARCH_NS: Final = 2_000_000_000
"""So long a search takes before it may say that there is nothing."""

ASK_AGAIN_NS: Final = 3_000_000_000
ASK_SOON_NS: Final = 600_000_000
"""Until a door has answered so often that its best time is worth showing."""

MOST_SERVERS: Final = 64
MOST_ADDRESSES: Final = 8
MOST_NAME: Final = 40
PINGS_KEPT: Final = 3

_ID: Final = re.compile("[0-9a-f]{16}")

State: TypeAlias = Literal["asking", "here", "silent"]


@dataclass(frozen=True, slots=True)
class Sighting:
    """A server as it was announced; nothing of it is certain."""

    id: str
    name: str
    addresses: tuple[Address, ...]
    version: str = ""
    players: int = 0
    tables: int = 0
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One server. `ping_ns` is the door's round trip, None before it answered; `why` says why it cannot be joined.

    `recent` is its place among the remembered ones, 0 for the last used, None where it is none of them.
    """

    id: str
    name: str
    addresses: tuple[Address, ...]
    state: State = "asking"
    version: str = ""
    players: int = 0
    tables: int = 0
    locked: bool = False
    ping_ns: int | None = None
    recent: int | None = None
    announced: bool = False
    why: str = ""

    @property
    def address(self) -> Address:
        """Where it answered last, or may answer."""
        return self.addresses[0]


@dataclass(slots=True)
class _Known:
    row: Row
    ask_at: int
    pings: list[int] = field(default_factory=list)


class Finding:
    """All servers heard of. Every `now` is a reading of this machine's `perf_counter_ns`."""

    def __init__(self, now: int) -> None:
        self.fault = ""
        """Why the network could not be searched; empty while it can."""
        self._known: dict[str, _Known] = {}
        self._started = now
        self._remembered = 0

    @property
    def rows(self) -> tuple[Row, ...]:
        """What to show: those that answer before those that do not, the last used first, then by name."""
        return tuple(sorted((known.row for known in self._known.values()), key=_order))

    @property
    def remembered(self) -> int:
        """How many remembered servers are asked."""
        return self._remembered

    def searched(self, now: int) -> bool:
        """Whether the search has taken long enough to say what it did not find."""
        return now - self._started >= SEARCH_NS

    @property
    def searched_at(self) -> int:
        """When it will have."""
        return self._started + SEARCH_NS

    def begin_again(self, now: int) -> None:
        """The list is shown anew: ask every door at once, and search for as long as at first if nothing is known."""
        for known in self._known.values():
            known.ask_at = now
        if not self._known:
            self._started = now

    def remember(self, server_id: str, name: str, address: Address, now: int) -> None:
        """A server met before; to be called in order, the last used first."""
        row = Row(server_id, printable(name, MOST_NAME), (address,), recent=self._remembered)
        self._remembered += 1
        self._add(row, now)

    def announced(self, sighting: Sighting, now: int) -> None:
        """The network says that a server is there."""
        known = self._known.get(sighting.id)
        if known is None:
            seen = sighting
            self._add(
                Row(
                    seen.id,
                    seen.name,
                    seen.addresses,
                    version=seen.version,
                    players=seen.players,
                    tables=seen.tables,
                    locked=seen.locked,
                    announced=True,
                ),
                now,
            )
            return
        # What was announced last is where it is now, and is tried first unless the door answers where it is known.
        old = known.row.addresses
        merged = (*old, *sighting.addresses) if known.row.state == "here" else (*sighting.addresses, *old)
        known.row = replace(known.row, addresses=tuple(dict.fromkeys(merged))[:MOST_ADDRESSES], announced=True)
        known.ask_at = min(known.ask_at, now)

    def gone(self, server_id: str) -> None:
        """The network says that a server has left; a remembered one stays, and its door will tell."""
        known = self._known.get(server_id)
        if known is None:
            return
        if known.row.recent is None:
            del self._known[server_id]
        else:
            known.row = replace(known.row, announced=False)
            known.ask_at = 0

    def due(self, now: int) -> list[Row]:
        """The servers whose doors are to be knocked at now; each is counted as asked."""
        found = [known for known in self._known.values() if known.ask_at <= now]
        for known in found:
            well_known = known.row.state == "silent" or len(known.pings) + 1 >= PINGS_KEPT
            known.ask_at = now + (ASK_AGAIN_NS if well_known else ASK_SOON_NS)
        return [known.row for known in found]

    def next_due(self) -> int | None:
        """When `due` next has something; None when there is nobody to ask."""
        return min((known.ask_at for known in self._known.values()), default=None)

    def answered(self, asked: str, address: Address, line: DoorLine, ping_ns: int, now: int) -> None:
        """The door of server `asked` answered, at `address`: it may be another server's by now."""
        if line.id != asked:
            self.silent(asked, f"another server answers at {shown(address)}")
            if line.id in self._known:
                return
            self._add(Row(line.id, printable(line.name, MOST_NAME), (address,)), now)
        known = self._known.get(line.id)
        if known is None:
            return
        known.pings = [*known.pings, ping_ns][-PINGS_KEPT:]
        known.row = replace(
            known.row,
            name=printable(line.name, MOST_NAME),
            addresses=(address, *(other for other in known.row.addresses if other != address)),
            state="here",
            version=printable(line.version, MOST_NAME),
            players=max(0, line.players),
            tables=max(0, line.tables),
            locked=line.locked,
            ping_ns=min(known.pings),
            why="",
        )

    def silent(self, asked: str, why: str) -> None:
        """No door answered for server `asked`; `why` is a sentence."""
        known = self._known.get(asked)
        if known is not None:
            known.pings.clear()
            known.row = replace(known.row, state="silent", ping_ns=None, why=why)

    def _add(self, row: Row, now: int) -> None:
        if row.id not in self._known and len(self._known) < MOST_SERVERS and row.addresses:
            self._known[row.id] = _Known(row, now)


def read_sighting(
    instance: str, port: int | None, hosts: Sequence[str], properties: Mapping[bytes, bytes | None]
) -> Sighting | None:
    """What an announcement says; None for one that is not by a server of ours."""
    said = {
        key.decode("ascii", "replace"): (value or b"").decode("utf-8", "replace") for key, value in properties.items()
    }
    server_id = said.get("id", instance.partition(".")[0])
    addresses = tuple(Address(host, port) for host in hosts if port and 0 < port < 1 << 16)
    if not _ID.fullmatch(server_id) or not addresses:
        return None
    return Sighting(
        server_id,
        printable(said.get("name") or server_id, MOST_NAME),
        # What can be typed comes first; a link-local address is worth trying where there is no other.
        tuple(sorted(dict.fromkeys(addresses), key=lambda address: ("%" in address.host, ":" in address.host)))[
            :MOST_ADDRESSES
        ],
        printable(said.get("version", ""), MOST_NAME),
        _count(said.get("players", "")),
        _count(said.get("tables", "")),
        said.get("locked") == "1",
    )


def shown(address: Address) -> str:
    """An address as a player types it: the port only where it is another than usual."""
    return address.host if address.port == DEFAULT_PORT else str(address)


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else 0  # noqa: PLR2004


def _order(row: Row) -> tuple[bool, int, str, str]:
    return row.state == "silent", MOST_SERVERS if row.recent is None else row.recent, row.name.casefold(), row.id
