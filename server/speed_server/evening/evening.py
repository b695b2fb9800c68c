"""All live tournaments of one server, pure: what players, tables, the director and time tell, and what comes of it.

The hub tells it what happens and carries out `moves` at the tables; the rim writes `entries` to the log, pairs `tasks`
in a worker and does the director's errands with files. Only what the log has on disk (`written`) is ever acted on or
told to anybody, so nothing that was announced can be lost with the server.

Every `now` is the server's monotonic clock; the tournaments' own clock is that plus a constant, so it never steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from speed_common import wire
from speed_server.evening.direction import Direction
from speed_server.evening.live import Live, Move
from speed_server.evening.people import actor_of
from speed_server.evening.personal import called, mine, next_match
from speed_server.evening.register import Register
from speed_server.tournament import events as ev
from speed_server.tournament.decide import CheckIn, Enter, Leave
from speed_server.tournament.entries import Entry
from speed_server.tournament.hall import Call
from speed_server.tournament.judging import playing_match
from speed_server.tournament.model import Match, Tournament
from speed_server.tournament.play import Acknowledge, Halt, Lose, PlanRound, ReportDeal, Return, Sit

_ROUND_ENDS = (ev.StageClosed, ev.RoundPublished, ev.TournamentFinished)


class Evening(Register):
    """The tournaments of a log, resumed. The marks of players are those of `people`."""

    def __init__(self, entries: Sequence[Entry] = (), offset_ns: int = 0, now: int = 0) -> None:
        super().__init__(offset_ns)
        self.backups: list[str] = []
        """Names of the backups that the log is due, since a round has ended."""
        by_tid: dict[str, list[Entry]] = {}
        for entry in entries:
            by_tid.setdefault(entry.tid, []).append(entry)
        for tid, own in by_tid.items():
            self.enrol(tid, own, now)
        self.director = Direction(self)

    # --- players ------------------------------------------------------------------------------------------------------

    def came(self, mark: str, now: int) -> None:
        """Somebody is connected, perhaps again; who is not in any tournament is none of ours."""
        self.here.add(mark)
        self.back(mark, now)
        for live, player in self.entries_of(mark):
            self._greet(live, mark, player, now)

    def back(self, mark: str, now: int) -> None:
        """He is at his table, or wherever he waits for it."""
        for live, player in self.entries_of(mark):
            self.obey(live, Return(player), now, actor_of(mark))

    def went(self, mark: str, stake: Callable[[Match], int], now: int) -> None:
        """His connection is gone; `stake` tells how many cards he held in a match."""
        self.here.discard(mark)
        self.stood_up(mark, stake, now)

    def stood_up(self, mark: str, stake: Callable[[Match], int], now: int) -> None:
        """He has left his table, but is still connected."""
        for live, player in self.entries_of(mark):
            match = playing_match(live.desk.state, player)
            self.obey(live, Lose(player, 0 if match is None else stake(match)), now)

    def enter(self, mark: str, name: str, tid: str, now: int) -> None:
        """He plays in this tournament: enters, checks in, or takes up the entry of his name."""
        live = self.lives.get(tid)
        if live is None:
            self.tell(mark, wire.Mine(tid, "", "", 0, "", text="there is no such tournament: choose one of the list"))
            return
        state = live.desk.state
        player = live.people.player_of(mark, state) or _player_called(state, name)
        if not player:
            self._enter_anew(live, mark, name, now)
            return
        if live.people.mark_of(player) in self.here - {mark}:
            self._refuse(live, mark, f"{name} has entered from another machine: join under another name", now)
            return
        live.people.bind(mark, player)
        self.obey(live, Return(player), now, actor_of(mark))
        if state.phase == "check_in" and state.players[player].status == "registered":
            self.obey(live, CheckIn(player), now, actor_of(mark))
        self._greet(live, mark, player, now)

    def _enter_anew(self, live: Live, mark: str, name: str, now: int) -> None:
        answer = self.obey(live, Enter(name), now, actor_of(mark))
        if answer.ok:
            live.people.bind(mark, _player_called(live.desk.state, name))
        else:
            self._refuse(live, mark, answer.lines[0], now)

    def withdraw(self, mark: str, tid: str, now: int) -> None:
        """He leaves for good."""
        live = self.lives.get(tid)
        player = 0 if live is None else live.people.player_of(mark, live.desk.state)
        if live is None or not player:
            self.tell(mark, wire.Mine(tid, "", "", 0, "", text="you are not in this tournament"))
            return
        answer = self.obey(live, Leave(player), now, actor_of(mark))
        if not answer.ok:
            self._refuse(live, mark, answer.lines[0], now)
        elif not answer.seq:
            self._greet(live, mark, player, now)

    def saw(self, mark: str, tid: str, number: int, now: int) -> None:
        """His screen shows the call to this match."""
        live = self.lives.get(tid)
        if live is None:
            return
        player = live.people.player_of(mark, live.desk.state)
        match = live.desk.state.matches.get(number)
        if player and match is not None and match.status == "called" and player in match.players:
            self.obey(live, Acknowledge(player), now)

    def sat(self, mark: str, now: int) -> None:
        """He is ready at his table."""
        for live, player in self.entries_of(mark):
            match = playing_match(live.desk.state, player)
            if match is not None and match.status == "called":
                self.obey(live, Sit(player), now)

    def deal_ended(self, tid: str, match: int, winner: int, points: int, now: int) -> None:
        """A deal of a match was won; `winner` is a player's number."""
        self.obey(self.lives[tid], ReportDeal(match, winner, points), now)

    # --- time, the log, the worker ------------------------------------------------------------------------------------

    def advance(self, now: int) -> None:
        """Do what is due."""
        if self.due_ns is None or now < self.due_ns:
            return
        for live in list(self.lives.values()):
            if live.due is not None and live.due <= self.at(now):
                live.due = None
                live.desk.elsewhere = self.elsewhere(live)
                live.desk.advance(self.at(now))
                self.settle(live, now)

    def written(self, durable: Callable[[str], int], now: int) -> None:
        """The log has grown on disk: `durable` tells the last entry of each tournament there."""
        for live in self.lives.values():
            seq = durable(live.tid)
            if seq > live.seq:
                self._announce(live, seq, now)
        self.director.keep_promises()

    def plan(self, tid: str, found: PlanRound, now: int) -> None:
        """A round was paired: see `tasks`. If people have come or gone since, another task is there."""
        live = self.lives[tid]
        live.desk.plan(found, self.at(now))
        self.settle(live, now)

    def halt(self, now: int) -> None:
        """The server is about to stop."""
        for live in self.lives.values():
            if live.desk.state.name and not live.over:
                self.obey(live, Halt(), now)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _announce(self, live: Live, seq: int, now: int) -> None:
        moves, entries, lines = live.written(seq)
        self.moves += moves
        self.heard += lines
        self.boards_changed.add(live.tid)
        self.lines_changed = True
        for move in moves:
            if isinstance(move.change, Call):
                self._call(live, move, now)
        for mark, player in live.people:
            self._greet(live, mark, player, now, only_if_changed=True)
        if any(isinstance(entry.event, _ROUND_ENDS) for entry in entries):
            self.backups.append(f"{live.tid}-{seq}.db")

    def _call(self, live: Live, move: Move, now: int) -> None:
        match = move.state.matches[move.change.match]
        for player in match.known:
            mark = live.people.mark_of(player)
            if mark in self.here:
                self.tell(mark, called(move.state, match, player, self.at(now)))

    def _greet(self, live: Live, mark: str, player: int, now: int, *, only_if_changed: bool = False) -> None:
        """Tell a player how he stands, and his call."""
        state = live.public
        if mark not in self.here or player not in state.players:
            return
        match = next_match(state, player)
        anew = match is not None and match.number in live.dealt_anew
        removed = state.players[player].status == "removed"
        message = mine(state, 0 if removed else player, self.at(now), dealt_anew=anew)
        if only_if_changed and live.told.get(mark) == message:
            return
        live.told[mark] = message
        self.tell(mark, message)
        if not only_if_changed and match is not None and match.status == "called":
            self.tell(mark, called(state, match, player, self.at(now)))

    def _refuse(self, live: Live, mark: str, text: str, now: int) -> None:
        player = live.people.player_of(mark, live.public)
        live.told.pop(mark, None)
        self.tell(mark, mine(live.public, player, self.at(now), said=text))


def _player_called(state: Tournament, name: str) -> int:
    folded = name.casefold()
    return next((p.number for p in state.players.values() if p.name.casefold() == folded and p.status != "removed"), 0)
