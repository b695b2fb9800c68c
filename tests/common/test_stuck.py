"""The stuck table: flips, reshuffles, tucks, and the end of a deal that cannot go on."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.common.helpers import (
    DEADLOCK,
    P0,
    P1,
    P2,
    A,
    B,
    Deal,
    cards,
    deadlock,
    hopeless,
    kinds,
    ok,
    refused,
    run_out,
    us,
)

from speed_common.cards import NO_CARD, RANK_NAMES, parse_card
from speed_common.events import (
    NOBODY,
    Drew,
    FlipAsked,
    Flipped,
    Freed,
    Played,
    Reshuffled,
    Stuck,
    Tucked,
    Voided,
    Waiting,
)
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import OVER, PLAYING


def ranks(some: list[int]) -> str:
    return " ".join(RANK_NAMES[card % 13].replace("10", "T") for card in some)


def test_t05_with_manual_refill_an_empty_hand_is_no_win_and_must_draw() -> None:
    deal = Deal(("8H", "2S 2C 2D 3D 3H"), ("7C", "JC"), draws=("5C 2H 9C", ""), rules=make_rules(refill="manual"))
    deal.reveal()
    answer = deal.play(P0, "8H", A, at=1.0)
    assert kinds(answer) == [Played, Waiting]
    assert (deal.table.hand_count(P0), len(deal.table.draws[P0]), deal.table.phase) == (0, 3, PLAYING)
    assert deal.events(deal.draw(P0, at=1.2)) == (Drew(us(1.2), P0, 0, parse_card("9C")), Freed(us(1.2)))
    assert ok(deal.play(P0, "9C", A, at=1.5))


def test_with_manual_refill_the_hands_are_filled_for_those_who_do_not_draw() -> None:
    deal = Deal(("8H", "2S 2C 2D 3D 3H"), ("7C", "JC"), draws=("5C 4H 5D", ""), rules=make_rules(refill="manual"))
    deal.reveal()
    assert refused(deal.draw(P1, at=0.5)) == "hand_full"
    deal.play(P0, "8H", A, at=1.0)
    assert kinds(deal.draw(P0, at=1.2)) == [Drew], "still nobody can play, the wait goes on"
    assert deal.table.due == us(2.0)
    assert refused(deal.due(1.9)) == "not_due"
    assert kinds(deal.due(2.0)) == [Drew, Drew, Stuck]
    assert deal.hand(P0) == cards("5D 4H 5C -- --")
    assert deal.table.due == us(3.0)
    assert refused(deal.draw(P0, at=2.1)) == "nothing_to_draw"


def test_t07_a_stuck_table_flips_and_leaves_full_draw_piles_alone() -> None:
    deal = Deal(
        ("2C 2D", "3C 3D"), ("7C", "JC"), draws=("5C 5D", "KC KD"), sides=("9C 4C", "9S 10D"), rules=make_rules()
    )
    assert deal.reveal()[1] == Stuck(0, us(1.0))
    assert refused(deal.due(0.999)) == "not_due"
    deal.due(1.0)
    assert deal.table.tops == cards("4C 10D")
    assert [len(pile) for pile in (*deal.table.draws, *deal.table.sides, *deal.table.under)] == [2, 2, 1, 1, 1, 1]


def test_t08_a_lone_side_pile_flips_alone() -> None:
    deal = Deal(("2H 2D", "2C 2S"), ("KC 7S", "QC JS"), sides=("", "3C"))
    deal.reveal()
    assert kinds(deal.due(1.0)) == [Flipped]
    assert deal.table.tops == cards("7S 3C")
    assert deal.table.sides == [[], []]
    assert ok(deal.play(P0, "2H", B, at=1.5))


def test_t09_an_odd_reshuffle_gives_the_first_pile_one_more() -> None:
    deal = Deal(("2H 2D", "2C 2S"), ("5C 6C 8C 9C 10C JC 7S", "QC KC 3H JS"), sides=("", ""))
    deal.reveal()
    deal.table.played_since_filling = True
    assert kinds(deal.due(1.0)) == [Reshuffled, Flipped]
    assert deal.table.sides == [cards("5C 8C 10C QC"), cards("6C 9C JC")]
    assert [[*under, top] for under, top in zip(deal.table.under, deal.table.tops, strict=True)] == [
        cards("7S 3H"),
        cards("JS KC"),
    ]


def test_a_reshuffle_by_pile_gives_each_side_pile_its_own_centre_pile_back() -> None:
    deal = Deal(("2H 2D", "2C 2S"), ("5C 6C 8C 7S", "QC JS"), sides=("", ""), rules=make_rules(reshuffle="per_pile"))
    deal.reveal()
    deal.table.played_since_filling = True
    assert kinds(deal.due(1.0)) == [Reshuffled, Flipped, Stuck]
    assert deal.table.sides == [cards("5C 6C"), []]
    assert deal.table.tops == cards("8C QC")
    assert kinds(deal.due(2.0)) == [Flipped, Stuck], "a lone flip of the pile that has cards"
    assert deal.table.tops == cards("6C QC")


@pytest.mark.parametrize("with_piles", [True, False])
def test_t10_with_nothing_to_reshuffle_hands_are_tucked_or_the_deal_is_void(with_piles: bool) -> None:  # noqa: FBT001
    deal = Deal(
        ("2H 2D", "2C 2S"),
        ("7C", "JC"),
        draws=("6H", "KC") if with_piles else ("", ""),
        sides=("", ""),
        rules=make_rules(hand_size=2),
    )
    deal.reveal()
    if not with_piles:
        assert kinds(deal.due(1.0)) == [Voided]
        assert (deal.table.phase, deal.table.winner, deal.table.score) == (OVER, NOBODY, 0)
        return
    assert kinds(deal.due(1.0)) == [Tucked]
    assert deal.table.hands == [cards("6H 2H"), cards("KC 2C")]
    assert deal.table.draws == [cards("2D"), cards("2S")]


@pytest.mark.parametrize("wrap", [True, False])
def test_t12_aces_and_kings_alone_are_stuck_at_once_only_without_wrap(wrap: bool) -> None:  # noqa: FBT001
    deal = Deal(("AH KS", "KH AS"), ("KD", "AC"), rules=make_rules(wrap=wrap))
    assert kinds(deal.reveal())[1:] == ([] if wrap else [Stuck])
    if wrap:
        assert ok(deal.play(P0, "AH", A))


def test_the_deadlock_is_laid_from_one_full_deck() -> None:
    deal = deadlock(tuck=True)
    assert ranks(deal.hand(P0)) == "6 8 7 7 8"
    assert ranks(deal.hand(P1)) == "8 5 5 6 7"
    piles = (*DEADLOCK["hands"], *DEADLOCK["draws"], *DEADLOCK["centre"], *DEADLOCK["sides"])
    assert sorted(cards(" ".join(piles))) == list(range(52))


def test_a_deal_that_no_tuck_can_help_is_void_by_the_guard() -> None:
    deal = hopeless(make_rules(hand_size=1))
    deal.reveal()
    happened = [type(event) for _, event in run_out(deal)]
    assert happened[-1] is Voided
    for kind, following in pairwise(kind for kind in happened if kind in {Tucked, Reshuffled}):
        assert kind != following, "a pass over the whole table lies between two tucks"
    assert happened.count(Tucked) == 4, "two windows make K = 2; more than K + 1 tucks without a play end the deal"
    assert deal.table.winner == NOBODY


def test_without_tuck_a_dead_deal_is_void() -> None:
    deal = hopeless(make_rules(hand_size=1, tuck=False))
    deal.reveal()
    happened = [type(event) for _, event in run_out(deal)]
    assert happened[-1] is Voided
    assert Tucked not in happened


def test_after_a_play_the_empty_side_piles_are_filled_and_no_hand_is_tucked() -> None:
    deal = Deal(("8H 2C", "2D 2H"), ("7C 7D", "QC QH"), draws=("2S", "KC"), sides=("", ""))
    deal.reveal()
    deal.table.barren = 2
    assert kinds(deal.play(P0, "8H", A)) == [Played, Stuck]
    assert deal.table.barren == 0
    assert kinds(deal.due(2.0))[:2] == [Reshuffled, Flipped]


def test_t23_a_true_deadlock_ends_in_a_tuck_after_which_both_can_play() -> None:
    deal = deadlock(tuck=True)
    happened = run_out(deal)
    flips = [at for at, event in happened if isinstance(event, Flipped)]
    (reshuffled,) = [event for _, event in happened if isinstance(event, Reshuffled)]
    (tucked,) = [(at, event) for at, event in happened if isinstance(event, Tucked)]
    assert flips == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [len(side) for side in reshuffled.sides] == [6, 5]
    assert reshuffled.at == us(6)
    lone = [event for _, event in happened if isinstance(event, Flipped) and NO_CARD in event.tops]
    assert lone[-1].at == us(11)
    assert tucked[0] == 12
    assert [ranks(list(hand)) for hand in tucked[1].hands] == ["9 8 3 3 5", "9 A 4 7 2"]
    assert deal.table.phase == PLAYING
    assert all(held & (deal.table.reach[A] | deal.table.reach[B]) for held in deal.table.held)


def test_t23_without_tuck_it_never_ends_and_is_void() -> None:
    deal = deadlock(tuck=False)
    happened = run_out(deal)
    assert isinstance(happened[-1][1], Voided)


def asking(rules: Rules) -> Deal:
    deal = Deal(("2C 2D", "3C 3D", "3H 3S")[: rules.players], ("7C", "JC"), sides=("9C 4C", "9S 10D"), rules=rules)
    deal.reveal()
    return deal


def test_a_table_that_flips_when_all_ask_waits_for_the_last_of_three() -> None:
    deal = asking(Rules(players=3, flip_trigger="all_ready"))
    assert deal.table.due == us(10)
    assert deal.ask_flip(P2, at=0.5) == (FlipAsked(us(0.5), P2),)
    assert deal.ask_flip(P2, at=0.6) == ()
    assert deal.ask_flip(P0, at=0.7) == (FlipAsked(us(0.7), P0),)
    assert deal.table.asked == [True, False, True]
    assert kinds(deal.ask_flip(P1, at=3.0)) == [FlipAsked, Flipped]
    assert deal.table.asked == [False] * 3
    assert refused(deal.ask_flip(P1, at=3.1)) == "not_due"


def test_after_ten_seconds_it_flips_though_somebody_has_not_asked() -> None:
    deal = asking(Rules(flip_trigger="all_ready"))
    deal.ask_flip(P0, at=0.5)
    assert refused(deal.due(9.9)) == "not_due"
    assert kinds(deal.due(10.0)) == [Flipped]
    assert deal.table.asked == [False, False]


def test_nobody_asks_for_a_flip_that_comes_by_itself_or_where_nobody_is_stuck() -> None:
    assert refused(asking(Rules()).ask_flip(P0, at=0.5)) == "not_due"
    deal = Deal(("8C 2D", "3C 3D"), ("7C", "JC"), rules=Rules(flip_trigger="all_ready"))
    assert refused(deal.ask_flip(P0, at=0.0)) == "not_due"
    deal.reveal()
    assert refused(deal.ask_flip(P0, at=0.5)) == "not_due"


def test_four_side_piles_flip_together_and_an_odd_pool_goes_round_them() -> None:
    deal = Deal(
        ("2H 2D", "2C 2S", "3C 3D", "3H 3S"),
        ("7C", "JC 5C 7D", "6C 6D 8C 7S", "JD"),
        sides=("", "", "", ""),
        rules=make_rules("four"),
    )
    deal.reveal()
    deal.table.played_since_filling = True
    assert kinds(deal.due(1.0)) == [Reshuffled, Flipped, Stuck]
    assert deal.table.sides == [cards("JC"), [], [], []]
    assert deal.table.tops == cards("8C 5C 6C 6D")
    assert kinds(deal.due(2.0)) == [Flipped, Stuck], "a lone flip of the pile that has one more"
    assert deal.table.tops == cards("JC 5C 6C 6D")
