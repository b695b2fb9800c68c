"""The server's loop: one thread, one wait, everything drained without blocking.

What was received together is handed to the core together, which then runs all that is due. Between two turns the thread
sleeps in `select` until the instant itself: its timeout has microseconds where ZeroMQ's poller has whole milliseconds,
so a deadline needs no spinning.
"""

from __future__ import annotations

import contextlib
import gc
import select
import socket
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Protocol, Self

from speed_server.archive import Keeper
from speed_server.bell import Bell
from speed_server.budget import FINE, KICK, Budgets, too_fast
from speed_server.door import Door, Plate
from speed_server.gauge import Gauge
from speed_server.limits import Limits
from speed_server.records import Finished
from speed_server.sockets import Clock, Sockets
from speed_server.stats import EVERY_NS

GOODBYE_MS: Final = 500
"""What the last words to players may take at the end."""

READING_S: Final = 0.15
"""A client whose connection falls drops what it has not read yet, so the last words get this long to be read."""

QUIET_NS: Final = 20_000_000
BETWEEN_COLLECTIONS_NS: Final = 10_000_000_000
LATEST_COLLECTION_NS: Final = 60_000_000_000

BETWEEN_COUNTS_NS: Final = 10_000_000_000
"""How often at most the network is told how many play: counts are for people who choose, and each is multicast."""

_NANOSECONDS: Final = 1e9


class Summary(Protocol):
    """What the door tells of a running server."""

    @property
    def players(self) -> int: ...  # noqa: D102
    @property
    def tables(self) -> int: ...  # noqa: D102


class Teller(Protocol):
    """Whoever tells the network how many are here; `announce.Herald` is one."""

    def tell(self, players: int, tables: int) -> None: ...  # noqa: D102


class Stats(Protocol):
    """Whoever keeps the figures of how the server does; `stats.StatsFile` is one."""

    def write(self, figures: dict[str, Any]) -> None: ...  # noqa: D102


class Attendant(Protocol):
    """What else is done in the loop's thread, between the messages and the core's timers; `office.Office` is one."""

    bell: Bell

    @property
    def wanted(self) -> bool: ...  # noqa: D102
    def attend(self, now: int) -> None: ...  # noqa: D102
    def close(self, now: int) -> None: ...  # noqa: D102


class Core(Protocol):
    """The pure server as this loop sees it; `hub.Hub` is the one."""

    outbox: list[tuple[bytes, bytes]]
    bulletins: list[tuple[bytes, bytes]]
    records: list[Finished]
    broken_messages: int

    @property
    def dirty(self) -> bool: ...  # noqa: D102
    def receive(self, origin: bytes, data: bytes, now: int) -> None: ...  # noqa: D102
    def watched(self, topic: bytes, now: int) -> None: ...  # noqa: D102
    def unwatched(self, topic: bytes, now: int) -> None: ...  # noqa: D102
    def lagging(self, origin: bytes, now: int) -> None: ...  # noqa: D102
    def unreachable(self, origin: bytes, now: int) -> None: ...  # noqa: D102
    def measured(self, origin: bytes, rtt_ns: int) -> None: ...  # noqa: D102
    def next_due(self) -> int | None: ...  # noqa: D102
    def advance(self, now: int) -> None: ...  # noqa: D102
    def stop(self, now: int) -> None: ...  # noqa: D102
    def summary(self) -> Summary: ...  # noqa: D102


