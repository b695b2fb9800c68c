"""A record read back: whole, undamaged, of a format that this program knows; or `RecordError` with the line.

Whatever bytes come, no other exception leaves this module, and what comes of them has its bounds: the file's length,
its lines, and every field that the table will be asked about. Whether the record is *right* is for `verify` to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from speed_common.events import Request
from speed_common.presets import RulesError, check
from speed_common.record import (
    FORMAT,
    HASH_DIGITS,
    MAX_BYTES,
    MAX_LINE_BYTES,
    MAX_LINES,
    Count,
    End,
    Heading,
    Microseconds,
    Word,
    link,
)
from speed_common.record_words import parse_request

_LINE: Final = re.compile(rb'(.*),"hash":"([0-9a-f]{%d})"\}' % HASH_DIGITS, re.DOTALL)
_OWN_KEYS: Final = frozenset({"at_us", "request", "verdict", "reason", "events"})

# Nothing deep and nothing huge: who prints an object that a stranger wrote must not stumble over it.
_Plain: TypeAlias = bool | Microseconds | Annotated[str, Meta(max_length=300)] | None
_Words: TypeAlias = dict[str, _Plain | list[_Plain | list[_Plain]]]

_MOST_FORMAT: Final = 1_000_000

_T = TypeVar("_T")


class RecordError(ValueError):
    """A record that is damaged, of another format, or not what comes of its own requests.

    `line` counts from 1 and is 0 where the fault is of no line; the text is a plain sentence that begins with it.
    """

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}" if line else text)
        self.line = line


class Line(NamedTuple):
    """One request as it was recorded. `events` and `reason` are objects as `record_words` makes them."""

    number: int
    request: Request
    verdict: str
    reason: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]]
    extras: Mapping[str, Any]


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """The last line."""

    end: End
    requests: Count
    left_out: Count = 0
    winner: Annotated[int, Meta(ge=0, le=3)] | None = None
    score: Count = 0
    duration_us: Microseconds = 0
    seats: Annotated[tuple[dict[str, _Plain], ...], Meta(max_length=4)] = ()


class Record(NamedTuple):
    """A whole record."""

    heading: Heading
    lines: Sequence[Line]
    ending: Ending


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    at_us: Microseconds
    request: dict[str, _Plain]
    verdict: Word
    reason: dict[str, _Plain] = {}
    events: Annotated[tuple[_Words, ...], Meta(max_length=256)] = ()


def read(data: bytes) -> Record:
    """The record in a file's bytes. Raises `RecordError` for anything else."""
    objects = _unchained(_lines(data))
    heading = _heading(objects[0])
    lines = [_line(number, words, heading) for number, words in enumerate(objects[1:-1], 2)]
    ending = _convert(len(objects), objects[-1], Ending)
    if ending.requests != len(lines):
        raise RecordError(len(objects), f"it counts {ending.requests} requests, {len(lines)} are there")
    return Record(heading, lines, ending)


def _lines(data: bytes) -> list[bytes]:
    if not data:
        raise RecordError(0, "the record is empty")
    if len(data) > MAX_BYTES:
        raise RecordError(0, f"this is no record: it has more than {MAX_BYTES} bytes")
    lines = data.split(b"\n", MAX_LINES)
    rest = lines.pop()
    if len(lines) == MAX_LINES and rest:
        raise RecordError(0, f"this is no record: it has more than {MAX_LINES} lines")
    if rest:
        lines.append(rest)
    _check_format(lines[0])
    if rest:
        raise RecordError(len(lines), "damaged: the line is cut off")
    return lines


def _check_format(line: bytes) -> None:
    """A newer program may write lines that make no sense here, so its number is looked at before all else."""
    try:
        words = msgspec.json.decode(line[:MAX_LINE_BYTES])
    except (msgspec.DecodeError, ValueError, RecursionError):
        return
    number = words.get("format") if isinstance(words, dict) else None
    if isinstance(number, int) and FORMAT < number <= _MOST_FORMAT:
        raise RecordError(1, f"written by a newer program (format {number}; this one knows up to {FORMAT})")


def _unchained(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """The lines' objects without their hashes, once these are found right."""
    objects, chain = [], ""
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE_BYTES:
            raise RecordError(number, f"damaged: the line has more than {MAX_LINE_BYTES} bytes")
        found = _LINE.fullmatch(line)
        if found is None:
            raise RecordError(number, "damaged: it does not end in its hash, so this is no whole line of a record")
        text = found[1] + b"}"
        chain = link(chain, text)
        if chain.encode("ascii") != found[2]:
            raise RecordError(number, "damaged: its hash is another, so it was changed, or a line before it is gone")
        objects.append(_object(number, text))
    if len(objects) == 1 or "end" not in objects[-1]:
        raise RecordError(len(lines), "the record is cut off after this line: the result is missing")
    return objects


def _object(number: int, text: bytes) -> dict[str, Any]:
    try:
        words = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RecordError(number, f"damaged: no JSON ({error})") from None
    if not isinstance(words, dict):
        raise RecordError(number, "damaged: no JSON object")
    return words


def _heading(words: dict[str, Any]) -> Heading:
    heading = _convert(1, words, Heading)
    try:
        check(heading.rules)
    except RulesError as error:
        raise RecordError(1, f"the rules cannot be: {error}") from None
    if len(heading.players) != heading.rules.players:
        raise RecordError(1, f"{len(heading.players)} players sit at a table for {heading.rules.players}")
    return heading


def _line(number: int, words: dict[str, Any], heading: Heading) -> Line:
    asked = _convert(number, words, _Asked)
    try:
        request = parse_request(asked.request, asked.at_us, heading.rules)
    except ValueError as error:
        raise RecordError(number, str(error)) from None
    extras = {name: value for name, value in words.items() if name not in _OWN_KEYS}
    return Line(number, request, asked.verdict, asked.reason, asked.events, extras)


def _convert(number: int, words: dict[str, Any], kind: type[_T]) -> _T:
    try:
        return msgspec.convert(words, kind)
    except (msgspec.ValidationError, RecursionError, OverflowError) as error:
        raise RecordError(number, f"damaged: {error}") from None
