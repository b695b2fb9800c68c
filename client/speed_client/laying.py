"""The form for a new table: a preset, every rule, and computers for the other seats. Pure.

A line that was not touched follows from the others, as the options of a command line do: so three players bring two
decks and four piles. What does not go together is not hidden but said, in the rules' own words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from speed_client.pages import DOWN, ENTER, HELP, INTERRUPT, LEAVE, UP, Back, Choice, Quit, Seat, step
from speed_client.painters.canvas import Canvas
from speed_client.painters.lists import Cells, Column, ListModel, paint_list
from speed_client.painters.panel import GAP, PanelLine, middle, pair
from speed_client.style import Look
from speed_common.presets import PRESETS, RulesError, make_rules
from speed_common.rule_words import WORDS, RuleWord, describe
from speed_common.rules import SECOND_US, Rules
from speed_common.wire import NEW_TABLE

LEVELS: Final = 10
MOST_COMPUTERS: Final = 3

PRESET_HELP: Final = {
    "us": "the common game: 5 in hand, 15 to draw",
    "pagat": "shorter: 10 to draw, side piles of ten",
    "web": "as the web game deals it, the same as us",
    "wild": "the common game with two jokers",
    "four": "four players, two decks, four piles",
}
_COUNTS: Final[dict[str, tuple[int, ...]]] = {
    "players": (2, 3, 4),
    "decks": (1, 2),
    "jokers": (0, 1, 2, 4),
    "hand": tuple(range(1, 11)),
    "draw": tuple(range(31)),
    "piles": (2, 3, 4),
    "side": tuple(range(1, 31)),
    "out": (0, 1, 2, 3),
    "match-target": (0, 5, 10, 15, 25, 50, 75, 100, 125, 200),
    "best-of": (0, 1, 3, 5, 7, 9, 11),
}
_TENTHS: Final[dict[str, tuple[int, ...]]] = {
    "call-window": (5, 10, 15, 20, 30, 50),
    "flip-delay": (0, 5, 10, 15, 20, 30, 50),
    "gap": (0, 1, 2, 3, 5, 10),
    "beaten-window": (0, 5, 7, 10, 20),
    "idle-autoplay": (0, 100, 200, 300, 600),
}
_COLUMNS: Final = (Column("rule", 14), Column("value", 9), Column("what it is"))
_KEYS: Final = (
    ("arrows", "choose, change"),
    ("Backspace", "undo"),
    ("Enter", "lay it"),
    ("?", "help"),
    ("Esc", "back"),
)
_HELP: Final[tuple[PanelLine, ...]] = (
    middle("A NEW TABLE", "panel-head"),
    GAP,
    pair("up down", "choose a line"),
    pair("left right", "change it"),
    pair("Backspace", "take it back: as the preset has it"),
    pair("Enter", "lay the table and sit down"),
    pair("Esc", "back to the tables"),
    GAP,
    middle("What was not changed follows from the rest.", "panel-hint"),
)

_Value = int | bool | str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the form: its word, the values it goes through, and what it is about. `field` is that of `Rules`."""

    word: str
    values: tuple[_Value, ...]
    help: str
    field: str = ""


