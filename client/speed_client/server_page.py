"""The list of servers: what `speed-client` shows when no host was named. Pure."""

from __future__ import annotations

from typing import Final

from speed_client.door import Address
from speed_client.finding import Finding, Row, shown
from speed_client.level_page import LevelPage
from speed_client.pages import (
    DOWN,
    ENTER,
    HELP,
    INTERRUPT,
    LEAVE,
    UP,
    Back,
    Choice,
    Join,
    Practise,
    Quit,
    Settings,
    step,
)
from speed_client.painters.canvas import Canvas
from speed_client.painters.lists import Cells, Column, ListModel, paint_list
from speed_client.painters.panel import GAP, PanelLine, middle, pair
from speed_client.passcode_line import PasscodeLine
from speed_client.progress import Progress
from speed_client.settings import parse_host
from speed_client.style import Look

MS_NS: Final = 1_000_000
LONGEST_ADDRESS: Final = 200
BY_HAND: Final = "speed-client HOST"
"""What a player types where nothing is found; HOST as speed-server printed it."""

_COLUMNS: Final = (
    Column("server"),
    Column("address", 21, least=80),
    Column("players", 7, right=True),
    Column("tables", 6, right=True, least=60),
    Column("ping", 9, right=True),
)
_KEYS: Final = (
    ("Enter", "join"),
    ("w", "watch"),
    ("p", "practice"),
    ("c", "address"),
    ("s", "settings"),
    ("?", "help"),
    ("Esc", "quit"),
)
_HELP: Final[tuple[PanelLine, ...]] = (
    middle("SERVERS", "panel-head"),
    GAP,
    pair("arrows j k", "choose a server"),
    pair("Enter", "join: its tables, then a seat"),
    pair("w", "watch its tables"),
    pair("p", "practise against a computer, alone"),
    pair("c", "type an address"),
    pair("s", "settings: colours, signs, keys"),
    pair("Ctrl-L", "redraw"),
    pair("Esc", "quit"),
    GAP,
    middle("Servers announce themselves (multicast DNS).", "panel-hint"),
    middle("One that does not is reached by its address: c.", "panel-hint"),
)


