"""One deal's table: where every card lies, and `evolve`, which applies what happened.

`evolve(table, event)` changes the table in place; it never judges and never fails on an event that `decide` made (see
the module of that name). The same `evolve` runs in the server, in a player's client, in a spectator's and in a replay:
a client's table is a *view*, in which the cards that its viewer may not see are `HIDDEN` (see `views`).

The table knows no clock, no network and no name: seats are numbers, times are deal time in microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from speed_common.cards import BITS, HIDDEN, NO_CARD, NO_RANK, Card, Rank
from speed_common.deck import Layout, Stream
from speed_common.events import (
    NOBODY,
    Beaten,
    Drew,
    Dropped,
    Event,
    Flipped,
    Freed,
    Lifted,
    Played,
    Reshuffled,
    Revealed,
    Stuck,
    Tucked,
    Voided,
    Waiting,
    Won,
)
from speed_common.rules import Rules, as_card_set, fits, fits_rank

DEALT: Final = 0
PLAYING: Final = 1
STUCK: Final = 2
OVER: Final = 3

NO_SLOT: Final = -1
ALL_SEEING: Final = -1
SPECTATOR: Final = -2
NEVER_US: Final = -(1 << 40)


TopChange: TypeAlias = Revealed | Played | Flipped


class Table:
    """The state of one deal. Lists run by seat or by pile; piles run bottom to top; hands run by slot.

    `viewer` is a seat, `SPECTATOR`, or `ALL_SEEING` for the server's own table, the only one that has `stream` and
    `changes`: for each pile, the events that gave it a new top. `held` is each hand as a card set (empty for a hidden
    one), `reach` the cards that fit each top.
    """

    __slots__ = (
        "auto_refill", "barren", "beaten", "changes", "draws", "due", "fits", "hands", "held", "last_play", "lifted",
        "named", "phase", "played_since_filling", "position", "reach", "rules", "score", "sides", "stream", "tops",
        "tucked_since_filling", "under", "viewer", "winner",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        viewer: int,
        *,
        hands: list[list[Card]],
        draws: list[list[Card]],
        tops: list[Card],
        under: list[list[Card]],
        sides: list[list[Card]],
    ) -> None:
        """A table before the reveal. The lists become the table's own; they are not copied."""
        self.rules = rules
        self.viewer = viewer
        self.stream: Stream | None = None
        self.position = 0
        self.fits = fits(rules)
        self.auto_refill = rules.refill == "auto"
        self.phase = DEALT
        self.hands = hands
        self.held = [as_card_set(hand) for hand in hands]
        self.draws = draws
        self.tops = tops
        self.under = under
        self.sides = sides
        self.named = [NO_RANK] * rules.piles
        self.reach = [0] * rules.piles
        self.changes: list[list[TopChange]] = [[] for _ in tops] if viewer == ALL_SEEING else []
        self.last_play = [NEVER_US] * rules.players
        self.lifted = [NO_SLOT] * rules.players
        self.beaten = [0] * rules.players
        self.due: int | None = None
        self.played_since_filling = False
        self.tucked_since_filling = False
        self.barren = 0
        self.winner = NOBODY
        self.score = 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__ if name != "stream")

    __hash__ = None  # type: ignore[assignment]  # a table changes

    def __repr__(self) -> str:
        return f"Table(phase={self.phase}, hands={self.hands}, tops={self.tops}, viewer={self.viewer})"

    def cards_left(self, seat: int) -> int:
        """How many cards the player still holds, hand and draw pile together."""
        return self.hand_count(seat) + len(self.draws[seat])

    def hand_count(self, seat: int) -> int:
        """How many cards lie in the hand, seen or not."""
        hand = self.hands[seat]
        return len(hand) - hand.count(NO_CARD)

    def fits_on(self, card: Card) -> list[int]:
        """The piles that the card fits now."""
        return [pile for pile, fit in enumerate(self.reach) if fit & BITS[card]]

    def landing(self, card: Card, named: Rank = NO_RANK) -> int:
        """The set of cards that fit `card` once it is a top; `named` is the rank that a declared joker stands for."""
        return self.fits[card] if named == NO_RANK else fits_rank(self.rules, named)

    def fits_after(self, change: TopChange, pile: int) -> int:
        """The set of cards that fitted `pile` once `change` had given it its top."""
        if isinstance(change, Played):
            return self.landing(change.card, change.named)
        return self.fits[change.tops[pile]]


def new_table(rules: Rules, layout: Layout, stream: Stream | None = None) -> Table:
    """The server's table before the reveal."""
    table = Table(
        rules,
        ALL_SEEING,
        hands=[hand[:] for hand in layout.hands],
        draws=[pile[:] for pile in layout.draws],
        tops=layout.centre[:],
        under=[[] for _ in layout.centre],
        sides=[pile[:] for pile in layout.sides],
    )
    table.stream = stream
    table.position = layout.position
    return table


