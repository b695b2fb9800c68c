"""Requests, events and refusals as plain objects that people can read, and requests back from them. Pure.

An object has its kind as `type` and every field under its name; times end in `_us`. A card is its rank and suit (`9S`,
`10H`), one of the second deck with the mark `/2` (`9S/2`), a joker `*1` to `*4`: a name stands for one card only, with
two decks too. The rank that a joker is `named` is the word for it. An empty place is null, and so is a seat, pile or
rank that is none.

The objects follow from the structs' own fields, so a new kind of event or request needs nothing here, unless it brings
a card under a new name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, get_args

import msgspec

from speed_common.cards import CARD_KINDS, DECK, FIRST_JOKER, HIDDEN, NO_CARD, NO_RANK, RANK_NAMES, RANKS, card_name
from speed_common.events import AUTO_PILE, Event, Refusal, Request
from speed_common.rules import Rules

CARD_FIELDS: Final = frozenset(
    {"card", "draw", "draws", "hand", "hands", "refill", "sides", "took", "tops"}
)  # fmt: skip
_TIMES: Final = {"at": "at_us", "due": "due_us", "late": "late_us", "until": "until_us"}
_NONE: Final = -1
"""`NO_CARD`, `NO_RANK`, `AUTO_PILE` and `NOBODY` alike: what null stands for."""

_WIDE: Final = 1 << 40
_MOST_PILE: Final = 3


def _name(card: int) -> str | None:
    if card == NO_CARD:
        return None
    return card_name(card) + ("/2" if DECK <= card < FIRST_JOKER else "")


_NAMES: Final = {card: _name(card) for card in range(HIDDEN, CARD_KINDS)}
_CARDS: Final = {name: card for card, name in _NAMES.items()}


def kind_of(struct: type) -> str:
    """The word for a kind of event or request: `FlipAsked` is `flip_asked`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", struct.__name__).lower()


_KINDS: Final = (*get_args(Event), *get_args(Request), Refusal)
_WORDS: Final[dict[type, str]] = {struct: kind_of(struct) for struct in _KINDS}
_REQUESTS: Final[dict[str, Any]] = {kind_of(struct): struct for struct in get_args(Request)}
_PLAIN_REFUSAL: Final = Refusal("illegal")


def event_words(event: Event) -> dict[str, Any]:
    """An event as an object."""
    return _fields(event, _FIELDS)


def request_words(request: Request) -> dict[str, Any]:
    """A request as an object, without its time."""
    return _fields(request, _REQUEST_FIELDS)


def reason_words(refusal: Refusal) -> dict[str, Any]:
    """What a refusal says beside its word; empty where that says it all."""
    return {
        word: wording(getattr(refusal, name))
        for name, word, wording in _FIELDS[Refusal]
        if name != "word" and getattr(refusal, name) != getattr(_PLAIN_REFUSAL, name)
    }


def parse_request(words: Mapping[str, Any], at: int, rules: Rules) -> Request:
    """The request that `request_words` made `words` of, asked at deal time `at` of a table with these rules.

    Raises `ValueError`, whose text says what is wrong, for whatever is no request.
    """
    kind = _REQUESTS.get(words.get("type", ""))
    if kind is None:
        raise ValueError(f"{_short(words.get('type'))} is no kind of request")
    bounds = {
        "seat": (0, rules.players - 1),
        "slot": (0, rules.hand_size - 1),
        "pile": (AUTO_PILE, _MOST_PILE),
        "named": (NO_RANK, RANKS - 1),
    }
    values: dict[str, Any] = {"at": at}
    for name, word in words.items():
        if name == "type":
            continue
        if name not in kind.__struct_fields__ or name == "at":
            raise ValueError(f"a {words['type']} has no {_short(name)}")
        values[name] = _value(name, word, *bounds.get(name, (-_WIDE, _WIDE)))
    try:
        request: Request = msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"the {words['type']} is not whole: {error}") from None
    return request


def _card_words(cards: Any) -> Any:
    return _NAMES[cards] if isinstance(cards, int) else [_card_words(each) for each in cards]


def _time_word(time: int) -> int:
    return time


def _rank_word(rank: int) -> str | None:
    return None if rank == _NONE else RANK_NAMES[rank]


def _plain_word(value: Any) -> Any:
    return None if value == _NONE else value


def _wording(name: str) -> Callable[[Any], Any]:
    """How the values of a field of this name are written."""
    if name in CARD_FIELDS:
        return _card_words
    if name in _TIMES:
        return _time_word
    return _rank_word if name == "named" else _plain_word


# Worked out once: a server writes a request and its events for every play.
_Fields: TypeAlias = dict[type, tuple[tuple[str, str, Callable[[Any], Any]], ...]]
_FIELDS: Final[_Fields] = {
    struct: tuple((name, _TIMES.get(name, name), _wording(name)) for name in struct.__struct_fields__)
    for struct in _KINDS
}
_REQUEST_FIELDS: Final[_Fields] = {
    struct: tuple(field for field in fields if field[0] != "at") for struct, fields in _FIELDS.items()
}


def _fields(struct: Event | Request, fields: _Fields) -> dict[str, Any]:
    kind = type(struct)
    words = {"type": _WORDS[kind]}
    for name, word, wording in fields[kind]:
        words[word] = wording(getattr(struct, name))
    return words


def _value(name: str, word: Any, least: int, most: int) -> int:
    if name in CARD_FIELDS:
        if (word is None or isinstance(word, str)) and word in _CARDS:
            return _CARDS[word]
        raise ValueError(f"{_short(word)} is no card")
    if name == "named" and isinstance(word, str) and word in RANK_NAMES:
        return RANK_NAMES.index(word)
    value = _NONE if word is None else word
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{_short(word)} is no {name} here: {least} to {most} may be")
    return value


def _short(what: object) -> str:
    text = what if isinstance(what, str) else str(type(what).__name__) if isinstance(what, list | dict) else str(what)
    return repr(text[:40])
