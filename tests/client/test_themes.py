from __future__ import annotations

import re

import pytest

from speed_client.themes import DECKS, THEMES

# The named colours as common terminals show them; a terminal may have others, and nothing can be said of those.
NAMED = {
    "ansiblack": "#000000",
    "ansired": "#cd0000",
    "ansiblue": "#0000cd",
    "ansimagenta": "#a0009f",
    "ansigray": "#e5e5e5",
    "ansiwhite": "#ffffff",
    "ansibrightred": "#f14c4c",
    "ansibrightgreen": "#23d18b",
    "ansibrightcyan": "#29b8db",
    "ansibrightyellow": "#f5f543",
    "ansibrightblue": "#5c8cff",
}
BIG = re.compile(r"(paper|flash|box)(-|$)|back$|line$")
"""What is large or drawn needs less: block numerals, backs, frames."""


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(NAMED.get(one, one)), luminance(NAMED.get(other, other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def pair(style: str, ground: str) -> tuple[str, str]:
    """Ink and ground of a style."""
    own = re.search(r"bg:(#\w+|ansi\w+)", style)
    ink = re.search(r"(?<!:)(#[0-9a-f]{6}|ansi\w+)", style)
    assert ink is not None, style
    return ink[1], own[1] if own else ground


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("theme", [name for name in THEMES if name != "none"])
def test_everything_stands_out_from_its_ground(theme: str, deck: str) -> None:
    found = {name: contrast(*pair(style, THEMES[theme].ground)) for name, style in THEMES[theme].styles(deck).items()}
    faint = {name: round(value, 1) for name, value in found.items() if value < (3.0 if BIG.match(name) else 4.5)}
    assert not faint


@pytest.mark.parametrize("theme", ["dark", "light", "16-colour", "16-light"])
def test_four_colours_are_four_and_two_are_two(theme: str) -> None:
    def inks(deck: str) -> set[str]:
        styles = THEMES[theme].styles(deck)
        return {styles[f"paper-{suit}"] for suit in ("spade", "heart", "diamond", "club")}

    assert [len(inks(deck)) for deck in DECKS] == [2, 4, 4]


def test_all_themes_name_the_same_styles() -> None:
    assert len({frozenset(theme.styles(deck)) for theme in THEMES.values() for deck in DECKS}) == 1


@pytest.mark.parametrize("theme", ["16-colour", "16-light"])
@pytest.mark.parametrize("deck", DECKS)
def test_sixteen_colours_are_named_ones_only(theme: str, deck: str) -> None:
    styles = " ".join(THEMES[theme].styles(deck).values())
    assert "#" not in styles
    assert "ansibrightblack" not in styles


def test_the_theme_without_colours_has_none() -> None:
    words = {word for style in THEMES["none"].styles().values() for word in style.split()}
    assert words <= {"bold", "reverse"}
