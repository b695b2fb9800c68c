"""Races between two players over two links: the truth, the fair order's word, and arrival order on the same races.

*Press mode*: each player's true press instant is given; the cards have lain there for long. It tests the way up.
*Reaction mode*: a player presses a given time after its own screen showed the card. It tests both ways, and the truth
is who reacted faster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final, Literal

from lab_sim.client import Client, Delta, Down, Up
from lab_sim.server import LabServer
from lab_sim.world import MS, SECOND, MachineClock, Wire, World
from speed_common.fair_settings import FairSettings
from speed_common.verdict import Verdict, recompute
from speed_server.fair.player import FairPlayer
from speed_server.fair.waiting import Ruling

Mode = Literal["press", "reaction"]
Maker = Callable[..., Client]

SEATS: Final = 2
WARM_NS: Final = 4 * SECOND
GAPS_MS: Final = (1, 2, 5, 10, 20, 50)
GAP_WEIGHTS: Final = (14, 22, 6, 22, 6, 6)
GAP_SPREAD: Final = 0.1
"""A gap is what is meant within so much: all at 1 ms would lie on the very edge of the tie, which says nothing."""

COIN_SHARE: Final = 0.3
LONE_SHARE: Final = 0.41
REACTION_MS: Final = (300.0, 50.0)
"""Mean and standard deviation of a player's reaction in coin races: two people on a familiar card."""

PATIENCE_NS: Final = 1_500 * MS


@dataclass
class Race:
    """One pile that both could take. `gap_ms`: by how much seat 1 was truly later than seat 0 (negative: earlier)."""

    number: int
    gap_ms: float
    nominal_ms: int
    """The gap that was meant; 0 for a coin race: two reactions drawn at random."""

    lone: int = -1
    pressed_ns: dict[int, int] = field(default_factory=dict)
    shown_ns: dict[int, int] = field(default_factory=dict)
    arrived: list[int] = field(default_factory=list)
    winner: int = -1
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    answered: int = 0
    clock_error_ns: dict[int, int] = field(default_factory=dict)
    flagged: bool = False

    @property
    def coin(self) -> bool:
        """Whether the gap is what two players' reactions made it."""
        return not self.nominal_ms

    @property
    def whole(self) -> bool:
        """Whether both pressed, both were judged, and one of them got the pile."""
        return self.winner >= 0 and len(self.pressed_ns) == len(self.verdicts) == SEATS

    @property
    def seen_by_both(self) -> bool:
        """Whether both saw the card."""
        return len(self.shown_ns) == SEATS

    @property
    def first(self) -> int:
        """Who was truly first."""
        return 0 if self.gap_ms > 0 else 1


@dataclass(frozen=True)
class Plan:
    """What to run: the links and clocks of seats 0 and 1, how, how often."""

    links: tuple[str, str]
    mode: Mode = "reaction"
    races: int = 1_000
    seed: int = 1
    settings: FairSettings = field(default_factory=FairSettings)
    grain_ns: tuple[int, int] = (0, 0)
    makers: tuple[Maker, Maker] = (Client, Client)
    only_coins: bool = False
    kernel_rtt: bool = False


def draw_reactions(random: Random, *, only_coins: bool = False) -> tuple[int, list[float]]:
    """How long both players take in a race (ms), and the gap that was meant; 0: each reacts as people do."""
    mean, spread = REACTION_MS
    if only_coins or random.random() < COIN_SHARE:
        return 0, [max(150.0, random.gauss(mean, spread)) for _ in range(SEATS)]
    nominal = random.choices(GAPS_MS, GAP_WEIGHTS)[0]
    gap = nominal * random.uniform(1 - GAP_SPREAD, 1 + GAP_SPREAD) * random.choice((-1, 1))
    base = max(150.0, random.gauss(mean, spread))
    return nominal, [base - gap / 2, base + gap / 2]


