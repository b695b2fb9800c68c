"""What JSON mode writes: the plain objects for a table, an event, and each thing learned. Pure.

Their words are stable. Cards are named as `9S`; a card that may not be seen is `??`, an empty place is null.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec

from speed_client.mirror import Mirror
from speed_client.news import (
    Answered,
    CallCame,
    Denied,
    Ended,
    EveningChanged,
    Happened,
    LinkChanged,
    LobbyChanged,
    MineChanged,
    News,
    PlayRefused,
    Practised,
    RoomChanged,
    Welcomed,
)
from speed_common.cards import NO_CARD, NO_RANK, RANK_NAMES, Card, card_name
from speed_common.events import NOBODY, Beaten, Event
from speed_common.table import NEVER_US
from speed_common.wire import Board, Reactions, TableLine
from speed_common.wire import Room as WireRoom

PHASES: Final = ("waiting", "countdown", "playing", "over")
TABLE_PHASES: Final = ("dealt", "playing", "stuck", "over", "calling")

_CARD_FIELDS: Final = frozenset({"card", "refill", "hand", "hands", "tops", "sides", "draw", "draws"})
_UNITS: Final = {"due": "due_us", "late": "late_us", "until": "until_us"}
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def state_of(mirror: Mirror) -> dict[str, Any] | None:
    """The cards as this viewer may see them, None before they are laid. All but `hand` is the same for every viewer."""
    table = mirror.table
    if table is None:
        return None
    state: dict[str, Any] = {
        "revision": mirror.revision,
        "phase": TABLE_PHASES[table.phase],
        "tops": [_card(card) for card in table.tops],
        "left": [table.cards_left(seat) for seat in range(table.rules.players)],
        "in_hand": [table.hand_count(seat) for seat in range(table.rules.players)],
        "draw": [len(draw) for draw in table.draws],
        "side": [len(side) for side in table.sides],
        "under": [len(under) for under in table.under],
        "winner": table.winner if table.winner >= 0 else None,
        "due_us": table.due,
        "gone": list(table.gone),
    }
    rules = table.rules
    if rules.declared:
        state["named"] = [RANK_NAMES[rank] if rank != NO_RANK else None for rank in table.named]
    if rules.flip_trigger == "all_ready":
        state["asked"] = list(table.asked)
    if rules.call_speed:
        state["emptied"] = table.emptied if table.emptied >= 0 else None
        state["frozen_until_us"] = [until if until != NEVER_US else None for until in table.frozen]
    if mirror.seat >= 0:
        state["hand"] = [_card(card) for card in table.hands[mirror.seat]]
    return state


def event_object(event: Event) -> dict[str, Any]:
    """An event's fields under their names, its kind as `type`, its deal time as `at_us`."""
    fields = {"type": _CAPITAL.sub("_", type(event).__name__).lower(), "at_us": event.at}
    for name in event.__struct_fields__[1:]:
        value = getattr(event, name)
        fields[_UNITS.get(name, name)] = _cards(value) if name in _CARD_FIELDS else value
    named = fields.pop("named", -1)
    if isinstance(named, int) and named >= 0:
        fields["named"] = RANK_NAMES[named]
    if fields.get("by") == NOBODY:
        fields["by"] = None
    return fields


def news_object(item: News, mirror: Mirror | None) -> dict[str, Any]:
    """One thing learned. `mirror` is the table that it was learned of, if of one."""
    if isinstance(item, Happened):
        state = state_of(mirror) if mirror is not None else None
        race = _race(item.race) if isinstance(item.event, Beaten) else {}
        return {**event_object(item.event), **race, "at_ns": item.at_ns, "table": item.table, "state": state}
    if isinstance(item, RoomChanged):
        seat = item.seat if item.seat >= 0 else None
        state = state_of(mirror) if mirror is not None else None
        return {"type": "room", "table": item.table, "you": seat, **_room(item.room), "state": state}
    if isinstance(item, PlayRefused):
        return _refused(item)
    if isinstance(item, LobbyChanged):
        tournaments = [_fields(line) for line in item.tournaments]
        return {"type": "lobby", "tables": [_lobby_line(line) for line in item.tables], "tournaments": tournaments}
    if isinstance(item, LinkChanged):
        return {"type": "link", "link": item.link}
    if isinstance(item, Welcomed):
        return {"type": "welcome", "name": item.name, "server": item.server_id, "resumed": item.resumed}
    if isinstance(item, Denied):
        return {"type": "denied", "word": item.word, **({"text": item.text} if item.text else {})}
    if isinstance(item, Practised):
        best = item.best_us or None
        opened = item.opened or None
        return {
            "type": "practice",
            "level": item.level,
            "won": item.won,
            "opened": opened,
            "best_us": best,
            "record": item.record,
        }
    if isinstance(item, EveningChanged | MineChanged | CallCame | Answered):
        return _tournament(item)
    assert isinstance(item, Ended), "the last kind of news"
    return {"type": "end", "word": item.word, "text": item.text}