def evolve(table: Table, event: Event) -> Table:
    """Apply `event` to `table` in place; the table is returned for convenience."""
    _EVOLVE[type(event)](table, event)
    return table


def _evolve_revealed(table: Table, event: Revealed) -> None:
    if table.viewer == ALL_SEEING:
        for changes in table.changes:
            changes.append(event)
    else:
        table.hands = [list(hand) for hand in event.hands]
        table.held = [as_card_set(hand) for hand in event.hands]
        table.tops = list(event.tops)
    table.reach = [table.fits[card] for card in event.tops]
    table.phase = PLAYING


def _evolve_played(table: Table, event: Played) -> None:
    seat, card, pile, refill, named = event.seat, event.card, event.pile, event.refill, event.named
    table.hands[seat][event.slot] = refill
    if table.held[seat]:
        table.held[seat] ^= BITS[card] | BITS[refill]
    if refill != NO_CARD:
        table.draws[seat].pop()
    if table.viewer == ALL_SEEING:
        table.under[pile].append(table.tops[pile])
        table.changes[pile].append(event)
    else:
        table.under[pile].append(HIDDEN)
    table.tops[pile] = card
    table.named[pile] = named
    table.reach[pile] = table.fits[card] if named == NO_RANK else fits_rank(table.rules, named)
    table.last_play[seat] = event.at
    table.lifted[seat] = NO_SLOT
    table.played_since_filling = True
    table.barren = 0


def _evolve_drew(table: Table, event: Drew) -> None:
    seat = event.seat
    table.hands[seat][event.slot] = event.card
    table.draws[seat].pop()
    table.held[seat] |= BITS[event.card]
    table.last_play[seat] = event.at


def _evolve_stuck(table: Table, event: Stuck) -> None:
    table.phase = STUCK
    table.due = event.due


def _evolve_waiting(table: Table, event: Waiting) -> None:
    table.due = event.due


def _evolve_freed(table: Table, _: Freed) -> None:
    table.phase = PLAYING
    table.due = None


def _evolve_flipped(table: Table, event: Flipped) -> None:
    for pile, card in enumerate(event.tops):
        if card != NO_CARD:
            table.sides[pile].pop()
            if table.viewer == ALL_SEEING:
                table.under[pile].append(table.tops[pile])
                table.changes[pile].append(event)
            else:
                table.under[pile].append(HIDDEN)
            table.tops[pile] = card
            table.named[pile] = NO_RANK
            table.reach[pile] = table.fits[card]
    table.phase = PLAYING
    table.due = None


def _evolve_reshuffled(table: Table, event: Reshuffled) -> None:
    table.sides = [list(pile) for pile in event.sides]
    table.under = [[] for _ in table.under]
    table.position = event.position
    if not table.played_since_filling and not table.tucked_since_filling:
        table.barren += 1
    table.played_since_filling = False
    table.tucked_since_filling = False


def _evolve_tucked(table: Table, event: Tucked) -> None:
    table.hands = [list(hand) for hand in event.hands]
    table.held = [as_card_set(hand) for hand in table.hands]
    table.draws = [list(pile) for pile in event.draws]
    table.lifted = [NO_SLOT] * len(table.lifted)
    table.tucked_since_filling = True
    table.barren += 1
    table.phase = PLAYING
    table.due = None


def _evolve_won(table: Table, event: Won) -> None:
    table.phase = OVER
    table.winner = event.seat
    table.score = event.score
    table.due = None


def _evolve_voided(table: Table, _: Voided) -> None:
    table.phase = OVER
    table.due = None


def _evolve_lifted(table: Table, event: Lifted) -> None:
    table.lifted[event.seat] = event.slot


def _evolve_dropped(table: Table, event: Dropped) -> None:
    table.lifted[event.seat] = NO_SLOT


def _evolve_beaten(table: Table, event: Beaten) -> None:
    table.beaten[event.seat] += 1


_EVOLVE: Final[dict[type, Callable[[Table, Any], None]]] = {
    Revealed: _evolve_revealed,
    Played: _evolve_played,
    Drew: _evolve_drew,
    Stuck: _evolve_stuck,
    Waiting: _evolve_waiting,
    Freed: _evolve_freed,
    Flipped: _evolve_flipped,
    Reshuffled: _evolve_reshuffled,
    Tucked: _evolve_tucked,
    Won: _evolve_won,
    Voided: _evolve_voided,
    Lifted: _evolve_lifted,
    Dropped: _evolve_dropped,
    Beaten: _evolve_beaten,
}
