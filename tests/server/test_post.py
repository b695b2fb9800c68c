"""What goes out: not one byte to a party depends on a card that it must not know."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.evening import Evening
from tests.sim.mutants import planted

from speed_common import wire
from speed_common.deck import Layout, lay_out
from speed_common.table import PLAYING
from speed_server.settings import MS, HubSettings

STEPS = ("play", "play", "play", "wait", "resync", "other resyncs", "other errs", "other drops")
ANNA, BOB = 0, 1


class Told:
    """One evening of two, and every byte that anna and the spectators are sent."""

    def __init__(self, shuffle: Callable[[Layout], Layout]) -> None:
        self.bytes: list[bytes] = []
        self.evening = Evening(HubSettings(countdown_ns=300 * MS, resume_ns=0))
        self.anna, self.bob = self.evening.pair()
        self.evening.watch()
        self._listen()
        with patch("speed_server.deal.lay_out", lambda rules, stream: shuffle(lay_out(rules, stream))):
            self.evening.start(self.anna, self.bob)

    def _listen(self) -> None:
        take, deliver = self.anna.take, self.evening.deliver

        def heard(data: bytes) -> None:
            self.bytes.append(data)
            take(data)

        def delivered() -> None:
            self.bytes += [data for _, data in self.evening.hub.bulletins]
            deliver()

        self.anna.take = heard  # type: ignore[method-assign]
        self.evening.deliver = delivered  # type: ignore[method-assign]

    def step(self, kind: str) -> None:
        anna, bob = self.anna, self.bob
        if kind == "play":
            anna.play_best()
        elif kind == "resync":
            anna.send(wire.Resync(anna.ticket))
        elif kind == "other resyncs":
            bob.send(wire.Resync(bob.ticket))
        elif kind == "other errs":
            assert anna.table is not None
            bob.play(anna.table.hands[ANNA][0])
        elif kind == "other drops":
            self.evening.cut(bob)
            self.evening.pass_time(20 * MS)
            bob.present = True
            bob.send(wire.Resync(bob.ticket))
        self.evening.pass_time(60 * MS)

    @property
    def goes_on_unseen(self) -> bool:
        """Whether nothing happened yet that depends on what anna does not know, and tells her of it."""
        room = next(iter(self.evening.hub._lobby.rooms.values()))
        assert room.deal is not None
        others = any(getattr(event, "seat", ANNA) == BOB for logged in room.deal.log for event in _events(logged))
        return room.deal.table.phase == PLAYING and not others


def _events(logged: Any) -> tuple[Any, ...]:
    return logged.decision if isinstance(logged.decision, tuple) else ()


def unknown_shuffled(order: int) -> Callable[[Layout], Layout]:
    """All that anna does not come to know: the other's hand and draw pile, and the side piles."""

    def shuffle(layout: Layout) -> Layout:
        hands, draws, sides = (list(map(list, heaps)) for heaps in (layout.hands, layout.draws, layout.sides))
        heaps = [hands[BOB], draws[BOB], *sides]
        cards = [card for heap in heaps for card in heap]
        Random(order).shuffle(cards)
        for heap in heaps:
            for at in range(len(heap)):
                heap[at] = cards.pop()
        return layout._replace(hands=hands, draws=draws, sides=sides)

    return shuffle


def compare(steps: list[str], order: int) -> int:
    """How many bytes were the same before anything hidden took effect. Raises `AssertionError` at one that is not."""
    as_dealt, otherwise = Told(lambda layout: layout), Told(unknown_shuffled(order))
    same = 0
    for step in ["", *steps]:
        if step:
            as_dealt.step(step)
            otherwise.step(step)
        if not (as_dealt.goes_on_unseen and otherwise.goes_on_unseen):
            break
        assert as_dealt.bytes == otherwise.bytes
        same = sum(map(len, as_dealt.bytes))
    return same


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=12), st.integers(0, 2**31))
def test_no_byte_to_a_player_or_a_spectator_depends_on_a_card_that_is_hidden_from_them(
    steps: list[str], order: int
) -> None:
    compare(steps, order)


def test_the_comparison_sees_whole_tables_and_plays() -> None:
    assert compare(["play", "resync", "play", "other drops"], 7) > 1_000


@pytest.mark.parametrize("fault", ["leaked hand", "wrong seats view"])
def test_bytes_differ_where_something_hidden_is_told(fault: str) -> None:
    with planted(fault), pytest.raises(AssertionError):
        compare(["play", "resync"], 7)