class Evening:
    """Two players who race for one pile after another."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.world = World(f"{plan.seed}/{plan.links}/{plan.mode}")
        random = self.world.random
        self.wires_up = [Wire(random, kind, up=True) for kind in plan.links]
        self.wires_down = [Wire(random, kind, up=False) for kind in plan.links]
        players = [FairPlayer(plan.settings, grain) for grain in plan.grain_ns]
        if plan.kernel_rtt:
            for player, kind in zip(players, plan.links, strict=True):
                least = {"good": 2.4, "bad": 10.0, "bad-loss": 10.0, "slow-up": 33.0, "slow-down": 33.0}
                player.link.kernel_rtt_ns = int(least.get(kind, 0.3) * MS)
        self.server = LabServer(self.world, plan.settings, players, self._down, self._ruled)
        self.clients = [
            plan.makers[seat](
                self.world,
                seat,
                MachineClock(random.randrange(-1_000 * SECOND, 1_000 * SECOND), random.uniform(-25, 25), grain),
                partial(self._up, seat),
                self._seen,
            )
            for seat, grain in enumerate(plan.grain_ns)
        ]
        self.races: list[Race] = []
        self.race: Race | None = None
        self.wrong_records = 0
        self._reactions: list[int] = []

    def run(self) -> list[Race]:
        """Run all races of the plan."""
        for client in self.clients:
            self.world.at(self.world.random.randrange(20 * MS), client.start)
        self.world.at(WARM_NS, self._begin)
        self.world.run_until(lambda: len(self.races) >= self.plan.races, 1 << 62)
        return self.races

    # --- the wires ----------------------------------------------------------------------------------------------------

    def _up(self, seat: int, up: Up) -> None:
        when = self.wires_up[seat].arrival(self.world.now)
        if when is not None:
            self.world.at(when, lambda: self._arrive(seat, up))

    def _arrive(self, seat: int, up: Up) -> None:
        if up.play is not None and self.race is not None:
            self.race.arrived.append(seat)
        self.server.receive(seat, up)

    def _down(self, seat: int, message: Down) -> None:
        when = self.wires_down[seat].arrival(self.world.now)
        if when is not None:
            self.world.at(when, lambda: self.clients[seat].receive(message))

    # --- a race -------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        random, plan = self.world.random, self.plan
        nominal, reactions = draw_reactions(random, only_coins=plan.only_coins)
        lone = random.randrange(2) if random.random() < LONE_SHARE else -1
        race = self.race = Race(len(self.races) + 1, reactions[1] - reactions[0], nominal, lone)
        race.flagged = any(player.flagged for player in self.server.players)
        self._reactions = [int(reaction * MS) for reaction in reactions]
        able = (0, 1) if lone < 0 else (lone,)
        showing = self.server.lay(race.number, able, calm=plan.mode == "press")
        if plan.mode == "press":
            for seat in able:
                self.world.at(showing.at_ns + self._reactions[seat], partial(self._press, seat, race))
        self.world.at(self.world.now + PATIENCE_NS, partial(self._end, race))

    def _seen(self, seat: int, delta: Delta) -> None:
        race = self.race
        if race is None or delta.number != race.number:
            return
        race.shown_ns[seat] = self.world.now
        if self.plan.mode == "reaction" and race.lone in {-1, seat}:
            self.clients[seat].planned = self.world.now + self._reactions[seat]
            self.world.at(self.world.now + self._reactions[seat], partial(self._press, seat, race))

    def _press(self, seat: int, race: Race) -> None:
        if self.race is race and seat not in race.pressed_ns:
            if not self.clients[seat].asleep:
                race.pressed_ns[seat] = self.world.now
            link = self.server.players[seat].link
            if link.synced:
                machine = self.clients[seat].machine
                race.clock_error_ns[seat] = link.server_time(machine.read(self.world.now)) - self.world.now
            self.clients[seat].press(seat)

    def _ruled(self, ruling: Ruling, accepted: bool, now: int) -> None:  # noqa: FBT001  # the server's callback
        race = self.race
        assert race is not None
        race.verdicts[ruling.play.seat] = ruling.verdict
        self.wrong_records += bool(recompute(ruling.verdict, self.plan.settings))
        if accepted:
            race.winner = ruling.play.seat
        race.answered += 1
        if race.answered == (2 if race.lone < 0 else 1):
            self._end(race)
        del now

    def _end(self, race: Race) -> None:
        if self.race is not race:
            return
        self.races.append(race)
        self.race = None
        self.server.board.open = False
        self.world.at(self.world.now + self.world.random.randrange(150 * MS, 400 * MS), self._begin)