def _tournament(item: EveningChanged | MineChanged | CallCame | Answered) -> dict[str, Any]:
    """What is said of a tournament, its fields under the names that they have on the wire; -1 and 0 as there."""
    if isinstance(item, Answered):
        return {"type": "directed", **_deep(item.directed)}
    if isinstance(item, CallCame):
        return {"type": "called", **_deep(item.called)}
    if isinstance(item, MineChanged):
        return {"type": "mine", **_deep(item.mine)}
    return {"type": "board" if isinstance(item.message, Board) else "board_page", **_deep(item.message)}


def _deep(value: Any) -> Any:
    """A struct as an object, whatever is in it as well."""
    if isinstance(value, msgspec.Struct):
        return {name: _deep(getattr(value, name)) for name in value.__struct_fields__}
    return [_deep(item) for item in value] if isinstance(value, tuple) else value


def line_of(fields: dict[str, Any], server_now: int | None) -> str:
    """An object as a line, with the server's clock."""
    return json.dumps({**fields, "now_ns": server_now}, ensure_ascii=False, separators=(",", ":"))


def _card(card: Card) -> str | None:
    return None if card == NO_CARD else card_name(card)


def _cards(value: Any) -> Any:
    return [_cards(item) for item in value] if isinstance(value, tuple) else _card(value)


def _room(room: WireRoom) -> dict[str, Any]:
    result = None
    if room.result is not None:
        result = _fields(room.result)
        result["winner"] = room.result.winner if room.result.winner >= 0 else None
        result["seed"] = room.result.seed.hex()
        result["fair"] = [_fields(seat) for seat in room.result.fair]
        result["seats"] = [_fields(seat) for seat in room.result.seats]
    return {
        "phase": PHASES[room.phase],
        "deal": room.deal,
        "seats": [_fields(seat) for seat in room.seats],
        "rules": _fields(room.rules),
        "reveal_at_ns": room.reveal_at_ns or None,
        "paused_until_ns": room.paused_until_ns or None,
        "resume_at_ns": room.resume_at_ns or None,
        "code": room.code or None,
        "match": _fields(room.match) if room.match is not None else None,
        "commitment": room.commitment.hex(),
        "result": result,
    }


def _fields(value: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


def _refused(item: PlayRefused) -> dict[str, Any]:
    refused = item.refused
    fields: dict[str, Any] = {"type": "refused", "word": refused.word, "slot": item.slot, "card": _card(item.card)}
    if item.asked != "play":
        fields["asked"] = item.asked
    if refused.text:
        fields["text"] = refused.text
    if refused.word in {"beaten", "late_link"}:
        fields |= {"late_us": refused.late_us, "by": refused.by, "pile": refused.pile, "took": _card(refused.took)}
        fields |= {"own_reaction_us": refused.own_us, "by_reaction_us": refused.by_us, "close": refused.close}
    return fields


def _race(race: Reactions | None) -> dict[str, Any]:
    own_us, by_us, close = race or (None, None, None)
    return {"own_reaction_us": own_us, "by_reaction_us": by_us, "close": close}


def _lobby_line(line: TableLine) -> dict[str, Any]:
    return {
        "table": line.number,
        "phase": PHASES[line.phase],
        "names": list(line.names),
        "left": list(line.left),
        "rules": line.rules,
    }
