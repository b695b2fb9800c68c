"""Who met whom: a line for each player with what he did in each round."""

from __future__ import annotations

from speed_server.tournament.model import EMPTY, Tournament
from speed_server.tournament.standings import members_of, standings
from speed_server.tournament.tally import Game, stage_tally


def crosstable(state: Tournament, stage: int) -> list[tuple[int, str, tuple[str, ...]]]:
    """For each player in the order of the standings: his number in the table, his name, a cell for each match.

    A cell is the opponent's number with `+` won, `-` lost, `w` won without play, `l` lost without play; `bye` is a
    bye, `void` a match that counts for nobody.
    """
    order = [line.player for table in standings(state, stage) for line in table.lines if line.player != EMPTY]
    numbers = {player: n for n, player in enumerate(order, 1)}
    games = stage_tally(state, stage, members_of(state, stage))
    return [
        (numbers[player], state.name_of(player), tuple(_cell(game, numbers) for game in games.get(player, ())))
        for player in order
    ]


def _cell(game: Game, numbers: dict[int, int]) -> str:
    if game.opponent == EMPTY:
        return "bye"
    signs = {"win": "+", "loss": "-", "walkover_win": "w", "walkover_loss": "l", "bye": "", "void": " void"}
    return f"{numbers.get(game.opponent, '?')}{signs[game.outcome]}"
