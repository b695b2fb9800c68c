from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from speed_common.names import MARKS, MAX_CELLS, clean_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("anna", "anna"),
        ("  anna   b  ", "anna b"),
        ("Zoë-2", "Zoë-2"),
        ("Zoe\u0308", "Zoë"),
        ("O\u2019Brien", "O'Brien"),
        ("ﬁ①", "fi1"),
        ("日本語日本語日本", "日本語日本語日本"),
        ("प्रियंका", "प्रियंका"),
        ("عمر", "عمر"),
        ("김철수", "김철수"),
        ("x\u00a0y", "x y"),
        ("a" * 16, "a" * 16),
    ],
)
def test_a_plain_name_is_kept_in_its_composed_form(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("", "at least one letter or digit"),
        ("   ", "at least one letter or digit"),
        ("-.-", "at least one letter or digit"),
        ("a" * 17, "at most 16"),
        ("日" * 9, "at most 16"),
        ("a" * 10_000, "at most 16"),
        ("\x1b[31mred", "U\\+001B: use letters"),
        ("a\nb", "U\\+000A: use letters"),
        ("a\x9bb", "U\\+009B: use letters"),
        ("a\x00", "U\\+0000: use letters"),
        ("a\u202eb", "U\\+202E: use letters"),
        ("a\u2066b", "U\\+2066: use letters"),
        ("a\u200bb", "U\\+200B: use letters"),
        ("a\u200db", "U\\+200D: use letters"),
        ("a\ufeff", "U\\+FEFF: use letters"),
        ("a\u00ad", "U\\+00AD: use letters"),
        ("a\u034f", "U\\+034F: use letters"),
        ("a\ufe0f", "U\\+FE0F: use letters"),
        ("a\u3164", "U\\+1160: use letters"),
        ("a\u20dd", "U\\+20DD: use letters"),
        ("a\ud800", "U\\+D800: use letters"),
        ("a\U000e0041", "U\\+E0041: use letters"),
        ("a<b>", "'<': use letters"),
        ("=1+1", "'=': use letters"),
        ("a,b", "',': use letters"),
        ("\U0001f600", "U\\+1F600: use letters"),
        ("a\u0301\u0301\u0301\u0301", "use fewer"),
        ("\u0301a", "put a letter before it"),
    ],
)
def test_a_hostile_name_is_refused_with_what_to_change(text: str, remedy: str) -> None:
    with pytest.raises(ValueError, match=remedy) as refused:
        clean_name(text)
    assert str(refused.value).isprintable()


@given(st.text(max_size=40))
def test_whatever_passes_is_short_composed_visible_and_stays_as_it_is(text: str) -> None:
    name = named(text)
    if name is not None:
        assert 1 <= wcswidth(name) <= MAX_CELLS
        assert all(character in MARKS or unicodedata.category(character)[0] in "LNM" for character in name)
        assert clean_name(name) == name


def named(text: str) -> str | None:
    try:
        return clean_name(text)
    except ValueError:
        return None
