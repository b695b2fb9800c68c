"""The oracle itself: it lets pass what everybody may know, and nothing else."""

from __future__ import annotations

import pytest
from tests.server.evening import Evening, Player
from tests.sim.oracle import Oracle
from tests.sim.truth import Breach, Place, Truth

from speed_common import wire
from speed_common.events import Played, Reshuffled, Tucked

ANNA = {Place(1, 0)}


def dealt() -> tuple[Oracle, Player, Player]:
    """A deal just revealed, and an oracle that saw it all."""
    evening = Evening()
    truth = Truth(evening.hub)
    anna, bob = evening.dealt_pair()
    list(truth.follow(evening.now))
    return Oracle(truth), anna, bob


def judge(oracle: Oracle, message: wire.Down, places: set[Place] = ANNA, topic: bytes = b"") -> None:
    oracle.judge(wire.encode(message), places, [], topic)


def test_every_message_of_an_honest_hub_passes() -> None:
    oracle, anna, bob = dealt()
    for message in anna.heard:
        judge(oracle, message)
    for message in bob.heard:
        judge(oracle, message, {Place(1, 1)})


def test_another_players_view_does_not_pass() -> None:
    oracle, _, bob = dealt()
    with pytest.raises(Breach, match="a view of"):
        judge(oracle, bob.last(wire.Snapshot))


def test_a_refill_is_told_to_its_own_player_only() -> None:
    oracle, anna, _ = dealt()
    assert anna.table is not None
    top, held = anna.table.tops[0], anna.table.hands[0][0]
    played = wire.Delta(1, 1, (Played(5, 0, 0, top, 0, held),))
    judge(oracle, played)
    with pytest.raises(Breach, match=f"card {held} of 0 was told"):
        judge(oracle, played, {Place(1, 1)})
    with pytest.raises(Breach, match=f"card {held} of 0 was told"):
        judge(oracle, played, set(), wire.table_topic(1))


def test_no_pile_is_shown_to_anybody_though_its_cards_lay_open_once() -> None:
    oracle, anna, _ = dealt()
    assert anna.table is not None
    top = anna.table.tops[0]
    with pytest.raises(Breach, match=f"card {top} of -2"):
        judge(oracle, wire.Delta(1, 1, (Reshuffled(5, ((top,), ()), 0),)))
    with pytest.raises(Breach, match=f"card {top} of -2"):
        judge(oracle, wire.Delta(1, 1, (Tucked(5, ((), ()), ((top,), ())),)))


def test_the_card_ahead_is_the_next_of_the_own_draw_pile_and_no_other() -> None:
    oracle, _, _ = dealt()
    own, others = oracle._truth.deals[1].next_cards[-1]
    judge(oracle, wire.Delta(1, 1, (), None, own))
    with pytest.raises(Breach, match="told as the next one"):
        judge(oracle, wire.Delta(1, 1, (), None, others))


def test_neither_the_seed_nor_a_strangers_ticket_is_told() -> None:
    oracle, _, bob = dealt()
    with pytest.raises(Breach, match="seed of table 1"):
        judge(oracle, _commitment(oracle))
    with pytest.raises(Breach, match="ticket of somebody else"):
        oracle.judge(wire.encode(wire.Welcome(1, "", "", "", bob.ticket, 1)), ANNA, [bob.ticket])


def _commitment(oracle: Oracle) -> wire.Snapshot:
    """A snapshot whose commitment is the seed itself."""
    room = wire.Room(1, wire.COUNTDOWN, (), oracle._truth.deals[1].table.rules, 1, 0, oracle._truth.deals[1].seed)
    return wire.Snapshot(0, 0, 0, room)
