"""Broken messages through the decoders and a hub: nothing but the declared errors, and nothing that grows."""

from __future__ import annotations

import gc
import tracemalloc
from random import Random
from typing import Any, Final, NamedTuple, get_args

import msgpack
import msgspec
from tests.sim.cheats import rubbish
from tests.sim.truth import sessions_of

from speed_common import wire
from speed_common.presets import make_rules
from speed_server.hub import Hub
from speed_server.settings import MS, SECOND, HubSettings

START_NS: Final = 1_000 * SECOND
MOST_GROWTH: Final = 5_000_000
WARM: Final = 4
"""The first part in so many warms the caches and is not measured."""
_KINDS: Final = {kind.__struct_config__.tag: kind for kind in get_args(wire.Up)}


class Fuzzed(NamedTuple):
    """What came of so many messages; `wrong` tells each exception that must not be, with what reproduces it."""

    messages: int
    understood: int
    growth_bytes: int
    wrong: list[str]


class Writer:
    """Writes messages that are broken, or meant badly; `tickets` are real ones, `now` is about when it is."""

    def __init__(self, random: Random, now: int) -> None:
        self.random = random
        self.now = now
        self.tickets: list[bytes] = []

    def valid(self) -> wire.Up:
        """A message that is none of anybody's mistakes, but may be meant badly."""
        random, ticket = self.random, self.random.choice([*self.tickets, self.random.randbytes(16)])
        now = self.now + random.choice([0, 0, MS, -SECOND, 1 << 61, -(1 << 61)])
        seq = random.choice([0, 1, random.randrange(1 << 40)])
        pile, revision = random.randrange(-1, 4), random.choice([0, 5, 1 << 39])
        shown = tuple((random.randrange(1 << 40), now) for _ in range(random.choice([0, 1, 64])))
        rules = random.choice([None, None, make_rules("four"), make_rules(jokers=2)])
        return random.choice(
            [
                wire.Hello(1, random.randrange(3), "0", random.choice(["anna", "\u202e", "", "x" * 64]), ticket),
                wire.Sit(ticket, random.randrange(-1, 5), (10,) * random.randrange(4), rules, random.choice(("", "B"))),
                wire.Ready(ticket),
                wire.Leave(ticket) if random.random() < 0.1 else wire.Ready(ticket),
                wire.PlayCard(
                    ticket, seq, random.randrange(108), pile, revision, now, random.randrange(-1, 13), now,
                    random.randrange(-1, 4), random.choice([0, 1, seq]), shown,
                ),
                wire.DrawCard(ticket, seq, now, now, revision, shown),
                wire.Beat(ticket, now, random.choice([0, now]), now, shown),
                wire.ProbeBack(ticket, now, now, random.choice([0, now]), shown),
                wire.Resync(ticket, now),
                wire.CallSpeed(ticket, seq, now, now, revision, shown),
                wire.FlipPlease(ticket, seq, now),
            ]
        )  # fmt: skip

    def broken(self) -> bytes:
        """Raw bytes, a valid message, one with a byte changed, or one with a field of another kind."""
        random = self.random
        data = wire.encode(self.valid())
        kind = random.randrange(4)
        if kind == 0:
            return data
        if kind == 1:
            return rubbish(random, data)
        if kind == 2:
            return random.randbytes(random.randrange(80))
        fields = msgspec.msgpack.decode(data)
        fields[random.randrange(len(fields))] = random.choice(_ODD)
        return bytes(msgpack.packb(fields))


class _Target(Writer):
    """A hub with people in the middle of a deal, and messages of theirs to be broken."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, START_NS)
        settings = HubSettings(countdown_ns=300 * MS, max_tables=8, max_players=16)
        self.hub = Hub(settings, "fuzzed", Random(random.getrandbits(64)).randbytes, self.now)
        for origin in (b"\0one", b"\0two", b"\0three"):
            self.say(origin, wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, "0", "anna"))
            welcome = next(
                message for _, data in self.hub.outbox if isinstance(message := wire.decode_down(data), wire.Welcome)
            )
            self.hub.outbox.clear()
            self.tickets.append(welcome.ticket)
            self.say(origin, wire.Sit(welcome.ticket))
            self.say(origin, wire.Ready(welcome.ticket))
        self.pass_time(SECOND)

    def say(self, origin: bytes, message: wire.Up) -> None:
        self.hub.receive(origin, wire.encode(message), self.now)

    def pass_time(self, duration_ns: int) -> None:
        self.now += duration_ns
        self.hub.advance(self.now)


_ODD: Final[tuple[Any, ...]] = (
    *(None, True, -1, 0, 1 << 63, -(1 << 63), 1.5, float("nan"), float("inf"), "", "anna", b"", b"\0" * 16),
    *([], [[]], [1, 2], {}, {"players": 9}, {"a": 1}, [[1, 2]] * 70, "x" * 500, [True] * 3),
)


def fuzz(seed: int, count: int) -> Fuzzed:
    """Send so many messages: to the decoders of both ends and to a hub."""
    random = Random(seed)
    target = _Target(random)
    origins = [b"\0one", b"\0two", b"\0three", b"\0four", b"stranger"]
    wrong: list[str] = []
    understood, before = 0, 0
    tracemalloc.start()
    for number in range(count):
        if number == count // WARM:
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
        data = target.broken()
        understood += _decodes(data, wrong, seed, number)
        try:
            target.hub.receive(random.choice(origins), data, target.now)
            if random.random() < 0.3:
                target.pass_time(random.choice([MS, 20 * MS, 600 * MS]))
        except Exception as error:  # noqa: BLE001  # that none comes is what is tested
            wrong.append(f"fuzz({seed}, ..) at {number}: hub: {type(error).__name__}: {error}: {data.hex()}")
            if len(wrong) > MOST_WRONG:
                break
            target = _Target(random)  # whatever state it is in now is not worth going on with
        for _, sent in target.hub.outbox:
            wire.decode_down(sent)
        target.hub.outbox.clear()
        target.hub.bulletins.clear()
        target.hub.records.clear()
    gc.collect()
    growth = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    if growth > MOST_GROWTH:
        wrong.append(f"fuzz({seed}, {count}): {growth} bytes more than at the start")
    if len(sessions_of(target.hub)) > target.hub._settings.max_players:
        wrong.append(f"fuzz({seed}, {count}): {len(sessions_of(target.hub))} sessions")
    return Fuzzed(count, understood, growth, wrong)


MOST_WRONG: Final = 20


def _decodes(data: bytes, wrong: list[str], seed: int, number: int) -> bool:
    """Whether the bytes are a message up. Both decoders may only raise `WireError`."""
    found = False
    for decode in (wire.decode_up, wire.decode_down):
        try:
            decode(data)
        except wire.WireError:
            continue
        except Exception as error:  # noqa: BLE001  # that none comes is what is tested
            wrong.append(f"fuzz({seed}, ..) at {number}: {decode.__name__}: {type(error).__name__}: {data.hex()}")
            continue
        found = found or decode is wire.decode_up
    return found
