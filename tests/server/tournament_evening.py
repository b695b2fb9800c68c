"""A tournament in memory: the hub with its tournaments, a log that is a list, players who enter, sit down and play."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.state import OVER
from speed_server.evening.evening import Evening as Tournaments
from speed_server.evening.line import CONSOLE, Line
from speed_server.hub import Hub
from speed_server.settings import MS, SECOND, HubSettings
from speed_server.tournament.entries import Entry
from speed_server.tournament.model import Match, Tournament
from speed_server.tournament.wishes import pair_or_relax

SECRET = "cards-on-the-table"
WALL_NS = 1_700_000_000 * SECOND


class TournamentEvening(Evening):
    """`disk` is what is on disk; while `disk_stuck` nothing more gets there."""

    def __init__(self, settings: HubSettings | None = None) -> None:
        super().__init__(settings or HubSettings(countdown_ns=SECOND))
        self.disk: list[Entry] = []
        self.disk_stuck = False
        self._waiting: list[Entry] = []
        self._start()

    def _start(self) -> None:
        kept = replace(self.settings, tick_ns=0)
        self.tournaments = Tournaments(self.disk, WALL_NS, self.now)
        self.hub = Hub(kept, "server", random.Random(7).randbytes, self.now, self.tournaments, SECRET)

    def restart(self, down_ns: int = SECOND) -> None:
        """The server dies without a word, and is up again later; nobody is connected."""
        self._waiting.clear()
        self.now += down_ns
        self.players.clear()
        self._start()
        self.tick()

    def tick(self) -> None:
        for _ in range(50):
            self._write()
            super().tick()
            if not (self.tournaments.entries or self.tournaments.tasks or self.hub.dirty):
                return
        raise AssertionError("the evening never comes to rest")

    def _write(self) -> None:
        tournaments = self.tournaments
        entries, tournaments.entries = tournaments.entries, []
        self._waiting += entries
        for tid, task in list(tournaments.tasks.items()):
            tournaments.plan(tid, pair_or_relax(task), self.now)
        if self.disk_stuck:
            return
        self.disk += self._waiting
        self._waiting.clear()
        last = Counter({entry.tid: entry.seq for entry in self.disk})
        tournaments.written(lambda tid: last[tid], self.now)

    def order(self, *lines: str) -> list[str]:
        """Lines at the console; the answers to the last one."""
        for line in lines:
            self.tournaments.heard.clear()
            self.tournaments.director.direct(Line(CONSOLE, line), self.now)
            self.tick()
        return self.tournaments.heard

    def enter(self, tid: str, *names: str) -> list[Player]:
        """People who come in and enter."""
        people = [self.guest(name) for name in names]
        for player in people:
            self.say_enter(player, tid)
        return people

    def say_enter(self, player: Player, tid: str) -> None:
        player.send(wire.Enter(player.ticket, tid))
        self.tick()

    def again(self, player: Player, name: str) -> Player:
        """Somebody comes back by his ticket, after a restart of the server or a broken link."""
        back = self.player(player.origin + b"'")
        back.seq = player.seq
        back.hello(name, player.ticket)
        self.tick()
        back.sync()
        return back

    def ready_all(self, *players: Player) -> None:
        """Whoever is called hears it and is ready."""
        for player in players:
            mine = player.last(wire.Mine)
            if mine.table and player.room is not None and player.seat >= 0:
                player.send(wire.Heard(player.ticket, mine.tid, mine.match))
                player.ready()
                self.tick()

    def play_deal(self, *players: Player) -> None:
        """The players of one match play the deal that is laid or about to be, until it is over."""
        for player in players:
            player.sync()
        self.pass_time(self.settings.countdown_ns + 10 * MS)
        self.play_out(*players)

    def play_out(self, *players: Player, pause_ns: int = 150 * MS, most: int = 5_000) -> None:
        """As ever, while all others go on saying that they are here."""
        for _ in range(most):
            if any(self.over(player) for player in players):
                return
            for player in players:
                player.play_best()
            for player in list(self.players.values()):
                if player.present and player.ticket:
                    player.beat()
            self.pass_time(pause_ns)
        raise AssertionError("the deal never ended")

    def play_match(self, *players: Player) -> None:
        """Deal after deal until the match has its result."""
        table = players[0].room.table if players[0].room is not None else 0
        match = self.match_at(table)
        for _ in range(40):
            self.play_deal(*players)
            found = self.state.matches[match.number]
            if found.result is not None:
                return
            for player in players:
                player.ready()
            self.tick()
        raise AssertionError("the match never ended")

    @property
    def state(self) -> Tournament:
        """What is durable of the newest tournament."""
        return list(self.tournaments.lives.values())[-1].public

    def match_at(self, table: int) -> Match:
        return next(m for m in self.state.matches.values() if m.table == table and m.result is None)

    def over(self, player: Player) -> bool:
        return player.table is not None and player.table.phase == OVER
