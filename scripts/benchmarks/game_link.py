"""The load's end of the real game: it speaks the game's own messages, and plays every deal as the score says.

Before the run it is a proper client, message by message. In the run it writes a play with one `struct.pack` and reads
of a delta only how far the table is, so that a play costs it far less than it costs the server. A play's integers have
fixed widths; msgpack reads them like any others.
"""

from __future__ import annotations

import struct
import time
from collections import deque
from collections.abc import Callable
from typing import Final

import msgpack

from benchmarks.crowd import Crowd
from benchmarks.links import NOBODY, SETUP_S, Link
from benchmarks.measure import NS_PER_S, BenchError
from benchmarks.score import Score, Step
from speed_common import wire
from speed_common.cards import NO_RANK

DELTA, SNAPSHOT, BEAT_BACK, WELCOME, LOBBY, PROBE = (
    kind.__struct_config__.tag
    for kind in (wire.Delta, wire.Snapshot, wire.BeatBack, wire.Welcome, wire.Lobby, wire.Probe)
)
SYNC_BEATS: Final = 8

_PLAY: Final = struct.Struct(">4s16sBIbbBIBQb")
_PLAY_HEAD, _U32, _U64 = b"\x98\x05\xc4\x10", 0xCE, 0xCF
_BEAT: Final = struct.Struct(">4s16sBQBQBQ")
_BEAT_HEAD = b"\x95\x07\xc4\x10"
_unpack: Final = msgpack.unpackb


def pack_play(ticket: bytes, seq: int, card: int, pile: int, revision: int, press: int) -> bytes:
    """The bytes of a `wire.PlayCard`."""
    return _PLAY.pack(_PLAY_HEAD, ticket, _U32, seq, card, pile, _U32, revision, _U64, press, NO_RANK)


def pack_beat(ticket: bytes, sent: int, s_sent: int, c_got: int) -> bytes:
    """The bytes of a `wire.Beat`."""
    return _BEAT.pack(_BEAT_HEAD, ticket, _U64, sent, _U64, s_sent, _U64, c_got)


class _Player:
    """One player: the ticket, and what the last heartbeat brought."""

    __slots__ = ("deals_asked", "heard_beat", "seated", "seq", "ticket")

    def __init__(self) -> None:
        self.ticket = b""
        self.seated = False
        self.seq = 0
        self.deals_asked = 0
        self.heard_beat = (0, 0)


class _Place:
    """One table: how far it is, and whom its next delta is awaited at."""

    __slots__ = ("awaited", "deals", "flying", "number", "revision", "server_number", "step", "target")

    def __init__(self, number: int) -> None:
        self.number = number
        self.server_number = 0
        self.awaited = NOBODY
        self.deals = 0
        self.step = 0
        self.revision = 0
        self.target = 0
        self.flying = 0


