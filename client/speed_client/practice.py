"""A server of one's own for practice: started on loopback, ended with the client in whatever way that ends.

The server's standard input is a pipe that only this client holds: it ends when the pipe does, even where the client was
killed and could say nothing any more. It keeps its things in a folder that it removes itself. Part of the rim.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import subprocess
import sys
from types import TracebackType
from typing import Final

from speed_client.door import Address, DoorError, Server, knock

START_SECONDS: Final = 15.0
END_SECONDS: Final = 3.0
LOOPBACK: Final = "127.0.0.1"

_PORT: Final = re.compile(rb"ports: door (\d+)")
_OPTIONS: Final = (
    *("--host", LOOPBACK, "--port", "0", "--name", "practice", "--tables", "2"),
    *("--temporary", "--no-records", "--no-announce", "--until-stdin-closes"),
)


class PracticeServer:
    """`async with PracticeServer() as server`: runs for as long as the block does. Raises `DoorError`."""

    def __init__(self, options: tuple[str, ...] = ()) -> None:
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    async def __aenter__(self) -> Server:
        # Safe path: a folder of that name in the working directory is not the program.
        command = [sys.executable, "-P", "-m", "speed_server", *_OPTIONS, *self._options]
        try:
            # A session of its own: Ctrl-C and a closed window are the client's to hear, which then ends the server.
            self._process = subprocess.Popen(  # noqa: S603, ASYNC220 - our own program, and it starts in milliseconds
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise DoorError(f"practice needs a server of its own, which does not start: {error}") from None
        try:
            async with asyncio.timeout(START_SECONDS):
                port = await asyncio.to_thread(self._read_port)
            return await knock(Address(LOOPBACK, port))
        except TimeoutError:
            self.close()
            raise DoorError(f"practice needs a server of its own, which said nothing for {START_SECONDS} s") from None
        except BaseException:
            self.close()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the server; it has a moment to remove its folder."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def _read_port(self) -> int:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            found = _PORT.match(line)
            if found:
                return int(found[1])
        said = process.stderr.read(300).decode(errors="replace").strip().partition("\n")[0]
        raise DoorError(f"practice needs a server of its own, which ended: {said or 'it said nothing'}")
