"""Hiding: the square of evolve and hide commutes, and no card that a viewer has not seen is anywhere in its view."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import product
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.common.helpers import deadlock, hopeless, run_out
from tests.common.random_play import dealt, random_play
from tests.common.random_rules import any_rules

from speed_common import views
from speed_common.cards import HIDDEN, NO_CARD
from speed_common.events import Beaten, Event, Left, Played, Took, Tucked
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import DEALT, SPECTATOR, Table, evolve
from speed_common.views import View, hide, hide_event, insiders_of, table_of, view_of

numbers = st.integers(0, 2**31)
viewers = st.sampled_from([0, 1, 2, 3, SPECTATOR])


def follow(rules: Rules, number: int, viewer: int, each: Callable[[Table, Table, Event], None]) -> None:
    """Play a deal at random with a viewer's table beside it; `each` gets both tables and the hidden event."""
    table = dealt(rules, number)
    view = hide(table, viewer)
    for event in random_play(table, Random(number)):
        hidden = views.hide_event(event, viewer)
        evolve(table, event)
        evolve(view, hidden)
        each(table, view, hidden)


def check_square(rules: Rules, number: int, viewer: int) -> None:
    def each(table: Table, view: Table, _: Event) -> None:
        assert view == hide(table, viewer)

    follow(rules, number, viewer, each)


def cards_in(value: object, fields: tuple[str, ...]) -> set[int]:
    """Every card in the named fields, however deeply they nest."""
    found: set[int] = set()

    def walk(part: Any) -> None:
        if isinstance(part, int):
            found.add(part)
        elif part is not None:
            for inner in part:
                walk(inner)

    for name in fields:
        walk(getattr(value, name))
    return {card for card in found if card >= 0}


CARD_FIELDS_OF_A_TABLE = ("hands", "draws", "tops", "under", "sides", "out")
CARD_FIELDS_OF_EVENTS = {"hands", "tops", "card", "refill", "sides", "draws", "hand", "draw"}


def seen_by(table: Table, viewer: int, seen: set[int]) -> set[int]:
    """All that the viewer has seen so far: its own hand and the tops."""
    if table.phase != DEALT:
        seen |= {card for card in table.tops if card >= 0}
        if 0 <= viewer < len(table.hands):
            seen |= {card for card in table.hands[viewer] if card >= 0}
    return seen


def check_secrecy(rules: Rules, number: int, viewer: int) -> None:
    seen: set[int] = set()
    table = dealt(rules, number)
    assert not cards_in(hide(table, viewer), CARD_FIELDS_OF_A_TABLE)

    def each(table: Table, view: Table, hidden: Event) -> None:
        seen_by(table, viewer, seen)
        fields = tuple(CARD_FIELDS_OF_EVENTS & set(hidden.__struct_fields__))
        assert cards_in(hidden, fields) <= seen
        assert cards_in(view, CARD_FIELDS_OF_A_TABLE) <= seen
        assert cards_in(hide(table, viewer), CARD_FIELDS_OF_A_TABLE) <= seen
        for seat, held in enumerate(view.held):
            assert seat == viewer or not held
        assert not any(view.changes)
        assert view.stream is None
        assert view.position == 0

    follow(rules, number, viewer, each)


@settings(max_examples=60)
@given(any_rules(), numbers, viewers)
def test_hiding_what_happened_is_seeing_it_happen_hidden(rules: Rules, number: int, viewer: int) -> None:
    check_square(rules, number, viewer)


@settings(max_examples=40)
@given(any_rules(), numbers, viewers)
def test_no_unseen_card_is_in_a_view_or_an_event(rules: Rules, number: int, viewer: int) -> None:
    check_secrecy(rules, number, viewer)


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
@pytest.mark.parametrize("tuck", [True, False])
@pytest.mark.parametrize("full_deck", [True, False])
def test_tucks_and_barren_passes_are_hidden_as_well(viewer: int, tuck: bool, full_deck: bool) -> None:  # noqa: FBT001
    deal = deadlock(tuck=tuck) if full_deck else hopeless(make_rules(hand_size=1, tuck=tuck))
    if not full_deck:
        deal.reveal()
    view, seen = hide(deal.table, viewer), seen_by(deal.table, viewer, set())

    def watch(table: Table, event: Event) -> None:
        hidden = hide_event(event, viewer)
        evolve(view, hidden)
        assert view == hide(table, viewer)
        fields = tuple(CARD_FIELDS_OF_EVENTS & set(hidden.__struct_fields__))
        assert cards_in(hidden, fields) <= seen_by(table, viewer, seen)
        assert cards_in(view, CARD_FIELDS_OF_A_TABLE) <= seen

    deal.watch = watch
    happened = {type(event) for _, event in run_out(deal)}
    assert (Tucked in happened) == tuck


@settings(max_examples=30)
@given(any_rules(), numbers, viewers)
def test_a_view_sent_as_a_message_is_the_same_view_and_plays_on(rules: Rules, number: int, viewer: int) -> None:
    rebuilt: list[Table] = []

    def each(table: Table, view: Table, hidden: Event) -> None:
        for older in rebuilt[-3:]:
            evolve(older, hidden)
            assert view_of(older, viewer) == view_of(view, viewer)
        message = view_of(table, viewer)
        assert message == view_of(view, viewer)
        assert msgspec.convert(msgspec.to_builtins(message), View) == message
        again = table_of(rules, message, viewer)
        assert view_of(again, viewer) == message
        assert again.held == view.held
        assert again.reach == view.reach
        rebuilt.append(again)

    follow(rules, number, viewer, each)


