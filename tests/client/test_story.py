from __future__ import annotations

import msgspec
import pytest
from tests.client.screens import SECOND, a_room, cards, seats

from speed_client.news import Denied, Happened, LinkChanged, PlayRefused, RoomChanged
from speed_client.story import FLASH_NS, LOG_LINES, NOTICE_NS, RESHUFFLED, TUCKED, Story
from speed_common.cards import NO_CARD
from speed_common.events import Beaten, Event, Flipped, Played, Reshuffled, Tucked, Won
from speed_common.table import SPECTATOR
from speed_common.wire import COUNTDOWN, OVER, PLAYING, WAITING, Refused, Room, SeatInfo

NINE, JACK, QUEEN = cards("9S JD QS")


def a_story(seat: int = 0, room: Room | None = None) -> Story:
    story = Story()
    story.take([RoomChanged(room or a_room(), seat, 1)], 0)
    return story


def tell(story: Story, *events: Event, now: int = 0) -> None:
    story.take([Happened(event, event.at * 1_000, 1) for event in events], now)


def refuse(story: Story, refused: Refused, card: int = QUEEN, now: int = 0) -> str:
    story.take([PlayRefused(refused, card, 3)], now)
    return story.notice.text


def test_a_lost_race_says_by_how_much_and_to_whom() -> None:
    story = a_story()
    said = refuse(story, Refused(1, "beaten", 120_000, 1, 1, JACK), now=5)
    assert said == "beaten by 0.12 s — bob played J♦ first"
    assert story.until == 5 + NOTICE_NS
    assert (story.log[0].text, story.log[0].late) == ("Q♠ late 0.12 s", True)


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (Refused(1, "illegal"), "Q♠ fits no pile"),
        (Refused(1, "illegal", pile=0), "Q♠ does not fit left"),
        (Refused(1, "late_link"), "Q♠ was pressed in time but came too late over the link"),
        (Refused(1, "no_answer"), "no answer for Q♠: it is back in your hand"),
        (Refused(1, "not_started"), "wait for the cards"),
        (Refused(1, "paused"), "paused: nobody plays until the other is back"),
        (Refused(1, "new_word"), "Q♠ was refused: new_word"),
    ],
)
def test_every_refusal_is_a_sentence(refused: Refused, said: str) -> None:
    assert refuse(a_story(), refused) == said


def test_a_refusal_without_a_card_is_a_sentence_too() -> None:
    assert refuse(a_story(), Refused(1, "beaten", 10_000, 1), NO_CARD) == "beaten by 0.01 s"


def test_the_own_play_flashes_its_pile_and_the_other_one_does_not() -> None:
    story = a_story()
    tell(story, Played(1_000_000, 0, 2, NINE, 1, NO_CARD), now=7)
    tell(story, Played(1_500_000, 1, 2, JACK, 0, NO_CARD), now=8)
    assert story.flashes == {1: 7 + FLASH_NS}
    assert [line.text for line in story.log] == ["J♦ → left", "9♠ → right"]


def test_a_spectator_reads_each_play() -> None:
    story = a_story(SPECTATOR)
    tell(story, Played(1_000_000, 1, 2, NINE, 0, NO_CARD))
    assert story.notice.text == "bob 9♠ → left"
    tell(story, Beaten(1_100_000, 0, 0, 1, 30_000))
    assert story.notice.text == "anna late 0.03 s"


def test_the_own_lost_race_is_logged_once() -> None:
    story = a_story()
    tell(story, Beaten(1_000_000, 0, 0, 1, 30_000))
    assert not story.log
    tell(story, Beaten(1_000_000, 1, 0, 0, 30_000))
    assert story.log[0].seat == 1


def test_flip_reshuffle_and_tuck_are_three_messages() -> None:
    story = a_story()
    tell(story, Flipped(1, (NINE, NO_CARD)))
    assert story.notice.text == "flipped 9♠ / –"  # noqa: RUF001
    tell(story, Reshuffled(2, ((NINE,), (JACK,)), 0), Flipped(2, (NINE, JACK)))
    assert story.notice.text == RESHUFFLED
    tell(story, Flipped(3, (NINE, JACK)))
    assert story.notice.text == "flipped 9♠ / J♦"
    tell(story, Tucked(4, ((), ()), ((), ())))
    assert story.notice.text == TUCKED


def test_the_pace_counts_from_the_own_play_before() -> None:
    story = a_story()
    for at in (1_000_000, 1_500_000, 3_500_000):
        tell(story, Played(at, 0, 0, NINE, 0, NO_CARD))
    assert list(story.gaps[0]) == [1_000_000, 500_000, 2_000_000]


def test_the_log_is_a_ring() -> None:
    story = a_story()
    for at in range(LOG_LINES * 3):
        tell(story, Played(at, 0, 0, NINE, 0, NO_CARD))
    assert len(story.log) == LOG_LINES


def test_a_new_deal_begins_with_nothing_remembered() -> None:
    story = a_story(room=a_room(OVER))
    tell(story, Played(5, 0, 0, NINE, 0, NO_CARD))
    story.take([RoomChanged(a_room(COUNTDOWN), 0, 1)], 9)
    assert not story.log
    assert not story.flashes
    assert story.until == 0


def test_a_server_started_anew_takes_the_lost_deals_log_with_it_and_says_so() -> None:
    running = msgspec.structs.replace(a_room(PLAYING), deal=3)
    story = a_story(room=running)
    tell(story, Played(5, 0, 0, NINE, 0, NO_CARD))
    story.take([LinkChanged("lost")], 9)
    assert story.notice.text == "no link: trying again"
    story.take([LinkChanged("up"), RoomChanged(msgspec.structs.replace(a_room(WAITING), deal=0), 1, 1)], 10)
    assert not story.log
    assert story.notice.text == "the server was started anew: that deal is lost"


def test_the_winner_is_named() -> None:
    story = a_story()
    tell(story, Won(5, 1, 1))
    assert story.notice.text == "bob wins by 1 card"
    tell(story, Won(5, 1, 7, forfeit=True))
    assert story.notice.text == "bob wins: the other left"


def test_who_comes_goes_and_returns_is_said() -> None:
    story = a_story(room=a_room(WAITING, seats=seats(bob=False)))
    story.take([RoomChanged(a_room(WAITING), 0, 1)], 0)
    assert story.notice.text == "bob sits down"
    story.take([RoomChanged(a_room(WAITING, seats=seats(bob=False)), 0, 1)], 0)
    assert story.notice.text == "bob left"
    away = (SeatInfo("anna"), SeatInfo("bob", connected=False))
    story.take([RoomChanged(a_room(PLAYING, seats=away), 0, 1), RoomChanged(a_room(PLAYING), 0, 1)], 0)
    assert story.notice.text == "bob is back"


def test_a_link_that_came_back_is_said_but_not_the_first_one() -> None:
    story = Story()
    story.take([LinkChanged("up")], 0)
    assert not story.notice.text
    story = a_story()
    story.take([LinkChanged("lost"), LinkChanged("up")], SECOND)
    assert story.notice.text == "the link is back"


def test_a_denied_request_is_said() -> None:
    story = a_story()
    story.take([Denied("full")], 0)
    assert story.notice.text == "the server refused: full"
