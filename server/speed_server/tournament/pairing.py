"""What the Swiss pairing needs to know of a tournament: who plays the next round, and what each has behind him."""

from __future__ import annotations

from speed_server.tournament.model import EMPTY, Tournament
from speed_server.tournament.standings import members_of
from speed_server.tournament.swiss import Entrant, Float, Task
from speed_server.tournament.tally import Game, Tally, meetings, stage_tally


def next_round(state: Tournament) -> int:
    """The number of the round to plan: the one after the last published, or the planned one again."""
    return len([round_ for round_ in state.rounds if round_.published]) + 1


def swiss_task(state: Tournament) -> Task:
    """The next round as a value that can be paired anywhere."""
    number = next_round(state)
    members = members_of(state, state.stage)
    games = {
        player: tuple(game for game in own if game.round < number)
        for player, own in stage_tally(state, state.stage, members).items()
    }
    active = [p for p in members if state.players[p].status == "active" and state.players[p].joined <= number]
    scores = {player: sum(game.points for game in games[player]) for player in members}
    active.sort(key=lambda player: (-scores[player], state.seed_of(player)))
    playing = set(active)
    return Task(
        number=number,
        entrants=tuple(_entrant(games, player, scores[player], number) for player in active),
        met=tuple(
            (a, b, times, last)
            for (a, b), (times, last) in sorted(meetings(games).items())
            if a in playing and b in playing
        ),
        fixed=tuple(pair for pair in state.fixed if set(pair) <= playing),
        forbidden=state.forbidden,
        fixed_bye=state.fixed_bye if state.fixed_bye in playing and len(active) % 2 else EMPTY,
    )


def _entrant(games: Tally, player: int, score: int, number: int) -> Entrant:
    own = games[player]
    played = sum(game.played for game in own)
    return Entrant(
        player,
        score,
        free=sum(game.free for game in own),
        unplayed=number - 1 - played,
        floated=_float(games, player, number - 1),
    )


def _float(games: Tally, player: int, round_: int) -> Float:
    last = next((game for game in games[player] if game.round == round_), None)
    if last is None:
        return ""
    if last.free:
        return "down"
    if not last.played:
        return ""
    own, other = _score_before(games[player], round_), _score_before(games.get(last.opponent, ()), round_)
    return "down" if own > other else "up" if own < other else ""


def _score_before(games: tuple[Game, ...], round_: int) -> int:
    return sum(game.points for game in games if game.round < round_)
