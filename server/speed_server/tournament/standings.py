"""The standings of a stage, for every format, always computed from the matches."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from speed_server.tournament import arena
from speed_server.tournament.config import ROUND_ROBIN_TIE_BREAKS, SWISS_TIE_BREAKS, TieBreak
from speed_server.tournament.criteria import Criteria
from speed_server.tournament.model import EMPTY, GONE, Match, Tournament
from speed_server.tournament.places import places
from speed_server.tournament.ranking import Criterion, rank
from speed_server.tournament.schedule import group_name
from speed_server.tournament.tally import Tally, stage_matches, stage_tally, tally


class Line(msgspec.Struct, frozen=True):
    """One player's line. `first` to `last` is his place, shared if they differ; 0 when he is not ranked.

    `player` is EMPTY for a place that is vacant. `values` are the tie-breaks in their order. `form` is the outcomes
    of his last five matches, `W` and `L`, small when without play.
    """

    player: int
    first: int
    last: int
    points: int
    won: int
    lost: int
    values: tuple[tuple[str, float], ...] = ()
    form: str = ""
    struck: bool = False


class Standings(msgspec.Struct, frozen=True):
    """The lines of a stage or of one of its groups (`group` is then its letter)."""

    stage: int
    group: str
    lines: tuple[Line, ...]

    @property
    def order(self) -> tuple[tuple[int, ...], ...]:
        """Who holds each place, from the first; several when it is shared."""
        held: dict[int, list[int]] = {}
        for line in self.lines:
            if line.player != EMPTY:
                held.setdefault(line.first or len(self.lines) + 1, []).append(line.player)
        return tuple(tuple(held[place]) for place in sorted(held))


def standings(state: Tournament, stage: int) -> tuple[Standings, ...]:
    """The standings of a stage: one, or one for each group."""
    drawn = state.stages[stage]
    if drawn.kind in {"bracket", "double"}:
        return (Standings(stage, "", _bracket_lines(state, stage)),)
    if drawn.kind == "groups":
        return tuple(
            Standings(stage, group_name(n), _round_robin_lines(state, stage, group, group_name(n)))
            for n, group in enumerate(drawn.groups)
        )
    if drawn.kind == "roundrobin":
        return (Standings(stage, "", _round_robin_lines(state, stage, drawn.members, "main")),)
    if drawn.kind == "arena":
        return (Standings(stage, "", _arena_lines(state, stage)),)
    return (Standings(stage, "", _swiss_lines(state, stage)),)


def champion(state: Tournament) -> int:
    """The winner of a finished tournament; EMPTY when there is none, or two share the first place."""
    if state.phase not in {"finished", "archived"} or not state.stages:
        return EMPTY
    if all(state.is_gone(player) for player in state.stages[0].members):
        return EMPTY
    first = [line.player for line in standings(state, state.stage)[0].lines if line.first == 1]
    return first[0] if len(first) == 1 else EMPTY


def swiss_criteria(state: Tournament, stage: int) -> Criteria:
    """The tie-breaks of a Swiss as they stand."""
    members = members_of(state, stage)
    left = {player: state.players[player].left for player in members if state.is_gone(player)}
    return Criteria(stage_tally(state, stage, members), rounds_done(state), left, _playoffs(state, stage))


def members_of(state: Tournament, stage: int) -> tuple[int, ...]:
    """The members of a stage with those who came late, by seed."""
    drawn = state.stages[stage].members
    if state.stages[stage].kind not in {"swiss", "arena"}:
        return drawn
    late = [n for n, p in state.players.items() if n not in drawn and p.status in {"active", "resting", *GONE}]
    return (*drawn, *late)


def rounds_done(state: Tournament) -> int:
    """The number of Swiss rounds that are over."""
    return sum(
        all(state.matches[pair.number].result is not None for pair in round_.pairs)
        for round_ in state.rounds
        if round_.published
    )


# --- the formats ------------------------------------------------------------------------------------------------------


def _bracket_lines(state: Tournament, stage: int) -> tuple[Line, ...]:
    games = stage_tally(state, stage)
    lines = []
    for place in places(state, stage):
        lines += [_line(games, player, place.first, place.last) for player in place.players]
        if not place.players:
            lines.append(Line(EMPTY, place.first, place.last, 0, 0, 0))
    listed = {line.player for line in lines}
    rest = [_line(games, player, 0, 0) for player in state.stages[stage].members if player not in listed]
    return (*rest, *lines)


def is_struck(state: Tournament, stage: int, player: int, side: str) -> bool:
    """Whether a player left a round robin before half of his matches: none of them count then."""
    if not state.is_gone(player):
        return False
    own = [m for m in stage_matches(state, stage) if m.spec.side == side and player in m.players]
    played = sum(m.result is not None and m.result.kind == "played" for m in own)
    missed = any(m.result is not None and m.result.why.endswith("left") for m in own)
    return missed and 2 * played < len(own)


def _round_robin_lines(state: Tournament, stage: int, members: Sequence[int], side: str) -> tuple[Line, ...]:
    struck = [player for player in members if is_struck(state, stage, player, side)]
    ranked = [player for player in members if player not in struck]
    matches = [
        match for match in stage_matches(state, stage) if match.spec.side == side and not set(match.known) & set(struck)
    ]
    games = tally(matches, ranked)
    criteria = Criteria(games, 0, {}, _playoffs(state, stage))
    names = state.config.tie_breaks or ROUND_ROBIN_TIE_BREAKS
    lines = _ranked_lines(games, criteria, criteria.wins, names, tuple(ranked))
    return (*lines, *(msgspec.structs.replace(_line(games, player, 0, 0), struck=True) for player in struck))


def _swiss_lines(state: Tournament, stage: int) -> tuple[Line, ...]:
    members = members_of(state, stage)
    games = stage_tally(state, stage, members)
    ranked = tuple(p for p in members if not (state.is_gone(p) and not any(game.played for game in games[p])))
    criteria = swiss_criteria(state, stage)
    lines = _ranked_lines(games, criteria, criteria.points, state.config.tie_breaks or SWISS_TIE_BREAKS, ranked)
    lines = _survivor_first(state, stage, lines)
    return (*lines, *(_line(games, player, 0, 0) for player in members if player not in ranked))


def _arena_lines(state: Tournament, stage: int) -> tuple[Line, ...]:
    members = members_of(state, stage)
    games = stage_tally(state, stage, members)
    scores = {player: arena.score(games[player]) for player in members}
    ranked = tuple(player for player in members if games[player] or not state.is_gone(player))
    keys = {player: arena.rank_key(games[player]) for player in members}
    places_ = sorted({keys[player] for player in ranked}, reverse=True)
    lines: list[Line] = []
    for key in places_:
        here = [player for player in ranked if keys[player] == key]
        first, last = len(lines) + 1, len(lines) + len(here)
        lines += [msgspec.structs.replace(_line(games, p, first, last), points=scores[p]) for p in here]
    lines = list(_survivor_first(state, stage, tuple(lines)))
    return (*lines, *(_line(games, player, 0, 0) for player in members if player not in ranked))


def _survivor_first(state: Tournament, stage: int, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Where all but one have left before the end, the one who stayed has won."""
    staying = [line for line in lines if not state.is_gone(line.player)]
    if len(staying) != 1 or len(lines) == 1 or not _cut_short(state, stage):
        return lines
    first = staying[0]
    lines = (first, *(line for line in lines if line is not first))
    return tuple(
        msgspec.structs.replace(line, first=n + 1, last=n + 1)
        if n == 0
        else msgspec.structs.replace(line, first=max(2, line.first), last=max(2, line.last))
        for n, line in enumerate(lines)
    )


