"""Before which race time a player can press nothing more, and whom to ask for a proof of it. Pure.

A player's messages come in the order in which they left, so the newest one's `c_send` bounds all presses to come. A
press may be credited with a late showing, so the watermark of a pile is lowered by as much credit as a play on it
would get: without that, plays are let go that a credited one comes before. It also rises by itself: no play may count
as older than its link explains (`FairPlayer.allowed_ns`).

What was once relied on is a promise: the player's later plays on that pile are never earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from speed_common.fair_settings import MS, FairSettings
from speed_server.fair.player import FairPlayer
from speed_server.fair.showing import Showings

ANY_CARD: Final = -1
LEAST_PROBE_GAP_NS: Final = 2 * MS


class Ping(NamedTuple):
    """A probe to send to a seat, to be echoed `wait_ns` after it came: sooner, the echo would prove too little."""

    seat: int
    wait_ns: int


class Watermarks:
    """The watermarks of one deal's seats, by pile; `floors_ns` are the race times that no later play goes below."""

    __slots__ = ("_players", "_probe_after_ns", "_probes", "_promised_ns", "_settings", "_showings", "floors_ns")

    def __init__(
        self, settings: FairSettings, players: Sequence[FairPlayer | None], showings: Showings, piles: int
    ) -> None:
        self._settings = settings
        self._players = players
        self._showings = showings
        self._promised_ns = [[0] * piles for _ in players]
        self._probe_after_ns = [0] * len(players)
        self._probes: list[Ping] = []
        self.floors_ns = [0] * len(players)

    def floor_ns(self, seat: int, pile: int) -> int:
        """What no play of the seat on this pile goes below: its own last one, and what others' plays relied on."""
        return max(self.floors_ns[seat], self._promised_ns[seat][pile] if pile >= 0 else 0)

    def raise_floor(self, seat: int, to_ns: int) -> None:
        """The seat's race times go no more below this."""
        self.floors_ns[seat] = max(self.floors_ns[seat], to_ns)

    def promise(self, seat: int, pile: int, mark_ns: int) -> None:
        """A play is judged by the seat's watermark having reached this."""
        self._promised_ns[seat][pile] = max(self._promised_ns[seat][pile], mark_ns)

    def at(self, seat: int, pile: int, cards: Iterable[int], now: int) -> tuple[int, int]:
        """The watermark of a seat that holds these cards for the pile, and how much lower it is for credit that stays.

        `now` for one that nobody waits for.
        """
        player = self._players[seat]
        if player is None or not player.waited_for:
            return now, 0
        link = player.link
        sent = link.server_time(link.c_last)
        mark, lowered = sent, 0
        for card in (ANY_CARD, *cards):
            thing = self._showings.thing(seat, card, pile)
            if thing is None:
                continue
            known = credit = thing.credit_ns(player)
            if thing.late_ns is None:  # it may show it right after it sent this, as late as its link explains
                credit = min(player.credit_limit_ns(thing.lead_ns), max(0, sent - thing.at_ns))
            least = max(thing.at_ns, sent - credit)
            if card == ANY_CARD or least < mark:
                mark, lowered = least, known
        return max(mark, now - player.allowed_ns(), self.floor_ns(seat, pile)), lowered

    def probe(self, seat: int, player: FairPlayer, needed_ns: int, now: int) -> int | None:
        """Ping a rival whose echo can be the proof, if that comes sooner than its next heartbeat would.

        The answer is when to ask again, after another probe is due; None when the heartbeat is as good.
        """
        link = player.link
        if 2 * link.down_ns >= player.beat_ns:
            return None
        if now < self._probe_after_ns[seat]:
            return self._probe_after_ns[seat]
        wait = min(max(0, needed_ns - now - link.down_ns // 2), self._settings.hold_cap_ns)
        self._probes.append(Ping(seat, wait))
        self._probe_after_ns[seat] = now + wait + max(LEAST_PROBE_GAP_NS, 2 * (link.up_ns + link.down_ns))
        return self._probe_after_ns[seat]

    def take_probes(self) -> list[Ping]:
        """The probes to send now."""
        probes, self._probes = self._probes, []
        return probes
