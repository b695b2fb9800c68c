"""The tie-breaks: mini-table, differences, Buchholz, Sonneborn-Berger, play-off. All count matches, never deals.

Buchholz is the sum of the opponents' match points. Where there was no opponent (bye, walk-over, absence), it is the
player's own points, at most half of the rounds: nobody gains by not playing. Rounds after an opponent has left count
half a point each for him, so that his leaving does not hurt those who met him.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations

from speed_server.tournament.config import TieBreak
from speed_server.tournament.model import EMPTY, Match
from speed_server.tournament.ranking import Criterion, Value
from speed_server.tournament.tally import Game, Tally


class Criteria:
    """The tie-breaks of one stage (or one group of it), over what was played in it.

    `rounds` is how many rounds were played; `left` gives for who is gone the first round without him.
    """

    def __init__(self, games: Tally, rounds: int, left: Mapping[int, int], playoffs: tuple[Match, ...] = ()) -> None:
        self._games = games
        self._rounds = rounds
        self._left = left
        self._playoffs = playoffs
        self._points = {player: sum(game.points for game in own) for player, own in games.items()}

    def named(self, name: TieBreak) -> Criterion:
        """The criterion of a config's word."""
        table: dict[TieBreak, Criterion] = {
            "mini": self.mini,
            "mini_difference": self.mini_difference,
            "difference": self._each(self.difference),
            "scored": self._each(self.scored),
            "buchholz_cut": self._each(self.buchholz_cut),
            "buchholz": self._each(self.buchholz),
            "average": self._each(self.average),
            "berger": self._each(self.berger),
        }
        return table[name]

    def points(self, group: tuple[int, ...]) -> Mapping[int, Value]:
        """Match points: wins and byes."""
        return {player: self._points[player] for player in group}

    def wins(self, group: tuple[int, ...]) -> Mapping[int, Value]:
        """Wins of a round robin, where being free in a round is worth nothing."""
        return {player: sum(game.won for game in self._games[player]) for player in group}

    def mini(self, group: tuple[int, ...]) -> Mapping[int, Value] | None:
        """Wins among the tied, if all of them have met."""
        return self._mini(group, lambda game: int(game.won))

    def mini_difference(self, group: tuple[int, ...]) -> Mapping[int, Value] | None:
        """Point difference among the tied, if all of them have met."""
        return self._mini(group, lambda game: game.scored - game.conceded)

    def _mini(self, group: tuple[int, ...], count: Callable[[Game], int]) -> Mapping[int, Value] | None:
        tied = set(group)
        inner = {
            player: [game for game in self._games[player] if game.opponent in tied and game.outcome != "void"]
            for player in group
        }
        met = {(player, game.opponent) for player, games in inner.items() for game in games}
        if any(pair not in met for pair in combinations(group, 2)):
            return None
        return {player: sum(count(game) for game in games) for player, games in inner.items()}

    def difference(self, player: int) -> int:
        """Points scored less points conceded."""
        return sum(game.scored - game.conceded for game in self._games[player])

    def scored(self, player: int) -> int:
        """Points scored."""
        return sum(game.scored for game in self._games[player])

    def average(self, player: int) -> Fraction:
        """Point difference per played match."""
        played = sum(game.played for game in self._games[player])
        return Fraction(self.difference(player), played) if played else Fraction(0)

    def summands(self, player: int) -> tuple[tuple[int, int, float], ...]:
        """What enters Buchholz, round by round: round, opponent (EMPTY: none), points."""
        by_round = {game.round: game for game in self._games[player]}
        substitute = min(float(self._points[player]), self._rounds / 2)
        found = []
        for number in range(1, self._rounds + 1):
            game = by_round.get(number)
            if game is None or not game.played:
                found.append((number, EMPTY, substitute))
            else:
                found.append((number, game.opponent, self._as_opponent(game.opponent)))
        return tuple(found)

    def _as_opponent(self, player: int) -> float:
        left = self._left.get(player, 0)
        return self._points[player] + (max(0, self._rounds - left + 1) / 2 if left else 0.0)

    def buchholz(self, player: int) -> float:
        """The sum of the opponents' points."""
        return sum(points for _, _, points in self.summands(player))

    def buchholz_cut(self, player: int) -> float:
        """The same without the lowest."""
        points = [points for _, _, points in self.summands(player)]
        return sum(points) - min(points, default=0)

    def berger(self, player: int) -> float:
        """The points of those whom he beat at the table."""
        return sum(self._as_opponent(game.opponent) for game in self._games[player] if game.outcome == "win")

    def playoff(self, group: tuple[int, ...]) -> Mapping[int, Value] | None:
        """Wins in play-offs among the tied, if there were any."""
        values: dict[int, Value] = dict.fromkeys(group, 0)
        for match in self._playoffs:
            if match.decided and match.result is not None and set(match.known) <= set(group):
                values[match.result.winner] += 1
        return values

    @staticmethod
    def _each(count: Callable[[int], Value]) -> Criterion:
        return lambda group: {player: count(player) for player in group}
