"""Pictures of the real client for the documentation: it is led to each screen in a terminal, and the cells are drawn.

Cards are dealt at random and a computer plays, so no two runs give the same picture; what they show is the same.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont
from tests.e2e.terminal import Terminal

from processes import BIN, Programs

CLIENT: Final = str(BIN / "speed-client")
FONT: Final = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
POINTS: Final = 15
CELL: Final = (9, 18)
MARGIN: Final = 6
COLOURS: Final = 48
PAPER: Final = {"dark": ("d0d0d0", "121212"), "light": ("202020", "fafafa")}
"""The terminal's own ink and ground, which a program cannot see."""
SIZES: Final = ((80, 24), (120, 40))

_NAMED: Final = {
    "black": "000000",
    "red": "cd3131",
    "green": "0dbc79",
    "brown": "c8a000",
    "blue": "2472c8",
    "magenta": "bc3fbc",
    "cyan": "11a8cd",
    "white": "c8c8c8",
    "brightblack": "767676",
    "brightred": "f14c4c",
    "brightgreen": "23d18b",
    "brightbrown": "f5f543",
    "brightblue": "3b8eea",
    "brightmagenta": "d670d6",
    "brightcyan": "29b8db",
    "brightwhite": "ffffff",
}
_BLOCKS: Final = {"█": (0.0, 1.0), "▀": (0.0, 0.5), "▄": (0.5, 1.0)}
"""What must join without a seam is drawn as part of the cell, from and to which height."""


AnyFont: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont


def fonts(file: Path) -> tuple[AnyFont, AnyFont]:
    """A font, and the bold one beside it if there is one."""
    heavy = file.with_name(f"{file.stem}-Bold{file.suffix}")
    regular, bold = (ImageFont.truetype(str(each), POINTS) for each in (file, heavy if heavy.exists() else file))
    return regular, bold


def draw(screen: Any, theme: str, regular: AnyFont, bold: AnyFont) -> Image.Image:
    """A pyte screen as an image."""
    width, height = CELL
    ink, ground = PAPER[theme]
    image = Image.new("RGB", (screen.columns * width + 2 * MARGIN, screen.lines * height + 2 * MARGIN), f"#{ground}")
    brush = ImageDraw.Draw(image)
    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            front, back = _colour(cell.fg, ink), _colour(cell.bg, ground)
            if cell.reverse:
                front, back = back, front
            x, y = MARGIN + column * width, MARGIN + row * height
            brush.rectangle((x, y, x + width - 1, y + height - 1), fill=back)
            if cell.data in _BLOCKS:
                top, bottom = _BLOCKS[cell.data]
                brush.rectangle((x, y + int(top * height), x + width - 1, y + int(bottom * height) - 1), fill=front)
            elif cell.data.strip():
                brush.text((x, y), cell.data, fill=front, font=bold if cell.bold else regular)
    return image


def _colour(name: str, default: str) -> str:
    return f"#{default if name == 'default' else _NAMED.get(name, name)}"


