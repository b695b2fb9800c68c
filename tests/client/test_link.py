from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import perf_counter_ns

import msgspec
import pytest
import zmq
import zmq.asyncio
from tests.client.serving import door, served

from speed_client.door import Address, DoorError, Server, knock
from speed_client.link import Link, WatchLink
from speed_client.news import Ended, Happened, LinkChanged, News
from speed_client.session import Session
from speed_client.watching import Watching
from speed_client.wishes import Want
from speed_common.events import Revealed
from speed_common.wire import MAX_DOWN_BYTES, Goodbye, encode

PATIENCE = 20.0


class Face:
    """Waits for what a session or a spectator learns."""

    def __init__(self, end: Session | Watching) -> None:
        self.end = end
        self.news: list[News] = []
        self._changed = asyncio.Event()

    def changed(self) -> None:
        self.news += self.end.news
        self.end.news.clear()
        self._changed.set()

    async def until(self, seen: Callable[[], object]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not seen():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"only this was learned: {self.news[-20:]}") from None

    def has(self, news: News) -> bool:
        return news in self.news

    def revealed(self) -> bool:
        return any(isinstance(item, Happened) and isinstance(item.event, Revealed) for item in self.news)


def player(name: str, want: Want | None = None, ticket: bytes = b"") -> Session:
    return Session(name, ticket, want or Want(), perf_counter_ns())


