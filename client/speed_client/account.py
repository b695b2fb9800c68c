"""A deal's record in plain lines, and as objects: what `speed-replay` prints. Pure.

The record may be anybody's, and not yet verified: its events are looked at as objects, of which nothing is expected,
and every word of them is made safe for a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from wcwidth import wcswidth

from speed_client.printable import printable
from speed_client.wording import MICROSECONDS, cards_word, others_left, pile_word
from speed_common.record import ACCEPTED, Heading, SecretCards
from speed_common.record_read import Line, Record
from speed_common.record_words import request_words
from speed_common.rule_words import describe

_SENTENCES: Final = {
    "revealed": "the cards turn: {tops}; hands {hands}",
    "played": "{card} to the {pile} pile, draws {refill}",
    "drew": "draws {card}",
    "stuck": "stuck: something is done at {due_us}",
    "waiting": "nobody can play: hands are filled at {due_us}",
    "freed": "somebody can play again",
    "flipped": "flip: {tops}",
    "reshuffled": "reshuffle: side piles {sides}",
    "tucked": "tuck: hands {hands}",
    "lifted": "lifts the card of slot {slot}",
    "dropped": "puts the card of slot {slot} back",
    "beaten": "beaten to the {pile} pile by {by}, {late_us} late",
    "emptied": "has no cards left and must call by {due_us}",
    "frozen": "called with cards left: frozen until {until_us}",
    "took": "takes the {pile} pile: hand {hand}, draw pile {draw}",
    "flip_asked": "asks for the flip",
    "left": "has left: side piles {sides}",
    "won": "wins",
    "voided": "the deal is void",
}
_REASONS: Final = {
    "beaten": "beaten by {late_us}: {by} played {took} first",
    "late_link": "late over the link, where {by} had played {took}",
}


def account(record: Record) -> Iterator[str]:
    """The record in lines: who played what, an event a line, the result."""
    heading = record.heading
    yield f"deal {heading.deal} at table {heading.table}, {_safe(heading.started) or 'undated'}, by {_program(heading)}"
    yield f"rules: {describe(heading.rules)}; order: {heading.fair.mode}"
    yield f"cards: {_cards(heading)}"
    yield f"players: {', '.join(map(_player, heading.players))}"
    names = [_safe(player.name) for player in heading.players]
    width = max(map(_cells, names))
    for line in record.lines:
        for seat, text in _told(line, names, heading.rules.piles):
            who = names[seat] if seat is not None else ""
            yield f"{line.request.at / MICROSECONDS:9.3f}  {who}{' ' * (width - _cells(who))}  {text}"
    yield f"result: {result_words(record)}"
    if record.ending.left_out:
        yield f"{record.ending.left_out} refused requests were too many to be kept"


def objects(record: Record) -> Iterator[dict[str, Any]]:
    """The record as objects: the heading, one for each event or refusal, the result."""
    names = [player.name for player in record.heading.players]
    yield {"type": "deal", **_builtins(record.heading)}
    for line in record.lines:
        place = {"line": line.number, "at_us": line.request.at}
        if line.verdict != ACCEPTED:
            request = request_words(line.request)
            yield {"type": "refused", **place, "request": request, "word": line.verdict, **line.reason}
        for event in line.events:
            seat = _index(event.get("seat"), len(names))
            name = {} if seat is None else {"name": names[seat]}
            yield {"type": "event", **event, **name, **place}
    yield {"type": "result", **_builtins(record.ending)}


def result_words(record: Record) -> str:
    """How the deal ended: `anna won by 6`."""
    ending, players = record.ending, record.heading.players
    if ending.end == "unfinished":
        return "broken off"
    winner = _index(ending.winner, len(players))
    if winner is None:
        return "void, nobody won"
    why = f" ({others_left(len(players))})" if ending.end == "forfeit" else ""
    return f"{_safe(players[winner].name)} won by {ending.score}{why}"


def _told(line: Line, names: Sequence[str], piles: int) -> Iterator[tuple[int | None, str]]:
    """Who, if anybody, and what: the refusal and the events of one request."""
    if line.verdict != ACCEPTED:
        request = request_words(line.request)
        asked = f"{request['type']} of {request['card']}" if "card" in request else request["type"]
        reason = _REASONS.get(line.verdict, line.verdict).format_map(_Values(line.reason, names, piles))
        yield _index(request.get("seat"), len(names)), f"{asked} refused: {_safe(reason)}"
    for event in line.events:
        kind = str(event.get("type"))
        if kind == "beaten" and line.verdict == kind:
            continue
        sentence = _SENTENCES.get(kind)
        text = sentence.format_map(_Values(event, names, piles)) if sentence else _unknown(event)
        text = text.removesuffix(", draws --")
        if event.get("named") is not None:
            text += f", as {event['named']}"
        if kind == "won" and isinstance(event.get("score"), int):
            text += f" by {cards_word(event['score'])}"
        yield _index(event.get("seat"), len(names)), _safe(text)


class _Values(dict[str, str]):
    """The fields of an object as words; a field that is not there is a question mark."""

    def __init__(self, fields: Mapping[str, Any], names: Sequence[str], piles: int) -> None:
        super().__init__({name: _value(name, value, names, piles) for name, value in fields.items()})

    def __missing__(self, name: str) -> str:
        return "?"


def _value(name: str, value: Any, names: Sequence[str], piles: int) -> str:
    if name.endswith("_us") and isinstance(value, int):
        return f"{value / MICROSECONDS:.3f} s"
    if name in {"seat", "by"}:
        seat = _index(value, len(names))
        return "nobody" if seat is None else names[seat]
    if name == "pile" and isinstance(value, int):
        return pile_word(value, piles)
    if isinstance(value, list):
        nested = any(isinstance(each, list) for each in value)
        return (" / " if nested else " ").join(_value("", each, names, piles) for each in value) or "none"
    return "--" if value is None else str(value)


def _unknown(event: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in event.items())


def _index(value: Any, count: int) -> int | None:
    return value if isinstance(value, int) and 0 <= value < count else None


def _program(heading: Heading) -> str:
    return _safe(heading.program)


def _cards(heading: Heading) -> str:
    cards = heading.cards
    if isinstance(cards, SecretCards):
        return f"secret seed {cards.seed}, announced as {cards.commitment}"
    return f"deal number {cards.number}" + (f", game code {_safe(cards.code)}" if cards.code else "")


def _player(player: Any) -> str:
    return _safe(player.name) + (f" (computer of speed {player.level})" if player.level else "")


def _builtins(struct: msgspec.Struct) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(struct)
    return plain


def _safe(text: str) -> str:
    return printable(text, 1_000)


def _cells(text: str) -> int:
    return max(0, wcswidth(text))