class Studio:
    """A server with something going on, and a client led to each screen of it."""

    def __init__(self, programs: Programs, home: Path, folder: Path, font: Path) -> None:
        self._home = home
        self._folder = folder
        self._fonts = fonts(font)
        self._server = programs.server("--countdown", "0", "--bots", "2", "--name", "the club")

    @contextmanager
    def client(self, home: str, theme: str, size: tuple[int, int], *options: str) -> Iterator[Terminal]:
        """A client of this theme and size. A home of its own keeps it from coming back to another's seat."""
        env = {"SPEED_HOME": str(self._home / home)}
        if "PYTHONPATH" in os.environ:
            env["PYTHONPATH"] = os.environ["PYTHONPATH"]
        with Terminal([CLIENT, "--name", "anna", "--theme", theme, *options], env, *size) as terminal:
            yield terminal

    def keep(self, terminal: Terminal, name: str, theme: str) -> None:
        """Write the picture of what the terminal shows."""
        terminal.settle()
        screen = terminal.screen
        file = self._folder / f"{name}-{screen.columns}x{screen.lines}-{theme}.png"
        draw(screen, theme, *self._fonts).quantize(COLOURS).save(file, optimize=True)

    def before_the_table(self, theme: str, size: tuple[int, int]) -> None:
        """The list of servers, a server's tables, the form for a new one, settings and speeds."""
        with self.client("guest", theme, size) as terminal:
            terminal.until(lambda: "the club" in terminal.shown and " ms" in terminal.shown, "server in the list")
            self.keep(terminal, "servers", theme)
            terminal.press("p")
            terminal.until(lambda: "PRACTICE" in terminal.shown, "speeds")
            self.keep(terminal, "practice", theme)
            terminal.press("\x7f")
            terminal.until(lambda: "PRACTICE" not in terminal.shown, "list")
            terminal.press("s")
            terminal.until(lambda: "SETTINGS" in terminal.shown.upper() and "theme" in terminal.shown, "settings")
            self.keep(terminal, "settings", theme)
            terminal.press("\x7f")
            terminal.until(lambda: "servers in this network" in terminal.shown and " ms" in terminal.shown, "list")
            terminal.press("\r")
            terminal.until(lambda: "bot-" in terminal.shown, "tables")
            self.keep(terminal, "lobby", theme)
            terminal.press("n")
            terminal.until(lambda: "NEW TABLE" in terminal.shown, "form")
            self.keep(terminal, "new-table", theme)

    def at_the_table(self, theme: str, size: tuple[int, int]) -> None:
        """A table that waits, one that plays, its help, and its result."""
        with self.client("player", theme, size, self._server.address, "--bot", "6") as terminal:
            terminal.until(lambda: "not ready" in terminal.shown, "table that waits")
            self.keep(terminal, "ready", theme)
            terminal.press(" ")
            terminal.until(lambda: "0:04" in terminal.shown, "some seconds of play")
            self.keep(terminal, "table", theme)
            terminal.press("?")
            terminal.until(lambda: "pile chosen for you" in terminal.shown, "help")
            self.keep(terminal, "help", theme)
            terminal.press("?")

            def over() -> bool:
                terminal.press("12345")
                return "races won" in terminal.shown

            terminal.until(over, "result", 90)
            self.keep(terminal, "result", theme)

    def watching(self, theme: str, size: tuple[int, int]) -> None:
        """The tables as spectators see them."""
        with self.client("guest", theme, size, self._server.address, "--watch") as terminal:
            terminal.until(lambda: "bot-" in terminal.shown and "→" in terminal.shown, "play")
            self.keep(terminal, "watch", theme)

    def two(self, theme: str, size: tuple[int, int]) -> None:
        """Two players at one keyboard."""
        options = ("--two", "--name2", "bob", self._server.address)
        with self.client("two", theme, size, *options) as terminal:
            terminal.until(lambda: "ready" in terminal.shown, "two at a table")
            terminal.press(" ")
            terminal.until(lambda: "0:01" in terminal.shown, "deal of two")
            self.keep(terminal, "two", theme)


def main(arguments: Sequence[str], folder: Path) -> int:
    """Make every picture in both sizes and on both grounds; 0."""
    font = Path(arguments[0]) if arguments else Path(FONT)
    if not font.exists():
        print(f"pictures: no font at {font}: name one, as scripts/pictures FONT.ttf")
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    for size, theme in product(SIZES, PAPER):
        # Another server each time, so that anna is the only one of that name.
        with tempfile.TemporaryDirectory() as home, Programs(Path(home)) as programs:
            studio = Studio(programs, Path(home) / "home", folder, font)
            studio.watching(theme, size)
            studio.at_the_table(theme, size)
            studio.two(theme, size)
            studio.before_the_table(theme, size)
        print(f"pictures: {size[0]}x{size[1]} {theme}")
    return 0
