"""What the line modes of a player and of a spectator say alike. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from speed_client.banner import NO_END_NS
from speed_client.news import (
    LinkChanged,
)
from speed_client.wording import MICROSECONDS, cards_word, pile_word, rank_word
from speed_common.cards import NO_CARD
from speed_common.events import (
    Emptied,
    Event,
    FlipAsked,
    Freed,
    Frozen,
    Left,
    Played,
    Reshuffled,
    Stuck,
    Took,
    Waiting,
)
from speed_common.rules import Rules
from speed_common.wire import Room

SECOND_NS: Final = 1_000_000_000


class Speaker:
    """What a player and a spectator say alike. The last room said is kept, to say only what is different."""

    _flip_wish = "Say flip; it comes when all have, or in"

    def __init__(self) -> None:
        self._said: dict[int, Room] = {}

    def _link(self, news: LinkChanged) -> str:
        return "Linked." if news.link == "up" else "No link to the server."

    def _told(self, event: Event, who: dict[int, str], rules: Rules) -> str | None:
        """A line for an event as anybody may know it; None for what is not worth one."""
        if isinstance(event, Stuck):
            wait = (event.due - event.at) / MICROSECONDS
            if rules.flip_trigger == "all_ready":
                return f"Stuck. {self._flip_wish} {wait:.0f} s."
            return f"Stuck. New cards in {wait:.1f} s."
        if isinstance(event, Waiting):
            return f"Stuck. New cards in {(event.due - event.at) / MICROSECONDS:.1f} s."
        if isinstance(event, Freed):
            return "Not stuck any more."
        if isinstance(event, Reshuffled):
            return "Reshuffled."
        if isinstance(event, Played):
            card = rank_word(event.card, event.named)
            return f"{who.get(event.seat) or 'Somebody'} {card} {pile_word(event.pile, rules.piles)}."
        if isinstance(event, Emptied | Frozen | Took | FlipAsked | Left):
            return self._house_rule(event, who, rules)
        return None

    def _house_rule(self, event: Emptied | Frozen | Took | FlipAsked | Left, who: dict[int, str], rules: Rules) -> str:
        name = who.get(event.seat) or "Somebody"
        you = name == "You"
        if isinstance(event, Emptied):
            left = f"{(event.due - event.at) / MICROSECONDS:.1f} s"
            return (
                f"You have no cards left. Say speed within {left}." if you else f"{name} has no cards left. Call speed!"
            )
        if isinstance(event, Frozen):
            return f"{name} {'are' if you else 'is'} frozen for {(event.until - event.at) / MICROSECONDS:.1f} s."
        if isinstance(event, Took):
            caller = who.get(event.by)
            why = "False call." if caller is None else f"{caller} called first."
            cards = cards_word(sum(card != NO_CARD for card in (*event.hand, *event.draw)))
            return (
                f"{why} {name} {'take' if you else 'takes'} the {pile_word(event.pile, rules.piles)} pile: {cards} now."
            )
        if isinstance(event, FlipAsked):
            return f"{name} {'ask' if you else 'asks'} for the flip."
        return f"{name} left. Those cards go under the side piles."

    def _missing(self, room: Room, ahead_ns: int | None) -> Iterator[str]:
        """Who dropped or came back since the room was last said."""
        before = self._said.get(room.table)
        for seat, info in enumerate(room.seats):
            was = before.seats[seat] if before is not None and seat < len(before.seats) else None
            if info.name and not info.connected and (was is None or was.connected):
                wait = (
                    ""
                    if ahead_ns is None or ahead_ns > NO_END_NS
                    else f" The table waits {max(0, ahead_ns) // SECOND_NS} seconds."
                )
                yield f"{info.name} lost the link.{wait}"
            elif was is not None and was.name == info.name and info.connected and not was.connected:
                yield f"{info.name} is back."
