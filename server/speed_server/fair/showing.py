"""When everybody sees a thing, and how late each player saw it. Pure.

A *thing* is what a play reacts to: a pile's top, or a card of the hand. It is shown to all at one instant, `at_ns`, in
server time, and sent to each just early enough for that player's link, so that a fast link gets no head start. A client
that could not show it in time says when it did, and its plays on it are credited with the lateness.

What a player's own play brought (the top it made, its refill) that player has seen at the press: such a thing is as old
as the play, and carries its credit on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from speed_common.fair_settings import FairSettings
from speed_server.fair.player import FairPlayer

HISTORY: Final = 4
MOST_UNSEEN: Final = 32
LONG_LEAD_NS: Final = 1 << 60


class Showing(NamedTuple):
    """When a revision is shown (to spectators it is sent then), and when it is sent to each seat; server time."""

    at_ns: int
    send_at_ns: tuple[int, ...]


class Thing:
    """What one seat sees since `at_ns`, sent to it `lead_ns` before.

    `late_ns`: how much later it was really shown there, as the client says; None until it has said so.
    """

    __slots__ = ("at_ns", "late_ns", "lead_ns", "revision")

    def __init__(self, revision: int, at_ns: int, lead_ns: int, late_ns: int | None) -> None:
        self.revision = revision
        self.at_ns = at_ns
        self.lead_ns = lead_ns
        self.late_ns = late_ns

    def credit_ns(self, player: FairPlayer) -> int:
        """What a play on it is credited, as far as the link explains it; 0 while nothing was said."""
        return 0 if self.late_ns is None else min(self.late_ns, player.credit_limit_ns(self.lead_ns))


def own_thing(revision: int, at_ns: int, credit_ns: int) -> Thing:
    """What a player's own play brought: as old as the play, with its credit, which the link has explained already."""
    return Thing(revision, at_ns, -LONG_LEAD_NS, credit_ns)


class Showings:
    """The things of one deal, as each seat sees them; a None among the players is a computer, which sees at once."""

    __slots__ = ("_hands", "_last_send_ns", "_players", "_settings", "_show_ns", "_tops", "_unseen")

    def __init__(self, settings: FairSettings, players: Sequence[FairPlayer | None], piles: int) -> None:
        self._settings = settings
        self._players = players
        self._show_ns = 0
        self._last_send_ns = [0] * len(players)
        self._tops: list[list[list[Thing]]] = [[[] for _ in range(piles)] for _ in players]
        self._hands: list[dict[int, Thing]] = [{} for _ in players]
        self._unseen: list[dict[int, Thing]] = [{} for _ in players]

    def plan(self, now: int, *, calm: bool, at_ns: int = 0) -> Showing:
        """When what is committed at `now` is shown and sent. `calm`: there is no hurry; `at_ns`: not before then.

        Nothing is shown or sent before what came earlier.
        """
        settings = self._settings
        if settings.mode != "full":
            show = self._show_ns = max(now, at_ns, self._show_ns)
            return Showing(show, tuple(now for _ in self._players))
        needs = [self._need(player) for player in self._players]
        wait = settings.calm_reveal_ns if calm else min(settings.reveal_cap_ns, max(needs, default=0))
        show = self._show_ns = max(now + wait, at_ns, self._show_ns)
        most = wait if not at_ns else settings.calm_reveal_ns
        for seat, need in enumerate(needs):
            # An unknown link gets it at once: need is 0 only for those, who know no clock to wait by.
            lead = min(most, need) if need else most
            self._last_send_ns[seat] = max(now, show - lead, self._last_send_ns[seat])
        return Showing(show, tuple(self._last_send_ns))

    def turn(self, showing: Showing, revision: int, piles: Iterable[int], hands: Mapping[int, Iterable[int]]) -> None:
        """New tops, and new cards in hands, are on their way to everybody."""
        piles = tuple(piles)
        for seat in range(len(self._players)):
            thing = self._thing(showing, revision, seat)
            for pile in piles:
                self._put(seat, pile, thing)
            for card in hands.get(seat, ()):
                self._hands[seat][card] = thing

    def played(self, showing: Showing, revision: int, pile: int, seat: int, own: Thing, refill: Iterable[int]) -> None:
        """`seat` played onto a pile: for the others a new top; for itself as old as its play, and so is its refill.

        A `pile` below 0: it drew a card.
        """
        for other in range(len(self._players) if pile >= 0 else 0):
            self._put(other, pile, own if other == seat else self._thing(showing, revision, other))
        for card in refill:
            self._hands[seat][card] = own

    def shown(self, seat: int, revision: int, c_shown: int) -> None:
        """The client says when it showed a revision; a second word about it is not heard."""
        thing, player = self._unseen[seat].pop(revision, None), self._players[seat]
        if thing is None or player is None or not player.link.synced or c_shown < player.link.c_floor:
            return
        most = self._settings.credit_max_ns
        late = player.link.server_time(c_shown) - thing.at_ns
        thing.late_ns = min(max(late, -most), most)
        player.show_ranks.play(late + thing.lead_ns, thing.lead_ns)

    def forget(self, seat: int) -> None:
        """The seat's clock stepped: what it says of earlier showings counts no more."""
        for thing in self._unseen[seat].values():
            thing.late_ns = 0
        self._unseen[seat].clear()

    def thing(self, seat: int, card: int, pile: int, revision: int | None = None) -> Thing | None:
        """What a play of `card` on `pile` reacts to, at a revision or now: the later of the top and the hand's card."""
        tops = self._tops[seat][pile]
        top = tops[-1] if tops else None
        if revision is not None:
            top = next((old for old in reversed(tops) if old.revision <= revision), tops[0] if tops else None)
        held = self._hands[seat].get(card)
        if top is None or held is None:
            return top or held
        return held if held.at_ns > top.at_ns else top

    def top_at_ns(self, seat: int, pile: int) -> int:
        """Since when the seat may see the pile's top."""
        tops = self._tops[seat][pile]
        return tops[-1].at_ns if tops else 0

    def _need(self, player: FairPlayer | None) -> int:
        if player is None or not player.link.synced:
            return 0
        if player.flagged:  # nothing ahead to look at
            return max(1, player.link.down_ns)
        return player.link.down_high_ns + self._settings.reveal_guard_ns

    def _thing(self, showing: Showing, revision: int, seat: int) -> Thing:
        player = self._players[seat]
        known = player is None or not player.link.synced or self._settings.mode != "full"
        thing = Thing(revision, showing.at_ns, showing.at_ns - showing.send_at_ns[seat], 0 if known else None)
        if not known:
            unseen = self._unseen[seat]
            unseen[revision] = thing
            if len(unseen) > MOST_UNSEEN:
                unseen.pop(next(iter(unseen))).late_ns = 0
        return thing

    def _put(self, seat: int, pile: int, thing: Thing) -> None:
        tops = self._tops[seat][pile]
        tops.append(thing)
        if len(tops) > HISTORY:
            del tops[0]
