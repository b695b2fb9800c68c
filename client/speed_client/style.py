"""How things look: themes as data, and the choice of glyphs and colours for a terminal.

A painter gives every cell a *style name* ("paper-red", "hint"); a theme says what that name is in prompt_toolkit's
words. Another theme is another dictionary here. Colour and glyphs are two independent switches: `NO_COLOR` takes no
signs away, and a terminal that cannot print suits keeps its colours.
"""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SIGNS: Final = "♠♥♦♣█▀▄▒░·–—→◂─│═║╔╗╚╝┌┐└┘▁▂▃▅▇"

_DARK: Final[Mapping[str, str]] = {
    "paper": "bg:#e4e4e4 #000000",
    "paper-dark": "bg:#e4e4e4 #000000 bold",
    "paper-red": "bg:#e4e4e4 #d70000 bold",
    "flash": "bg:#000000 #e4e4e4",
    "flash-dark": "bg:#000000 #e4e4e4 bold",
    "flash-red": "bg:#d70000 #ffffff bold",
    "box": "#8a8a8a",
    "box-dark": "ansiwhite bold",
    "box-red": "ansibrightred bold",
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
    "paper": "bg:#303030 #ffffff",
    "paper-dark": "bg:#303030 #ffffff bold",
    "paper-red": "bg:#303030 #ff8787 bold",
    "flash": "bg:#ffffff #303030",
    "flash-dark": "bg:#ffffff #303030 bold",
    "flash-red": "bg:#ffffff #d70000 bold",
    "box": "#626262",
    "box-dark": "#000000 bold",
    "box-red": "#d70000 bold",
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

_NONE: Final[Mapping[str, str]] = {
    **dict.fromkeys(_DARK, ""),
    "paper": "reverse",
    "paper-dark": "reverse bold",
    "paper-red": "reverse bold",
    "flash-dark": "bold",
    "flash-red": "bold",
    **dict.fromkeys(("box-dark", "box-red", "lift", "me", "score", "clock", "head", "key", "status", "late"), "bold"),
    **dict.fromkeys(("alarm", "good", "focus", "panel-head", "panel-good", "panel-bad", "panel-key"), "bold"),
    "bar": "reverse",
    "call": "reverse bold",
}


@dataclass(frozen=True, slots=True)
class Theme:
    """A name, the ground that its colours are meant for, and what each style name is."""

    name: str
    ground: str
    styles: Mapping[str, str]


THEMES: Final[Mapping[str, Theme]] = {
    "dark": Theme("dark", "#000000", _DARK),
    "light": Theme("light", "#ffffff", _LIGHT),
    "none": Theme("none", "", _NONE),
}


@dataclass(frozen=True, slots=True)
class Look:
    """What a painter must know of the terminal. `motion` off leaves out the flash of a pile that took a card."""

    theme: str = "dark"
    ascii: bool = False
    motion: bool = True

    @property
    def styles(self) -> dict[str, str]:
        """The theme as prompt_toolkit's style dictionary."""
        return dict(THEMES[self.theme].styles)


def choose_look(theme: str | None, *, ascii_only: bool, encoding: str | None, environ: Mapping[str, str]) -> Look:
    """The look for this terminal: what was asked for, bounded by what it can print.

    No colours when `NO_COLOR` is set to anything but nothing; no signs when `encoding` cannot write them all.
    Raises `ValueError` for a theme that is not known.
    """
    if theme is not None and theme not in THEMES:
        raise ValueError(f"no theme is called {theme!r}: choose {', '.join(THEMES)}")
    return Look(
        theme="none" if environ.get("NO_COLOR") else theme or "dark",
        ascii=ascii_only or not prints_signs(encoding),
    )


def prints_signs(encoding: str | None) -> bool:
    """Whether text in this encoding can hold the suits and blocks that the table is painted with."""
    try:
        SIGNS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
