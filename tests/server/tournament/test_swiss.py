from __future__ import annotations

import time
from itertools import combinations
from operator import add
from random import Random

import pytest
from tests.server.tournament.rehearsing import Evening

from speed_server.tournament.model import EMPTY
from speed_server.tournament.swiss import BYE, Cost, Edges, Entrant, Task, _Pairing, pack, pair


def swiss(players: int, rounds: int, *lines: str) -> Evening:
    return Evening("swiss", players, f"rounds {rounds}").do(*lines)


def buchholz(evening: Evening) -> dict[str, str]:
    return {row["player"]: f"{row['buchholz_cut']}/{row['buchholz']}" for row in evening.table()}


def test_eight_players_three_rounds() -> None:
    evening = swiss(8, 3, "favourites 3", "after 1m")
    assert evening.round(1) == "1-5 2-6 3-7 4-8"
    assert evening.round(2) == "1-3 2-4 5-7 6-8"
    assert evening.round(3) == "1-2 3-5 4-6 7-8"
    assert [row["points"] for row in evening.table()] == [3, 2, 2, 2, 1, 1, 1, 0]


def test_thirteen_players_four_rounds() -> None:
    evening = swiss(13, 4, "favourites 4", "after 1m")
    assert evening.round(1) == "1-7 2-8 3-9 4-10 5-11 6-12 bye 13"
    assert evening.round(2) == "1-4 2-5 3-13 6-7 8-10 9-11 bye 12"
    assert evening.round(3) == "1-3 2-6 4-9 5-12 7-10 8-13 bye 11"
    assert evening.round(4) == "1-2 3-5 4-6 7-8 9-12 11-13 bye 10"
    expected = {"1": 4, "2": 3, "3": 3, "4": 3, "10": 1, "12": 1, "13": 1}
    assert evening.points() == {**{str(n): 2 for n in (5, 6, 7, 8, 9, 11)}, **expected}
    assert buchholz(evening) == {
        "1": "9/11",
        "2": "8/10",
        "3": "8/9",
        "4": "8/9",
        **dict.fromkeys(("5", "6", "7", "9"), "8/9"),
        "8": "6/7",
        "11": "6/7",
        "10": "7/8",
        "13": "7/8",
        "12": "6/7",
    }


def test_the_order_of_thirteen_before_the_point_difference() -> None:
    evening = Evening("swiss", 13, "rounds 4", "tie_breaks mini,buchholz_cut,buchholz").do("favourites 4", "after 1m")
    groups = [set(names.split()) for names in evening.places().values()]
    assert groups == [{"1"}, {"2"}, {"3", "4"}, {"5", "6", "7", "9"}, {"8", "11"}, {"10", "13"}, {"12"}]


def test_the_bye_is_explained() -> None:
    evening = swiss(13, 4, "favourites 1", "after 1m", "explain 2", "explain 13")
    answers = [line for answer in evening.of("answer") for line in answer["lines"]]
    assert any(line.startswith("bye 12: bye: no free point yet") for line in answers)
    assert any("6-7: across score groups" in line for line in answers)
    assert any("no opponent adds" in line for line in answers)


def test_five_players_four_rounds() -> None:
    evening = swiss(5, 4, "favourites 4", "after 1m")
    rounds = [evening.round(n) for n in range(1, 5)]
    assert rounds == ["1-3 2-4 bye 5", "1-5 2-3 bye 4", "1-2 4-5 bye 3", "1-4 3-5 bye 2"]
    assert [row["points"] for row in evening.table()] == [4, 3, 2, 2, 1]
    assert buchholz(evening)["3"] == buchholz(evening)["4"] == "9/10"


