"""What each player did in a stage, match by match: the ground of standings, tie-breaks, pairings and crosstables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from speed_server.tournament.model import EMPTY, Match, Tournament

Outcome = Literal["win", "loss", "walkover_win", "walkover_loss", "bye", "void"]


class Game(msgspec.Struct, frozen=True):
    """One finished match as one player sees it."""

    match: int
    round: int
    opponent: int
    outcome: Outcome
    scored: int = 0
    conceded: int = 0
    at: int = 0

    @property
    def played(self) -> bool:
        """Whether two people sat at a table for it."""
        return self.outcome in {"win", "loss"}

    @property
    def won(self) -> bool:
        """Whether it counts as a win against somebody."""
        return self.outcome in {"win", "walkover_win"}

    @property
    def free(self) -> bool:
        """Whether its point came without play."""
        return self.outcome in {"bye", "walkover_win"}

    @property
    def points(self) -> int:
        """Match points of a Swiss."""
        return int(self.won or self.outcome == "bye")


Tally = dict[int, tuple[Game, ...]]


def tally(matches: Iterable[Match], members: Iterable[int]) -> Tally:
    """The finished matches of each member, in the order of rounds and then of time. Play-offs are not among them."""
    found: dict[int, list[Game]] = {member: [] for member in members}
    for match in matches:
        if match.result is None or match.spec.side == "playoff" or match.result.kind == "not_needed":
            continue
        for side in (0, 1):
            player = match.known[side]
            if player in found:
                found[player].append(_game(match, side))
    return {player: tuple(sorted(games, key=lambda game: (game.round, game.at))) for player, games in found.items()}


def stage_matches(state: Tournament, stage: int) -> list[Match]:
    """The matches of a stage by number."""
    return [match for match in state.matches.values() if match.stage == stage]


def stage_tally(state: Tournament, stage: int, members: Iterable[int] | None = None) -> Tally:
    """The tally of all members of a stage, or of some."""
    return tally(stage_matches(state, stage), state.stages[stage].members if members is None else members)


def _game(match: Match, side: int) -> Game:
    assert match.result is not None
    player, opponent = match.known[side], match.known[1 - side]
    kind, won = match.result.kind, match.result.winner == player
    scored, conceded = match.result.score or (0, 0)
    if side:
        scored, conceded = conceded, scored
    outcome: Outcome
    if kind == "played":
        outcome = "win" if won else "loss"
    elif kind == "bye" and won:
        outcome = "bye"
    elif kind == "walkover" and won:
        outcome = "walkover_win"
    elif kind == "void":
        outcome = "void"
    else:
        outcome = "walkover_loss"
    return Game(match.number, match.spec.round, opponent, outcome, scored, conceded, match.finished_at)


def meetings(games: Tally) -> dict[tuple[int, int], tuple[int, int]]:
    """For each pair that has played: how often, and in which round last. Walk-overs are no meetings."""
    met: dict[tuple[int, int], tuple[int, int]] = {}
    for player, own in games.items():
        for game in own:
            if game.played and player < game.opponent != EMPTY:
                count, last = met.get((player, game.opponent), (0, 0))
                met[player, game.opponent] = count + 1, max(last, game.round)
    return met
