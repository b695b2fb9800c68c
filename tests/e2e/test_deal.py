"""A whole deal between processes: all ends see the same public table, and nobody sees a hand that is not the own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count

import pytest
from tests.e2e.lan import Lan, why_not

from headless import BRISK, CALM, compare_views, pair, told_end
from processes import BIN, JsonClient, Player, Program, Programs, Server

SUITS = "CDHS"


def assert_told_only_what_may_be_seen(everybody: list[JsonClient]) -> None:
    """No line to a client names a card that was never on a table top, in its own hand or in its own refill."""
    for client in everybody:
        for told in client.told:
            if told["type"] == "revealed":
                shown = [hand for seat, hand in enumerate(told["hands"]) if seat != client.room["you"]]
                assert all(card == "??" for hand in shown for card in hand)
            if told["type"] == "played" and told["seat"] != client.room["you"]:
                assert told["refill"] in {"??", None}
            if told.get("state") and client.room["you"] is None:
                assert "hand" not in told["state"]


def play_a_deal(programs: Programs, watcher: JsonClient, players: tuple[Player, Player]) -> None:
    """Until all have seen the end, and what they saw agrees."""
    everybody = [watcher, *players]
    programs.until(lambda: all(told_end(client) for client in everybody), "end of the deal", 60)
    assert compare_views(everybody) > 20
    assert_told_only_what_may_be_seen(everybody)
    assert min(watcher.state["left"]) == 0
    results = [client.room["result"] for client in everybody]
    assert results[0] == results[1] == results[2]
    assert results[0]["winner"] == watcher.state["winner"]
    said = [line for client in everybody for line in client.complaints.splitlines()]
    assert not [line for line in said if "a server met for the first time" not in line]


@pytest.fixture
def server(programs: Programs) -> Server:
    return programs.server(*BRISK)


def test_two_players_and_a_watcher_see_the_same_deal(programs: Programs, server: Server) -> None:
    watcher = programs.watcher(server)
    play_a_deal(programs, watcher, pair(programs, server))


def test_a_watcher_who_comes_in_mid_deal_sees_the_table_at_once(programs: Programs) -> None:
    server = programs.server(*CALM)
    players = pair(programs, server)
    programs.until(lambda: players[0].is_playing and players[0].cards_left < 18, "middle of the deal")
    watcher = programs.watcher(server)
    programs.until(lambda: told_end(watcher) and all(map(told_end, players)), "end of the deal", 60)
    assert compare_views([watcher, *players]) > 0


def test_a_rematch_is_another_deal_at_the_same_table(programs: Programs, server: Server) -> None:
    players = pair(programs, server)
    programs.until(lambda: all(player.result for player in players), "result", 60)
    first = players[0].room
    for player in players:
        player.ask(rematch=True)
    programs.until(
        lambda: all(player.room["deal"] == first["deal"] + 1 and player.result for player in players), "second result"
    )
    assert players[0].room["table"] == first["table"]
    assert sum(seat["wins"] for seat in players[0].room["seats"]) == 2


def test_the_seed_told_after_the_deal_opens_the_commitment(programs: Programs, server: Server) -> None:
    players = pair(programs, server)
    programs.until(lambda: players[0].is_playing, "reveal")
    commitment = players[0].room["commitment"]
    programs.until(lambda: players[0].result, "result", 60)
    result = players[0].result
    assert result is not None
    assert hashlib.sha256(bytes.fromhex(result["seed"])).hexdigest() == commitment


def test_a_deal_against_the_computer(programs: Programs, server: Server) -> None:
    anna = programs.player("anna", server, "--bot", "10", "--ready")
    programs.until(lambda: anna.result, "result", 60)
    assert {seat["level"] for seat in anna.room["seats"]} == {0, 10}


def test_bots_play_over_the_network(programs: Programs, server: Server) -> None:
    bots = programs.add(
        Program(
            "bots",
            [str(BIN / "speed-bot"), server.address, "--speed", "10", "--count", "2", "--deals", "1"],
            programs.folder,
        )
    )
    programs.until(lambda: bots.ended, "end of the bots' deal", 90)
    assert bots.process.returncode == 0
    assert bots.lines
    assert bots.complaints == ""


def test_a_person_in_line_mode_plays_and_is_told_the_result(programs: Programs) -> None:
    server = programs.server(*BRISK, "--countdown", "0.2")
    command = [str(BIN / "speed-client"), server.address, "--plain", "--name", "anna", "--ready"]
    anna = programs.add(Program("anna", command, programs.folder))
    programs.until(lambda: anna.lines, "word for anna")
    bob = programs.player("bob", server, "--ready")
    tries, tried = count(), [0]

    def over() -> bool:
        # Her answers and bob's plays drive this: at each she tries the next card, whether it fits or not.
        if bob.is_playing and len(anna.lines) > tried[-1]:
            tried.append(len(anna.lines))
            anna.say(str(next(tries) % 5 + 1))
        return bob.result is not None and any(" win" in line for line in anna.lines)

    programs.until(over, "result in words", 60)
    assert bob.result is not None
    winner = "bob wins" if bob.result["winner"] == bob.seat else "You win"
    assert any(winner in line for line in anna.lines)
    assert any(line.startswith(("Hand", "Go")) for line in anna.lines)
    assert all("\x1b" not in line for line in anna.lines)


@pytest.fixture
def lan() -> Iterator[Lan]:
    if reason := why_not():
        pytest.skip(reason)
    with Lan() as switch:
        yield switch


def sit_down(programs: Programs, lan: Lan, options: tuple[str, ...]) -> tuple[JsonClient, tuple[Player, Player]]:
    """A server, a watcher and two players, each on a machine of its own."""
    inside = {name: lan.machine(name) for name in ("server", "watcher", "anna", "bob")}
    server = programs.server(*options, host=lan.address("server"), inside=inside["server"])
    watcher = programs.watcher(server, inside=inside["watcher"])
    anna = programs.player("anna", server, "--ready", inside=inside["anna"])
    programs.until(lambda: anna.room, "seat for anna")
    bob = programs.player("bob", server, "--ready", inside=inside["bob"])
    programs.until(lambda: bob.room, "seat for bob")
    return watcher, (anna, bob)


@pytest.mark.netns
def test_a_deal_between_machines_on_a_lan(programs: Programs, lan: Lan) -> None:
    watcher, players = sit_down(programs, lan, BRISK)
    play_a_deal(programs, watcher, players)


@pytest.mark.netns
def test_a_player_whose_cable_is_pulled_and_put_back_plays_on(programs: Programs, lan: Lan) -> None:
    watcher, players = sit_down(programs, lan, CALM)
    anna, bob = players
    programs.until(lambda: anna.is_playing and anna.cards_left < 19, "middle of the deal")
    lan.unplug("anna")
    programs.until(lambda: bob.room["paused_until_ns"], "pause of the deal")
    assert [seat["connected"] for seat in bob.room["seats"]] == [seat != anna.seat for seat in (0, 1)]
    programs.until(lambda: anna.links[-1] == "lost", "word that the link is lost")
    lan.plug("anna")
    programs.until(lambda: not bob.room["paused_until_ns"], "end of the pause")
    play_a_deal(programs, watcher, players)
    assert anna.result is not None
    assert not anna.result["forfeit"]
