"""A whole evening of one seed: faults, then quiet, then everything must have come to its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from tests.sim.cheats import Cheat, rubbish
from tests.sim.machines import Connection
from tests.sim.options import HOUSE_RULES, Options
from tests.sim.people import Person, Window
from tests.sim.spectators import Spectator
from tests.sim.truth import Breach, rooms_of
from tests.sim.world import NOTICED_NS, START_NS, World

from speed_client.wishes import Want
from speed_common import wire
from speed_common.codes import format_code
from speed_server.settings import MS, SECOND

NAMES = ("anna", "bob", "carl", "dora", "emil")
MINUTE = 60 * SECOND
LONGEST_DEAL_NS = 240 * SECOND
LAST_DEAL_NS = 2 * SECOND
AT_REST_NS = 3_200 * MS


class Evening:
    """The people of one seed, and what befalls them."""

    def __init__(self, options: Options, random: Random) -> None:
        self.options = options
        self.random = random
        self.world = World(options, random)
        self.people: list[Person] = []
        for number, name in enumerate(NAMES[: options.people]):
            cheat = None
            if options.cheats and number == options.people - 1 and options.people > 1:
                cheat = Cheat(self.world, options.cheats, NAMES[0])
            self.people.append(Person(self.world, name, self._want(number), cheat))
        self.spectators = [Spectator(self.world, f"spectator {number}") for number in range(options.spectators)]
        for number, spectator in enumerate(self.spectators):
            late = number or random.random() < 0.5
            self.world.met["late spectator"] += bool(late)
            self.world.after(random.randrange(options.faults_ns) if late else 0, spectator.begin)
        self._plan_faults()

    def run(self) -> None:
        """The whole evening. Raises `Breach`, or whatever our own code raised."""
        world = self.world
        world.run(START_NS + self.options.faults_ns)
        self._calm_down()
        world.run(world.now + LAST_DEAL_NS)
        world.more_deals = False
        self._wait_until(self._deals_are_over, LONGEST_DEAL_NS, "a deal never ended")
        for person in self.people:
            person.resting = True
        world.run(world.now + AT_REST_NS)
        self._all_agree()
        self._go_home()

    def _want(self, number: int) -> Want:
        options, rules = self.options, HOUSE_RULES[self.options.rules]
        code = format_code(0, rules, options.faults_ns // MS) if options.by_code else ""
        computers = (10,) * options.computers if not number else ()
        if computers and rules.players > 2 and options.people > 1:
            return Want(wire.NEW_TABLE, computers=(10,) if rules.players == 2 else (10, 9)[: rules.players - 2])
        return Want(computers=() if code and not computers else computers, code=code)

    # --- faults -------------------------------------------------------------------------------------------------------

    def _plan_faults(self) -> None:
        options = self.options
        kinds: list[tuple[float, Callable[[Person], None]]] = [
            (options.stalls, self._stall),
            (options.cuts, self._cut),
            (options.half_deaths, self._half_die),
            (options.naps, self._nap),
            (options.crashes, self._crash),
            (options.second_windows, self._second_window),
            (options.leaving, self._leave),
            (options.clock_steps, self._step_clock),
            (options.rubbish, self._send_rubbish),
        ]
        for person in self.people:
            for rate, fault in kinds:
                self._now_and_then(rate, partial(fault, person))
        self._now_and_then(options.hiccups, lambda: self.world.hiccup(self.random.randrange(5 * MS, 200 * MS)))
        for spectator in self.spectators:
            self._now_and_then(options.cuts, spectator.gap)

    def _now_and_then(self, rate: float, call: Callable[[], None]) -> None:
        if not rate:
            return
        at = 0
        while True:
            at += int(self.random.expovariate(rate) * MINUTE)
            if at >= self.options.faults_ns:
                return
            self.world.after(at, call)

    def _linked(self, person: Person) -> Window | None:
        window = person.window
        return window if window is not None and window.connection is not None else None

    def _stall(self, person: Person) -> None:
        window = self._linked(person)
        if window is not None and window.connection is not None:
            pipe = self.random.choice([window.connection.up, window.connection.down])
            pipe.stall(self.world.now + int(self.random.choice([0.05, 0.3, 1.5, 3.0]) * SECOND * self.random.random()))
            self.world.met["stall"] += 1

    def _cut(self, person: Person) -> None:
        window = self._linked(person)
        if window is not None and window.connection is not None:
            self.world.met["cut"] += 1
            notices = [0, 50 * MS, NOTICED_NS]
            self.world.cut(window.connection, self.random.choice(notices), self.random.choice(notices))

    def _half_die(self, person: Person) -> None:
        window = self._linked(person)
        if window is not None and window.connection is not None:
            self.world.met["half-dead"] += 1
            self.random.choice([window.connection.up, window.connection.down]).dead = True
            self.world.after(NOTICED_NS, partial(self._cut_off, window.connection, 100 * MS))

    def _nap(self, person: Person) -> None:
        window = self._linked(person)
        if window is None or window.connection is None or not window.awake:
            return
        self.world.met["nap"] += 1
        duration = int(self.random.choice([0.2, 2.0, 6.0]) * SECOND)
        window.nap(duration)
        if self.random.random() < 0.5:
            person.clock.stand_still(self.world.now, duration)
        if duration > NOTICED_NS:
            self.world.after(NOTICED_NS, partial(self._cut_off, window.connection, duration - NOTICED_NS))

    def _cut_off(self, connection: Connection, client_notices_ns: int) -> None:
        """The transport has noticed that nothing comes any more, if that was not mended meanwhile."""
        if not self.world.calm:
            self.world.cut(connection, 0, client_notices_ns)

    def _crash(self, person: Person) -> None:
        window = person.window
        if window is not None:
            window.fuse = self.random.randrange(6)
            if self.random.random() < self.options.gone_for_good:
                self.world.met["gone for good"] += 1
                person.gone = True
            if self.random.random() < 0.1:
                person.ticket = b""

    def _second_window(self, person: Person) -> None:
        if person.window is not None and person.ticket and not person.gone:
            self.world.met["second window"] += 1
            person.open()

    def _leave(self, person: Person) -> None:
        window = person.window
        if window is not None and window.awake:
            window.session.leave(person.read())
            window.pump()

    def _step_clock(self, person: Person) -> None:
        self.world.met["clock step"] += 1
        person.clock.step(self.world.now, self.random.choice([MS, 50 * MS, SECOND]))

    def _send_rubbish(self, person: Person) -> None:
        window = self._linked(person)
        random = self.random
        if person.cheat and window is not None and window.connection is not None:
            seen = wire.encode(wire.PlayCard(person.ticket.ljust(16, b"\0"), 1, 2, 0, 3, person.read()))
            self.world.inject(window.connection.origin, rubbish(random, seen))
        seen = wire.encode(wire.Beat(random.randbytes(16), person.read()))
        self.world.inject(b"stranger", rubbish(random, seen))

    # --- quiet --------------------------------------------------------------------------------------------------------

    def _calm_down(self) -> None:
        """Everything that failed works again; who went for good stays away."""
        world = self.world
        world.calm, world.calm_since = True, world.now
        for person in self.people:
            for connection in [window.connection for window in person.windows if window.connection is not None]:
                if connection.origin in world.watch.owed or connection.up.dead or connection.down.dead:
                    world.cut(connection, 0, 0)  # a stream that lost something and cannot know it is no stream
                for pipe in (connection.up, connection.down):
                    pipe.calm(min(self.options.delay_ns, 5 * MS))
        for spectator in self.spectators:
            spectator.pipe.calm(min(self.options.delay_ns, 5 * MS))
        for person in self.people:
            for window in person.windows:
                if window.alive:
                    window.wake_up()
                    if person.gone:
                        window.crash()
                    window.fuse = None

    def _wait_until(self, done: Callable[[], bool], most_ns: int, complaint: str) -> None:
        until = self.world.now + most_ns
        while not done():
            if self.world.now >= until:
                raise Breach(complaint)
            self.world.run(self.world.now + 200 * MS)

    def _deals_are_over(self) -> bool:
        kept = set(range(1, 1 + self.options.bot_table))
        return not any(room.running for number, room in rooms_of(self.world.hub).items() if number not in kept)

    def _all_agree(self) -> None:
        world = self.world
        bots = set(range(1, 1 + self.options.bot_table))
        for person in self.people:
            alive = [window for window in person.windows if window.alive]
            if len(alive) > 1 and not person.cheat:
                raise Breach(f"{person.name} plays in {len(alive)} windows at once")
            for window in alive:
                if window.session.pending:
                    raise Breach(f"{person.name} still waits for {window.session.pending}")
                if window.session.link != "up" and not person.cheat:
                    raise Breach(f"{person.name} has no link")
                window.compare(at_rest=window.session.mirror.room is not None and not person.cheat)
        for spectator in self.spectators:
            spectator.sees_all(set(rooms_of(world.hub)) - bots)

    def _go_home(self) -> None:
        world, settings = self.world, self.world.settings
        for person in self.people:
            person.gone = True
            for window in person.windows:
                if window.alive:
                    window.session.leave(person.read())
                    window.pump()
        for spectator in self.spectators:
            spectator.end()
        most = settings.idle_silence_ns + settings.keep_ns + 4 * settings.grace_ns
        bots = self.options.bot_table
        self._wait_until(lambda: world.hub.summary().tables == bots, most, "a table is laid for nobody")
        if not bots:
            self._wait_until(lambda: world.hub.next_due() is None, settings.forget_ns + most, "the hub finds no rest")
