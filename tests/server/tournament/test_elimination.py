from __future__ import annotations

import pytest
from tests.server.tournament.rehearsing import Evening

from speed_server.tournament.bracket import seed_order, single_elimination, size_for
from speed_server.tournament.double import double_elimination
from speed_server.tournament.model import EMPTY


def numbers(text: str) -> str:
    return " ".join(sorted(text.split(), key=str))


def test_thirteen_play_single_elimination_as_seeded() -> None:
    evening = Evening("single", 13)
    assert [line["winner"] for line in evening.of("bye")] == ["1", "2", "3"]
    assert evening.real("main", 1) == "8-9 4-13 5-12 7-10 6-11"
    evening.do("favourites 9")
    assert evening.real("main", 2) == "1-8 4-5 2-7 3-6"
    assert evening.real("main", 3) == "1-4 2-3"
    assert evening.real("main", 4) == "1-2"
    assert evening.played() == 12
    assert evening.places() == {
        "1": "1",
        "2": "2",
        "3-4": "3 4",
        "5-8": "5 6 7 8",
        "9-13": numbers("9 10 11 12 13"),
    }
    assert evening.of("finished")[0]["champion"] == "1"


def test_the_third_place_is_played_for_when_it_is_asked_for() -> None:
    evening = Evening("single", 13, "third on").do("favourites 9")
    assert evening.real("third", 4) == "4-3"
    assert evening.played() == 13
    assert list(evening.places().items())[:4] == [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")]


@pytest.mark.parametrize(
    ("players", "size", "byes", "first"),
    [
        (2, 2, 0, 1),
        (3, 4, 1, 1),
        (5, 8, 3, 1),
        (6, 8, 2, 2),
        (9, 16, 7, 1),
        (13, 16, 3, 5),
        (17, 32, 15, 1),
        (33, 64, 31, 1),
        (64, 64, 0, 32),
    ],
)
def test_a_bracket_has_the_size_the_byes_and_the_first_round_of_its_field(
    players: int, size: int, byes: int, first: int
) -> None:
    opening = [spec for spec in single_elimination(range(1, players + 1)) if spec.round == 1]
    assert size_for(players) == size
    assert sum(EMPTY in (spec.a.ref, spec.b.ref) for spec in opening) == byes
    assert sum(EMPTY not in (spec.a.ref, spec.b.ref) for spec in opening) == first


def test_the_first_rounds_of_small_brackets() -> None:
    assert Evening("single", 5).real("main", 1) == "4-5"
    assert Evening("single", 6).real("main", 1) == "4-5 3-6"
    assert Evening("single", 9).real("main", 1) == "8-9"
    assert Evening("single", 17).real("main", 1) == "16-17"
    assert Evening("single", 33).real("main", 1) == "32-33"


@pytest.mark.parametrize("players", range(2, 65))
def test_the_first_two_seeds_can_meet_only_in_the_final_and_no_empty_slots_meet(players: int) -> None:
    order = seed_order(size_for(players))
    assert abs(order.index(1) // (len(order) // 2) - order.index(2) // (len(order) // 2)) == 1
    assert all(min(pair) <= players for pair in zip(order[::2], order[1::2], strict=True))


def test_thirteen_play_double_elimination_as_seeded() -> None:
    evening = Evening("double", 13).do("favourites 30")
    assert evening.real("winners", 1) == "8-9 4-13 5-12 7-10 6-11"
    assert evening.real("winners", 2) == "1-8 4-5 2-7 3-6"
    assert evening.real("winners", 3) == "1-4 2-3"
    assert evening.real("winners", 4) == "1-2"
    assert evening.real("losers", 1) == "13-12"
    assert evening.real("losers", 2) == "6-9 7-12 5-10 8-11"
    assert evening.real("losers", 3) == "6-7 5-8"
    assert evening.real("losers", 4) == "4-6 3-5"
    assert evening.real("losers", 5) == "4-3"
    assert evening.real("losers", 6) == "2-3"
    assert evening.real("final", 1) == "1-2"
    assert evening.played() == 24
    assert evening.places() == {
        "1": "1",
        "2": "2",
        "3": "3",
        "4": "4",
        "5-6": "5 6",
        "7-8": "7 8",
        "9-12": numbers("9 10 11 12"),
        "13": "13",
    }
    assert len(evening.of("not_needed")) == 1


@pytest.mark.parametrize("players", range(3, 65))
def test_in_double_elimination_everybody_but_the_winner_loses_twice_and_no_re_match_comes_early(players: int) -> None:
    earliest = {4: 2, 8: 3, 16: 4, 32: 5, 64: 7}[size_for(players)]
    values: dict[tuple[str, int], int] = {}
    losses = dict.fromkeys(range(1, players + 1), 0)
    met: set[frozenset[int]] = set()
    matches = 0
    for spec in double_elimination(range(1, players + 1)):
        if spec.side == "reset":
            continue
        pair = [s.ref if s.kind == "player" else values[s.kind, s.ref] for s in (spec.a, spec.b)]
        winner, loser = min(p or 99 for p in pair), max(pair) if EMPTY not in pair else EMPTY
        if winner == 99:
            winner = EMPTY
        values["winner", spec.number], values["loser", spec.number] = winner, loser
        if loser != EMPTY:
            matches += 1
            losses[loser] += 1
            if spec.side == "losers" and frozenset(pair) in met:
                assert spec.round >= earliest
            met.add(frozenset(pair))
    assert matches == 2 * players - 2
    assert losses == {seed: 0 if seed == 1 else 2 for seed in losses}


def final_of_thirteen() -> Evening:
    evening = Evening("double", 13)
    while evening.match("1-2").spec.side != "final" if "1-2" in _names(evening) else True:
        evening.do("favourites")
    return evening


def _names(evening: Evening) -> set[str]:
    state = evening.desk.state
    return {"-".join(state.name_of(p) for p in m.players if p) for m in evening.matches()}


def test_when_the_unbeaten_player_loses_the_grand_final_a_second_one_is_called_and_decides() -> None:
    evening = final_of_thirteen().do("play 1-2 2")
    again = evening.match("1-2")
    assert again.spec.side == "reset"
    assert [line["side"] for line in evening.of("call")][-1] == "reset"
    evening.do("play 1-2 1", "after 1m")
    assert evening.played() == 25
    assert evening.of("finished")[0]["champion"] == "1"
    other = final_of_thirteen().do("play 1-2 2", "play 1-2 2", "after 1m")
    assert other.of("finished")[0]["champion"] == "2"
    assert other.places()["2"] == "1"


def test_when_the_unbeaten_player_wins_no_second_final_is_pending() -> None:
    evening = final_of_thirteen().do("play 1-2 1", "after 1m")
    result = evening.matches()[-1].result
    assert result is not None
    assert result.kind == "not_needed"
    assert evening.of("finished")[0]["champion"] == "1"


def test_after_a_walk_over_in_the_first_final_the_second_is_still_played() -> None:
    evening = final_of_thirteen()
    evening.do("walkover 1-2 2")
    assert evening.match("1-2").spec.side == "reset"
    assert evening.match("1-2").status == "playing"


def test_when_the_unbeaten_player_has_withdrawn_both_finals_are_walk_overs() -> None:
    evening = final_of_thirteen().do("withdraw 1", "after 1m")
    assert [line["side"] for line in evening.of("walkover")] == ["final", "reset"]
    assert evening.of("finished")[0]["champion"] == "2"
    assert evening.places()["2"] == "1"


def upset() -> Evening:
    """Double elimination of 13 where 13 beats 4 in the first round."""
    evening = Evening("double", 13, "tables 5")
    return evening.do("play 8-9 8", "play 4-13 13", "play 5-12 5", "play 7-10 7", "play 6-11 6")


def test_an_upset_sends_the_favourite_to_the_losers_bracket() -> None:
    evening = upset()
    assert evening.real("losers", 1) == "4-12"
    assert evening.real("winners", 2).split()[1] == "13-5"
    evening.do("favourites 30")
    assert evening.real("losers", 2) == "6-9 7-4 13-10 8-11"
    assert evening.of("finished")[0]["champion"] == "1"
    assert evening.played() == 24


def test_who_withdraws_after_a_loss_gives_a_walk_over_at_once_and_takes_no_table() -> None:
    evening = Evening("double", 13, "tables 5")
    evening.do("play 4-13 13", "withdraw 4", "play 5-12 5")
    assert evening.match("4-12").result is not None
    assert not [line for line in evening.of("call") if "4" in (line["a"], line["b"]) and line["side"] == "losers"]
    evening.do("play 7-10 7", "play 6-11 6", "play 8-9 8", "favourites 30")
    assert "7-12" in evening.real("losers", 2).split()
    assert evening.places()["13"] == "4"


def test_who_withdraws_while_playing_gives_that_match_and_the_next_as_walk_overs() -> None:
    evening = Evening("double", 13, "tables 5")
    evening.do("withdraw 4")
    assert [(line["a"], line["b"], line["winner"]) for line in evening.of("walkover")] == [("4", "13", "13")]
    evening.do("play 5-12 5")
    assert [line["winner"] for line in evening.of("walkover")] == ["13", "12"]
    evening.do("favourites 30")
    assert evening.places()["13"] == "4"


def test_two_absent_players_leave_an_empty_slot_that_flows_on() -> None:
    evening = Evening("single", 8).do("both-absent 4-5", "play 1-8 1")
    assert evening.pairs("main", 3)[0].startswith("1-")
    evening.do("favourites 9")
    assert evening.of("finished")[0]["champion"] == "1"
    assert all(match.status == "finished" for match in evening.matches())


def test_two_double_walk_overs_make_a_champion_without_a_final_and_a_vacant_second_place() -> None:
    evening = Evening("single", 8).do("both-absent 4-5", "both-absent 1-8", "favourites 9")
    assert evening.of("finished")[0]["champion"] == "2"
    places = evening.places()
    assert places["2"] == "vacant"
    assert {"1", "4", "5", "8"} <= set(places["5-8"].split())
    assert all(match.status == "finished" for match in evening.matches())
    evening.do("playoff 1-4", "play 1-4 4", "after 1m")
    assert evening.places()["2"] == "4"
