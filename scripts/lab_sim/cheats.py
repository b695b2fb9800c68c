"""Modified clients: each knows all that its machine can know, and lies in its stamps or holds its messages back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from lab_sim.client import Client, Delta, Press
from lab_sim.world import MS

BACK_DATE_NS: Final = 60 * MS
HOLD_BACK_NS: Final = 50 * MS
SHIFT_NS: Final = 40 * MS
FORGED_SHOW_NS: Final = 40 * MS


class BackDater(Client):
    """Says that it pressed earlier than it did, as early as its last message allows; its heartbeats are honest."""

    def press(self, card: int) -> None:
        """The finger goes down, and is said to have gone down before."""
        self.seq += 1
        stamp = max(self.read() - BACK_DATE_NS, self.c_last)
        self.say(Press(self.seq, card, self.revision, stamp), c_send=stamp)


class HoldBacker(BackDater):
    """Keeps all messages back before its presses, so that nothing contradicts them, and lets them go late after it.

    It knows beforehand when it will press.
    """

    kept: tuple[int, ...] = ()

    @property
    def holding(self) -> bool:
        """Whether the press is near."""
        return 0 <= self.planned - self.world.now < HOLD_BACK_NS

    def beat(self) -> None:
        """A heartbeat, kept back when the press is near."""
        if not self.holding:
            super().beat()
            return
        self.kept += (self.read(),)
        self.world.at(self.world.now + self.machine.wait(self.beat_ns), self.beat)

    def echo(self, s_sent: int, c_got: int) -> None:
        """The answer to a probe, kept back as well."""
        if self.holding:
            self.world.at(self.planned + 1, partial(super().echo, s_sent, c_got))
        else:
            super().echo(s_sent, c_got)

    def press(self, card: int) -> None:
        """The finger goes down: the play first, back-dated, then what was kept, so that the link looks bad."""
        super().press(card)
        self.flush()

    def flush(self) -> None:
        """Let go what was kept and is not older than what went already."""
        kept, self.kept = self.kept, ()
        for stamp in kept:
            if stamp > self.c_last:
                self.say(c_send=stamp)


class Shifter(Client):
    """Sets every stamp of what it sends back by the same time: its way up looks longer than it is."""

    shift_ns = SHIFT_NS

    def say(self, play: Press | None = None, *, echo: tuple[int, int] | None = None, c_send: int | None = None) -> None:
        """Send a message stamped earlier."""
        stamp = (self.read() if c_send is None else c_send) - self.shift_ns
        super().say(play and play._replace(c_press=stamp), echo=echo, c_send=stamp)


class FutureStamper(Shifter):
    """Stamps what it sends later than it is."""

    shift_ns = -SHIFT_NS


class ShowForger(Client):
    """Says that it showed each thing later than it did."""

    def show(self, delta: Delta) -> None:
        """It is on the screen, and said to come there later."""
        self.revision = delta.revision
        self.shown.append((delta.revision, self.read()))
        self.seen(self.seat, delta)
        self.shown[-1] = (delta.revision, self.shown[-1][1] + FORGED_SHOW_NS)
        self.quiet_until = self.world.now + FORGED_SHOW_NS

    quiet_until = 0

    def say(self, play: Press | None = None, *, echo: tuple[int, int] | None = None, c_send: int | None = None) -> None:
        """Send a message, but tell of the showing only once that is past."""
        later: list[tuple[int, int]] = []
        if play is None and self.world.now < self.quiet_until:
            later, self.shown = self.shown, []
        super().say(play, echo=echo, c_send=c_send)
        self.shown = later


class Staller(HoldBacker):
    """Sends nothing but its plays while a pile lies open, so that the other's plays wait for it as long as may be."""

    @property
    def holding(self) -> bool:
        """Whether the press is still to come."""
        return self.planned > self.world.now

    def press(self, card: int) -> None:
        """An honest press, then what was kept."""
        Client.press(self, card)
        self.flush()


class LookAhead(BackDater):
    """Presses when it sees the other's play, and says that it pressed before; else it plays honestly."""

    saw = 0

    def show_later(self, delta: Delta, c_got: int) -> None:
        """Something came: if it is the other's play and ours is still to come, it comes now."""
        super().show_later(delta, c_got)
        if delta.by not in {-1, self.seat} and self.planned > self.world.now:
            self.planned = 0
            self.saw += 1
            BackDater.press(self, self.seat)

    def press(self, card: int) -> None:
        """An honest press, unless it was made already."""
        if self.planned:
            Client.press(self, card)


class EarlyLooker(Client):
    """Looks at each thing when its message comes, and says that it showed it on schedule."""

    def show_later(self, delta: Delta, c_got: int) -> None:
        """It is seen now; what is said of it later is the schedule, or the truth if that is better."""
        theta = self.clock.theta(c_got)
        self.revision = delta.revision
        said = c_got if theta is None else max(c_got, delta.show_at - theta)
        self.world.at(
            self.world.now + self.machine.wait(said - c_got), lambda: self.shown.append((delta.revision, said))
        )
        self.seen(self.seat, delta)


ATTACKS: Final[dict[str, Callable[..., Client]]] = {
    "back-date": BackDater,
    "hold-back": HoldBacker,
    "shift": Shifter,
    "future": FutureStamper,
    "forge-shown": ShowForger,
    "stall": Staller,
    "look-ahead": LookAhead,
    "early-look": EarlyLooker,
}
