"""The settings screen, the screen of the keys, and the desk behind both."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.client.test_painters import LOOKS, SIZES, assert_fits, check_golden

from speed_client.bindings import BINDABLE
from speed_client.choices import SETTINGS, Choices, Value
from speed_client.desk import Desk
from speed_client.keymap import make_keymap
from speed_client.keys import Do, PlaySlot
from speed_client.keys_page import ACTIONS, KeysPage
from speed_client.layouts import LAYOUTS
from speed_client.pages import Back, Quit
from speed_client.settings_page import ROWS, SettingsPage
from speed_client.style import Look, Traits

KEYS = [
    "up",
    "down",
    "left",
    "right",
    "c-m",
    "escape",
    "c-h",
    "d",
    "r",
    "y",
    "n",
    "k",
    "é",
    " ",
    "f2",
    "tab",
    "1",
    "c-c",
]


def desk(choices: Choices | None = None, **more: object) -> Desk:
    return Desk(choices, **more)  # type: ignore[arg-type]


def at(page: SettingsPage, name: str) -> SettingsPage:
    """The page with that row chosen."""
    for _ in range(ROWS.index(name)):
        page.press("down", 0)
    return page


def press(page: SettingsPage | KeysPage, *keys: str) -> object:
    return [page.press(key, 0) for key in keys][-1]


SAMPLES = {
    "settings": Choices(),
    "settings-changed": Choices(
        suits="letters", card_size="framed", layout="azerty", clock="tenths", show_hints="practice"
    ),
    "settings-compact": Choices(suits="none", card_size="compact", layout="dvorak", mirror=True, keys=(("call", "#"),)),
}


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_settings_are_the_golden_ones(name: str, glyphs: str) -> None:
    page = at(SettingsPage(desk(dataclasses.replace(SAMPLES[name], glyphs=glyphs))), "suits")
    for size in SIZES if name == "settings" else SIZES[:1]:
        check_golden(f"{name}-{size[0]}x{size[1]}-{glyphs}", page.paint(*size, Look()))


@pytest.mark.parametrize("look", LOOKS)
def test_the_screens_of_the_keys_are_the_golden_ones(look: str) -> None:
    for name, keys in {"keys": (), "keys-asked": ("c-m",), "keys-clash": ("c-m", "k"), "keys-reset": ("r",)}.items():
        page = KeysPage(desk(Choices(keys=(("call", "#"),))))
        for key in keys:
            page.press(key, 0)
        for size in SIZES if name == "keys" else SIZES[:1]:
            check_golden(f"{name}-{size[0]}x{size[1]}-{look}", page.paint(*size, LOOKS[look]))


@given(st.lists(st.sampled_from(KEYS), max_size=25), st.integers(1, 140), st.integers(1, 45))
@settings(deadline=None, database=None)
def test_whatever_is_pressed_there_is_a_picture_and_no_two_actions_share_a_key(
    keys: list[str], width: int, height: int
) -> None:
    page = SettingsPage(desk())
    for key in keys:
        page.press(key, 0)
    look = page.look
    assert_fits(page.paint(width, height, look), width, height, look)
    own = [key for _, key in page.desk.choices.keys]
    assert len(own) == len(set(own))


def test_the_arrows_change_what_is_chosen_at_once_and_it_is_kept() -> None:
    kept: list[Choices] = []
    page = at(SettingsPage(desk(keep=lambda choices: kept.append(choices) or "")), "deck")  # type: ignore[func-returns-value]
    press(page, "right", "right")
    assert page.look.deck == "colour-blind"
    assert kept == [Choices(deck="4-colour"), Choices(deck="colour-blind")]
    press(page, "left", "d")
    assert page.look.deck == "2-colour"


def test_every_setting_has_a_row_that_goes_through_its_values() -> None:
    for setting in SETTINGS:
        page = at(SettingsPage(desk()), setting.name)
        if setting.name == "name":
            continue
        seen: set[Value] = set()
        for _ in setting.values:
            press(page, "right")
            seen.add(getattr(page.desk.choices, setting.name))
        assert seen == set(setting.values)


def test_a_number_that_no_arrow_gives_keeps_its_place_among_them() -> None:
    page = at(SettingsPage(desk(Choices(escape_ms=70))), "escape_ms")
    press(page, "right")
    assert page.desk.choices.escape_ms == 100


def test_a_name_is_typed_and_one_that_is_none_is_refused() -> None:
    page = at(SettingsPage(desk()), "name")
    press(page, "c-m", *"anna", "c-m")
    assert page.desk.choices.name == "anna"
    press(page, "c-m", "/", "c-m")
    assert page.desk.choices.name == "anna"
    assert "name" in page.model().about or "letters" in page.model().about
    press(page, "c-m", "x", "escape")
    assert page.desk.choices.name == "anna"


def test_reset_puts_back_everything_but_name_and_keys() -> None:
    page = at(SettingsPage(desk(Choices(theme="light", name="cho", keys=(("call", "#"),)))), "reset")
    press(page, "c-m")
    assert page.desk.choices == Choices(name="cho", keys=(("call", "#"),))


def test_escape_goes_back_and_ctrl_c_ends() -> None:
    assert press(SettingsPage(desk()), "escape") == Back()
    assert press(SettingsPage(desk()), "c-c") == Quit()


def test_a_flag_holds_for_the_run_until_it_is_changed_here_and_is_not_kept() -> None:
    kept: list[Choices] = []
    page = SettingsPage(
        desk(Choices(theme="light"), flags=[("theme", "none")], keep=lambda choices: kept.append(choices) or "")  # type: ignore[func-returns-value]
    )
    assert page.look.theme == "none"
    press(at(page, "deck"), "right")
    assert kept == [Choices(theme="light", deck="4-colour")]
    assert page.look.theme == "none"
    page.desk.set("theme", "dark")
    assert page.look.theme == "dark"


def test_what_could_not_be_kept_is_told_and_holds_all_the_same() -> None:
    page = at(SettingsPage(desk(keep=lambda _choices: "no room")), "motion")
    press(page, "right")
    assert page.model().about == "no room"
    assert not page.look.motion


def test_what_the_terminal_forbids_is_told() -> None:
    assert "NO_COLOR" in SettingsPage(desk(traits=Traits(no_color=True))).model().about
    assert "tmux" in at(SettingsPage(desk(), tmux=True), "escape_ms").model().about


# --- the keys ---------------------------------------------------------------------------------------------------------


def test_a_free_key_is_taken_by_pressing_it() -> None:
    page = KeysPage(desk())
    press(page, "c-m", "v")
    keys = page.desk.look.keys
    assert page.desk.choices.keys == (("auto_1", "v"),)
    assert keys.intent("v") == PlaySlot(0)
    assert keys.intent("1") is None


def test_a_key_that_does_something_is_explained_and_swapped_only_on_yes() -> None:
    page = KeysPage(desk())
    press(page, "c-m", "k")
    text = "\n".join(page.paint(80, 24, Look()).lines())
    assert "k is: play card 3 to the right pile" in text
    press(page, "n")
    assert not page.desk.choices.keys
    press(page, "c-m", "k", "y")
    keys = page.desk.look.keys
    assert keys.intent("k") == PlaySlot(0)
    assert keys.intent("1") == PlaySlot(2, 1)
    assert keys.rows()[1] == "hj1l;"


def test_a_spare_way_is_taken_without_asking() -> None:
    page = KeysPage(desk())
    press(page, "c-m", "ф")
    assert page.desk.choices.keys == (("auto_1", "ф"),)
    assert page.desk.look.keys.intent("a") == PlaySlot(0, 0)


@pytest.mark.parametrize("key", ["c-m", "up", "c-l", "c-h", "f2"])
def test_a_key_that_must_keep_its_meaning_says_so(key: str) -> None:
    page = KeysPage(desk())
    press(page, "c-m", key)
    assert page.asks
    assert "keeps its meaning" in "\n".join(page.paint(80, 24, Look()).lines())
    press(page, "escape")
    assert not page.asks


def test_one_key_goes_back_and_takes_with_it_what_sat_on_its_place() -> None:
    page = KeysPage(desk())
    press(page, "c-m", "k", "y", "d")
    assert not page.desk.choices.keys


def test_all_keys_go_back_after_a_question() -> None:
    page = KeysPage(desk(Choices(keys=(("call", "#"), ("auto_2", "v")))))
    press(page, "r", "n")
    assert len(page.desk.choices.keys) == 2
    press(page, "r", "y")
    assert not page.desk.choices.keys


def test_the_bindings_of_words_hold() -> None:
    keys = make_keymap(changed=(("call", "#"), ("help", "tab"), ("rematch", "v"), ("space", "c")))
    assert keys.intent("#") == Do("call")
    assert keys.intent("!") is None
    assert keys.intent("tab") == keys.intent("f1") == Do("help")
    assert keys.intent("v") == Do("r")
    assert keys.key_of("help") == "Tab"
    assert keys.digits(5) == "1-5"


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("mirror", [False, True])
def test_every_action_has_a_key_of_its_own_on_every_layout(layout: str, mirror: bool) -> None:  # noqa: FBT001
    keys = make_keymap(layout, mirror=mirror)
    for action in ACTIONS:
        if action != "rematch":  # its letter may play a card in a deal: it answers on the result card alone
            assert keys.holder(keys.key_for(action)) == action, BINDABLE[action]
    assert keys.intent("r", asking=True) == Do("r")


@pytest.mark.parametrize(
    ("layout", "left", "right"),
    [
        ("dvorak", "aoeui", "dhtns"),
        ("colemak", "arstd", "hneio"),
        ("azerty", "qsdfg", "hjklm"),
        ("qwertz", "asdfg", "hjklö"),
    ],
)
def test_a_layout_is_the_same_places_under_other_letters(layout: str, left: str, right: str) -> None:
    keys = make_keymap(layout)
    assert keys.rows() == (left, right)
    for pile, row in enumerate((left, right)):
        assert [keys.intent(key) for key in row] == [PlaySlot(slot, pile) for slot in range(5)]
        assert [keys.intent(key) for key in row.upper()] == [PlaySlot(slot, pile) for slot in range(5)]


def test_the_mirror_swaps_the_hands() -> None:
    keys = make_keymap(mirror=True)
    assert keys.rows() == ("hjkl;", "asdfg")
    assert keys.intent("h") == PlaySlot(0, 0)
    assert keys.intent("р") == PlaySlot(0, 0)  # noqa: RUF001  # the Cyrillic letter at the place of h


def test_without_aliases_other_alphabets_say_nothing() -> None:
    assert make_keymap(aliases=False).intent("ф") is None
    assert make_keymap(aliases=False).intent("é") is None
    assert make_keymap("azerty", aliases=False).intent("é") == PlaySlot(1)
