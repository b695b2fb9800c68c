"""JSON mode: everything that a session learns, one object a line, and what to do, one object a line. Pure.

The interface for people who write their own player; README documents each line, and its words are stable. Cards are
named as `9S`; a card that may not be seen is `??`, an empty place is null. Slots, seats and piles count from 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from speed_client.mirror import Mirror
from speed_client.news import (
    Denied,
    Ended,
    Happened,
    LinkChanged,
    LobbyChanged,
    News,
    PlayRefused,
    RoomChanged,
    Welcomed,
)
from speed_client.session import Session
from speed_client.watching import Watching
from speed_common.cards import NO_CARD, RANK_NAMES, Card, card_name
from speed_common.events import AUTO_PILE, Event
from speed_common.wire import Room as WireRoom
from speed_common.wire import TableLine

PHASES: Final = ("waiting", "countdown", "playing", "over")
TABLE_PHASES: Final = ("dealt", "playing", "stuck", "over")
MOST_SLOTS: Final = 10
MOST_PILES: Final = 4

_CARD_FIELDS: Final = frozenset({"card", "refill", "hands", "tops", "sides", "draws"})
_ASKS: Final = ("ready", "rematch", "leave", "draw")


class CommandError(ValueError):
    """A line that asks for nothing; the text says what is wrong with it."""


def parse_command(line: str) -> tuple[str, int, int]:
    """What a line asks: (`play`, slot, pile) or (another word, 0, 0). `AUTO_PILE` stands for no pile.

    Raises `CommandError`.
    """
    try:
        command = json.loads(line)
    except (ValueError, RecursionError):
        raise CommandError("not a JSON object on one line") from None
    if not isinstance(command, dict):
        raise CommandError("not a JSON object on one line")
    known = [word for word in ("play", *_ASKS) if word in command]
    unknown = sorted(set(command) - {"play", "pile", *_ASKS})
    if unknown:
        raise CommandError(f"unknown key {unknown[0][:20]!r}")
    if len(known) != 1:
        raise CommandError("one of play, ready, rematch, leave, draw is needed")
    word = known[0]
    if word != "play":
        if command[word] is not True or "pile" in command:
            raise CommandError(f'write {{"{word}": true}}')
        return word, 0, 0
    slot, pile = command["play"], command.get("pile")
    if type(slot) is not int or not 0 <= slot < MOST_SLOTS:
        raise CommandError("play takes a slot, 0 for the leftmost card")
    if pile is None:
        return "play", slot, AUTO_PILE
    if type(pile) is not int or not 0 <= pile < MOST_PILES:
        raise CommandError("pile is null, 0 (left) or 1 (right)")
    return "play", slot, pile


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
    }
    if mirror.seat >= 0:
        state["hand"] = [_card(card) for card in table.hands[mirror.seat]]
    return state


def event_object(event: Event) -> dict[str, Any]:
    """An event's fields under their names, its kind as `type`, its deal time as `at_us`."""
    fields = {"type": type(event).__name__.lower(), "at_us": event.at}
    for name in event.__struct_fields__[1:]:
        value = getattr(event, name)
        fields["due_us" if name == "due" else "late_us" if name == "late" else name] = (
            _cards(value) if name in _CARD_FIELDS else value
        )
    named = fields.pop("named", -1)
    if isinstance(named, int) and named >= 0:
        fields["named"] = RANK_NAMES[named]
    return fields


class _Writer:
    """What a player's and a spectator's lines have in common."""

    def _line(self, fields: dict[str, Any], server_now: int | None) -> str:
        return json.dumps({**fields, "now_ns": server_now}, ensure_ascii=False, separators=(",", ":"))

    def _item(self, item: News, mirror: Mirror | None) -> dict[str, Any]:
        """The object for one thing learned."""
        if isinstance(item, Happened):
            state = state_of(mirror) if mirror is not None else None
            return {**event_object(item.event), "at_ns": item.at_ns, "table": item.table, "state": state}
        if isinstance(item, RoomChanged):
            seat = item.seat if item.seat >= 0 else None
            state = state_of(mirror) if mirror is not None else None
            return {"type": "room", "table": item.table, "you": seat, **_room(item.room), "state": state}
        if isinstance(item, PlayRefused):
            return _refused(item)
        if isinstance(item, LobbyChanged):
            return {"type": "lobby", "tables": [_lobby_line(line) for line in item.tables]}
        if isinstance(item, LinkChanged):
            return {"type": "link", "link": item.link}
        if isinstance(item, Welcomed):
            return {"type": "welcome", "name": item.name, "server": item.server_id, "resumed": item.resumed}
        if isinstance(item, Denied):
            return {"type": "denied", "word": item.word}
        assert isinstance(item, Ended), "the last kind of news"
        return {"type": "end", "word": item.word, "text": item.text}


