"""Rules in words: one list of words for the options of a command, the lobby, the records and what a player types.

`describe(rules)` says rules as a preset and what differs from it (`four no-wrap hand 3`), `parse_words` reads that
back, and `add_rule_options` offers them to a command line, together or as options (`--rules "four no-wrap" --hand 3`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from speed_common.presets import PRESETS, RulesError, differences, make_rules
from speed_common.rules import SECOND_US, Rules

Kind = Literal["count", "seconds", "flag", "choice"]


class RuleWord(NamedTuple):
    """A parameter's word, its field in `Rules`, what stands behind the word, and its help."""

    word: str
    field: str
    kind: Kind
    help: str
    choices: tuple[str, ...] = ()


WORDS: Final = (
    RuleWord("players", "players", "count", "2 to 4"),
    RuleWord("decks", "decks", "count", "1 or 2"),
    RuleWord("jokers", "jokers", "count", "jokers in the deck"),
    RuleWord("hand", "hand_size", "count", "cards in the hand"),
    RuleWord("draw", "draw_size", "count", "cards in the draw pile"),
    RuleWord("piles", "piles", "count", "centre piles, each with a side pile"),
    RuleWord("side", "side_size", "count", "cards in a side pile"),
    RuleWord("out", "out", "count", "cards set aside, where sizes do not balance"),
    RuleWord("wrap", "wrap", "flag", "ace and king meet"),
    RuleWord("same-rank", "same_rank", "flag", "the same rank fits too"),
    RuleWord("joker-mode", "joker_mode", "choice", "whether a joker stands for a rank", ("open", "declared")),
    RuleWord("reshuffle", "reshuffle", "choice", "where new side piles come from", ("pooled", "per_pile")),
    RuleWord("tuck", "tuck", "flag", "hands are put back when nothing helps"),
    RuleWord("refill", "refill", "choice", "who draws", ("auto", "manual")),
    RuleWord("flip-trigger", "flip_trigger", "choice", "what flips a stuck table", ("auto", "all_ready")),
    RuleWord("call-speed", "call_speed", "flag", 'who has no cards left must call "Speed!"'),
    RuleWord("false-call", "false_call", "choice", "what a false call costs", ("none", "freeze", "cards")),
    RuleWord("call-window", "call_window_us", "seconds", "how long one may wait with the call"),
    RuleWord("flip-delay", "flip_delay_us", "seconds", "from stuck to the flip"),
    RuleWord("gap", "min_play_gap_us", "seconds", "least time between two plays of one player"),
    RuleWord("beaten-window", "beaten_window_us", "seconds", "how late a play may be to count as beaten"),
    RuleWord("idle-autoplay", "idle_autoplay_us", "seconds", "plays for players who are idle so long; 0 never"),
    RuleWord("match-target", "match_target", "count", "points that win a match; 0 plays single deals"),
    RuleWord("best-of", "best_of", "count", "a match to the most of so many deals; 0 plays single deals"),
)
_BY_WORD: Final = {word.word: word for word in WORDS}
_DEFAULT: Final = "us"


def add_rule_options(parser: argparse.ArgumentParser, *also: str) -> None:
    """Give the command an option for each rule: `--rules WORDS` (or as one of `also`) and the words."""
    group = parser.add_argument_group(
        "rules", "players x (hand + draw) + piles x (side + 1) + out are all cards; what is not given follows."
    )
    group.add_argument(
        "--rules",
        *also,
        type=_option_words,
        default=_DEFAULT,
        metavar="WORDS",
        help=f'{", ".join(PRESETS)} (%(default)s), and words that change it: "four no-wrap hand 3"; '
        "the options below change it further",
    )
    for word in WORDS:
        name, field = f"--{word.word}", f"rule_{word.field}"
        if word.kind == "flag":
            group.add_argument(name, dest=field, action=argparse.BooleanOptionalAction, default=None, help=word.help)
        elif word.kind == "choice":
            group.add_argument(name, dest=field, choices=word.choices, help=word.help)
        else:
            metavar = "S" if word.kind == "seconds" else "N"
            help_text = f"seconds {word.help}" if word.kind == "seconds" else word.help
            group.add_argument(name, dest=field, type=_option_type(word), metavar=metavar, help=help_text)


def rules_from(options: argparse.Namespace) -> Rules:
    """The rules that the options of `add_rule_options` say. Raises `RulesError`."""
    preset, changes = options.rules
    given = {word.field: getattr(options, f"rule_{word.field}") for word in WORDS}
    return make_rules(preset, **changes | {field: value for field, value in given.items() if value is not None})


def parse_words(text: str) -> Rules:
    """The rules that words say, as `describe` writes them: a preset (or none: us), then words, commas welcome.

    Raises `RulesError`.
    """
    preset, changes = _read_words(text)
    return make_rules(preset, **changes)


def _read_words(text: str) -> tuple[str, dict[str, Any]]:
    """The preset that words name and what they change of it, by field. Raises `RulesError`."""
    words = iter(text.replace(",", " ").split())
    preset, changes = _DEFAULT, dict[str, Any]()
    for place, given in enumerate(words):
        if not place and given in PRESETS:
            preset = given
            continue
        negated = given.startswith("no-")
        word = _BY_WORD.get(given.removeprefix("no-"))
        if word is None or (negated and word.kind != "flag"):
            presets = "" if place else f"{', '.join(PRESETS)}, then "
            known = f"{presets}{', '.join(_BY_WORD)} (or no- before a flag)"
            raise RulesError(f"no rule is called {given!r}: the words are {known}")
        changes[word.field] = not negated if word.kind == "flag" else _value(word, next(words, ""))
    return preset, changes


@lru_cache(maxsize=256)
def describe(rules: Rules) -> str:
    """The fewest words that `parse_words` reads as these rules: the nearest preset and what differs from it."""
    candidates = [(preset, *_differences(preset, rules)) for preset in PRESETS]
    fewest = min(map(len, candidates))
    return " ".join(next(words for words in candidates if len(words) == fewest))


def _differences(preset: str, rules: Rules) -> Iterator[str]:
    needed = differences(preset, rules)
    for word in WORDS:
        if word.field in needed:
            yield from _said(word, needed[word.field])


def _said(word: RuleWord, value: Any) -> Iterator[str]:
    if word.kind == "flag":
        yield word.word if value else f"no-{word.word}"
        return
    yield word.word
    yield f"{value / SECOND_US:.6f}".rstrip("0").rstrip(".") if word.kind == "seconds" else str(value)


def _option_words(text: str) -> tuple[str, dict[str, Any]]:
    try:
        return _read_words(text)
    except RulesError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _option_type(word: RuleWord) -> Any:
    def read(text: str) -> int | str:
        try:
            return _value(word, text)
        except RulesError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def _value(word: RuleWord, text: str) -> int | str:
    """What stands behind the word; seconds become microseconds. Raises `RulesError`."""
    if word.kind == "choice":
        if text not in word.choices:
            raise RulesError(f"{word.word} is {' or '.join(word.choices)}, not {text!r}")
        return text
    try:
        return round(float(text) * SECOND_US) if word.kind == "seconds" else int(text)
    except (ValueError, OverflowError):
        kind = "seconds" if word.kind == "seconds" else "a whole number"
        raise RulesError(f"{word.word} takes {kind}, not {text!r}") from None