def _line(word: RuleWord) -> Line:
    values: tuple[_Value, ...]
    if word.kind == "flag":
        values = (True, False)
    elif word.kind == "choice":
        values = word.choices
    elif word.kind == "count":
        values = _COUNTS[word.word]
    else:
        values = tuple(tenths * (SECOND_US // 10) for tenths in _TENTHS[word.word])
    return Line(word.word, values, f"seconds {word.help}" if word.kind == "seconds" else word.help, word.field)


_PRESET: Final = Line("rules", tuple(PRESETS), "")
_SEATS: Final = tuple(
    Line(f"seat {seat + 2}", tuple(range(LEVELS + 1)), "a person, or a computer of speed 1 to 10")
    for seat in range(MOST_COMPUTERS)
)
_RULES: Final = tuple(map(_line, WORDS))


class LayingPage:
    """The form; `rules` is what it says now, None where that cannot be (then `complaint` says why)."""

    def __init__(self) -> None:
        self.preset = "us"
        self.changes: dict[str, _Value] = {}
        self.computers = [0] * MOST_COMPUTERS
        self.rules: Rules | None = None
        self.complaint = ""
        self._chosen = _PRESET.word
        self._help = False
        self._settle()

    def press(self, key: str, _now: int) -> Choice | None:
        """A key; see `_HELP`."""
        if self._help:
            self._help = False
        elif key in INTERRUPT:
            return Quit()
        elif key == "escape":
            return Back()
        elif key in HELP:
            self._help = True
        elif key in UP | DOWN:
            lines = self._lines()
            self._chosen = lines[max(0, min(len(lines) - 1, self._place() + step(key)))].word
        elif key in {"left", "right", "h", "l", " "}:
            self._change(self._lines()[self._place()], -1 if key in {"left", "h"} else 1)
        elif key in LEAVE:
            self._take_back(self._lines()[self._place()])
        elif key in ENTER and self.rules is not None:
            return Seat(NEW_TABLE, self._levels(), self.rules)
        return None

    def due(self, _now: int) -> Choice | None:
        """Nothing here waits for time."""
        return None

    def next_due(self) -> int | None:
        """Never."""
        return None

    def paint(self, width: int, height: int, look: Look) -> Canvas:
        """The picture now."""
        return paint_list(self.model(), width, height, look)

    def model(self) -> ListModel:
        """What is shown now."""
        lines = self._lines()
        right = "" if self.rules is None else describe(self.rules)
        return ListModel(
            "NEW TABLE",
            _COLUMNS,
            tuple(
                Cells((line.word, self._shown(line), self._help_of(line)), not self._touched(line)) for line in lines
            ),
            self._place(),
            right,
            about=self.complaint or self._summary(),
            about_style="late" if self.complaint else "good",
            keys=_KEYS,
            panel=_HELP if self._help else (),
        )

    # --- inside -----------------------------------------------------------------------------------------------------

    def _lines(self) -> tuple[Line, ...]:
        return (_PRESET, *_SEATS[: self._players - 1], *_RULES)

    def _place(self) -> int:
        return next((place for place, line in enumerate(self._lines()) if line.word == self._chosen), 0)

    @property
    def _players(self) -> int:
        given = self.changes.get("players", PRESETS[self.preset].changes.get("players", 2))
        return given if isinstance(given, int) else 2

    def _levels(self) -> tuple[int, ...]:
        return tuple(level for level in self.computers[: self._players - 1] if level)

    def _value(self, line: Line) -> _Value:
        if line is _PRESET:
            return self.preset
        if line in _SEATS:
            return self.computers[_SEATS.index(line)]
        if line.field in self.changes:
            return self.changes[line.field]
        found: Any = getattr(self.rules or _of_preset(self.preset), line.field)
        value: _Value = found
        return value

    def _touched(self, line: Line) -> bool:
        if line is _PRESET:
            return True
        return bool(self.computers[_SEATS.index(line)]) if line in _SEATS else line.field in self.changes

    def _shown(self, line: Line) -> str:
        value = self._value(line)
        if line in _SEATS:
            return f"speed {value}" if value else "a person"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if line.field.endswith("_us"):
            return f"{int(value) / SECOND_US:g} s"
        return str(value)

    def _help_of(self, line: Line) -> str:
        return PRESET_HELP[self.preset] if line is _PRESET else line.help

    def _change(self, line: Line, by: int) -> None:
        value = self._value(line)
        if value in line.values:
            at = line.values.index(value) + by
        else:
            # A size that followed from others may lie between two of the list.
            at = sum(other < value for other in line.values if isinstance(other, int) and isinstance(value, int))
            at -= by < 0
        new = line.values[at % len(line.values)]
        if line is _PRESET:
            self.preset, self.changes = str(new), {}
        elif line in _SEATS:
            self.computers[_SEATS.index(line)] = int(new)
        else:
            self.changes[line.field] = new
        self._settle()

    def _take_back(self, line: Line) -> None:
        if line in _SEATS:
            self.computers[_SEATS.index(line)] = 0
        self.changes.pop(line.field, None)
        self._settle()

    def _settle(self) -> None:
        try:
            self.rules, self.complaint = make_rules(self.preset, **self.changes), ""
        except RulesError as error:
            self.rules, self.complaint = None, str(error)

    def _summary(self) -> str:
        assert self.rules is not None
        levels = self._levels()
        free = self.rules.players - 1 - len(levels)
        seats = [f"a computer of speed {level}" for level in levels]
        if free:
            seats.append("a free seat" if free == 1 else f"{free} free seats")
        return f"Enter lays it: you and {', '.join(seats)}"


def _of_preset(preset: str) -> Rules:
    return make_rules(preset)
