"""Players who drop and come back, and strangers who come with a ticket that is not theirs."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import zmq

from headless import CALM, pair
from processes import Player, Programs, Server
from speed_common.cards import parse_card
from speed_common.wire import Down, Hello, Leave, PlayCard, Ready, Resync, Up, Welcome, decode_down, encode


@pytest.fixture
def server(programs: Programs) -> Server:
    return programs.server(*CALM)


def in_mid_deal(programs: Programs, server: Server) -> tuple[Player, Player]:
    """Two players who have both played a little and then hold still."""
    players = pair(programs, server)
    programs.until(lambda: all(player.is_playing and player.cards_left < 19 for player in players), "middle of a deal")
    for player in players:
        player.eager = False
    return players


def test_a_killed_client_is_back_in_its_seat_with_its_hand(programs: Programs, server: Server) -> None:
    anna, bob = in_mid_deal(programs, server)
    anna.process.kill()
    anna.end()
    programs.until(lambda: bob.room["paused_until_ns"], "pause of the deal")
    seat, left = anna.seat, bob.state["left"][anna.seat]

    again = programs.player("anna", server)
    programs.until(lambda: again.is_playing, "return")
    assert again.of_type("welcome")[0]["resumed"]
    assert again.seat == seat
    assert again.cards_left == left
    assert "??" not in again.state["hand"]
    hand = set(again.state["hand"])
    assert len(hand & set(anna.state["hand"])) >= len(hand) - 1, "only a play under way at the kill may differ"

    programs.until(lambda: not bob.room["paused_until_ns"], "end of the pause")
    again.eager = bob.eager = True
    again.act()
    bob.act()
    programs.until(lambda: again.result and bob.result, "result", 60)
    assert again.result == bob.result


def test_a_player_who_does_not_come_back_in_time_forfeits(programs: Programs) -> None:
    server = programs.server(*CALM, "--grace", "0.5")
    anna, bob = in_mid_deal(programs, server)
    anna.process.kill()
    anna.end()
    programs.until(lambda: bob.result, "forfeit")
    assert bob.result is not None
    assert bob.result["forfeit"]
    assert bob.result["winner"] == bob.seat


def test_a_server_killed_and_started_again_is_found_again(programs: Programs, server: Server) -> None:
    anna, bob = in_mid_deal(programs, server)
    server.process.kill()
    server.end()
    programs.until(lambda: "lost" in anna.links, "word that the link is lost")
    back = programs.server(*CALM, "--port", str(server.port))
    assert back.port == server.port
    for player in (anna, bob):
        player.eager = True
        player.ask(ready=True)
    programs.until(lambda: all(player.links[-2:] == ["lost", "up"] for player in (anna, bob)), "link to the new server")


def test_a_second_client_of_the_same_name_on_the_machine_gets_a_seat_of_its_own(
    programs: Programs, server: Server
) -> None:
    anna, bob = in_mid_deal(programs, server)
    other = programs.player("anna", server)
    programs.until(lambda: other.room, "seat for the second anna")
    assert other.of_type("welcome")[0]["name"] != "anna"
    assert other.room["table"] != anna.room["table"]
    assert not bob.room["paused_until_ns"]


@contextmanager
def stranger(server: Server) -> Iterator[zmq.Socket[bytes]]:
    """A connection to the play socket that has no ticket."""
    with socket.create_connection((server.host, server.port)) as visit, visit.makefile("rb") as said:
        door = json.loads(said.readline())
    with zmq.Context() as context, context.socket(zmq.DEALER) as line:
        line.curve_publickey, line.curve_secretkey = zmq.curve_keypair()
        line.curve_serverkey = door["key"].encode()
        line.linger = 0
        line.rcvtimeo = 5_000
        line.connect(f"tcp://{server.host}:{door['play']}")
        yield line


def test_a_stranger_with_a_wrong_ticket_disturbs_nobody(programs: Programs, server: Server) -> None:
    anna, bob = in_mid_deal(programs, server)
    before = (dict(anna.state), dict(bob.state))
    wrong = secrets.token_bytes(16)
    card = parse_card(anna.state["hand"][0])
    requests: list[Up] = [
        Leave(wrong),
        Ready(wrong),
        Resync(wrong),
        PlayCard(wrong, 1, card, -1, anna.state["revision"], 1),
        Hello(1, 1, "0.1.0", "anna", wrong),
    ]
    with stranger(server) as line:
        for request in requests:
            line.send(encode(request))
        line.send(b"\xff" * 100)
        answers: list[Down] = []
        while not any(isinstance(answer, Welcome) for answer in answers):
            answers.append(decode_down(line.recv()))
    welcome = next(answer for answer in answers if isinstance(answer, Welcome))
    assert not welcome.resumed
    assert welcome.ticket != wrong
    assert welcome.name != "anna"

    assert (anna.state, bob.state) == before
    anna.eager = bob.eager = True
    anna.act()
    bob.act()
    programs.until(lambda: anna.result and bob.result, "result", 60)
    assert anna.result == bob.result
    assert anna.result is not None
    assert not anna.result["forfeit"]
    assert anna.links == ["up"]
