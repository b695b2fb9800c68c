from __future__ import annotations

import pytest
from tests.client.lan import Guest, Lan

from speed_client.news import Welcomed
from speed_client.plain import HELP, PlainPlayer, parse_play
from speed_client.plain_watch import PlainWatcher
from speed_client.wishes import Want
from speed_common.wire import NEW_TABLE
from speed_server.settings import MS, SECOND


class Listener:
    """Hears what a player's line mode says."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.face = PlainPlayer(guest.session)
        guest.session.news[:0] = guest.news
        guest.news.clear()

    def heard(self) -> list[str]:
        self.guest.session.news[:0] = self.guest.news
        self.guest.news.clear()
        return list(self.face.changed(self.guest.clock))

    def say(self, line: str) -> list[str]:
        spoken = list(self.face.command(line, self.guest.clock, self.guest.clock))
        self.guest.lan.settle()
        return spoken


@pytest.mark.parametrize(
    ("word", "slot", "pile"),
    [("1", 0, -1), ("10", 9, -1), ("2l", 1, 0), ("2r", 1, 1), ("a", 0, 0), ("g", 4, 0), ("h", 0, 1), (";", 4, 1)],
)
def test_a_word_names_a_slot_and_perhaps_a_pile(word: str, slot: int, pile: int) -> None:
    assert parse_play(word) == (slot, pile)


@pytest.mark.parametrize("word", ["", "0", "11", "r", "1x", "ab", "ready", "-1", "²", "1lr"])
def test_other_words_are_no_play(word: str) -> None:
    assert parse_play(word) is None


def test_a_player_is_led_from_the_door_to_the_first_card() -> None:
    lan = Lan()
    anna = lan.guest("anna")
    listener = Listener(anna)
    lan.run(50 * MS)
    assert listener.heard() == ["You are anna.", "Linked.", "Table 1, seat 1.", "Waiting for another player."]
    bob = lan.guest("bob")
    lan.run(50 * MS)
    assert listener.heard() == ["bob is here.", "Press Enter when ready."]
    assert listener.say("") == []
    bob.ready()
    lan.run(50 * MS)
    assert listener.heard() == ["Get ready: 1 seconds."]
    lan.run(SECOND)
    go, cards = listener.heard()
    assert go == "Go."
    hand, piles = cards.removesuffix(".").split(". ")
    assert len(hand.split()) == 6
    assert len(piles.split()) == 3


def test_plays_are_told_with_what_changed() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    mine, other = Listener(anna), Listener(bob)
    mine.heard()
    other.heard()
    while not anna.play_best():
        lan.run(100 * MS)
    lan.run(50 * MS)
    (first, second), (others_first, others_second) = mine.heard()[-2:], other.heard()[-2:]
    assert first.startswith("You ")
    assert second.startswith("Hand ")
    assert "Piles " in second
    assert others_first.startswith("anna ")
    assert others_second.startswith("Piles ")


def test_a_card_that_does_not_fit_is_named() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    listener = Listener(anna)
    listener.heard()
    table = anna.session.mirror.table
    assert table is not None
    slot = next(s for s, card in enumerate(anna.hand) if not table.fits_on(card))
    assert listener.say(str(slot + 1)) == []
    assert listener.say(str(slot + 1)) == ["That card is on its way."]
    lan.run(50 * MS)
    (line,) = listener.heard()
    assert line.endswith(" does not fit.")


def test_the_end_names_the_winner_and_offers_a_rematch() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    mine, other = Listener(anna), Listener(bob)
    lan.play_out(anna, bob)
    lines = mine.heard()[-3:] + other.heard()[-3:]
    assert sum(line.startswith("You win, by ") for line in lines) == 1
    assert sum(" wins, by " in line for line in lines) == 1
    assert lines.count("Press Enter for a rematch.") == 2


def test_a_lost_player_is_told_of_and_told_back() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    listener = Listener(anna)
    listener.heard()
    bob.cut()
    lan.run(50 * MS)
    assert listener.heard()[-1].startswith("bob lost the link. The table waits 8")
    bob.connect()
    lan.run(50 * MS)
    assert "bob is back." in listener.heard()


def test_the_own_link_and_a_restart_of_the_server_are_told() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    listener = Listener(anna)
    listener.heard()
    lan.restart_server()
    lan.settle()
    assert listener.heard() == ["No link to the server."]
    assert listener.say("1") == ["No link."]
    anna.connect()
    lan.run(100 * MS)
    assert listener.heard()[:3] == ["The server was started again: the deal is lost.", "You are anna.", "Linked."]


def test_one_who_comes_back_hears_the_hand_again() -> None:
    lan = Lan()
    anna, _ = lan.dealt_pair()
    listener = Listener(anna)
    listener.heard()
    anna.cut()
    lan.run(5 * SECOND)
    anna.connect()
    lan.run(100 * MS)
    lines = listener.heard()
    assert lines[:3] == ["No link to the server.", "You are anna.", "Linked."]
    assert lines.count("Your place was kept.") == 1
    assert sum(line.startswith("Hand ") for line in lines) == 1


def test_a_known_ticket_without_a_seat_is_no_place_that_was_kept() -> None:
    lan = Lan()
    anna, _ = lan.pair()
    anna.session.leave(anna.clock)
    lan.settle()
    again = lan.guest("anna", ticket=anna.session.ticket)
    assert [item.resumed for item in again.news if isinstance(item, Welcomed)] == [True]
    listener = Listener(again)
    lan.run(50 * MS)
    assert "Your place was kept." not in listener.heard()


def test_one_who_is_ready_unasked_is_not_asked() -> None:
    lan = Lan()
    anna = lan.guest("anna", want=Want(NEW_TABLE, ready=True))
    listener = Listener(anna)
    lan.run(50 * MS)
    lan.guest("bob")
    lan.run(50 * MS)
    lines = listener.heard()
    assert "bob is here." in lines
    assert "Press Enter when ready." not in lines


def test_a_player_who_leaves_is_told_of() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    listener = Listener(anna)
    listener.heard()
    bob.session.leave(bob.clock)
    lan.settle()
    lan.run(50 * MS)
    assert listener.heard() == ["bob left.", "Waiting for another player."]


def test_hand_help_and_nonsense_are_answered() -> None:
    lan = Lan()
    anna, _ = lan.pair()
    listener = Listener(anna)
    assert listener.say("hand") == ["The cards are not turned yet."]
    assert listener.say("help") == list(HELP)
    assert listener.say("sing\x1b[31m a very long song indeed") == ["Not understood: sing [31m a very lon. Say help."]
    assert listener.say("1") == ["The cards are not turned yet."]


def test_no_line_holds_a_control_character_or_is_long() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    listener = Listener(anna)
    lan.play_out(anna, bob)
    for line in listener.heard():
        assert line.isprintable()
        assert len(line) <= 100


def test_input_that_closes_before_anything_was_asked_for_leaves() -> None:
    lan = Lan()
    anna, _ = lan.pair()
    listener = Listener(anna)
    listener.heard()
    assert list(listener.face.closed(anna.clock)) == []
    assert anna.session.ended is not None


def test_input_that_closes_after_ready_stays_for_the_deal() -> None:
    lan = Lan()
    anna, bob = lan.pair()
    listener = Listener(anna)
    listener.heard()
    listener.say("ready")
    list(listener.face.closed(anna.clock))
    bob.ready()
    for _ in range(30):
        lan.run(50 * MS)
        listener.heard()
    assert not has_ended(anna)
    lan.play_out(anna, bob)
    listener.heard()
    assert has_ended(anna)


def has_ended(guest: Guest) -> bool:
    return guest.session.ended is not None


def test_commands_wait_for_a_seat() -> None:
    lan = Lan()
    anna = lan.guest("anna", want=Want(NEW_TABLE))
    assert PlainPlayer(anna.session).listening
    anna.session.mirror.room = None
    assert not PlainPlayer(anna.session).listening


def test_a_spectator_hears_the_tables_and_every_play() -> None:
    lan = Lan()
    watching = lan.watcher()
    face = PlainWatcher(watching)
    anna, bob = lan.dealt_pair()
    lan.play_out(anna, bob)
    lan.run(100 * MS)
    lines = list(face.changed(lan.now))
    assert lines[0] == "Linked."
    assert "Tables: 1 anna against bob." in lines
    assert "Table 1: anna against bob." in lines
    assert any(line.startswith("Table 1: Go. Piles ") for line in lines)
    assert any(" cards left." in line for line in lines)
    assert any(" wins, by " in line for line in lines)
    assert list(face.command("what", 0, 0)) == ["Not understood: what. You are watching; leave ends it."]
    assert list(face.command("leave", 0, 0)) == []
    assert list(face.changed(lan.now)) == ["You stopped watching."]
