from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter_ns

from tests.client.test_browse import until
from tests.client.test_finding import ANNA, HOME, OLD, OTHER, line, sighting

from speed_client.browse import Gone, Seen
from speed_client.door import Address, DoorError, Server
from speed_client.finding import Finding
from speed_client.scout import Scout


class Doors:
    """The doors of a network: who answers where, and who was asked."""

    def __init__(self, **servers: str) -> None:
        self.open = servers
        self.asked: list[Address] = []

    async def knock(self, address: Address, _seconds: float) -> Server:
        self.asked.append(address)
        server_id = self.open.get(address.host.replace(".", "_"))
        if server_id is None:
            raise DoorError(f"nothing listens on {address}")
        return Server(address, address.host, line(server_id))


async def quiet(_seen: Seen, _gone: Gone) -> str:
    await asyncio.Event().wait()
    return ""


async def scouting(finding: Finding, doors: Doors, done: Callable[[], object], browse: object = quiet) -> list[None]:
    changes: list[None] = []
    scout = Scout(finding, knock=doors.knock, browse=browse)  # type: ignore[arg-type]
    task = asyncio.create_task(scout.run(lambda: changes.append(None)))
    await until(done)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return changes


def test_a_remembered_server_is_knocked_at_and_shown_as_it_answers() -> None:
    finding = Finding(perf_counter_ns())
    finding.remember(ANNA, "anna", HOME, 0)
    finding.remember(OLD, "old", OTHER, 0)
    doors = Doors(**{"192_168_1_20": ANNA})

    def settled() -> bool:
        return {row.state for row in finding.rows} == {"here", "silent"}

    changes = asyncio.run(scouting(finding, doors, settled))
    here, silent = finding.rows
    assert here.ping_ns is not None
    assert "nothing listens on" in silent.why
    assert len(changes) >= 2


def test_an_announced_server_is_tried_at_each_of_its_addresses() -> None:
    async def announce(seen: Seen, _gone: Gone) -> str:
        seen(sighting(ANNA, "10.9.9.9", "192.168.1.20"))
        await asyncio.Event().wait()
        return ""

    finding = Finding(perf_counter_ns())
    doors = Doors(**{"192_168_1_20": ANNA})
    asyncio.run(scouting(finding, doors, lambda: finding.rows and finding.rows[0].state == "here", announce))
    assert [address.host for address in doors.asked[:2]] == ["10.9.9.9", "192.168.1.20"]
    assert finding.rows[0].address == HOME


def test_a_server_that_leaves_goes_from_the_list() -> None:
    told: list[Gone] = []

    async def announce(seen: Seen, gone: Gone) -> str:
        seen(sighting())
        told.append(gone)
        await asyncio.Event().wait()
        return ""

    finding = Finding(perf_counter_ns())

    def step() -> bool:
        if finding.rows and finding.rows[0].state == "here":
            told[0](ANNA)
        return bool(told) and not finding.rows

    asyncio.run(scouting(finding, Doors(**{"192_168_1_20": ANNA}), step, announce))


def test_why_the_network_cannot_be_searched_is_kept_for_the_list() -> None:
    async def deaf(_seen: Seen, _gone: Gone) -> str:
        return "No such device"

    finding = Finding(perf_counter_ns())
    asyncio.run(scouting(finding, Doors(), lambda: finding.fault, deaf))
    assert finding.fault == "No such device"
