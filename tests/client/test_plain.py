from __future__ import annotations

import pytest
from tests.client.lan import Guest, Lan

from speed_client.news import Welcomed
from speed_client.plain import PlainPlayer
from speed_client.plain_watch import PlainWatcher
from speed_client.plain_words import help_of, parse_play
from speed_client.speaker import Speaker
from speed_client.wishes import Want
from speed_common.events import Emptied, Event, FlipAsked, Frozen, Left, Played, Stuck, Took
from speed_common.presets import make_rules
from speed_common.table import CALLING, STUCK
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
    lines = mine.heard()[-4:] + other.heard()[-4:]
    assert sum(line.startswith("Fair order: ") and " could be contested; held " in line for line in lines) == 2
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
    assert listener.say("help") == list(help_of(None))
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


# --- three and four, and the rules of the house ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "piles", "slot", "pile"),
    [
        ("2m", 3, 1, 1),
        ("2r", 3, 1, 2),
        ("y", 3, 0, 2),
        ("2ll", 4, 1, 0),
        ("2l", 4, 1, 1),
        ("2rr", 4, 1, 3),
        ("q", 4, 0, 0),
        ("p", 4, 4, 3),
    ],
)
def test_a_word_names_one_of_more_piles(word: str, piles: int, slot: int, pile: int) -> None:
    assert parse_play(word, piles) == (slot, pile)


@pytest.mark.parametrize(("word", "piles"), [("2m", 2), ("2ll", 3), ("2m", 4), ("q", 3), ("y", 2), ("2lr", 4)])
def test_a_pile_that_is_not_there_is_no_play(word: str, piles: int) -> None:
    assert parse_play(word, piles) is None


def test_help_says_what_the_rules_of_the_table_ask_for() -> None:
    text = "\n".join(help_of(make_rules(players=3, piles=3, out=2, call_speed=True, flip_trigger="all_ready")))
    for said in ("1l left, 1m middle and 1r right", "y u i o p plays them right", "speed, or", "flip, or"):
        assert said in text
    assert "draw: " in "\n".join(help_of(make_rules(refill="manual")))
    assert all(len(line) <= 150 for line in (*help_of(None), *help_of(make_rules("four"))))


def test_a_table_of_three_fills_before_it_is_asked_for() -> None:
    lan = Lan()
    anna = lan.guest("anna", want=Want(NEW_TABLE, rules=make_rules(players=3)))
    listener = Listener(anna)
    lan.run(50 * MS)
    assert listener.heard()[-2:] == ["Table 1, seat 1.", "Waiting for another player."]
    lan.guest("bob", want=Want(1))
    assert listener.heard() == ["bob is here.", "Waiting for another player."]
    cho = lan.guest("cho", want=Want(1))
    assert listener.heard() == ["cho is here.", "Press Enter when ready."]
    cho.session.leave(cho.clock)
    lan.settle()
    lan.run(50 * MS)
    assert listener.heard() == ["cho left.", "Waiting for another player."]


def test_a_deal_of_three_is_played_by_words_alone() -> None:
    lan = Lan()
    rules = make_rules(players=3, piles=3, out=2, hand_size=3, wrap=False, call_speed=True, flip_trigger="all_ready")
    listeners = [Listener(guest) for guest in lan.dealt(rules)]
    heard: list[str] = []
    caught = False
    for _ in range(3_000):
        for seat, listener in enumerate(listeners):
            table = listener.guest.session.mirror.table
            assert table is not None
            if table.phase == STUCK or (table.phase == CALLING and table.emptied == seat):
                listener.say("")
            elif table.phase == CALLING:
                if not caught:  # once somebody is quicker
                    listener.say("speed")
                caught = True
            else:
                playable = ((slot, card) for slot, card in enumerate(listener.guest.hand) if table.fits_on(card))
                slot, card = next(playable, (-1, -1))
                if slot >= 0:
                    listener.say(f"{slot + 1}{'lmr'[table.fits_on(card)[0]]}")
            lan.run(60 * MS)
        heard += listeners[0].heard()
        for other in listeners[1:]:
            other.heard()
        if heard[-1] == "Press Enter for a rematch.":
            break
    text = "\n".join(heard)
    for said in (
        "Stuck. Say flip",
        "You ask for the flip.",
        "bob asks for the flip.",
        " middle.",
        "no cards left",
        "Deals won: ",
    ):
        assert said in text
    assert all(line.isprintable() and len(line) <= 100 for line in heard)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Emptied(0, 0, 2_000_000), "You have no cards left. Say speed within 2.0 s."),
        (Emptied(0, 1, 2_000_000), "bob has no cards left. Call speed!"),
        (Frozen(0, 0, 2_000_000), "You are frozen for 2.0 s."),
        (Took(0, 1, 1, (-2,), (-2,), 0, 2), "cho called first. bob takes the middle pile: 2 cards now."),
        (Took(0, 0, 0, (5,), (), 0), "False call. You take the left pile: 1 card now."),
        (FlipAsked(0, 1), "bob asks for the flip."),
        (Left(0, 2, ((), (), ()), 0), "cho left. Those cards go under the side piles."),
        (Played(0, 1, 0, 104, 2, -1, 11), "bob joker as Q right."),
    ],
)
def test_every_event_of_the_house_rules_is_one_line(event: Event, said: str) -> None:
    rules = make_rules(players=3, piles=3, out=2, call_speed=True)
    assert Speaker()._told(event, {0: "You", 1: "bob", 2: "cho"}, rules) == said


def test_a_match_counts_its_points_and_says_who_won_it() -> None:
    lan = Lan()
    anna, bob = lan.dealt(make_rules(best_of=1))
    mine = Listener(anna)
    lan.play_out(anna, bob)
    lines = mine.heard()
    assert any(line in {"You win the match.", "bob wins the match."} for line in lines)


def test_between_the_deals_of_a_match_the_next_deal_is_offered() -> None:
    lan = Lan()
    anna, bob = lan.dealt(make_rules(best_of=3))
    mine = Listener(anna)
    lan.play_out(anna, bob)
    assert mine.heard()[-1] == "Press Enter for the next deal."


def test_a_spectator_is_not_told_to_ask_for_the_flip() -> None:
    rules = make_rules(flip_trigger="all_ready")
    stuck = Stuck(1_000_000, 6_000_000)
    anna, _ = (lan := Lan()).pair()
    seated = PlainPlayer(anna.session)._told(stuck, {}, rules)
    watching = PlainWatcher(lan.watcher())._told(stuck, {}, rules)
    assert seated == "Stuck. Say flip; it comes when all have, or in 5 s."
    assert watching == "Stuck. The flip comes when all have asked, or in 5 s."


def test_a_spectator_hears_of_three_players() -> None:
    lan = Lan()
    face = PlainWatcher(lan.watcher())
    lan.dealt(make_rules(players=3))
    lan.run(SECOND)
    lines = list(face.changed(lan.now))
    assert "Table 1: anna, bob and cho." in lines


def test_who_leaves_a_deal_of_three_is_told_of_once() -> None:
    lan = Lan()
    anna, _, cho = lan.dealt(make_rules(players=3))
    listener = Listener(anna)
    listener.heard()
    cho.session.leave(cho.clock)
    lan.settle()
    lan.run(50 * MS)
    assert [line for line in listener.heard() if "cho" in line] == ["cho left. Those cards go under the side piles."]
    (cards_left,) = listener.say("hand")[1:]
    assert "bob" in cards_left
    assert "cho" not in cards_left
