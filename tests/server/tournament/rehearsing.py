"""Words for the tests of tournaments: rehearse an evening, then ask what happened."""

from __future__ import annotations

from speed_server.rehearse import Rehearsal
from speed_server.tournament.config import MINUTE, SECOND
from speed_server.tournament.model import Match
from speed_server.tournament.narrate import JsonLine
from speed_server.virtual_hall import BASE

__all__ = ["BASE", "MINUTE", "SECOND", "Evening"]


class Evening(Rehearsal):
    """An evening with players named by their seeds. All lines that it printed are in `said`."""

    def __init__(self, format_: str, players: int, *settings: str, start: bool = True) -> None:
        super().__init__()
        self.said: list[JsonLine] = []
        names = " ".join(str(n) for n in range(1, players + 1))
        self.do("new Evening", f"set format {format_}", "set rest 0", *(f"set {setting}" for setting in settings))
        self.do(f"add {names}", "draw", *(["start"] if start else []))

    def do(self, *lines: str) -> Evening:
        for line in lines:
            self.said += self.run(line)
        return self

    @property
    def clock(self) -> int:
        """Nanoseconds since the evening began."""
        return self.now - BASE

    def of(self, type_: str) -> list[JsonLine]:
        """The lines of one type."""
        return [line for line in self.said if line["type"] == type_]

    def pairs(self, side: str, round_: int) -> list[str]:
        """The pairs of a bracket's round in their places, `8-9`; a bye as `1-`."""
        matches = [m for m in self.matches() if m.spec.side == side and m.spec.round == round_]
        state = self.desk.state
        return ["-".join("" if not p else state.name_of(p) for p in m.players) for m in matches if any(m.players)]

    def real(self, side: str, round_: int) -> str:
        """The pairs without the byes, in one line."""
        return " ".join(pair for pair in self.pairs(side, round_) if not (pair.startswith("-") or pair.endswith("-")))

    def round(self, number: int) -> str:
        """A Swiss round, each pair with the better seed first, as `1-7 2-8 bye 13`."""
        line = [line for line in self.of("round") if line["round"] == number][-1]
        pairs = ["-".join(sorted(pair.split("-"), key=int)) for pair in line["pairs"]]
        pairs.sort(key=lambda pair: int(pair.split("-")[0]))
        return " ".join([*pairs, *([f"bye {line['bye']}"] if line["bye"] else [])])

    def matches(self) -> list[Match]:
        return sorted(self.desk.state.matches.values(), key=lambda match: match.number)

    def match(self, pair: str) -> Match:
        """The last match of two players."""
        wanted = set(pair.split("-"))
        state = self.desk.state
        return [m for m in self.matches() if {state.name_of(p) for p in m.players if p} == wanted][-1]

    def table(self, group: str = "") -> list[JsonLine]:
        """The rows of the last standings that were printed."""
        tables = self.of("standings")[-1]["tables"]
        rows: list[JsonLine] = next(table["lines"] for table in tables if table["group"] == group)
        return rows

    def places(self) -> dict[str, str]:
        """Who holds each place: `{"1": "1", "3-4": "3 4"}`, the names by seed."""
        found: dict[str, list[str]] = {}
        for row in self.table():
            found.setdefault(row["place"], []).append(row["player"] or "vacant")
        return {place: " ".join(sorted(names)) for place, names in found.items()}

    def points(self) -> dict[str, int]:
        return {row["player"]: row["points"] for row in self.table()}

    def played(self) -> int:
        """How many matches were played or decided by walk-over."""
        return sum(match.result is not None and match.result.kind in {"played", "walkover"} for match in self.matches())

    def calls(self) -> list[tuple[int, str, int]]:
        """All calls: minute, pair, table."""
        return [(line["at_s"] // 60, f"{line['a']}-{line['b']}", line["table"]) for line in self.of("call")]
