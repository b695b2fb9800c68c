"""What can be said in a player's line mode: the words that play a card, and the help that lists all words. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from speed_client.keys import pile_keys
from speed_client.wording import listed, pile_word
from speed_common.events import AUTO_PILE
from speed_common.rules import Rules

MOST_SLOTS: Final = 10

_SUFFIXES: Final[Mapping[int, Mapping[str, int]]] = {
    2: {"l": 0, "r": 1},
    3: {"l": 0, "m": 1, "r": 2},
    4: {"ll": 0, "l": 1, "r": 2, "rr": 3},
}
_WORD: Final = re.compile(r"([0-9]{1,2})([lmr]{0,2})")


def parse_play(word: str, piles: int = 2) -> tuple[int, int] | None:
    """The (slot, pile) that a word names at a table of so many piles; None when it names no play.

    Slot and pile count from 0, `AUTO_PILE` stands for no pile.
    """
    if len(word) == 1:
        for pile, keys in enumerate(pile_keys(piles)):
            if word in keys:
                return keys.index(word), pile
    found = _WORD.fullmatch(word)
    if found is None or not 1 <= int(found[1]) <= MOST_SLOTS:
        return None
    suffixes = {"": AUTO_PILE, **_SUFFIXES.get(piles, {})}
    return (int(found[1]) - 1, suffixes[found[2]]) if found[2] in suffixes else None


def help_of(rules: Rules | None) -> tuple[str, ...]:
    """What can be said at a table of these rules, line by line."""
    rules = rules or Rules()
    piles = rules.piles
    names = listed([f"1{end} {pile_word(pile, piles)}" for end, pile in _SUFFIXES[piles].items()])
    rows = [f"{' '.join(keys)} plays them {pile_word(pile, piles)}" for pile, keys in enumerate(pile_keys(piles))]
    lines = [
        f"1 to {rules.hand_size} plays the card of that slot. For a certain pile: {names}.",
        f"{rows[0].replace('them', 'slots 1 to 5')}, {', '.join(rows[1:])}.",
        "Empty line or ready: ready, or rematch. hand: your cards and the piles. leave: give up your seat. help: this.",
    ]
    if rules.refill == "manual":
        lines.append("draw: take a card of your draw pile.")
    if rules.flip_trigger == "all_ready":
        lines.append("flip, or an empty line when stuck: ask for the flip.")
    if rules.call_speed:
        lines.append("speed, or an empty line when somebody is out: call Speed.")
    return tuple(lines)
