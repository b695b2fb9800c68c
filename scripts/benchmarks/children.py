"""Servers as child processes: started on a core, waited for until they say where they listen, ended by their handle."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import BenchError, on_core

STARTING_S = 10.0
ENDING_S = 12.0


class Child(NamedTuple):
    """A running server, and what matched in the line that told where it listens."""

    pid: int
    said: re.Match[str]


@contextmanager
def running(command: Sequence[str], folder: Path, core: int, told: re.Pattern[str]) -> Iterator[Child]:
    """The server `command` on one core for the length of the `with` block; its first line that `told` finds says where.

    Raises `BenchError` with its complaints when it does not start.
    """
    complaints = folder / "stderr"
    with complaints.open("wb") as errors, on_core(core):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=folder)
    with process:
        try:
            said = _listen(process, told)
            if said is None:
                raise BenchError(f"{' '.join(command)} did not start: {complaints.read_text().strip()}")
            yield Child(process.pid, said)
        finally:
            process.terminate()
            try:
                process.wait(ENDING_S)
            except subprocess.TimeoutExpired:
                process.kill()


def _listen(process: subprocess.Popen[bytes], told: re.Pattern[str]) -> re.Match[str] | None:
    assert process.stdout is not None
    deadline = time.monotonic() + STARTING_S
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            data = os.read(process.stdout.fileno(), 4096)
            if not data:
                return None
            said += data
            found = told.search(said.decode())
            if found is not None:
                return found
    return None
