"""Deals played at random and recorded on the way, as a server does it."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tests.common.random_play import NONSENSE, _nonsense, _sensible

from speed_common import record
from speed_common.decide import decide
from speed_common.deck import CodeStream, SecretStream, lay_out
from speed_common.events import Event, Play, Played, Refusal
from speed_common.fair_settings import FairSettings
from speed_common.record import Entry, Heading, Player
from speed_common.rules import Rules
from speed_common.table import OVER, evolve, new_table
from speed_common.tally import Tally
from speed_common.wire import Result

NAMES = ("anna", "bob", "Zoë", "莉莉")


class Recorded(NamedTuple):
    """A record, and what it was made of."""

    heading: Heading
    entries: list[Entry]
    result: Result | None

    @property
    def data(self) -> bytes:
        return b"".join(record.lines(*self))


def heading(rules: Rules, stream: CodeStream | SecretStream) -> Heading:
    return Heading(
        rules=rules,
        cards=record.cards_of(stream),
        table=3,
        deal=7,
        players=tuple(Player(name, level) for level, name in enumerate(NAMES[: rules.players])),
        fair=FairSettings(),
        started="2026-11-30T21:41:13Z",
    )


def recorded(rules: Rules, seed: int, stream: CodeStream | SecretStream | None = None, most: int = 3_000) -> Recorded:
    """A deal of random play, some of it nonsense; after `most` requests it is broken off."""
    random = Random(seed)
    stream = stream or SecretStream(random.randbytes(32))
    table, tally = new_table(rules, lay_out(rules, stream), stream), Tally(rules.players)
    entries: list[Entry] = []
    last: Event | None = None
    at = 0
    while table.phase != OVER and len(entries) < most:
        at += random.choice([0, 1_000, 50_000, 300_000])
        request = _nonsense(table, random, at) if random.random() < NONSENSE else _sensible(table, random, at)
        at = max(at, request.at)
        answer = decide(table, request)
        refusal = answer if isinstance(answer, Refusal) else None
        events = () if isinstance(answer, Refusal) else answer
        if refusal is not None and refusal.word == "beaten" and isinstance(request, Play):
            beaten = tally.lost(request.seat, refusal, request.at)
            events = () if beaten is None else (beaten,)
        for last in events:
            evolve(table, last)
            if isinstance(last, Played):
                tally.played[last.seat] += 1
        extras = {"press_us": request.at - 5, "arrival_us": request.at + 9} if isinstance(request, Play) else {}
        entries.append(Entry(request, refusal, events, extras))
    result = tally.result(table, last) if table.phase == OVER and last is not None else None
    return Recorded(heading(rules, stream), entries, result)


def rehashed(data: bytes) -> bytes:
    """The lines of a record that somebody changed, with hashes that fit again."""
    chain, made = "", []
    for line in data.splitlines():
        text = line[: line.rindex(b',"hash":"')] + b"}"
        chain = record.link(chain, text)
        made.append(text[:-1] + b',"hash":"' + chain.encode() + b'"}\n')
    return b"".join(made)
