"""Colours as data: what each style name is in prompt_toolkit's words, by theme and by deck.

A painter gives every cell a style name ("paper-heart", "hint"). Another theme or another deck is another dictionary
here; `tests/client/test_themes.py` measures the contrast of every pair of ink and ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SUITS: Final = ("club", "diamond", "heart", "spade")
"""In the order of `cards.suit_of`."""

_INK_ORDER: Final = ("spade", "heart", "diamond", "club")

DECKS: Final = ("2-colour", "4-colour", "colour-blind")

_DARK: Final[Mapping[str, str]] = {
    "back": "#5f87d7",
    "lift": "ansibrightyellow bold",
    "sent": "#8a8a8a",
    "me": "ansibrightgreen bold",
    "foe": "ansibrightcyan bold",
    "score": "ansiwhite bold",
    "clock": "ansiwhite bold",
    "head": "ansiwhite bold",
    "key": "ansibrightyellow bold",
    "status": "ansibrightyellow bold",
    "late": "ansibrightred bold",
    "alarm": "ansibrightred bold",
    "good": "ansibrightgreen bold",
    "call": "bg:#d7af00 #000000 bold",
    "hint": "#8a8a8a",
    "line": "#6c6c6c",
    "focus": "ansibrightyellow bold",
    "bar": "bg:#303030 #bcbcbc",
    "panel": "bg:#303030 #d0d0d0",
    "panel-head": "bg:#303030 #ffffff bold",
    "panel-good": "bg:#303030 ansibrightgreen bold",
    "panel-bad": "bg:#303030 ansibrightcyan bold",
    "panel-hint": "bg:#303030 #a8a8a8",
    "panel-key": "bg:#303030 ansibrightyellow bold",
}

_LIGHT: Final[Mapping[str, str]] = {
    "back": "#5f87d7",
    "lift": "#875f00 bold",
    "sent": "#626262",
    "me": "#005f00 bold",
    "foe": "#005f87 bold",
    "score": "#000000 bold",
    "clock": "#000000 bold",
    "head": "#000000 bold",
    "key": "#875f00 bold",
    "status": "#875f00 bold",
    "late": "#af0000 bold",
    "alarm": "#af0000 bold",
    "good": "#005f00 bold",
    "call": "bg:#875f00 #ffffff bold",
    "hint": "#626262",
    "line": "#767676",
    "focus": "#875f00 bold",
    "bar": "bg:#d0d0d0 #303030",
    "panel": "bg:#d0d0d0 #303030",
    "panel-head": "bg:#d0d0d0 #000000 bold",
    "panel-good": "bg:#d0d0d0 #005f00 bold",
    "panel-bad": "bg:#d0d0d0 #005f87 bold",
    "panel-hint": "bg:#d0d0d0 #444444",
    "panel-key": "bg:#d0d0d0 #5f3f00 bold",
}

# Named colours only, which a terminal of sixteen colours has. `ansibrightblack` vanishes in some palettes: not used.
_NAMED: Final[Mapping[str, str]] = {
    "back": "ansibrightblue",
    "lift": "ansibrightyellow bold",
    "sent": "ansigray",
    "me": "ansibrightgreen bold",
    "foe": "ansibrightcyan bold",
    "score": "ansiwhite bold",
    "clock": "ansiwhite bold",
    "head": "ansiwhite bold",
    "key": "ansibrightyellow bold",
    "status": "ansibrightyellow bold",
    "late": "ansibrightred bold",
    "alarm": "ansibrightred bold",
    "good": "ansibrightgreen bold",
    "call": "bg:ansibrightyellow ansiblack bold",
    "hint": "ansigray",
    "line": "ansigray",
    "focus": "ansibrightyellow bold",
    "bar": "bg:ansigray ansiblack",
    "panel": "bg:ansigray ansiblack",
    "panel-head": "bg:ansigray ansiblack bold",
    "panel-good": "bg:ansigray ansiblack bold",
    "panel-bad": "bg:ansigray ansiblack bold",
    "panel-hint": "bg:ansigray ansiblack",
    "panel-key": "bg:ansigray ansiblue bold",
}

_NAMED_LIGHT: Final[Mapping[str, str]] = {
    **_NAMED,
    "back": "ansiblue",
    "lift": "ansired bold",
    "sent": "ansiblack",
    "me": "ansiblack bold",
    "foe": "ansiblue bold",
    **dict.fromkeys(("score", "clock", "head", "good"), "ansiblack bold"),
    **dict.fromkeys(("key", "status", "focus"), "ansiblue bold"),
    **dict.fromkeys(("late", "alarm"), "ansired bold"),
    "call": "bg:ansiblue ansiwhite bold",
    "hint": "ansiblack",
    "line": "ansiblack",
}

_NONE: Final[Mapping[str, str]] = {
    **dict.fromkeys(_DARK, ""),
    **dict.fromkeys(("lift", "me", "score", "clock", "head", "key", "status", "late"), "bold"),
    **dict.fromkeys(("alarm", "good", "focus", "panel-head", "panel-good", "panel-bad", "panel-key"), "bold"),
    "bar": "reverse",
    "call": "reverse bold",
}


@dataclass(frozen=True, slots=True)
class Paper:
    """How cards are coloured: the ground of the paper, a frame's colour, and by deck the inks of the four suits."""

    ground: str
    frame: str
    inks: Mapping[str, tuple[str, str, str, str]]
    frame_inks: Mapping[str, tuple[str, str, str, str]]


