from __future__ import annotations

from itertools import combinations

import pytest
from tests.server.tournament.rehearsing import Evening

from speed_server.tournament.schedule import circle, free_in_round, snake


def schedule(players: int) -> list[str]:
    return [" ".join(f"{a}-{b}" for a, b in sorted(pairs) if a) for pairs in circle(range(1, players + 1))]


def test_the_schedule_of_six() -> None:
    assert schedule(6) == ["1-6 2-5 3-4", "1-5 2-3 4-6", "1-4 2-6 3-5", "1-3 2-4 5-6", "1-2 3-6 4-5"]


def test_the_schedule_of_five() -> None:
    assert free_in_round([1, 2, 3, 4, 5]) == [1, 4, 2, 5, 3]
    evening = Evening("roundrobin", 5, start=False)
    assert evening.real("main", 1) == "2-5 3-4"
    assert evening.real("main", 5) == "1-2 4-5"
    assert evening.of("drawn")[0]["free"] == ["1", "4", "2", "5", "3"]


@pytest.mark.parametrize("players", range(2, 65))
def test_everybody_meets_everybody_once_and_the_first_two_in_the_last_round(players: int) -> None:
    rounds = circle(range(1, players + 1))
    met = [pair for pairs in rounds for pair in pairs if 0 not in pair]
    assert sorted(met) == list(combinations(range(1, players + 1), 2))
    assert (1, 2) in rounds[-1]
    for pairs in rounds:
        people = [player for pair in pairs for player in pair if player]
        assert len(people) == len(set(people))


def test_a_double_round_robin_changes_the_sides() -> None:
    evening = Evening("roundrobin", 4, "legs 2").do("favourites 12", "after 1m")
    assert evening.played() == 12
    assert evening.real("main", 1) == "1-4 2-3"
    assert evening.real("main", 4) == "4-1 3-2"
    assert evening.points() == {"1": 6, "2": 4, "3": 2, "4": 0}


def three_in_a_circle(*scores: tuple[str, str], others: str = "25:20") -> list[str]:
    """A, B, C beat each other in a circle and all beat D; the order of the places."""
    evening = Evening("roundrobin", 4).do("rename 1 A", "rename 2 B", "rename 3 C", "rename 4 D")
    wanted = {frozenset(pair.split("-")): (pair.split("-")[0], score) for pair, score in scores}
    for name in "ABC":
        wanted[frozenset((name, "D"))] = name, others
    while evening.desk.state.phase == "running":
        playing = [m for m in evening.matches() if m.status == "playing"]
        if not playing:
            evening.do("after 1m")
            continue
        names = [evening.desk.state.name_of(player) for player in playing[0].known]
        winner, score = wanted[frozenset(names)]
        evening.do(f"play {playing[0].name} {winner} {score}")
    return [f"{row['place']} {row['player']}" for row in evening.table()]


def test_a_tie_of_three_is_split_by_the_difference_among_them() -> None:
    order = three_in_a_circle(("A-B", "25:20"), ("B-C", "25:10"), ("C-A", "25:24"))
    assert order == ["1 B", "2 A", "3 C", "4 D"]


def test_after_a_split_the_others_start_again_at_their_own_match() -> None:
    order = three_in_a_circle(("A-B", "25:20"), ("B-C", "25:10"), ("C-A", "25:15"))
    assert order == ["1 B", "2 C", "3 A", "4 D"]


def test_what_nothing_splits_is_shared_until_a_play_off() -> None:
    order = three_in_a_circle(("A-B", "25:20"), ("B-C", "25:20"), ("C-A", "25:20"))
    assert order == ["1-3 A", "1-3 B", "1-3 C", "4 D"]


def test_the_overall_difference_decides_where_the_mini_table_does_not() -> None:
    evening = Evening("roundrobin", 4, "tables 1").do("rename 1 A", "rename 2 B", "rename 3 C", "rename 4 D")
    scores = {"AB": ("A", "25:20"), "BC": ("B", "25:20"), "AC": ("C", "25:20")}
    scores |= {"AD": ("A", "25:20"), "BD": ("B", "25:0"), "CD": ("C", "25:10")}
    for match in evening.matches():
        names = "".join(sorted(evening.desk.state.name_of(player) for player in match.known))
        evening.do(f"play {match.name} {scores[names][0]} {scores[names][1]}")
    evening.do("after 1m")
    assert [row["player"] for row in evening.table()] == ["B", "C", "A", "D"]


