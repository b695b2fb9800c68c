"""`speed-server`: opens what the options ask for, runs it, and says in one line what to do about a failure."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import secrets
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from speed_common import __version__
from speed_common.words import key_words
from speed_server.addresses import (
    CannotListenError,
    Place,
    find_place,
    host_and_port,
    reachable,
)
from speed_server.announce import Herald, Silence, is_worth_announcing, sign_of
from speed_server.app import App
from speed_server.archive import Archive, ArchiveError
from speed_server.closing import Closing, close_doors, kept_invite
from speed_server.console import Console, usable
from speed_server.door import Door, Plate
from speed_server.hosting import Hosting, hosting
from speed_server.hosting import main as verify
from speed_server.hub import Hub
from speed_server.journal_file import JournalError
from speed_server.keys import DataFolder, Keys, KeysError
from speed_server.limits import Limits
from speed_server.options import LOOPBACK, limits_of, parse
from speed_server.qr import qr_lines
from speed_server.settings import HubSettings
from speed_server.sockets import Sockets
from speed_server.stats import StatsError, StatsFile
from speed_server.zap import Locks

PORT_TRIES: Final = 20
_DESCRIPTORS: Final = 65_536


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server; the exit code: 0 after a signal, 1 for a failure, 2 for a wrong option."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["rehearse"]:
        from speed_server.rehearse import main as rehearse  # noqa: PLC0415  # a server has no use for it

        return rehearse(words[1:])
    if words[:1] == ["verify"]:
        return verify(words[1:])
    options, settings = parse(words)
    _raise_descriptor_limit()
    try:
        place = find_place(LOOPBACK if options.insecure else options.host)
        with _folder(options) as folder:
            keys = folder.keys()
            tournaments = hosting(folder.path, options.restore, time.time_ns, time.perf_counter_ns, _warn)
            with _archive(options, folder.path) as archive, tournaments as hosted:
                return _serve(options, settings, place, keys, _closing(options, folder.path, keys), archive, hosted)
    except (KeysError, CannotListenError, ArchiveError, StatsError, JournalError) as error:
        print(f"speed-server: {error}", file=sys.stderr)  # noqa: T201
        return 1


@contextlib.contextmanager
def _folder(options: argparse.Namespace) -> Iterator[DataFolder]:
    """The folder of the server's key, held while it runs; a temporary one is gone afterwards."""
    with contextlib.ExitStack() as stack:
        path = options.data
        if options.temporary:
            path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="speed-server-")))
        yield stack.enter_context(contextlib.closing(DataFolder(path)))


@contextlib.contextmanager
def _archive(options: argparse.Namespace, data: Path) -> Iterator[Archive | None]:
    """Where the records of deals are kept, if anywhere; what waits at the end is written."""
    if options.no_records:
        yield None
        return
    archive = Archive(options.records or data / "records", options.keep_records)
    try:
        yield archive
    finally:
        archive.close()


def _closing(options: argparse.Namespace, data: Path, keys: Keys) -> Closing:
    invite = kept_invite(data, keys, new=options.invite == "new") if options.invite else None
    return close_doors(keys, options.passcode, invite, options.watch_passcode)


def _serve(
    options: argparse.Namespace,
    settings: HubSettings,
    place: Place,
    keys: Keys,
    closing: Closing,
    archive: Archive | None,
    hosted: Hosting,
) -> int:
    limits = limits_of(options, settings)
    door, sockets = _open(place, options.port, None if options.insecure else keys, closing.locks, limits)
    clock = time.perf_counter_ns
    hub = Hub(settings, keys.server_id, secrets.token_bytes, clock(), hosted.evening, hosted.secret)
    locks = closing.locks
    plate = Plate(
        options.name, keys, door.port, locks.play is not None, locks.watch is not None, insecure=options.insecure
    )
    with (
        _herald(options, place, plate) as herald,
        _stats(options.stats) as stats,
        App(hub, sockets, door, plate, clock, archive, herald, limits, stats, hosted.office) as app,
        _signals(app),
        _console(options, hosted) as console,
    ):
        if options.until_stdin_closes:
            threading.Thread(target=_end_with_stdin, args=(app,), name="stdin", daemon=True).start()
        _say(_greeting(options, place, plate, closing, hosted))
        if console is not None:
            console.start()
        app.run()
    _say(["stopped"])
    return 0


