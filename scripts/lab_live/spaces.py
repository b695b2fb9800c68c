"""Network namespaces of our own, and the links between them; leaving the `with` block removes them all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_PATIENCE_S: Final = 10
_SCRIPTS: Final = str(Path(__file__).resolve().parent.parent)
_ENVIRONMENT: Final = os.environ | {
    "PYTHONPATH": os.pathsep.join(filter(None, (_SCRIPTS, os.environ.get("PYTHONPATH"))))
}
"""For processes of ours: the lab's modules are found where this one is."""


def why_not() -> str:
    """Why the lab cannot run live here; empty when it can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "network namespaces need root: run it with sudo"
    if shutil.which("ip") is None:
        return "`ip` is missing: install iproute2"
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "/dev/net/tun is missing: load the module tun"
    try:
        with Spaces() as spaces:
            spaces.add("trial-a")
            spaces.add("trial-b")
            spaces.join("trial-a", "trial-b", "cable", "198.19.250")
    except (subprocess.SubprocessError, OSError, RuntimeError) as error:
        said = getattr(error, "stderr", "") or str(error)
        return f"no links between network namespaces here: {said.strip()}"
    return ""


class Spaces:
    """Namespaces by name; their real names hold our process id."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def add(self, name: str) -> None:
        """A new namespace. Raises `CalledProcessError` where there can be none."""
        real = self.real(name)
        _ip("netns", "add", real)
        self._stack.callback(_remove, real)
        _ip("-n", real, "link", "set", "lo", "up")

    def join(self, name_a: str, name_b: str, kind: str, subnet: str) -> None:
        """Join two namespaces; see `tun`. Raises `RuntimeError` when the link does not come up."""
        command = [sys.executable, "-m", "lab_live.tun", self.real(name_a), self.real(name_b), kind, subnet]
        link = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=_ENVIRONMENT,
        )
        self._stack.callback(_end, link)
        assert link.stdout is not None
        assert link.stderr is not None
        if link.stdout.readline().strip() != "up":
            raise RuntimeError(link.stderr.read().strip().rpartition("\n")[2])

    def run(self, name: str, *command: str, stdout: int | None = None) -> subprocess.Popen[str]:
        """A process in a namespace; it is ended with the others."""
        process = subprocess.Popen(
            ["ip", "netns", "exec", self.real(name), *command],
            stdin=subprocess.PIPE,
            stdout=stdout,
            text=True,
            env=_ENVIRONMENT,
        )
        self._stack.callback(_end, process)
        return process

    def real(self, name: str) -> str:
        """What the namespace is called on this machine."""
        return f"speed-lab{os.getpid()}-{name}"


def _end(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    process.terminate()
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _remove(real: str) -> None:
    with suppress(subprocess.CalledProcessError):
        _ip("netns", "delete", real)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)
