"""One machine, with a seat at each of several tables: real sessions over real sockets, fingers that press on time.

`python -m lab_live.player`, with a `Task` as JSON in its standard input's first line; it lasts until that closes, and
writes a `Pressed` for each play as a line of JSON. The machine's clock is wrong by an offset and a drift; the true time
goes only into what is written.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from random import Random
from typing import NamedTuple
from unittest import mock

import msgspec
import zmq.asyncio

from lab_live.pressed import Pressed, Task, true_ns
from lab_sim.races import draw_reactions
from lab_sim.world import MS, SECOND, MachineClock
from speed_client import connection, link
from speed_client.door import Address, knock
from speed_client.news import Happened
from speed_client.session import Session
from speed_client.wishes import Want
from speed_common.events import Played
from speed_common.table import PLAYING
from speed_common.wire import OVER, Delta, Down


class Scheduled(Session):
    """A session that remembers when each revision was to be shown (server time)."""

    def __init__(self, name: str, want: Want, now: int) -> None:
        super().__init__(name, b"", want, now)
        self.show_at_ns: dict[int, int] = {}

    def _take(self, message: Down, now: int) -> None:
        if isinstance(message, Delta) and message.show_us is not None and self.mirror.room is not None:
            revision = message.revision + len(message.events)
            self.show_at_ns[revision] = self.mirror.room.reveal_at_ns + message.show_us * 1_000
        super()._take(message, now)


class Sight(NamedTuple):
    """Since when a player sees a thing, had it been shown in time, and by how much it was shown later than that.

    A client that believes in a wrong clock may show it too early: then that is less than 0. What an own play brings is
    as old as the press, and as late as what that one reacted to.
    """

    at_ns: int
    late_ns: int


class Top(NamedTuple):
    """A pile's top: the card, the revision that it came with, when it was truly shown, and the sight of it."""

    card: int
    revision: int
    shown_ns: int
    sight: Sight


class Finger:
    """Who plays at one table: reacts to the newest top that a card in the hand fits. `clock` is the wrong one."""

    def __init__(self, session: Scheduled, task: Task, clock: Callable[[], int], flush: Callable[[], None]) -> None:
        self.session = session
        self.written: list[Pressed] = []
        self._task = task
        self._clock = clock
        self._flush = flush
        self._tops: dict[int, Top] = {}
        self._hand: dict[int, Sight] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._planned: tuple[int, int] | None = None
        """The pile and the revision of the top that the finger is on its way to."""
        self._gone_for: tuple[int, int] | None = None
        """Those that it went for last: who was beaten looks at what is there now before the next press."""

    def changed(self) -> None:
        """Something may have been shown."""
        session, now = self.session, true_ns()
        news, session.news = session.news, []
        seat, table, room = session.mirror.seat, session.mirror.table, session.mirror.room
        if table is None or room is None or seat < 0:
            return
        if room.phase == OVER and not room.seats[seat].ready:
            session.ready(self._clock())
        played = [item.event for item in news if isinstance(item, Happened) and isinstance(item.event, Played)]
        self._look({event.pile for event in played if event.seat == seat}, now)
        if table.phase != PLAYING or session.pending:
            self._stop()
        else:
            self._plan()

    def _look(self, own_piles: set[int], now: int) -> None:
        """Note what is new on the table and in the hand."""
        session = self.session
        table, revision = session.mirror.table, session.mirror.revision
        assert table is not None
        late_ns = now - session.show_at_ns.get(revision, now)
        shown = Sight(now - late_ns, late_ns)
        mine = Sight(self.written[-1].fair_ns, self.written[-1].late_ns) if self.written else shown
        for pile, top in enumerate(table.tops):
            known = self._tops.get(pile)
            if known is None or known.card != top:
                self._tops[pile] = Top(top, revision, now, mine if pile in own_piles else shown)
        hand = [card for card in table.hands[session.mirror.seat] if card >= 0]
        self._hand = {card: self._hand.get(card, mine if own_piles else shown) for card in hand}

    def _plan(self) -> None:
        table, room = self.session.mirror.table, self.session.mirror.room
        assert table is not None
        assert room is not None
        fitting = {pile for card in self._hand for pile in table.fits_on(card)}
        if not fitting:
            self._stop()
            return
        pile = max(fitting, key=lambda each: (self._tops[each].revision, each))
        revision = self._tops[pile].revision
        if (pile, revision) in {self._planned, self._gone_for}:
            return
        self._stop()
        self._planned = (pile, revision)
        dice = Random(f"{self._task.seed}/{room.table}/{room.deal}/{revision}")  # noqa: S311  # both draw the same
        _, reactions = draw_reactions(dice)
        # Both count from when the top was to be shown, and each is as late as what is seen there.
        begin_ns = self.session.show_at_ns.get(revision, true_ns()) + self._tops[pile].sight.late_ns
        wait_ns = begin_ns + int(reactions[self._task.machine] * MS) - true_ns()
        self._timer = asyncio.get_running_loop().call_later(max(0, wait_ns) / SECOND, self._press, pile)

    def _press(self, pile: int) -> None:
        self._timer, self._gone_for, self._planned = None, self._planned, None
        session = self.session
        table, room = session.mirror.table, session.mirror.room
        assert table is not None
        assert room is not None
        cards = [card for card in self._hand if pile in table.fits_on(card)]
        if table.phase != PLAYING or not cards:
            return
        card, seat = cards[0], session.mirror.seat
        now, pressed_ns = self._clock(), true_ns()
        if not session.play(table.hands[seat].index(card), pile, now, now):
            return
        self._flush()
        top = self._tops[pile]
        seen, believed = max(top.sight, self._hand[card]), session.server_now(now)
        self.written.append(
            Pressed(
                machine=self._task.machine,
                table=room.table,
                deal=room.deal,
                seat=seat,
                card=card,
                pile=pile,
                revision=top.revision,
                pressed_ns=pressed_ns,
                shown_ns=top.shown_ns,
                late_ns=seen.late_ns,
                believed_ns=0 if believed is None else believed - pressed_ns,
            )
        )

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._planned = None


async def _play(task: Task) -> None:
    machine = MachineClock(task.offset_ns, task.ppm)

    def clock() -> int:
        return machine.read(true_ns())

    server = await knock(Address(task.host, task.port))
    context = zmq.asyncio.Context()
    with mock.patch.object(link, "perf_counter_ns", clock), mock.patch.object(connection, "perf_counter_ns", clock):
        links, fingers = [], []
        for code in task.codes:
            one = link.Link(server, context=context)
            session = Scheduled(f"machine {task.machine}", Want(code=code, ready=True), clock())
            links.append(one)
            fingers.append(Finger(session, task, clock, lambda one=one, session=session: one.flush(session)))  # type: ignore[misc]
        running = [
            asyncio.ensure_future(one.run(finger.session, finger.changed))
            for one, finger in zip(links, fingers, strict=True)
        ]
        loop = asyncio.get_running_loop()
        closed = loop.run_in_executor(None, sys.stdin.read)
        await asyncio.wait([closed, *running], return_when=asyncio.FIRST_COMPLETED)
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for one in links:
            one.close()
        context.destroy(linger=0)
    for finger in fingers:
        for pressed in finger.written:
            sys.stdout.buffer.write(msgspec.json.encode(pressed) + b"\n")


if __name__ == "__main__":
    asyncio.run(_play(msgspec.json.decode(sys.stdin.readline(), type=Task)))
