"""`speed-server`: opens what the options ask for, runs it, and says in one line what to do about a failure."""

from __future__ import annotations

import argparse
import contextlib
import io
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

from speed_common import __version__
from speed_server.addresses import (
    CannotListenError,
    Place,
    find_place,
    host_and_port,
    reachable,
)
from speed_server.app import App
from speed_server.door import Door, Plate
from speed_server.hub import Hub
from speed_server.keys import DataFolder, Keys, KeysError
from speed_server.options import parse
from speed_server.settings import HubSettings
from speed_server.sockets import Sockets

PORT_TRIES: Final = 20
_DESCRIPTORS: Final = 65_536


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server; the exit code: 0 after a signal, 1 for a failure, 2 for a wrong option."""
    options, settings = parse(arguments)
    _raise_descriptor_limit()
    try:
        place = find_place(options.host)
        with contextlib.closing(DataFolder(options.data)) as folder:
            return _serve(options, settings, place, folder.keys())
    except (KeysError, CannotListenError) as error:
        print(f"speed-server: {error}", file=sys.stderr)  # noqa: T201
        return 1


def _serve(options: argparse.Namespace, settings: HubSettings, place: Place, keys: Keys) -> int:
    door, sockets = _open(place, options.port, keys)
    clock = time.perf_counter_ns
    hub = Hub(settings, keys.server_id, secrets.token_bytes, clock())
    plate = Plate(options.name, keys, door.port)
    with App(hub, sockets, door, plate, settings.tick_ns, clock) as app, _signals(app):
        _say(_greeting(options, place, door.port))
        app.run()
    _say(["stopped"])
    return 0


def _open(place: Place, port: int, keys: Keys) -> tuple[Door, Sockets]:
    """The door and, on the two ports above it, the sockets. Port 0 takes any three free ones in a row."""
    tries = 1 if port else PORT_TRIES
    while True:
        tries -= 1
        try:
            return _open_once(place, port, keys)
        except CannotListenError as error:
            if not (error.taken and tries):
                raise


def _open_once(place: Place, port: int, keys: Keys) -> tuple[Door, Sockets]:
    door = Door(place, port)
    try:
        return door, Sockets(place, door.port + 1, door.port + 2, keys)
    except BaseException:
        door.close()
        raise


@contextlib.contextmanager
def _signals(app: App) -> Iterator[None]:
    """SIGTERM, Ctrl-C and a closed terminal end the loop; the descriptor wakes it even just before it sleeps."""
    names = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
    caught = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, lambda *_: app.stop()) for number in caught}
    descriptor = signal.set_wakeup_fd(app.wake_descriptor, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(descriptor)
        for number, handler in before.items():
            signal.signal(number, handler)


def _greeting(options: argparse.Namespace, place: Place, port: int) -> list[str]:
    targets = [host_and_port(address, port) for address in reachable(place)]
    return [
        f"speed-server {__version__}: {options.name}",
        f"ports: door {port}, play {port + 1}, watch {port + 2}",
        "Players type:",
        *[f"  speed-client {target}" for target in targets],
        "Watchers type:",
        f"  speed-client {targets[0]} --watch",
        "Ctrl-C stops the server.",
    ]


def _say(lines: Sequence[str]) -> None:
    """Print for the host and for scripts that wait for it; a reader who has gone must not end the evening."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    with contextlib.suppress(OSError, ValueError):
        print(*lines, sep="\n", flush=True)  # noqa: T201


def _raise_descriptor_limit() -> None:
    """Each connection is a descriptor, and the usual soft limit of 1,024 is a small evening."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


if __name__ == "__main__":
    sys.exit(main())
