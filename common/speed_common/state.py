"""The state of one deal: where every card lies, and what is remembered beside the cards.

A server's table sees all; a client's table is a *view*, in which the cards that its viewer may not see are `HIDDEN`
(see `views`). It knows no clock, no network and no name: seats are numbers, times are deal time in microseconds. Only
`table.evolve` changes it.
"""

from __future__ import annotations

from copy import copy
from typing import Final, TypeAlias

from speed_common.cards import BITS, NO_CARD, NO_RANK, Card, Rank
from speed_common.deck import Layout, Stream
from speed_common.events import NOBODY, DealTime, Flipped, Played, Revealed
from speed_common.rules import Rules, as_card_set, fits, fits_rank

DEALT: Final = 0
PLAYING: Final = 1
STUCK: Final = 2
OVER: Final = 3
CALLING: Final = 4
"""Somebody has no cards left and has not called yet (rules with `call_speed`)."""

NO_SLOT: Final = -1
ALL_SEEING: Final = -1
SPECTATOR: Final = -2
NEVER_US: Final = -(1 << 40)

TopChange: TypeAlias = Revealed | Played | Flipped


class Table:
    """The state of one deal. Lists run by seat or by pile; piles run bottom to top; hands run by slot.

    `viewer` is a seat, `SPECTATOR`, or `ALL_SEEING` for the server's own table, the only one that has `stream` and
    `changes`: for each pile, the events that gave it a new top. `held` is each hand as a card set (empty for a hidden
    one), `reach` the cards that fit each top, `out` the cards that were set aside.

    `due` is when the delay of a stuck table, or the window for a call, runs out. `gone` are the seats whose players
    left, `asked` those who asked for the flip of a stuck table, `frozen` until when each may not act (`NEVER_US`: it
    may), `emptied` the seat that has to call while the phase is `CALLING`, else `NOBODY`; `caught_at` is when somebody
    was last caught before calling.
    """

    __slots__ = (
        "asked", "auto_refill", "barren", "beaten", "call_speed", "caught_at", "changes", "draws", "due", "emptied",
        "fits", "frozen", "gone", "hands", "held", "last_play", "last_turn", "lifted", "named", "out", "phase",
        "played_since_filling", "position", "reach", "rules", "score", "sides", "stream", "tops",
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
        out: list[Card],
    ) -> None:
        """A table before the reveal. The lists become the table's own; they are not copied."""
        self.rules = rules
        self.viewer = viewer
        self.stream: Stream | None = None
        self.position = 0
        self.fits = fits(rules)
        self.auto_refill = rules.refill == "auto"
        self.call_speed = rules.call_speed
        self.phase = DEALT
        self.hands = hands
        self.held = [as_card_set(hand) for hand in hands]
        self.draws = draws
        self.tops = tops
        self.under = under
        self.sides = sides
        self.out = out
        self.named = [NO_RANK] * rules.piles
        self.reach = [0] * rules.piles
        self.changes: list[list[TopChange]] = [[] for _ in tops] if viewer == ALL_SEEING else []
        self.last_play = [NEVER_US] * rules.players
        self.last_turn = NEVER_US
        self.frozen = [NEVER_US] * rules.players
        self.gone = [False] * rules.players
        self.asked = [False] * rules.players
        self.lifted = [NO_SLOT] * rules.players
        self.beaten = [0] * rules.players
        self.due: int | None = None
        self.played_since_filling = False
        self.tucked_since_filling = False
        self.barren = 0
        self.emptied = NOBODY
        self.caught_at = NEVER_US
        self.winner = NOBODY
        self.score = 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__ if name != "stream")

    __hash__ = None  # type: ignore[assignment]  # a table changes

    def __repr__(self) -> str:
        return f"Table(phase={self.phase}, hands={self.hands}, tops={self.tops}, viewer={self.viewer})"

    @property
    def last_change(self) -> DealTime:
        """When somebody last played or drew, or the table last moved: since then nobody has done anything."""
        return max(self.last_turn, *self.last_play)

    def remaining(self) -> list[int]:
        """The seats whose players have not left, in order."""
        return [seat for seat, gone in enumerate(self.gone) if not gone]

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


def copy_of(table: Table) -> Table:
    """The same table to try an event on; only the stream is shared."""
    twin = copy(table)
    for name in table.__slots__:
        part = getattr(table, name)
        if isinstance(part, list):
            setattr(twin, name, [inner[:] if isinstance(inner, list) else inner for inner in part])
    return twin


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
        out=layout.out[:],
    )
    table.stream = stream
    table.position = layout.position
    return table
