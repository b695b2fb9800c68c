"""Laws of the table, over random legal rules and random play."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.common.random_play import dealt, everything_on, random_play
from tests.common.random_rules import any_rules

from speed_common import decide as judging
from speed_common import stuck
from speed_common.cards import NO_CARD
from speed_common.decide import decide
from speed_common.events import (
    NOBODY,
    AskFlip,
    Autoplay,
    Call,
    Due,
    Event,
    Leave,
    Play,
    Played,
    Refusal,
    Reveal,
    Tucked,
    Won,
)
from speed_common.idle import autoplay_due
from speed_common.presets import make_rules
from speed_common.rules import SECOND_US, Rules, as_card_set, fresh_deck
from speed_common.state import copy_of
from speed_common.table import CALLING, OVER, PLAYING, STUCK, Table, evolve

numbers = st.integers(0, 2**31)


def check_conservation(table: Table) -> None:
    assert everything_on(table) == sorted(fresh_deck(table.rules))


def check_caches(table: Table) -> None:
    """What the table keeps beside the cards says the same as the cards."""
    assert table.held == [as_card_set(hand) for hand in table.hands]
    if table.phase != 0:
        assert table.reach == [table.landing(top, named) for top, named in zip(table.tops, table.named, strict=True)]
    assert (table.due is not None) >= (table.phase in {STUCK, CALLING})
    assert (table.emptied != NOBODY) == (table.phase == CALLING)
    assert table.phase == STUCK or not any(table.asked)
    for seat in range(table.rules.players):
        assert not (table.gone[seat] and (table.cards_left(seat) or table.asked[seat]))


def check_stand(table: Table) -> None:
    """Stuck exactly when nobody can play or draw; a win exactly when somebody has nothing left."""
    union = 0
    for fit in table.reach:
        union |= fit
    can_play = any(held & union for held in table.held)
    can_draw = table.rules.refill == "manual" and any(
        draw and NO_CARD in hand for hand, draw in zip(table.hands, table.draws, strict=True)
    )
    if table.phase == PLAYING:
        assert can_play or can_draw
        assert (table.due is None) == can_play
    elif table.phase == STUCK:
        assert not can_play
        assert not can_draw


def play_through(rules: Rules, number: int, check: Callable[[Table], None]) -> tuple[Table, list[Event]]:
    table, happened = dealt(rules, number), []
    check(table)
    for event in random_play(table, Random(number)):
        evolve(table, event)
        happened.append(event)
        check(table)
    return table, happened


@settings(max_examples=60)
@given(any_rules(), numbers)
def test_no_event_loses_or_makes_a_card(rules: Rules, number: int) -> None:
    play_through(rules, number, check_conservation)


@settings(max_examples=40)
@given(any_rules(), numbers)
def test_what_the_table_remembers_follows_from_its_cards(rules: Rules, number: int) -> None:
    play_through(rules, number, check_caches)


@settings(max_examples=60)
@given(any_rules(tuck=True), numbers)
def test_with_tuck_every_deal_has_a_winner(rules: Rules, number: int) -> None:
    table, happened = play_through(rules, number, lambda _: None)
    assert table.phase == OVER
    assert table.winner != NOBODY
    won = happened[-1]
    assert isinstance(won, Won)
    assert won.score == sum(table.cards_left(seat) for seat in range(rules.players) if seat != won.seat)
    assert won.forfeit or (table.cards_left(won.seat) == 0 and won.score >= 1)
    assert rules.call_speed or table.barren <= -(-(rules.hand_size + rules.draw_size) // rules.hand_size) + 1


@settings(max_examples=40)
@given(any_rules(tuck=False), numbers)
def test_without_tuck_a_deal_has_a_winner_or_is_void(rules: Rules, number: int) -> None:
    table, happened = play_through(rules, number, lambda _: None)
    assert table.phase == OVER
    assert not any(isinstance(event, Tucked) for event in happened)


@settings(max_examples=60)
@given(any_rules(), numbers)
def test_the_table_is_stuck_exactly_when_nobody_can_go_on(rules: Rules, number: int) -> None:
    table = dealt(rules, number)
    for event in random_play(table, Random(number), settled=check_stand):
        evolve(table, event)


@settings(max_examples=40)
@given(any_rules(), numbers)
def test_who_is_moved_for_idleness_can_be_moved_when_it_is_due(rules: Rules, number: int) -> None:
    def settled(table: Table) -> None:
        due = autoplay_due(table)
        if due is not None:
            answer = decide(table, Autoplay(due))
            assert not isinstance(answer, Refusal)
            assert isinstance(answer[0], Played)
            assert isinstance(decide(table, Autoplay(due - 1)), Refusal)

    table = dealt(replace(rules, idle_autoplay_us=10 * SECOND_US), number)
    for event in random_play(table, Random(number), settled):
        evolve(table, event)


@settings(max_examples=30)
@given(any_rules(), numbers)
def test_judging_changes_nothing_and_says_the_same_again(rules: Rules, number: int) -> None:
    table, random = dealt(rules, number), Random(number)
    for event in random_play(table, random):
        before = copy_of(table)
        request = Play(random.randrange(rules.players), random.choice(table.hands[0] + table.hands[1]), -1, event.at)
        assert decide(table, request) == decide(table, request)
        for other in (Due(1 << 39), Call(0, event.at), AskFlip(1, event.at), Leave(1, event.at)):
            assert decide(table, other) == decide(table, other)
        assert table == before
        evolve(table, event)


@settings(max_examples=30)
@given(any_rules(), numbers)
def test_rules_number_and_events_rebuild_the_deal(rules: Rules, number: int) -> None:
    table, happened = play_through(rules, number, lambda _: None)
    again = dealt(rules, number)
    for event in happened:
        evolve(again, event)
    assert again == table


def test_tables_are_told_apart_by_what_lies_on_them() -> None:
    assert dealt(make_rules(), 1) == dealt(make_rules(), 1)
    assert dealt(make_rules(), 1) != dealt(make_rules(), 2)
    assert dealt(make_rules(), 1) != "a table"
    assert "phase=0" in repr(dealt(make_rules(), 1))


def lose_the_odd_card(table: Table) -> tuple[list[list[int]], int]:
    """The planted fault: a reshuffle that halves the pool and forgets the rest."""
    pool = [card for under in table.under for card in under]
    half = len(pool) // 2
    return [pool[:half], pool[half : 2 * half]], table.position + 1


def test_a_reshuffle_that_loses_the_odd_card_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stuck, "_reshuffle", lose_the_odd_card)
    rules = make_rules(hand_size=3, wrap=False)

    def eight_deals() -> None:
        for number in range(8):
            play_through(rules, number, check_conservation)

    assert fails(eight_deals)


def test_a_stand_that_is_not_seen_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "stand", lambda *_: ())
    table = next(table for table in (dealt(make_rules(hand_size=1), n) for n in range(50)) if reveal_is_stuck(table))
    assert fails(lambda: check_stand(table))


def reveal_is_stuck(table: Table) -> bool:
    answer = decide(table, Reveal())
    assert not isinstance(answer, Refusal)
    for event in answer:
        evolve(table, event)
    return not any(held & (table.reach[0] | table.reach[1]) for held in table.held)


def test_a_held_set_that_goes_stale_is_caught() -> None:
    table = dealt(make_rules(), 3)
    table.hands[0][0] = NO_CARD
    assert fails(lambda: check_caches(table))


def fails(check: Callable[[], object]) -> bool:
    try:
        check()
    except AssertionError:
        return True
    return False
