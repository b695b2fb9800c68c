"""One page in the terminal until something is chosen on it. Part of the rim."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter_ns

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from speed_client.pages import Choice, Page, Quit
from speed_client.painters.canvas import Canvas
from speed_client.style import Look
from speed_client.terminal import Terminal

Work = Callable[[Callable[[], None]], Awaitable[None]]
"""What goes on beside the page, until cancelled; it is given what to call when the page may look different."""


class PageScreen:
    """Shows a page; `run` gives the choice."""

    def __init__(
        self,
        page: Page,
        look: Look,
        work: Work | None = None,
        *,
        terminal_input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.page = page
        self.look = look
        self.choice: Choice = Quit()
        self.terminal = Terminal(
            self.paint, look, self.press, self._woken, terminal_input=terminal_input, output=output
        )
        self.terminal.on_paste = self._paste
        self._work = work

    async def run(self) -> Choice:
        """Show the page until something is chosen; a screen that was ended from outside is `Quit`."""
        await self.terminal.run(self._beside())
        return Quit() if self.terminal.cut_off else self.choice

    def paint(self, width: int, height: int) -> Canvas:
        """The picture now."""
        return self.page.paint(width, height, self.look)

    def press(self, key: str, press: int) -> None:
        """One key."""
        if key == "c-l":
            self.terminal.repaint()
            return
        self._take(self.page.press(key, press))

    def changed(self) -> None:
        """The page may look different."""
        self.terminal.wake_at(self.page.next_due())
        self.terminal.redraw()

    def _take(self, choice: Choice | None) -> None:
        look = getattr(self.page, "look", None)
        if isinstance(look, Look) and look != self.look:
            self.look = look
            self.terminal.dress(look)
        if choice is not None:
            self.choice = choice
            self.terminal.exit()
        self.changed()

    def _woken(self) -> None:
        self._take(self.page.due(perf_counter_ns()))

    def _paste(self, text: str) -> None:
        paste = getattr(self.page, "paste", None)
        if paste is not None:
            paste(text)
            self.changed()

    async def _beside(self) -> None:
        self.changed()
        if self._work is not None:
            await self._work(self.changed)
        else:
            await asyncio.Event().wait()
