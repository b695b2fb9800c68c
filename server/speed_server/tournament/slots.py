"""How a result flows on: the one place that fills the slots of later matches.

An empty slot is a value that flows like a player. A match whose slots change after a correction starts afresh: its
call, its score and its result were about other people, so nothing of them stays behind.
"""

from __future__ import annotations

from msgspec.structs import replace

from speed_server.tournament.model import EMPTY, Match, MatchStatus, Source, Spec

Matches = dict[int, Match]


def value_of(source: Source, slot: int, matches: Matches) -> int | None:
    """The player a source stands for; EMPTY for nobody, None while it is not known."""
    if source.kind == "player":
        return source.ref
    match = matches[source.ref]
    if match.result is None:
        return None
    if source.kind == "winner":
        return match.result.winner
    if source.kind == "loser":
        return match.loser
    again = match.decided and match.result.winner == match.players[1]
    return match.players[slot] if again else EMPTY


def placed(spec: Spec, stage: int, matches: Matches, at: int) -> Match:
    """A new match with its slots as far as they are known."""
    players = (value_of(spec.a, 0, matches), value_of(spec.b, 1, matches))
    return Match(spec=spec, stage=stage, players=players, status=_status(players), ready_at=at)


def add(matches: Matches, specs: tuple[Spec, ...], stage: int, at: int) -> Matches:
    """The matches with new ones, each source being among the old or the earlier new ones."""
    grown = dict(matches)
    for spec in specs:
        grown[spec.number] = placed(spec, stage, grown, at)
        for source in (spec.a, spec.b):
            if source.kind != "player" and spec.number not in grown[source.ref].feeds:
                origin = grown[source.ref]
                grown[source.ref] = replace(origin, feeds=(*origin.feeds, spec.number))
    return grown


def put(matches: Matches, match: Match, at: int) -> Matches:
    """The matches with one changed, and with all that follows from its result."""
    grown = {**matches, match.number: match}
    _flow(grown, match, at)
    return grown


def _flow(matches: Matches, origin: Match, at: int) -> None:
    for number in origin.feeds:
        match = matches[number]
        players = (value_of(match.spec.a, 0, matches), value_of(match.spec.b, 1, matches))
        if players != match.players:
            matches[number] = afresh(match, players, at)
            _flow(matches, matches[number], at)


def afresh(match: Match, players: tuple[int | None, int | None], at: int) -> Match:
    """The match as if nothing had happened to it yet."""
    return Match(
        spec=match.spec,
        stage=match.stage,
        players=players,
        feeds=match.feeds,
        status=_status(players),
        ready_at=at,
        pinned=match.pinned,
        held=match.held,
    )


def _status(players: tuple[int | None, int | None]) -> MatchStatus:
    return "ready" if all(players) else "waiting"


def below(matches: Matches, number: int) -> list[Match]:
    """The matches that depend on one, nearest first."""
    found: dict[int, Match] = {}
    queue = list(matches[number].feeds)
    while queue:
        match = matches[queue.pop(0)]
        if match.number not in found:
            found[match.number] = match
            queue.extend(match.feeds)
    return list(found.values())
