from __future__ import annotations

import pytest
from tests.client.test_painters import LOOKS, SIZES, assert_fits, check_golden

from speed_client.lobby_page import LobbyPage
from speed_client.pages import Back, Choice, Quit, Seat, TakePart, Watch
from speed_client.style import Look
from speed_common.presets import make_rules
from speed_common.wire import ANY_TABLE, NEW_TABLE, OVER, PLAYING, WAITING, TableLine, TournamentLine

ENTER = "c-m"
TABLES = (
    TableLine(4, WAITING, ("ida", "", "jon", ""), (), "four call-speed"),
    TableLine(1, WAITING, ("cho", ""), (), "us"),
    TableLine(2, PLAYING, ("bob", "bot-3"), (3, 4), "us no-wrap"),
    TableLine(3, OVER, ("Maximilian", "\x1b[2Jeva"), (0, 4), "us"),
)


CUP = TournamentLine("friday-cup", "Friday Cup", "check_in", 8)


def lobby(
    *keys: str,
    tables: tuple[TableLine, ...] = TABLES,
    tournaments: tuple[TournamentLine, ...] = (),
    linked: bool = True,
) -> LobbyPage:
    page = LobbyPage("anna's laptop")
    page.show(tables, tournaments, linked=linked)
    for key in keys:
        assert page.press(key, 0) is None
    return page


SCREENS = {
    "lobby": lobby("j"),
    "lobby-full": lobby("j", "j", ENTER),
    "lobby-empty": lobby(tables=(), linked=False),
    "lobby-help": lobby("?"),
    "lobby-tournament": lobby("j", tournaments=(CUP,)),
}


@pytest.mark.parametrize("size", SIZES[:2] + SIZES[3:])
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", SCREENS)
def test_the_lobby_is_the_golden_one(name: str, size: tuple[int, int], look: str) -> None:
    check_golden(f"{name}-{size[0]}x{size[1]}-{look}", SCREENS[name].paint(*size, LOOKS[look]))


def test_the_lobby_fits_every_size_with_the_most_tables() -> None:
    many = tuple(TableLine(number, WAITING, ("x" * 16, "") * 2, (), "us " * 40) for number in range(1, 513))
    page = lobby(*["down"] * 100, tables=many)
    for width, height in [*SIZES, (1, 1), (79, 23), (200, 60)]:
        assert_fits(page.paint(width, height, Look()), width, height, Look())


@pytest.mark.parametrize(
    ("keys", "choice"),
    [
        ([ENTER], Seat(ANY_TABLE)),
        (["j", ENTER], Seat(1)),
        (["down", "down", "w"], Watch(2)),
        (["w"], Watch(0)),
        (["escape"], Back()),
        (["c-c"], Quit()),
        (["n", ENTER], Seat(NEW_TABLE, (), make_rules("us"))),
        (["n", "escape", "escape"], Back()),
        (["n", "c-c"], Quit()),
        (["?", "x", "escape"], Back()),
    ],
)
def test_a_key_comes_to_a_choice(keys: list[str], choice: Choice) -> None:
    page = lobby()
    found = [page.press(key, 0) for key in keys]
    assert found == [*[None] * (len(keys) - 1), choice]


def test_a_full_table_says_what_to_do_instead() -> None:
    page = lobby("j", "j")
    assert page.press(ENTER, 0) is None
    assert "w watches it, n lays a new one" in page.notice


def test_a_table_that_is_cleared_leaves_the_choice_on_any() -> None:
    page = lobby("j")
    page.show((), linked=True)
    assert page.press(ENTER, 0) == Seat(ANY_TABLE)


def test_what_strangers_are_called_cannot_hurt_the_terminal() -> None:
    text = "\n".join(lobby().paint(80, 24, Look()).lines())
    assert "\x1b" not in text


def test_a_tournament_is_entered_by_enter_and_watched_by_w() -> None:
    page = lobby("j", tournaments=(CUP, TournamentLine("late-cup", "Late Cup", "running", 4)))
    assert page.press(ENTER, 0) == TakePart("friday-cup")
    assert page.press("w", 0) == Watch(0)
    page.press("j", 0)
    assert page.press(ENTER, 0) == TakePart("late-cup")
    page.press("j", 0)
    assert page.press(ENTER, 0) == Seat(1)
