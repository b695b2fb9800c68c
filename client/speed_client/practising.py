"""Practice from beginning to end: the lesson, a server of one's own, deals against one computer, what they bring.

Part of the rim. The faces are those of any table; only the news has more in it, by the coach.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import TYPE_CHECKING

from msgspec.structs import replace

from speed_client.door import DoorError
from speed_client.link import Link
from speed_client.practice import PracticeServer
from speed_client.profile import default_name
from speed_client.progress import Coach, what_opens
from speed_client.session import Session
from speed_client.wishes import Want
from speed_common.codes import parse_code

if TYPE_CHECKING:
    from speed_client.desk import Desk
    from speed_client.profile import Profile
    from speed_client.settings import Options
    from speed_client.style import Look


class CoachedLink:
    """A link whose session's news goes past a coach before a face reads it."""

    def __init__(self, link: Link, coach: Coach, profile: Profile) -> None:
        self._link = link
        self._coach = coach
        self._profile = profile

    async def run(self, session: Session, on_change: Callable[[], None]) -> None:
        """As `Link.run`."""

        def changed() -> None:
            if self._coach.follow(session.news):
                self._profile.keep_progress(self._coach.progress)
            on_change()

        await self._link.run(session, changed)

    def flush(self, session: Session) -> None:
        """As `Link.flush`."""
        self._link.flush(session)


def wanted(options: Options, profile: Profile) -> Want:
    """What to sit down to. Raises `DoorError` for a speed that is not open yet."""
    if options.code:
        level = parse_code(options.code).level
        # A code for people says no speed: then the computer is the one that practice would have.
        computers = () if level else (options.practice or profile.progress().unlocked,)
        return Want(computers=computers, ready=True, code=options.code)
    progress = profile.progress()
    level = options.practice or progress.unlocked
    if not progress.is_open(level):
        raise DoorError(what_opens(progress, level))
    return Want(computers=(level,), ready=True)


async def practise(options: Options, profile: Profile, desk: Desk | None) -> bool:
    """Practise until the player leaves; False where the program shall end with it. Raises `DoorError`.

    `desk` is the screen's, None for the faces without one.
    """
    want = wanted(options, profile)
    name = options.name or (desk.choices.name if desk is not None else "") or default_name()
    if desk is not None and not await _lesson(profile, name, desk.look):
        return False
    coach = Coach(profile.progress())
    async with PracticeServer() as server:
        session = Session(name, b"", want, perf_counter_ns())
        with Link(server) as link:
            coached = CoachedLink(link, coach, profile)
            if desk is None:
                await _in_lines(options, session, coached)
                return True
            from speed_client.app import TableScreen  # noqa: PLC0415  # the line modes do without

            screen = TableScreen(session, coached, desk, practice=True)
            await screen.run()
            return not screen.terminal.cut_off


async def _lesson(profile: Profile, name: str, look: Look) -> bool:
    """The lesson, if it was never shown; False where the program shall end."""
    progress = profile.progress()
    if progress.taught:
        return True
    from speed_client.lesson import Lesson  # noqa: PLC0415
    from speed_client.page_screen import PageScreen  # noqa: PLC0415
    from speed_client.pages import Quit  # noqa: PLC0415

    profile.keep_progress(replace(progress, taught=True))
    return not isinstance(await PageScreen(Lesson(name, perf_counter_ns()), look).run(), Quit)


async def _in_lines(options: Options, session: Session, link: CoachedLink) -> None:
    from speed_client.console import run_lines  # noqa: PLC0415
    from speed_client.jsonl import JsonPlayer  # noqa: PLC0415
    from speed_client.plain import PlainPlayer  # noqa: PLC0415

    assert sys.stdout is not None, "looked at before"
    face = JsonPlayer(session) if options.face == "json" else PlainPlayer(session)
    await run_lines(PlayerEnd(session, link), face)


class PlayerEnd:
    """A session bound to its link, as the line faces want it."""

    def __init__(self, session: Session, link: Link | CoachedLink) -> None:
        self._session = session
        self._link = link

    async def run(self, on_change: Callable[[], None]) -> None:
        """Pump messages until the session has ended."""
        await self._link.run(self._session, on_change)

    def flush(self) -> None:
        """Send what there is to say."""
        self._link.flush(self._session)

    def leave(self) -> None:
        """Give the seat up."""
        self._session.leave(perf_counter_ns())
