from __future__ import annotations

import pytest

from speed_client.choices import Choices
from speed_client.style import SIGNS, Look, Traits, choose_look, prints_signs, traits_of


@pytest.mark.parametrize(("encoding", "prints"), [("utf-8", True), ("latin-1", False), ("ascii", False), (None, False)])
def test_signs_are_used_where_the_encoding_has_them(encoding: str | None, prints: bool) -> None:  # noqa: FBT001
    assert prints_signs(encoding) is prints
    assert choose_look(Choices(), Traits(encoding=encoding)).ascii is not prints
    assert choose_look(Choices(glyphs="unicode"), Traits(encoding=encoding)).ascii is not prints


def test_an_unknown_encoding_prints_no_signs() -> None:
    assert not prints_signs("no such")
    assert len(SIGNS) > 20


def test_no_color_takes_colours_and_leaves_the_signs() -> None:
    look = choose_look(Choices(theme="dark"), traits_of({"NO_COLOR": "1", "TERM": "xterm"}, "utf-8"))
    assert look == Look("none", ascii=False)


def test_an_empty_no_color_says_nothing() -> None:
    assert choose_look(Choices(glyphs="ascii"), traits_of({"NO_COLOR": ""}, "utf-8")) == Look("dark", ascii=True)


@pytest.mark.parametrize(
    ("traits", "theme"),
    [
        (Traits(), "dark"),
        (Traits(light=False), "dark"),
        (Traits(light=True), "light"),
        (Traits(term="linux"), "16-colour"),
        (Traits(term="linux", light=True), "16-light"),
        (Traits(depth="DEPTH_4_BIT"), "16-colour"),
        (Traits(depth="DEPTH_1_BIT"), "none"),
        (Traits(light=True, no_color=True), "none"),
    ],
)
def test_the_theme_follows_the_terminal_where_none_is_chosen(traits: Traits, theme: str) -> None:
    assert choose_look(Choices(), traits).theme == theme


def test_a_chosen_theme_stands_whatever_the_ground_is() -> None:
    assert choose_look(Choices(theme="dark"), Traits(light=True)).theme == "dark"
    assert choose_look(Choices(theme="16-colour"), Traits(light=True)).theme == "16-light"


def test_wide_signs_become_letters_and_wide_lines_ascii_unless_signs_were_asked_for() -> None:
    assert choose_look(Choices(), Traits(wide_suits=True)) == Look(suits="letters")
    assert choose_look(Choices(suits="none"), Traits(wide_suits=True)).suits == "none"
    assert choose_look(Choices(), Traits(wide_lines=True)).ascii
    assert choose_look(Choices(glyphs="unicode"), Traits(wide_lines=True, wide_suits=True)) == Look()
