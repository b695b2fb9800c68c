"""Lines in, lines out: standard input and output for the faces without a screen. Part of the rim.

Input is read by a thread of its own, since only that works for a pipe, a file and a terminal on every system; it stamps
each line as it comes. It reads the descriptor itself: a thread that holds Python's own buffer of standard input cannot
be left behind when the program ends.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterable
from time import perf_counter_ns
from typing import Final, Protocol, TextIO

from speed_client.entry import OutputError, output_error
from speed_client.interrupt import on_interrupt

MAX_LINE_BYTES: Final = 4_096


class LineFace(Protocol):
    """A face that speaks lines. Every `now` is `perf_counter_ns`."""

    def changed(self, now: int) -> Iterable[str]:
        """Lines for what became known."""
        ...

    def command(self, line: str, press: int, now: int) -> Iterable[str]:
        """Do what a line asks; lines for what must be said at once."""
        ...

    def closed(self, now: int) -> Iterable[str]:
        """No more lines will come."""
        ...

    @property
    def listening(self) -> bool:
        """Whether commands can be obeyed yet; until then they wait."""
        ...


class Console:
    """Pumps lines between a face and two streams. `flush` sends what a command left to send."""

    def __init__(self, face: LineFace, flush: Callable[[], None], out: TextIO, source: int) -> None:
        self._face = face
        self._flush = flush
        self._out = out
        self._source = source
        self._lines: list[tuple[str | None, int]] = []
        self.lost: OutputError | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, args=(loop,), name="lines", daemon=True).start()

    def changed(self) -> None:
        """Print what became known, and obey what could not be obeyed before."""
        self._print(self._face.changed(perf_counter_ns()))
        self._obey()

    def _obey(self) -> None:
        while self._lines and self._face.listening:
            line, press = self._lines.pop(0)
            now = perf_counter_ns()
            self._print(self._face.closed(now) if line is None else self._face.command(line, press, now))
            self._flush()
            self._print(self._face.changed(perf_counter_ns()))

    def _print(self, lines: Iterable[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        if not text or self.lost is not None:
            return
        try:
            self._out.write(text)
            self._out.flush()
        except (OSError, ValueError) as error:
            self.lost = output_error(error)

    def _came(self, line: str | None, press: int) -> None:
        self._lines.append((line, press))
        self._obey()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        rest, skipping = b"", False
        try:
            while data := _read_some(self._source):
                press = perf_counter_ns()
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    if not skipping and len(line) <= MAX_LINE_BYTES:
                        loop.call_soon_threadsafe(self._came, line.decode("utf-8", "replace"), press)
                    skipping = False
                if len(rest) > MAX_LINE_BYTES:
                    rest, skipping = b"", True
            if rest and not skipping:
                loop.call_soon_threadsafe(self._came, rest.decode("utf-8", "replace"), perf_counter_ns())
            loop.call_soon_threadsafe(self._came, None, perf_counter_ns())
        except RuntimeError:
            return  # the loop is gone: the program has ended


class Joined(Protocol):
    """A link with its end bound to it."""

    async def run(self, on_change: Callable[[], None]) -> None:
        """Keep going until the end has ended."""
        ...

    def flush(self) -> None:
        """Send what is to be sent."""
        ...

    def leave(self) -> None:
        """The player goes."""
        ...


async def run_lines(joined: Joined, face: LineFace) -> None:
    """Let a face talk over standard input and output until its end has ended.

    Raises `OutputError` when the lines cannot be written any more; the player has left by then.
    """
    out, source = open_streams()
    console = Console(face, joined.flush, out, source)
    loop = asyncio.get_running_loop()

    def changed() -> None:
        console.changed()
        if console.lost is not None:
            joined.leave()

    def interrupted() -> None:
        joined.leave()
        joined.flush()

    console.start(loop)
    with on_interrupt(loop, interrupted):
        await joined.run(changed)
    console.changed()
    if console.lost is not None:
        raise console.lost


def open_streams() -> tuple[TextIO, int]:
    """Where lines go and come from. Characters that the terminal's encoding lacks are replaced."""
    out = sys.stdout
    reconfigure = getattr(out, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    try:
        source = sys.stdin.fileno()
    except (AttributeError, ValueError, OSError):
        source = os.open(os.devnull, os.O_RDONLY)
    return out, source


def _read_some(source: int) -> bytes:
    try:
        return os.read(source, 65_536)
    except OSError:
        return b""
