"""A LAN on one machine: a switch and some machines, each a network namespace of its own (Linux, root).

The switch is a bridge in a namespace too, so that nothing of the machine's own network is touched. Names hold the
process id; leaving the `with` block removes every namespace, and with it every cable in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from types import TracebackType
from typing import Self


def why_not() -> str:
    """Why there can be no LAN here; empty when there can."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "`ip` is missing: install iproute2"
    try:
        with Lan() as lan:
            lan.machine("trial")
    except subprocess.CalledProcessError as error:
        return f"no network namespaces here: {' '.join(error.cmd)}: {error.stderr.strip()}"
    return ""


class Lan:
    """Machines on one switch, 198.18.77.1 the first that was asked for, .2 the next."""

    def __init__(self) -> None:
        self._namespaces: list[str] = []
        self._addresses: dict[str, str] = {}
        self._switch = f"speed{os.getpid()}-switch"

    def __enter__(self) -> Self:
        try:
            self._add(self._switch)
            ip("-n", self._switch, "link", "add", "lan", "type", "bridge")
            ip("-n", self._switch, "link", "set", "lan", "up")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove all of it."""
        while self._namespaces:
            with suppress(subprocess.CalledProcessError):
                ip("netns", "delete", self._namespaces.pop())

    def machine(self, name: str) -> tuple[str, ...]:
        """A new machine on the switch; what to put before a command so that it runs there."""
        space = f"speed{os.getpid()}-{name}"
        self._add(space)
        ip("-n", self._switch, "link", "add", name, "type", "veth", "peer", "name", "lan", "netns", space)
        ip("-n", self._switch, "link", "set", name, "master", "lan", "up")
        address = f"198.18.77.{len(self._addresses) + 1}"
        ip("-n", space, "address", "add", f"{address}/24", "dev", "lan")
        ip("-n", space, "link", "set", "lan", "up")
        ip("-n", space, "link", "set", "lo", "up")
        self._addresses[name] = address
        return ("ip", "netns", "exec", space)

    def address(self, name: str) -> str:
        """The machine's address on the LAN."""
        return self._addresses[name]

    def unplug(self, name: str) -> None:
        """Cut the way at the switch: the machine's own end still looks connected, as with a dead access point."""
        ip("-n", self._switch, "link", "set", name, "nomaster")

    def plug(self, name: str) -> None:
        """Put the cable back."""
        ip("-n", self._switch, "link", "set", name, "master", "lan")

    def _add(self, namespace: str) -> None:
        ip("netns", "add", namespace)
        self._namespaces.append(namespace)


def ip(*arguments: str) -> None:
    """Run `ip`. Raises `CalledProcessError` when it fails."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)
