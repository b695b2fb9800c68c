"""The named ways to play, what a changed parameter asks of the others, and which parameters do not go together.

`make_rules` fills in what was not asked for, so that naming one thing (three players, a hand of six, two jokers) gives
a deal that balances; `check` says in one line what is wrong with rules that do not, and the nearest legal choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from speed_common.cards import DECK
from speed_common.rules import MAX_DRAW, MAX_SIDE, MIN_IDLE_US, MIN_TARGET, SECOND_US, Rules

HAND: Final = 5
PAIR: Final = 2


class RulesError(ValueError):
    """Parameters that do not go together; the text names the rule and the nearest legal choice."""


class Preset(NamedTuple):
    """A named way to play: the cards that a player sheds, a side pile, and what else differs from the default."""

    shed: int
    side: int
    changes: dict[str, int | bool | str]


_SHORT: Final = {"min_play_gap_us": "gap_us"}

PRESETS: Final = {
    "us": Preset(20, 5, {}),
    "pagat": Preset(15, 10, {}),
    "web": Preset(20, 5, {}),
    "wild": Preset(20, 5, {"jokers": 2}),
    "four": Preset(20, 5, {"players": 4}),
}


def make_rules(preset: str = "us", **changes: int | bool | str | None) -> Rules:
    """The rules of a preset with some parameters changed, checked together. Times in microseconds.

    `None` leaves a parameter as the preset has it. Sizes that are not given follow from those that are: more than two
    players take two decks and four piles; a changed hand keeps the cards that a player sheds; two players' jokers go
    to the draw piles; the side piles take what is left where it divides.

    Raises `RulesError` when a parameter is unknown, out of range, or does not go with the others.
    """
    if preset not in PRESETS:
        raise RulesError(f"no rules are called {preset!r}: choose {', '.join(PRESETS)}")
    values = {**PRESETS[preset].changes, **{name: value for name, value in changes.items() if value is not None}}
    try:
        asked = msgspec.convert(values, Rules)
    except msgspec.ValidationError as error:
        raise RulesError(_out_of_range(str(error), values)) from None
    rules = msgspec.structs.replace(asked, **_sizes(PRESETS[preset], asked, values))
    check(rules)
    return rules


@lru_cache(maxsize=1024)
def differences(preset: str, rules: Rules) -> dict[str, int | bool | str]:
    """The fewest changes that make these rules of the preset, by field: what follows from others is left out."""
    needed: dict[str, int | bool | str] = msgspec.structs.asdict(rules)
    for field in reversed(Rules.__struct_fields__):  # sizes first: they follow from players, decks and jokers
        rest = {name: value for name, value in needed.items() if name != field}
        if _made(preset, rest) == rules:
            needed = rest
    return needed


def _made(preset: str, changes: dict[str, int | bool | str]) -> Rules | None:
    try:
        return make_rules(preset, **changes)
    except RulesError:
        return None


def _out_of_range(error: str, values: dict[str, int | bool | str]) -> str:
    """A complaint about one parameter, said as one to people."""
    found = re.fullmatch(r"Expected `int` ([<>])= (\d+) - at `\$\.(\w+)`", error)
    if found is None:
        return f"the rules do not allow this: {error}"
    field, bound = found[3], "at most" if found[1] == "<" else "at least"
    word = _SHORT.get(field, field).removesuffix("_us").removesuffix("_size").replace("_", "-")
    if not field.endswith("_us"):
        return f"{word} is {values[field]}, it may be {bound} {found[2]}"
    given, limit = (float(number) / SECOND_US for number in (values[field], found[2]))
    return f"{word} is {given:g} s, it may be {bound} {limit:g} s"


def _sizes(preset: Preset, asked: Rules, given: dict[str, int | bool | str]) -> dict[str, int]:
    """The sizes that follow from what was given."""
    many = asked.players > PAIR
    decks = asked.decks if "decks" in given else 1 + many
    piles = asked.piles if "piles" in given else PAIR * (1 + many)
    hand = asked.hand_size if "hand_size" in given else HAND
    draw = asked.draw_size
    if "draw_size" not in given:
        draw = max(0, preset.shed - hand)
        if not many and "side_size" not in given:
            draw += asked.jokers // asked.players
    side = asked.side_size
    if "side_size" not in given:
        rest = DECK * decks + asked.jokers - asked.out - asked.players * (hand + draw) - piles
        fair = rest % piles == 0 and 1 <= rest // piles <= MAX_SIDE
        side = rest // piles if fair else preset.side
    return {"decks": decks, "piles": piles, "hand_size": hand, "draw_size": min(draw, MAX_DRAW), "side_size": side}


def check(rules: Rules) -> None:
    """Raise `RulesError` unless the parameters go together."""
    for complaint in _complaints(rules):
        raise RulesError(complaint)


def _complaints(rules: Rules) -> Iterator[str]:
    if rules.out >= rules.piles:
        yield (
            f"{rules.out} cards set aside are as many as there are piles: deal one more to each, or set aside at most "
            f"{rules.piles - 1}"
        )
    if rules.dealt != rules.cards:
        yield _unbalanced(rules)
    if rules.joker_mode == "declared" and not rules.jokers:
        yield "joker-mode declared needs jokers: give 2 or 4 of them, or leave it out"
    if 0 < rules.match_target < MIN_TARGET:
        yield f"a match to {rules.match_target} points is too short: 0 is a single deal, {MIN_TARGET} the least"
    if rules.match_target and rules.best_of:
        yield "a match goes to points or to deals won: give match-target or best-of, not both"
    if rules.best_of and not rules.best_of % 2:
        yield f"best of {rules.best_of} could end level: take {rules.best_of - 1} or {rules.best_of + 1}"
    if 0 < rules.idle_autoplay_us < MIN_IDLE_US:
        yield f"idle-autoplay is 0 (off) or at least {MIN_IDLE_US // SECOND_US} seconds: people think"
    if rules.false_call == "cards" and not rules.call_speed:
        yield "false-call cards needs call-speed: nobody calls without it"


def _unbalanced(rules: Rules) -> str:
    sizes = f"hand {rules.hand_size}, draw {rules.draw_size}, {rules.piles} piles of side {rules.side_size}"
    held = rules.players * (rules.hand_size + rules.draw_size)
    most = (rules.cards - rules.out - 2 * rules.piles) // rules.players - rules.hand_size
    if held > rules.cards and rules.decks == 1 and most >= 0:
        return (
            f"{rules.players} players with {rules.hand_size + rules.draw_size} cards each hold {held}, one deck has "
            f"{rules.cards}: take 2 decks, or draw at most {most}"
        )
    aside = f" and {rules.out} set aside" if rules.out else ""
    return f"{sizes}{aside} take {rules.dealt} cards, there are {rules.cards}: {_nearest_balance(rules)} would balance"


def _nearest_balance(rules: Rules) -> str:
    """The legal sizes nearest to the rules' own: another draw pile first, then cards set aside, then more jokers."""
    for out in (rules.out, *(count for count in range(rules.piles) if count != rules.out)):
        for draw in sorted(range(MAX_DRAW + 1), key=lambda draw: abs(draw - rules.draw_size)):
            rest = rules.cards - out - rules.players * (rules.hand_size + draw) - rules.piles
            if rest % rules.piles == 0 and 1 <= rest // rules.piles <= MAX_SIDE:
                aside = f", out {out}" if out != rules.out else ""
                return f"draw {draw} with side {rest // rules.piles}{aside}"
    return "no deal of this hand"
