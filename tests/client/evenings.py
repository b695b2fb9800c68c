"""Tournaments for tests: rehearsed evenings as the boards and pages that everybody sees."""

from __future__ import annotations

from speed_client.evening import Evening
from speed_common.wire import Board, BoardPage
from speed_server.rehearse import Rehearsal
from speed_server.tournament.boards import board, pages

NAMES = (
    *("anna", "bob", "cho", "dev", "eva", "finn", "gus", "hana", "ivo", "jun", "kim", "lea", "max", "nia", "omar"),
    *("pia", "quin", "rosa", "sam", "tess", "uwe", "vera", "wim", "xenia", "yara", "zoe"),
)


def name_of(number: int) -> str:
    return NAMES[number - 1] if number <= len(NAMES) else f"player{number}"


class Named(Rehearsal):
    """An evening of people who have names."""

    def __init__(self, format_: str, players: int) -> None:
        super().__init__()
        names = " ".join(name_of(n) for n in range(1, players + 1))
        self.do('new "Friday Cup"', f"set format {format_}", "set rest 0", f"add {names}")

    def do(self, *lines: str) -> Named:
        for line in lines:
            self.run(line)
        return self


def told(evening: Named, seq: int = 9) -> list[Board | BoardPage]:
    """What everybody is told of it now."""
    state = evening.desk.state
    return [board(state, seq, evening.now), *pages(state, seq)]


def shown(evening: Named, followed: str = "") -> Evening:
    """What a client knows of it, and whom it follows."""
    messages = told(evening)
    found = Evening(messages[0].tid)
    for message in messages:
        found.take(message)
    found.followed = found.number_of(followed)
    return found


def evening(format_: str, players: int, *lines: str, followed: str = "anna") -> Evening:
    return shown(Named(format_, players).do("draw", "start", *lines), followed)
