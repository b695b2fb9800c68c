from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.client.lan import Lan
from tests.client.screens import SECOND, TICKET, a_room, a_view, cards, seated, seats, show

from speed_client.compose import from_mirror, from_session, log_time, rules_line
from speed_client.model import TableModel
from speed_client.outcome import minutes
from speed_client.session import Session
from speed_client.story import Story
from speed_client.wake import Answers
from speed_client.wishes import Want
from speed_common.cards import HIDDEN, NO_CARD
from speed_common.events import NOBODY
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import CALLING, DEALT, STUCK
from speed_common.wire import (
    COUNTDOWN,
    NEW_TABLE,
    OVER,
    PLAYING,
    WAITING,
    Result,
    SeatFair,
    SeatInfo,
    SeatResult,
    Snapshot,
    TableLine,
    Welcome,
    encode,
)

NOW = 1_000 * SECOND
MS = SECOND // 1_000


def model_of(session: Session, now: int = NOW, story: Story | None = None) -> TableModel:
    return from_session(session, story or told(session, now), Answers(), now)[0]


def told(session: Session, now: int = NOW) -> Story:
    story = Story()
    story.take(session.news, now)
    return story


def wake_of(session: Session, now: int = NOW) -> int | None:
    return from_session(session, told(session, now), Answers(), now)[1]


def at(room_phase: int, **changes: object) -> Session:
    view = changes.pop("view", a_view())
    session = seated(now=NOW)
    room = a_room(room_phase, **{"reveal_at_ns": NOW - 47 * SECOND, **changes})
    show(session, room, view, now=NOW)  # type: ignore[arg-type]
    return session


def test_before_anything_is_known_the_screen_connects() -> None:
    assert model_of(Session("anna", b"", Want(), NOW)).stage == "connecting"


def test_hand_piles_and_counts_stand_where_they_lie() -> None:
    model = model_of(seated(now=NOW))
    assert model.stage == "playing"
    assert [place.card for place in model.bottom.hand] == list(cards("10H 3C 7D QS AD"))
    assert [place.card for place in model.foes[0].hand] == [HIDDEN] * 5
    assert [(pile.top, pile.side) for pile in model.piles] == [(cards("9S")[0], 4), (cards("JD")[0], 4)]
    assert (model.bottom.name, model.bottom.draw, model.foes[0].name, model.foes[0].draw) == ("anna", 11, "bob", 12)
    assert model.bottom.left == 16
    assert model.clock == "0:47"


def test_only_a_card_that_fits_several_piles_names_its_pile() -> None:
    assert [place.hint for place in model_of(seated(now=NOW)).bottom.hand] == ["left", "", "", "", ""]


def test_a_played_card_is_sent_and_a_refused_one_is_back() -> None:
    session = seated(now=NOW)
    session.play(0, 0, NOW, NOW)
    assert [place.sent for place in model_of(session).bottom.hand] == [True, False, False, False, False]
    session.due(NOW + 10 * SECOND)
    assert not model_of(session).bottom.hand[0].sent


def test_the_lifted_card_of_a_computer_is_marked() -> None:
    session = seated(view=a_view(lifted=(-1, 2)), now=NOW)
    assert [place.lifted for place in model_of(session).foes[0].hand] == [False, False, True, False, False]


def test_the_clock_wakes_the_screen_with_each_second() -> None:
    session = seated(a_room(reveal_at_ns=NOW - 47 * SECOND - 300 * MS), now=NOW)
    assert wake_of(session) == NOW + 700 * MS
    assert model_of(session, NOW + 700 * MS).clock == "0:48"


def test_two_models_between_two_seconds_are_equal() -> None:
    session = seated(a_room(reveal_at_ns=NOW - 47 * SECOND), now=NOW)
    story, answers = told(session), Answers()
    assert from_session(session, story, answers, NOW + 1)[0] == from_session(session, story, answers, NOW + 999 * MS)[0]


