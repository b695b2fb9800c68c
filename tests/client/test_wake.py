from __future__ import annotations

import pytest

from speed_client.wake import SECOND_NS as SECOND
from speed_client.wake import Answers, Wake

NOW = 1_000 * SECOND


def test_tenths_wake_with_each_tenth() -> None:
    wake = Wake(5_000_000_000)
    assert wake.tenths_left(1_350_000_000) == "1.4"
    assert wake.at == 5_050_000_000
    assert Wake(0).tenths_left(-5) == "0.0"


def test_the_answer_time_holds_still_for_a_second() -> None:
    answers = Answers()
    assert answers.text(None, NOW) == ""
    assert answers.text(400_000, NOW) == "0.4 ms"
    assert answers.text(900_000, NOW + SECOND - 1) == "0.4 ms"
    assert answers.text(900_000, NOW + SECOND) == "0.9 ms"


def test_what_is_told_of_the_link_holds_still_for_a_second_as_well() -> None:
    answers = Answers()
    assert answers.link(None, 0, None, NOW) == ()
    told = answers.link(400_000, 300_000, None, NOW)
    assert told == ("there and back in 0.4 ms", "at worst 0.3 ms longer")
    assert answers.link(900_000, 0, 9_000_000, NOW + SECOND - 1) == told
    assert answers.link(900_000, 0, 9_000_000, NOW + SECOND)[2] == "all see your plays in 9.0 ms"


def test_a_wake_is_the_first_instant_that_is_not_past() -> None:
    wake = Wake(10)
    for instant in (30, 5, 10, 20):
        wake.by(instant)
    assert wake.at == 20


@pytest.mark.parametrize(("left", "shown", "change"), [(3 * SECOND, 3, SECOND), (2_100_000_000, 3, 100_000_000)])
def test_seconds_that_are_left_count_begun_ones(left: int, shown: int, change: int) -> None:
    wake = Wake(NOW)
    assert wake.seconds_left(left) == shown
    assert wake.at == NOW + change
    assert Wake(NOW + change).seconds_left(left - change) == shown - 1


def test_nothing_is_left_of_what_is_past() -> None:
    wake = Wake(NOW)
    assert (wake.seconds_left(0), wake.seconds_left(-5), wake.at) == (0, 0, None)


def test_seconds_that_are_gone_count_whole_ones() -> None:
    wake = Wake(NOW)
    assert wake.seconds_gone(47_300_000_000) == 47
    assert wake.at == NOW + 700_000_000
