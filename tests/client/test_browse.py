from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from speed_client.browse import browse
from speed_client.finding import SERVICE, Sighting
from speed_server.addresses import Place
from speed_server.announce import Herald, Sign

ID = "0123456789abcdef"
INSTANCE = f"{ID}.{SERVICE}"
PATIENCE_S = 10


class FakeZeroconf:
    """A network in memory with the three classes of `zeroconf.asyncio` that are used."""

    def __init__(self) -> None:
        self.infos: dict[str, Any] = {}
        self.handlers: list[Callable[..., None]] = []
        self.closed: list[str] = []
        self.AsyncZeroconf = lambda: SimpleNamespace(zeroconf=self, async_close=self._close("network"))
        self.AsyncServiceBrowser = self._browser
        self.AsyncServiceInfo = lambda _type, name: self.infos.get(name, Unanswered())

    def say(self, word: str, name: str = INSTANCE) -> None:
        for handler in self.handlers:
            handler(zeroconf=self, service_type=SERVICE, name=name, state_change=SimpleNamespace(name=word))

    def _browser(self, _network: Any, types: list[str], handlers: list[Callable[..., None]]) -> Any:
        assert types == [SERVICE]
        self.handlers += handlers
        return SimpleNamespace(async_cancel=self._close("browser"))

    def _close(self, what: str) -> Callable[[], Any]:
        async def close() -> None:
            self.closed.append(what)

        return close


class Unanswered:
    async def async_request(self, _network: Any, _milliseconds: int) -> bool:
        return False


class Announced:
    port = 7770

    def __init__(self, **properties: str) -> None:
        self.properties = {key.encode(): value.encode() for key, value in properties.items()}

    async def async_request(self, _network: Any, _milliseconds: int) -> bool:
        return True

    def parsed_scoped_addresses(self) -> list[str]:
        return ["192.168.1.20"]


class Broken(Announced):
    async def async_request(self, _network: Any, _milliseconds: int) -> bool:
        raise ValueError("what a stranger sent")


def unexpected(what: object) -> None:
    pytest.fail(f"not expected: {what}")


async def until(done: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    async with asyncio.timeout(patience_s):
        while not done():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.001)


def test_what_is_announced_is_seen_and_what_leaves_is_gone() -> None:
    async def main() -> None:
        network, seen, gone = FakeZeroconf(), list[Sighting](), list[str]()
        task = asyncio.create_task(browse(seen.append, gone.append, network))
        await until(lambda: network.handlers)
        network.infos[INSTANCE] = Announced(id=ID, name="anna's laptop", players="3")
        network.say("Added")
        await until(lambda: seen)
        network.infos[INSTANCE] = Announced(id=ID, name="anna's laptop", players="4")
        network.say("Updated")
        await until(lambda: len(seen) > 1)
        network.say("Removed")
        network.say("Removed", f"{'f' * 16}.{SERVICE}")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert [sighting.players for sighting in seen] == [3, 4]
        assert gone == [ID]
        assert network.closed == ["browser", "network"]

    asyncio.run(main())


def test_who_does_not_answer_or_answers_rubbish_is_not_seen() -> None:
    async def main() -> None:
        network, seen = FakeZeroconf(), list[Sighting]()
        task = asyncio.create_task(browse(seen.append, unexpected, network))
        await until(lambda: network.handlers)
        network.say("Added")
        network.infos["broken"] = Broken()
        network.say("Added", "broken")
        network.infos["stranger"] = Announced(name="a printer")
        network.say("Added", "stranger")
        network.infos[INSTANCE] = Announced(id=ID)
        network.say("Added")
        await until(lambda: seen)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert {sighting.id for sighting in seen} == {ID}

    asyncio.run(main())


def test_a_network_that_cannot_be_listened_to_is_a_reason_and_no_error() -> None:
    def no_network() -> None:
        raise OSError(19, "No such device")

    library = SimpleNamespace(AsyncZeroconf=no_network)
    assert "No such device" in asyncio.run(browse(unexpected, unexpected, library))


def test_a_server_that_really_announces_itself_is_found_and_lost_again() -> None:
    """The loopback interface stands for the network; where it takes no multicast, that is said and skipped."""
    sign = Sign(ID, "anna's laptop", 7770, ("127.0.0.1",), players=3)

    async def main() -> None:
        seen, gone, warnings = list[Sighting](), list[str](), list[str]()
        task = asyncio.create_task(browse(seen.append, gone.append))
        herald = Herald(sign, Place("127.0.0.1", socket.AF_INET), warnings.append)
        herald.__enter__()
        try:
            await until(lambda: warnings or task.done() or any(sighting.id == ID for sighting in seen))
        except TimeoutError:
            pytest.skip("what is multicast on loopback does not come back here")
        finally:
            await asyncio.to_thread(herald.__exit__, None, None, None)
        if task.done():
            pytest.skip(f"no multicast here: {task.result()}")
        assert warnings == []
        found = next(sighting for sighting in seen if sighting.id == ID)
        assert (found.name, found.players) == ("anna's laptop", 3)
        await until(lambda: ID in gone)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())
