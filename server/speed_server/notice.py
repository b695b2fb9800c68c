"""What a table says of itself, the same to everybody: the room without the cards, the lobby's line, the game code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from speed_common import wire
from speed_common.codes import MOST_CHARACTERS, PEOPLE, format_code
from speed_common.deck import CodeStream, SecretStream
from speed_common.rule_words import describe
from speed_common.rules import Rules
from speed_server.seats import Seats

if TYPE_CHECKING:
    from speed_server.room import Room

MOST_WORDS: Final = 80
"""Characters of a table's rules in the lobby's list: with the most tables and names it still fits one message."""

_PERSON_AND_COMPUTERS: Final = 2


def room_message(room: Room) -> wire.Room:
    """The table's life as a message."""
    match = room.match
    seats = tuple(
        wire.SeatInfo(seat.name, seat.level, seat.ready, seat.connected, match.wins[number], match.points[number])
        for number, seat in enumerate(room.seats)
    )
    stream = room.deal.stream if room.deal is not None else None
    return wire.Room(
        room.number,
        room.phase,
        seats,
        room.rules,
        room.deals,
        room.clock.reveal_at_ns,
        stream.commitment() if isinstance(stream, SecretStream) else b"",
        room.seats.away_until_ns,
        room.result,
        game_code(room),
        room.resume_at_ns,
        room.fixture,
    )


def lobby_line(room: Room) -> wire.TableLine:
    """The table's line in the lobby."""
    names = tuple(seat.name for seat in room.seats)
    left = tuple(map(room.deal.table.cards_left, range(len(names)))) if room.deal is not None else ()
    return wire.TableLine(room.number, room.phase, names, left, room.words)


def rules_in_short(rules: Rules) -> str:
    """The rules in words, cut between two of them where they are too many."""
    words = describe(rules)
    return words if len(words) <= MOST_WORDS else words[: MOST_WORDS - 3].rsplit(" ", 1)[0] + " .."


def game_code(room: Room) -> str:
    """The game code of the deal on the table, else of the next; empty where deals are secret or fit no code."""
    number, level = room.decks.next_number, code_level(room.seats)
    if room.deal is not None:
        level = room.dealt_level
        number = room.deal.stream.number if isinstance(room.deal.stream, CodeStream) else None
    if number is None:
        return ""
    code = format_code(level, room.rules, number)
    return code if len(code) <= MOST_CHARACTERS else ""


def code_level(seats: Seats) -> int:
    """What a game code says of who sits there: the speed of the computers that play one person, else `PEOPLE`."""
    levels = {seat.level for seat in seats}
    return max(levels) if seats.people == 1 and len(levels) == _PERSON_AND_COMPUTERS else PEOPLE
