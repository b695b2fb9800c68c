"""The tables of one server: who sits where by which rules, where a seat is free, and its tournaments. Pure."""

from __future__ import annotations

from typing import Final

from speed_client.evening import PHASES
from speed_client.laying import LayingPage
from speed_client.pages import DOWN, ENTER, HELP, INTERRUPT, LEAVE, UP, Back, Choice, Quit, Seat, TakePart, Watch, step
from speed_client.painters.canvas import Canvas
from speed_client.painters.lists import Cells, Column, ListModel, paint_list
from speed_client.painters.panel import GAP, PanelLine, middle, pair
from speed_client.printable import printable
from speed_client.style import Look
from speed_common.wire import ANY_TABLE, COUNTDOWN, OVER, PLAYING, WAITING, TableLine, TournamentLine

_PHASES: Final = {WAITING: "waiting", COUNTDOWN: "starting", PLAYING: "playing", OVER: "result"}
_COLUMNS: Final = (
    Column("table", 8),
    Column("players"),
    Column("seats", 7),
    Column("now", 9, least=60),
    Column("rules", 22, least=80),
)
_ANY: Final = Cells(("any", "who waits", "", "", ""))
_KEYS: Final = (
    ("arrows", "choose"),
    ("Enter", "sit"),
    ("n", "new table"),
    ("w", "watch"),
    ("?", "help"),
    ("Esc", "back"),
)
_HELP: Final[tuple[PanelLine, ...]] = (
    middle("TABLES", "panel-head"),
    GAP,
    pair("arrows j k", "choose a table"),
    pair("Enter", "sit down there; enter a tournament (T)"),
    pair("n", "lay a new table: rules, computers"),
    pair("w", "watch it; on the first line: all"),
    pair("Ctrl-L", "redraw"),
    pair("Esc", "back to the servers"),
    GAP,
    middle("any: where somebody waits, else a new table", "panel-hint"),
)


class LobbyPage:
    """The list, and the form for a new table while that is open. `show` gives it what the server says."""

    def __init__(self, name: str, notice: str = "") -> None:
        self.name = printable(name, 40)
        self.notice = notice
        self.tables: tuple[TableLine, ...] = ()
        self.tournaments: tuple[TournamentLine, ...] = ()
        self.linked = False
        self.closed = False
        """Whether the server did not let us in: there is no lobby then."""
        self._chosen = ANY_TABLE
        self._help = False
        self._laying: LayingPage | None = None

    def show(
        self, tables: tuple[TableLine, ...], tournaments: tuple[TournamentLine, ...] = (), *, linked: bool
    ) -> None:
        """The server's lists of tables and of tournaments, and whether the link to it stands."""
        self.tournaments = tournaments
        self.tables, self.linked = tuple(sorted(tables, key=lambda line: line.number)), linked

    def press(self, key: str, now: int) -> Choice | None:
        """A key; see `_HELP`."""
        if self._laying is not None:
            choice = self._laying.press(key, now)
            if isinstance(choice, Back):
                self._laying = None
                return None
            return choice
        self.notice = ""
        if self._help:
            self._help = False
            return None
        if key in INTERRUPT:
            return Quit()
        if key in LEAVE:
            return Back()
        if key in HELP:
            self._help = True
        elif key in UP | DOWN:
            numbers = self._numbers()
            self._chosen = numbers[max(0, min(len(numbers) - 1, self._place() + step(key)))]
        elif key == "n":
            self._laying = LayingPage()
        elif key == "w":
            return Watch(max(ANY_TABLE, self._chosen_number()))
        elif key in ENTER:
            return self._sit()
        return None

    def due(self, _now: int) -> Choice | None:
        """Leave a lobby that let nobody in; nothing else here waits for time."""
        return Back() if self.closed else None

    def next_due(self) -> int | None:
        """At once where `closed`, else never."""
        return 0 if self.closed else None

    def paint(self, width: int, height: int, look: Look) -> Canvas:
        """The picture now."""
        return (
            self._laying.paint(width, height, look) if self._laying else paint_list(self.model(), width, height, look)
        )

    def model(self) -> ListModel:
        """What is shown now."""
        line = next((line for line in self.tables if line.number == self._chosen_number()), None)
        about = printable(line.rules) if line is not None else "a seat where somebody waits, else a new table"
        tournament = self._tournament()
        if tournament is not None:
            about = f"Enter takes part in it, or comes back; w watches: speed-client HOST --tournament {tournament.tid}"
        count = len(self.tables)
        return ListModel(
            f"SPEED · {self.name}",
            _COLUMNS,
            (_ANY, *map(_tournament_cells, self.tournaments), *map(_cells, self.tables)),
            self._place(),
            f"{count} table{'' if count == 1 else 's'}" if self.linked else "NO LINK",
            "hint" if self.linked else "alarm",
            about=self.notice or about,
            about_style="late" if self.notice else "hint",
            keys=_KEYS,
            panel=_HELP if self._help else (),
        )

    def _numbers(self) -> list[int]:
        """What can be chosen: a table by its number, the nth tournament as -n."""
        tournaments = (-1 - place for place in range(len(self.tournaments)))
        return [ANY_TABLE, *tournaments, *(line.number for line in self.tables)]

    def _place(self) -> int:
        numbers = self._numbers()
        return numbers.index(self._chosen) if self._chosen in numbers else 0

    def _chosen_number(self) -> int:
        return self._numbers()[self._place()]

    def _tournament(self) -> TournamentLine | None:
        number = self._chosen_number()
        return self.tournaments[-1 - number] if number < 0 else None

    def _sit(self) -> Choice | None:
        number = self._chosen_number()
        tournament = self._tournament()
        if tournament is not None:
            return TakePart(tournament.tid)
        line = next((line for line in self.tables if line.number == number), None)
        if line is not None and all(line.names):
            self.notice = f"every seat of table {number} is taken: w watches it, n lays a new one"
            return None
        return Seat(number)


def _tournament_cells(line: TournamentLine) -> Cells:
    return Cells(("T", printable(line.name, 40), f"{line.players} in", PHASES.get(line.phase, ""), "tournament"))


def _cells(line: TableLine) -> Cells:
    free = sum(not name for name in line.names)
    return Cells(
        (
            str(line.number),
            ", ".join(printable(name, 16) for name in line.names if name),
            f"{free} free" if free else "full",
            _PHASES.get(line.phase, ""),
            printable(line.rules),
        ),
        dim=not free,
    )