def test_the_countdown_counts_begun_seconds_and_ends_with_the_cards() -> None:
    dealt = a_view("?? ?? ?? ?? ??", "?? ??", phase=DEALT)
    session = at(COUNTDOWN, view=dealt, reveal_at_ns=NOW + 2_100 * MS)
    assert (model_of(session).stage, model_of(session).digit) == ("countdown", 3)
    assert wake_of(session) == NOW + 100 * MS
    assert model_of(session, NOW + 100 * MS).digit == 2
    show(session, a_room(COUNTDOWN, reveal_at_ns=NOW), a_view(), 11, NOW)
    assert model_of(session).stage == "playing"


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (a_view(phase=STUCK, due=48_000_000), "stuck — flip in 1"),
        (a_view(phase=STUCK, due=48_500_000), "stuck — flip in 2"),
        (a_view(phase=STUCK, due=48_000_000, sides=(0, 0)), "stuck, side piles empty — hands tuck under in 1"),
        (
            a_view(phase=STUCK, due=48_000_000, sides=(0, 0), draws=(0, 0)),
            "stuck, side piles empty — reshuffle in 1",
        ),
    ],
)
def test_a_stuck_table_says_what_comes(view: object, said: str) -> None:
    assert model_of(at(2, view=view)).notice.text == said


def test_a_missing_player_is_told_with_the_time_that_is_left() -> None:
    away = (SeatInfo("anna"), SeatInfo("bob", connected=False))
    model = model_of(at(2, seats=away, paused_until_ns=NOW + 87 * SECOND))
    assert model.notice.text == "bob is gone: the deal is forfeit in 1:27"
    assert not model.foes[0].here
    assert model.clock == "pause"


def test_silence_shows_as_no_link_and_takes_the_answer_time_away() -> None:
    session = seated(now=NOW)
    session.due(NOW + 1_500 * MS)
    model = model_of(session, NOW + 1_500 * MS)
    assert model.no_link
    assert model.answer == ""


def test_a_sentence_goes_when_its_time_is_over() -> None:
    session = seated(now=NOW)
    story = told(session)
    story.say("something", NOW)
    assert model_of(session, NOW, story).notice.text == "something"
    assert model_of(session, story.until, story).notice.text == ""


def test_a_flash_ends_by_itself() -> None:
    session = seated(a_room(reveal_at_ns=NOW - 47 * SECOND), now=NOW)
    story = told(session)
    story.flashes[1] = NOW + 120 * MS
    model, wake = from_session(session, story, Answers(), NOW)
    assert model.piles[1].flash
    assert wake == NOW + 120 * MS
    assert not model_of(session, NOW + 120 * MS, story).piles[1].flash


def result(**changes: object) -> Result:
    figures = (SeatResult(20, 0, 5, 3, 30_000), SeatResult(14, 6, 3, 6, -120_000))
    fields = {"winner": 0, "score": 6, "forfeit": False, "duration_us": 118_000_000, "seats": figures, **changes}
    return Result(**fields)  # type: ignore[arg-type]


def test_the_result_tells_both_players_figures() -> None:
    model = model_of(at(OVER, result=result()))
    assert model.stage == "over"
    assert model.clock == "1:58"
    assert model.outcome is not None
    assert (model.outcome.title, model.outcome.how, model.outcome.won) == ("YOU WIN", "by 6 cards, in 1:58", True)
    assert model.outcome.rows == (
        ("cards played", "20", "14"),
        ("seconds a card", "5.90", "8.43"),
        ("races won", "5", "3"),
        ("closest race", "+0.03 s", "−0.12 s"),  # noqa: RUF001
        ("late tries", "3", "6"),
    )


def test_the_result_tells_what_the_fair_order_cost_where_it_decided_something() -> None:
    report = (SeatFair(12, 8_400, 71_000), SeatFair(9, 200, 1_600))
    outcome = model_of(at(OVER, result=result(fair=report))).outcome
    assert outcome is not None
    assert outcome.report == (("contested", "12", "9"), ("held, ms", "8 / 71", "0 / 2"))


