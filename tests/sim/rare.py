"""Counting what rarely happens, so that nobody believes a simulation that never gets there."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tests.sim.truth import DealTruth

from speed_common.cards import FIRST_JOKER, NO_CARD, NO_RANK
from speed_common.events import Event, Flipped, Left, Played, Took
from speed_common.record_words import kind_of

RARE: Final = (
    *("stuck", "waiting", "freed", "flipped", "lone flip", "reshuffled", "tucked", "won", "voided"),
    *("emptied", "caught", "took for a false call", "frozen", "flip_asked", "left", "left of four", "beaten", "drew"),
    *("joker", "named joker", "code deal", "secret deal", "lifted", "dropped"),
    *("end: won", "end: forfeit", "end: void", "end: unfinished"),
    *("answer: beaten", "answer: late_link", "answer: illegal", "answer: not_in_hand", "answer: paused"),
    *("refused: too_fast", "refused: paused", "refused: not_started", "refused: deal_over", "refused: calling"),
    *("refused: frozen", "refused: seated", "refused: not_seated"),
    *("goodbye: taken_over", "goodbye: unknown_ticket", "goodbye: seated"),
    *("paused", "resumed", "return", "resync", "lagging", "rubbish", "lost delta", "twice", "hiccup"),
    *("cut", "half-dead", "stall", "nap", "crash", "second window", "late spectator", "clock step", "rematch"),
    *("link lost", "gone for good", "missed bulletin", "grace over", "autoplay", "match over"),
)


def rare_things(deal: DealTruth, events: list[Event], met: Counter[str]) -> None:
    """Count what these events are, seen after all of them."""
    for event in events:
        kind = kind_of(type(event))
        met[kind] += 1
        if isinstance(event, Flipped):
            met["lone flip"] += NO_CARD in event.tops
        elif isinstance(event, Took):
            met["caught" if event.by >= 0 else "took for a false call"] += 1
        elif isinstance(event, Left):
            met["left of four"] += deal.table.rules.players == 4
        elif isinstance(event, Played):
            met["joker"] += event.card >= FIRST_JOKER
            met["named joker"] += event.named != NO_RANK
        elif kind == "revealed":
            met["secret deal" if deal.number is None else "code deal"] += 1
