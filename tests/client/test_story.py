from __future__ import annotations

import msgspec
import pytest
from tests.client.screens import SECOND, a_room, cards, seats

from speed_client.news import Denied, Happened, LinkChanged, PlayRefused, RoomChanged
from speed_client.story import FLASH_NS, LOG_LINES, NOTICE_NS, RESHUFFLED, TUCKED, Story
from speed_common.cards import NO_CARD, parse_card
from speed_common.events import (
    Beaten,
    Emptied,
    Event,
    FlipAsked,
    Flipped,
    Frozen,
    Left,
    Played,
    Reshuffled,
    Revealed,
    Took,
    Tucked,
    Won,
)
from speed_common.presets import make_rules
from speed_common.table import SPECTATOR
from speed_common.wire import COUNTDOWN, OVER, PLAYING, WAITING, Reactions, Refused, Room, SeatInfo

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
        (Refused(1, "paused"), "paused: nobody plays until all are back"),
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


def test_a_spectator_reads_who_beat_whom_to_which_pile_by_how_much_and_whether_it_was_close() -> None:
    story = a_story(SPECTATOR)
    tell(story, Beaten(1_100_000, 0, 0, 1, 30_000))
    assert story.notice.text == "left: bob beats anna by 30 ms"
    lost = Beaten(1_100_000, 0, 1, 1, 4_400)
    story.take([Happened(lost, 0, 1, Reactions(194_400, 190_000, close=False))], 0)
    assert story.notice.text == "right: bob beats anna by 4 ms"
    lost = Beaten(1_100_000, 0, 1, 1, 400)
    story.take([Happened(lost, 0, 1, Reactions(190_400, 190_000, close=True))], 0)
    assert story.notice.text == "right: bob beats anna by <1 ms, close"
    texts = ["close right <1 ms", "late right 4 ms", "late left 30 ms"]
    assert [(line.seat, line.text, line.late) for line in story.log] == [(0, text, True) for text in texts]


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
    tell(story, Revealed(0, ((NINE,), (JACK,)), (NINE, JACK)))
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
    assert story.notice.text == "bob has left"
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


THREE_PLAYERS = make_rules(players=3, piles=3, out=2, call_speed=True)


def of_three(seat: int = 0) -> Story:
    names = (SeatInfo("anna"), SeatInfo("bob"), SeatInfo("cho"))
    return a_story(seat, a_room(seats=names, rules=THREE_PLAYERS))


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Emptied(1, 1, 2_000_001), "bob has no cards left"),
        (Emptied(1, 0, 2_000_001), "you have no cards left"),
        (Frozen(1, 2, 2_000_001), "false call: cho is frozen for 2.0 s"),
        (Took(1, 1, 2, (-2, -2, NO_CARD), (-2,) * 4, 0, 2), "cho calls first: bob takes the right pile, 6 cards now"),
        (Took(1, 0, 1, (NINE, JACK), (), 0, 1), "bob calls first: you take the middle pile, 2 cards now"),
        (Took(1, 1, 0, (), (-2,) * 4, 0), "false call: bob takes the left pile, 4 cards now"),
        (FlipAsked(1, 1), "bob asks for the flip"),
        (FlipAsked(1, 0), "you ask for the flip"),
        (Left(1, 2, ((), (), ()), 0), "cho has left: those cards are under the side piles"),
    ],
)
def test_every_event_of_the_house_rules_is_a_sentence_and_a_line(event: Event, said: str) -> None:
    story = of_three()
    tell(story, event)
    assert story.notice.text == said
    assert story.log[0].seat == event.seat  # type: ignore[union-attr]  # each of these has one


def test_piles_are_named_by_how_many_there_are() -> None:
    story = of_three()
    tell(story, Played(1, 1, 0, NINE, 1, NO_CARD), Played(2, 1, 0, parse_card("*1"), 2, NO_CARD, named=11))
    assert [line.text for line in story.log] == ["★1 as Q → right", "9♠ → middle"]


def test_the_last_of_several_wins_because_the_others_left() -> None:
    story = of_three()
    tell(story, Won(5, 1, 7, forfeit=True))
    assert story.notice.text == "bob wins: the others left"


def test_a_pace_counts_from_the_first_play_seen_when_the_cards_turned_unseen() -> None:
    story = a_story()
    for at in (40_000_000, 41_000_000):
        tell(story, Played(at, 0, 0, NINE, 0, NO_CARD))
    assert list(story.gaps[0]) == [1_000_000]
    story.take([LinkChanged("lost"), LinkChanged("up")], 0)
    for at in (80_000_000, 82_000_000):
        tell(story, Played(at, 0, 0, NINE, 0, NO_CARD))
    assert list(story.gaps[0]) == [1_000_000, 2_000_000]


def test_a_call_for_nothing_is_no_card_that_does_not_fit() -> None:
    story = a_story()
    story.take([PlayRefused(Refused(1, "illegal"), asked="call")], 0)
    assert story.notice.text == "there is nothing to call"
    story.take([PlayRefused(Refused(2, "illegal"), asked="draw")], 0)
    assert story.notice.text == "cards come into your hand by themselves"


def test_the_sentence_of_a_refusal_is_the_servers_where_it_has_one() -> None:
    story = a_story()
    story.take([Denied("bad_rules", "three players need two decks")], 0)
    assert story.notice.text == "three players need two decks"


def test_who_played_a_deal_is_remembered_when_the_seat_is_free() -> None:
    story = a_story(room=a_room(OVER))
    story.take([RoomChanged(a_room(OVER, seats=seats(bob=False)), 0, 1)], 0)
    assert story.notice.text == "bob has left"
    assert story.players[1] == "bob"
    story.take([RoomChanged(a_room(COUNTDOWN, deal=2, seats=(SeatInfo("anna"), SeatInfo("cho"))), 0, 1)], 0)
    assert story.players == {0: "anna", 1: "cho"}
