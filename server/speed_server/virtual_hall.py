"""A hall on virtual time: a desk, and players who sit down at once when called, unless they are told not to."""

from __future__ import annotations

from typing import Final

from speed_server.tournament.config import SECOND
from speed_server.tournament.desk import Answer, Desk
from speed_server.tournament.judging import Refused, playing_match
from speed_server.tournament.model import EMPTY, Match
from speed_server.tournament.narrate import JsonLine, narrate
from speed_server.tournament.play import Acknowledge, ReportDeal, Sit

BASE: Final = 946_684_800 * SECOND
"""When rehearsals begin, the first instant of the year 2000: 0 would mean "no time" in the model."""
_LOSERS_SHARE: Final = 5
_MOST_STEPS: Final = 100_000


class RehearsalError(Exception):
    """A line that cannot be obeyed; the text names what is in the way and the remedy."""


class VirtualHall:
    """`absent` do not answer calls, `lost` have no connection. `lines` are what happened since they were last taken."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.now = BASE
        self.lines: list[JsonLine] = []
        self.absent: set[int] = set()
        self.lost: set[int] = set()
        self._told = self.desk.state

    def obey(self, line: str) -> None:
        """A director's command. Raises RehearsalError."""
        answer = self.desk.execute(line, "director", self.now)
        if not answer.ok:
            raise RehearsalError(answer.lines[0])
        if not answer.seq:
            self.lines.append({"type": "answer", "at_s": (self.now - BASE) // SECOND, "lines": list(answer.lines)})
        self.follow()

    def wait_for(self, match: Match) -> None:
        """Let the rest of its players pass, if that is all that keeps a match from being played."""
        until = self.now + self.desk.state.config.rest
        while self.desk.state.matches[match.number].status == "ready":
            due = self.desk.next_due(self.now)
            if due is None or due > until:
                break
            self.advance_to(due)
        now = self.desk.state.matches[match.number]
        if now.status != "playing":
            remedy = "`after DURATION` lets time pass, `why` tells what keeps it back"
            raise Refused(f"{self.desk.state.title(now)} is {now.status}, not playing", remedy)

    def report(self, number: int, winner: int, score: str = "") -> None:
        """A match of the hall ends; `score` is the higher number first. Raises Refused."""
        state = self.desk.state
        match = state.matches[number]
        needed = state.config.wins_needed
        best = needed
        other = needed - needed // _LOSERS_SHARE if state.config.measure == "points" else 0
        if score:
            best, other = sorted(map(int, score.split(":")), reverse=True)
        if best < needed or other >= needed:
            raise Refused(f"{score} does not end a match to {needed}", f"write a score as {needed}:0, or use `deal`")
        side = match.side_of(winner)
        loser = match.known[1 - side]
        self._deals(number, loser, max(0, other - match.score[1 - side]))
        self._deals(number, winner, best - match.score[side])
        self.follow()

    def _deals(self, number: int, winner: int, points: int) -> None:
        per_deal = points if self.desk.state.config.measure == "points" else 1
        while points > 0:
            self.must(self.desk.handle(ReportDeal(number, winner, per_deal), self.now))
            points -= per_deal

    def play_round(self) -> bool:
        """Play what can be played now, the better seed winning; whether there is more."""
        wanted = self._playable()
        while not wanted and self.desk.state.phase == "running":
            due = self.desk.next_due(self.now)
            if due is None:
                return False
            self.advance_to(due)
            wanted = self._playable()
        for _ in range(_MOST_STEPS):
            wanted = {n for n in wanted if self._open(n)}
            if not wanted or self.desk.state.phase != "running":
                return bool(self.desk.state.phase == "running")
            if not self._one_step(wanted):
                return False
        return False

    def _open(self, number: int) -> bool:
        match = self.desk.state.matches.get(number)
        return match is not None and match.result is None

    def _playable(self) -> set[int]:
        """The matches that make up a round now: the next one of a schedule, else all whose players are known."""
        state = self.desk.state
        found = {n: match for n, match in state.matches.items() if match.result is None and all(match.players)}
        first = min((match.spec.round for match in found.values()), default=0)
        scheduled = bool(state.stages) and state.stages[-1].kind in {"roundrobin", "groups"}
        return {n for n, match in found.items() if not scheduled or match.spec.round == first}

    def _one_step(self, wanted: set[int]) -> bool:
        """Finish the match that ends first, or let time pass until something happens."""
        state = self.desk.state
        running = [m for m in state.matches.values() if m.status == "playing"]
        playing = [m for m in running if m.number in wanted] or running
        ends = {m.number: max(self.now, m.started_at + state.config.length) for m in playing}
        first = min(ends, key=lambda number: (ends[number], state.matches[number].table), default=0)
        due = self.desk.next_due(self.now)
        if due is not None and (not first or due < ends[first]):
            self.advance_to(due)
            return True
        if not first:
            return False
        self.advance_to(ends[first])
        match = self.desk.state.matches[first]
        if match.status == "playing":
            self.report(first, min(match.known, key=self.desk.state.seed_of))
        return True

    def must(self, answer: Answer) -> None:
        """Raise RehearsalError for a refusal."""
        if not answer.ok:
            raise RehearsalError(answer.lines[0])

    def advance_to(self, time: int) -> None:
        """Let time pass, and do what is due then."""
        self.now = max(self.now, time)
        self.desk.advance(self.now)
        self.follow()

    def follow(self) -> None:
        """Let players answer and rounds be paired until all is quiet, and tell what happened."""
        busy = True
        while busy:
            before = len(self.desk.log)
            self.desk.pair_here(self.now)
            for match in list(self.desk.state.matches.values()):
                if match.status == "called":
                    self._answer_call(match)
            busy = len(self.desk.log) > before
        for entry in self.desk.take():
            event = entry.event
            self._told, lines = narrate(self._told, event, BASE)
            self.lines += lines
        self.desk.durable(len(self.desk.log))

    def _answer_call(self, match: Match) -> None:
        for player in match.known:
            if player != EMPTY and player not in self.lost and self._still_called(player):
                self.desk.handle(Acknowledge(player), self.now)
                if player not in self.absent:
                    self.desk.handle(Sit(player), self.now)

    def _still_called(self, player: int) -> bool:
        match = playing_match(self.desk.state, player)
        return match is not None and match.status == "called"
