"""What the judges share: the refusal, the pen that writes events, and how people's words find players and matches."""

from __future__ import annotations

import re
from difflib import get_close_matches

import msgspec

from speed_server.tournament import events as ev
from speed_server.tournament.buckets import buckets
from speed_server.tournament.fold import evolve
from speed_server.tournament.model import Match, Player, Tournament


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not obeyed: what is in the way, by name, and the command that mends it."""

    text: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.text}: {self.remedy}"


class Refused(Exception):  # noqa: N818  # a judge's word, caught before it leaves the judges
    """Raised inside the judges; `decide` turns it into its refusal."""

    def __init__(self, text: str, remedy: str) -> None:
        super().__init__(text)
        self.refusal = Refusal(text, remedy)


class Pen:
    """Writes events and keeps the state that they lead to, so that a judge sees what it has done."""

    def __init__(self, state: Tournament, now: int) -> None:
        self.origin = state
        self.state = state
        self.now = now
        self.events: list[ev.Event] = []

    def write(self, event: ev.Event) -> None:
        """Add an event."""
        self.events.append(event)
        self.state = evolve(self.state, event)


def find_player(state: Tournament, text: str) -> Player:
    """The player of a name, or of a seed as `#7`."""
    present = [player for player in state.players.values() if player.status != "removed"]
    for player in present:
        if player.name.casefold() == text.casefold():
            return player
    seed = re.fullmatch(r"#(\d{1,3})", text)
    if seed and 0 < int(seed[1]) <= len(state.seeds):
        return state.players[state.seeds[int(seed[1]) - 1]]
    near = get_close_matches(text, [player.name for player in present], 1)
    hint = f"did you mean `{near[0]}`? " if near else ""
    raise Refused(f"there is no player {text!r}", f"{hint}`status` lists the players, `add NAME` enters one")


def find_match(state: Tournament, text: str) -> Match:
    """The match of a number as `M12` or `12`, or the latest one of two players as `anna-bob`."""
    number = re.fullmatch(r"[Mm]?(\d{1,5})", text)
    if number and int(number[1]) in state.matches:
        return state.matches[int(number[1])]
    for one, other in _splits(text):
        try:
            wanted = {find_player(state, one).number, find_player(state, other).number}
        except Refused:
            continue
        met = [match for match in state.matches.values() if set(match.known) == wanted]
        if met:
            return next((match for match in met if match.result is None), met[-1])
        raise Refused(f"{one} and {other} have no match", "`status` lists the matches, `why` tells what is missing")
    raise Refused(f"there is no match {text!r}", "write it as M12 or anna-bob; `status` lists the matches")


def find_pair(state: Tournament, text: str) -> tuple[Player, Player]:
    """The two players of `anna-bob`."""
    for one, other in _splits(text):
        try:
            found = find_player(state, one), find_player(state, other)
        except Refused:
            continue
        if found[0] is not found[1]:
            return found
    raise Refused(f"{text!r} is no pair of players", "write it as anna-bob; `status` lists the players")


def _splits(text: str) -> list[tuple[str, str]]:
    return [(text[:n].strip(), text[n + 1 :].strip()) for n, sign in enumerate(text) if sign == "-"]


def playing_match(state: Tournament, player: int) -> Match | None:
    """The match a player is called to or plays now."""
    return next((match for match in buckets(state).live if player in match.players), None)
