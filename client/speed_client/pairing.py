"""Two players of one terminal brought to a table: two names, two tickets, two links. Part of the rim."""

from __future__ import annotations

from contextlib import ExitStack
from time import perf_counter_ns
from typing import TYPE_CHECKING

from speed_client.app import TableLink
from speed_client.link import Link
from speed_client.practice import PracticeServer
from speed_client.profile import default_name
from speed_client.session import Session
from speed_client.two import TwoScreen
from speed_client.wishes import Want
from speed_common.wire import ANY_TABLE, NEW_TABLE

if TYPE_CHECKING:
    from speed_client.desk import Desk
    from speed_client.door import Server
    from speed_client.news import Ended
    from speed_client.profile import Profile
    from speed_client.settings import Options


async def pair_up(options: Options, server: Server, profile: Profile, desk: Desk) -> Ended | None:
    """Play, two at this terminal, until they leave; how it ended for the one of them who was sent away.

    Where no table was named it is a new one: two free seats beside each other are nowhere else sure.
    """
    with ExitStack() as stack:
        sessions: list[Session] = []

        def sit(name: str, want: Want) -> tuple[Session, TableLink]:
            claim = profile.claim(server.line.id, name)
            stack.callback(claim.release)
            session = Session(claim.name, claim.ticket, want, perf_counter_ns())
            sessions.append(session)
            return session, stack.enter_context(Link(server, profile.remember, claim.save))

        name = options.name or default_name()
        table = options.table if options.table != ANY_TABLE or options.code else NEW_TABLE
        want = Want(table, options.computers, options.ready, options.rules, options.code)
        session, link = sit(name, want)
        screen = TwoScreen(
            session,
            link,
            lambda number: sit(options.name2 or name, Want(number, ready=options.ready)),
            desk,
            practice=options.practice is not None,
        )
        await screen.run()
        ends = [session.ended for session in sessions if session.ended is not None]
        return next((end for end in ends if end.word != "left"), None)


async def pair_in_practice(options: Options, profile: Profile, desk: Desk) -> None:
    """The same on a server of one's own, against each other. Raises `DoorError`."""
    async with PracticeServer() as server:
        await pair_up(options, server, profile, desk)
