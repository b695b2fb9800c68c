"""A terminal of known size with a program in it: what the screen shows, and what is left when the program has gone."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

import pyte

PATIENCE_S = 10.0
QUIET_S = 0.15
LOCAL_FLAGS = 3

# Plain, whatever terminal the tests are run from; but where Python keeps its bytecode stays as it was.
PLAIN_ENVIRONMENT = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]} | {
    name: value for name, value in os.environ.items() if name in {"PYTHONPATH", "PYTHONPYCACHEPREFIX"}
}


class Terminal:
    """A pseudo terminal, the screen that pyte makes of what is written to it, and the program that writes."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], columns: int = 80, rows: int = 24) -> None:
        self.written = b""
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._master, self._slave = pty.openpty()
        self._set_size(columns, rows)
        self.before = termios.tcgetattr(self._slave)
        self.process = subprocess.Popen(
            command,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            preexec_fn=self._own_terminal,  # noqa: PLW1509  # no threads here
            env=PLAIN_ENVIRONMENT | dict(env),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._slave)
        os.close(self._master)

    @property
    def shown(self) -> str:
        """The screen's rows as text."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size, as a window manager does."""
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)
        os.killpg(self.process.pid, signal.SIGWINCH)

    def hang_up(self, number: int) -> None:
        """Send a signal to all that runs in the terminal, as closing its window does."""
        os.killpg(self.process.pid, number)

    def until(self, done: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
        """Read until `done()`. Raises `TimeoutError` with the screen when that takes longer than `patience_s`."""
        deadline = time.monotonic() + patience_s
        while not done():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no {what} within {patience_s} s (exit code {self.process.poll()})\n{self.shown}")
            self._read(min(left, 0.1))

    def settle(self, quiet_s: float = QUIET_S) -> None:
        """Read until the program has written nothing for so long: then the picture is a whole one."""
        while self._read(quiet_s):
            pass

    def end(self, patience_s: float = PATIENCE_S) -> int:
        """Read until the program has gone; its exit code."""
        self.until(lambda: self.process.poll() is not None, "end of the program", patience_s)
        while self._read(0):
            pass
        return self.process.returncode

    def assert_restored(self) -> None:
        """The normal screen with its cursor, echo and line editing are back, and nothing turned on stayed on."""
        now = termios.tcgetattr(self._slave)
        assert now[LOCAL_FLAGS] & termios.ECHO
        assert now[LOCAL_FLAGS] & termios.ICANON
        assert now == self.before
        for on, off in (
            (b"\x1b[?1049h", b"\x1b[?1049l"),
            (b"\x1b[?25l", b"\x1b[?25h"),
            (b"\x1b[?2004h", b"\x1b[?2004l"),
        ):
            assert self.written.rfind(off) >= self.written.rfind(on), off
        assert b"\x1b[?1049l" in self.written
        assert b"Traceback" not in self.written

    def _read(self, patience_s: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], patience_s)
        if not ready:
            return False
        data = os.read(self._master, 1 << 16)
        self.written += data
        self._stream.feed(data)
        return True

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _own_terminal(self) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSCTTY, 0)