@pytest.mark.parametrize(
    ("leaver", "third", "fourth"),
    [
        ("3", "1-2 4-5", "1-4 2-5"),
        ("1", "2-5 3-4", "2-4 3-5"),
        ("2", "1-4 3-5", "1-3 4-5"),
        ("4", "1-2 3-5", "1-3 2-5"),
        ("5", "1-2 3-4", "1-4 2-3"),
    ],
)
def test_when_one_of_five_leaves_nobody_has_a_bye(leaver: str, third: str, fourth: str) -> None:
    evening = swiss(5, 4, "favourites 2", f"withdraw {leaver}", "favourites 2", "after 1m")
    assert (evening.round(3), evening.round(4)) == (third, fourth)
    if leaver == "3":
        assert evening.points() == {"1": 4, "2": 3, "4": 2, "5": 1, "3": 0}
        assert {name: text.split("/")[1] for name, text in buchholz(evening).items()} == {
            "1": "7",
            "2": "8",
            "3": "7",
            "4": "10",
            "5": "10",
        }
        assert evening.table()[-1]["player"] == "3"
    if leaver == "1":
        why = evening.of("round")[-1]["why"]
        assert any("unavoidable, oldest" in text for text in why.values())


def test_a_second_leaver_gives_the_bye_to_who_has_fewer_points() -> None:
    evening = swiss(5, 4, "favourites 2", "withdraw 5", "favourites 1", "withdraw 3", "favourites 1", "after 1m")
    assert evening.round(3) == "1-2 3-4"
    assert evening.round(4) == "1-4 bye 2"


def test_a_late_entrant_is_not_sent_to_the_bench() -> None:
    evening = swiss(8, 4, "favourites 2", "late 9", "favourites 2", "after 1m")
    assert evening.round(3) == "1-2 3-5 4-6 7-9 bye 8"
    assert evening.round(4) == "1-4 2-3 5-6 7-8 bye 9"
    assert evening.points()["9"] == 1


def test_more_rounds_than_opponents_are_warned_of_and_repeat_the_oldest() -> None:
    evening = swiss(4, 5)
    assert "3 rounds without re-match" in evening.of("note")[0]["text"]
    evening.do("favourites 5", "after 1m")
    rounds = [evening.round(n) for n in range(1, 6)]
    assert rounds == ["1-3 2-4", "1-2 3-4", "1-4 2-3", "1-3 2-4", "1-2 3-4"]
    three = swiss(3, 4, "favourites 4", "after 1m")
    assert [three.round(n) for n in range(1, 5)] == ["1-2 bye 3", "1-3 bye 2", "2-3 bye 1", "1-2 bye 3"]


def test_the_one_who_stays_has_won() -> None:
    evening = swiss(6, 3, "favourites 1", "withdraw 1 2 3 4 5", "after 1m")
    assert evening.of("finished")[0]["champion"] == "6"
    assert len(evening.of("round")) == 1
    assert evening.table()[0]["player"] == "6"


def test_when_all_leave_it_is_over_at_once_without_a_winner_and_nothing_is_paired() -> None:
    evening = swiss(6, 3, "favourites 1", "withdraw 1 2 3 4 5 6")
    assert evening.of("finished")[0]["champion"] is None
    assert len(evening.of("round")) == 1


def test_fixed_pairs_and_byes_are_obeyed_and_impossible_wishes_dropped() -> None:
    evening = swiss(5, 3, "fix 1-2", "bye 3", "favourites 1", "after 1m")
    assert evening.round(2).endswith("bye 3")
    assert "1-2" in evening.round(2).split()
    forbidding = [f"forbid {a}-{b}" for a, b in combinations("1234", 2)]
    other = swiss(4, 3, *forbidding, "favourites 2", "after 1m")
    assert "no round is possible" in next(iter(other.of("round")[-1]["why"].values()))


def test_a_thirty_three_player_evening_with_leavers_has_one_bye_each_and_hardly_a_re_match() -> None:
    evening = swiss(33, 6)
    for round_, leavers in enumerate(((), (5, 17), (9,), (20, 21), (2,), ()), 1):
        evening.do(*(f"withdraw {n}" for n in leavers), "favourites 1")
        assert evening.round(round_)
    evening.do("after 1m")
    byes = [line["winner"] for line in evening.of("bye")]
    assert len(byes) == len(set(byes))
    met = [pair for n in range(1, 7) for pair in evening.round(n).split() if "-" in pair]
    assert len(met) - len(set(met)) <= 1


