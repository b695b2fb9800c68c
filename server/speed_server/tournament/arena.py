"""Arena: no rounds, a fixed end. Whoever has waited longest plays next, against whoever stands closest.

A win is worth 2, from the third in a row on 3. Who met last time meet again only when nobody else is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from speed_server.tournament.model import Player, Tournament
from speed_server.tournament.tally import Game, Tally

STREAK: Final = 3


def score(games: Sequence[Game]) -> int:
    """The points of a player's matches in the order in which they ended."""
    points = streak = 0
    for game in sorted(games, key=lambda game: game.at):
        streak = streak + 1 if game.won else 0
        points += (3 if streak >= STREAK else 2) if game.won else 0
    return points


def rank_key(games: Sequence[Game]) -> tuple[int, Fraction, int, int]:
    """What players are ranked by, larger is better: points, win ratio, fewer matches, earlier last win."""
    wins = [game for game in games if game.won]
    ratio = Fraction(len(wins), len(games)) if games else Fraction(0)
    return score(games), ratio, -len(games), -max((game.at for game in wins), default=0)


def next_pair(state: Tournament, games: Tally, idle: Sequence[Player]) -> tuple[int, int] | None:
    """The next two to play among the idle (connected, active, rested, at no table); None while nobody should."""
    if len(idle) < 2:  # noqa: PLR2004  # a pair
        return None
    first = min(idle, key=lambda player: (player.free_since, len(games[player.number]), state.seed_of(player.number)))
    last = games[first.number][-1].opponent if games[first.number] else 0
    points = {player.number: score(games[player.number]) for player in idle}
    others = [player for player in idle if player is not first and player.number != last]
    if not others and _anybody_else(state, first.number, last):
        return None
    others = others or [player for player in idle if player.number == last]
    if not others:
        return None
    second = min(
        others,
        key=lambda player: (
            abs(points[player.number] - points[first.number]),
            player.free_since,
            state.seed_of(player.number),
        ),
    )
    return first.number, second.number


def _anybody_else(state: Tournament, first: int, last: int) -> bool:
    return any(
        player.connected and player.status == "active" and number not in {first, last}
        for number, player in state.players.items()
    )
