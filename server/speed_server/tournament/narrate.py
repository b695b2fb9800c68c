"""An evening as lines: what each event means for people, as plain values for JSON and as text.

The words of the lines are stable. Players are named; `at_s` is seconds.
"""

from __future__ import annotations

from typing import Any, Final

from speed_server.tournament import events as ev
from speed_server.tournament.config import SECOND, duration_name
from speed_server.tournament.explain import place_name
from speed_server.tournament.fold import evolve
from speed_server.tournament.model import EMPTY, Match, Tournament
from speed_server.tournament.schedule import free_in_round, group_name
from speed_server.tournament.standings import Line, champion, standings

JsonLine = dict[str, Any]

_PLAIN: Final[dict[type[ev.Event], str]] = {
    ev.Paused: "paused",
    ev.Resumed: "resumed",
    ev.ServerStarted: "server_started",
    ev.DirectorNote: "note",
    ev.BellRung: "bell",
    ev.MatchRecalled: "recalled",
    ev.MatchMoved: "moved",
    ev.MatchStarted: "started",
    ev.DealFinished: "deal",
    ev.LatenessPenalty: "late",
    ev.PlayerLost: "lost",
    ev.PlayerBack: "back",
    ev.PlayerRested: "rests",
    ev.PlayerActivated: "activated",
    ev.PlayerWithdrawn: "withdrawn",
    ev.PlayerDisqualified: "disqualified",
    ev.PlayerDropped: "dropped",
    ev.RoundUnpublished: "unpublished",
    ev.Undrawn: "undrawn",
    ev.CommandUndone: "undone",
    ev.CoolingStarted: "cooling",
    ev.TournamentReopened: "reopened",
    ev.TournamentCancelled: "cancelled",
    ev.Started: "running",
}
_WORDS: Final = ("number", "round", "table", "points", "forfeit", "reason", "text", "line", "no_show")


