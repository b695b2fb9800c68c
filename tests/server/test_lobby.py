"""Where people are seated: by table, by rules, by code, and with computers beside them."""

from __future__ import annotations

import pytest
from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.codes import format_code, parse_code
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_server.settings import SECOND, HubSettings

FOUR = make_rules("four")
CODE = "B00KX-1K9Z4Q"


def room(player: Player) -> wire.Room:
    assert player.room is not None
    return player.room


def levels(player: Player) -> list[int]:
    return [seat.level for seat in room(player).seats]


def names(player: Player) -> list[str]:
    return [seat.name for seat in room(player).seats]


def refusal(player: Player) -> tuple[str, str]:
    refused = player.last(wire.Refused)
    return refused.word, refused.text


def test_one_computer_level_takes_every_other_seat_of_a_new_table() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    anna.sit(computers=(5,), rules=FOUR)
    assert levels(anna) == [0, 5, 5, 5]
    assert names(anna) == ["anna", "bot-5", "bot-5 2", "bot-5 3"]
    evening.start(anna)
    assert anna.reveal_seen


def test_several_levels_take_a_seat_each_and_the_rest_stays_free_for_people() -> None:
    evening = Evening()
    anna, bob = evening.guest("anna"), evening.guest("bob")
    anna.sit(computers=(2, 9), rules=FOUR)
    assert levels(anna) == [0, 2, 9, 0]
    assert names(anna) == ["anna", "bot-2", "bot-9", ""]
    bob.sit(room(anna).table)
    assert names(bob) == ["anna", "bot-2", "bot-9", "bob"]
    evening.start(anna, bob)
    assert bob.reveal_seen


def test_a_computer_never_has_the_name_of_a_person_at_its_table() -> None:
    evening = Evening()
    player = evening.guest("Bot-3")
    player.sit(computers=(3,))
    assert names(player) == ["Bot-3", "bot-3 2"]


def test_more_computers_than_free_seats_are_refused_with_the_remedy() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    for code in ("", CODE):
        anna.sit(computers=(1, 2), code=code)
        word, text = refusal(anna)
        assert word == "bad_rules"
        assert "more than 2 players: ask for fewer computers" in text
    assert evening.hub.summary().tables == 0


def test_rules_open_a_table_of_their_own_which_only_its_number_leads_to() -> None:
    evening = Evening()
    anna, bob, carl = (evening.guest(name) for name in ("anna", "bob", "carl"))
    rules = make_rules(hand_size=3, wrap=False)
    anna.sit(rules=rules)
    assert room(anna).rules == rules
    bob.sit()
    assert room(bob).table != room(anna).table
    assert room(bob).rules == Rules()
    carl.sit(room(anna).table)
    assert room(carl).table == room(anna).table


def test_the_servers_own_rules_open_a_new_table_that_people_are_led_to() -> None:
    evening = Evening()
    anna, bob, carl = (evening.guest(name) for name in ("anna", "bob", "carl"))
    anna.sit()
    bob.sit(rules=Rules())
    assert room(bob).table == 2
    carl.sit()
    assert room(carl).table == 1


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (Rules(hand_size=6), "would balance"),
        (Rules(match_target=3), "too short"),
        (Rules(players=3, decks=1), "one deck has 52"),
    ],
)
def test_rules_that_do_not_go_together_are_refused_with_the_sentence(rules: Rules, sentence: str) -> None:
    evening = Evening()
    anna = evening.guest("anna")
    anna.sit(rules=rules)
    word, text = refusal(anna)
    assert word == "bad_rules"
    assert sentence in text
    assert evening.hub.summary().tables == 0


def test_a_table_that_is_laid_keeps_its_rules_and_takes_no_computers() -> None:
    evening = Evening()
    anna, bob = evening.guest("anna"), evening.guest("bob")
    anna.sit()
    bob.sit(1, rules=FOUR)
    assert refusal(bob)[0] == "bad_rules"
    bob.sit(1, computers=(3,))
    assert refusal(bob)[0] == "table_full"
    bob.sit(1, rules=Rules())
    assert bob.seat == 1


def test_a_code_lays_a_table_whose_deal_is_the_codes_and_leads_others_there() -> None:
    evening = Evening()
    anna, bob, carl = (evening.guest(name) for name in ("anna", "bob", "carl"))
    anna.sit(code=CODE.lower())
    assert room(anna).code == CODE
    carl.sit()
    assert room(carl).table != room(anna).table, "who asks for no code is led to no table with one"
    bob.sit(code=CODE)
    assert (room(bob).table, bob.seat) == (room(anna).table, 1)
    evening.start(anna, bob)
    assert room(anna).commitment == b""
    assert room(anna).code == CODE
    assert anna.table is not None
    assert bob.table is not None
    assert [anna.table.hands[0], bob.table.hands[1]] == hands_of(CODE)
    evening.play_out(anna, bob)
    assert room(bob).code == CODE


def hands_of(code: str) -> list[list[int]]:
    """Both hands of a deal, as a server of its own deals it."""
    evening = Evening(HubSettings(deal_number=parse_code(code).number))
    anna, bob = evening.dealt_pair()
    assert anna.table is not None
    assert bob.table is not None
    return [anna.table.hands[0], bob.table.hands[1]]


def test_the_rematch_at_a_code_table_is_another_numbered_deal() -> None:
    evening = Evening()
    anna, bob = evening.guest("anna"), evening.guest("bob")
    for player in (anna, bob):
        player.sit(code=CODE)
    evening.start(anna, bob)
    evening.play_out(anna, bob)
    evening.start(anna, bob)
    first, second = parse_code(CODE), parse_code(room(anna).code)
    assert second.number != first.number
    assert (second.level, second.rules) == (first.level, first.rules)
    assert room(anna).commitment == b""