def test_pairing_sixty_four_takes_less_than_a_second() -> None:
    dice = Random(5)
    entrants = [Entrant(n, dice.randrange(6), floated=dice.choice(("", "down", "up"))) for n in range(1, 65)]
    entrants.sort(key=lambda entrant: (-entrant.score, entrant.player))
    pairs = {tuple(sorted(dice.sample(range(1, 65), 2))) for _ in range(160)}
    met = tuple((a, b, 1, dice.randrange(1, 6)) for a, b in sorted(pairs))
    start = time.process_time()
    lines = pair(Task(6, tuple(entrants), met))
    assert time.process_time() - start < 1
    assert len(lines) == 32
    assert not {frozenset((line.a, line.b)) for line in lines} & {frozenset(p) for p in pairs}


def cheapest(edges: Edges, nodes: frozenset[int]) -> Cost:
    """The least cost of any perfect matching, by trying all."""
    if not nodes:
        return (0,) * 10
    first = min(nodes)
    found = [
        tuple(map(add, edges[first, other], cheapest(edges, nodes - {first, other})))
        for other in nodes
        if (first, other) in edges
    ]
    return min(found)


@pytest.mark.parametrize("seed", range(60))
def test_the_matching_is_the_cheapest_of_all(seed: int) -> None:
    dice = Random(seed)
    count = dice.randint(3, 8)
    entrants = [
        Entrant(n, dice.randrange(4), dice.choice((0, 0, 1)), dice.choice((0, 0, 2)), dice.choice(("", "down", "up")))
        for n in range(1, count + 1)
    ]
    entrants.sort(key=lambda entrant: (-entrant.score, entrant.player))
    pairs = list(combinations(range(1, count + 1), 2))
    met = tuple((a, b, dice.randint(1, 2), dice.randint(1, 3)) for a, b in dice.sample(pairs, len(pairs) // 2))
    work = _Pairing(Task(4, tuple(entrants), met))
    edges = work._all_edges()
    found = work._match(edges, count + count % 2)
    nodes = frozenset(range(count)) | ({BYE} if count % 2 else frozenset())
    total = (0,) * 10
    for edge in found:
        total = tuple(map(add, total, edges[edge]))
    assert total == cheapest(edges, nodes)


def slowest(task: Task) -> int:
    """The least number of re-matches of any round, by trying all."""
    players = [entrant.player for entrant in task.entrants]
    met = {frozenset(row[:2]): row[2] for row in task.met}

    def best(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        first, *others = rest
        return min(
            met.get(frozenset((first, other)), 0) + best(tuple(p for p in others if p != other)) for other in others
        )

    return best(tuple(players))


@pytest.mark.parametrize("seed", range(40))
def test_a_re_match_happens_only_where_every_round_has_one(seed: int) -> None:
    dice = Random(seed)
    count = dice.choice((4, 6, 8))
    entrants = tuple(Entrant(n, max(0, 3 - n // 3)) for n in range(1, count + 1))
    pairs = list(combinations(range(1, count + 1), 2))
    met = tuple((a, b, dice.choice((1, 1, 2)), 1) for a, b in dice.sample(pairs, len(pairs) * 2 // 3))
    task = Task(4, entrants, met)
    times = {frozenset(row[:2]): row[2] for row in met}
    assert sum(times.get(frozenset((line.a, line.b)), 0) for line in pair(task)) == slowest(task)


def test_packed_costs_compare_as_their_tuples_do() -> None:
    dice = Random(1)
    costs = {(n, n + 1): tuple(dice.randrange(4) for _ in range(3)) for n in range(30)}
    packed = pack(costs, 4)
    for _ in range(300):
        one, other = dice.sample(sorted(costs), 4), dice.sample(sorted(costs), 4)
        sums = [tuple(map(sum, zip(*(costs[edge] for edge in edges), strict=True))) for edges in (one, other)]
        assert (sums[0] < sums[1]) == (sum(packed[e] for e in one) < sum(packed[e] for e in other))


def test_one_entrant_alone_is_paired_with_nobody() -> None:
    assert [(line.a, line.b) for line in pair(Task(1, (Entrant(3, 0),)))] == [(3, EMPTY)]
