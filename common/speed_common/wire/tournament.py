"""Messages of a tournament between the server and one player, or a director who plays from a client.

What everybody may see is on the watch socket: see `board`.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from speed_common.wire.board import MatchNumber, PlayerNumber, Seconds, TournamentId
from speed_common.wire.bounds import (
    UNSAID,
    Message,
    Microseconds,
    Name,
    Nanoseconds,
    SmallCount,
    TableNumber,
    Text,
    Ticket,
    Word,
)

CommandId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
"""Chosen by the sender: a command sent again under the same one has no second effect."""


class Enter(Message, frozen=True, array_like=True, gc=False, tag=12):
    """I play in this tournament: enters who is not in it, checks in who is."""

    ticket: Ticket
    tid: TournamentId
    c_send: Nanoseconds = UNSAID


class Withdraw(Message, frozen=True, array_like=True, gc=False, tag=13):
    """I leave this tournament for good; a match that runs is lost."""

    ticket: Ticket
    tid: TournamentId
    c_send: Nanoseconds = UNSAID


class Heard(Message, frozen=True, array_like=True, gc=False, tag=14):
    """My screen shows the call to this match (see `Called`): its clock may start. `Ready` at the table answers it."""

    ticket: Ticket
    tid: TournamentId
    match: MatchNumber
    c_send: Nanoseconds = UNSAID


class Direct(Message, frozen=True, array_like=True, gc=False, tag=15):
    """A line of the director, who knows the secret. Answered by `Directed` under the same id."""

    ticket: Ticket
    secret: Annotated[str, Meta(max_length=64)]
    command: CommandId
    line: Annotated[str, Meta(max_length=500)]
    tid: Annotated[str, Meta(max_length=48)] = ""
    c_send: Nanoseconds = UNSAID


class TournamentLine(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One tournament in the lobby's list."""

    tid: TournamentId
    name: Text
    phase: Word
    players: SmallCount


class MatchInfo(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a tournament plays at a table. `score` is by seat; the match ends at `length` of `measure`."""

    tid: TournamentId
    match: MatchNumber
    title: Text
    score: tuple[SmallCount, SmallCount]
    length: SmallCount
    measure: Word


class Mine(Message, frozen=True, array_like=True, gc=False, tag=42):
    """How I stand in a tournament; sent when it changed. `player` 0: not in it.

    `match` is the own next or running match (0: none), `rival` its other player ("" while not decided), `wait_s` a
    guess of how long until it is called. `text` says in a sentence what comes next, or why one is out.
    """

    tid: TournamentId
    name: Text
    phase: Word
    player: PlayerNumber
    status: Word
    match: MatchNumber = 0
    rival: Name = ""
    table: TableNumber = 0
    wait_s: Seconds = -1
    text: Text = ""


class Called(Message, frozen=True, array_like=True, gc=False, tag=43):
    """Come to this table now. Sent again when the clock changed or the bell rings (`bells` counts).

    `left_us` is what is left of the clock, None while it stands. `here` and `rival_here`: who is ready.
    """

    tid: TournamentId
    match: MatchNumber
    title: Text
    table: TableNumber
    rival: Name
    left_us: Microseconds | None
    bells: SmallCount
    here: bool = False
    rival_here: bool = False


class Directed(Message, frozen=True, array_like=True, gc=False, tag=44):
    """The answer to a director's line: done and on disk, or why not and the remedy."""

    command: CommandId
    ok: bool
    lines: Annotated[tuple[Text, ...], Meta(max_length=200)]