@contextlib.contextmanager
def _console(options: argparse.Namespace, hosted: Hosting) -> Iterator[Console | None]:
    """The director's prompt, where somebody sits at it; the terminal is left as it was."""
    if options.until_stdin_closes or not usable():
        yield None
        return
    console = Console(hosted.office.line, hosted.evening.names)
    hosted.office.console = console
    try:
        yield console
    finally:
        console.close()


def _herald(options: argparse.Namespace, place: Place, plate: Plate) -> Herald | Silence:
    if options.no_announce or not is_worth_announcing(place):
        return Silence()
    sign = sign_of(plate.keys.server_id, plate.name, plate.port, place)
    return Herald(sign._replace(locked=plate.locked), place, _warn)


@contextlib.contextmanager
def _stats(path: Path | None) -> Iterator[StatsFile | None]:
    """Where the figures go, if anywhere."""
    if path is None:
        yield None
        return
    with contextlib.closing(StatsFile(path)) as stats:
        yield stats


def _end_with_stdin(app: App) -> None:
    """Wait until whoever started this server has closed its end, or has gone in whatever way: the pipe tells both."""
    with contextlib.suppress(OSError):
        while os.read(0, 4_096):
            pass
    app.stop()


def _warn(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(f"speed-server: {text}", file=sys.stderr, flush=True)  # noqa: T201


def _open(place: Place, port: int, keys: Keys | None, locks: Locks, limits: Limits) -> tuple[Door, Sockets]:
    """The door and, on the two ports above it, the sockets. Port 0 takes any three free ones in a row."""
    tries = 1 if port else PORT_TRIES
    while True:
        tries -= 1
        try:
            return _open_once(place, port, keys, locks, limits)
        except CannotListenError as error:
            if not (error.taken and tries):
                raise


def _open_once(place: Place, port: int, keys: Keys | None, locks: Locks, limits: Limits) -> tuple[Door, Sockets]:
    door = Door(place, port)
    try:
        return door, Sockets(place, door.port + 1, door.port + 2, keys, locks, limits)
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


def _greeting(options: argparse.Namespace, place: Place, plate: Plate, closing: Closing, hosted: Hosting) -> list[str]:
    port = plate.port
    shows_secret = hosted.secret_is_new and not options.temporary
    targets = [host_and_port(address, port) for address in reachable(place)]
    return [
        f"speed-server {__version__}: {options.name}",
        f"ports: door {port}, play {port + 1}, watch {port + 2}",
        "Players type:",
        *[f"  speed-client {target}{closing.to_play}" for target in targets],
        "Watchers type:",
        f"  speed-client {targets[0]} --watch{closing.to_watch}",
        *(_qr(f"speed-client {targets[0]}{closing.to_play}") if options.invite else []),
        # Whoever plays on this very machine has nobody between.
        *([f"Its key reads: {key_words(plate.keys.public)}"] if is_worth_announcing(place) else []),
        *(["WITHOUT ENCRYPTION, on this machine only."] if options.insecure else []),
        *([f"The director's secret, for tournaments: {hosted.secret}"] if shows_secret else []),
        "Ctrl-C stops the server.",
    ]


def _qr(text: str) -> list[str]:
    """The QR code of a text where there is a screen that can show it."""
    out = sys.stdout
    if out is None or not out.isatty() or "utf" not in (out.encoding or "").lower():
        return []
    return qr_lines(text, colour="NO_COLOR" not in os.environ)


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
