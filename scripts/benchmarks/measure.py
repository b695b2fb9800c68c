"""What is read off this machine: cores, processor time, memory, and the figures made of many readings.

Linux only: processor time comes from `/proc/PID/task/*/schedstat`, whose first field is the time that a thread ran and
whose second the time that it waited for a core. A long wait tells of a disturbed run. All durations are nanoseconds.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

NS_PER_S = 1_000_000_000
NS_PER_US = 1_000


class BenchError(Exception):
    """The run cannot go on; the text says why."""


class Usage(NamedTuple):
    """Processor time of all threads of a process that are alive."""

    ran_ns: int
    waited_ns: int

    def since(self, before: Usage) -> Usage:
        """What was added after `before`."""
        return Usage(self.ran_ns - before.ran_ns, self.waited_ns - before.waited_ns)


def usage_of(pid: int) -> Usage:
    """The processor time of a process up to now."""
    ran = waited = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            fields = (task / "schedstat").read_text().split()
            ran += int(fields[0])
            waited += int(fields[1])
    return Usage(ran, waited)


def resident_kib(pid: int) -> int:
    """The memory of a process that is in use, in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise BenchError(f"process {pid} has gone")


class Cores(NamedTuple):
    """The core that servers run on, and the one of the load; the same one where the machine has no second."""

    server: int
    load: int


def choose_cores() -> Cores:
    """The last two of the cores that this process may use."""
    usable = sorted(os.sched_getaffinity(0))
    return Cores(usable[-1], usable[max(len(usable) - 2, 0)])


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """Run on one core inside the `with` block; threads and processes started there stay on it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def percentile(values: Sequence[int], share: float) -> float:
    """The value that `share` (0..1) of the values do not exceed; NaN for none."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones; NaN for none."""
    if not values:
        return math.nan
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