_ON_PALE: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "2-colour": ("#000000", "#d70000", "#d70000", "#000000"),
    "4-colour": ("#000000", "#d70000", "#005faf", "#00875f"),
    "colour-blind": ("#000000", "#af5f00", "#005faf", "#00875f"),
}
_ON_DARK: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "2-colour": ("#ffffff", "#ff8787", "#ff8787", "#ffffff"),
    "4-colour": ("#ffffff", "#ff8787", "#87afff", "#87d787"),
    "colour-blind": ("#ffffff", "#ffaf5f", "#5fafff", "#5fd7af"),
}
# Of sixteen colours only these are dark enough for grey paper: so clubs are magenta, and red stays red.
_ON_GRAY: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "2-colour": ("ansiblack", "ansired", "ansired", "ansiblack"),
    "4-colour": ("ansiblack", "ansired", "ansiblue", "ansimagenta"),
    "colour-blind": ("ansiblack", "ansired", "ansiblue", "ansimagenta"),
}
_ON_BLACK: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "2-colour": ("ansiwhite", "ansibrightred", "ansibrightred", "ansiwhite"),
    "4-colour": ("ansiwhite", "ansibrightred", "ansibrightcyan", "ansibrightgreen"),
    "colour-blind": ("ansiwhite", "ansibrightyellow", "ansibrightcyan", "ansibrightgreen"),
}
_ON_WHITE: Final[Mapping[str, tuple[str, str, str, str]]] = {
    **_ON_PALE,
    "4-colour": ("#000000", "#d70000", "#005faf", "#00775f"),
    "colour-blind": ("#000000", "#af5f00", "#005faf", "#00775f"),
}
_NO_INKS: Final[Mapping[str, tuple[str, str, str, str]]] = dict.fromkeys(DECKS, ("", "", "", ""))


@dataclass(frozen=True, slots=True)
class Theme:
    """A name, the ground that its colours are meant for, what each style name is, and its paper."""

    name: str
    ground: str
    plain: Mapping[str, str]
    paper: Paper

    def styles(self, deck: str = "2-colour") -> dict[str, str]:
        """Every style name in prompt_toolkit's words, with the inks of a deck."""
        return {**self.plain, **_card_styles(self.paper, deck)}


def _card_styles(paper: Paper, deck: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if not paper.ground:
        found = {"paper": "reverse", "flash": "", "box": ""}
        for suit in SUITS:
            found |= {f"paper-{suit}": "reverse bold", f"flash-{suit}": "bold", f"box-{suit}": "bold"}
        return found
    first = paper.inks[deck][0]
    found = {
        "paper": f"bg:{paper.ground} {first}",
        "flash": f"bg:{first} {paper.ground}",
        "box": paper.frame,
    }
    for suit, ink, frame_ink in zip(_INK_ORDER, paper.inks[deck], paper.frame_inks[deck], strict=True):
        found[f"paper-{suit}"] = f"bg:{paper.ground} {ink} bold"
        found[f"flash-{suit}"] = f"bg:{ink} {paper.ground} bold"
        found[f"box-{suit}"] = f"{frame_ink} bold"
    return found


THEMES: Final[Mapping[str, Theme]] = {
    "dark": Theme("dark", "#000000", _DARK, Paper("#e4e4e4", "#8a8a8a", _ON_PALE, _ON_BLACK)),
    "light": Theme("light", "#ffffff", _LIGHT, Paper("#303030", "#626262", _ON_DARK, _ON_WHITE)),
    "16-colour": Theme("16-colour", "ansiblack", _NAMED, Paper("ansigray", "ansigray", _ON_GRAY, _ON_BLACK)),
    "16-light": Theme("16-light", "ansiwhite", _NAMED_LIGHT, Paper("ansigray", "ansiblack", _ON_GRAY, _ON_GRAY)),
    "none": Theme("none", "", _NONE, Paper("", "", _NO_INKS, _NO_INKS)),
}
"""`16-light` is what `16-colour` becomes on a light ground."""
