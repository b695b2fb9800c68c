from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from prompt_toolkit.input import PipeInput
from tests.client.evenings import Named, told
from tests.client.screens import SECOND, TICKET, StubLink, a_room, a_view, show, with_keys
from tests.client.test_evening_pages import made
from tests.client.test_painters import LOOKS, assert_fits, check_golden

from speed_client.desk import Desk
from speed_client.evening import Evening
from speed_client.painters.mine import CallModel, MineModel, paint_call, paint_mine
from speed_client.session import Session
from speed_client.style import THEMES, Look
from speed_client.tournament_screen import TournamentScreen
from speed_client.wishes import Want
from speed_common.wire import (
    COUNTDOWN,
    OVER,
    WAITING,
    Called,
    Enter,
    Heard,
    Leave,
    MatchInfo,
    Mine,
    Ready,
    Welcome,
    Withdraw,
    board_topic,
    encode,
)

TID = "friday-cup"
MINE = Mine(TID, "Friday Cup", "running", 1, "active", 5, "eva", 0, 240, "your next match is M5, against eva, soon")
CALLED = Called(TID, 5, "M5, round 2", 3, "eva", 180_000_000, 1)
SIZES = [(80, 24), (120, 40), (40, 12)]


def a_mine(player: int) -> Mine:
    return replace(MINE, player=player)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", LOOKS)
def test_the_call_and_the_own_page_are_the_golden_ones(size: tuple[int, int], look: str) -> None:
    name = f"{size[0]}x{size[1]}-{look}"
    check_golden(f"call-{name}", paint_call(CallModel(CALLED, 161), *size, LOOKS[look]))
    evening = made("double")
    model = MineModel(a_mine(evening.number_of("cho")))
    check_golden(f"mine-{name}", paint_mine(model, evening, *size, LOOKS[look]))
    check_golden(
        f"mine-withdraw-{name}", paint_mine(dataclasses.replace(model, asks=True), evening, *size, LOOKS[look])
    )


@given(
    st.text(max_size=24),
    st.tuples(st.integers(1, 160), st.integers(1, 60)),
    st.booleans(),
    st.sampled_from(sorted(THEMES)),
    st.booleans(),
    st.booleans(),
)
@settings(deadline=None, database=None)
def test_every_size_and_every_name_fits(
    name: str,
    size: tuple[int, int],
    ascii_only: bool,  # noqa: FBT001
    theme: str,
    asks: bool,  # noqa: FBT001
    helps: bool,  # noqa: FBT001
) -> None:
    look = Look(theme, ascii=ascii_only)
    assert_fits(paint_call(CallModel(replace(CALLED, rival=name, title=name), 9), *size, look), *size, look)
    model = MineModel(replace(MINE, rival=name, text=name * 4), name, asks, helps, no_link=True)
    assert_fits(paint_mine(model, made("swiss"), *size, look), *size, look)
    assert_fits(paint_mine(MineModel(None), Evening(TID), *size, look), *size, look)


class Player:
    """A tournament's player at a screen that runs."""

    def __init__(self, keys: PipeInput) -> None:
        now = perf_counter_ns()
        self.keys = keys
        self.session = Session("anna", b"", Want(tournament=TID), now)
        self.link, self.watch_link = StubLink(), StubLink()
        self.screen = TournamentScreen(self.session, self.link, Desk(), self.watch_link, terminal_input=keys)
        self.screen.terminal.app.ttimeoutlen = self.screen.terminal.app.timeoutlen = 0.01
        self.rung = 0
        self.screen.terminal.ring = self._ring  # type: ignore[method-assign]

    def _ring(self) -> None:
        self.rung += 1

    @property
    def text(self) -> str:
        return "\n".join(self.screen.paint(80, 24).lines())

    def sent(self, kind: type) -> list[Any]:
        return [message for message in self.link.sent if isinstance(message, kind)]

    def welcome(self) -> None:
        now = perf_counter_ns()
        self.session.connected(now)
        self.session.receive(encode(Welcome(1, "0.1.0", "f" * 16, "anna", TICKET, 250_000)), now)
        self.link.changed()
        self.screen.link.flush(self.session)

    def hear(self, *messages: Any) -> None:
        for message in messages:
            self.session.receive(encode(message), perf_counter_ns())
        self.link.changed()
        self.screen.link.flush(self.session)

    def table(self, phase: int, match: int = 5) -> None:
        info = MatchInfo(TID, match, "M5, round 2", (12, 7), 25, "points")
        now = perf_counter_ns()
        room = a_room(phase, table=3, match=info, reveal_at_ns=now + 2 * SECOND if phase == COUNTDOWN else 0)
        show(self.session, room, None if phase == WAITING else a_view())
        self.link.changed()

    def publish(self) -> None:
        for message in told(Named("single", 8).do("draw", "start")):
            self.screen.watching.receive(board_topic(TID), encode(message), perf_counter_ns())
        self.watch_link.changed()

    async def press(self, text: str, done: Callable[[], object]) -> None:
        self.keys.send_text(text)
        async with asyncio.timeout(5):
            while not done():  # noqa: ASYNC110 - what is waited for tells nobody
                await asyncio.sleep(0.001)