class JsonPlayer(_Writer):
    """A player's JSON mode over a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._leave_when_over = False

    @property
    def listening(self) -> bool:
        """Commands wait until there is a seat, so that a script need not."""
        return self.session.mirror.room is not None or self.session.ended is not None

    def changed(self, now: int) -> Iterator[str]:
        """A line for each thing learned."""
        session = self.session
        news, session.news = session.news, []
        for item in news:
            yield self._line(self._item(item, session.mirror), session.server_now(now))
            if isinstance(item, RoomChanged):
                self._leave_if_done(now)

    def command(self, line: str, press: int, now: int) -> Iterator[str]:
        """Obey a line; one `error` line when it cannot be obeyed."""
        session = self.session
        if not line.strip():
            return
        try:
            word, slot, pile = parse_command(line)
        except CommandError as error:
            yield self._line({"type": "error", "error": str(error)}, session.server_now(now))
            return
        why: str | None = None
        if word == "play":
            why = session.why_not(slot)
            if why is None:
                session.play(slot, pile, now, press)
        elif word == "leave":
            session.leave(now)
        elif not (session.draw(now, press) if word == "draw" else session.ready(now)):
            why = "no_link"
        if why is not None:
            refused = (
                {"type": "error", "error": why, "slot": slot} if word == "play" else {"type": "error", "error": why}
            )
            yield self._line(refused, session.server_now(now))

    def closed(self, now: int) -> Iterator[str]:
        """Input is closed: stay for the deal that was asked for, then leave."""
        self._leave_when_over = True
        self._leave_if_done(now)
        yield from ()

    def _leave_if_done(self, now: int) -> None:
        if self._leave_when_over and self.session.idle:
            self.session.leave(now)


class JsonWatcher(_Writer):
    """A spectator's JSON mode."""

    listening = True

    def __init__(self, watching: Watching) -> None:
        self.watching = watching

    def changed(self, now: int) -> Iterator[str]:
        """A line for each thing learned."""
        watching = self.watching
        news, watching.news = watching.news, []
        tables = watching.tables
        for item in news:
            number = item.table if isinstance(item, Happened | RoomChanged) else 0
            yield self._line(self._item(item, tables.get(number)), watching.server_now(now))

    def command(self, line: str, press: int, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """Obey a line: only `leave` is there for a spectator."""
        if not line.strip():
            return
        try:
            word, _, _ = parse_command(line)
        except CommandError as error:
            yield self._line({"type": "error", "error": str(error)}, self.watching.server_now(now))
            return
        if word == "leave":
            self.watching.stop("left", "you stopped watching")
        else:
            yield self._line({"type": "error", "error": "not_seated"}, self.watching.server_now(now))

    def closed(self, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """A spectator needs no input to go on."""
        yield from ()


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
        result["seats"] = [_fields(seat) for seat in room.result.seats]
    return {
        "phase": PHASES[room.phase],
        "deal": room.deal,
        "seats": [_fields(seat) for seat in room.seats],
        "rules": _fields(room.rules),
        "reveal_at_ns": room.reveal_at_ns or None,
        "paused_until_ns": room.paused_until_ns or None,
        "commitment": room.commitment.hex(),
        "result": result,
    }


def _fields(value: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


def _refused(item: PlayRefused) -> dict[str, Any]:
    refused = item.refused
    fields: dict[str, Any] = {"type": "refused", "word": refused.word, "slot": item.slot, "card": _card(item.card)}
    if refused.word in {"beaten", "late_link"}:
        fields |= {"late_us": refused.late_us, "by": refused.by, "pile": refused.pile, "took": _card(refused.took)}
    return fields


def _lobby_line(line: TableLine) -> dict[str, Any]:
    return {"table": line.number, "phase": PHASES[line.phase], "names": list(line.names), "left": list(line.left)}
