from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import pytest
from prompt_toolkit.input import PipeInput
from tests.client.evenings import Named, told
from tests.client.screens import SECOND, StubLink, a_room, a_view, cards, with_keys

from speed_client.desk import Desk
from speed_client.painters.tiles import WatchModel
from speed_client.watch import WatchScreen
from speed_client.watching import Watching
from speed_common.cards import HIDDEN
from speed_common.events import Played
from speed_common.table import SPECTATOR
from speed_common.wire import Delta, Lobby, Snapshot, TableLine, TournamentLine, board_topic, encode, table_topic


class Watch:
    """A spectator's screen that runs."""

    def __init__(self, watching: Watching, keys: PipeInput) -> None:
        self.watching = watching
        self.keys = keys
        self.link = StubLink()
        self.screen = WatchScreen(watching, self.link, Desk(), terminal_input=keys)
        self.screen.terminal.app.ttimeoutlen = self.screen.terminal.app.timeoutlen = 0.01

    @property
    def text(self) -> str:
        return "\n".join(self.screen.paint(80, 24).lines())

    def lay(self, *numbers: int) -> None:
        """The server tells of these tables."""
        now = perf_counter_ns()
        lines = tuple(TableLine(number, 2, ("anna", "bob"), (16, 17)) for number in numbers)
        self.watching.receive(b"lobby", encode(Lobby(lines)), now)
        for number in numbers:
            room = a_room(table=number, reveal_at_ns=now - 47 * SECOND)
            snapshot = Snapshot(10, now, SPECTATOR, room, a_view("?? ?? ?? ?? ??"))
            self.watching.receive(table_topic(number), encode(snapshot), now)
        self.link.changed()

    def happen(self, number: int) -> None:
        played = Played(47_500_000, 1, 2, cards("10C")[0], 0, HIDDEN)
        self.watching.receive(table_topic(number), encode(Delta(10, 1, (played,))), perf_counter_ns())
        self.link.changed()

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(5):
            while not done():  # noqa: ASYNC110 - what is waited for tells nobody
                await asyncio.sleep(0.001)

    async def press(self, text: str, done: Callable[[], object]) -> None:
        self.keys.send_text(text)
        await self.until(done)


def on_screen(test: Callable[[Watch], Any], focus: int = 0) -> int:
    async def main(keys: PipeInput) -> int:
        watching = Watching(focus, perf_counter_ns())
        watch = Watch(watching, keys)
        run = asyncio.create_task(watch.screen.run())
        try:
            await watch.until(lambda: watch.link.started)
            watching.connected(perf_counter_ns())
            await test(watch)
        finally:
            watching.stop("left", "")
            watch.screen.terminal.exit()
            code = await run
        return code

    return asyncio.run(with_keys(main))


def test_a_single_table_is_shown_in_full() -> None:
    async def test(watch: Watch) -> None:
        assert "no table is laid yet" in watch.text
        watch.lay(3)
        assert "table 3" in watch.text
        assert "▒▒▒▒▒▒▒▒▒" in watch.text

    on_screen(test)


def test_several_tables_are_tiles_and_a_play_is_told_in_its_tile() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1, 2, 3)
        assert "WATCHING 3 tables" in watch.text
        watch.happen(2)
        assert "bob 10♣ → left" in watch.text

    on_screen(test)


def test_digits_and_arrows_choose_a_table_and_enter_opens_it() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1, 2, 3)
        await watch.press("3", lambda: "═ 3 ═" in watch.text)
        await watch.press("\x1b[D", lambda: "═ 2 ═" in watch.text)
        await watch.press("\x1b[B", lambda: True)
        await watch.press("\r", lambda: "anna  0 – 0  bob  table 2" in watch.text)  # noqa: RUF001
        await watch.press("\x1b[C", lambda: "table 3" in watch.text)
        await watch.press("1", lambda: "table 1" in watch.text)
        await watch.press("\x1b", lambda: "WATCHING" in watch.text)

    on_screen(test)


def test_a_table_asked_for_is_open_from_the_beginning() -> None:
    async def test(watch: Watch) -> None:
        assert "connecting" in watch.text
        watch.lay(2)
        assert "table 2" in watch.text

    on_screen(test, focus=2)


def test_a_table_that_is_gone_gives_the_focus_on() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1, 2, 3)
        await watch.press("2", lambda: "═ 2 ═" in watch.text)
        watch.lay(1, 3)
        model = watch.screen.model
        assert isinstance(model, WatchModel)
        assert [table.table for table in model.tables] == [1, 3]
        assert model.focus == 1
        assert set(watch.screen.stories) == {1, 3}

    on_screen(test)


