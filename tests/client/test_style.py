from __future__ import annotations

import re

import pytest

from speed_client.style import SIGNS, THEMES, Look, choose_look, prints_signs

# The named colours as xterm shows them.
NAMED = {
    "ansiwhite": "#ffffff",
    "ansigray": "#e5e5e5",
    "ansibrightred": "#f14c4c",
    "ansibrightgreen": "#23d18b",
    "ansibrightcyan": "#29b8db",
    "ansibrightyellow": "#f5f543",
}
BIG = {"paper", "paper-red", "flash", "flash-red", "back", "line", "box"}


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("theme", "name"), [(theme, name) for theme in ("dark", "light") for name in THEMES[theme].styles]
)
def test_text_stands_out_from_its_ground(theme: str, name: str) -> None:
    style = THEMES[theme].styles[name]
    ground = re.search(r"bg:(#\w+)", style)
    ink = re.search(r"(?<!:)(#[0-9a-f]{6}|ansi\w+)", style)
    assert ink is not None
    found = contrast(NAMED.get(ink[1], ink[1]), ground[1] if ground else THEMES[theme].ground)
    assert found >= (3.0 if name in BIG else 4.5), f"{found:.1f}"


def test_all_themes_name_the_same_styles() -> None:
    assert len({frozenset(theme.styles) for theme in THEMES.values()}) == 1


def test_the_theme_without_colours_has_none() -> None:
    words = {word for style in THEMES["none"].styles.values() for word in style.split()}
    assert words <= {"bold", "reverse"}


@pytest.mark.parametrize(("encoding", "prints"), [("utf-8", True), ("latin-1", False), ("ascii", False), (None, False)])
def test_signs_are_used_where_the_encoding_has_them(encoding: str | None, prints: bool) -> None:  # noqa: FBT001
    assert prints_signs(encoding) is prints
    assert choose_look(None, ascii_only=False, encoding=encoding, environ={}).ascii is not prints


def test_an_unknown_encoding_prints_no_signs() -> None:
    assert not prints_signs("no such")
    assert len(SIGNS) > 20


def test_no_color_takes_colours_and_leaves_the_signs() -> None:
    look = choose_look("dark", ascii_only=False, encoding="utf-8", environ={"NO_COLOR": "1"})
    assert look == Look("none", ascii=False)


def test_an_empty_no_color_says_nothing() -> None:
    assert choose_look(None, ascii_only=True, encoding="utf-8", environ={"NO_COLOR": ""}) == Look("dark", ascii=True)


def test_an_unknown_theme_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="dark, light, none"):
        choose_look("pink", ascii_only=False, encoding="utf-8", environ={})
