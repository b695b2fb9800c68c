"""People at their machines: what they want, how they play, and the windows in which their sessions run.

A `Window` is what `link` is outside: it joins one real `Session` to connections, one after the other. A `Person` keeps
the ticket, looks at the newest window that still lives, and does what people do.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Final

from tests.sim.cheats import Cheat
from tests.sim.machines import Connection, MachineClock
from tests.sim.truth import Breach, place_of, session_by_ticket
from tests.sim.world import World

from speed_client.mirror import Mirror
from speed_client.news import LinkChanged, News, PlayRefused, Welcomed
from speed_client.plays import MOST_PENDING
from speed_client.session import Session
from speed_client.wishes import Want
from speed_common.cards import NO_CARD, is_joker
from speed_common.events import AUTO_PILE
from speed_common.rules import as_card_set
from speed_common.table import CALLING, PLAYING, STUCK, Table
from speed_common.tactics import best_play
from speed_common.wire import COUNTDOWN, OVER, WAITING
from speed_server.settings import MS, SECOND

NO_WELCOME_NS: Final = 3 * SECOND
AGAIN_NS: Final = 100 * MS


class Window:
    """One running program of a person."""

    def __init__(self, person: Person, ticket: bytes) -> None:
        self.person = person
        self.world = person.world
        self.name = person.name
        self.session = Session(person.name, ticket, person.want, person.read())
        self.connection: Connection | None = None
        self.running = True
        self.fuse: int | None = None
        """So many messages more, in or out, and the program dies."""
        self.dead_link = False
        """A half-dead link cannot be had anew before it is healed."""
        self._asleep_until = 0
        self._inbox: deque[bytes | None] = deque()
        self._armed: int | None = None
        self._compared = (-1, 0)
        self.connect()

    @property
    def alive(self) -> bool:
        return self.running and self.session.ended is None

    @property
    def awake(self) -> bool:
        return self.world.now >= self._asleep_until

    # --- the link -----------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        if not self.alive or self.connection is not None:
            return
        connection = self.connection = self.world.connect(self)
        self.world.after(3 * self.world.options.delay_ns + MS, lambda: self._stands(connection))

    def _stands(self, connection: Connection) -> None:
        if self.connection is connection and self.alive:
            self.session.connected(self.person.read())
            self.world.after(NO_WELCOME_NS, lambda: self._look_for_welcome(connection))
            self.pump()

    def _look_for_welcome(self, connection: Connection) -> None:
        if self.connection is connection and self.alive and not self.session.welcomed:
            self.world.close(connection)
            self.broken(connection)

    def take(self, connection: Connection, data: bytes) -> None:
        """A message came down."""
        if self.connection is not connection or not self.running:
            return
        if not self.awake or self._inbox:
            self._inbox.append(data)
            return
        self._receive(data)

    def broken(self, connection: Connection) -> None:
        """The connection is seen to be gone; the program makes a new one."""
        if self.connection is not connection or not self.running:
            return
        if not self.awake or self._inbox:
            self._inbox.append(None)
            return
        self._lost()

    def _lost(self) -> None:
        self.connection = None
        self.session.lost(self.person.read())
        self.pump()
        self.world.after(AGAIN_NS, self.connect)

    def _receive(self, data: bytes) -> None:
        if self.burns():
            self.session.receive(data, self.person.read())
            self.pump()

    def nap(self, duration_ns: int) -> None:
        """The machine sleeps; what comes waits in its buffers."""
        self._asleep_until = self.world.now + duration_ns
        self.world.at(self._asleep_until, self._wake)

    def wake_up(self) -> None:
        self._asleep_until = 0
        self._wake()

    def _wake(self) -> None:
        while self._inbox and self.awake and self.running:
            data = self._inbox.popleft()
            if data is not None:
                self._receive(data)
            elif self.connection is not None and not self.connection.known_to_client:
                self._lost()
        if self.running:
            self._due()

    # --- the program --------------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """Send what the session says, hear its news, and be called when something is due."""
        session = self.session
        while self.running and (session.outbox or session.news):
            outbox, session.outbox[:] = session.outbox[:], []
            for data in outbox:
                if not self.burns():
                    return
                if self.connection is not None:
                    for sent in self.person.twist(data):
                        self.connection.up.send(sent)
            news, session.news[:] = session.news[:], []
            for one in news:
                self.person.hear(self, one)
        if not self.running:
            return
        if session.ended is not None:
            self.shut()
            return
        if len(session.pending) > MOST_PENDING:
            raise Breach(f"{self.name} waits for {session.pending}")
        mirror = session.mirror
        if self._compared != (mirror.revision, id(mirror.table)):
            self._compared = (mirror.revision, id(mirror.table))
            self.compare()
        self._arm()

    def compare(self, *, at_rest: bool = False) -> None:
        """What is seen must be what is there; `at_rest`: of this very moment."""
        mirror = self.session.mirror
        place = place_of(session_by_ticket(self.world.hub, self.session.ticket))
        if mirror.room is not None and place == (mirror.room.table, mirror.seat):
            self.world.watch.mirrors_the_truth(mirror, self.name, at_rest=at_rest)
        elif at_rest and place is not None and not self.person.cheat:
            raise Breach(f"{self.name} holds {place} and sees {mirror.room}")

    def burns(self) -> bool:
        """Whether the program gets through one more message."""
        if self.fuse is not None:
            self.fuse -= 1
            if self.fuse < 0:
                self.crash()
        return self.running

    def crash(self) -> None:
        self.world.met["crash"] += 1
        self.world.note("crash", self.name)
        self.running = False
        if self.connection is not None:
            self.world.close(self.connection, politely=self.world.random.random() < 0.5)
        self.connection = None

    def shut(self) -> None:
        """The session has ended, and the program with it."""
        self.running = False
        if self.connection is not None:
            self.world.close(self.connection)
        self.connection = None

    def _arm(self) -> None:
        due = self.session.next_due()
        if due is None:
            return
        at = max(self.person.clock.when(due), self.world.now + 1)
        if self._armed is None or at < self._armed:
            self._armed = at
            self.world.at(at, self._alarm)

    def _alarm(self) -> None:
        if self._armed is not None and self._armed <= self.world.now:
            self._armed = None
        if self.running and self.awake:
            self._due()

    def _due(self) -> None:
        if self.session.ended is None:
            due = self.session.next_due()
            if due is not None and self.person.read() >= due:
                self.session.due(self.person.read())
        self.pump()


class Person:
    """Somebody who plays."""

    def __init__(self, world: World, name: str, want: Want, cheat: Cheat | None = None) -> None:
        self.world = world
        self.name = name
        self.want = want
        self.cheat = cheat
        self.ticket = b""
        self.windows: list[Window] = []
        self.gone = False
        self._thinks_until = 0
        self.resting = False
        """Nothing more is done, so that what lies on the table can be compared."""
        self.random = Random(world.random.getrandbits(64))
        options = world.options
        drift = self.random.choice([-1, 1]) * options.drift_ppm
        self.clock = MachineClock(self.random.randrange(10**15), drift)
        world.after(self.random.randrange(200 * MS), self.begin)

    def read(self) -> int:
        return self.clock.read(self.world.now)

    def begin(self) -> None:
        self.open()
        self._act_later()

    def open(self) -> Window:
        """Start the program, with the ticket that was kept."""
        window = Window(self, self.ticket)
        self.windows.append(window)
        return window

    @property
    def window(self) -> Window | None:
        """The newest window that lives."""
        return next((window for window in reversed(self.windows) if window.alive), None)

    def hear(self, window: Window, news: News) -> None:
        met = self.world.met
        if isinstance(news, Welcomed):
            self.ticket = news.ticket
        elif isinstance(news, PlayRefused):
            word = news.refused.word
            met[f"told: {word}"] += 1
            since = self.world.calm_since
            if word == "no_answer" and since is not None and self.world.now - since > 5 * SECOND and not self.cheat:
                raise Breach(f"{self.name} was never answered: {news}")
        elif isinstance(news, LinkChanged) and news.link == "lost":
            met["link lost"] += window.alive

    def twist(self, data: bytes) -> list[bytes]:
        """What is sent in place of a message."""
        if self.cheat is None or self.world.calm:
            return [data]
        return self.cheat.twist(data)

    # --- how people play ----------------------------------------------------------------------------------------------

    def _act_later(self) -> None:
        pace = 80 * MS if self.world.calm else self.world.options.pace_ns
        self.world.after(int(pace * (0.5 + self.random.random())), self._act)

    def _act(self) -> None:
        if self.gone:
            return
        self._act_later()
        if self.resting or self.world.now < self._thinks_until:
            return
        window = self.window
        if window is None:
            if self.random.random() < (0.5 if self.world.calm else 0.1):
                self.open()
            return
        if not window.awake:
            return
        session = window.session
        room, seat = session.mirror.room, session.mirror.seat
        if room is None or seat < 0 or session.link != "up":
            return
        now = self.read()
        if room.phase in {WAITING, OVER}:
            if self.world.more_deals:
                self.world.met["rematch"] += room.phase == OVER
                self.world.met["match over"] += room.result is not None and room.result.match_over
                session.ready(now)
        elif room.phase == COUNTDOWN:
            if self.random.random() < 0.1:
                session.ready(now)
        else:
            self._move(session, session.mirror, seat, now)
        if session.outbox:
            window.pump()

    def _move(self, session: Session, mirror: Mirror, seat: int, now: int) -> None:
        table, random = mirror.table, self.random
        if table is None or table.gone[seat]:
            return
        if table.rules.idle_autoplay_us and self.world.calm and random.random() < 0.05:
            self._thinks_until = self.world.now + 11 * SECOND
            return
        press = now - random.randrange(5 * MS)
        sense = 1.0 if self.world.calm else self.world.options.sense
        if table.phase == CALLING:
            if random.random() < 0.3:
                session.call(now, press)
        elif table.phase == STUCK:
            if table.rules.flip_trigger == "all_ready" and random.random() < 0.6:
                session.flip(now)
            elif random.random() > sense:
                self._play_badly(session, table, seat, now, press)
        elif table.phase == PLAYING:
            if not table.auto_refill and NO_CARD in table.hands[seat] and table.draws[seat] and random.random() < 0.8:
                session.draw(now, press)
            elif random.random() < sense:
                self._play_well(session, table, seat, now, press)
            elif table.rules.call_speed and random.random() < 0.1:
                session.call(now, press)
            else:
                self._play_badly(session, table, seat, now, press)

    def _play_well(self, session: Session, table: Table, seat: int, now: int, press: int) -> None:
        hand = [NO_CARD if slot in session.pending else card for slot, card in enumerate(table.hands[seat])]
        if self.world.random.random() < 0.7:
            found = best_play(hand, as_card_set(hand), table.reach, table.fits)
            if found is not None:
                session.play(found[0], self.random.choice([AUTO_PILE, found[1]]), now, press)
            return
        for slot, card in enumerate(hand):
            piles = table.fits_on(card)
            if card >= 0 and piles:
                named = self.random.randrange(-1, 13) if is_joker(card) and table.rules.declared else -1
                session.play(slot, self.random.choice([AUTO_PILE, *piles]), now, press, named)
                return

    def _play_badly(self, session: Session, table: Table, seat: int, now: int, press: int) -> None:
        slot = self.random.randrange(len(table.hands[seat]))
        session.play(slot, self.random.choice([AUTO_PILE, *range(len(table.tops))]), now, press)
