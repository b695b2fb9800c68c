"""Answers to the director: status, what keeps the next step back, how a tie-break or a pairing came about."""

from __future__ import annotations

from speed_server.tournament.advice import advise
from speed_server.tournament.config import duration_name
from speed_server.tournament.judging import Refusal, Refused, find_player
from speed_server.tournament.model import EMPTY, LIVE, Tournament
from speed_server.tournament.orders import WORDS, Order
from speed_server.tournament.preview import describe
from speed_server.tournament.queue import NOWHERE, blocked, callable_at, free_tables, queue, slow_matches
from speed_server.tournament.settle import open_matches
from speed_server.tournament.standings import Line, Standings, standings, swiss_criteria


def answer(state: Tournament, order: Order, now: int) -> tuple[str, ...] | Refusal:
    """The lines that answer an order which only asks (all but `log`, which needs the log)."""
    try:
        if order.word == "status":
            return status(state, now)
        if order.word == "why":
            return why(state, now)
        if order.word == "explain":
            return _explain(state, order.arguments[0])
        if order.word == "plan":
            return _plan(order)
        return _help(order)
    except Refused as refused:
        return refused.refusal


def _help(order: Order) -> tuple[str, ...]:
    names = order.arguments or tuple(WORDS)
    unknown = next((name for name in names if name not in WORDS), None)
    if unknown is not None:
        raise Refused(f"{unknown!r} is no command", "`help` lists the words")
    return tuple(f"{name} {WORDS[name].arguments}".ljust(34) + " " + WORDS[name].help for name in names)


def _plan(order: Order) -> tuple[str, ...]:
    if not all(text.isascii() and text.isdigit() and 0 < int(text) < 1_000 for text in order.arguments):  # noqa: PLR2004
        raise Refused("a plan needs three numbers", "write `plan PLAYERS TABLES MINUTES`, as `plan 16 4 120`")
    players, tables, minutes = map(int, order.arguments)
    if not 2 <= players <= 64:  # noqa: PLR2004
        raise Refused(f"{players} players make no evening", "`plan` takes 2 to 64 players")
    return advise(players, tables, minutes)


def status(state: Tournament, now: int) -> tuple[str, ...]:
    """Where things stand: phase, people, tables, queue."""
    people: dict[str, list[str]] = {}
    for player in state.players.values():
        people.setdefault(player.status, []).append(player.name)
    lines = [f"{state.name or 'no name yet'}: {state.phase}, {state.config.format}"]
    if state.phase == "paused":
        lines[0] += f" ({state.pause_reason})"
    lines += [f"{status_}: {', '.join(names)}" for status_, names in people.items()]
    for number, table in sorted(state.tables.items()):
        match = next((m for m in state.matches.values() if m.table == number and m.status in LIVE), None)
        if match is not None:
            left = match.deadline - now
            clock = f", {duration_name(abs(left))} {'left' if left >= 0 else 'overdue'}" if match.deadline else ""
            lines.append(f"table {number}: {describe(state, match)}{clock}")
        else:
            lines.append(f"table {number}: {'free' if table.open else 'closed'}")
    lines += [f"next: {describe(state, match)}" for match in queue(state)]
    lines += [f"slow: {describe(state, match)}" for match in slow_matches(state, now)]
    return tuple(lines)


