from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.client.evenings import Named, evening, shown
from tests.client.test_painters import LOOKS, assert_fits, check_golden

from speed_client.evening import Evening
from speed_client.evening_pages import KEYS, EveningPages, PageName
from speed_client.style import THEMES, Look

SIZES = [(80, 24), (120, 40), (40, 12)]
FORMATS = ("single", "double", "roundrobin", "swiss", "groups+single", "arena")


@cache
def made(name: str) -> Evening:
    """The evenings of the golden screens."""
    if name == "single":
        return evening("single", 16, "favourites 2", followed="eva")
    if name == "double":
        return evening("double", 8, "favourites 3", followed="cho")
    if name == "swiss":
        return evening("swiss", 13, "favourites 2", followed="dev")
    if name == "groups":
        return evening("groups+single", 8, "favourites 4", followed="bob")
    return evening("roundrobin", 6, "favourites 3", followed="cho")


def pages_of(evening_: Evening, page: PageName) -> EveningPages:
    found = EveningPages(evening_, "tables", [("w", "tables")])
    found.page = page
    return found


GOLDEN: list[tuple[str, PageName]] = [
    ("single", "bracket"),
    ("double", "bracket"),
    ("swiss", "bracket"),
    ("groups", "bracket"),
    ("single", "next"),
    ("roundrobin", "next"),
    ("swiss", "standings"),
    ("groups", "standings"),
    ("roundrobin", "crosstable"),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("name", "page"), GOLDEN)
def test_the_pages_are_the_golden_ones(name: str, page: PageName, look: str, size: tuple[int, int]) -> None:
    canvas = pages_of(made(name), page).paint(*size, LOOKS[look])
    check_golden(f"{page}-{name}-{size[0]}x{size[1]}-{look}", canvas)


@cache
def some(format_: str, players: int, *lines: str) -> Evening:
    return evening(format_, players, *lines, followed="bob")


@given(
    st.sampled_from(FORMATS),
    st.sampled_from([4, 5, 7, 12, 33]),
    st.sampled_from([(), ("favourites 1",), ("favourites 3",), ("withdraw cho", "favourites 2")]),
    st.sampled_from(list(KEYS.values())),
    st.lists(st.sampled_from(["left", "right", "right", "up", "down", "pagedown", "pageup", "f", "?"]), max_size=6),
    st.tuples(st.integers(1, 200), st.integers(1, 60)),
    st.booleans(),
    st.sampled_from(sorted(THEMES)),
)
@settings(deadline=None, database=None, max_examples=150)
def test_every_page_of_every_format_fits_every_size(
    format_: str,
    players: int,
    lines: tuple[str, ...],
    page: PageName,
    keys: list[str],
    size: tuple[int, int],
    ascii_only: bool,  # noqa: FBT001
    theme: str,
) -> None:
    if format_ == "arena":
        lines = ("after 5m",)
    found = pages_of(some(format_, players, *lines), page)
    look = Look(theme, ascii=ascii_only)
    for key in keys:
        found.press(key)
        assert_fits(found.paint(*size, look), *size, look)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("players", [2, 3, 64])
def test_the_smallest_and_the_largest_evening_can_be_shown_in_pure_ascii(format_: str, players: int) -> None:
    found = Named(format_, max(players, 4) if format_ == "groups+single" else players)
    state = shown(found.do("draw", "start"))
    for page in KEYS.values():
        text = "\n".join(pages_of(state, page).paint(80, 24, LOOKS["ascii"]).lines())
        assert text.isascii()
        assert "?" not in text.replace("? help", "").replace("? ", "").replace("?\n", "")


def everything(found: EveningPages, *, width: int = 80) -> str:
    """All that can be seen by scrolling down."""
    seen = []
    for _ in range(12):
        seen.append("\n".join(found.paint(width, 24, Look()).lines()))
        found.press("pagedown")
    return "\n".join(seen)


@pytest.mark.parametrize("format_", ["single", "double", "roundrobin", "swiss"])
def test_everybody_of_64_is_found_by_scrolling(format_: str) -> None:
    state = some(format_, 64)
    text = everything(pages_of(state, "bracket"))
    for number in range(1, 65):
        assert state.name(number)[:6] in text


def test_a_bracket_scrolled_by_rounds_closes_up_and_keeps_its_last_round() -> None:
    found = pages_of(made("single"), "bracket")
    for _ in range(9):
        found.press("right")
    text = "\n".join(found.paint(80, 24, Look()).lines())
    assert "FINAL" in text
    assert "QUARTERS" not in text
    found.press("left")
    assert "SEMI" in "\n".join(found.paint(80, 24, Look()).lines())


def test_the_followed_player_is_marked_by_a_sign_on_every_page() -> None:
    state = evening("roundrobin", 6, "favourites 1", followed="cho")
    marked = {"next": ">", "bracket": ">cho", "standings": ">", "crosstable": "> "}
    for page, sign in marked.items():
        found = pages_of(state, page)  # type: ignore[arg-type]
        assert any("cho" in line and sign in line for line in found.paint(80, 24, Look()).lines()), page


def test_a_player_is_chosen_to_be_followed_by_a_letter_and_enter() -> None:
    state = evening("single", 8, followed="")
    found = pages_of(state, "bracket")
    for key in ("f", "e", "c-m"):
        found.press(key)
    assert state.name(state.followed) == "eva"
    found.press("f")
    assert "> eva" in "\n".join(found.paint(80, 24, Look()).lines())
    found.press("escape")
    assert state.name(state.followed) == "eva"
    for key in ("f", *["up"] * 9, "c-m"):
        found.press(key)
    assert state.followed == 0


def test_a_walk_over_and_a_bye_flow_through_the_bracket() -> None:
    state = evening("single", 5, "walkover M1 dev" if False else "withdraw eva")
    text = "\n".join(pages_of(state, "bracket").paint(80, 24, Look()).lines())
    assert "w/o" in text


def test_a_pause_is_said_with_its_reason_on_every_page() -> None:
    state = evening("single", 8, "pause the lights went out")
    for page in KEYS.values():
        assert "PAUSED: the lights went out" in pages_of(state, page).paint(80, 24, Look()).lines()[0]


def test_the_newest_note_of_the_director_is_shown_on_every_page() -> None:
    state = evening("single", 8, "announce pizza at eight")
    for page in KEYS.values():
        assert "pizza at eight" in pages_of(state, page).paint(80, 24, Look()).lines()[1]


def test_the_second_final_is_shown_once_it_is_needed_and_says_why_it_may_be() -> None:
    before = "\n".join(pages_of(evening("double", 4), "bracket").paint(120, 40, Look()).lines())
    assert "SECOND FINAL, only if" in before


def test_a_champion_is_named_at_the_top() -> None:
    state = evening("single", 4, "favourites 5")
    assert "champion: anna" in pages_of(state, "bracket").paint(80, 24, Look()).lines()[0]


def test_keys_that_mean_nothing_here_are_left_to_the_caller() -> None:
    found = EveningPages(made("single"))
    assert not found.press("x")
    assert not found.press("up")
    assert found.press("b")
    assert not found.press("x")
    assert found.press("escape")
    assert found.page is None
