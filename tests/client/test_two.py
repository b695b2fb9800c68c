"""Two players at one terminal: the keys, the picture, and two sessions on one screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.input import PipeInput
from tests.client.screens import SECOND, StubLink, a_room, a_view, with_keys
from tests.client.test_painters import LOOKS, SIZES, assert_fits, check_golden
from tests.client.two_screens import TWO_SCREENS

from speed_client.desk import Desk
from speed_client.keys import Do, PlaySlot
from speed_client.layouts import LAYOUTS
from speed_client.painters.two import paint_two
from speed_client.session import Session
from speed_client.style import Look
from speed_client.two import TwoScreen
from speed_client.two_keys import BOTH, meaning
from speed_client.wishes import Want
from speed_common.wire import OVER, Leave, PlayCard, Ready, Result, Snapshot, Welcome, encode

# --- keys -------------------------------------------------------------------------------------------------------------


def test_the_keyboard_is_cut_in_the_middle() -> None:
    for player, (above, home, below) in enumerate([("qwert", "asdfg", "zxcvb"), ("yuiop", "hjkl;", "nm,./")]):
        for slot in range(5):
            assert meaning(above[slot], "qwerty", 2, 5) == (player, PlaySlot(slot, 0))
            assert meaning(home[slot], "qwerty", 2, 5) == (player, PlaySlot(slot))
            assert meaning(below[slot], "qwerty", 2, 5) == (player, PlaySlot(slot, 1))


def test_the_digits_of_a_half_are_its_space_and_space_is_both_ones() -> None:
    assert [meaning(key, "qwerty", 2, 5) for key in "15"] == [(0, Do("space"))] * 2
    assert [meaning(key, "qwerty", 2, 5) for key in "60"] == [(1, Do("space"))] * 2
    assert meaning(" ", "qwerty", 2, 5) == (BOTH, Do("space"))


def test_with_more_piles_the_rows_around_reach_the_outer_ones() -> None:
    assert meaning("q", "qwerty", 4, 5) == (0, PlaySlot(0, 0))
    assert meaning("b", "qwerty", 4, 5) == (0, PlaySlot(4, 3))


def test_a_big_hand_goes_on_in_the_row_above() -> None:
    assert meaning("q", "qwerty", 2, 10) == (0, PlaySlot(5))
    assert meaning("p", "qwerty", 2, 10) == (1, PlaySlot(9))
    assert meaning("z", "qwerty", 2, 10) is None


def test_capitals_play_too_and_no_two_share_a_key_on_any_layout() -> None:
    assert meaning("A", "qwerty", 2, 5) == (0, PlaySlot(0))
    for layout, rows in LAYOUTS.items():
        keys = rows.digits + rows.top + rows.home + rows.bottom
        assert len(set(keys)) == 40, layout
        owners = [meaning(key, layout, 2, 5) for key in keys]
        assert [owner[0] for owner in owners if owner] == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] * 4


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_alphabets_play_from_the_same_places_unless_that_is_turned_off(layout: str) -> None:
    for player, home, above in [(0, "фывап", "йцуке"), (1, "ролдж", "нгшщз")]:
        for slot in range(5):
            assert meaning(home[slot], layout, 2, 5) == (player, PlaySlot(slot))
            assert meaning(above[slot], layout, 2, 5) == (player, PlaySlot(slot, 0))
            assert meaning(home[slot], layout, 2, 5, aliases=False) is None


# --- the picture ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", TWO_SCREENS)
def test_the_screen_of_two_at_80x24_is_the_golden_one(name: str, look: str) -> None:
    check_golden(f"{name}-80x24-{look}", paint_two(TWO_SCREENS[name], 80, 24, LOOKS[look]))


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("name", ["two", "two-countdown", "two-result", "two-ready", "two-of-four"])
def test_the_screen_of_two_at_other_sizes_is_the_golden_one(name: str, size: tuple[int, int]) -> None:
    check_golden(f"{name}-{size[0]}x{size[1]}-signs", paint_two(TWO_SCREENS[name], *size, Look()))


@given(st.sampled_from(sorted(TWO_SCREENS)), st.integers(1, 200), st.integers(1, 60), st.booleans())
@settings(deadline=None, database=None)
def test_every_screen_of_two_fits_every_size(name: str, width: int, height: int, ascii_only: bool) -> None:  # noqa: FBT001
    look = Look(ascii=ascii_only)
    assert_fits(paint_two(TWO_SCREENS[name], width, height, look), width, height, look)


@pytest.mark.parametrize("size", SIZES)
def test_both_hands_are_open_with_their_keys_under_them(size: tuple[int, int]) -> None:
    lines = paint_two(TWO_SCREENS["two"], *size, Look()).lines()
    text = "\n".join(lines)
    for said in ("10♥", "A♦", "K♠", "5♦", "beaten by 0.12 s"):
        assert said in text
    under = [line.split() for line in lines if line.split() in (list("asdfg"), list("hjkl;"), list("asdfghjkl;"))]
    assert sum(map(len, under)) == 10


# --- two sessions -----------------------------------------------------------------------------------------------------


def seat(session: Session, number: int, **changes: Any) -> None:
    """Welcome a session and give it a seat of the deal that runs."""
    now = perf_counter_ns()
    session.connected(now)
    session.receive(encode(Welcome(1, "0.1.0", "f" * 16, session.name, bytes([number]) * 16, 250_000)), now)
    hands = a_view().hands if number == 0 else a_view().hands[::-1]
    room = a_room(reveal_at_ns=now - 47 * SECOND, **changes)
    view = a_view()
    if number:
        view = type(view)(**{name: getattr(view, name) for name in view.__struct_fields__} | {"hands": hands})
    session.receive(encode(Snapshot(10, now, number, room, view)), now)
    session.outbox.clear()


class Pair:
    """The screen of two, its links, and hands on its keyboard."""

    def __init__(self, keys: PipeInput) -> None:
        self.keys = keys
        self.links = [StubLink(), StubLink()]
        self.wanted: list[int] = []
        first = Session("anna", b"", Want(), perf_counter_ns())
        self.screen = TwoScreen(first, self.links[0], self.second, Desk(), terminal_input=keys)
        self.screen.terminal.app.ttimeoutlen = self.screen.terminal.app.timeoutlen = 0.01

    def second(self, table: int) -> tuple[Session, StubLink]:
        self.wanted.append(table)
        return Session("bob", b"", Want(table), perf_counter_ns()), self.links[1]

    @property
    def sessions(self) -> list[Session]:
        return [player.session for player in self.screen.players]

    @property
    def text(self) -> str:
        return "\n".join(self.screen.paint(80, 24).lines())

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(5):
            while not done():  # noqa: ASYNC110 - what is waited for tells nobody
                await asyncio.sleep(0.001)

    async def press(self, text: str, done: Callable[[], object]) -> None:
        self.keys.send_text(text)
        await self.until(done)

    async def sit(self, **changes: Any) -> None:
        seat(self.sessions[0], 0, **changes)
        self.links[0].changed()
        await self.until(lambda: self.links[1].started)
        seat(self.sessions[1], 1, **changes)
        self.links[1].changed()
        for link in self.links:
            link.sent.clear()


def on_screen(test: Callable[[Pair], Any]) -> int:
    async def main(keys: PipeInput) -> int:
        pair = Pair(keys)
        run = asyncio.create_task(pair.screen.run())
        try:
            await pair.until(lambda: pair.links[0].started)
            await test(pair)
        finally:
            for session in pair.sessions:
                session.stop("left", "")
            pair.screen.terminal.exit()
            code = await run
        return code

    return asyncio.run(with_keys(main))


def test_the_second_sits_down_where_the_first_got_a_seat() -> None:
    async def test(pair: Pair) -> None:
        assert "connecting" in pair.text
        await pair.sit()
        assert pair.wanted == [1]
        assert "10♥" in pair.text

    on_screen(test)


def test_each_half_of_the_keyboard_plays_for_its_own_session() -> None:
    async def test(pair: Pair) -> None:
        await pair.sit()
        await pair.press("d", lambda: pair.links[0].sent)
        (mine,) = pair.links[0].sent
        assert isinstance(mine, PlayCard)
        assert mine.pile == -1
        assert not pair.links[1].sent
        assert pair.screen.model.left.bottom.hand[2].sent
        await pair.press("8", lambda: "flips by itself" in pair.screen.model.right.notice.text)

    on_screen(test)


def test_space_asks_for_the_rematch_for_both() -> None:
    async def test(pair: Pair) -> None:
        await pair.sit(phase=OVER, result=Result(0, 6, False, 118_000_000, ()))
        assert "ANNA WINS" in pair.text
        await pair.press(" ", lambda: all(link.sent for link in pair.links))
        assert [type(link.sent[0]) for link in pair.links] == [Ready, Ready]

    on_screen(test)


def test_both_leave_together_and_are_asked_first() -> None:
    async def test(pair: Pair) -> None:
        await pair.sit()
        await pair.press("\x03", lambda: "LEAVE THIS DEAL, BOTH?" in pair.text)
        await pair.press("\x1b", lambda: "LEAVE" not in pair.text)
        await pair.press("\x03\x03", lambda: all(session.ended for session in pair.sessions))
        assert [type(link.sent[-1]) for link in pair.links] == [Leave, Leave]

    assert on_screen(test) == 0


def test_where_one_is_sent_away_the_other_goes_too_and_the_reason_is_read() -> None:
    async def test(pair: Pair) -> None:
        await pair.sit()
        pair.sessions[1].stop("taken_over", "bob plays from elsewhere now")
        pair.links[1].changed()
        await pair.until(lambda: pair.sessions[0].ended)
        await pair.until(lambda: "bob plays from elsewhere now" in pair.text)
        await pair.press("\r", lambda: not pair.screen.terminal.app.is_running)

    assert on_screen(test) == 0


def test_menu_help_and_settings_lie_over_the_game() -> None:
    async def test(pair: Pair) -> None:
        await pair.sit()
        await pair.press("\x1bOP", lambda: "TWO AT ONE KEYBOARD" in pair.text)
        await pair.press("\x1b", lambda: "TWO AT" not in pair.text)
        await pair.press("\x7f", lambda: "MENU" in pair.text)
        await pair.press("\x1b[B\x1b[B\r", lambda: "SETTINGS" in pair.text)
        await pair.press("\x1b", lambda: "SETTINGS" not in pair.text)
        await pair.press("€", lambda: "key € is not bound" in pair.text)

    on_screen(test)
