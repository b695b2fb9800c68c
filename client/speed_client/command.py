"""What `speed-client` does: understand the command line, knock at the door, and hand over to a face."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter_ns, time
from typing import TYPE_CHECKING

from speed_client.entry import OutputError, complain
from speed_client.settings import Options, parse_options

if TYPE_CHECKING:
    from speed_client.desk import Desk
    from speed_client.door import Server
    from speed_client.link import Link, WatchLink
    from speed_client.news import Ended
    from speed_client.profile import Profile
    from speed_client.session import Session
    from speed_client.watching import Watching

# Everything that takes long to import is imported where it is needed: --help and --version shall answer at once, the
# line modes shall not load the screen, and a wrong host shall not cost a ZeroMQ context.


def run(argv: Sequence[str]) -> int:
    """Do what the command line asks; the exit code.

    Raises `SystemExit` for what the command line alone answers, and `OutputError`.
    """
    terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty()
    options = parse_options(argv, os.environ, terminal=terminal)
    import asyncio  # noqa: PLC0415

    from speed_client.door import DoorError  # noqa: PLC0415

    try:
        if options.forget:
            return _forget(options)
        if sys.stdout is None:
            raise OutputError("it is closed")
        desk = _desk(options)
        options = _settled(options, desk)
        if options.host:
            return asyncio.run(_meet(options, desk))
        return asyncio.run(_list(options) if options.listing else _alone(options, desk))
    except DoorError as error:
        _complain(str(error))
        return 1


def _complain(text: str) -> None:
    complain("speed-client", text)


def _forget(options: Options) -> int:
    from speed_client.door import Address  # noqa: PLC0415
    from speed_client.profile import open_profile  # noqa: PLC0415

    address = str(Address(options.host, options.port))
    profile = open_profile(os.environ)
    names = profile.forget(address)
    for note in profile.notes:
        _complain(note)
    if not names:
        _complain(f"no server is known at {address}")
        return 1
    if sys.stdout is not None:
        sys.stdout.write("".join(f"forgot the key of {name!r} at {address}\n" for name in names))
    return 0


async def _list(options: Options) -> int:
    from speed_client.listing import list_servers  # noqa: PLC0415
    from speed_client.profile import open_profile  # noqa: PLC0415

    if sys.stdout is None:
        raise OutputError("it is closed")
    return await list_servers(open_profile(os.environ), as_json=options.face == "json")


async def _alone(options: Options, desk: Desk) -> int:
    """No server was named: practice, or a choice of servers."""
    from speed_client.profile import open_profile  # noqa: PLC0415

    if sys.stdout is None:
        raise OutputError("it is closed")
    profile = open_profile(os.environ)
    try:
        if options.two:
            from speed_client.pairing import pair_in_practice  # noqa: PLC0415

            await pair_in_practice(options, profile, desk)
            return 0
        if options.practice is not None:
            from speed_client.practising import practise  # noqa: PLC0415

            await practise(options, profile, desk if options.face == "screen" else None)
            return 0
        from speed_client.front import Front  # noqa: PLC0415

        return await Front(options, profile, desk).run()
    finally:
        for note in profile.notes:
            _complain(note)


def _desk(options: Options) -> Desk:
    """What the player chose, by file and flags, and what the terminal says of itself where a screen is wanted."""
    from speed_client.config_file import config_file  # noqa: PLC0415
    from speed_client.desk import Desk  # noqa: PLC0415
    from speed_client.probe import probe  # noqa: PLC0415
    from speed_client.style import Traits  # noqa: PLC0415

    file = config_file(os.environ)
    kept = file.load()
    for note in file.notes:
        _complain(note)
    traits = probe(os.environ, sys.stdout.encoding) if options.face == "screen" and not kept.plain else Traits()
    language = (os.environ.get("LC_ALL") or os.environ.get("LANG") or "")[:2]
    return Desk(kept, traits, options.flags, file.save, language)


def _settled(options: Options, desk: Desk) -> Options:
    """The options with what the desk decides: the name, and whether there is a screen at all."""
    found = replace(options, name=options.name or desk.choices.name)
    if options.face == "screen" and desk.choices.plain:
        # Without a screen nobody chooses a server: who named none gets the list to read.
        found = replace(found, face="plain", listing=not options.host and options.practice is None)
    return found


async def _meet(options: Options, desk: Desk) -> int:
    from speed_client.door import Address, knock  # noqa: PLC0415
    from speed_client.profile import open_profile  # noqa: PLC0415

    if sys.stdout is None:
        raise OutputError("it is closed")
    profile = open_profile(os.environ)
    server = await knock(Address(options.host, options.port))
    from speed_client.passes import with_pass  # noqa: PLC0415

    server = with_pass(server, profile, passcode=options.passcode, invite=options.invite, watching=options.watch)
    profile.remember(server)
    profile.used(server.line.id, int(time()))
    if options.direct is not None:
        return await _direct(options, server, profile)
    return await (_watch if options.watch else _play)(options, server, profile, desk)


async def _play(options: Options, server: Server, profile: Profile, desk: Desk) -> int:
    from speed_client.link import Link, WatchLink  # noqa: PLC0415
    from speed_client.profile import default_name  # noqa: PLC0415
    from speed_client.session import Session  # noqa: PLC0415
    from speed_client.wishes import Want  # noqa: PLC0415

    if options.two and options.face == "screen":
        from speed_client.pairing import pair_up  # noqa: PLC0415

        for note in profile.notes:
            _complain(note)
        return _code(options, await pair_up(options, server, profile, desk))
    if options.tournament is not None:
        options = replace(options, tournament=options.tournament or await _first_tournament(server, profile))
    claim = profile.claim(server.line.id, options.name or default_name())
    for note in profile.notes:
        _complain(note)
    want = Want(options.table, options.computers, options.ready, options.rules, options.code, options.tournament or "")
    session = Session(claim.name, claim.ticket, want, perf_counter_ns())
    try:
        with Link(server, profile.remember, claim.save) as link:
            if options.tournament:
                with WatchLink(server, profile.remember) as watch_link:
                    code = await _face_of_entrant(options, session, link, watch_link, desk)
            else:
                code = await _face_of_player(options, session, link, desk, profile.introduction)
    finally:
        claim.release()
    return code or _code(options, session.ended)


async def _face_of_player(options: Options, session: Session, link: Link, desk: Desk, introduction: str) -> int:
    if options.face == "screen":
        from speed_client.app import run_table  # noqa: PLC0415

        return await run_table(session, link, desk, address=invitation(options), introduction=introduction)
    from speed_client.console import run_lines  # noqa: PLC0415
    from speed_client.jsonl import JsonPlayer  # noqa: PLC0415
    from speed_client.plain import PlainPlayer  # noqa: PLC0415

    face = JsonPlayer(session) if options.face == "json" else PlainPlayer(session)
    await run_lines(_Player(session, link), face)
    return 0


async def _first_tournament(server: Server, profile: Profile) -> str:
    from speed_client.first_tournament import first_tournament  # noqa: PLC0415
    from speed_client.link import WatchLink  # noqa: PLC0415

    with WatchLink(server, profile.remember) as link:
        return await first_tournament(link)


async def _face_of_entrant(options: Options, session: Session, link: Link, watch_link: WatchLink, desk: Desk) -> int:
    """A player of a tournament sees its board as well."""
    if options.face == "screen":
        from speed_client.tournament_screen import TournamentScreen  # noqa: PLC0415

        return await TournamentScreen(session, link, desk, watch_link, address=invitation(options)).run()
    from speed_client.console import run_lines  # noqa: PLC0415
    from speed_client.jsonl import JsonPlayer  # noqa: PLC0415
    from speed_client.plain import PlainPlayer  # noqa: PLC0415
    from speed_client.watching import Watching  # noqa: PLC0415

    if options.face == "json":
        await run_lines(_Player(session, link), JsonPlayer(session))
        return 0
    watching = Watching(0, perf_counter_ns(), tables=False)
    face = PlainPlayer(session, watching.choose(session.entrant.tid))
    await run_lines(_Entrant(_Player(session, link), _Watcher(watching, watch_link)), face)
    return 0


async def _direct(options: Options, server: Server, profile: Profile) -> int:
    from speed_client.directing import direct  # noqa: PLC0415

    for note in profile.notes:
        _complain(note)
    return await direct(options, server, profile)


async def _watch(options: Options, server: Server, profile: Profile, desk: Desk) -> int:
    from speed_client.link import WatchLink  # noqa: PLC0415
    from speed_client.watching import Watching  # noqa: PLC0415

    for note in profile.notes:
        _complain(note)
    watching = Watching(max(options.table, 0), perf_counter_ns())
    with WatchLink(server, profile.remember) as link:
        code = await _face_of_watcher(options, watching, link, desk)
    return code or _code(options, watching.ended)


async def _face_of_watcher(options: Options, watching: Watching, link: WatchLink, desk: Desk) -> int:
    if options.face == "screen":
        from speed_client.watch import run_watch  # noqa: PLC0415

        return await run_watch(watching, link, desk)
    from speed_client.console import run_lines  # noqa: PLC0415
    from speed_client.jsonl import JsonWatcher  # noqa: PLC0415
    from speed_client.plain_watch import PlainWatcher  # noqa: PLC0415

    face = JsonWatcher(watching) if options.face == "json" else PlainWatcher(watching)
    await run_lines(_Watcher(watching, link), face)
    return 0


def invitation(options: Options) -> str:
    """What others type to join, as far as we know: what was typed here, unless it means something else there."""
    from speed_client.door import Address  # noqa: PLC0415
    from speed_client.settings import DEFAULT_PORT  # noqa: PLC0415

    if options.host in {"localhost", "::", "::1"} or options.host.startswith(("0.", "127.")) or "%" in options.host:
        return ""
    return options.host if options.port == DEFAULT_PORT else str(Address(options.host, options.port))


class _Player:
    """A session bound to its link, as the line faces want it."""

    def __init__(self, session: Session, link: Link) -> None:
        self._session = session
        self._link = link

    async def run(self, on_change: Callable[[], None]) -> None:
        await self._link.run(self._session, on_change)

    def flush(self) -> None:
        self._link.flush(self._session)

    def leave(self) -> None:
        self._session.leave(perf_counter_ns())


class _Watcher:
    """A spectator bound to its link, as the line faces want it."""

    def __init__(self, watching: Watching, link: WatchLink) -> None:
        self._watching = watching
        self._link = link

    async def run(self, on_change: Callable[[], None]) -> None:
        await self._link.run(self._watching, on_change)

    def flush(self) -> None:
        self._link.flush(self._watching)

    def leave(self) -> None:
        self._watching.stop("left", "you stopped watching")


class _Entrant:
    """A player of a tournament and the spectator beside him, as one."""

    def __init__(self, player: _Player, watcher: _Watcher) -> None:
        self._player = player
        self._watcher = watcher

    async def run(self, on_change: Callable[[], None]) -> None:
        import asyncio  # noqa: PLC0415

        beside = asyncio.create_task(self._watcher.run(lambda: None))
        try:
            await self._player.run(on_change)
        finally:
            self._watcher.leave()
            self._watcher.flush()
            await asyncio.gather(beside, return_exceptions=True)

    def flush(self) -> None:
        self._player.flush()

    def leave(self) -> None:
        self._player.leave()


def _code(options: Options, ended: Ended | None) -> int:
    """The exit code for how it ended; the screen is gone by now, so the reason is said once more."""
    if ended is None or ended.word == "left":
        return 0
    if options.face == "screen":
        _complain(ended.text)
    return 1