def narrate(state: Tournament, event: ev.Event, origin: int = 0) -> tuple[Tournament, list[JsonLine]]:
    """The state after an event, and the lines it is worth; `at_s` counts from `origin`."""
    after = evolve(state, event)
    lines: list[JsonLine] = []
    if isinstance(event, ev.RoundPlanned):
        lines.append(_round(after, event))
    if isinstance(event, ev.StageDrawn):
        lines += _drawn(after, event)
    lines += _pairings(state, after)
    if isinstance(event, ev.MatchFinished | ev.ResultCorrected):
        lines.append(_result(after, after.matches[event.match], corrected=isinstance(event, ev.ResultCorrected)))
    elif isinstance(event, ev.MatchReopened):
        lines.append({"type": "reopened_match", **_match(after, after.matches[event.match])})
    elif isinstance(event, ev.MatchCalled):
        match = after.matches[event.match]
        lines.append({"type": "call", **_match(after, match), "table": event.table})
    elif isinstance(event, ev.StageClosed):
        lines.append(standings_line(after, event.stage, (event.at - origin) // SECOND))
    elif isinstance(event, ev.TournamentFinished):
        winner = champion(after)
        lines.append({"type": "finished", "champion": after.name_of(winner) if winner else None, "early": event.early})
    elif type(event) in _PLAIN:
        lines.append(_plain(after, event, origin))
    return after, [{"type": line.pop("type"), "at_s": (event.at - origin) // SECOND, **line} for line in lines]


def _plain(state: Tournament, event: Any, origin: int) -> JsonLine:
    line: JsonLine = {"type": _PLAIN[type(event)]}
    match = state.matches.get(getattr(event, "match", -1))
    if match is not None:
        line |= _match(state, match)
    for role in ("player", "winner"):
        if hasattr(event, role):
            line[role] = state.name_of(getattr(event, role))
    line |= {word: getattr(event, word) for word in _WORDS if hasattr(event, word)}
    if isinstance(event, ev.CoolingStarted):
        line["until_s"] = (event.until - origin) // SECOND
    if isinstance(event, ev.DealFinished) and match is not None:
        line["score"] = f"{match.score[0]}:{match.score[1]}"
    return line


def _match(state: Tournament, match: Match) -> JsonLine:
    a, b = match.players
    return {
        "match": match.name,
        "stage": match.stage + 1,
        "side": match.spec.side,
        "round": match.spec.round,
        "a": state.name_of(a) if a else None,
        "b": state.name_of(b) if b else None,
    }


def _pairings(old: Tournament, new: Tournament) -> list[JsonLine]:
    return [
        {"type": "pairing", **_match(new, match)}
        for number, match in new.matches.items()
        if all(match.players) and (number not in old.matches or old.matches[number].players != match.players)
    ]


def _result(state: Tournament, match: Match, *, corrected: bool) -> JsonLine:
    result = match.result
    assert result is not None
    line: JsonLine = {"type": "result", **_match(state, match), "kind": result.kind}
    if result.kind in {"bye", "not_needed", "walkover", "double_walkover", "void"}:
        line["type"] = "walkover" if "walkover" in result.kind else result.kind
    line["winner"] = state.name_of(result.winner) if result.winner != EMPTY else None
    if result.score:
        line["score"] = f"{result.score[0]}:{result.score[1]}"
    if result.why:
        line["why"] = result.why
    if corrected:
        line["corrected"] = True
    return line


def _round(state: Tournament, event: ev.RoundPlanned) -> JsonLine:
    pairs = [f"{state.name_of(pair.a)}-{state.name_of(pair.b)}" for pair in event.pairs if pair.b != EMPTY]
    bye = next((state.name_of(pair.a) for pair in event.pairs if pair.b == EMPTY), None)
    why = {f"{state.name_of(pair.a)}-{state.name_of(pair.b)}": pair.why for pair in event.pairs if pair.why}
    return {"type": "round", "round": event.number, "pairs": pairs, "bye": bye, "why": why}


def _drawn(state: Tournament, event: ev.StageDrawn) -> list[JsonLine]:
    stage = event.stage
    line: JsonLine = {"type": "drawn", "stage": len(state.stages), "kind": stage.kind}
    line["members"] = [state.name_of(player) for player in stage.members]
    if stage.groups:
        groups = {group_name(n): [state.name_of(p) for p in group] for n, group in enumerate(stage.groups)}
        return [line | {"groups": groups}]
    if stage.kind == "roundrobin" and len(stage.members) % 2:
        line["free"] = [state.name_of(player) for player in free_in_round(stage.members)]
    return [line]


def standings_line(state: Tournament, stage: int, at_s: int) -> JsonLine:
    """The standings of a stage as one line."""
    tables = [
        {"group": table.group, "lines": [_standing(state, line) for line in table.lines]}
        for table in standings(state, stage)
    ]
    return {"type": "standings", "at_s": at_s, "stage": stage + 1, "tables": tables}


def _standing(state: Tournament, line: Line) -> JsonLine:
    found: JsonLine = {
        "place": place_name(line),
        "player": state.name_of(line.player) if line.player != EMPTY else None,
        "points": line.points,
        "won": line.won,
        "lost": line.lost,
        **{name: int(value) if value == int(value) else value for name, value in line.values},
    }
    return found | {"struck": True} if line.struck else found


def text_of(line: JsonLine) -> str:
    """A line for people."""
    at = duration_name(line.get("at_s", 0) * SECOND)
    if line["type"] == "standings":
        rows = [_row_text(table["group"], row) for table in line["tables"] for row in table["lines"]]
        return "\n".join([f"{at:>8}  standings", *rows])
    if line["type"] == "answer":
        return "\n".join(f"{'':>8}  {text}" for text in line["lines"])
    skipped = {"type", "at_s", "a", "b", "stage", "why"}
    names = f" {line['a']}-{line['b']}" if line.get("a") or line.get("b") else ""
    rest = ", ".join(f"{key} {value}" for key, value in line.items() if key not in skipped and value not in (None, ""))
    return f"{at:>8}  {line['type']}{names} ({rest})" if rest else f"{at:>8}  {line['type']}{names}"


def _row_text(group: str, row: JsonLine) -> str:
    return f"{'':>8}  {group:1} {row['place']:>5}  {row['player'] or '(vacant)':<16} {row['won']}-{row['lost']}"