def test_help_opens_and_closes() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1, 2)
        await watch.press("?", lambda: "KEYS" in watch.text)
        await watch.press("\x1b", lambda: "KEYS" not in watch.text)

    on_screen(test)


@pytest.mark.parametrize("key", ["\x1b", "\x03"])
def test_a_spectator_leaves_without_being_asked(key: str) -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1, 2)
        await watch.press(key, lambda: watch.watching.ended)

    assert on_screen(test) == 0


def test_a_lost_link_is_told() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1, 2)
        watch.watching.lost(perf_counter_ns())
        watch.link.changed()
        assert "NO LINK" in watch.text

    on_screen(test)


def test_the_reason_of_the_end_is_shown_until_a_key() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1)
        watch.watching.stop("stopping", "the server is stopping")
        watch.link.changed()
        assert "the server is stopping" in watch.text
        await watch.press("x", lambda: not watch.screen.terminal.app.is_running)

    assert on_screen(test) == 0


def test_pages_turn_and_a_digit_without_a_table_is_a_place_on_the_page() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(*range(11, 18))
        size = watch.screen.terminal.app.output.get_size()
        assert (size.columns, size.rows) == (80, 40)
        await watch.press("2", lambda: "═ 12 ═" in watch.text)
        await watch.press("\x1b[6~", lambda: "═ 17 ═" in watch.text)
        await watch.press("\x1b[5~", lambda: "═ 11 ═" in watch.text)

    on_screen(test)


def test_a_rematch_is_followed_at_the_same_place() -> None:
    async def test(watch: Watch) -> None:
        watch.lay(1, 2)
        now = perf_counter_ns()
        again = a_room(table=2, deal=2, reveal_at_ns=now - SECOND)
        view = a_view("?? ?? ?? ?? ??", "2C 3C")
        watch.watching.receive(table_topic(2), encode(Snapshot(40, now, SPECTATOR, again, view)), now)
        watch.link.changed()
        assert "2♣" in watch.text
        await watch.press("2\r", lambda: "deal 2" in watch.text)

    on_screen(test)


def hold(watch: Watch, evening: Named, seq: int = 9) -> None:
    """The server tells of a tournament."""
    now = perf_counter_ns()
    messages = told(evening, seq)
    line = TournamentLine(messages[0].tid, "Friday Cup", "running", 8)
    lines = tuple(TableLine(number, 2, ("anna", "bob"), (16, 17)) for number in watch.watching.tables)
    watch.watching.receive(b"lobby", encode(Lobby(lines, (line,))), now)
    for message in messages:
        watch.watching.receive(board_topic(message.tid), encode(message), now)
    watch.link.changed()


def test_a_spectator_turns_the_pages_of_a_tournament_and_goes_back_to_its_tables() -> None:
    async def steps(watch: Watch) -> None:
        watch.lay(1, 2)
        hold(watch, Named("single", 8).do("draw", "start"))
        assert board_topic("friday-cup") in watch.watching.subscriptions()
        assert "Friday Cup" in watch.text
        await watch.press("b", lambda: "QUARTER-FINALS" in watch.text)
        await watch.press("s", lambda: "RANK" in watch.text)
        await watch.press("c", lambda: "###" in watch.text)
        await watch.press("n", lambda: "NOW" in watch.text)
        await watch.press("w", lambda: "WATCHING" in watch.text)

    on_screen(steps)


def test_the_tables_go_where_the_followed_player_plays() -> None:
    async def steps(watch: Watch) -> None:
        watch.lay(1, 2, 3, 4)
        evening = Named("single", 8).do("draw", "start")
        hold(watch, evening)
        table = next(line for line in told(evening)[0].tables if line.table != 1)  # type: ignore[union-attr]
        name = told(evening)[0].players[table.b]  # type: ignore[union-attr]
        await watch.press("f", lambda: "FOLLOW" in watch.text)
        await watch.press(f"{name[0]}\r", lambda: "FOLLOW" not in watch.text)
        assert isinstance(watch.screen.model, WatchModel)
        assert watch.screen.model.focus == table.table

    on_screen(steps)


def test_who_comes_late_is_told_by_what_is_published_next_and_the_older_is_left_out() -> None:
    async def steps(watch: Watch) -> None:
        evening = Named("single", 8).do("draw", "start", "favourites 5")
        hold(watch, evening, 50)
        hold(watch, Named("single", 8).do("draw", "start"), 20)
        await watch.press("b", lambda: "champion: anna" in watch.text)

    on_screen(steps)
