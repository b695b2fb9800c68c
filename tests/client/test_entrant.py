from __future__ import annotations

import json

from msgspec.structs import replace
from tests.client.evenings import evening
from tests.client.screens import SECOND, TICKET

from speed_client.jsonl import JsonPlayer
from speed_client.plain import PlainPlayer
from speed_client.session import Session
from speed_client.wishes import Want
from speed_common.wire import Called, Enter, Heard, Mine, Ready, Up, Welcome, Withdraw, decode_up, encode

TID = "friday-cup"
MINE = Mine(TID, "Friday Cup", "running", 1, "active", 5, "eva", 0, 240, "your next match is M5, against eva, soon")
CALLED = Called(TID, 5, "M5, round 2", 3, "eva", 180_000_000, 1)


def entered(*, ready: bool = False) -> Session:
    session = Session("anna", b"", Want(tournament=TID, ready=ready), 0)
    session.connected(SECOND)
    session.receive(encode(Welcome(1, "0.1.0", "f" * 16, "anna", TICKET, 250_000)), SECOND)
    return session


def hear(session: Session, *messages: Mine | Called) -> None:
    for message in messages:
        session.receive(encode(message), SECOND)


def sent(session: Session, *kinds: type) -> list[Up]:
    found = [decode_up(data) for data in session.outbox]
    session.outbox.clear()
    return [message for message in found if isinstance(message, kinds)]


def test_the_call_clock_counts_on_our_clock_in_begun_seconds() -> None:
    session = entered()
    hear(session, MINE, CALLED)
    entrant = session.entrant
    assert entrant.seconds_left(SECOND) == 180
    assert entrant.seconds_left(SECOND + 500_000_000) == 180
    assert entrant.next_second(SECOND + 500_000_000) == 2 * SECOND
    assert entrant.seconds_left(400 * SECOND) == 0
    hear(session, replace(CALLED, left_us=None))
    assert entrant.seconds_left(SECOND) is None


def test_what_is_said_of_another_tournament_changes_nothing() -> None:
    session = entered()
    hear(session, replace(MINE, tid="other"), replace(CALLED, tid="other"))
    assert session.entrant.mine is None
    assert session.entrant.called is None


def test_a_call_is_gone_with_its_match() -> None:
    session = entered()
    hear(session, replace(MINE, table=3), CALLED)
    assert session.entrant.view(None, -1) == "call"
    hear(session, replace(MINE, match=9))
    assert session.entrant.view(None, -1) == "mine"


def test_who_is_ready_at_once_answers_each_call_once() -> None:
    session = entered(ready=True)
    sent(session)
    hear(session, MINE, CALLED, CALLED)
    assert [type(message) for message in sent(session, Heard, Ready)] == [Heard, Ready]


def test_a_tournament_is_entered_again_on_each_connection() -> None:
    session = entered()
    session.lost(2 * SECOND)
    session.connected(2 * SECOND)
    session.receive(encode(Welcome(1, "0.1.0", "f" * 16, "anna", TICKET, 250_000, resumed=True)), 2 * SECOND)
    assert len(sent(session, Enter)) == 1


def said(face: PlainPlayer, line: str) -> list[str]:
    return list(face.command(line, SECOND, SECOND))


def plain() -> tuple[PlainPlayer, Session]:
    session = entered()
    face = PlainPlayer(session, evening("single", 8, "favourites 1"))
    list(face.changed(SECOND))
    sent(session)
    return face, session


def test_a_screen_reader_hears_how_he_stands_and_each_call() -> None:
    face, session = plain()
    hear(session, MINE)
    assert list(face.changed(SECOND)) == ["Your next match is M5, against eva, soon."]
    hear(session, MINE)
    assert list(face.changed(SECOND)) == []
    hear(session, CALLED)
    assert list(face.changed(SECOND)) == [
        "Your match is called: table 3, against eva. 180 seconds left. Press Enter when ready."
    ]
    assert sent(session, Heard)
    hear(session, replace(CALLED, bells=2, left_us=60_000_000))
    assert list(face.changed(SECOND)) == ["You are called to table 3. 60 seconds left. Press Enter when ready."]
    said(face, "")
    assert sent(session, Ready)
    hear(session, replace(CALLED, bells=2, here=True))
    assert list(face.changed(SECOND)) == ["You are ready."]


def test_withdraw_is_said_twice_and_anything_between_takes_it_back() -> None:
    face, session = plain()
    assert said(face, "withdraw") == ["You leave Friday Cup for good. Say withdraw once more."]
    said(face, "mine")
    assert said(face, "withdraw") == ["You leave Friday Cup for good. Say withdraw once more."]
    assert not sent(session, Withdraw)
    said(face, "withdraw")
    assert sent(session, Withdraw)


def test_the_tournament_is_told_when_it_is_asked_for() -> None:
    face, session = plain()
    hear(session, MINE)
    assert said(face, "mine") == ["Your next match is M5, against eva, soon."]
    assert any("anna" in line for line in said(face, "standings"))
    assert any("beats" in line for line in said(face, "results"))
    assert any("withdraw" in line for line in said(face, "help"))


def test_when_the_input_ends_the_tournament_is_played_to_its_end() -> None:
    face, session = plain()
    hear(session, MINE)
    list(face.changed(SECOND))
    list(face.closed(SECOND))
    assert session.ended is None
    hear(session, replace(MINE, phase="finished", match=0, text="the tournament is over"))
    list(face.changed(SECOND))
    assert session.ended is not None


def test_a_json_player_is_told_of_calls_and_acknowledges_them() -> None:
    session = entered()
    face = JsonPlayer(session)
    sent(session)
    hear(session, MINE, CALLED)
    lines = [json.loads(line) for line in face.changed(SECOND)]
    mine, called = [line for line in lines if line["type"] in {"mine", "called"}]
    assert (mine["rival"], mine["wait_s"]) == ("eva", 240)
    assert (called["table"], called["left_us"], called["here"]) == (3, 180_000_000, False)
    assert sent(session, Heard)
    list(face.command('{"ready": true}', SECOND, SECOND))
    assert sent(session, Ready)
    list(face.command('{"withdraw": true}', SECOND, SECOND))
    assert sent(session, Withdraw)