@pytest.mark.parametrize(
    ("changes", "title", "how"),
    [
        ({"winner": 1, "score": 1}, "BOB WINS", "by 1 card, in 1:58"),
        ({"winner": 1, "forfeit": True}, "BOB WINS", "you left, after 1:58"),
        ({"winner": 0, "forfeit": True}, "YOU WIN", "bob left, after 1:58"),
        ({"winner": NOBODY}, "NO WINNER", "the deal could not go on, 1:58"),
    ],
)
def test_every_end_has_its_words(changes: dict[str, object], title: str, how: str) -> None:
    outcome = model_of(at(OVER, result=result(**changes))).outcome
    assert outcome is not None
    assert (outcome.title, outcome.how) == (title, how)


def test_a_player_without_a_card_played_has_no_pace() -> None:
    figures = (SeatResult(0, 20, 0, 0), SeatResult(14, 6, 3, 6, 0))
    outcome = model_of(at(OVER, result=result(winner=1, seats=figures))).outcome
    assert outcome is not None
    assert outcome.rows[1][1:] == ("–", "8.43")  # noqa: RUF001
    assert outcome.rows[3][1] == "–"  # noqa: RUF001


def test_the_wish_for_a_rematch_is_told_to_both() -> None:
    mine = (SeatInfo("anna", ready=True), SeatInfo("bob"))
    theirs = (SeatInfo("anna"), SeatInfo("bob", ready=True))
    wishes = [model_of(at(OVER, result=result(), seats=both)).outcome for both in (mine, theirs, seats())]
    assert [outcome.wish for outcome in wishes if outcome] == ["waiting for bob", "bob wants a rematch", ""]


def test_between_the_deals_of_a_match_it_is_the_next_deal_that_is_asked_for() -> None:
    theirs = (SeatInfo("anna"), SeatInfo("bob", ready=True))
    said = [
        model_of(at(OVER, result=result(match_over=over), seats=theirs, rules=Rules(best_of=3))).outcome
        for over in (False, True)
    ]
    assert [(each.next_word, each.wish) for each in said if each] == [
        ("next deal", "bob wants the next deal"),
        ("rematch", "bob wants a rematch"),
    ]


def test_points_count_in_a_match_and_wins_otherwise() -> None:
    both = (SeatInfo("anna", wins=2, points=17), SeatInfo("bob", wins=1, points=9))
    assert model_of(at(2, seats=both)).bottom.score == 2
    model = model_of(at(2, seats=both, rules=Rules(match_target=25)))
    assert (model.bottom.score, model.foes[0].score, model.title) == (17, 9, "table 1 · to 25 points · deal 1")


def test_an_empty_seat_waits() -> None:
    model = model_of(at(WAITING, seats=seats(bob=False), view=None))
    assert (model.stage, model.foes[0].name, model.clock) == ("waiting", "", "")


def test_a_deal_given_up_is_still_told_to_the_one_who_waits() -> None:
    model = model_of(at(WAITING, seats=seats(bob=False), result=result(forfeit=True)))
    assert model.stage == "waiting"
    assert model.outcome is not None
    assert (model.outcome.title, model.outcome.how) == ("YOU WIN", "bob left, after 1:58")


def test_the_own_table_is_not_among_the_others() -> None:
    session = seated(now=NOW)
    session.lobby = (TableLine(1, 2, ("anna", "bob")), TableLine(2, 2, ("cho", "dev")))
    assert [line.number for line in model_of(session).others] == [2]


def test_a_spectator_sees_seat_0_at_the_bottom_and_no_hints() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    watching = lan.watcher()
    lan.run(2 * SECOND)
    assert anna.play_best() or bob.play_best()
    lan.run(100 * MS)
    story = Story()
    story.take(watching.news, lan.now)
    (mirror,) = watching.tables.values()
    model, wake = from_mirror(mirror, story, watching.server_now(lan.now), lan.now)
    assert not model.seated
    assert (model.bottom.name, model.foes[0].name) == ("anna", "bob")
    assert {place.card for place in model.bottom.hand} == {HIDDEN}
    assert {place.hint for place in model.bottom.hand} == {""}
    assert "→" in model.notice.text
    assert wake is not None


