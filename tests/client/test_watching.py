from __future__ import annotations

from tests.client.lan import Lan

from speed_client.news import Ended, Happened, LinkChanged, LobbyChanged, RoomChanged
from speed_client.watching import Watching
from speed_common.cards import HIDDEN, NO_CARD
from speed_common.events import Beaten, Revealed
from speed_common.table import OVER, SPECTATOR
from speed_common.wire import LOBBY_TOPIC, Delta, Goodbye, Lobby, Snapshot, TableLine, decode_down, encode, table_topic
from speed_server.settings import MS, SECOND


def test_a_spectator_of_all_follows_what_the_lobby_names() -> None:
    watching = Watching(0, 0)
    assert watching.subscriptions() == {LOBBY_TOPIC}
    lines = (TableLine(1, 0, ("anna", "")), TableLine(4, 2, ("cho", "dev")))
    watching.receive(LOBBY_TOPIC, encode(Lobby(lines)), 0)
    assert watching.subscriptions() == {LOBBY_TOPIC, b"table/1/", b"table/4/"}
    assert watching.news == [LobbyChanged(lines)]


def test_a_spectator_of_one_table_follows_that_alone() -> None:
    watching = Watching(4, 0)
    watching.receive(LOBBY_TOPIC, encode(Lobby((TableLine(1, 0, ("anna", "")),))), 0)
    assert watching.subscriptions() == {LOBBY_TOPIC, table_topic(4)}


def test_a_whole_deal_is_seen_and_no_hidden_card_with_it() -> None:
    lan = Lan()
    watching = lan.watcher()
    anna, bob = lan.dealt_pair()
    lan.play_out(anna, bob)
    lan.run(100 * MS)
    mirror, own = watching.tables[1], anna.session.mirror
    assert mirror.seat == SPECTATOR
    assert mirror.table is not None
    assert own.table is not None
    assert mirror.table.phase == OVER
    assert (mirror.table.tops, mirror.table.winner) == (own.table.tops, own.table.winner)
    assert all(card in {HIDDEN, NO_CARD} for hand in mirror.table.hands for card in hand)


def test_the_cards_never_turn_early_for_a_spectator() -> None:
    lan = Lan()
    watching = lan.watcher()
    anna, bob = lan.pair()
    anna.ready()
    bob.ready()
    room = None
    for _ in range(1_500):
        lan.run(MS)
        room = anna.session.mirror.room
        if any(isinstance(item, Happened) and isinstance(item.event, Revealed) for item in watching.news):
            break
    assert room is not None
    assert 0 <= lan.now - room.reveal_at_ns <= 10 * MS


def test_one_who_comes_in_the_middle_gets_the_whole_table_at_once() -> None:
    lan = Lan()
    anna, bob = lan.dealt_pair()
    for _ in range(5):
        anna.play_best()
        bob.play_best()
        lan.run(150 * MS)
    watching = lan.watcher()
    lan.run(10 * MS)
    lan.run(10 * MS)
    table, own = watching.tables[1].table, anna.session.mirror.table
    assert table is not None
    assert own is not None
    assert table.tops == own.tops


def test_a_keyframe_that_says_nothing_new_is_no_news() -> None:
    lan = Lan()
    watching = lan.watcher()
    lan.pair()
    lan.run(2 * SECOND)
    watching.news.clear()
    lan.run(5 * SECOND)
    assert not any(isinstance(item, RoomChanged) for item in watching.news)


def test_a_missed_delta_is_healed_by_the_next_keyframe() -> None:
    lan = Lan()
    watching = lan.watcher()
    anna, bob = lan.dealt_pair()
    lan.run(100 * MS)
    lan.watchers.clear()
    for _ in range(10):
        anna.play_best()
        bob.play_best()
        lan.run(150 * MS)
    lan.watchers.append(watching)
    lan.run(1_100 * MS)
    assert watching.tables[1].revision == anna.session.mirror.revision


def test_a_table_that_is_cleared_goes_out_of_sight() -> None:
    lan = Lan()
    watching = lan.watcher()
    anna, bob = lan.pair()
    lan.run(SECOND)
    assert set(watching.tables) == {1}
    for guest in (anna, bob):
        guest.session.leave(guest.clock)
    lan.settle()
    lan.run(2 * SECOND)
    assert watching.tables == {}


def test_a_message_on_another_tables_topic_is_not_believed() -> None:
    lan = Lan()
    watching = lan.watcher()
    lan.pair()
    lan.run(SECOND)
    keyframe = next(data for topic, data in [(b"table/9/", lan_keyframe(lan))] if topic)
    watching.receive(b"table/9/", keyframe, lan.now)
    assert set(watching.tables) == {1}
    watching.receive(b"table/1/", b"\xc1", lan.now)


def lan_keyframe(lan: Lan) -> bytes:
    lan.hub.bulletins.clear()
    lan.hub.watched(b"table/1/", lan.now)
    ((_, data),) = lan.hub.bulletins
    lan.hub.bulletins.clear()
    return data


def test_after_the_link_fell_a_keyframe_counts_however_old_it_seems() -> None:
    """A server that was started anew counts from the beginning, and plays its first deal again."""
    lan = Lan()
    watching = lan.watcher()
    anna, _ = lan.dealt_pair()
    early = decode_down(lan_keyframe(lan))
    assert isinstance(early, Snapshot)
    table = anna.session.mirror.table
    assert table is not None
    anna.play(next(slot for slot, card in enumerate(anna.hand) if table.fits_on(card)))
    lan.run(SECOND)
    seen = watching.tables[1].revision
    assert seen > early.revision
    watching.receive(b"table/1/", encode(early), lan.now)
    assert watching.tables[1].revision == seen, "the order of publications is not sure"
    watching.lost(lan.now)
    watching.connected(lan.now)
    delta = Delta(seen, 1, (Beaten(1, 0, 0, 1, 7),))
    watching.receive(b"table/1/", encode(delta), lan.now)
    assert watching.tables[1].revision == seen, "it may be of another deal"
    watching.receive(b"table/1/", encode(early), lan.now)
    assert watching.tables[1].revision == early.revision


def test_the_link_and_the_end_are_told_once() -> None:
    watching = Watching(0, 0)
    watching.connected(0)
    watching.connected(1)
    watching.lost(2)
    watching.lost(3)
    watching.stop("left", "you stopped watching")
    watching.stop("again", "no")
    assert watching.news == [LinkChanged("up"), LinkChanged("lost"), Ended("left", "you stopped watching")]
    assert watching.next_due() is None


def test_a_server_that_stops_tells_the_spectator_in_printable_words() -> None:
    watching = Watching(0, 0)
    watching.receive(LOBBY_TOPIC, encode(Goodbye("stopping", "the server has\x1b[2J stopped")), 0)
    assert watching.ended == Ended("stopping", "the server has?[2J stopped")
