from __future__ import annotations

import pytest
from tests.client.test_painters import LOOKS, SIZES, assert_fits, check_golden

from speed_client.keymap import make_keymap
from speed_client.keys import PlaySlot
from speed_client.lesson import SECOND_NS, STEPS, Lesson
from speed_client.pages import Back, Quit
from speed_client.style import Look
from speed_common.cards import rank_of
from speed_common.rules import Rules, rank_fits


def test_it_takes_twenty_seconds_at_most() -> None:
    lesson, now = Lesson("anna", 0), 0
    choice = None
    while choice is None:
        at = lesson.next_due()
        assert at is not None
        now = at
        choice = lesson.due(now)
    assert choice == Back()
    assert now == 20 * SECOND_NS
    assert lesson.next_due() is None


def test_who_presses_the_lit_keys_goes_on_at_once() -> None:
    lesson = Lesson("anna", 0)
    for step in STEPS[:3]:
        assert lesson.press("x", 1) is None
        assert lesson.press(step.key, 1) is None
    assert lesson.step == 3
    assert lesson.due(2) is None
    assert lesson.due(1 + 2 * SECOND_NS) is None
    assert lesson.press("3", 3 * SECOND_NS) is None
    assert lesson.press(" ", 3 * SECOND_NS) == Back()


@pytest.mark.parametrize(("key", "choice"), [("escape", Back()), ("c-m", Back()), ("c-c", Quit())])
def test_it_is_left_at_any_time(key: str, choice: object) -> None:
    assert Lesson("anna", 0).press(key, 0) == choice


def at(step: int) -> Lesson:
    lesson = Lesson("anna", 0)
    for shown in STEPS[:step]:
        lesson.due(round(lesson.next_due() or 0))
        assert lesson.step > 0, shown
    return lesson


def test_every_play_of_it_is_one_that_the_rules_allow_by_the_key_that_does_it() -> None:
    for number, step in enumerate(STEPS):
        lesson = at(number)
        if step.slot < 0:
            continue
        assert rank_fits(Rules(), rank_of(lesson.hand[step.slot]), rank_of(lesson.tops[step.pile])), step
        wish = make_keymap().intent(step.key)
        assert isinstance(wish, PlaySlot)
        assert wish.slot == step.slot
        assert wish.pile in {step.pile, -1}


def test_where_it_says_so_nobody_can_play() -> None:
    lesson = at(3)
    assert not any(rank_fits(Rules(), rank_of(card), rank_of(top)) for card in lesson.hand for top in lesson.tops)


def test_the_key_to_press_is_lit_and_no_other() -> None:
    canvas = at(1).paint(80, 24, Look())
    lit = [(char, y) for y, row in enumerate(canvas.rows) for char, style in row if style == "call"]
    assert [char for char, _ in lit] == ["l"]


@pytest.mark.parametrize("size", [SIZES[0], SIZES[3]])
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("step", [0, 4])
def test_the_lesson_is_the_golden_one(step: int, size: tuple[int, int], look: str) -> None:
    check_golden(f"lesson-{step}-{size[0]}x{size[1]}-{look}", at(step).paint(*size, LOOKS[look]))


def test_the_lesson_fits_every_size() -> None:
    for step in range(len(STEPS)):
        for width, height in [*SIZES, (1, 1), (79, 23), (200, 60)]:
            for look in LOOKS.values():
                assert_fits(at(step).paint(width, height, look), width, height, look)
