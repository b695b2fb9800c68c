"""A whole match as it was on the wire: no card reached anybody who must not know it; a server that leaks is caught."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from functools import partial
from typing import Any

import pytest
from tests.e2e.captured import Deals, judge, told
from tests.e2e.relay import Relay
from tests.sim.truth import Breach

from headless import BRISK, CALM, MATCH_S, is_over, last_result
from processes import Programs, Server
from speed_common import wire

LEAKING = """
import sys
sys.path[:0] = {path!r}
from speed_server.__main__ import main
from tests.sim.mutants import planted
with planted({fault!r}):
    sys.exit(main(sys.argv[2:]))
"""
SHORT = ("--hand", "5", "--draw", "8", "--side", "12")
"""With calm players it still lasts longer than the second between two keyframes."""


def play(programs: Programs, server: Server, most_deals: int) -> tuple[Relay, Deals]:
    """Deals before a spectator until the match is over, all through a relay; what it heard and what was recorded."""
    with Relay(server.port) as relay:
        through: Any = relay
        watcher = programs.watcher(through)
        anna = programs.player("anna", through, "--ready")
        programs.until(lambda: anna.room, "seat for anna")
        bob = programs.player("bob", through, "--ready")
        players = (anna, bob)
        for deal in range(1, most_deals + 1):
            programs.until(partial(is_over, players, deal), f"end of deal {deal}", MATCH_S)
            if last_result(players)["match_over"]:
                break
            for player in players:
                player.ask(rematch=True)
        programs.until(lambda: watcher.state.get("phase") == "over", "end before the spectator")
        for player in players:
            player.ask(leave=True)
        programs.until(lambda: anna.ended and bob.ended, "players gone")
        watcher.end(signal.SIGTERM)
        assert server.end(signal.SIGTERM) == 0
    return relay, Deals(sorted((server.data / "records").glob("*.jsonl")))


def test_no_card_of_a_match_reaches_anybody_who_must_not_know_it(programs: Programs) -> None:
    server = programs.server(*BRISK, "--insecure", "--match-target", "15")
    relay, deals = play(programs, server, 99)
    assert judge(relay.ways, deals) > 100
    kinds = Counter((way.port, type(message)) for way in relay.ways for _, message, _ in told(way))
    assert len(deals.records) >= 2
    events = sum(map(len, deals.events))
    assert (
        sum(len(message.events) for _, message, _ in told(relay.ways[-1]) if isinstance(message, wire.Delta)) <= events
    )
    for port in ("play", "watch"):
        assert kinds[port, wire.Delta] > 20
        assert kinds[port, wire.Snapshot] >= len(deals.records)


@pytest.mark.parametrize("fault", ["leaked hand", "leaked refill", "spectators see a hand"])
def test_a_server_that_leaks_is_caught_on_the_wire(programs: Programs, fault: str) -> None:
    leaking = (sys.executable, "-c", LEAKING.format(path=sys.path, fault=fault))
    server = programs.server(*CALM, *SHORT, "--insecure", inside=leaking)
    relay, deals = play(programs, server, 1)
    with pytest.raises(Breach, match="was told"):
        judge(relay.ways, deals)
