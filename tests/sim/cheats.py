"""What a modified client sends in place of what its session says, and what strangers send out of the blue."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any

import msgspec
from tests.sim.truth import place_of, rooms_of, session_by_ticket
from tests.sim.world import World

from speed_common import wire
from speed_server.settings import MS, SECOND

MOST_TRICKS = 150


class Cheat:
    """One modified client."""

    def __init__(self, world: World, tricks: tuple[str, ...], victim: str) -> None:
        self._world = world
        self._tricks = tricks
        self._victim = victim
        self._random = Random(world.random.getrandbits(64))
        self._kept: deque[bytes] = deque(maxlen=30)
        self._seq = 1 << 20
        self._left = MOST_TRICKS

    def twist(self, data: bytes) -> list[bytes]:
        """What is sent in place of `data`."""
        random = self._random
        message = wire.decode_up(data)
        if not isinstance(message, wire.Hello):  # one that comes twice costs its sender the first of two tickets
            self._kept.append(data)
        if random.random() < 0.4 or not self._left:
            return [data]
        self._left -= 1  # each answer to a trick makes a client say more, which would go on for ever
        trick = random.choice(self._tricks)
        self._world.met[f"cheat: {trick}"] += 1
        if trick == "old messages" and self._kept:
            return [data, random.choice(self._kept)]
        if trick == "other's name" and random.random() < 0.1:
            hello = wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, "0", self._victim)
            self._world.inject(b"\0cheat", wire.encode(hello))
            return [data]
        if trick == "guessed ticket" and isinstance(message, wire.Beat):
            return [wire.encode(msgspec.structs.replace(message, ticket=random.randbytes(wire.TICKET_BYTES))), data]
        if isinstance(message, wire.PlayCard):
            return [wire.encode(play) for play in self._plays(message, trick)]
        return [data]

    def _plays(self, play: wire.PlayCard, trick: str) -> list[wire.PlayCard]:
        random = self._random
        if trick == "early stamp":
            forged = random.choice([20 * MS, 90 * MS, 300 * MS, 2 * SECOND, 60 * SECOND])
            both = {"c_press": play.c_press - forged}
            if play.c_send != wire.UNSAID and random.random() < 0.5:
                both["c_send"] = play.c_send - forged
            return [_changed(play, **both)]
        if trick == "late stamp":
            return [_changed(play, c_press=play.c_press + random.choice([MS, SECOND, 60 * SECOND]))]
        if trick == "wrong pile":
            return [_changed(play, pile=random.randrange(4), named=random.randrange(-1, 13))]
        if trick == "foreign card":
            return [_changed(play, card=self._foreign(play))]
        if trick == "two plays":
            return [play, self._again(play, pile=random.randrange(-1, 2))]
        if trick == "flood":
            return [play, *(self._again(play) for _ in range(random.choice([3, 12])))]
        return [play]

    def _again(self, play: wire.PlayCard, **changes: Any) -> wire.PlayCard:
        self._seq += 1
        return _changed(play, seq=self._seq, **changes)

    def _foreign(self, play: wire.PlayCard) -> int:
        """A card that another really holds, or any."""
        place = place_of(session_by_ticket(self._world.hub, play.ticket))
        room = None if place is None else rooms_of(self._world.hub).get(place.table)
        if place is not None and room is not None and room.deal is not None:
            table = room.deal.table
            cards = [card for seat, hand in enumerate(table.hands) for card in hand if card >= 0 and seat != place.seat]
            playable = [card for card in cards if table.fits_on(card)]
            if cards:
                return self._random.choice(playable or cards)
        return self._random.randrange(108)


def _changed(play: wire.PlayCard, **changes: Any) -> wire.PlayCard:
    changed: wire.PlayCard = msgspec.structs.replace(play, **changes)
    return changed


def rubbish(random: Random, seen: bytes) -> bytes:
    """Bytes that are no message, or hardly one: made up, or another message with something broken."""
    kind = random.randrange(4)
    if kind == 0 or not seen:
        return random.randbytes(random.randrange(60))
    if kind == 1:
        return seen[: random.randrange(len(seen))]
    place = random.randrange(len(seen))
    if kind == 2:
        return seen[:place] + random.randbytes(1) + seen[place + 1 :]
    return seen[:place] + random.randbytes(random.randrange(1, 4)) + seen[place:]
