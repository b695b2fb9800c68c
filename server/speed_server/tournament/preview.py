"""What a command would change, in lines for people: the difference of two states."""

from __future__ import annotations

from speed_server.tournament.config import duration_name
from speed_server.tournament.model import EMPTY, Match, Tournament


def differences(old: Tournament, new: Tournament) -> tuple[str, ...]:
    """One line for each thing that differs: phase, settings, people, matches, tables, rounds."""
    lines = []
    if old.phase != new.phase:
        lines.append(f"tournament: {old.phase} -> {new.phase}")
    if old.config != new.config:
        lines += [
            f"setting {key}: {getattr(old.config, key)} -> {getattr(new.config, key)}"
            for key in old.config.__struct_fields__
            if getattr(old.config, key) != getattr(new.config, key)
        ]
    if old.seeds != new.seeds:
        lines.append("seeds: " + ", ".join(f"{n}. {new.name_of(player)}" for n, player in enumerate(new.seeds, 1)))
    lines += _people(old, new)
    lines += _matches(old, new)
    for number in sorted({*old.tables, *new.tables}):
        before, after = old.tables.get(number), new.tables.get(number)
        if before != after:
            lines.append(f"table {number}: {'open' if after and after.open else 'closed'}")
    if len(old.rounds) != len(new.rounds) or [r.published for r in old.rounds] != [r.published for r in new.rounds]:
        lines += [f"round {r.number}: {'published' if r.published else 'not published'}" for r in new.rounds[-1:]]
    if old.cooling_until != new.cooling_until and new.cooling_until:
        lines.append(f"the next step follows after {duration_name(new.config.cooling)}")
    return tuple(lines)


def _people(old: Tournament, new: Tournament) -> list[str]:
    lines = []
    for number in sorted({*old.players, *new.players}):
        before, after = old.players.get(number), new.players.get(number)
        if before is None or after is None:
            name = new.name_of(number) if after else old.name_of(number)
            lines.append(f"player {name}: {'entered' if after else 'not entered'}")
        elif before.status != after.status or before.name != after.name:
            lines.append(f"player {before.name}: {before.status} -> {after.name}, {after.status}")
    return lines


def _matches(old: Tournament, new: Tournament) -> list[str]:
    lines = []
    for number in sorted({*old.matches, *new.matches}):
        before, after = old.matches.get(number), new.matches.get(number)
        if before is not None and after is None:
            lines.append(f"match {old.title(before)}: gone")
        elif after is not None:
            text = describe(new, after)
            if before is None or describe(old, before) != text:
                lines.append(f"match {text}")
    return lines


def describe(state: Tournament, match: Match) -> str:
    """A match in one line: title, and its state or result."""
    title = state.title(match)
    if match.result is None:
        table = f" at table {match.table}" if match.table else ""
        return f"{title}: {match.status}{table}"
    result = match.result
    if result.kind == "played" and result.score:
        return f"{title}: {result.score[0]}:{result.score[1]}"
    winner = f" for {state.name_of(result.winner)}" if result.winner != EMPTY else ""
    return f"{title}: {result.kind.replace('_', ' ')}{winner}"