def test_a_code_deal_taken_back_in_the_countdown_is_still_the_next() -> None:
    evening = Evening()
    anna, bob, carl = (evening.guest(name) for name in ("anna", "bob", "carl"))
    for player in (anna, bob):
        player.sit(code=CODE)
        player.ready()
    evening.tick()
    assert room(anna).phase == wire.COUNTDOWN
    bob.leave()
    assert room(anna).phase == wire.WAITING
    carl.sit(code=CODE)
    assert room(carl).table == room(anna).table
    assert room(carl).code == CODE


def test_after_its_deal_a_code_table_is_no_longer_that_codes() -> None:
    evening = Evening()
    anna, bob, carl = (evening.guest(name) for name in ("anna", "bob", "carl"))
    for player in (anna, bob):
        player.sit(code=CODE)
    evening.start(anna, bob)
    bob.leave()
    carl.sit(code=CODE)
    assert room(carl).table != room(anna).table
    assert room(carl).code == CODE


def test_a_code_with_computers_seats_them_at_a_table_of_its_own() -> None:
    evening = Evening()
    anna, bob = evening.guest("anna"), evening.guest("bob")
    for player in (anna, bob):
        player.sit(code="A03KX-1K9Z4Q")
        assert levels(player) == [0, 3]
        assert room(player).code == "A03KX-1K9Z4Q"
    assert room(anna).table != room(bob).table


def test_a_code_for_four_brings_its_rules_and_as_many_computers() -> None:
    evening = Evening()
    anna = evening.guest("anna")
    code = format_code(7, FOUR, 5)
    anna.sit(code=code)
    assert levels(anna) == [0, 7, 7, 7]
    assert room(anna).rules == FOUR
    assert room(anna).code == code


def test_the_code_of_a_deal_stays_when_somebody_leaves_it() -> None:
    evening = Evening()
    anna, bob = evening.guest("anna"), evening.guest("bob")
    code = format_code(0, FOUR, 5)
    anna.sit(code=code, computers=(7, 7))
    bob.sit(room(anna).table)
    evening.start(anna, bob)
    assert room(anna).code == code
    bob.leave()
    evening.pass_time(SECOND)
    assert room(anna).seats[3].name == ""
    assert room(anna).code == code


@pytest.mark.parametrize("code", ["A11KX-1K9Z4Q", "x", "B00KX-1K9Z4Q.QQ", "B00KX-1K9Z4Q.P3D1", "\U0001f0a1" * 24])
def test_a_wrong_code_is_refused_with_a_sentence_that_any_client_can_read(code: str) -> None:
    evening = Evening()
    anna = evening.guest("anna")
    anna.sit(code=code)
    word, text = refusal(anna)
    assert word == "bad_code"
    assert 20 < len(text) <= 300
    assert text.isascii()


def test_a_code_goes_with_no_table_and_no_rules_beside_it() -> None:
    evening = Evening()
    anna, bob = evening.guest("anna"), evening.guest("bob")
    anna.sit()
    bob.sit(1, code=CODE)
    assert refusal(bob)[0] == "bad_code"
    bob.sit(rules=FOUR, code=CODE)
    assert refusal(bob)[0] == "bad_code"


def test_a_server_with_one_deal_for_all_shows_its_code_and_still_brings_people_together() -> None:
    evening = Evening(HubSettings(deal_number=123_456))
    anna, bob = evening.dealt_pair()
    assert parse_code(room(anna).code).number == 123_456
    evening.play_out(anna, bob)
    evening.start(anna, bob)
    assert parse_code(room(anna).code).number == 123_456


def test_the_lobby_tells_the_rules_of_each_table_in_words() -> None:
    evening = Evening()
    anna, bob, carl = (evening.guest(name) for name in ("anna", "bob", "carl"))
    anna.sit()
    bob.sit(rules=make_rules("four", wrap=False))
    evening.pass_time(SECOND)
    lines = carl.last(wire.Lobby).tables
    assert [(line.rules, len(line.names)) for line in lines] == [("us", 2), ("four no-wrap", 4)]


def test_tables_of_computers_fill_every_seat_that_the_rules_have() -> None:
    evening = Evening(HubSettings(rules=FOUR, bot_tables=1, bot_level=10))
    watcher = evening.watch(1)
    assert levels(watcher) == [10, 10, 10, 10]
    assert len(set(names(watcher))) == 4
    evening.pass_time(60 * SECOND)
    assert room(watcher).deal >= 2


def test_the_fullest_list_of_tables_fits_one_message() -> None:
    settings = HubSettings(max_tables=512, max_players=600)
    evening = Evening(settings)
    odd = make_rules(
        "four", hand_size=3, draw_size=10, jokers=4, wrap=False, same_rank=True, joker_mode="declared", tuck=False,
        reshuffle="per_pile", refill="manual", flip_trigger="all_ready", call_speed=True, best_of=99,
        flip_delay_us=123_457, min_play_gap_us=123_457, beaten_window_us=123_457, call_window_us=1_234_567,
    )  # fmt: skip
    for number in range(settings.max_tables):
        guest = evening.player(b"%d" % number)
        guest.hello(("\U00010400" * 11 + f"{number}")[-16:])
        guest.send(wire.Sit(guest.ticket, wire.NEW_TABLE, (10,), odd))
    late = evening.guest("late")
    assert len(late.last(wire.Lobby).tables) == settings.max_tables
