"""Is a record right? Deal its cards again, ask all its requests again, and compare every answer and the result.

What a record says and what comes of its own cards and requests must agree line by line: the commitment, each verdict
with its reason and events, the result. What cannot be computed again is taken as it stands: who sat there, when it
was, what people pressed, and the order in which it was judged.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from speed_common.codes import CodeError, parse_code
from speed_common.decide import decide
from speed_common.deck import CodeStream, SecretStream, lay_out
from speed_common.events import Call, Draw, Event, Play, Played, Refusal, Request
from speed_common.record import ACCEPTED, NOT_JUDGED, Heading, NumberedCards, result_words
from speed_common.record_read import Ending, Line, Record, RecordError, read
from speed_common.record_words import event_words, reason_words
from speed_common.table import OVER, evolve, new_table
from speed_common.tally import Tally
from speed_common.verdict import Verdict, recompute

_LONGEST: Final = 160


def verify(data: bytes) -> Record:
    """The record in a file's bytes, found right. Raises `RecordError` at the first line that is not."""
    record = read(data)
    replay = _Replay(record.heading)
    for line in record.lines:
        replay.ask(line)
    replay.end(len(record.lines) + 2, record.ending)
    return record


class _Replay:
    """A deal played again from its record. Raises `RecordError` where it comes out otherwise."""

    def __init__(self, heading: Heading) -> None:
        rules, stream = heading.rules, _stream(heading)
        self._table = new_table(rules, lay_out(rules, stream), stream)
        self._tally = Tally(rules.players)
        self._fair = heading.fair
        self._last: Event | None = None

    def ask(self, line: Line) -> None:
        """Judge one request again."""
        self._check_order(line)
        if line.verdict in NOT_JUDGED and isinstance(line.request, Play | Draw | Call):
            _compare(line.number, "the reason", line.reason, {})
            _compare(line.number, "what happened", line.events, ())
            return
        answer = decide(self._table, line.request)
        verdict: str = ACCEPTED
        reason: dict[str, Any] = {}
        if isinstance(answer, Refusal):
            verdict, reason, events = answer.word, reason_words(answer), self._lost_race(line.request, answer)
        else:
            events = answer
        _compare(line.number, "the verdict", line.verdict, verdict)
        _compare(line.number, "the reason", line.reason, reason)
        _compare(line.number, "what happened", line.events, tuple(map(event_words, events)))
        for event in events:
            evolve(self._table, event)
            self._last = event
            if isinstance(event, Played):
                self._tally.played[event.seat] += 1

    def end(self, number: int, ending: Ending) -> None:
        """Compare the result, which stands in line `number`."""
        over = self._table.phase == OVER and self._last is not None
        if ending.end == "unfinished" or not over or self._last is None:
            _compare(number, "the end", ending.end, "over" if over else "unfinished")
            return
        words = {**result_words(self._tally.result(self._table, self._last)), "requests": ending.requests}
        expected = msgspec.convert(words, Ending)
        for name in ("end", "winner", "score", "duration_us", "seats"):
            _compare(number, name, getattr(ending, name), getattr(expected, name))

    def _check_order(self, line: Line) -> None:
        """Whether the play's place in the order follows from its stamps and from what the server knew of the link."""
        if "order" not in line.extras:
            return
        try:
            verdict = msgspec.convert(line.extras["order"], Verdict)
            reveal_ns = msgspec.convert(line.extras.get("reveal_ns"), int)
        except msgspec.ValidationError as error:
            raise RecordError(line.number, f"damaged: {error}") from None
        request, wrong = line.request, recompute(verdict, self._fair)
        if wrong:
            raise RecordError(line.number, f"the {wrong[0]} does not follow from the stamps and bounds beside it")
        _compare(line.number, "the seat in the order", verdict.seat, getattr(request, "seat", None))
        if line.verdict not in NOT_JUDGED:
            at_us = max(0, (verdict.at_ns - reveal_ns) // 1_000)
            _compare(line.number, "the effective time", request.at, at_us)

    def _lost_race(self, request: Request, refusal: Refusal) -> tuple[Event, ...]:
        if refusal.word != "beaten" or not isinstance(request, Play):
            return ()
        beaten = self._tally.lost(request.seat, refusal, request.at)
        return () if beaten is None else (beaten,)


def _stream(heading: Heading) -> CodeStream | SecretStream:
    cards = heading.cards
    if isinstance(cards, NumberedCards):
        _check_code(cards, heading)
        return CodeStream(cards.number)
    seed = bytes.fromhex(cards.seed)
    _compare(1, "the commitment, which is the SHA-256 of the seed,", cards.commitment, hashlib.sha256(seed).hexdigest())
    return SecretStream(seed)


def _check_code(cards: NumberedCards, heading: Heading) -> None:
    if not cards.code:
        return
    try:
        code = parse_code(cards.code)
    except CodeError as error:
        raise RecordError(1, str(error)) from None
    _compare(1, "the deal's number", cards.number, code.number)
    if code.rules != heading.rules:
        raise RecordError(1, f"the game code {cards.code} is of other rules")


def _compare(number: int, what: str, recorded: Any, found: Any) -> None:
    """One thing that a record says against what comes of its requests."""
    if recorded != found:
        raise RecordError(number, f"{what} is recorded as {_short(recorded)}, but comes out as {_short(found)}")


def _short(what: Any) -> str:
    text = msgspec.json.encode(what).decode("utf-8", "replace") if not isinstance(what, str) else what
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