def test_a_whole_deal_can_be_shown_at_every_step() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    story = told(anna.session)
    seen = set()
    for _ in range(400):
        for guest in (anna, bob):
            guest.play_best()
            lan.run(70 * MS)
            story.take(anna.news, anna.clock)
            anna.news.clear()
            model = from_session(anna.session, story, Answers(), anna.clock)[0]
            seen.add(model.stage)
        if model.stage == "over":
            break
    assert seen == {"playing", "over"}
    assert model.outcome is not None


def test_times_are_written_as_people_read_them() -> None:
    assert (minutes(47), minutes(725)) == ("0:47", "12:05")
    assert (log_time(47_310_000), log_time(-5)) == ("0:47.31", "0:00.00")


def test_the_rules_are_told_in_one_line() -> None:
    assert rules_line(Rules()) == "5 in hand · 15 to draw · A next to K"
    odd = Rules(wrap=False, same_rank=True, refill="manual")
    assert rules_line(odd) == "5 in hand · 15 to draw · A not next to K · same rank fits · draw by hand"


def test_models_are_values() -> None:
    model = model_of(seated(now=NOW))
    assert replace(model) == model


# --- three and four, and the rules of the house ----------------------------------------------------------------------


def crowd(players: int = 4, in_room: int = PLAYING, seat: int = 0, **changes: Any) -> Session:
    """A session at a table of several, 47 s into a deal; changes to the view, and `rules`, `room` ones."""
    rules = make_rules(players=players, call_speed=True, flip_trigger="all_ready", **changes.pop("rules", {}))
    names = tuple(map(SeatInfo, ("anna", "bob", "cho", "dev")[:players]))
    room = {"reveal_at_ns": NOW - 47 * SECOND, "seats": names, "rules": rules, **changes.pop("room", {})}
    hands: list[tuple[int, ...]] = [(HIDDEN,) * 5] * players
    hands[seat] = cards("10H 3C 7D QS AD")
    fields: dict[str, Any] = {
        "hands": tuple(hands),
        "draws": (11, 12, 13, 14)[:players],
        "tops": {2: "9S JD", 3: "9S JD 2C", 4: "9S JD 2C 4H"}[rules.piles],
        "under": (3,) * rules.piles,
        "sides": (4,) * rules.piles,
        "lifted": (-1,) * players,
        "beaten": (0,) * players,
        **changes,
    }
    session = seated(now=NOW)
    snapshot = Snapshot(10, NOW, seat, a_room(in_room, **room), a_view(**fields))
    session.receive(encode(snapshot), NOW)
    session.due(NOW)
    return session


def test_the_others_stand_clockwise_from_the_viewers_left() -> None:
    for seat, order in enumerate(("bob cho dev", "cho dev anna", "dev anna bob", "anna bob cho")):
        model = model_of(crowd(seat=seat))
        assert model.bottom.name == ("anna", "bob", "cho", "dev")[seat]
        assert [foe.name for foe in model.foes] == order.split()
    assert [foe.draw for foe in model.foes] == [11, 12, 13]
    assert [pile.top for pile in model.piles] == list(cards("9S JD 2C 4H"))


def test_a_hint_names_the_pile_among_several() -> None:
    hints = [place.hint for place in model_of(crowd()).bottom.hand]
    assert hints[0] in {"far left", "left"}
    assert hints[1] in {"right", "far right"}
    assert hints[2:] == [""] * 3


def test_who_must_call_has_the_time_and_the_others_are_told_to_be_quick() -> None:
    due = 48_400_000
    empty = (cards("10H 3C 7D QS AD"), (NO_CARD,) * 5, *[(HIDDEN,) * 5] * 2)
    other = model_of(crowd(hands=empty, **calling(1, due)))
    assert (other.notice.text, other.notice.kind) == ("bob is out — call Speed! (Space)", "call")
    assert other.space == "call Speed!"
    assert other.foes[0].state == "no cards!"
    own = model_of(crowd(seat=1, hands=((HIDDEN,) * 5, (NO_CARD,) * 5, *[(HIDDEN,) * 5] * 2), **calling(1, due)))
    assert own.notice.text == "Speed! press Space, 1.4 s"


