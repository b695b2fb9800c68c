from __future__ import annotations

import logging

import pytest
from msgspec.structs import replace
from prompt_toolkit.data_structures import Size
from tests.client.screens import CALM, COUNTDOWN, OVER, SCREENS, TABLE, TILES, Painted, cards

from speed_client.model import CentrePile, TableModel
from speed_client.painters.canvas import Canvas
from speed_client.painters.sizes import paint_table
from speed_client.painters.tiles import paint_watch
from speed_client.style import THEMES, Look

LOOK = Look()
CARD_BYTES = 230
CLOCK_BYTES = 60


class Shown:
    """A model that a test may change, painted."""

    def __init__(self, model: TableModel, look: Look = LOOK, width: int = 80, height: int = 24) -> None:
        self.model = model
        self.look = look
        self.painted = Painted(self._paint, look, width, height)

    def _paint(self, width: int, height: int) -> Canvas:
        return paint_table(self.model, width, height, self.look)

    def show(self, model: TableModel) -> str:
        self.model = model
        return self.painted.frame()

    def expected(self) -> list[str]:
        size = self.painted.size
        return self._paint(size.columns, size.rows).lines()


def with_top(model: TableModel, name: str, pile: int = 0) -> TableModel:
    piles = list(model.piles)
    piles[pile] = CentrePile(cards(name)[0], piles[pile].side)
    return replace(model, piles=tuple(piles))


@pytest.mark.parametrize("theme", sorted(THEMES))
@pytest.mark.parametrize("name", sorted(SCREENS))
def test_the_terminal_shows_what_was_painted(name: str, theme: str) -> None:
    shown = Shown(SCREENS[name], Look(theme))
    shown.show(SCREENS[name])
    assert shown.painted.lines == shown.expected()


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_from_every_screen_to_every_other_the_difference_is_enough(theme: str) -> None:
    shown = Shown(TABLE, Look(theme))
    shown.painted.frame()
    for first in SCREENS.values():
        for second in (CALM, OVER, COUNTDOWN, TABLE, CALM):
            shown.show(first)
            assert shown.painted.lines == shown.expected()
            shown.show(second)
            assert shown.painted.lines == shown.expected()


def test_a_frame_like_the_last_one_sends_no_cell() -> None:
    shown = Shown(CALM)
    shown.painted.frame()
    assert shown.show(replace(CALM)).replace("\x1b[?25l", "").replace("\x1b[0m", "") == ""


def test_a_card_costs_few_bytes_and_a_clock_fewer() -> None:
    shown = Shown(CALM)
    shown.painted.frame()
    model = CALM
    costs = []
    for name in ["10S", "JH", "QS", "AD", "2C", "3D", "4H", "5S", "6C", "7D", "8H", "9S", "KC"]:
        model = with_top(model, name)
        costs.append(len(shown.show(model).encode()))
    assert max(costs) < CARD_BYTES
    assert sorted(costs)[len(costs) // 2] < 200
    assert len(shown.show(replace(model, clock="0:48")).encode()) < CLOCK_BYTES


def test_the_screen_is_whole_again_after_it_was_cleared() -> None:
    shown = Shown(TABLE)
    shown.painted.frame()
    shown.painted.app.renderer.erase()
    assert len(shown.painted.frame()) > 1_000
    assert shown.painted.lines == shown.expected()


@pytest.mark.parametrize("size", [(60, 20), (40, 10), (10, 3), (1, 1), (120, 40)])
def test_another_size_and_back_paints_anew(size: tuple[int, int]) -> None:
    shown = Shown(TABLE)
    shown.painted.frame()
    for columns, rows in (size, (80, 24)):
        shown.painted.size = Size(rows=rows, columns=columns)
        shown.painted.screen.resize(rows, columns)
        shown.painted.screen.reset()
        shown.painted.frame()
        assert [line.rstrip() for line in shown.painted.lines] == shown.expected()


def test_a_painter_that_fails_leaves_the_last_picture(caplog: pytest.LogCaptureFixture) -> None:
    fails = False

    def paint(width: int, height: int) -> Canvas:
        if fails:
            raise ZeroDivisionError
        return paint_watch(TILES, width, height, LOOK)

    painted = Painted(paint, LOOK)
    painted.frame()
    before = painted.lines
    fails = True
    with caplog.at_level(logging.ERROR):
        painted.frame()
    assert painted.lines == before
    assert "painting 80x24 failed" in caplog.text
