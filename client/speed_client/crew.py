"""Computer players who sit at a server like anybody else, over the same session and the same link. Part of the rim."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Final

import zmq.asyncio

from speed_client.door import Address, DoorError, Server, knock
from speed_client.entry import OutputError, complain, output_error
from speed_client.interrupt import on_interrupt
from speed_client.link import Link
from speed_client.passes import with_pass
from speed_client.profile import open_profile
from speed_client.robot import Bot
from speed_client.session import Session
from speed_client.wishes import Want
from speed_common.names import MAX_CELLS

PROGRAM: Final = "speed-bot"


def play(
    address: Address,
    name: str,
    speed: int,
    count: int,
    deals: int,
    want: Want,
    *,
    passcode: str = "",
    invite: str = "",
) -> int:
    """Let `count` bots play `deals` deals (0: for ever) as they `want`; the exit code. Raises `OutputError`."""
    try:
        return asyncio.run(_play(address, name, speed, count, deals, want, passcode, invite))
    except DoorError as error:
        complain(PROGRAM, str(error))
        return 1


async def _play(
    address: Address, name: str, speed: int, count: int, deals: int, want: Want, passcode: str, invite: str
) -> int:
    if sys.stdout is None:
        raise OutputError("it is closed")
    server = await knock(address)
    profile = open_profile(os.environ)
    server = with_pass(server, profile, passcode=passcode, invite=invite, watching=False)
    profile.remember(server)
    names = [name if count == 1 else f"{name[: MAX_CELLS - 4].rstrip()} {n + 1}" for n in range(count)]
    bots = [
        Bot(Session(name, b"", want, perf_counter_ns()), speed, random.SystemRandom().random, deals) for name in names
    ]

    def leave() -> None:
        for bot in bots:
            bot.session.leave(perf_counter_ns())

    results = _Results(leave)
    with on_interrupt(asyncio.get_running_loop(), leave):
        await _run_all(bots, server, profile.remember, results)
    if results.lost is not None:
        raise results.lost
    reasons = [bot.session.ended for bot in bots if bot.session.ended is not None and bot.session.ended.word != "left"]
    for text in dict.fromkeys(reason.text for reason in reasons):
        complain(PROGRAM, text)
    return 1 if reasons else 0


class _Results:
    """How the deals ended, each said once though two bots may have played it. With nobody to hear it all leave."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self.lost: OutputError | None = None
        self._leave = leave
        self._said: set[tuple[int, int]] = set()

    def say(self, deal: tuple[int, int], line: str) -> None:
        """Print how a deal ended."""
        if deal in self._said or self.lost is not None:
            return
        self._said.add(deal)
        try:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        except (OSError, ValueError) as error:
            self.lost = output_error(error)
            self._leave()


async def _run_all(bots: Sequence[Bot], server: Server, recheck: Callable[[Server], None], results: _Results) -> None:
    context = zmq.asyncio.Context()
    links = [Link(server, recheck, context=context) for _ in bots]
    try:
        await asyncio.gather(*(_run(bot, link, results) for bot, link in zip(bots, links, strict=True)))
    finally:
        for link in links:
            link.close()
        context.term()


async def _run(bot: Bot, link: Link, results: _Results) -> None:
    """One bot over its link, woken when its computer is due."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None

    def changed() -> None:
        nonlocal timer
        for deal, line in bot.changed(perf_counter_ns()):
            results.say(deal, line)
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
