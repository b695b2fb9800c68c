"""The plays that are on their way: from the press to the server's answer. Pure.

A card played is *pending*: it has left its slot on the screen, and comes back if it is refused. What will become of it
is guessed for the picture only; the server alone decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speed_client.mirror import Mirror
from speed_client.news import Asked, PlayRefused
from speed_common import tactics
from speed_common.cards import HIDDEN, NO_CARD, NO_RANK, Card, Rank
from speed_common.events import AUTO_PILE, Emptied, Event, Left, Played, Took, Voided, Won
from speed_common.table import CALLING, DEALT, OVER
from speed_common.wire import CallSpeed, DrawCard, FlipPlease, PlayCard, Refused

NO_ANSWER_NS: Final = 3_000_000_000
MOST_PENDING: Final = 2
MOST_ASKED: Final = 16


@dataclass(frozen=True, slots=True)
class Pending:
    """A play that waits for its answer; `pile` is where it is drawn, `AUTO_PILE` when it fits nowhere now.

    `refill` is the card that fills its place, turned up at the press; `HIDDEN` while it is not known.
    """

    card: Card
    pile: int
    seq: int
    sent_ns: int
    refill: Card = HIDDEN


class Plays:
    """One player's plays without an answer, by slot, and the numbers that the answers name."""

    __slots__ = ("_asked", "_seq", "called", "pending")

    def __init__(self) -> None:
        self.pending: dict[int, Pending] = {}
        self.called = False
        """Whether a call for the one who is out now is on its way: a second one could come down as a false call."""
        self._asked: dict[int, Asked] = {}
        self._seq = 0

    def why_not(self, mirror: Mirror, slot: int) -> str | None:
        """Why the card of this slot cannot be played now, as a stable word; None when it can."""
        if mirror.room is None or mirror.seat < 0:
            return "not_seated"
        if mirror.table is None or mirror.table.phase == DEALT:
            return "not_started"
        if mirror.table.phase == OVER:
            return "deal_over"
        hand = mirror.table.hands[mirror.seat]
        if not 0 <= slot < len(hand) or hand[slot] < 0:
            return "not_in_hand"
        if slot in self.pending or len(self.pending) >= MOST_PENDING:
            return "pending"
        return None

    def play(
        self, mirror: Mirror, ticket: bytes, slot: int, pile: int, now: int, press: int, named: Rank = NO_RANK
    ) -> PlayCard:
        """The message for a play that `why_not` has nothing against; its card is pending from here on."""
        assert mirror.table is not None, "why_not has looked"
        card = mirror.table.hands[mirror.seat][slot]
        self._seq += 1
        drawn_on = self._guess(mirror, card) if pile == AUTO_PILE else pile
        rests_on = next((pending.seq for pending in self.pending.values() if pending.pile == drawn_on >= 0), 0)
        refill = HIDDEN if self.pending else mirror.ahead
        self.pending[slot] = Pending(card, drawn_on, self._seq, now, refill)
        return PlayCard(ticket, self._seq, card, pile, mirror.revision, press, named, aimed=drawn_on, after=rests_on)

    def draw(self, mirror: Mirror, ticket: bytes, press: int) -> DrawCard:
        """The message that asks for one card of the own draw pile."""
        return DrawCard(ticket, self._ask("draw"), press, revision=mirror.revision)

    def call(self, mirror: Mirror, ticket: bytes, press: int) -> CallSpeed:
        """The message that calls "Speed!"."""
        self.called = mirror.table is not None and mirror.table.phase == CALLING
        return CallSpeed(ticket, self._ask("call"), press, revision=mirror.revision)

    def flip(self, ticket: bytes) -> FlipPlease:
        """The message that asks for the flip."""
        return FlipPlease(ticket, self._ask("flip"))

    def refused(self, message: Refused) -> PlayRefused:
        """A numbered request was refused; its card, if it was a play, is back in its slot."""
        for slot, pending in self.pending.items():
            if pending.seq == message.seq:
                del self.pending[slot]
                return PlayRefused(message, pending.card, slot)
        asked = self._asked.pop(message.seq, "play")
        self.called = self.called and asked != "call"
        return PlayRefused(message, NO_CARD, asked=asked)

    def happened(self, event: Event, seat: int) -> None:
        """An event was shown to the player of `seat`: the own `Played` is the answer, and an end answers everything."""
        if isinstance(event, Played):
            if event.seat == seat:
                self.pending.pop(event.slot, None)
        elif isinstance(event, Emptied | Took | Left):
            self.called = False
        elif isinstance(event, Won | Voided):
            self.called = False
            self.pending.clear()
            self._asked.clear()

    def keep_only(self, mirror: Mirror) -> None:
        """After a snapshot a pending card counts only if it still lies where it was played from."""
        table, seat = mirror.table, mirror.seat
        self.called = self.called and table is not None and table.phase == CALLING
        hand = table.hands[seat] if table is not None and seat >= 0 and table.phase != OVER else []
        for slot, pending in list(self.pending.items()):
            if hand[slot : slot + 1] != [pending.card]:
                del self.pending[slot]

    def next_due(self) -> int | None:
        """When the first play counts as unanswered; None while none waits."""
        return min((pending.sent_ns + NO_ANSWER_NS for pending in self.pending.values()), default=None)

    def due(self, now: int) -> list[PlayRefused]:
        """The plays that nobody answered: their cards are back."""
        late = [(slot, pending) for slot, pending in self.pending.items() if now >= pending.sent_ns + NO_ANSWER_NS]
        for slot, _ in late:
            del self.pending[slot]
        return [PlayRefused(Refused(pending.seq, "no_answer"), pending.card, slot) for slot, pending in late]

    def _ask(self, what: Asked) -> int:
        """The number of a request that is no play; what it asked for is kept for the refusal that may come."""
        self._seq += 1
        self._asked[self._seq] = what
        if len(self._asked) > MOST_ASKED:
            del self._asked[next(iter(self._asked))]
        return self._seq

    def _guess(self, mirror: Mirror, card: Card) -> int:
        """The automatic pile as the server will choose it if the pending cards land where they are drawn."""
        table = mirror.table
        assert table is not None, "only a card in hand is guessed"
        reach, held = list(table.reach), table.held[mirror.seat]
        for pending in self.pending.values():
            held &= ~(1 << pending.card)
            if 0 <= pending.pile < len(reach):
                reach[pending.pile] = table.landing(pending.card)
        return tactics.automatic_pile(held, reach, card, table.fits[card])