def run(scenario: Coroutine[object, object, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(2 * PATIENCE):
            await scenario

    asyncio.run(bounded())


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> object:
    with served(tmp_path_factory.mktemp("server"), "--countdown", "0.3") as number:
        yield number


def test_a_session_plays_over_real_sockets_and_leaves(port: int) -> None:
    kept: list[bytes] = []

    async def scenario() -> None:
        server = await knock(Address("127.0.0.1", port))
        session = player("anna", Want(computers=(10,), ready=True))
        face = Face(session)
        with Link(server, keep=kept.append) as link:
            running = asyncio.create_task(link.run(session, face.changed))
            await face.until(face.revealed)
            assert session.rtt_ns is not None
            assert kept == [session.ticket]
            session.leave(perf_counter_ns())
            link.flush(session)
            await running
        assert session.ended is not None

    run(scenario())


def test_the_server_hears_the_last_words(port: int) -> None:
    async def scenario() -> None:
        server = await knock(Address("127.0.0.1", port))
        anna, bob = player("anna"), player("bob")
        face, other = Face(anna), Face(bob)
        with Link(server) as link, Link(server) as second:
            running = asyncio.create_task(link.run(anna, face.changed))
            await face.until(lambda: anna.mirror.room)
            staying = asyncio.create_task(second.run(bob, other.changed))
            await other.until(lambda: bob.mirror.room and all(s.name for s in bob.mirror.room.seats))
            anna.leave(perf_counter_ns())
            link.flush(anna)
            await running
            await other.until(lambda: bob.mirror.room and not all(s.name for s in bob.mirror.room.seats))
            bob.leave(perf_counter_ns())
            second.flush(bob)
            await staying

    run(scenario())


def test_a_spectator_sees_the_lobby_and_a_table(port: int) -> None:
    async def scenario() -> None:
        server = await knock(Address("localhost", port))
        session, watching = player("anna", Want(computers=(10,), ready=True)), Watching(0, perf_counter_ns())
        face, eyes = Face(session), Face(watching)
        with Link(server) as link, WatchLink(server) as watch_link:
            seeing = asyncio.create_task(watch_link.run(watching, eyes.changed))
            await eyes.until(lambda: eyes.has(LinkChanged("up")))
            playing = asyncio.create_task(link.run(session, face.changed))
            await eyes.until(lambda: any(table.table for table in watching.tables.values()))
            session.leave(perf_counter_ns())
            link.flush(session)
            await playing
            watching.stop("left", "enough")
            watch_link.flush(watching)
            await seeing

    run(scenario())


def test_a_server_killed_and_started_again_is_found_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        with served(tmp_path, "--countdown", "0.3") as number:
            server = await knock(Address("127.0.0.1", number))
            session = player("anna", Want(computers=(10,), ready=True))
            face = Face(session)
            link = Link(server)
            running = asyncio.create_task(link.run(session, face.changed))
            await face.until(face.revealed)
        await face.until(lambda: face.has(LinkChanged("lost")))
        face.news.clear()
        with served(tmp_path, "--countdown", "0.3", port=number):
            await face.until(face.revealed)
            session.leave(perf_counter_ns())
            link.flush(session)
            await running
            link.close()

    run(scenario())


def test_a_server_whose_key_changed_meanwhile_is_not_played_at(tmp_path: Path) -> None:
    async def scenario() -> None:
        seen: list[Server] = []

        def recheck(server: Server) -> None:
            seen.append(server)
            raise DoorError("the key has changed")

        with served(tmp_path / "one") as number:
            server = await knock(Address("127.0.0.1", number))
            session = player("anna")
            face = Face(session)
            link = Link(server, recheck)
            running = asyncio.create_task(link.run(session, face.changed))
            await face.until(lambda: session.mirror.room)
        with served(tmp_path / "two", port=number):
            await running
        assert session.ended is not None
        assert session.ended.text == "the key has changed"
        assert seen[0].line.key != server.line.key
        link.close()

    run(scenario())


def test_a_port_that_never_welcomes_is_given_up_and_the_door_asked_again(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("speed_client.connection.WELCOME_SECONDS", 0.2)

    async def scenario(mute: int) -> None:
        found = await knock(Address("127.0.0.1", port))
        wrong = msgspec.structs.replace(found.line, play=mute)
        session = player("anna")
        face = Face(session)
        with Link(Server(found.address, found.numeric, wrong)) as link:
            running = asyncio.create_task(link.run(session, face.changed))
            await face.until(lambda: session.mirror.room)
            session.leave(perf_counter_ns())
            link.flush(session)
            await running

    with door(b"", hold=True) as mute:
        run(scenario(mute))


def test_a_cancelled_link_closes_its_sockets(port: int) -> None:
    async def scenario() -> None:
        server = await knock(Address("127.0.0.1", port))
        session = player("anna")
        face = Face(session)
        with Link(server) as link:
            running = asyncio.create_task(link.run(session, face.changed))
            await face.until(lambda: session.mirror.room)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
        assert session.link == "lost"

    run(scenario())


def test_a_link_that_is_cancelled_twice_leaves_no_socket_behind(port: int) -> None:
    async def scenario() -> None:
        server = await knock(Address("127.0.0.1", port))
        context = zmq.asyncio.Context()
        made: list[zmq.asyncio.Socket] = []

        class Seen(Link):
            def _connect(self, socket: zmq.asyncio.Socket) -> None:
                made.append(socket)
                super()._connect(socket)

        link = Seen(server, context=context)
        session = player("anna")
        face = Face(session)
        running = asyncio.create_task(link.run(session, face.changed))
        await face.until(lambda: session.mirror.room)
        running.cancel()
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert [socket.closed for socket in made] == [True]
        assert all(socket.closed for socket in list(context._sockets)), "the monitor's too"
        context.term()

    run(scenario())


def test_the_longest_message_that_is_one_comes_through(port: int) -> None:
    async def scenario() -> None:
        found = await knock(Address("127.0.0.1", port))
        public, secret = zmq.curve_keypair()
        with zmq.asyncio.Context() as context, context.socket(zmq.ROUTER) as router:
            router.curve_server, router.curve_secretkey, router.linger = True, secret, 0
            play = router.bind_to_random_port("tcp://127.0.0.1")
            line = msgspec.structs.replace(found.line, play=play, key=public.decode())
            session = player("anna")
            with Link(Server(found.address, found.numeric, line)) as link:
                running = asyncio.create_task(link.run(session, lambda: None))
                origin, _hello = await router.recv_multipart()
                await router.send_multipart([origin, b"x" * MAX_DOWN_BYTES])
                await router.send_multipart([origin, encode(Goodbye("stopping", "it came through"))])
                await running
            assert session.ended == Ended("stopping", "it came through")

    run(scenario())
