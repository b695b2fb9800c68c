"""`speed-bot`: computer players who sit at a server like anybody else, over the same session and the same link.

`Bot` is pure: a session and a `Computer` that sees the session's own view of the table. The computer lives in deal
time, which the bot reads from the server's clock as the session knows it. What it lifts stays its secret.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from speed_client.door import Address, DoorError, Server, knock
from speed_client.news import Happened, News, PlayRefused, RoomChanged
from speed_client.session import Session, Want
from speed_client.settings import OneLineParser, level, number, parse_host, player_name
from speed_client.wording import result_sentence
from speed_common import __version__
from speed_common.computer import Computer
from speed_common.events import Draw, Flipped, Play, Revealed, Tucked, Voided, Won
from speed_common.names import MAX_CELLS
from speed_common.wire import OVER, PLAYING, WAITING, Room

if TYPE_CHECKING:
    from speed_client.link import Link

NS_PER_US: Final = 1_000
MOST_BOTS: Final = 400
MOST_DEALS: Final = 1_000_000


class Bot:
    """One computer player at one session; `deals` is how many it plays, 0 for ever."""

    def __init__(self, session: Session, speed: int, dice: Callable[[], float], deals: int) -> None:
        self.session = session
        self.deals_played = 0
        self._deals = deals
        self._computer = Computer(speed, dice)
        self._counted: tuple[int, int] | None = None

    def changed(self, now: int) -> Iterator[tuple[tuple[int, int], str]]:
        """Take the session's news in; for each deal that ended its (table, deal) and how it ended."""
        news, self.session.news = self.session.news, []
        for item in news:
            yield from self._take(item, now)

    def next_due(self, now: int) -> int | None:
        """When `due` is to be called, on our clock; None while it has nothing to wait for."""
        room, due, server_now = self.session.mirror.room, self._computer.next_due(), self.session.server_now(now)
        if room is None or due is None or server_now is None or room.paused_until_ns or self.session.ended is not None:
            return None
        return now + room.reveal_at_ns + due * NS_PER_US - server_now

    def due(self, now: int) -> None:
        """Let the computer do what it does now."""
        mirror, at = self.session.mirror, self._deal_time(now)
        if at is None or mirror.table is None or mirror.seat < 0:
            return
        move = self._computer.due(at, mirror.table, mirror.seat)
        if isinstance(move, Play):
            hand = mirror.table.hands[mirror.seat]
            sent = move.card in hand and self.session.play(hand.index(move.card), move.pile, now, now)
            if not sent:
                self._computer.refused(at)
        elif isinstance(move, Draw):
            self.session.draw(now, now)

    def _take(self, item: News, now: int) -> Iterator[tuple[tuple[int, int], str]]:
        if isinstance(item, Happened):
            event = item.event
            if isinstance(event, Revealed):
                self._computer.revealed(event.at)
            elif isinstance(event, Flipped | Tucked):
                self._computer.flipped(event.at)
            elif isinstance(event, Won | Voided):
                self._computer.stopped()
        elif isinstance(item, PlayRefused):
            at = self._deal_time(now)
            if at is not None:
                self._computer.refused(at)
        elif isinstance(item, RoomChanged) and item.seat >= 0:
            yield from self._room(item.room, item.seat, now)

    def _room(self, room: Room, seat: int, now: int) -> Iterator[tuple[tuple[int, int], str]]:
        if room.phase == OVER and room.result is not None and self._counted != (room.table, room.deal):
            self._counted = (room.table, room.deal)
            self.deals_played += 1
            yield self._counted, f"table {room.table}, deal {room.deal}: {result_sentence(room.result, room)}"
        if room.phase in {WAITING, OVER}:
            self._computer.stopped()
            if self._deals and self.deals_played >= self._deals:
                self.session.leave(now)
            elif not room.seats[seat].ready:
                self.session.ready(now)
        elif room.phase == PLAYING and self._computer.next_due() is None:
            at = self._deal_time(now)  # back in the middle of a deal
            if at is not None:
                self._computer.revealed(at)

    def _deal_time(self, now: int) -> int | None:
        room, server_now = self.session.mirror.room, self.session.server_now(now)
        return None if room is None or server_now is None else (server_now - room.reveal_at_ns) // NS_PER_US


