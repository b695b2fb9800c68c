"""An emulated link in user space: packets of one namespace come out in another, late or never (Linux, root).

A process of its own: `python -m lab_live.tun SPACE_A SPACE_B KIND SUBNET`. In SPACE_A the link has the address
SUBNET.1, in SPACE_B SUBNET.2; from B to A is the way up. Says "up" when the link stands, and lasts until standard input
closes. Delays are those of the simulated links (`lab_sim.world`); a lost packet is really lost, and TCP heals it.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Final

from lab_sim.world import LOSS, Wire

_CLONE_NEWNET: Final = 0x4000_0000
_TUNSETIFF: Final = 0x4004_54CA
_TUN_WITHOUT_HEADER: Final = 0x1001
_PACKET: Final = 65_536
_REDRAW_NS: Final = 10_000_000
"""So long a direction keeps its delay. Drawn anew for each packet, the longest of many would hold up all the others."""

_SPIN_NS: Final = 300_000
"""Poll's timeout is in whole milliseconds; what is due sooner than this is waited for by asking again and again."""

_libc = ctypes.CDLL(None, use_errno=True)


def main(arguments: Sequence[str]) -> None:
    """Join two namespaces until standard input closes."""
    space_a, space_b, kind, subnet = arguments
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    ends = [_open(space_a, f"{subnet}.1"), _open(space_b, f"{subnet}.2")]
    _enter(home)
    os.close(home)
    print("up", flush=True)
    Relay(ends[0], ends[1], kind).run()


class Relay:
    """The packets between two tun devices. `run` lasts until standard input closes."""

    def __init__(self, end_a: int, end_b: int, kind: str) -> None:
        self._dice = Random(f"{kind}/link")  # noqa: S311  # an emulated link, not a secret
        self._loss = LOSS if kind == "bad-loss" else 0.0
        plain = "bad" if kind == "bad-loss" else kind  # the simulated one adds what TCP makes of a loss
        self._other = {end_a: end_b, end_b: end_a}
        self._wires = {end_a: Wire(self._dice, plain, up=False), end_b: Wire(self._dice, plain, up=True)}
        self._drawn: dict[int, tuple[int, int]] = {}
        """By the end that packets come from: when its delay was drawn last, and the delay."""
        self._last: dict[int, int] = dict.fromkeys(self._other, 0)
        self._queue: list[tuple[int, int, int, bytes]] = []
        self._count = 0

    def run(self) -> None:
        """Take packets in, and let them out when they are due."""
        poller = select.poll()
        for end in (*self._other, sys.stdin.fileno()):
            poller.register(end, select.POLLIN | select.POLLHUP)
        while True:
            rest_ns = self._queue[0][0] - time.perf_counter_ns() if self._queue else 1_000_000_000
            for end, _ in poller.poll(0 if rest_ns < _SPIN_NS else max(1, rest_ns // 1_000_000)):
                if end not in self._other:
                    return
                self._take(end)
            self._let_out()

    def _take(self, end: int) -> None:
        while True:
            try:
                packet = os.read(end, _PACKET)
            except BlockingIOError:
                return
            if self._dice.random() >= self._loss:
                self._count += 1
                when = self._last[end] = self._arrival(end, time.perf_counter_ns())
                heapq.heappush(self._queue, (when, self._count, self._other[end], packet))

    def _arrival(self, end: int, now: int) -> int:
        """When a packet from this end comes out at the other."""
        drawn_at, delay = self._drawn.get(end, (-_REDRAW_NS, 0))
        if now - drawn_at >= _REDRAW_NS:
            when = self._wires[end].arrival(now)
            assert when is not None, "no wire is cut here"
            drawn_at, delay = self._drawn[end] = (now, when - now)
        return max(now + delay, self._last[end])

    def _let_out(self) -> None:
        while self._queue and self._queue[0][0] <= time.perf_counter_ns():
            *_, end, packet = heapq.heappop(self._queue)
            try:
                os.write(end, packet)
            except OSError:
                continue  # a full device drops packets, as a real one does


def _enter(namespace: int) -> None:
    if _libc.setns(namespace, _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "the network namespace cannot be entered")


def _open(space: str, address: str) -> int:
    namespace = os.open(f"/run/netns/{space}", os.O_RDONLY)
    _enter(namespace)
    os.close(namespace)
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    said = fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH14x", b"link%d", _TUN_WITHOUT_HEADER))
    name = said[:16].rstrip(b"\0").decode()
    for command in (("addr", "add", f"{address}/24", "dev", name), ("link", "set", name, "up", "txqueuelen", "1000")):
        subprocess.run(["ip", *command], check=True)
    return device


if __name__ == "__main__":
    main(sys.argv[1:])
