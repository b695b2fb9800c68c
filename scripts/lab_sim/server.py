"""The server's side of the laboratory: the real `FairOrder`, a table of one pile, ticks of two milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from lab_sim.client import BeatBack, Delta, Down, Probe, Up
from lab_sim.world import MS, World
from speed_common.fair_settings import FairSettings
from speed_server.fair.order import FairOrder
from speed_server.fair.player import FairPlayer
from speed_server.fair.showing import Showing
from speed_server.fair.waiting import NO_PILE, FairPlay, Ruling

TICK_NS: Final = 2 * MS
PILE: Final = 0


@dataclass
class OnePile:
    """A pile that lies open for one card; `able` are the seats that hold a card for it."""

    open: bool = False
    able: frozenset[int] = frozenset()

    def landing(self, seat: int, card: int, pile: int) -> int:  # noqa: ARG002  # as the order asks it
        """Where the play would land."""
        return PILE if self.open and seat in self.able else NO_PILE

    def fitting(self, seat: int, pile: int) -> Iterable[int]:  # noqa: ARG002
        """The card of the seat that fits."""
        return (seat,) if self.open and seat in self.able else ()

    def ends(self, seat: int, card: int) -> bool:  # noqa: ARG002
        """No play of a race ends a deal."""
        return False


@dataclass
class LabServer:
    """Takes messages up, runs ticks, sends messages down by `send(seat, message)`."""

    world: World
    settings: FairSettings
    players: list[FairPlayer]
    send: Callable[[int, Down], None]
    ruled: Callable[[Ruling, bool, int], None]
    board: OnePile = field(default_factory=OnePile)
    revision: int = 0
    probes: int = 0
    messages: int = 0
    steps: int = 0
    last_tick: int = -TICK_NS
    tick_at: int = -1

    def __post_init__(self) -> None:
        self.order = FairOrder(self.settings, self.players, self.board, 1, 0)

    def receive(self, seat: int, up: Up) -> None:
        """A message came, as it is read from its socket."""
        now, player = self.world.now, self.players[seat]
        self.messages += 1
        if not player.heard(up.c_send, now, up.s_sent, up.c_got, beat=up.play is None):
            self.steps += 1
        for revision, c_shown in up.shown:
            self.order.shown(seat, revision, c_shown)
        if up.play is None:
            if not up.echo:
                self.send(seat, BeatBack(up.c_send, now, now, player.beat_ns))
        else:
            seq, card, revision, c_press = up.play
            self.order.submit(FairPlay(seat, seq, card, PILE, -1, PILE, revision, c_press, up.c_send), now)
        if self.order.waiting:
            self.tick_soon(now)

    def tick_soon(self, when: int) -> None:
        """Run a tick then, but none sooner than the least time after the last."""
        when = max(when, self.last_tick + TICK_NS, self.world.now)
        if self.tick_at < 0 or when < self.tick_at:
            self.tick_at = when
            self.world.at(when, lambda: self.tick(when))

    def tick(self, when: int) -> None:
        """Judge all that may be judged."""
        if when != self.tick_at:
            return
        self.tick_at, self.last_tick, now = -1, self.world.now, self.world.now
        while (ruling := self.order.pop(now)) is not None:
            seat = ruling.play.seat
            accepted = ruling.word == "judge" and self.board.landing(seat, ruling.play.card, PILE) == PILE
            if accepted:
                self.board.open = False
                self.revision += 1
                showing = self.order.played(ruling, now, self.revision, PILE)
                self.tell(showing, 0, seat)
            else:
                self.order.refused(ruling)
            self.ruled(ruling, accepted, now)
        for seat, wait_ns in self.order.take_probes():
            self.probes += 1
            self.send(seat, Probe(now, wait_ns))
        due = self.order.next_due()
        if due is not None:
            self.tick_soon(due)

    def lay(self, number: int, able: Iterable[int], *, calm: bool) -> Showing:
        """A new top, for the race of that number, as a play or a flip brings it."""
        self.board.open, self.board.able = True, frozenset(able)
        self.revision += 1
        showing = self.order.turned(self.revision, self.world.now, (PILE,), calm=calm)
        if calm:  # in press mode the cards have lain there for long: only the way up is tested
            showing = showing._replace(send_at_ns=tuple(self.world.now for _ in self.players))
        self.tell(showing, number, -1)
        return showing

    def tell(self, showing: Showing, number: int, by: int) -> None:
        """Send what is new to each seat at its time."""
        delta = Delta(self.revision, showing.at_ns, number, by)
        for seat, when in enumerate(showing.send_at_ns):
            self.world.at(when, lambda seat=seat: self.send(seat, delta))  # type: ignore[misc]
