"""What can happen to a table, what can be asked of it, and how it says no.

Events are facts: `decide` makes them, `table.evolve` applies them, the wire carries them as they are and a
record keeps them. `at` is deal time: microseconds since the reveal, on the server's clock. `seat` and `pile` count
from 0, `slot` is a place in a hand. Where a viewer may not see a card, `views.hide_event` puts `HIDDEN` in its place.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from speed_common.cards import HIDDEN, NO_RANK
from speed_common.cards import Card as AnyCard

DealTime: TypeAlias = Annotated[int, Meta(ge=-(1 << 40), le=1 << 40)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Pile: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Slot: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
Card: TypeAlias = Annotated[AnyCard, Meta(ge=HIDDEN, le=107)]
RankOrNone: TypeAlias = Annotated[int, Meta(ge=NO_RANK, le=12)]
Hand: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=10)]
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=108)]
PerSeat: TypeAlias = Annotated[tuple[Hand, ...], Meta(max_length=4)]
PerPile: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=4)]

AUTO_PILE: Final = -1
NOBODY: Final = -1


class _Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event; array-like and tagged by a small integer, so that it is its own encoding."""

    at: DealTime


class Revealed(_Event, frozen=True, array_like=True, gc=False, tag=1):
    """The centre cards turn and the hands are picked up: play begins."""

    hands: PerSeat
    tops: PerPile


class Played(_Event, frozen=True, array_like=True, gc=False, tag=2):
    """A card went from its slot onto a centre pile and the slot was refilled (or left empty: `NO_CARD`)."""

    seat: Seat
    slot: Slot
    card: Card
    pile: Pile
    refill: Card
    named: RankOrNone = NO_RANK


class Drew(_Event, frozen=True, array_like=True, gc=False, tag=3):
    """A player took one card from the own draw pile into an empty slot (manual refill)."""

    seat: Seat
    slot: Slot
    card: Card


class Stuck(_Event, frozen=True, array_like=True, gc=False, tag=4):
    """Nobody can play and nobody could draw: at deal time `due` the table tucks, or reshuffles and flips."""

    due: DealTime


class Waiting(_Event, frozen=True, array_like=True, gc=False, tag=14):
    """Nobody can play but somebody can draw (manual refill): at deal time `due` the hands are filled for them."""

    due: DealTime


class Freed(_Event, frozen=True, array_like=True, gc=False, tag=5):
    """Somebody can play again before the flip was due."""


class Flipped(_Event, frozen=True, array_like=True, gc=False, tag=6):
    """One card from every side pile that has one went on its own centre pile; `NO_CARD` where none was left."""

    tops: PerPile


class Reshuffled(_Event, frozen=True, array_like=True, gc=False, tag=7):
    """The centre cards below the tops became the new side piles. `position` is the stream's place after it."""

    sides: Annotated[tuple[Cards, ...], Meta(max_length=4)]
    position: Annotated[int, Meta(ge=0, le=1 << 32)]


class Tucked(_Event, frozen=True, array_like=True, gc=False, tag=8):
    """All hands went under their draw piles and were drawn anew; what lies where afterwards."""

    hands: PerSeat
    draws: Annotated[tuple[Cards, ...], Meta(max_length=4)]


class Won(_Event, frozen=True, array_like=True, gc=False, tag=9):
    """A player has neither hand nor draw cards, or the others left: the deal is over."""

    seat: Seat
    score: Annotated[int, Meta(ge=0, le=108)]
    forfeit: bool = False


class Voided(_Event, frozen=True, array_like=True, gc=False, tag=10):
    """The deal cannot go on: no winner and no points."""


class Lifted(_Event, frozen=True, array_like=True, gc=False, tag=11):
    """A computer player picks a card up; it will come down in a quarter of a second."""

    seat: Seat
    slot: Slot


class Dropped(_Event, frozen=True, array_like=True, gc=False, tag=12):
    """The lifted card goes back into the hand unplayed."""

    seat: Seat
    slot: Slot


class Beaten(_Event, frozen=True, array_like=True, gc=False, tag=13):
    """A play came `late` microseconds after `by` took its pile. Says nothing of the card that went back."""

    seat: Seat
    pile: Pile
    by: Seat
    late: Annotated[int, Meta(ge=0, le=1 << 40)]


