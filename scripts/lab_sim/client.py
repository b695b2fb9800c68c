"""A small honest client: heartbeats, echoes, showing on schedule, presses. Its stamps are raw readings of its clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from lab_sim.world import MS, MachineClock, World
from speed_common.clock import Clock

QUICK_BEATS: Final = 8


class Press(NamedTuple):
    """A play as it goes up: its number, the card, the revision shown, the reading at the press."""

    seq: int
    card: int
    revision: int
    c_press: int


class Up(NamedTuple):
    """Any message up: when it left, the newest thing of the server's with when it came, what was shown, a play."""

    c_send: int
    s_sent: int
    c_got: int
    shown: tuple[tuple[int, int], ...]
    play: Press | None = None
    echo: bool = False


class BeatBack(NamedTuple):
    """The answer to a heartbeat."""

    c_send: int
    s_got: int
    s_sent: int
    beat_ns: int


class Probe(NamedTuple):
    """A ping: to be echoed `wait_ns` after it came."""

    s_sent: int
    wait_ns: int


class Delta(NamedTuple):
    """Something new to see, and when."""

    revision: int
    show_at: int
    number: int
    """Of the race that it begins; 0 for what ends one."""
    by: int = -1


Down = BeatBack | Probe | Delta


@dataclass
class Client:
    """One player's machine. `send` puts a message on the wire up; `seen` is told when something is truly shown."""

    world: World
    seat: int
    machine: MachineClock
    send: Callable[[Up], None]
    seen: Callable[[int, Delta], None]
    clock: Clock = field(default_factory=Clock)
    beat_ns: int = 20 * MS
    first: tuple[int, int] = (0, 0)
    """The first answer since the last heartbeat: of several that came at once it is the one that was slowest."""

    shown: list[tuple[int, int]] = field(default_factory=list)
    revision: int = 0
    asleep: bool = False
    slept_over: list[Down] = field(default_factory=list)
    beats: int = 0
    seq: int = 0
    c_last: int = -(1 << 62)
    shown_until: int = 0
    planned: int = 0
    """When the finger will go down: only cheats know it before."""

    def start(self) -> None:
        """Begin to beat."""
        self.beat()

    def read(self) -> int:
        """What this machine's clock shows."""
        return self.machine.read(self.world.now)

    def beat(self) -> None:
        """A heartbeat, and the next one."""
        self.beats += 1
        if not self.asleep:
            self.say()
        every = 20 * MS if self.beats < QUICK_BEATS else self.beat_ns
        self.world.at(self.world.now + self.machine.wait(every), self.beat)

    def say(self, play: Press | None = None, *, echo: tuple[int, int] | None = None, c_send: int | None = None) -> None:
        """Send a message with all that a message carries."""
        stamp = self.read() if c_send is None else c_send
        self.c_last = stamp
        shown, self.shown = tuple(self.shown), []
        if play is None:
            got, self.first = echo or self.first, (0, 0)
            self.send(Up(stamp, *got, shown, None, bool(echo)))
        else:
            self.send(Up(stamp, 0, 0, shown, play))

    def echo(self, s_sent: int, c_got: int) -> None:
        """Answer a probe."""
        if not self.asleep:
            self.say(echo=(s_sent, c_got))

    def receive(self, message: Down) -> None:
        """A message came."""
        if self.asleep:
            self.slept_over.append(message)
            return
        c_got = self.read()
        if isinstance(message, BeatBack):
            self.clock.heard(message.s_sent, c_got + self.machine.grain_ns)
            self.clock.told(message.c_send, message.s_got, c_got)
            if not self.first[0]:
                self.first = (message.s_sent, c_got)
            self.beat_ns = message.beat_ns
        elif isinstance(message, Probe):
            self.world.at(
                self.world.now + self.machine.wait(message.wait_ns), partial(self.echo, message.s_sent, c_got)
            )
        else:
            self.show_later(message, c_got)

    def wake(self) -> None:
        """The machine wakes, and reads what came meanwhile."""
        self.asleep = False
        slept_over, self.slept_over = self.slept_over, []
        for message in slept_over:
            self.receive(message)

    def show_later(self, delta: Delta, c_got: int) -> None:
        """Show it at its instant on our clock, or at once when that is past, and never before what came earlier."""
        theta = self.clock.theta(c_got)
        wait = 0 if theta is None else delta.show_at - theta - c_got - self.machine.grain_ns // 2
        when = max(self.world.now + self.machine.wait(max(0, wait)), self.shown_until)
        self.shown_until = when
        self.world.at(when, lambda: self.show(delta))

    def show(self, delta: Delta) -> None:
        """It is on the screen."""
        self.revision = delta.revision
        self.shown.append((delta.revision, self.read()))
        self.seen(self.seat, delta)

    def press(self, card: int) -> None:
        """The finger goes down."""
        if self.asleep:
            return
        self.seq += 1
        self.say(Press(self.seq, card, self.revision, self.read()))
