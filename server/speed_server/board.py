"""The table as the fair order asks about it: where a card would land, who could contest it, whether it is the last."""

from __future__ import annotations

from collections.abc import Iterator

from speed_common import tactics
from speed_common.cards import BITS, Card, is_joker
from speed_common.table import PLAYING, STUCK, Table
from speed_server.fair.waiting import NO_PILE

_OPEN = frozenset({PLAYING, STUCK})


class TableBoard:
    """See `fair.waiting.Board`."""

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        self._table = table

    def landing(self, seat: int, card: Card, pile: int) -> int:
        """The pile that the play would land on now, `NO_PILE` when it fits nowhere it may go."""
        table = self._table
        held = table.held[seat]
        if not held & BITS[card] or table.phase not in _OPEN:
            return NO_PILE
        if pile != NO_PILE:
            return pile if 0 <= pile < len(table.reach) and table.reach[pile] & BITS[card] else NO_PILE
        if is_joker(card) and table.rules.declared:  # the server picks rank and pile: any of them may be contested
            return 0
        return tactics.automatic_pile(held, table.reach, card, table.fits[card])

    def fitting(self, seat: int, pile: int) -> Iterator[Card]:
        """The cards of that seat's hand that fit the pile."""
        cards = self._table.held[seat] & self._table.reach[pile]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            yield lowest.bit_length() - 1

    def ends(self, seat: int, card: Card) -> bool:
        """Whether this card is the seat's last."""
        return self._table.held[seat] == BITS[card] and not self._table.draws[seat]