class GameLink(Link):
    """All players of all tables of a real server."""

    kind = "game"

    def __init__(self, tables: int, score: Score, port: int, key: bytes) -> None:
        """Connect, and seat everybody. `settle` starts the deals."""
        super().__init__(tables, score)
        self._crowd = Crowd(2 * tables, port, key)
        self.plays = 0
        self.other_bytes = 0
        """Payload of everything else that comes down: snapshots, answers to heartbeats."""
        self._events = score.revealed + sum(step.events for step in score.steps)
        self._players = [_Player() for _ in range(2 * tables)]
        self._places = [_Place(table) for table in range(tables)]
        self._beats: deque[tuple[int, int]] = deque()
        self._every_ns = 0
        self._period_ns = NS_PER_S
        self._seated = 0
        self._beats_heard = 0
        self._seat_all()

    # --- before the run -----------------------------------------------------------------------------------------------

    def start_beats(self, *, idle: bool = False) -> None:
        """From now on `tend` sends every player's heartbeats, evenly spread: as in a deal, or as at an idle table."""
        now, count = time.perf_counter_ns(), len(self._players)
        self._every_ns = self._period_ns * (wire.IDLE_BEAT_FACTOR if idle else 1)
        self._beats.clear()
        self._beats.extend((now + self._every_ns * player // count, player) for player in range(count))

    def settle(self) -> None:
        """Deal at every table (or go on) and wait until each can be played at."""
        if self._every_ns != self._period_ns:
            self.start_beats()
        for player, state in enumerate(self._players):
            if not state.deals_asked:
                self._ask_for_deal(player)
        super().settle()

    def _seat_all(self) -> None:
        for player in range(len(self._players)):
            hello = wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, "bench", f"p{player}")
            self._crowd.send(player, wire.encode(hello))
        self._until(lambda: self._seated == len(self._players), "are seated")
        for count in range(1, SYNC_BEATS + 2):
            self._beats_heard = 0
            for player in range(len(self._players)):
                self._beat(player)
            self._until(lambda: self._beats_heard == len(self._players), f"heard heartbeat {count}")

    def _until(self, done: Callable[[], bool], what: str) -> None:
        deadline = time.perf_counter_ns() + int(SETUP_S * NS_PER_S)
        while not done():
            if time.perf_counter_ns() > deadline:
                raise BenchError(f"not all of {len(self._players)} players {what} after {SETUP_S} s")
            if self.wait(0.05):
                self.receive()

    def _sit(self, player: int, table: int) -> None:
        self._crowd.send(player, wire.encode(wire.Sit(self._players[player].ticket, table)))

    def _ask_for_deal(self, player: int) -> None:
        place, state = self._places[player >> 1], self._players[player]
        state.deals_asked += 1
        if state.deals_asked > place.deals:
            place.deals = state.deals_asked
            place.step = 0
            place.revision = (place.deals - 1) * self._events
            place.target = place.revision + self.score.revealed
            place.awaited = player | 1
        self._crowd.send(player, wire.encode(wire.Ready(state.ticket)))

    # --- the run ------------------------------------------------------------------------------------------------------

    def play(self, table: int) -> int:
        """See `Link`."""
        place = self._places[table]
        step = self.score.steps[place.step]
        player = 2 * table + step.seat
        place.awaited = player ^ 1
        place.target = place.revision + step.events
        place.flying = 1
        sent = self._send_play(player, step, place)
        if self.both and step.together:
            step = self.score.steps[place.step]
            place.target += step.events
            place.flying = 2
            self._send_play(player ^ 1, step, place)
        return sent

    def _send_play(self, player: int, step: Step, place: _Place) -> int:
        state = self._players[player]
        state.seq += 1
        place.step += 1
        press = time.perf_counter_ns()
        data = pack_play(state.ticket, state.seq, step.card, step.pile, place.revision, press)
        sent = time.perf_counter_ns()
        self._crowd.send(player, data)
        return sent

    def wait(self, seconds: float) -> bool:
        """See `Link`."""
        return self._crowd.wait(seconds)

    def receive(self) -> None:
        """See `Link`."""
        self._crowd.receive(self.heard)

    def close(self) -> None:
        """See `Link`."""
        self._crowd.close()

    def heard(self, player: int, data: bytes) -> None:
        """See `Crowd.receive`."""
        kind = data[1]
        if kind != DELTA:
            self._heard_other(player, kind, data)
            return
        self.down_bytes += len(data)
        place = self._places[player >> 1]
        if place.awaited != player:
            return
        now = time.perf_counter_ns()
        _, revision, _, events, *_ = _unpack(data)
        done = revision + len(events) >= place.target
        if place.flying == 1 or (done and place.flying):
            self.plays += place.flying
            self.arrived += [(place.number, now)] * place.flying
            place.flying = 0
        if done:
            place.revision = place.target
            place.awaited = NOBODY
            if place.step < len(self.score.steps):
                self.free.append(place.number)

    def tend(self, now: int) -> None:
        """See `Link`: heartbeats, as often as the server's welcome asks."""
        beats = self._beats
        while beats and beats[0][0] <= now:
            due, player = beats.popleft()
            beats.append((due + self._every_ns, player))
            self._beat(player)

    def _beat(self, player: int) -> None:
        state = self._players[player]
        self._crowd.send(player, pack_beat(state.ticket, time.perf_counter_ns(), *state.heard_beat))

    def _heard_other(self, player: int, kind: int, data: bytes) -> None:
        self.other_bytes += len(data)
        state = self._players[player]
        if kind == BEAT_BACK:
            self._beats_heard += 1
            state.heard_beat = (_unpack(data)[3], time.perf_counter_ns())
        elif kind == SNAPSHOT:
            _, _, _, seat, room, *_ = _unpack(data)
            if not state.seated:
                self._sat_down(player, seat, room[0])
            elif room[1] == wire.OVER and state.deals_asked == room[4]:
                self._ask_for_deal(player)
        elif kind == WELCOME:
            welcome = wire.decode_down(data)
            assert isinstance(welcome, wire.Welcome)
            state.ticket = welcome.ticket
            self._period_ns = welcome.beat_us * 1_000
            place = self._places[player >> 1]
            if player % 2 == 0:
                self._sit(player, wire.NEW_TABLE)
            elif place.server_number:
                self._sit(player, place.server_number)
        elif kind == PROBE:
            s_sent, now = _unpack(data)[1], time.perf_counter_ns()
            self._crowd.send(player, wire.encode(wire.ProbeBack(state.ticket, now, s_sent, now)))
        elif kind != LOBBY:
            raise BenchError(f"the server answered {wire.decode_down(data)}")

    def _sat_down(self, player: int, seat: int, number: int) -> None:
        if seat != player % 2:
            raise BenchError(f"player {player} sits on seat {seat} of table {number}")
        self._players[player].seated = True
        self._seated += 1
        self._places[player >> 1].server_number = number
        if seat == 0 and self._players[player + 1].ticket:
            self._sit(player + 1, number)
