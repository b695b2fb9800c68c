"""A canvas straight into prompt_toolkit's screen: one container, no windows, no formatted text.

The painter gives a whole new canvas each time; a row that came out the same is handed over as the very object that it
was last time. prompt_toolkit sends the cells that differ, but looks at every cell of both screens to find them: a row
that the last screen holds already says that there is nothing to look at. A frame costs what changed in it.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout.containers import Container, Window
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition

from speed_client.painters.canvas import BLANK, Canvas, Cell

Paint: TypeAlias = Callable[[int, int], Canvas]

_log = logging.getLogger(__name__)
_EMPTY = Char(" ", "")


@lru_cache(maxsize=8192)
def _char(cell: Cell) -> Char:
    char, style = cell
    return Char(char, f"class:{style}" if style else "")


def _empty() -> Char:
    return _EMPTY


class Row(defaultdict[int, Char]):
    """One row of a screen's buffer. `settled` while the last screen and the next one hold this same row."""

    def __init__(self, row: list[Cell]) -> None:
        end = len(row)
        while end and row[end - 1] == BLANK:
            end -= 1
        super().__init__(_empty, enumerate(map(_char, row[:end])))
        last = next((x for x in range(end - 1, -1, -1) if row[x][0] != " "), 0)
        self.settled = False
        # All that the renderer wants of `items` is the last column that shows: by its character, or by its ground.
        self._ends = tuple((x, self[x]) for x in (last, end - 1)) if end else ()

    def items(self) -> Any:
        """The cells that tell how long the row is; none when there is nothing to look at."""
        return () if self.settled else self._ends


class Direct(Container):
    """The whole screen as one painter's canvas; `last_screen` is what the renderer will compare with."""

    def __init__(self, paint: Paint, last_screen: Callable[[], Screen | None] = lambda: None) -> None:
        self.paint = paint
        self.last_screen = last_screen
        # prompt_toolkit wants a window to have the focus; this one has no height.
        self.window = Window(height=0)
        self._last: list[list[Cell]] = []
        self._rows: list[Row] = []
        self._size = (0, 0)
        self._cursor = Point(0, 0)

    def reset(self) -> None:
        """Forget what was painted."""
        self._last, self._rows = [], []

    def preferred_width(self, max_available_width: int) -> Dimension:
        """All there is."""
        return Dimension(preferred=max_available_width)

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:  # noqa: ARG002
        """All there is."""
        return Dimension(preferred=max_available_height)

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,  # noqa: ARG002
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002
        erase_bg: bool,  # noqa: ARG002, FBT001
        z_index: int | None,  # noqa: ARG002
    ) -> None:
        """Paint, and lay the rows into the screen's buffer."""
        width, height = write_position.width, write_position.height
        try:
            rows = self.paint(width, height).rows
        except Exception:  # noqa: BLE001
            # A painter's fault must not take the game away from a player in mid-deal: the last picture stays.
            _log.exception("painting %dx%d failed", width, height)
            rows = self._last
        if self._size != (width, height):
            self._size, self._last, self._rows, self._cursor = (width, height), [], [], Point(0, 0)
        before = self.last_screen()
        held = before.data_buffer if before is not None else {}
        last, kept = self._last, self._rows
        fresh: list[Row] = []
        for y, row in enumerate(rows):
            line = kept[y] if y < len(last) and last[y] == row else Row(row)
            line.settled = held.get(write_position.ypos + y) is line
            fresh.append(line)
            screen.data_buffer[write_position.ypos + y] = line
        for y, (old, new) in enumerate(zip(kept, fresh, strict=False)):
            if old is not new:
                old.settled = False
                self._park(last[y], rows[y], write_position.ypos + y)
        screen.set_cursor_position(self.window, self._cursor)
        self._last, self._rows = rows, fresh
        screen.width = max(screen.width, write_position.xpos + width)
        screen.height = max(screen.height, write_position.ypos + height)
        screen.visible_windows_to_write_positions[self.window] = WritePosition(
            write_position.xpos, write_position.ypos, width, 0
        )

    def _park(self, old: list[Cell], new: list[Cell], y: int) -> None:
        """Leave the hidden cursor behind the last cell that is sent, which saves its way home and back."""
        last = max((x for x, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), default=0)
        self._cursor = Point(min(last + 1, len(new) - 1), y)

    def get_children(self) -> list[Container]:
        """The window that holds the focus."""
        return [self.window]
