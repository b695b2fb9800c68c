"""A deal as a text file: where the cards came from, what was asked in the order judged, and what came of it.

The file is JSON lines in UTF-8, each an object whose last key is `hash`: the first 16 hexadecimal digits of the SHA-256
of the line before's hash and of the line as it is without that key. So a changed byte is found at its line. The hash
has no key: it finds damage, not a forger, who can write a whole new chain. That a record is *right* follows from the
rest: with the cards and the requests everything else can be computed again (`verify`).

    first line   format, program, rules (all of them), cards, table, deal, started, players, fair
                 cards: from "secret" with seed and commitment in hex, or from "number" with number and game code
    then         at_us, request, verdict, events; for a play that was pressed also press_us and arrival_us
                 verdict: "accepted" or the refusal's word, and then `reason`, where that has more to say
    last line    end ("won", "forfeit", "void", "unfinished"), winner, score, duration_us, seats, requests, left_out

`at_us` is the deal time at which the request was judged: a play's effective race time. `press_us` is the race time
before the least gap between two plays moved it, `arrival_us` the deal time at which the play came. `left_out` counts
refused requests that were not kept, when somebody asked for so many that a record would have no end. A request line may
have further keys; a reader keeps and ignores them. How events, requests and cards are written: `record_words`.

Nothing here knows a clock, a file or an address.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from speed_common import __version__
from speed_common.deck import MAX_DEAL_NUMBER, SEED_BYTES, CodeStream, SecretStream
from speed_common.events import NOBODY, Event, Refusal, Request
from speed_common.fair_settings import FairSettings
from speed_common.record_words import event_words, reason_words, request_words
from speed_common.rules import Rules
from speed_common.wire import Result

FORMAT: Final = 1
HASH_DIGITS: Final = 16
MAX_LINE_BYTES: Final = 16_384
MAX_LINES: Final = 50_000
MAX_BYTES: Final = 1 << 24

ACCEPTED: Final = "accepted"
NOT_JUDGED: Final = frozenset({"paused", "fallen", "clock"})
"""The server's own verdict on a play that waited when the deal began to wait for somebody: the table never saw it."""

End = Literal["won", "forfeit", "void", "unfinished"]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
Word: TypeAlias = Annotated[str, Meta(max_length=64)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 32)]
Microseconds: TypeAlias = Annotated[int, Meta(ge=-(1 << 40), le=1 << 40)]
Hex: TypeAlias = Annotated[str, Meta(min_length=2 * SEED_BYTES, max_length=2 * SEED_BYTES, pattern="^[0-9a-f]*$")]

encode: Final[Callable[[Any], bytes]] = msgspec.json.Encoder().encode


class SecretCards(msgspec.Struct, frozen=True, kw_only=True, tag_field="from", tag="secret"):
    """The cards came from a secret seed; `commitment`, its SHA-256, was announced before the reveal. Both in hex."""

    seed: Hex
    commitment: Hex


class NumberedCards(msgspec.Struct, frozen=True, kw_only=True, tag_field="from", tag="number"):
    """The cards came from a deal number; `code` is the game code that asked for it, if one did."""

    number: Annotated[int, Meta(ge=0, le=MAX_DEAL_NUMBER)]
    code: Annotated[str, Meta(max_length=96)] = ""


class Player(msgspec.Struct, frozen=True):
    """Who sat at a seat; `level` 1..10 is a computer, 0 a person."""

    name: Name
    level: Annotated[int, Meta(ge=0, le=10)] = 0


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: all that is known before the cards turn. `started` is an ISO date."""

    rules: Rules
    cards: SecretCards | NumberedCards
    table: Count
    deal: Count
    players: Annotated[tuple[Player, ...], Meta(min_length=2, max_length=4)]
    fair: FairSettings
    started: Word = ""
    program: Word = f"speed-lan {__version__}"
    format: Annotated[int, Meta(ge=1, le=FORMAT)] = FORMAT


class Entry(NamedTuple):
    """One request, its answer (events, or a refusal) and, in `events`, all that happened by it.

    A refused play can have an event too: `Beaten`. `extras` are the line's further keys.
    """

    request: Request
    refusal: Refusal | None
    events: Sequence[Event]
    extras: Mapping[str, Any] = {}


def cards_of(stream: CodeStream | SecretStream, code: str = "") -> SecretCards | NumberedCards:
    """How the cards of a deal from `stream` came."""
    if isinstance(stream, SecretStream):
        return SecretCards(seed=stream.seed.hex(), commitment=stream.commitment().hex())
    return NumberedCards(number=stream.number, code=code)


def lines(heading: Heading, entries: Iterable[Entry], result: Result | None, left_out: int = 0) -> Iterator[bytes]:
    """The record, one line at a time, each with its newline; `result` None: the deal was broken off."""
    chain, count = "", 0
    for words in itertools.chain([heading_words(heading)], map(entry_words, entries)):
        line, chain = _chained(words, chain)
        count += 1
        yield line
    yield _chained({**result_words(result), "requests": count - 1, "left_out": left_out}, chain)[0]


def heading_words(heading: Heading) -> dict[str, Any]:
    """The first line's object. The rules are written whole: a later program may have other defaults."""
    return {
        "format": heading.format,
        "program": heading.program,
        "rules": msgspec.structs.asdict(heading.rules),
        "cards": heading.cards,
        "table": heading.table,
        "deal": heading.deal,
        "started": heading.started,
        "players": heading.players,
        "fair": asdict(heading.fair),
    }


def entry_words(entry: Entry) -> dict[str, Any]:
    """A request line's object."""
    refusal = entry.refusal
    words: dict[str, Any] = {"at_us": entry.request.at, "request": request_words(entry.request)}
    words |= entry.extras
    words["verdict"] = ACCEPTED if refusal is None else refusal.word
    if refusal is not None and (reason := reason_words(refusal)):
        words["reason"] = reason
    words["events"] = [event_words(event) for event in entry.events]
    return words


def result_words(result: Result | None) -> dict[str, Any]:
    """The last line's object, but for what it counts."""
    if result is None:
        return {"end": "unfinished"}
    nobody = result.winner == NOBODY
    end: End = "void" if nobody else "forfeit" if result.forfeit else "won"
    return {
        "end": end,
        "winner": None if nobody else result.winner,
        "score": result.score,
        "duration_us": result.duration_us,
        "seats": [msgspec.structs.asdict(seat) for seat in result.seats],
    }


def link(chain: str, text: bytes) -> str:
    """The hash of a line whose text without it is `text`, after the hash `chain`."""
    return hashlib.sha256(chain.encode("ascii") + text).hexdigest()[:HASH_DIGITS]


def _chained(words: dict[str, Any], chain: str) -> tuple[bytes, str]:
    text = encode(words)
    chain = link(chain, text)
    return b'%s,"hash":"%s"}\n' % (text[:-1], chain.encode("ascii")), chain
