from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

from prompt_toolkit.input import PipeInput
from tests.client.screens import with_keys
from tests.client.test_browse import until

from speed_client.lobby_page import LobbyPage
from speed_client.page_screen import PageScreen
from speed_client.pages import Back, Choice, Quit, Seat
from speed_client.style import Look


def chosen(steps: Callable[[PageScreen, PipeInput], Coroutine[Any, Any, None]], work: Any = None) -> Choice:
    """What a screen over a lobby came to, after `steps`."""
    found: list[Choice] = []

    async def main(keys: PipeInput) -> int:
        screen = PageScreen(LobbyPage("anna's"), Look(), work, terminal_input=keys)
        screen.terminal.app.ttimeoutlen = screen.terminal.app.timeoutlen = 0.01
        running = asyncio.create_task(screen.run())
        await until(lambda: screen.terminal.app.is_running)
        await steps(screen, keys)
        found.append(await running)
        return 0

    asyncio.run(with_keys(main))
    return found[0]


def test_a_key_that_comes_to_a_choice_ends_the_screen() -> None:
    async def steps(_screen: PageScreen, keys: PipeInput) -> None:
        keys.send_text("\r")

    assert chosen(steps) == Seat(0)


def test_escape_goes_back() -> None:
    async def steps(_screen: PageScreen, keys: PipeInput) -> None:
        keys.send_text("\x1b")

    assert chosen(steps) == Back()


def test_a_signal_quits_whatever_page_it_was() -> None:
    async def steps(_screen: PageScreen, _keys: PipeInput) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    assert chosen(steps) == Quit()


def test_the_work_beside_the_page_is_ended_with_it() -> None:
    told: list[str] = []

    async def work(changed: Callable[[], None]) -> None:
        told.append("begun")
        changed()
        try:
            await asyncio.Event().wait()
        finally:
            told.append("ended")

    async def steps(_screen: PageScreen, keys: PipeInput) -> None:
        await until(lambda: told)
        keys.send_text("\r")

    chosen(steps, work)
    assert told == ["begun", "ended"]
