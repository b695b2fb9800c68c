"""How things look on this terminal: the theme, the deck, the glyphs and the keys, as one value that painters take.

Colour and glyphs are two independent switches: `NO_COLOR` takes no signs away, and a terminal that cannot print suits
keeps its colours. What was chosen is bounded by what the terminal can show, as far as it was asked (`probe`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from speed_client.choices import Choices
from speed_client.keymap import Keymap, make_keymap
from speed_client.themes import THEMES

__all__ = ["SIGNS", "THEMES", "Look", "Traits", "choose_look", "prints_signs"]

SIGNS: Final = "♠♥♦♣█▀▄▒░·–—→◂─│═║╔╗╚╝┌┐└┘┬├▁▂▃▅▇"  # noqa: RUF001 - a dash as it stands on the screen

Suits: TypeAlias = Literal["signs", "letters", "none"]
Frame: TypeAlias = Literal["paper", "framed", "compact"]

_FEW_COLOURS: Final = frozenset({"linux", "eterm-color", "ansi", "vt220", "vt100", "cygwin", "xterm-16color"})


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of a terminal: which signs its encoding has, and what it answered when it was asked.

    `light`: its ground is light (None: it did not say). `wide_suits`, `wide_lines`: those signs take two cells there.
    """

    encoding: str | None = "utf-8"
    term: str = ""
    light: bool | None = None
    wide_suits: bool = False
    wide_lines: bool = False
    no_color: bool = False
    depth: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """What a painter must know. `motion` off leaves out the flash of a pile that took a card."""

    theme: str = "dark"
    ascii: bool = False
    motion: bool = True
    deck: str = "2-colour"
    suits: Suits = "signs"
    frame: Frame = "paper"
    keys: Keymap = field(default_factory=make_keymap)

    @property
    def styles(self) -> dict[str, str]:
        """Theme and deck as prompt_toolkit's style dictionary."""
        return THEMES[self.theme].styles(self.deck)


def choose_look(choices: Choices, traits: Traits, language: str = "") -> Look:
    """The look on this terminal: what was chosen, bounded by what it can print.

    No colours when `NO_COLOR` is set; no signs when the encoding cannot write them all, or where lines take two cells;
    letters for suits where only those are wide. `language` (two letters) decides between two digit rows.
    """
    ascii_only = choices.glyphs == "ascii" or not prints_signs(traits.encoding)
    suits = choices.suits
    if choices.glyphs == "auto":
        ascii_only = ascii_only or traits.wide_lines
        suits = "letters" if traits.wide_suits and suits == "signs" else suits
    frames: dict[str, Frame] = {"auto": "paper", "framed": "framed", "compact": "compact"}
    return Look(
        theme=_theme(choices.theme, traits),
        ascii=ascii_only,
        motion=choices.motion,
        deck=choices.deck,
        suits=suits,  # type: ignore[arg-type]  # `options` lets no other word through
        frame=frames[choices.card_size],
        keys=make_keymap(
            choices.layout, aliases=choices.aliases, mirror=choices.mirror, changed=choices.keys, language=language
        ),
    )


def _theme(chosen: str, traits: Traits) -> str:
    if traits.no_color:
        return "none"
    if chosen == "auto":
        if traits.depth == "DEPTH_1_BIT":
            return "none"
        few = traits.term in _FEW_COLOURS or traits.depth == "DEPTH_4_BIT"
        chosen = "16-colour" if few else "light" if traits.light else "dark"
    return "16-light" if chosen == "16-colour" and traits.light else chosen


def traits_of(environ: Mapping[str, str], encoding: str | None) -> Traits:
    """What the environment alone tells of the terminal."""
    return Traits(
        encoding=encoding,
        term=environ.get("TERM", ""),
        no_color=bool(environ.get("NO_COLOR")),
        depth=environ.get("PROMPT_TOOLKIT_COLOR_DEPTH", ""),
    )


def prints_signs(encoding: str | None) -> bool:
    """Whether text in this encoding can hold the suits and blocks that the table is painted with."""
    try:
        SIGNS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