class Emptied(_Event, frozen=True, array_like=True, gc=False, tag=15):
    """A player has no cards left and must call "Speed!" before deal time `due`, or before another does."""

    seat: Seat
    due: DealTime


class Frozen(_Event, frozen=True, array_like=True, gc=False, tag=16):
    """A player called with cards left and may not act before deal time `until`."""

    seat: Seat
    until: DealTime


class Took(_Event, frozen=True, array_like=True, gc=False, tag=17):
    """A player must take a centre pile without its top: caught by `by` before calling, or, `NOBODY`, for a false call.

    `hand` and `draw` are the player's cards afterwards; `position` is the stream's place after shuffling those taken.
    """

    seat: Seat
    pile: Pile
    hand: Hand
    draw: Cards
    position: Annotated[int, Meta(ge=0, le=1 << 32)]
    by: Annotated[int, Meta(ge=NOBODY, le=3)] = NOBODY


class FlipAsked(_Event, frozen=True, array_like=True, gc=False, tag=18):
    """A player of a stuck table asks for the flip (`flip_trigger` all_ready)."""

    seat: Seat


class Left(_Event, frozen=True, array_like=True, gc=False, tag=19):
    """One of several players is gone; the cards went shuffled under the side piles, which are `sides` afterwards."""

    seat: Seat
    sides: Annotated[tuple[Cards, ...], Meta(max_length=4)]
    position: Annotated[int, Meta(ge=0, le=1 << 32)]


Event: TypeAlias = (
    Revealed
    | Played
    | Drew
    | Stuck
    | Waiting
    | Freed
    | Flipped
    | Reshuffled
    | Tucked
    | Won
    | Voided
    | Lifted
    | Dropped
    | Beaten
    | Emptied
    | Frozen
    | Took
    | FlipAsked
    | Left
)


class Play(msgspec.Struct, frozen=True, gc=False):
    """A card of the own hand onto a pile, or onto the automatic one (`AUTO_PILE`), as at effective press time `at`."""

    seat: int
    card: AnyCard
    pile: int
    at: int
    named: int = NO_RANK


class Draw(msgspec.Struct, frozen=True, gc=False):
    """One card from the own draw pile, with manual refill."""

    seat: int
    at: int


class Call(msgspec.Struct, frozen=True, gc=False):
    """The call "Speed!": the own hand and draw pile are empty, or another's are and that player has not called yet."""

    seat: int
    at: int


class AskFlip(msgspec.Struct, frozen=True, gc=False):
    """A player of a stuck table asks for the flip."""

    seat: int
    at: int


class Autoplay(msgspec.Struct, frozen=True, gc=False):
    """Everybody who could play has been idle for so long that a card is played for one of them."""

    at: int


class Reveal(msgspec.Struct, frozen=True, gc=False):
    """Turn the cards: deal time `at`, which is 0 by definition."""

    at: int = 0


class Due(msgspec.Struct, frozen=True, gc=False):
    """The stuck table's delay has run out."""

    at: int


class Leave(msgspec.Struct, frozen=True, gc=False):
    """A player is gone for good: between two the deal is forfeit, between more it goes on without."""

    seat: int
    at: int


class Lift(msgspec.Struct, frozen=True, gc=False):
    """A computer player shows which card it will play."""

    seat: int
    slot: int
    at: int


class Drop(msgspec.Struct, frozen=True, gc=False):
    """A computer player puts its lifted card back."""

    seat: int
    at: int


Request: TypeAlias = Play | Draw | Call | AskFlip | Autoplay | Reveal | Due | Leave | Lift | Drop

RefusalWord = Literal[
    "illegal",
    "beaten",
    "late_link",
    "not_started",
    "deal_over",
    "not_in_hand",
    "hand_full",
    "nothing_to_draw",
    "not_due",
    "paused",
    "calling",
    "frozen",
    "fallen",
    "clock",
]
"""The server's own are `paused` (a play that waited for its turn when a deal began to wait for somebody), `fallen` (the
play that it rested on was refused) and `clock` (the player's clock stepped while it waited)."""


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """A request that lost or may not be. `word` is stable; `late` (microseconds), `by`, `pile` belong to a lost race.

    `late_link` is a lost race whose `late` is negative: the press came first and its message too late to count.
    """

    word: RefusalWord
    late: int = 0
    by: int = NOBODY
    pile: int = AUTO_PILE
    took: AnyCard = -1