class ServerPage:
    """The list, what is chosen on it, and the line in which an address is typed (`typed`, None when closed).

    `asks` is the closed server whose passcode is to be typed, if any; `notice` says then why.
    """

    def __init__(
        self, finding: Finding, progress: Progress, now: int, notice: str = "", asks: Join | None = None
    ) -> None:
        self.finding = finding
        self.notice = notice
        self.typed: str | None = None
        self._chosen = ""
        self._help = False
        self._levels: LevelPage | None = None
        self._passcode = PasscodeLine(asks, notice) if asks is not None else None
        self._progress = progress
        self._now = now

    def press(self, key: str, now: int) -> Choice | None:
        """A key; see `_HELP`."""
        self._now = now
        if self._levels is not None:
            return self._in_levels(key, now)
        if self._passcode is not None:
            return self._in_passcode(key)
        if self.typed is not None:
            return self._in_address(key)
        self.notice = ""
        if self._help:
            self._help = False
            return None
        if key in LEAVE | INTERRUPT:
            return Quit()
        if key in HELP:
            self._help = True
        elif key in UP | DOWN:
            self._move(step(key))
        elif key == "p":
            self._levels = LevelPage(self._progress)
        elif key == "c":
            self.typed = ""
        elif key in {"s", "f2"}:
            return Settings()
        elif key in ENTER | {"w"}:
            return self._join(watch=key == "w")
        return None

    def paste(self, text: str) -> None:
        """Text from the clipboard: a passcode or an address, if one is being typed."""
        if self._passcode is not None:
            self._passcode.paste(text)
        elif self.typed is not None:
            self.typed = (self.typed + "".join(text.split()))[:LONGEST_ADDRESS]

    def due(self, now: int) -> Choice | None:
        """The search has taken long enough to say so."""
        self._now = now
        return None

    def next_due(self) -> int | None:
        """When the search may say that it found nothing."""
        return None if self.finding.searched(self._now) else self.finding.searched_at

    def paint(self, width: int, height: int, look: Look) -> Canvas:
        """The picture now."""
        return paint_list(self.model(), width, height, look)

    def model(self) -> ListModel:
        """What is shown now."""
        rows, place = self.finding.rows, self._place()
        searching = not self.finding.searched(self._now)
        about, style = self._about(rows[place] if rows else None)
        return ListModel(
            "SPEED · servers in this network",
            _COLUMNS,
            tuple(map(_cells, rows)),
            place,
            "searching…" if searching else "",
            instead=self._nothing(searching=searching),
            about=about,
            about_style=style,
            keys=_KEYS if self.typed is None and self._passcode is None else (("Enter", "connect"), ("Esc", "back")),
            panel=self._panel(),
        )

    # --- inside -----------------------------------------------------------------------------------------------------

    def _panel(self) -> tuple[PanelLine, ...]:
        if self._levels is not None:
            return self._levels.lines()
        return _HELP if self._help else ()

    def _about(self, row: Row | None) -> tuple[str, str]:
        if self._passcode is not None:
            return self._passcode.text, "key"
        if self.typed is not None:
            return f"address: {self.typed}_", "key"
        if self.notice:
            return self.notice, "late"
        if row is None:
            return "", "hint"
        if row.why:
            return row.why, "hint"
        version = f" · version {row.version}" if row.version else ""
        locked = " · wants a passcode" if row.locked else ""
        return f"speed-client {shown(row.address)}{version}{locked}", "hint"

    def _nothing(self, *, searching: bool) -> tuple[tuple[str, str], ...]:
        if searching:
            return (("looking for servers…", "status"),)
        return (
            ("no server was found", "status"),
            ("", ""),
            *((line, "hint") for line in searched_lines(self.finding)),
            ("", ""),
            ("by hand, as speed-server printed it:", "hint"),
            (f"{BY_HAND}    (or press c)", "key"),
            ("a server of your own: speed-server", "hint"),
            ("p plays alone, against a computer", "hint"),
        )

    def _place(self) -> int:
        return next((place for place, row in enumerate(self.finding.rows) if row.id == self._chosen), 0)

    def _move(self, by: int) -> None:
        rows = self.finding.rows
        if rows:
            self._chosen = rows[max(0, min(len(rows) - 1, self._place() + by))].id

    def _join(self, *, watch: bool) -> Choice | None:
        rows = self.finding.rows
        if not rows:
            self.notice = "no server is chosen: c types an address"
            return None
        return Join(rows[self._place()].address, watch)

    def _in_levels(self, key: str, now: int) -> Choice | None:
        assert self._levels is not None
        choice = self._levels.press(key, now)
        if isinstance(choice, Practise | Quit):
            return choice
        if isinstance(choice, Back):
            self._levels = None
        return None

    def _in_passcode(self, key: str) -> Choice | None:
        assert self._passcode is not None
        choice = self._passcode.press(key)
        if isinstance(choice, Back):
            self._passcode, self.notice = None, ""
            return None
        return choice

    def _in_address(self, key: str) -> Choice | None:
        assert self.typed is not None
        if key in INTERRUPT | {"escape"}:
            self.typed = None
        elif key in LEAVE:
            self.typed = self.typed[:-1]
        elif key in ENTER:
            try:
                host, port = parse_host(self.typed.removeprefix("speed-client "))
            except ValueError as error:
                self.notice, self.typed = str(error), None
                return None
            return Join(Address(host, port))
        elif len(key) == 1 and key.isprintable():
            self.typed = (self.typed + key)[:LONGEST_ADDRESS]
        return None


def searched_lines(finding: Finding) -> tuple[str, ...]:
    """What was searched, a sentence each."""
    network = (
        f"multicast DNS does not work here: {finding.fault}"
        if finding.fault
        else "searched: multicast DNS (_speed._tcp)"
    )
    count = finding.remembered
    if not count:
        return network, "on every network; none is remembered"
    return network, f"on every network, and {count} remembered server{'' if count == 1 else 's'}"


def _cells(row: Row) -> Cells:
    state = {"asking": "…", "silent": "no answer"}
    ping = state.get(row.state, "") if row.ping_ns is None else f"{row.ping_ns / MS_NS:.1f} ms"
    known = row.state == "here" or row.announced
    return Cells(
        (
            f"{row.name} (locked)" if row.locked else row.name,
            shown(row.address),
            str(row.players) if known else "",
            str(row.tables) if known else "",
            ping,
        ),
        dim=row.state == "silent",
    )