class App:
    """A core behind its sockets and its door. `run` serves until `stop`; leaving the `with` block closes everything.

    `clock` gives nanoseconds of one monotonic clock: the same that the core was made with. `keeper` gets the records of
    finished deals; without one they are forgotten. `teller` is told the counts, every ten seconds at most. `limits` are
    what one connection may say: what is beyond them the core never sees. `stats` gets figures every five seconds;
    nothing is measured without it. `office` attends to the tournaments' log.
    """

    def __init__(
        self,
        core: Core,
        sockets: Sockets,
        door: Door,
        plate: Plate,
        clock: Clock,
        keeper: Keeper | None = None,
        teller: Teller | None = None,
        limits: Limits | None = None,
        stats: Stats | None = None,
        office: Attendant | None = None,
    ) -> None:
        self._core = core
        self._stats = stats
        self._gauge = Gauge() if stats is not None else None
        self._stats_ns = clock() + EVERY_NS
        self._budgets = Budgets(limits or Limits())
        self._keeper = keeper
        self._teller = teller
        self._office = office
        self._tell_ns = clock() + BETWEEN_COUNTS_NS
        self._sockets = sockets
        self._door = door
        self._plate = plate
        self._clock = clock
        self._collected_ns = clock()
        self._stopping = False
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._waker.setblocking(False)
        self._handlers: dict[int, Callable[[], None]] = {
            **sockets.descriptors,
            door.socket.fileno(): self._answer_door,
            self._woken.fileno(): self._read_wakes,
        }
        if office is not None:
            office.bell.wake = self._wake
        self._descriptors = [sockets.play_descriptor, sockets.watch_descriptor, *self._handlers]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def wake_descriptor(self) -> int:
        """A byte written here ends the wait: for `signal.set_wakeup_fd`."""
        return self._waker.fileno()

    def stop(self) -> None:
        """Ask `run` to end. Safe from a signal handler and from another thread."""
        self._stopping = True
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            self._waker.send(b"\0")

    def run(self) -> None:
        """Serve until `stop`; then tell everybody."""
        gc.collect()
        gc.freeze()
        gc.disable()
        self._collected_ns = self._clock()
        try:
            while not self._stopping:
                self.turn()
        finally:
            gc.enable()
            gc.unfreeze()
        self._core.stop(self._clock())
        if self._office is not None:
            self._office.close(self._clock())
        self._hand_over()
        if self._core.outbox or self._core.bulletins:
            self._flush()
            time.sleep(READING_S)

    def turn(self, longest_ns: int | None = None) -> None:
        """Wait for the next thing, at most `longest_ns`, and do all that it asks for."""
        core, sockets, clock, gauge = self._core, self._sockets, self._clock, self._gauge
        play, watch = sockets.play_pending(), sockets.watch_pending()
        if gauge is not None:
            gauge.sleeps(core.next_due())
        ready = self._wait(0 if play or watch or core.dirty else longest_ns)
        if gauge is not None:
            gauge.wakes(clock())
        for descriptor in ready:
            if descriptor == sockets.play_descriptor:
                play = True
            elif descriptor == sockets.watch_descriptor:
                watch = True
            else:
                self._handlers[descriptor]()
        if play:
            sockets.drain_play(self._receive, clock)
        if watch:
            sockets.drain_watch(core.watched, core.unwatched, clock)
        now = clock()
        if self._office is not None and self._office.wanted:
            self._office.attend(now)
        if gauge is not None:
            gauge.ticks(core.next_due(), now)
        if core.dirty or ((due := core.next_due()) is not None and now >= due):
            core.advance(now)
        if core.outbox or core.bulletins:
            self._flush()
        if core.records:
            self._hand_over()
        if self._office is not None and self._office.wanted:
            self._office.attend(now)
        self._keep_house(now, quiet=not ready and not play and not watch)

    def _keep_house(self, now: int, *, quiet: bool) -> None:
        """What is done now and then, behind all that players wait for."""
        if self._teller is not None and now >= self._tell_ns:
            self._tell(self._teller)
        look_ns = self._sockets.next_look_ns()
        if look_ns is not None and now >= look_ns:
            self._look(now)
        if now - self._collected_ns > BETWEEN_COLLECTIONS_NS:
            self._collect(now, quiet=quiet)
        if self._gauge is not None:
            self._gauge.rests(self._clock())
            if now >= self._stats_ns:
                self._write_stats(self._gauge)

    def close(self) -> None:
        """Close every socket; the last words get `GOODBYE_MS` to leave."""
        self._door.close()
        self._sockets.close(GOODBYE_MS)
        self._woken.close()
        self._waker.close()

    def _receive(self, origin: bytes, data: bytes, now: int) -> None:
        """Hand the core what is within its sender's budget; refuse what is not, and cut off who goes on."""
        verdict = self._budgets.judge(origin, data, now)
        if verdict == FINE:
            self._core.receive(origin, data, now)
        elif verdict == KICK:
            self._sockets.cut(origin)
            self._core.unreachable(origin, now)
        elif not self._budgets.was_kicked(origin) and (answer := too_fast(data)) is not None:
            self._core.outbox.append((origin, answer))

    def _look(self, now: int) -> None:
        self._sockets.look(now)
        for origin in self._sockets.take_left():
            self._budgets.forget(origin)
        for origin, rtt_ns in self._sockets.take_round_trips().items():
            self._core.measured(origin, rtt_ns)

    def _due(self) -> int | None:
        due, look_ns = self._core.next_due(), self._sockets.next_look_ns()
        if due is None or (look_ns is not None and look_ns < due):
            due = look_ns
        if self._stats is not None:
            due = self._stats_ns if due is None else min(due, self._stats_ns)
        if self._teller is None:
            return due
        # So the last change is told too, with nobody left to wake this loop.
        return self._tell_ns if due is None else min(due, self._tell_ns)

    def _wait(self, longest_ns: int | None) -> list[int]:
        wait = longest_ns
        if wait != 0 and (due := self._due()) is not None:
            rest = max(0, due - self._clock())
            wait = rest if wait is None else min(rest, wait)
        return select.select(self._descriptors, (), (), None if wait is None else wait / _NANOSECONDS)[0]

    def _flush(self) -> None:
        """Send all that the core wants sent, players before watchers; what sending brings up goes out as well."""
        core = self._core
        if core.outbox:
            self._sockets.send(core.outbox, self._lags, core.unreachable, self._clock)
            core.outbox.clear()
        if core.bulletins:
            self._sockets.publish(core.bulletins)
            core.bulletins.clear()

    def _lags(self, origin: bytes, now: int) -> None:
        if self._gauge is not None:
            self._gauge.lagging += 1
        self._core.lagging(origin, now)

    def _write_stats(self, gauge: Gauge) -> None:
        assert self._stats is not None
        self._stats_ns = self._clock() + EVERY_NS
        summary, sockets = self._core.summary(), self._sockets
        self._stats.write(
            {
                "players": summary.players,
                "tables": summary.tables,
                "connections": sockets.connected,
                "late": gauge.take(),
                "lagging": gauge.lagging,
                "broken_messages": self._core.broken_messages + sockets.malformed,
                "failed_handshakes": sockets.failed_handshakes,
                "refused_handshakes": sockets.refused_handshakes,
                "cut_off": dict(sockets.cut_off),
            }
        )

    def _hand_over(self) -> None:
        """Give the records of finished deals to who keeps them, once the players have their results."""
        if self._keeper is not None and self._core.records:
            self._keeper.keep(self._core.records, self._clock())
        self._core.records.clear()

    def _tell(self, teller: Teller) -> None:
        self._tell_ns = self._clock() + BETWEEN_COUNTS_NS
        summary = self._core.summary()
        teller.tell(summary.players, summary.tables)

    def _answer_door(self) -> None:
        summary = self._core.summary()
        self._door.answer(self._plate.line(summary.players, summary.tables))

    def _read_wakes(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4_096)

    def _collect(self, now: int, *, quiet: bool) -> None:
        """Collect garbage when nothing is about to happen: a collection in mid-deal would make a play late."""
        if gc.isenabled():
            return
        age, due = now - self._collected_ns, self._core.next_due()
        if age > LATEST_COLLECTION_NS or (quiet and (due is None or due - now > QUIET_NS)):
            gc.collect()
            self._collected_ns = self._clock()
