"""Speed without a screen: `match` plays a match, `deal` plays one deal before a spectator and compares what all saw.

Both run whole programs over loopback TCP and print a few lines; exit code 0 means that all went as it should.
"""

from __future__ import annotations

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from processes import JsonClient, Player, Programs, Server

# Programs need no time to look: without these a match would last minutes.
BRISK = ("--countdown", "0", "--gap", "0.01", "--flip-delay", "0.05")
# Slow enough that a deal lasts some seconds, so that somebody can come into it.
CALM = ("--countdown", "0", "--gap", "0.2", "--flip-delay", "0.2")
MATCH_S = 120.0


def play_match(programs: Programs) -> None:
    """Deals until one player has 25 points. The last line begins with `result:`."""
    began = time.monotonic()
    server = programs.server(*BRISK, "--match-target", "25")
    players = pair(programs, server)
    deals = 0
    while not (deals and last_result(players)["match_over"]):
        if deals:
            for player in players:
                player.ask(rematch=True)
        deals += 1
        programs.until(partial(is_over, players, deals), f"end of deal {deals}", MATCH_S)
        winner = last_result(players)["winner"]
        print(f"deal {deals}: {players[winner].name} wins, {score(players)}")
    first, second = sorted(players, key=lambda player: -points(players)[player.name])
    print(
        f"result: {first.name} beats {second.name} {points(players)[first.name]}:{points(players)[second.name]} "
        f"in {deals} deals, {time.monotonic() - began:.1f} s"
    )


def play_deal(programs: Programs) -> None:
    """One deal of two players before a spectator; all three must have seen the same public table throughout."""
    server = programs.server(*BRISK)
    watcher = programs.watcher(server)
    players = pair(programs, server)
    everybody: list[JsonClient] = [watcher, *players]
    programs.until(lambda: all(told_end(client) for client in everybody), "end of the deal", MATCH_S)

    compared = compare_views(everybody)
    result = last_result(players)
    plays = [(client.name, len(client.of_type("played"))) for client in everybody]
    print(f"server: {server.address}, over loopback TCP")
    print(f"result: {players[result['winner']].name} wins with {result['score']} points")
    print(f"plays seen: {', '.join(f'{name} {count}' for name, count in plays)}")
    print(f"flips: {len(watcher.of_type('flipped'))}, refused: {sum(len(p.of_type('refused')) for p in players)}")
    print(f"the spectator's last state is the players': {watcher.state}")
    print(f"{compared} states on the way were compared and equal too")


def pair(programs: Programs, server: Server) -> tuple[Player, Player]:
    """Two players at one table, in the order of their seats."""
    anna = programs.player("anna", server, "--ready")
    programs.until(lambda: anna.room, "seat for anna")
    bob = programs.player("bob", server, "--ready")
    programs.until(lambda: bob.room, "seat for bob")
    return anna, bob


def compare_views(everybody: list[JsonClient]) -> int:
    """How many public states were seen by all; raises `AssertionError` when two of them differ, or the last ones."""
    last = [client.public[client.state["revision"]] for client in everybody]
    assert all(state == last[0] for state in last), f"last states differ: {last}"
    shared = set.intersection(*(set(client.public) for client in everybody))
    for revision in shared:
        states = [client.public[revision] for client in everybody]
        assert all(state == states[0] for state in states), f"states at {revision} differ: {states}"
    return len(shared)


def told_end(client: JsonClient) -> bool:
    """Whether the client has seen the last event of a deal, and its result after it."""
    return bool(client.room.get("result")) and client.state["phase"] == "over"


def is_over(players: tuple[Player, Player], deal: int) -> bool:
    """Whether both players know the result of this deal."""
    return all(player.room.get("deal") == deal and player.result is not None for player in players)


def last_result(players: tuple[Player, Player]) -> dict[str, int]:
    """The result of the last deal."""
    result = players[0].result
    assert result is not None, "asked only after a deal"
    return result


def points(players: tuple[Player, Player]) -> dict[str, int]:
    """Everybody's points in the match."""
    return {seat["name"]: seat["points"] for seat in players[0].room["seats"]}


def score(players: tuple[Player, Player]) -> str:
    """The match so far, in words."""
    return ", ".join(f"{name} {count}" for name, count in points(players).items())


def main() -> int:
    """Run what the one argument names."""
    kinds = {"match": play_match, "deal": play_deal}
    if sys.argv[1:] not in [[kind] for kind in kinds]:
        print(f"headless.py: say one of {', '.join(kinds)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="speed-") as folder, Programs(Path(folder)) as programs:
        kinds[sys.argv[1]](programs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
