from __future__ import annotations

import pytest
from tests.client.evenings import Named, shown, told

from speed_client.evening import Evening
from speed_client.evening_words import ASKS, EveningTeller, asked


def test_the_first_board_is_told_as_a_whole_and_then_only_what_is_new() -> None:
    teller, evening = EveningTeller(), Named("single", 4).do("draw", "start")
    state = Evening("friday-cup")
    for message in told(evening, 5):
        state.take(message)
    first = list(teller.changed(state))
    assert first[0] == "Friday Cup: 4 players, knock-out, to 25 points; running."
    assert "Table 1: anna against dev, playing." in first
    assert list(teller.changed(state)) == []
    evening.do("announce pizza at eight", "favourites 1")
    for message in told(evening, 30):
        state.take(message)
    later = list(teller.changed(state))
    assert "Note: pizza at eight." in later
    assert "anna beats dev, 25 to 20." in later


def test_a_pause_is_told_with_its_reason() -> None:
    teller, evening = EveningTeller(), Named("single", 4).do("draw", "start")
    list(teller.changed(shown(evening)))
    assert "Friday Cup: PAUSED: fire alarm." in list(teller.changed(shown(evening.do("pause fire alarm"))))


@pytest.mark.parametrize("format_", ["single", "double", "roundrobin", "swiss", "groups+single", "arena"])
@pytest.mark.parametrize("word", ASKS)
def test_what_is_asked_for_is_answered_in_ended_sentences(format_: str, word: str) -> None:
    evening = Named(format_, 8).do("draw", "start", "after 5m" if format_ == "arena" else "favourites 2")
    lines = list(asked(word, shown(evening)))
    assert lines
    assert all(line.endswith(".") and "?" not in line for line in lines)


def test_standings_name_place_points_and_results() -> None:
    lines = list(asked("standings", shown(Named("roundrobin", 3).do("draw", "start", "favourites 9"))))
    assert lines[0] == "1: anna, 2 points, 2 won, 0 lost."


def test_before_anything_is_known_that_is_said() -> None:
    assert list(asked("now", Evening("x"))) == ["No tournament is known yet."]
