"""A whole evening in memory: a real hub, players who speak its wire, and a number for a clock."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TypeVar

from speed_common import wire
from speed_common.cards import NO_CARD
from speed_common.events import Event, Revealed
from speed_common.fair_settings import Mode
from speed_common.rules import Rules
from speed_common.state import CALLING, OVER, PLAYING, SPECTATOR, Table
from speed_common.table import evolve
from speed_common.tactics import best_play
from speed_common.views import table_of
from speed_server.hub import Hub
from speed_server.settings import MS, SECOND, HubSettings

Kind = TypeVar("Kind")


@dataclass
class Player:
    """One connection: what it was told, and its table as it follows from that alone."""

    evening: Evening
    origin: bytes
    ahead_ns: int = 0
    present: bool = True
    ticket: bytes = b""
    heard: list[wire.Down] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    room: wire.Room | None = None
    table: Table | None = None
    seat: int = SPECTATOR
    revision: int = 0
    reveal_seen: bool = False
    seq: int = 0

    def send(self, message: wire.Up) -> None:
        self.evening.hub.receive(self.origin, wire.encode(message), self.evening.now)
        self.evening.deliver()

    def hello(self, name: str = "anna", ticket: bytes = b"") -> wire.Welcome:
        self.send(wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, "test", name, ticket))
        welcome = self.last(wire.Welcome)
        self.ticket = welcome.ticket
        return welcome

    def sync(self) -> None:
        """Heartbeats enough for the clocks to be in step; the link takes no time."""
        for _ in range(9):
            self.beat()
            self.evening.pass_time(MS)

    def beat(self) -> None:
        c_now = self.evening.now + self.ahead_ns
        backs = [message for message in self.heard if isinstance(message, wire.BeatBack)]
        self.send(wire.Beat(self.ticket, c_now, backs[-1].s_sent if backs else 0, backs[-1].c_send if backs else 0))

    def play(self, card: int, pile: int = -1, pressed_ago_ns: int = 0, sent_ago_ns: int | None = None) -> int:
        """A play that arrives now; it left as soon as it was pressed unless `sent_ago_ns` says otherwise."""
        self.seq += 1
        c_press = self.evening.now + self.ahead_ns - pressed_ago_ns
        c_send = c_press if sent_ago_ns is None else self.evening.now + self.ahead_ns - sent_ago_ns
        self.send(wire.PlayCard(self.ticket, self.seq, card, pile, self.revision, c_press, c_send=c_send))
        return self.seq

    def sit(
        self,
        table: int = wire.ANY_TABLE,
        computers: tuple[int, ...] = (),
        rules: Rules | None = None,
        code: str = "",
    ) -> None:
        self.send(wire.Sit(self.ticket, table, computers, rules, code))
        self.evening.tick()

    def ready(self) -> None:
        self.send(wire.Ready(self.ticket))

    def leave(self) -> None:
        self.send(wire.Leave(self.ticket))
        self.evening.tick()

    def call(self, pressed_ago_ns: int = 0) -> int:
        self.seq += 1
        c_press = self.evening.now + self.ahead_ns - pressed_ago_ns
        self.send(wire.CallSpeed(self.ticket, self.seq, c_press, c_press))
        return self.seq

    def ask_flip(self) -> int:
        self.seq += 1
        self.send(wire.FlipPlease(self.ticket, self.seq))
        self.evening.tick()
        return self.seq

    def play_best(self) -> bool:
        table = self.table
        if table is not None and table.phase == CALLING and table.emptied == self.seat:
            self.call()
            return True
        if table is None or table.phase != PLAYING:
            return False
        if table.rules.refill == "manual" and NO_CARD in table.hands[self.seat] and table.draws[self.seat]:
            self.seq += 1
            self.send(wire.DrawCard(self.ticket, self.seq, self.evening.now + self.ahead_ns))
            return True
        found = best_play(table.hands[self.seat], table.held[self.seat], table.reach, table.fits)
        if found is None:
            return False
        slot, pile = found
        self.play(table.hands[self.seat][slot], pile)
        return True

    def take(self, data: bytes) -> None:
        message = wire.decode_down(data)
        self.heard.append(message)
        if isinstance(message, wire.Snapshot):
            self.room, self.seat, self.revision = message.room, message.seat, message.revision
            self.table = None
            if message.view is not None:
                self.table = table_of(message.room.rules, message.view, message.seat)
        elif isinstance(message, wire.Delta):
            if message.revision != self.revision or self.table is None:
                return
            for event in message.events:
                evolve(self.table, event)
                self.events.append(event)
                self.reveal_seen |= isinstance(event, Revealed)
            self.revision += len(message.events)

    def all(self, kind: type[Kind]) -> list[Kind]:
        return [message for message in self.heard if isinstance(message, kind)]

    def last(self, kind: type[Kind]) -> Kind:
        found = self.all(kind)
        assert found, f"{self.origin!r} was never sent a {kind.__name__}, only {self.heard}"
        return found[-1]


class Evening:
    """A hub, its clock, and who is connected to it.

    A room ticks whenever a test says `tick`, as if its last tick were long ago; with `spaced` it keeps `tick_ns`. Plays
    are judged as soon as they come unless `fair` says otherwise.
    """

    def __init__(
        self, settings: HubSettings | None = None, seed: int = 1, *, spaced: bool = False, fair: Mode = "order"
    ) -> None:
        self.now = 1_000 * SECOND
        self.late_ns = 0
        """How late the loop comes to each timer: no machine is ever in time."""
        settings = settings or HubSettings()
        self.settings = replace(settings, fair=replace(settings.fair, mode=fair))
        kept = self.settings if spaced else replace(self.settings, tick_ns=0)
        self.hub = Hub(kept, "server", random.Random(seed).randbytes, self.now)
        self.players: dict[bytes, Player] = {}
        self.watcher = Player(self, b"watcher")
        self.published: list[tuple[bytes, bytes]] = []

    def player(self, origin: bytes, ahead_ns: int = 0) -> Player:
        self.players[origin] = Player(self, origin, ahead_ns)
        return self.players[origin]

    def guest(self, name: str, ahead_ns: int = 0) -> Player:
        """A player who has said hello."""
        player = self.player(name.encode(), ahead_ns)
        player.hello(name)
        return player

    def party(self, *names: str) -> list[Player]:
        """Players at one table, not yet ready."""
        players = [self.guest(name) for name in names]
        for player in players:
            player.sit()
        return players

    def pair(self) -> tuple[Player, Player]:
        """Two players at one table, not yet ready."""
        anna, bob = self.party("anna", "bob")
        return anna, bob

    def start(self, *players: Player) -> None:
        """All these say that they are ready, and the countdown goes by."""
        for player in players:
            player.sync()
            player.ready()
        self.tick()
        self.pass_time(self.settings.countdown_ns)

    def dealt_pair(self) -> tuple[Player, Player]:
        """Two players in a deal just revealed."""
        anna, bob = self.pair()
        self.start(anna, bob)
        return anna, bob

    def dealt_party(self, *names: str) -> list[Player]:
        """Players at one table in a deal just revealed."""
        players = self.party(*names)
        self.start(*players)
        return players

    def back(self, gone: Player) -> Player:
        """The player comes back by the ticket, on another connection."""
        again = self.player(gone.origin + b"'")
        again.seq = gone.seq
        again.hello("anna", gone.ticket)
        again.sync()
        return again

    def watch(self, number: int = 1) -> Player:
        self.hub.watched(wire.table_topic(number), self.now)
        self.deliver()
        return self.watcher

    def tick(self) -> None:
        self.hub.advance(self.now)
        self.deliver()

    def cut(self, player: Player) -> None:
        """The player's connection breaks, and the server notices."""
        player.present = False
        self.hub.unreachable(player.origin, self.now)
        self.tick()

    def pass_time(self, duration_ns: int) -> None:
        """Let time go by, with every tick that falls due on the way; who is present goes on saying so."""
        end = self.now + duration_ns
        ticks_at_once = 0
        beat_at = self.now + self.settings.beat_ns // 2  # what is sent later must not have been pressed before it
        while True:
            due = self.hub.next_due()
            step = min(end, beat_at) if due is None else min(end, beat_at, due + self.late_ns)
            ticks_at_once = 0 if step > self.now else ticks_at_once + 1
            assert ticks_at_once < 1_000, "the hub is due at one and the same instant for ever"
            self.now = max(self.now, step)
            if self.now >= beat_at:
                beat_at += self.settings.beat_ns
                for player in list(self.players.values()):
                    if player.present and player.ticket:
                        player.beat()
            self.tick()
            due = self.hub.next_due()
            if self.now >= end and (due is None or due > end):
                return

    def deliver(self) -> None:
        for origin, data in self.hub.outbox:
            if origin in self.players:
                self.players[origin].take(data)
        self.hub.outbox.clear()
        for topic, data in self.hub.bulletins:
            self.published.append((topic, data))
            if topic != wire.LOBBY_TOPIC:
                self.watcher.take(data)
        self.hub.bulletins.clear()

    def play_out(self, *players: Player, pause_ns: int = 150 * MS, most: int = 5_000) -> None:
        """These players lay down the best card they have, in turn, until the deal is over."""
        for _ in range(most):
            if any(player.table is not None and player.table.phase == OVER for player in players):
                return
            for player in players:
                player.play_best()
                player.beat()
                self.pass_time(pause_ns)
        raise AssertionError("the deal never ended")
