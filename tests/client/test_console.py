from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Callable, Iterator

from speed_client.console import MAX_LINE_BYTES, Console


class Echo:
    """A face that says back what it is told, once it listens."""

    def __init__(self) -> None:
        self.listening = True
        self.heard: list[str | None] = []
        self.presses: list[int] = []
        self.more = asyncio.Event()

    def changed(self, now: int) -> Iterator[str]:  # noqa: ARG002
        yield from ()

    def command(self, line: str, press: int, now: int) -> Iterator[str]:
        assert press <= now
        self.heard.append(line)
        self.more.set()
        yield f"said {line}"

    def closed(self, now: int) -> Iterator[str]:  # noqa: ARG002
        self.heard.append(None)
        self.more.set()
        yield "closed"


def talk(written: list[bytes], meanwhile: Callable[[Echo, Console], None] | None = None) -> tuple[Echo, str]:
    """What a face hears when these pieces come down a pipe, and what is printed."""

    async def scenario() -> tuple[Echo, str]:
        face, out = Echo(), io.StringIO()
        source, sink = os.pipe()
        console = Console(face, lambda: None, out, source)
        if meanwhile is not None:
            meanwhile(face, console)
        console.start(asyncio.get_running_loop())
        for piece in written:
            os.write(sink, piece)
        os.close(sink)
        async with asyncio.timeout(10):
            while not face.heard or face.heard[-1] is not None:
                face.more.clear()
                await face.more.wait()
        os.close(source)
        return face, out.getvalue()

    return asyncio.run(scenario())


def test_lines_are_heard_in_order_however_they_are_cut() -> None:
    face, out = talk([b"on", b"e\ntw", b"o\n\nthree"])
    assert face.heard == ["one", "two", "", "three", None]
    assert out == "said one\nsaid two\nsaid \nsaid three\nclosed\n"


def test_bytes_that_are_no_text_and_endless_lines_harm_nobody() -> None:
    face, _ = talk([b"\xff\n", b"x" * (3 * MAX_LINE_BYTES) + b"\nafter\n"])
    assert face.heard == ["\ufffd", "after", None]


def test_lines_wait_until_the_face_listens() -> None:
    async def scenario() -> list[str | None]:
        face, out = Echo(), io.StringIO()
        face.listening = False
        console = Console(face, lambda: None, out, 0)
        console._came("early", 1)
        assert face.heard == []
        face.listening = True
        console.changed()
        return face.heard

    assert asyncio.run(scenario()) == ["early"]


def test_a_reader_who_went_away_is_noticed() -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    async def scenario() -> None:
        console = Console(Echo(), lambda: None, Gone(), 0)
        console._came("hello", 1)
        assert console.lost is not None
        assert console.lost.reason == ""

    asyncio.run(scenario())
