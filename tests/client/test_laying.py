from __future__ import annotations

import pytest
from tests.client.test_painters import LOOKS, SIZES, assert_fits, check_golden

from speed_client.laying import _COUNTS, _RULES, _TENTHS, LayingPage
from speed_client.pages import Back, Quit, Seat
from speed_client.style import Look
from speed_common.presets import PRESETS, make_rules
from speed_common.rule_words import WORDS
from speed_common.wire import NEW_TABLE

ENTER = "c-m"


def after(*keys: str) -> LayingPage:
    page = LayingPage()
    for key in keys:
        assert page.press(key, 0) is None
    return page


def at(page: LayingPage, word: str) -> LayingPage:
    """Go down to the line of a word."""
    lines = [line.word for line in page._lines()]
    for _ in range(lines.index(word) - page._place()):
        page.press("down", 0)
    return page


REFUSED = at(at(after("down", "right"), "players"), "decks")
REFUSED.press("up", 0)
REFUSED.press("right", 0)
REFUSED.press("down", 0)
REFUSED.press("right", 0)
SCREENS = {"new-table": after("down", "right", "right", "right"), "new-table-refused": REFUSED}


@pytest.mark.parametrize("size", SIZES[:2] + SIZES[3:])
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", SCREENS)
def test_the_form_is_the_golden_one(name: str, size: tuple[int, int], look: str) -> None:
    check_golden(f"{name}-{size[0]}x{size[1]}-{look}", SCREENS[name].paint(*size, LOOKS[look]))


def test_the_form_fits_every_size() -> None:
    for ascii_only in (False, True):
        look = Look(ascii=ascii_only)
        for width, height in [*SIZES, (1, 1), (79, 23), (200, 60)]:
            assert_fits(SCREENS["new-table-refused"].paint(width, height, look), width, height, look)


def test_enter_lays_a_common_table_for_two_people() -> None:
    assert LayingPage().press(ENTER, 0) == Seat(NEW_TABLE, (), make_rules("us"))


def test_a_preset_brings_all_its_rules() -> None:
    page = LayingPage()
    for _ in range(list(PRESETS).index("four")):
        page.press("right", 0)
    assert page.press(ENTER, 0) == Seat(NEW_TABLE, (), make_rules("four"))
    page.press("left", 0)
    assert page.rules == make_rules("wild")


def test_every_other_seat_may_have_a_computer_of_ten_speeds() -> None:
    page = at(LayingPage(), "players")
    page.press("right", 0)
    page.press("up", 0)
    for _ in range(10):
        page.press("right", 0)
    page.press("up", 0)
    page.press("right", 0)
    assert page.press(ENTER, 0) == Seat(NEW_TABLE, (1, 10), make_rules("us", players=3))
    page.press("c-h", 0)
    assert page.press(ENTER, 0) == Seat(NEW_TABLE, (10,), make_rules("us", players=3))


def test_the_choice_stays_on_its_line_when_seats_come() -> None:
    page = at(LayingPage(), "players")
    page.press("right", 0)
    page.press("right", 0)
    assert page.rules == make_rules("us", players=4)


def test_a_refused_combination_is_explained_and_lays_nothing() -> None:
    page = at(LayingPage(), "joker-mode")
    page.press("right", 0)
    assert page.rules is None
    assert "declared needs jokers" in page.complaint
    assert page.press(ENTER, 0) is None
    page.press("backspace", 0)
    assert page.complaint == ""
    assert page.rules == make_rules("us")


def test_every_rule_has_its_line_and_every_line_its_values() -> None:
    assert [line.word for line in _RULES] == [word.word for word in WORDS]
    assert _COUNTS.keys() | _TENTHS.keys() == {word.word for word in WORDS if word.kind in {"count", "seconds"}}
    for line in _RULES:
        page = at(LayingPage(), line.word)
        before = page._value(line)
        for _ in range(len(line.values)):
            page.press("right", 0)
        assert before not in line.values or page._value(line) == before, line.word


def test_a_flag_and_a_time_are_changed_by_the_arrows() -> None:
    page = at(LayingPage(), "wrap")
    page.press("right", 0)
    page = at(page, "flip-delay")
    page.press("left", 0)
    assert page.rules == make_rules("us", wrap=False, flip_delay_us=500_000)


def test_escape_goes_back_and_ctrl_c_quits() -> None:
    assert LayingPage().press("escape", 0) == Back()
    assert LayingPage().press("c-c", 0) == Quit()
    assert after("?", "escape").press("escape", 0) == Back()
