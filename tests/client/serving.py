"""Servers of the kinds that a client may meet: the real one as a process, and doors that say what a test wants."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"


@contextlib.contextmanager
def served(data: Path, *options: str, port: int = 0) -> Iterator[int]:
    """A `speed-server` process; its door's port. Killed at the end."""
    command = [sys.executable, "-m", "speed_server", "--port", str(port), "--data", str(data), *options]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                found = re.search(r"door (\d+)", line)
                if found:
                    break
            else:
                raise AssertionError(f"the server did not start: {said}")
            yield int(found[1])
        finally:
            process.kill()


@contextlib.contextmanager
def door(data: bytes, *, hold: bool = False) -> Iterator[int]:
    """Something that listens on a port, says `data` to each visitor, and hangs up or (`hold`) does not."""
    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    visitor, _ = listener.accept()
                    visitor.sendall(data)
                    if hold:
                        held.append(visitor)
                    else:
                        visitor.close()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for visitor in held:
                visitor.close()


def door_line(**changes: Any) -> bytes:
    """The line of a well-behaved server with some fields changed."""
    line: dict[str, Any] = {
        "speed": "speed-lan",
        "name": "anna's laptop",
        "id": "0123456789abcdef",
        "protocol": [1, 1],
        "version": "0.1.0",
        "key": KEY,
        "play": 7771,
        "watch": 7772,
        "players": 3,
        "tables": 2,
        "locked": False,
    }
    return json.dumps({**line, **changes}).encode() + b"\n"


def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
