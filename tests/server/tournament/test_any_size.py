"""Any number of players, every format, with people who leave, come late and do not answer, and a director who errs."""

from __future__ import annotations

import re
from random import Random

import pytest

from speed_server.tournament.archive import state_hash
from speed_server.tournament.config import FORMATS, SECOND
from speed_server.tournament.desk import Answer, Desk
from speed_server.tournament.fold import fold
from speed_server.tournament.model import EMPTY, IN_PLAY, LIVE
from speed_server.tournament.orders import WORDS
from speed_server.tournament.play import Acknowledge, Lose, ReportDeal, Return, Sit
from speed_server.tournament.queue import free_tables, next_call
from speed_server.tournament.standings import members_of
from speed_server.tournament.tally import stage_tally

START = 1_000 * SECOND
MOST_STEPS = 60_000


class Chaos:
    """One evening with a seed. `troubles` is how many things go wrong before people only play."""

    def __init__(self, format_: str, players: int, seed: int, troubles: int) -> None:
        self.dice = Random(f"{format_} {players} {seed}")
        self.desk = Desk()
        self.now = START
        self.troubles = troubles
        self.late = 0
        tables = self.dice.randint(1, max(1, players // 2))
        for line in (
            "new Chaos",
            f"set format {format_}",
            f"set tables {tables}",
            "set rest 5",
            "set duration 25m",
            f"set third {self.dice.choice(('on', 'off'))}",
            f"set groups {max(2, players // 5) if players > 5 else 0}",
            "add " + " ".join(f"p{n}" for n in range(1, players + 1)),
            "seed random lot",
        ):
            self.order(line)
        self.order("draw")
        if self.desk.state.phase != "drawn":
            self.order("set format roundrobin")
            self.order("draw")
        if self.dice.random() < 0.3:
            self.desk.pair_here(self.now)
            self.trouble()

    def order(self, line: str) -> Answer:
        answer = self.desk.execute(line, "director", self.now)
        if not answer.ok:
            assert answer.refusal is not None
            assert re.search(r"`[^`]+`|nothing is to be done", answer.refusal.remedy), answer.refusal
            words = re.findall(r"`([a-z][a-z-]*)", answer.refusal.remedy)
            assert all(word in WORDS for word in words), answer.refusal
        return answer

    def run(self) -> None:
        for _ in range(MOST_STEPS):
            if self.desk.state.phase in {"finished", "cancelled"}:
                break
            self.step()
        assert self.desk.state.phase == "finished"
        self.check_end()

    def step(self) -> None:
        if self.desk.state.phase == "registration":
            self.order("draw")
        if self.desk.state.phase == "drawn":
            self.order("start")
        self.desk.pair_here(self.now)
        for match in [m for m in self.desk.state.matches.values() if m.status == "called"]:
            for player in match.known:
                self.desk.handle(Acknowledge(player), self.now)
                if self.troubles <= 0 or self.dice.random() < 0.9:
                    self.desk.handle(Sit(player), self.now)
        if self.troubles > 0 and self.dice.random() < 0.25 and self.desk.state.phase in {"running", "paused"}:
            self.troubles -= 1
            self.trouble()
        if self.troubles > 0 and self.dice.random() < 0.02:
            self.crash()
        self.check()
        running = [m for m in self.desk.state.matches.values() if m.status in IN_PLAY]
        if running and self.desk.state.phase == "running":
            self.finish_one()
        else:
            self.wait()

    def crash(self) -> None:
        """The server dies and comes back from its log."""
        before = state_hash(self.desk.state)
        log = self.desk.log
        self.desk = Desk()
        self.desk.load(log)
        assert state_hash(self.desk.state) == before
        self.now += 600 * SECOND
        self.desk.boot(self.now)
        for player in self.desk.state.players:
            self.desk.handle(Return(player), self.now)

    def finish_one(self) -> None:
        running = [m for m in self.desk.state.matches.values() if m.status in IN_PLAY]
        match = self.dice.choice(running)
        for player in match.known:
            self.desk.handle(Return(player), self.now)
        self.now += self.dice.randint(1, 60) * SECOND
        self.desk.advance(self.now)
        winner = self.dice.choice(match.known)
        self.desk.handle(ReportDeal(match.number, winner, 25), self.now)

    def wait(self) -> None:
        due = self.desk.next_due(self.now)
        if self.desk.state.phase == "paused":
            self.order("resume")
        elif due is None or self.dice.random() < 0.1:
            self.help()
        if due is not None:
            self.now = max(self.now, due)
        self.desk.advance(self.now)

    def help(self) -> None:
        """What a director does when nothing moves: he reads `why` and obeys it."""
        for player in list(self.desk.state.players.values()):
            if player.status == "resting":
                self.order(f"activate {player.name}")
        for match in list(self.desk.state.matches.values()):
            if match.held:
                self.order(f"hold {match.name} off")
        rounds = self.desk.state.rounds
        if rounds and not rounds[-1].published:
            self.order("repair")
        if not any(table.open for table in self.desk.state.tables.values()):
            self.order("open 1")
        self.order("next")

    def trouble(self) -> None:
        state, dice = self.desk.state, self.dice
        players = [p.name for p in state.players.values() if p.status in {"active", "resting"}] or ["p1"]
        matches = list(state.matches) or [1]
        match, player = f"M{dice.choice(matches)}", dice.choice(players)
        score = dice.choice(("25:3", "11:25"))
        self.late += 1
        known = state.matches.get(int(match[1:]))
        winner = state.name_of(dice.choice(known.known)) if known and EMPTY not in known.known else player
        line = dice.choice(
            (
                f"withdraw {player}",
                f"dq {player}",
                f"late late{self.late}",
                f"correct {match} {score}",
                f"correct {match} {score} --cascade",
                f"result {match} {score}",
                f"replay {match}",
                f"replay {match} --cascade",
                f"void {match}",
                f"walkover {match} {winner}",
                f"both-absent {match}",
                f"rest {player}",
                f"activate {player}",
                f"hold {match}",
                f"pin {match}",
                f"recall {match}",
                "close 1",
                "open 1 2",
                "pause",
                "resume",
                "unpublish",
                "repair",
                "next",
                f"fix {player}-{dice.choice(players)}",
                f"forbid {player}-{dice.choice(players)}",
                f"bye {player}",
                "undo",
                "undo",
                "undo --dry-run",
                f"withdraw {player} --dry-run",
                f"lose {player}",
            )
        )
        if line.startswith("lose"):
            number = next(n for n, p in state.players.items() if p.name == player)
            self.desk.handle(Lose(number, dice.randint(0, 20)), self.now)
        else:
            self.order(line)

    def check(self) -> None:
        state = self.desk.state
        live = [match for match in state.matches.values() if match.status in LIVE]
        people = [player for match in live for player in match.known]
        assert len(people) == len(set(people))
        assert len({match.table for match in live}) == len(live)
        assert EMPTY not in people
        if state.phase == "running" and free_tables(state):
            assert next_call(state, self.now) is None

    def check_end(self) -> None:
        state = self.desk.state
        assert all(match.result is not None and match.status == "finished" for match in state.matches.values())
        assert state_hash(fold(entry.event for entry in self.desk.log)) == state_hash(state)
        for stage in range(len(state.stages)):
            games = stage_tally(state, stage, members_of(state, stage))
            wins = sum(game.won for own in games.values() for game in own)
            decided = [m for m in state.matches.values() if m.stage == stage and m.decided and m.spec.side != "playoff"]
            assert wins == len(decided)


@pytest.mark.parametrize("format_", FORMATS)
def test_every_size_comes_to_an_end_whatever_happens(format_: str) -> None:
    for players in range(2, 65):
        if format_ == "roundrobin" and players > 14 and players not in {21, 32}:
            continue  # a round robin of 64 has 2,016 matches, and nothing that one of 32 has not
        Chaos(format_, players, 1, troubles=min(12, players // 2 + 3)).run()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("format_", FORMATS)
def test_small_evenings_survive_many_troubles(format_: str, seed: int) -> None:
    for players in range(2, 10):
        Chaos(format_, players, seed, troubles=15).run()
