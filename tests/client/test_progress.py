from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.client.screens import OVER as RESULT
from tests.client.screens import seated

from speed_client.json_lines import news_object
from speed_client.news import News, Practised, RoomChanged
from speed_client.outcome import outcome_of
from speed_client.painters.sizes import paint_table
from speed_client.plain import PlainPlayer
from speed_client.progress import Coach, Progress, after_win, exact_time, is_common, practised_words, what_opens
from speed_client.story import Story
from speed_client.style import Look
from speed_common.events import NOBODY
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.wire import OVER, PLAYING, Result, Room, SeatInfo

MINUTE_US = 60_000_000


def over(level: int = 3, winner: int = 0, deal: int = 1, duration_us: int = MINUTE_US, **changes: Any) -> RoomChanged:
    result = Result(winner, 5, changes.pop("forfeit", False), duration_us, ())
    fields: dict[str, Any] = {"rules": Rules(), "deal": deal, "result": result, **changes}
    room = Room(1, OVER, (SeatInfo("anna"), SeatInfo(f"bot-{level}", level)), **fields)
    return RoomChanged(room, 0, 1)


def brought(*news: News, progress: Progress | None = None) -> tuple[Progress, list[Practised]]:
    coach, kept = Coach(progress or Progress()), list(news)
    coach.follow(kept)
    return coach.progress, [item for item in kept if isinstance(item, Practised)]


@pytest.mark.parametrize(("level", "unlocked"), [(1, 3), (2, 3), (3, 4), (4, 3), (10, 3)])
def test_only_a_win_against_the_highest_open_speed_opens_the_next(level: int, unlocked: int) -> None:
    progress, _ = brought(over(level))
    assert progress.unlocked == unlocked


def test_nothing_comes_after_ten() -> None:
    progress, (item,) = brought(over(10), progress=Progress(10))
    assert (progress.unlocked, item.opened) == (10, 0)


@pytest.mark.parametrize("winner", [1, NOBODY])
def test_losing_closes_and_opens_nothing(winner: int) -> None:
    progress, items = brought(over(winner=winner), progress=Progress(3, {3: MINUTE_US}))
    assert progress == Progress(3, {3: MINUTE_US})
    assert all(not item.won and item.best_us == MINUTE_US for item in items)


def test_the_best_time_is_the_shortest() -> None:
    progress, items = brought(over(2), over(2, deal=2, duration_us=90_000_000), over(2, deal=3, duration_us=1_000_000))
    assert progress.best_us == {2: 1_000_000}
    assert [item.record for item in items] == [True, False, True]


def test_a_result_counts_once_however_often_it_is_told() -> None:
    coach = Coach(Progress())
    assert coach.follow([over(3)])
    news: list[News] = [over(3)]
    assert not coach.follow(news)
    assert news == [over(3)]


def test_what_a_deal_brought_stands_behind_its_result() -> None:
    news: list[News] = [over(3), over(3, deal=2)]
    Coach(Progress()).follow(news)
    assert [type(item) for item in news] == [RoomChanged, Practised, RoomChanged, Practised]


def test_a_code_may_open_the_next_speed_but_sets_no_best_time() -> None:
    progress, (item,) = brought(over(3, code="A03KX-1K9Z4Q"))
    assert (progress.unlocked, progress.best_us, item.opened, item.record) == (4, {}, 4, False)


@pytest.mark.parametrize(
    "changes", [{"forfeit": True}, {"rules": make_rules("us", hand_size=3, draw_size=0, side_size=22)}]
)
def test_a_win_that_is_none_of_the_common_game_counts_nothing(changes: dict[str, Any]) -> None:
    progress, (item,) = brought(over(3, **changes))
    assert progress == Progress()
    assert item == Practised(3, True)


def test_between_people_nothing_is_practised() -> None:
    assert brought(over(0))[1] == []
    running = RoomChanged(Room(1, PLAYING, (SeatInfo("anna"), SeatInfo("bot-3", 3)), Rules()), 0, 1)
    assert brought(running)[1] == []


def test_the_common_game_is_the_presets_for_two() -> None:
    assert is_common(make_rules("pagat", wrap=False, same_rank=True))
    assert is_common(make_rules("wild"))
    assert not is_common(make_rules("four"))
    assert not is_common(make_rules("us", hand_size=6))


def test_what_a_deal_brought_is_said_in_sentences() -> None:
    _, item = after_win(Progress(), 3, 62_340_000, by_code=False)
    assert practised_words(item) == ("level 4 is open now", "best time against speed 3: 1:02.3")
    assert practised_words(Practised(3, False, 0, MINUTE_US, False)) == ("best time against speed 3 is still 1:00.0",)
    assert practised_words(Practised(3, False)) == ()
    assert exact_time(3_725_900_000) == "62:05.9"


def test_a_closed_speed_says_what_opens_it() -> None:
    assert not Progress().is_open(4)
    assert "a win against speed 6 opens it (open now: 1 to 3)" in what_opens(Progress(), 7)


def test_progress_is_kept_as_json_and_nonsense_is_refused() -> None:
    progress = Progress(5, {1: 1, 4: 2}, True)
    assert msgspec.json.decode(msgspec.json.encode(progress), type=Progress) == progress
    for text in (b'{"unlocked": 11}', b'{"unlocked": 2}', b'{"best_us": {"11": 1}}', b'{"best_us": {"1": -1}}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(text, type=Progress)


def test_every_face_tells_what_a_deal_brought() -> None:
    item = Practised(3, True, 4, MINUTE_US, True)
    assert news_object(item, None) == {
        "type": "practice",
        "level": 3,
        "won": True,
        "opened": 4,
        "best_us": MINUTE_US,
        "record": True,
    }
    assert news_object(Practised(3, False), None)["opened"] is None
    story = Story()
    story.take([over(3), item], 0)
    assert story.gains == practised_words(item)
    card = outcome_of(over(3).room, 0, {}, seated=True, gains=story.gains)
    said = "\n".join(paint_table(replace(RESULT, outcome=card), 80, 24, Look()).lines())
    assert "level 4 is open now" in said
    assert "best time against speed 3: 1:00.0" in said
    session = seated()
    assert "Level 4 is open now." in list(PlainPlayer(session)._say(item, 0))