def main(argv: Sequence[str] | None = None) -> int:
    """The command `speed-bot`."""
    parser = OneLineParser(prog="speed-bot", description="Computer players who join a server.", allow_abbrev=False)
    parser.add_argument("host", metavar="HOST[:PORT]", help="the server (port 7770 if none is given)")
    parser.add_argument("--speed", type=level, default=5, metavar="1..10", help="how quick they are (default: 5)")
    parser.add_argument("--count", type=number(1, MOST_BOTS), default=1, metavar="N", help="how many come (default: 1)")
    parser.add_argument(
        "--deals", type=number(1, MOST_DEALS), default=0, metavar="N", help="leave after N deals (default: never)"
    )
    parser.add_argument("--name", type=player_name, default="bot", help="what they are called (default: bot)")
    parser.add_argument("--version", action="version", version=f"speed-bot {__version__}")
    options = parser.parse_args(argv)
    try:
        address = Address(*parse_host(options.host))
    except ValueError as error:
        parser.error(str(error))
    try:
        return asyncio.run(_play(address, options.name, options.speed, options.count, options.deals))
    except DoorError as error:
        sys.stderr.write(f"speed-bot: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


async def _play(address: Address, name: str, speed: int, count: int, deals: int) -> int:
    from speed_client.interrupt import on_interrupt  # noqa: PLC0415  # --help needs none of it
    from speed_client.profile import open_profile  # noqa: PLC0415

    server = await knock(address)
    profile = open_profile(os.environ)
    profile.remember(server)
    names = [name if count == 1 else f"{name[: MAX_CELLS - 4].rstrip()} {n + 1}" for n in range(count)]
    bots = [
        Bot(Session(name, b"", Want(), perf_counter_ns()), speed, random.SystemRandom().random, deals) for name in names
    ]
    said: set[tuple[int, int]] = set()

    def leave() -> None:
        for bot in bots:
            bot.session.leave(perf_counter_ns())

    with on_interrupt(asyncio.get_running_loop(), leave):
        await _run_all(bots, server, profile.remember, said)
    reasons = [bot.session.ended for bot in bots if bot.session.ended is not None and bot.session.ended.word != "left"]
    for text in dict.fromkeys(reason.text for reason in reasons):
        sys.stderr.write(f"speed-bot: {text}\n")
    return 1 if reasons else 0


async def _run_all(
    bots: Sequence[Bot], server: Server, recheck: Callable[[Server], None], said: set[tuple[int, int]]
) -> None:
    import zmq.asyncio  # noqa: PLC0415  # --help needs none of it

    from speed_client.link import Link  # noqa: PLC0415

    context = zmq.asyncio.Context()
    links = [Link(server, recheck, context=context) for _ in bots]
    try:
        await asyncio.gather(*(_run(bot, link, said) for bot, link in zip(bots, links, strict=True)))
    finally:
        for link in links:
            link.close()
        context.term()


async def _run(bot: Bot, link: Link, said: set[tuple[int, int]]) -> None:
    """One bot over its link, woken when its computer is due."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None

    def changed() -> None:
        nonlocal timer
        for deal, line in bot.changed(perf_counter_ns()):
            if deal not in said:
                said.add(deal)
                with contextlib.suppress(BrokenPipeError):
                    sys.stdout.write(line + "\n")
                    sys.stdout.flush()
        if timer is not None:
            timer.cancel()
            timer = None
        now = perf_counter_ns()
        due = bot.next_due(now)
        if due is not None:
            timer = loop.call_later(max(0, due - now) / 1e9, woken)

    def woken() -> None:
        bot.due(perf_counter_ns())
        link.flush(bot.session)
        changed()

    await link.run(bot.session, changed)
    if timer is not None:
        timer.cancel()


if __name__ == "__main__":
    sys.exit(main())
