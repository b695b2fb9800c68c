from __future__ import annotations

import pytest

from speed_client.keymap import make_keymap
from speed_client.keys import REPEAT_NS, Do, Intent, PlaySlot, RepeatGuard, digits_text
from speed_common.cards import parse_card
from speed_common.events import AUTO_PILE

LEFT, RIGHT = 0, 1
NINE, TEN = parse_card("9S"), parse_card("10H")
PLAY = PlaySlot(0)


def intent(key: str, language: str = "", piles: int = 2, *, asking: bool = False) -> Intent | None:
    return make_keymap(language=language).intent(key, piles, asking=asking)


def test_digits_play_a_slot_and_leave_the_pile_open() -> None:
    assert [intent(key) for key in "12345"] == [PlaySlot(slot, AUTO_PILE) for slot in range(5)]


def test_a_tenth_card_is_played_by_zero() -> None:
    assert intent("0") == PlaySlot(9)
    assert digits_text(5) == "1-5"
    assert digits_text(10) == "1-9 0"


def test_the_home_row_names_the_pile() -> None:
    assert [intent(key) for key in "asdfg"] == [PlaySlot(slot, LEFT) for slot in range(5)]
    assert [intent(key) for key in "hjkl;"] == [PlaySlot(slot, RIGHT) for slot in range(5)]


@pytest.mark.parametrize(
    ("piles", "rows"),
    [(2, ["asdfg", "hjkl;"]), (3, ["asdfg", "hjkl;", "yuiop"]), (4, ["qwert", "asdfg", "hjkl;", "yuiop"])],
)
def test_each_pile_has_its_row_of_keys_from_left_to_right(piles: int, rows: list[str]) -> None:
    for pile, row in enumerate(rows):
        assert [intent(key, piles=piles) for key in row] == [PlaySlot(slot, pile) for slot in range(5)]
        capitals = row.replace(";", "").upper()
        assert [intent(key, piles=piles) for key in capitals] == [PlaySlot(n, pile) for n in range(len(capitals))]


def test_the_french_q_is_an_a_only_while_q_has_no_pile_of_its_own() -> None:
    assert intent("q", piles=3) == PlaySlot(0, 0)
    assert intent("q", piles=4) == PlaySlot(0, 0)
    assert intent("a", piles=4) == PlaySlot(0, 1)


@pytest.mark.parametrize(("key", "slot", "pile"), [("й", 0, 0), ("ф", 0, 1), ("ж", 4, 2), ("н", 0, 3), ("ö", 4, 2)])
def test_other_alphabets_have_the_rows_too(key: str, slot: int, pile: int) -> None:
    assert intent(key, piles=4) == PlaySlot(slot, pile)


def test_a_letter_that_answers_a_question_plays_no_card() -> None:
    assert intent("r", piles=4) == PlaySlot(3, 0)
    assert intent("r", piles=4, asking=True) == Do("r")
    assert intent("y", piles=3, asking=True) == Do("y")
    assert intent("a", piles=3, asking=True) == PlaySlot(0, 0)


@pytest.mark.parametrize("row", ["&é\"'(", "+ěščř", "+ľščť"])
def test_digit_rows_of_other_layouts_play_the_same_slots(row: str) -> None:
    assert [intent(key) for key in row] == [PlaySlot(slot) for slot in range(5)]


def test_the_lithuanian_row_counts_only_where_it_is_asked_for() -> None:
    assert intent("č") == PlaySlot(3)
    assert [intent(key, "lt") for key in "ąčęėį"] == [PlaySlot(slot) for slot in range(5)]


@pytest.mark.parametrize(("key", "slot", "pile"), [("A", 0, LEFT), ("ф", 0, LEFT), ("ж", 4, RIGHT), ("ö", 4, RIGHT)])
def test_capitals_and_other_alphabets_lie_on_the_same_places(key: str, slot: int, pile: int) -> None:
    assert intent(key) == PlaySlot(slot, pile)


@pytest.mark.parametrize(
    ("key", "word"),
    [
        (" ", "space"),
        ("!", "call"),
        ("?", "help"),
        ("escape", "menu"),
        ("c-h", "menu"),
        ("c-l", "redraw"),
        ("c-c", "interrupt"),
    ],
)
def test_the_other_keys_are_words(key: str, word: str) -> None:
    assert intent(key) == Do(word)


def test_a_key_without_a_meaning_is_none() -> None:
    assert intent("€") is None


def test_a_held_key_plays_a_card_once() -> None:
    guard = RepeatGuard()
    assert guard.lets(PLAY, NINE, 0)
    assert not guard.lets(PLAY, NINE, 30_000_000)
    assert not guard.lets(PLAY, NINE, REPEAT_NS - 1)
    assert guard.lets(PLAY, NINE, REPEAT_NS)


def test_a_new_card_in_the_slot_may_be_played_at_once() -> None:
    guard = RepeatGuard()
    assert guard.lets(PLAY, NINE, 0)
    assert guard.lets(PLAY, TEN, 1)
    assert guard.lets(PlaySlot(1), TEN, 2)


def test_a_key_held_down_does_not_wait_for_the_top_that_its_card_fits() -> None:
    """The guard once took a new top for a new decision: holding a key then played at the very instant it fitted."""
    guard = RepeatGuard()
    assert guard.lets(PLAY, NINE, 0)
    assert not any(guard.lets(PLAY, NINE, at) for at in range(30_000_000, REPEAT_NS, 30_000_000))
