from __future__ import annotations

from typing import Any

import pytest

from speed_common.presets import PRESETS, RulesError, check, make_rules
from speed_common.rules import Rules, fresh_deck


@pytest.mark.parametrize(
    ("preset", "changes", "draw", "side"),
    [
        ("us", {}, 15, 5),
        ("web", {}, 15, 5),
        ("wild", {}, 16, 5),
        ("four", {}, 15, 5),
        ("pagat", {}, 10, 10),
        ("us", {"jokers": 2}, 16, 5),
        ("us", {"jokers": 2, "draw_size": 15}, 15, 6),
        ("us", {"jokers": 4}, 17, 5),
        ("us", {"jokers": 4, "side_size": 7}, 15, 7),
        ("us", {"jokers": 1, "out": 1}, 15, 5),
        ("pagat", {"jokers": 2}, 11, 10),
        ("pagat", {"jokers": 2, "side_size": 11}, 10, 11),
        ("us", {"hand_size": 3}, 17, 5),
        ("us", {"hand_size": 1}, 19, 5),
        ("pagat", {"hand_size": 7}, 8, 10),
        ("us", {"piles": 3}, 15, 3),
        ("us", {"draw_size": 10}, 10, 10),
        ("four", {"piles": 3}, 15, 7),
        ("four", {"piles": 2}, 15, 11),
        ("four", {"jokers": 4}, 15, 6),
        ("pagat", {"players": 4}, 10, 10),
        ("us", {"players": 3}, 15, 10),
        ("us", {"players": 3, "piles": 2}, 15, 21),
        ("us", {"players": 3, "piles": 3, "out": 2}, 15, 13),
        ("us", {"players": 3, "piles": 3, "jokers": 4}, 15, 15),
        ("us", {"players": 3, "decks": 1, "draw_size": 6, "piles": 3, "out": 1}, 6, 5),
        ("pagat", {"players": 3, "piles": 2, "jokers": 1}, 10, 29),
        ("pagat", {"players": 3, "piles": 4, "jokers": 1}, 10, 14),
    ],
)
def test_the_named_variants_balance(preset: str, changes: dict[str, Any], draw: int, side: int) -> None:
    rules = make_rules(preset, **changes)
    assert (rules.draw_size, rules.side_size) == (draw, side)
    assert len(fresh_deck(rules)) == rules.cards == rules.dealt


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"side_size": 6}, "draw 15 with side 5 would balance"),
        ({"jokers": 1}, "there are 53: draw 15 with side 5, out 1 would balance"),
        ({"players": 3, "decks": 1}, "hold 60, one deck has 52: take 2 decks, or draw at most 9"),
        ({"players": 3, "piles": 3}, "draw 15 with side 13, out 2 would balance"),
        ({"out": 2}, "set aside at most 1"),
        ({"side_size": 0}, "side is 0, it may be at least 1"),
        ({"hand_size": 11}, "hand is 11, it may be at most 10"),
        ({"players": 5}, "players is 5, it may be at most 4"),
        ({"joker_mode": "declared"}, "needs jokers"),
        ({"match_target": 4}, "too short"),
        ({"match_target": 25, "best_of": 3}, "not both"),
        ({"best_of": 4}, "take 3 or 5"),
        ({"idle_autoplay_us": 9_999_999}, "at least 10 seconds"),
        ({"false_call": "cards"}, "needs call-speed"),
        ({"reshuffle": "never"}, "reshuffle"),
        ({"wrap": "yes"}, "wrap"),
        ({"colour": 1}, "colour"),
        ({"flip_delay_us": 5_000_001}, "flip-delay"),
    ],
)
def test_parameters_that_do_not_go_together_are_refused_with_what_would(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(RulesError, match=told):
        make_rules("us", **changes)


def test_what_is_said_to_balance_does() -> None:
    for players in (2, 3, 4):
        for piles in (2, 3, 4):
            for jokers in (0, 1, 2, 3, 4):
                try:
                    make_rules("pagat", players=players, piles=piles, jokers=jokers)
                except RulesError as error:
                    words = (
                        str(error).split(": ")[1].removesuffix(" would balance").replace("with ", "").replace(",", "")
                    )
                    numbers = dict(zip(words.split()[::2], map(int, words.split()[1::2]), strict=True))
                    sizes = {"draw_size": numbers["draw"], "side_size": numbers["side"], "out": numbers.get("out", 0)}
                    make_rules("pagat", players=players, piles=piles, jokers=jokers, **sizes)


def test_rules_that_came_from_elsewhere_are_checked_as_a_whole() -> None:
    check(Rules())
    with pytest.raises(RulesError, match="take 2 decks, or draw at most 7"):
        check(Rules(players=4))


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match=", ".join(PRESETS)):
        make_rules("german")