def test_a_play_off_decides_a_shared_first_place() -> None:
    evening = Evening("roundrobin", 3, "tables 1", "tie_breaks mini,difference")
    evening.do("play 2-3 2", "play 1-3 3", "play 1-2 1", "after 1m")
    assert evening.places() == {"1-3": "1 2 3"}
    evening.do("playoff 1-2", "play 1-2 2", "playoff 2-3", "play 2-3 2", "after 1m")
    assert evening.table()[0] == {**evening.table()[0], "player": "2", "place": "1"}


def test_who_leaves_before_half_of_his_matches_is_struck() -> None:
    evening = Evening("roundrobin", 6, "tables 3").do("favourites 1", "withdraw 6", "favourites 9", "after 1m")
    struck = evening.table()[-1]
    assert (struck["player"], struck["struck"], struck["place"]) == ("6", True, "-")
    assert evening.points() == {"1": 4, "2": 3, "3": 2, "4": 1, "5": 0, "6": 0}


def test_who_leaves_later_gives_walk_overs() -> None:
    evening = Evening("roundrobin", 4, "tables 2")
    evening.do("play 1-4 1", "play 2-3 2", "play 1-3 1", "play 2-4 4", "withdraw 4", "play 1-2 1", "after 1m")
    assert evening.points() == {"1": 3, "2": 1, "3": 1, "4": 1}
    assert all("struck" not in row for row in evening.table())


def test_sixteen_in_four_groups_and_the_knockout_after_them() -> None:
    evening = Evening("groups", 16, "groups 4", "tables 8")
    groups = evening.of("drawn")[0]["groups"]
    assert groups == {
        "A": ["1", "8", "9", "16"],
        "B": ["2", "7", "10", "15"],
        "C": ["3", "6", "11", "14"],
        "D": ["4", "5", "12", "13"],
    }
    evening.do("favourites 3", "after 1m")
    # A1 = 1, A2 = 8, B1 = 2, B2 = 7, C1 = 3, C2 = 6, D1 = 4, D2 = 5
    assert [evening.pairs("main", 1)[n] for n in range(4)] == ["1-7", "4-6", "2-8", "3-5"]
    evening.do("favourites 9", "after 1m")
    assert evening.of("finished")[0]["champion"] == "1"


def test_thirteen_in_three_groups() -> None:
    assert snake(range(1, 14), 3) == ((1, 6, 7, 12, 13), (2, 5, 8, 11), (3, 4, 9, 10))
    evening = Evening("groups", 13, "groups 3", "tables 6").do("favourites 20", "after 1m")
    first = [set(pair.split("-")) - {""} for pair in evening.pairs("main", 1)]
    # A1 = 1 free, B2 = 5, C2 = 4 | B1 = 2 free, C1 = 3, A2 = 6
    assert first == [{"1"}, {"5", "4"}, {"2"}, {"3", "6"}]


def test_two_groups_cross_over() -> None:
    evening = Evening("groups", 8, "groups 2", "tables 4").do("favourites 3", "after 1m")
    # A 1 4 5 8, B 2 3 6 7
    assert evening.pairs("main", 1) == ["1-3", "2-4"]


@pytest.mark.parametrize("groups", range(2, 17))
def test_mates_of_a_group_are_in_different_halves_of_the_knockout(groups: int) -> None:
    from speed_server.tournament.bracket import seed_order, size_for  # noqa: PLC0415
    from speed_server.tournament.schedule import knockout_seeds  # noqa: PLC0415

    winners, seconds = list(range(1, groups + 1)), list(range(101, 101 + groups))
    seeds = knockout_seeds(winners, seconds)
    order = seed_order(size_for(len(seeds)))
    half = {seeds[s - 1]: n < len(order) // 2 for n, s in enumerate(order) if s <= len(seeds)}
    assert all(half[winner] != half[winner + 100] for winner in winners)