@settings(max_examples=20)
@given(numbers, numbers)
def test_nobodys_view_depends_on_cards_that_it_may_not_see(number: int, other: int) -> None:
    """Two deals that differ only in hidden cards look the same to their viewer, before and at the reveal."""
    rules = make_rules()
    table, twin = dealt(rules, number), dealt(rules, number)
    hidden = [*twin.draws[0], *twin.draws[1], *twin.hands[1], *twin.sides[0], *twin.sides[1]]
    Random(other).shuffle(hidden)
    for heap in (twin.draws[0], twin.draws[1], twin.hands[1], *twin.sides):
        heap[:] = [hidden.pop() for _ in heap]
    assert view_of(table, 0) == view_of(twin, 0)
    for each in (table, twin):
        each.phase = 1
    assert view_of(table, 0) == view_of(twin, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"hands": ((1, 2, 3, 4, 5),)},
        {"draws": (1, 2, 3)},
        {"tops": (1,)},
        {"sides": ()},
        {"under": (0, 0, 0)},
        {"lifted": (0,)},
        {"lifted": (5, 0)},
        {"beaten": ()},
        {"named": (1,)},
        {"gone": (True,)},
        {"asked": (True, False, True)},
        {"frozen": (5,)},
        {"emptied": 2},
        {"hands": ((1, 2, 3), (1, 2, 3, 4, 5))},
    ],
)
def test_a_view_of_another_kind_of_table_is_refused(change: dict[str, Any]) -> None:
    rules = make_rules()
    view = view_of(dealt(rules, 1), 0)
    with pytest.raises(ValueError, match="the view is not of a table"):
        table_of(rules, msgspec.structs.replace(view, **change), 0)


def test_before_the_reveal_a_player_sees_not_even_the_own_hand() -> None:
    view = view_of(dealt(make_rules(), 1), 0)
    assert view.hands == ((HIDDEN,) * 5,) * 2
    assert view.tops == (HIDDEN, HIDDEN)
    assert view.draws == (15, 15)
    assert view.sides == (5, 5)


@pytest.mark.parametrize("viewer", [0, 2, SPECTATOR])
def test_whatever_can_happen_at_a_table_is_hidden_as_it_should_be(viewer: int) -> None:
    """The square and the secrecy for deals in which all kinds of events come up, made sure that they do."""
    happened: set[type] = set()
    for false_call, refill, tuck in product(["freeze", "cards"], ["auto", "manual"], [True, False]):
        changes: dict[str, Any] = {"false_call": false_call, "refill": refill, "tuck": tuck}
        rules = make_rules("four", hand_size=3, call_speed=True, flip_trigger="all_ready", wrap=False, **changes)
        alone = make_rules(hand_size=1, call_speed=True, wrap=False, **changes)
        for one, number in product((rules, alone), range(4)):
            check_square(one, number, viewer)
            check_secrecy(one, number, viewer)
            follow(one, number, viewer, lambda _, __, event: happened.add(type(event)))
    assert happened >= set(get_args(Event)) - {Beaten}, "a lost race is rare, and says nothing of cards"


def test_who_takes_a_pile_sees_the_hand_and_nobody_the_rest() -> None:
    took = Took(5, 1, 0, (3, 4, NO_CARD), (5, 6), 99, 0)
    assert hide_event(took, 1) == Took(5, 1, 0, (3, 4, NO_CARD), (HIDDEN, HIDDEN), 0, 0)
    assert hide_event(took, 0) == Took(5, 1, 0, (HIDDEN, HIDDEN, NO_CARD), (HIDDEN, HIDDEN), 0, 0)
    assert list(insiders_of([took])) == [1]


def test_nobody_sees_where_a_leavers_cards_went() -> None:
    left = Left(5, 1, ((3, 4), ()), 99)
    for viewer in (0, 1, SPECTATOR):
        assert hide_event(left, viewer) == Left(5, 1, ((HIDDEN, HIDDEN), ()), 0)
    assert not insiders_of([left])


def leak_the_refill(event: Event, viewer: int) -> Event:
    """The planted fault: the other's drawn card goes out as it is."""
    return event if isinstance(event, Played) else hide_event(event, viewer)


@pytest.mark.parametrize("check", [check_square, check_secrecy])
def test_a_leaked_refill_is_caught(check: Callable[[Rules, int, int], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "hide_event", leak_the_refill)
    with pytest.raises(AssertionError):
        check(make_rules(), 1, SPECTATOR)


def swapped(table: Table, viewer: int, random: Random) -> Table:
    """The same table with all cards that this viewer must not know in each other's places."""
    other = deepcopy(table)
    known = table.phase != DEALT
    heaps = [*other.draws, *other.under, *other.sides, other.out]
    heaps += [hand for seat, hand in enumerate(other.hands) if seat != viewer or not known]
    if not known:
        heaps.append(other.tops)
    places = [(heap, at) for heap in heaps for at, card in enumerate(heap) if card >= 0]
    cards = [heap[at] for heap, at in places]
    random.shuffle(cards)
    for (heap, at), card in zip(places, cards, strict=True):
        heap[at] = card
    return other


@settings(max_examples=40, deadline=None)
@given(any_rules(), numbers, viewers, numbers)
def test_no_byte_of_a_view_depends_on_a_card_that_the_viewer_must_not_know(
    rules: Rules, number: int, viewer: int, order: int
) -> None:
    viewer = viewer if viewer < rules.players else SPECTATOR
    table, random = dealt(rules, number), Random(order)
    encode = msgspec.msgpack.Encoder().encode
    assert encode(view_of(swapped(table, viewer, random), viewer)) == encode(view_of(table, viewer))
    for event in random_play(table, Random(number)):
        evolve(table, event)
        other = swapped(table, viewer, random)
        assert encode(view_of(other, viewer)) == encode(view_of(table, viewer))
        assert hide(other, viewer) == hide(table, viewer)