def calling(seat: int, due: int) -> dict[str, Any]:
    return {"phase": CALLING, "emptied": seat, "due": due}


def test_the_countdown_of_a_call_wakes_with_each_tenth() -> None:
    session = crowd(seat=1, **calling(1, 48_350_000))
    assert wake_of(session) == NOW + 50 * MS


def test_a_stuck_table_that_flips_when_all_ask_says_who_has_not() -> None:
    stuck: dict[str, Any] = {"phase": STUCK, "due": 57_000_000}
    model = model_of(crowd(**stuck))
    assert model.notice.text == "stuck — press Space to flip (waiting for bob, cho and dev)"
    assert model.space == "flip"
    asked = model_of(crowd(asked=(True, True, False, False), **stuck))
    assert asked.notice.text == "stuck — flip when all ask (waiting for cho and dev)"
    assert asked.space == ""
    assert [foe.state for foe in asked.foes] == ["flip?", "", ""]
    late = model_of(crowd(asked=(False, True, True, True), **stuck), NOW + 6 * SECOND)
    assert late.notice.text == "stuck — press Space to flip — by itself in 4"


def test_who_is_frozen_sees_for_how_long_and_the_others_see_it_too() -> None:
    frozen = (-(1 << 40), 48_500_000, -(1 << 40), -(1 << 40))
    own = model_of(crowd(seat=1, frozen=frozen))
    assert (own.notice.text, own.notice.kind) == ("false call: you are frozen for 1.5 s", "late")
    assert model_of(crowd(frozen=frozen)).foes[0].state == "frozen 2"
    assert model_of(crowd(frozen=frozen), NOW + 2 * SECOND).foes[0].state == ""


def test_who_has_left_the_deal_keeps_the_name_and_no_cards() -> None:
    session = crowd(3)
    story = told(session)
    session.news.clear()
    away = (SeatInfo("anna"), SeatInfo(""), SeatInfo("cho"))
    hands = (cards("10H 3C 7D QS AD"), (NO_CARD,) * 5, (HIDDEN,) * 5)
    room = a_room(seats=away, rules=make_rules(players=3), reveal_at_ns=NOW - 47 * SECOND)
    view = a_view(
        hands=hands, draws=(11, 0, 12), tops="9S JD 2C 4H", under=(3,) * 4, sides=(4,) * 4,
        lifted=(-1,) * 3, beaten=(0,) * 3, gone=(False, True, False),
    )  # fmt: skip
    show(session, room, view, 11, NOW)
    story.take(session.news, NOW)
    gone = model_of(session, NOW, story).foes[0]
    assert (gone.name, gone.gone, gone.left, gone.state) == ("bob", True, 0, "has left")


def test_a_deal_that_waited_counts_in_before_it_goes_on() -> None:
    session = crowd(room={"resume_at_ns": NOW + 1_200 * MS})
    model = model_of(session)
    assert (model.stage, model.digit, model.clock) == ("playing", 2, "pause")
    assert wake_of(session) == NOW + 200 * MS
    after = model_of(session, NOW + 1_300 * MS)
    assert (after.digit, after.clock) == (0, "0:48")


def test_a_deal_that_waited_from_its_first_moment_is_shown_while_it_counts_in() -> None:
    session = crowd(room={"reveal_at_ns": NOW + 1_900 * MS, "resume_at_ns": NOW + 2_000 * MS})
    model = model_of(session)
    assert (model.stage, model.digit, model.clock) == ("playing", 2, "pause")


