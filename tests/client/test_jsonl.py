from __future__ import annotations

import json
from typing import Any

import pytest
from tests.client.lan import Guest, Lan

from speed_client.json_lines import event_object, news_object, state_of
from speed_client.jsonl import Command, CommandError, JsonPlayer, JsonWatcher, parse_command
from speed_client.news import Denied, Happened, LobbyChanged
from speed_client.wishes import Want
from speed_common.cards import HIDDEN, NO_CARD, parse_card
from speed_common.events import (
    Beaten,
    Drew,
    Emptied,
    FlipAsked,
    Frozen,
    Left,
    Played,
    Revealed,
    Stuck,
    Took,
    Tucked,
)
from speed_common.presets import make_rules
from speed_common.wire import Reactions, TableLine
from speed_server.settings import MS, SECOND

Line = dict[str, Any]


class Program:
    """Somebody's own player: reads lines, writes lines."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.face = JsonPlayer(guest.session)

    def read(self) -> list[Line]:
        self.guest.session.news[:0] = self.guest.news
        self.guest.news.clear()
        return [json.loads(line) for line in self.face.changed(self.guest.clock)]

    def write(self, line: str) -> list[Line]:
        answers = [json.loads(answer) for answer in self.face.command(line, self.guest.clock, self.guest.clock)]
        self.guest.lan.settle()
        return answers


def of(lines: list[Line], kind: str) -> list[Line]:
    return [line for line in lines if line["type"] == kind]


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ('{"play": 0}', Command("play", 0)),
        ('{"play": 4, "pile": null}', Command("play", 4)),
        (' {"pile": 1, "play": 2} ', Command("play", 2, 1)),
        ('{"ready": true}', Command("ready")),
        ('{"rematch": true}', Command("rematch")),
        ('{"leave": true}', Command("leave")),
        ('{"draw": true}', Command("draw")),
        ('{"call": true}', Command("call")),
        ('{"flip": true}', Command("flip")),
        ('{"play": 2, "named": "Q"}', Command("play", 2, -1, 11)),
        ('{"play": 2, "pile": 3, "named": null}', Command("play", 2, 3)),
    ],
)
def test_a_line_asks_for_one_thing(line: str, asked: Command) -> None:
    assert parse_command(line) == asked


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("ready", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ("[" * 5_000, "not a JSON object"),
        ("{}", "one of play"),
        ('{"play": 0, "ready": true}', "one of play"),
        ('{"play": 0, "card": "9S"}', "unknown key 'card'"),
        ('{"play": true}', "play takes a slot"),
        ('{"play": -1}', "play takes a slot"),
        ('{"play": 10}', "play takes a slot"),
        ('{"play": 1.0}', "play takes a slot"),
        ('{"play": 1, "pile": -1}', "pile is null"),
        ('{"play": 1, "pile": true}', "pile is null"),
        ('{"play": 1, "pile": "left"}', "pile is null"),
        ('{"ready": 1}', "write"),
        ('{"play": 1, "named": "1"}', "named is null"),
        ('{"play": 1, "named": ["Q"]}', "named is null"),
        ('{"call": true, "named": "Q"}', "write"),
        ('{"leave": true, "pile": 0}', "write"),
    ],
)
def test_a_line_that_asks_for_nothing_says_what_is_wrong(line: str, what: str) -> None:
    with pytest.raises(CommandError, match=what):
        parse_command(line)


def test_events_name_their_cards_and_their_units() -> None:
    nine, jack = parse_card("9S"), parse_card("JD")
    assert event_object(Played(70_000, 1, 2, nine, 0, HIDDEN)) == {
        "type": "played",
        "at_us": 70_000,
        "seat": 1,
        "slot": 2,
        "card": "9S",
        "pile": 0,
        "refill": "??",
    }
    assert event_object(Played(1, 0, 0, nine, 1, NO_CARD, named=11))["named"] == "Q"
    assert event_object(Drew(5, 0, 3, jack)) == {"type": "drew", "at_us": 5, "seat": 0, "slot": 3, "card": "JD"}
    assert event_object(Stuck(5, 9)) == {"type": "stuck", "at_us": 5, "due_us": 9}
    assert event_object(Beaten(5, 0, 1, 1, 120_000))["late_us"] == 120_000
    assert event_object(Revealed(0, ((nine,), (HIDDEN,)), (jack, nine))) == {
        "type": "revealed",
        "at_us": 0,
        "hands": [["9S"], ["??"]],
        "tops": ["JD", "9S"],
    }
    assert event_object(Tucked(3, ((nine,), (NO_CARD,)), ((HIDDEN,), ())))["draws"] == [["??"], []]


def test_a_lost_race_is_told_with_both_reactions_or_null_where_the_clocks_do_not_know() -> None:
    lost = Beaten(5, 0, 1, 1, 12_000)
    known = news_object(Happened(lost, 0, 1, Reactions(194_000, 182_000, close=True)), None)
    told = {"seat": 0, "by": 1, "pile": 1, "late_us": 12_000, "own_reaction_us": 194_000, "by_reaction_us": 182_000}
    assert known.items() >= {**told, "close": True}.items()
    unknown = news_object(Happened(lost, 0, 1), None)
    assert [unknown[name] for name in ("own_reaction_us", "by_reaction_us", "close")] == [None] * 3
    assert "close" not in news_object(Happened(Stuck(5, 9), 0, 1), None), "only a lost race has them"


def test_a_program_learns_all_that_it_needs_in_order() -> None:
    lan = Lan()
    anna = lan.guest("anna")
    bob = lan.guest("bob")
    program = Program(anna)
    lan.run(300 * MS)
    program.write('{"ready": true}')
    bob.ready()
    lan.run(SECOND + 50 * MS)
    lines = program.read()
    kinds = [line["type"] for line in lines]
    assert kinds[:2] == ["welcome", "link"]
    assert kinds.index("room") < kinds.index("revealed")
    (welcome,) = of(lines, "welcome")
    assert welcome["name"] == "anna"
    rooms = of(lines, "room")
    assert rooms[-1]["phase"] == "countdown"
    assert rooms[-1]["you"] == 0
    assert [seat["name"] for seat in rooms[-1]["seats"]] == ["anna", "bob"]
    (revealed,) = of(lines, "revealed")
    assert revealed["at_ns"] == rooms[-1]["reveal_at_ns"]
    assert abs(revealed["now_ns"] - lan.now) <= 60 * MS
    assert "??" not in revealed["state"]["hand"]
    assert revealed["hands"][1] == ["??"] * 5


def test_a_program_plays_by_slot_and_pile_and_is_told_what_came_of_it() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    program = Program(anna)
    program.read()
    table = anna.session.mirror.table
    assert table is not None
    bad = next(s for s, card in enumerate(anna.hand) if not table.fits_on(card))
    assert program.write(json.dumps({"play": bad, "pile": 0})) == []
    assert of(program.write(json.dumps({"play": bad})), "error")[0]["error"] == "pending"
    lan.run(50 * MS)
    (refused,) = of(program.read(), "refused")
    assert (refused["word"], refused["slot"]) == ("illegal", bad)
    for _ in range(3_000):
        state = state_of(anna.session.mirror)
        assert state is not None
        if state["phase"] == "over":
            break
        for slot, card in enumerate(anna.hand):
            piles = table.fits_on(card)
            if piles:
                program.write(json.dumps({"play": slot, "pile": piles[0]}))
                break
        bob.play_best()
        lan.run(60 * MS)
    lines = program.read()
    assert of(lines, "won")
    assert of(lines, "room")[-1]["result"]["winner"] == of(lines, "won")[0]["seat"]
    assert program.write('{"play": 0}')[0]["error"] == "deal_over"
    assert program.write('{"leave": true}') == []
    (end,) = of(program.read(), "end")
    assert end["word"] == "left"


def test_bad_input_is_one_error_line_and_play_goes_on() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    program = Program(anna)
    assert [line["type"] for line in program.write("}{")] == ["error"]
    assert program.write("  ") == []
    lan.play_out(anna, bob)


def test_the_public_state_is_the_same_for_both_players_and_the_spectator() -> None:
    lan = Lan()
    watching = lan.watcher()
    anna, bob = lan.dealt_pair()
    lan.play_out(anna, bob)
    lan.run(100 * MS)
    mirrors = [anna.session.mirror, bob.session.mirror, watching.tables[1]]
    states = [state_of(mirror) for mirror in mirrors]
    public = [{k: v for k, v in state.items() if k != "hand"} for state in states if state is not None]
    assert public[0] == public[1] == public[2]


def test_closing_the_input_leaves_when_nothing_is_under_way() -> None:
    lan = Lan()
    anna, _ = lan.pair()
    program = Program(anna)
    list(program.face.closed(anna.clock))
    assert of(program.read(), "end")[0]["word"] == "left"


def test_a_spectator_reads_whole_lines_and_may_only_leave() -> None:
    lan = Lan()
    watching = lan.watcher()
    face = JsonWatcher(watching)
    anna, bob = lan.dealt_pair()
    lan.play_out(anna, bob)
    lan.run(100 * MS)
    lines = [json.loads(line) for line in face.changed(lan.now)]
    assert {"link", "lobby", "room", "revealed", "played", "won"} <= {line["type"] for line in lines}
    assert all(line["you"] is None for line in of(lines, "room"))
    assert "hand" not in of(lines, "won")[0]["state"]
    assert json.loads(next(iter(face.command('{"ready": true}', 0, 0))))["error"] == "not_seated"
    assert json.loads(next(iter(face.command("x", 0, 0))))["type"] == "error"
    assert list(face.command('{"leave": true}', 0, 0)) == []
    assert [json.loads(line)["type"] for line in face.changed(lan.now)] == ["end"]


def test_the_events_of_the_house_rules_have_their_names_and_units() -> None:
    nine = parse_card("9S")
    assert event_object(FlipAsked(5, 1)) == {"type": "flip_asked", "at_us": 5, "seat": 1}
    assert event_object(Emptied(5, 1, 9)) == {"type": "emptied", "at_us": 5, "seat": 1, "due_us": 9}
    assert event_object(Frozen(5, 1, 9)) == {"type": "frozen", "at_us": 5, "seat": 1, "until_us": 9}
    took = event_object(Took(5, 1, 2, (nine, NO_CARD), (HIDDEN,), 7))
    assert (took["hand"], took["draw"], took["by"], took["pile"]) == (["9S", None], ["??"], None, 2)
    assert event_object(Left(5, 1, ((HIDDEN,), ()), 7))["sides"] == [["??"], []]


def test_a_program_plays_by_the_rules_of_the_house() -> None:
    lan = Lan()
    rules = make_rules(players=3, call_speed=True, flip_trigger="all_ready")
    anna, *_ = lan.dealt(rules)
    program = Program(anna)
    state = program.read()[-1]["state"]
    assert (state["phase"], state["gone"], state["asked"]) == ("playing", [False] * 3, [False] * 3)
    assert (state["emptied"], state["frozen_until_us"]) == (None, [None] * 3)
    assert program.write('{"flip": true}') == []
    assert program.write('{"call": true}') == []
    lan.run(50 * MS)
    lines = program.read()
    (refused,) = of(lines, "refused")
    assert (refused["word"], refused["asked"], refused["slot"]) == ("not_due", "flip", -1)
    (frozen,) = of(lines, "frozen")
    assert frozen["state"]["frozen_until_us"] == [frozen["until_us"], None, None]


def test_a_program_may_name_the_rank_of_a_joker() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    program = Program(anna)
    program.write('{"play": 1, "pile": 1, "named": "10"}')
    assert anna.session.pending[1].pile == 1


def test_a_refused_seat_and_a_table_by_code_say_so() -> None:
    lan = Lan()
    anna = lan.guest("anna", want=Want(code="A03KX-1K9Z4Q"))
    lan.run(300 * MS)
    lines = Program(anna).read()
    room = of(lines, "room")[-1]
    assert room["code"] == "A03KX-1K9Z4Q"
    assert room["resume_at_ns"] is None
    (line,) = news_object(LobbyChanged((TableLine(1, 0, ("anna", ""), (), "us"),)), None)["tables"]
    assert line == {"table": 1, "phase": "waiting", "names": ["anna", ""], "left": [], "rules": "us"}
    assert news_object(Denied("bad_rules", "why"), None) == {"type": "denied", "word": "bad_rules", "text": "why"}