def _cut_short(state: Tournament, stage: int) -> bool:
    return state.stages[stage].kind == "arena" or rounds_done(state) < state.stages[stage].rounds


def _playoffs(state: Tournament, stage: int) -> tuple[Match, ...]:
    return tuple(match for match in stage_matches(state, stage) if match.spec.side == "playoff")


def _ranked_lines(
    games: Tally, criteria: Criteria, first: Criterion, names: Sequence[TieBreak], members: tuple[int, ...]
) -> tuple[Line, ...]:
    parts = rank(members, [first, *(criteria.named(name) for name in names), criteria.playoff])
    points = first(members) or {}
    shown: list[TieBreak] = [name for name in names if not name.startswith("mini")]
    values = {name: criteria.named(name)(members) or {} for name in shown}
    lines: list[Line] = []
    for part in parts:
        low, high = len(lines) + 1, len(lines) + len(part)
        for player in part:
            line = _line(games, player, low, high)
            numbers = tuple((name, _number(values[name][player])) for name in shown)
            lines.append(msgspec.structs.replace(line, points=int(points[player]), values=numbers))
    return tuple(lines)


def _number(value: float | Fraction) -> float:
    return round(float(value), 3)


def _line(games: Tally, player: int, first: int, last: int) -> Line:
    own = games.get(player, ())
    won = sum(game.won for game in own)
    lost = sum(game.outcome in {"loss", "walkover_loss"} for game in own)
    signs = {"win": "W", "loss": "L", "walkover_win": "w", "walkover_loss": "l", "bye": "b", "void": "-"}
    return Line(player, first, last, won, won, lost, form="".join(signs[game.outcome] for game in own[-5:]))