def test_a_pause_of_several_says_that_play_goes_on() -> None:
    away = (SeatInfo("anna"), SeatInfo("bob", connected=False), SeatInfo("cho", connected=False))
    model = model_of(crowd(3, room={"seats": away, "paused_until_ns": NOW + 87 * SECOND}))
    assert model.notice.text == "bob and cho are gone: play goes on in 1:27"
    assert model.foes[0].state == "no link"


def test_the_code_of_a_table_stands_in_the_title_and_on_the_result() -> None:
    assert model_of(at(2, code="A03KX-1K9Z4Q")).title == "table 1 · code A03KX-1K9Z4Q · deal 1"
    outcome = model_of(at(OVER, result=result(), code="A03KX-1K9Z4Q")).outcome
    assert outcome is not None
    assert outcome.code == "A03KX-1K9Z4Q"


def test_the_result_of_a_deal_says_how_the_match_stands_and_who_won_it() -> None:
    both = (SeatInfo("anna", wins=2, points=27), SeatInfo("bob", wins=1, points=9))
    points = {"rules": Rules(match_target=25), "seats": both}
    deals = {"rules": Rules(best_of=5), "seats": both}
    said = [
        model_of(at(OVER, result=result(match_over=over), **changes)).outcome
        for changes, over in ((points, True), (points, False), (deals, False), ({"seats": both}, True))
    ]
    assert [outcome.match for outcome in said if outcome] == [
        "match won by you, 27 – 9",  # noqa: RUF001
        "match to 25 points: anna 27, bob 9",
        "best of 5: anna 2, bob 1",
        "",
    ]


def test_the_result_has_a_column_for_each_player_the_viewer_first() -> None:
    figures = tuple(SeatResult(played, left, 0, 0) for played, left in ((20, 0), (14, 6), (9, 11)))
    over = result(winner=0, score=17, seats=figures)
    model = model_of(crowd(3, OVER, seat=1, room={"result": over}))
    assert model.outcome is not None
    assert model.outcome.names == ("bob", "cho", "anna")
    assert model.outcome.rows[0] == ("cards played", "14", "9", "20")
    assert (model.outcome.title, model.outcome.how) == ("ANNA WINS", "by 17 cards, in 1:58")


def test_a_result_without_the_other_says_who_left_and_offers_no_rematch() -> None:
    session = at(OVER, result=result())
    story = told(session)
    session.news.clear()
    show(session, a_room(OVER, seats=seats(bob=False), result=result(), reveal_at_ns=NOW), a_view(), 11, NOW)
    story.take(session.news, NOW)
    model = model_of(session, NOW, story)
    assert model.outcome is not None
    assert model.outcome.names == ("anna", "bob")
    assert (model.outcome.wish, model.outcome.again) == ("bob has left: waiting for somebody to sit down", False)
    assert model.space == ""


def test_what_was_asked_for_is_offered_no_more() -> None:
    ready = (SeatInfo("anna", ready=True), SeatInfo("bob"))
    assert model_of(at(OVER, result=result())).space == "rematch"
    assert model_of(at(OVER, result=result(), seats=ready)).space == ""
    assert model_of(at(WAITING, view=None)).space == "ready"
    assert model_of(at(WAITING, view=None, seats=ready)).space == ""


def test_a_table_that_others_must_name_tells_them_so() -> None:
    assert model_of(seated(now=NOW)).join == ""
    session = Session("anna", b"", Want(NEW_TABLE, rules=Rules(wrap=False)), NOW)
    session.connected(NOW)
    session.receive(encode(Welcome(1, "0.1.0", "f" * 16, "anna", TICKET, 250_000)), NOW)
    show(session, a_room(WAITING, table=3, seats=seats(bob=False)), None, now=NOW)
    assert model_of(session).join == " --table 3"


def test_a_joker_on_top_shows_the_rank_that_it_was_named() -> None:
    rules = make_rules(jokers=2, joker_mode="declared")
    view = a_view(tops="*1 JD", named=(11, -1))
    model = model_of(at(PLAYING, rules=rules, view=view))
    assert [pile.named for pile in model.piles] == [11, -1]