def why(state: Tournament, now: int) -> tuple[str, ...]:
    """What keeps the next step back."""
    if state.phase not in {"running", "drawn"}:
        remedies = {
            "draft": "`add NAME ...`",
            "registration": "`draw`",
            "check_in": "`checkin NAME` or `draw`",
            "paused": "`resume`",
            "finished": "`archive` or `reopen`",
        }
        return (f"the tournament is {state.phase}: {remedies.get(state.phase, 'make a `new` one')}",)
    if state.phase == "drawn":
        return ("nothing is called before the start: `start`",)
    lines = [_why_match(state, now, number) for number in [match.number for match in open_matches(state)][:12]]
    last = state.rounds[-1] if state.rounds else None
    if not lines and last is not None and not last.published and last.hold:
        lines.append(f"round {last.number} was taken back: `repair` pairs it anew, `publish` keeps it")
    if not lines and state.cooling_until > now:
        lines.append(f"results may be corrected for {duration_name(state.cooling_until - now)} more: `next` goes on")
    if not lines and sum(player.status == "active" for player in state.players.values()) <= 1:
        resting = [player.name for player in state.players.values() if player.status == "resting"]
        lines.append(f"{', '.join(resting) or 'nobody'} rests: `activate NAME`, or `finish`")
    return tuple(lines) or ("nothing keeps it back: `next` goes on",)


def _why_match(state: Tournament, now: int, number: int) -> str:
    match = state.matches[number]
    text = describe(state, match)
    if match.status == "waiting":
        refs = [s.ref for s in (match.spec.a, match.spec.b) if s.kind != "player" and not state.matches[s.ref].result]
        return f"{text} for {' and '.join(f'M{ref}' for ref in refs)}"
    if match.status == "ready":
        if match.held:
            return f"{text}, held: `hold {match.name} off`"
        if blocked(state, match, NOWHERE):
            names = [state.name_of(p) for p in match.known if state.players[p].status != "active"]
            return f"{text}, {', '.join(names) or 'somebody'} rests: `activate NAME`"
        if callable_at(state, match) > now:
            return f"{text}, can be called in {duration_name(callable_at(state, match) - now)}"
        return f"{text}, " + ("a player is busy" if free_tables(state) else "no table is free: `open N`")
    if match.status == "called":
        missing = [state.name_of(p) for p, seated in zip(match.known, match.seated, strict=True) if not seated]
        return f"{text}, {' and '.join(missing)} is awaited: `walkover {match.name} NAME` or `recall {match.name}`"
    return f"{text}: `result {match.name} 25:19` enters it"


def _explain(state: Tournament, what: str) -> tuple[str, ...]:
    if what.isascii() and what.isdigit() and 0 < int(what) <= len(state.rounds):
        round_ = state.rounds[int(what) - 1]
        lines = []
        for pair in round_.pairs:
            names = f"{state.name_of(pair.a)}-{state.name_of(pair.b)}" if pair.b else f"bye {state.name_of(pair.a)}"
            lines.append(f"{names}: {pair.why or 'same score group, folded'}")
        return tuple(lines)
    player = find_player(state, what)
    if not state.stages:
        raise Refused(f"{player.name} has not played yet", "`draw` and `start` first")
    found = [line for table in standings(state, state.stage) for line in table.lines if line.player == player.number]
    if not found:
        return (f"{player.name} is not in the standings of this stage",)
    line = found[0]
    lines = [f"{player.name}: place {place_name(line)}, {line.won} won, {line.lost} lost"]
    lines += [f"{name}: {value:g}" for name, value in line.values]
    if state.stages[-1].kind == "swiss":
        lines += [
            f"round {number}: {state.name_of(opponent) if opponent else 'no opponent'} adds {points:g} to Buchholz"
            for number, opponent, points in swiss_criteria(state, state.stage).summands(player.number)
        ]
    return tuple(lines)


def place_name(line: Line) -> str:
    """`3`, `5-8`, or `-` for who is not ranked."""
    if not line.first:
        return "-"
    return str(line.first) if line.first == line.last else f"{line.first}-{line.last}"


def standings_lines(state: Tournament, table: Standings) -> tuple[str, ...]:
    """A table of standings as lines of text."""
    lines = []
    for line in table.lines:
        name = state.name_of(line.player) if line.player != EMPTY else "(vacant)"
        values = "  ".join(f"{value:g}" for _, value in line.values)
        struck = "  struck" if line.struck else ""
        lines.append(
            f"{place_name(line):>5}  {name:<16} {line.won}-{line.lost}  {line.points:>3}  {values}{struck}".rstrip()
        )
    return tuple(lines)
