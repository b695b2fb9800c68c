"""The office: what only time brought up is seen to as well as what somebody asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from speed_server.bell import Bell
from speed_server.evening.evening import Evening
from speed_server.evening.line import CONSOLE, Line
from speed_server.journal import Journal
from speed_server.office import Office
from speed_server.settings import SECOND

PATIENCE_S = 10.0
NOW = 5 * SECOND
WALL_NS = 1_700_000_000 * SECOND


class Desk:
    """A server's loop with nothing but tournaments: it attends when the office wants it, on a clock of its own."""

    def __init__(self, data: Path) -> None:
        self.now = NOW
        self.rung = threading.Event()
        self.bell = Bell()
        self.bell.wake = self.rung.set
        self.evening = Evening((), WALL_NS, NOW)
        self.journal = Journal(data / "tournaments.db", self.bell.ring)
        self.troubles: list[str] = []
        self.office = Office(data, self.journal, self.bell, self.evening, self.troubles.append)

    def order(self, *lines: str) -> None:
        for line in lines:
            self.evening.director.direct(Line(CONSOLE, line), self.now)
            self.turn()

    def turn(self) -> None:
        """One turn of the loop."""
        self.evening.advance(self.now)
        if self.office.wanted:
            self.office.attend(self.now)

    def until_rung(self) -> None:
        """Sleep until a thread has left something, and take it in."""
        assert self.rung.wait(PATIENCE_S), "nobody rang"
        self.rung.clear()
        self.turn()

    def until_round(self, number: int) -> None:
        """Sleep, as the loop does, until so many rounds are paired."""
        live = self.evening.lives["club"]
        while max((m.spec.round for m in live.desk.state.matches.values()), default=0) < number:
            self.until_rung()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.office.close(desk.now)


def swiss(desk: Desk) -> None:
    desk.order(
        "new Club", "set format swiss", "set rounds 2", "set cooling 30s", "set rest 0s", "add anna bob carl dora"
    )
    desk.order("seed by anna bob carl dora", "draw", "start")


def test_the_next_round_is_paired_when_its_time_has_come_though_nobody_says_anything(desk: Desk) -> None:
    swiss(desk)
    desk.until_round(1)
    desk.order("result M1 25:3", "result M2 25:4")
    desk.now += 40 * SECOND
    desk.turn()
    desk.until_round(2)
    assert not desk.troubles


def test_a_pairing_that_is_under_way_is_not_begun_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()
    begun = []

    def slow(task: object) -> object:
        begun.append(task)
        may_end.wait(PATIENCE_S)
        raise OSError("the test has seen enough")

    monkeypatch.setattr("speed_server.office.pair_apart", slow)
    swiss(desk)
    for _ in range(5):
        desk.turn()
    may_end.set()
    assert len(begun) <= 1
    assert not desk.office.wanted or desk.bell.rang
