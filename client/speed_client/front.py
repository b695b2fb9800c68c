"""From the list of servers over a lobby to a table and back, until the player quits. Part of the rim.

Each screen is one `Application` after the other; between them stands nothing but the choice that the last one came to.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter_ns, time
from typing import TYPE_CHECKING

from speed_client.desk import Desk
from speed_client.door import DoorError, Pass, Server, knock
from speed_client.finding import Finding, shown
from speed_client.page_screen import PageScreen, Work
from speed_client.pages import Back, Join, Practise, Quit, Seat, Settings, TakePart, Watch
from speed_client.passes import ClosedError, where_it_is_typed, with_pass, with_word
from speed_client.profile import Profile, default_name
from speed_client.scout import Scout
from speed_client.server_page import ServerPage
from speed_client.settings import Options

if TYPE_CHECKING:
    from speed_client.link import WatchLink
    from speed_client.lobby_page import LobbyPage
    from speed_client.watching import Watching

# The first picture is the list of servers. What comes after it is imported then: it is most of the program.


class Front:
    """One evening at one terminal."""

    def __init__(self, options: Options, profile: Profile, desk: Desk) -> None:
        self._options = options
        self._profile = profile
        self._desk = desk
        self._finding = Finding(perf_counter_ns())

    async def run(self) -> int:
        """Show the servers, and what is chosen there, until the player quits; 0."""
        for server_id, name, address in self._profile.recent():
            self._finding.remember(server_id, name, address, perf_counter_ns())
        notice, going = "", True
        asks: Join | None = None
        while going:
            page = ServerPage(self._finding, self._profile.progress(), perf_counter_ns(), notice, asks)
            choice = await PageScreen(page, self._desk.look, Scout(self._finding).run).run()
            notice, asks = "", None
            try:
                if isinstance(choice, Practise):
                    from speed_client.practising import practise  # noqa: PLC0415

                    going = await practise(replace(self._options, practice=choice.level), self._profile, self._desk)
                elif isinstance(choice, Settings):
                    from speed_client.settings_page import SettingsPage  # noqa: PLC0415

                    settings = SettingsPage(self._desk, tmux="TMUX" in os.environ)
                    going = not isinstance(await PageScreen(settings, self._desk.look).run(), Quit)
                elif isinstance(choice, Join):
                    going = await self._join(choice)
                else:
                    going = False
            except ClosedError as error:
                assert isinstance(choice, Join)
                notice, asks = where_it_is_typed(str(error)), choice
            except DoorError as error:
                notice = str(error)
            self._finding.begin_again(perf_counter_ns())
        return 0

    async def _join(self, join: Join) -> bool:
        """Go to a server; False where the program shall end. Raises `DoorError`."""
        server = await knock(join.address)
        if join.word:
            server = with_word(server, self._profile, join.word, watching=join.watch)
        else:
            options = self._options
            server = with_pass(
                server, self._profile, passcode=options.passcode, invite=options.invite, watching=join.watch
            )
        self._profile.remember(server)
        self._profile.used(server.line.id, int(time()))
        return await (self._watch(server, 0) if join.watch else self._lobby(server))

    async def _lobby(self, server: Server) -> bool:
        """The server's tables; False where the program shall end."""
        from speed_client.link import WatchLink  # noqa: PLC0415
        from speed_client.lobby_page import LobbyPage  # noqa: PLC0415
        from speed_client.watching import Watching  # noqa: PLC0415

        notice = ""
        while True:
            page = LobbyPage(server.line.name, notice)
            watching = Watching(0, perf_counter_ns(), tables=False)
            with WatchLink(server, self._profile.remember) as link:
                choice = await PageScreen(page, self._desk.look, _follow(page, watching, link, server.pass_)).run()
            if page.closed and isinstance(choice, Back):
                raise ClosedError(page.notice)
            if isinstance(choice, Seat):
                notice, going = await self._sit(server, choice)
            elif isinstance(choice, TakePart):
                notice, going = await self._take_part(server, choice.tid)
            elif isinstance(choice, Watch):
                notice, going = "", await self._watch(server, choice.table)
            else:
                return isinstance(choice, Back)
            if not going:
                return False

    async def _sit(self, server: Server, seat: Seat) -> tuple[str, bool]:
        """Play at a table; what the lobby shall say about how that ended, and whether the program goes on."""
        from speed_client.app import TableScreen  # noqa: PLC0415
        from speed_client.link import Link  # noqa: PLC0415
        from speed_client.session import Session  # noqa: PLC0415
        from speed_client.wishes import Want  # noqa: PLC0415

        claim = self._profile.claim(server.line.id, self._options.name or self._desk.choices.name or default_name())
        want = Want(seat.table, seat.computers, self._options.ready, seat.rules)
        session = Session(claim.name, claim.ticket, want, perf_counter_ns())
        try:
            with Link(server, self._profile.remember, claim.save) as link:
                address = shown(server.address)
                screen = TableScreen(session, link, self._desk, address=address)
                await screen.run()
        finally:
            claim.release()
        ended = session.ended
        notice = ended.text if ended is not None and ended.word != "left" else ""
        return notice, not screen.terminal.cut_off

    async def _take_part(self, server: Server, tid: str) -> tuple[str, bool]:
        """Play in a tournament; as for `_sit`."""
        from speed_client.link import Link, WatchLink  # noqa: PLC0415
        from speed_client.session import Session  # noqa: PLC0415
        from speed_client.tournament_screen import TournamentScreen  # noqa: PLC0415
        from speed_client.wishes import Want  # noqa: PLC0415

        claim = self._profile.claim(server.line.id, self._options.name or self._desk.choices.name or default_name())
        session = Session(claim.name, claim.ticket, Want(tournament=tid), perf_counter_ns())
        try:
            with (
                Link(server, self._profile.remember, claim.save) as link,
                WatchLink(server, self._profile.remember) as watch_link,
            ):
                screen = TournamentScreen(session, link, self._desk, watch_link, address=shown(server.address))
                await screen.run()
        finally:
            claim.release()
        ended = session.ended
        notice = ended.text if ended is not None and ended.word != "left" else ""
        return notice, not screen.terminal.cut_off

    async def _watch(self, server: Server, table: int) -> bool:
        from speed_client.link import WatchLink  # noqa: PLC0415
        from speed_client.watch import WatchScreen  # noqa: PLC0415
        from speed_client.watching import Watching  # noqa: PLC0415

        watching = Watching(table, perf_counter_ns())
        with WatchLink(server, self._profile.remember) as link:
            screen = WatchScreen(watching, link, self._desk)
            await screen.run()
        if watching.ended is not None and watching.ended.word == "locked":
            raise ClosedError(watching.ended.text)
        return not screen.terminal.cut_off


def _follow(page: LobbyPage, watching: Watching, link: WatchLink, pass_: Pass | None) -> Work:
    """The work beside a lobby: show it what the server publishes.

    Without a pass only watching is closed, and any seat can still be taken.
    """

    async def work(changed: Callable[[], None]) -> None:
        def heard() -> None:
            watching.news.clear()
            if watching.ended is not None:
                page.notice = watching.ended.text
                page.closed = watching.ended.word == "locked" and pass_ is not None
            page.show(watching.lobby, watching.tournaments, linked=watching.link == "up")
            changed()

        try:
            await link.run(watching, heard)
        finally:
            heard()

    return work