def on_screen(steps: Callable[[Player], Any]) -> Player:
    found: list[Player] = []

    async def main(keys: PipeInput) -> int:
        player = Player(keys)
        found.append(player)
        run = asyncio.create_task(player.screen.run())
        async with asyncio.timeout(5):
            while not (player.link.started and player.watch_link.started):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        player.screen.watching.connected(perf_counter_ns())
        player.welcome()
        try:
            await steps(player)
        finally:
            player.session.stop("left", "")
            player.screen.terminal.exit()
            code = await run
        return code

    asyncio.run(with_keys(main))
    return found[0]


def test_who_comes_enters_the_tournament_and_asks_for_no_table() -> None:
    async def steps(player: Player) -> None:
        assert [message.tid for message in player.sent(Enter)] == [TID]
        player.hear(MINE)
        assert "M5 against eva" in player.text
        assert "about 4 min" in player.text

    on_screen(steps)


def test_a_call_fills_the_screen_rings_once_a_bell_and_is_acknowledged_once() -> None:
    async def steps(player: Player) -> None:
        player.hear(MINE, CALLED)
        assert "TABLE 3" in player.text
        assert player.rung == 1
        assert [message.match for message in player.sent(Heard)] == [5]
        player.hear(CALLED)
        assert player.rung == 1
        player.hear(replace(CALLED, bells=2))
        assert player.rung == 2
        assert len(player.sent(Heard)) == 1
        assert not player.sent(Ready)
        await player.press(" ", lambda: player.sent(Ready))

    on_screen(steps)


def test_a_call_is_acknowledged_again_to_a_server_that_was_away() -> None:
    async def steps(player: Player) -> None:
        player.hear(MINE, CALLED)
        player.session.lost(perf_counter_ns())
        player.welcome()
        player.hear(CALLED)
        assert len(player.sent(Heard)) == 2

    on_screen(steps)


def test_after_the_call_comes_the_table_and_after_the_match_the_own_page() -> None:
    async def steps(player: Player) -> None:
        player.hear(replace(MINE, table=3), CALLED)
        player.table(WAITING)
        assert "YOUR MATCH IS CALLED" in player.text
        player.hear(replace(CALLED, here=True))
        assert "YOUR MATCH IS CALLED" not in player.text
        player.table(COUNTDOWN)
        assert "M5, round 2 · to 25 points" in player.text
        assert "12 – 7" in player.text  # noqa: RUF001
        player.table(OVER)
        assert "M5, round 2" in player.text
        player.hear(replace(MINE, match=9, rival="", text="your next match is M9"))
        assert "M9 against whoever" in player.text

    on_screen(steps)


def test_withdrawing_asks_back_once_and_any_other_key_goes_on() -> None:
    async def steps(player: Player) -> None:
        player.hear(MINE)
        await player.press("x", lambda: "WITHDRAW?" in player.text)
        await player.press("n", lambda: "WITHDRAW?" not in player.text)
        assert not player.sent(Withdraw)
        await player.press("x", lambda: "WITHDRAW?" in player.text)
        await player.press("y", lambda: player.sent(Withdraw))

    on_screen(steps)


def test_the_pages_are_read_from_the_own_page_with_the_own_way_marked() -> None:
    async def steps(player: Player) -> None:
        player.hear(MINE)
        player.publish()
        await player.press("b", lambda: ">anna" in player.text)
        await player.press("s", lambda: "RANK" in player.text)
        await player.press("m", lambda: "M5 against eva" in player.text)
        await player.press("c", lambda: "###" in player.text)
        await player.press("\x1b", lambda: "M5 against eva" in player.text)

    on_screen(steps)


def test_a_call_comes_over_an_open_page_and_a_withdrawal_can_be_asked_from_it() -> None:
    async def steps(player: Player) -> None:
        player.hear(MINE)
        player.publish()
        await player.press("b", lambda: "FINAL" in player.text)
        player.hear(CALLED)
        assert "TABLE 3" in player.text
        await player.press("x", lambda: "WITHDRAW?" in player.text)
        await player.press("n", lambda: "TABLE 3" in player.text)

    on_screen(steps)


def test_leaving_the_screen_gives_no_seat_up() -> None:
    async def steps(player: Player) -> None:
        player.hear(MINE)
        await player.press("\x1b", lambda: player.session.ended)
        assert player.session.ended is not None
        assert player.session.ended.word == "left"

    player = on_screen(steps)
    assert not player.sent(Leave)
    assert not player.sent(Withdraw)
