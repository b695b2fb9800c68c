"""`config.toml`: choices, their text, and the file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speed_client.choices import BY_NAME, SETTINGS, THEMES, Choices, assign, from_table
from speed_client.config_file import ConfigFile, config_file
from speed_client.config_text import ConfigError, read_config, write_config
from speed_client.settings import THEMES as OPTION_THEMES

CHOICES = st.builds(
    Choices,
    **{
        setting.name: st.integers(setting.least, setting.most) if setting.most else st.sampled_from(setting.values)
        for setting in SETTINGS
        if setting.name != "name"
    },
    name=st.sampled_from(["", "anna", "cho 2", "Zoë"]),
    keys=st.sampled_from([(), (("auto_1", '"'), ("call", "\\"), ("space", "é"))]),
)
LINES = st.lists(
    st.sampled_from(
        ["", "# mine", 'theme = "light" # by day', "motion = false", "[keys]", 'auto_1 = "x"', "[later]", "x = 1"]
    ),
    max_size=8,
).map("\n".join)


def test_the_command_line_knows_the_same_themes() -> None:
    assert OPTION_THEMES == THEMES


def test_every_default_is_a_value_of_its_setting() -> None:
    assert from_table({name: setting.default for name, setting in BY_NAME.items()}) == (Choices(), [])


@given(CHOICES, LINES)
@settings(deadline=None, database=None)
def test_what_is_written_over_anything_is_read_again(choices: Choices, before: str) -> None:
    text = write_config(choices, before)
    assert read_config(text) == (choices, [])


def test_comments_order_and_what_others_wrote_stay() -> None:
    before = '# my colours\ntheme = "light"  # by day\nlater = 3\n\n[keys]\n# mine\nauto_1 = "x"\n\n[other]\na = 1\n'
    text = write_config(Choices(theme="dark", bell="all", keys=(("auto_2", "y"),)), before)
    assert text == (
        '# my colours\ntheme = "dark"  # by day\nlater = 3\nbell = "all"\n\n[keys]\n# mine\nauto_2 = "y"\n\n'
        "[other]\na = 1\n"
    )
    assert tomllib.loads(text)["later"] == 3


def test_a_text_that_cannot_be_edited_line_by_line_is_written_anew() -> None:
    before = 'later = """\ntheme = "light"\n"""\n'
    assert read_config(write_config(Choices(theme="dark"), before)) == (Choices(theme="dark"), [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('theme = "pink"', "theme is auto, dark, light, 16-colour or none, not 'pink'"),
        ("motion = 1", "motion is on or off, not 1"),
        ("escape_ms = 5", "escape_ms is a number from 10 to 2000, not 5"),
        ("status_ms = true", "status_ms is a number"),
        ('name = "a\\u0007b"', "name"),
        ("name = 3", "name is a text, not 3"),
        ("keys = 3", "keys is a table"),
        ('[keys]\nauto_1 = "escape"', "keys.auto_1 is no key that can be given away"),
        ('[keys]\nauto_1 = "x"\nauto_2 = "x"', "keys.auto_2 and keys.auto_1 are both 'x'"),
    ],
)
def test_a_value_that_cannot_be_is_told_and_the_default_holds(text: str, says: str) -> None:
    choices, faults = read_config(text)
    assert len(faults) == 1
    assert says in faults[0]
    assert choices == Choices(keys=(("auto_1", "x"),) if "auto_2" in text else ())


def test_what_is_no_toml_is_an_error_with_its_line() -> None:
    with pytest.raises(ConfigError, match="line 1"):
        read_config("theme = dark")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("deck", "write NAME=VALUE"),
        ("dick=4-colour", "write NAME=VALUE"),
        ("deck=5-colour", "deck is 2-colour, 4-colour or colour-blind"),
        ("escape_ms=x", "escape_ms is a number"),
        ("motion=maybe", "motion is on or off"),
    ],
)
def test_a_setting_that_cannot_be_says_what_can(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        assign(Choices(), text)


def test_a_setting_is_typed_as_it_is_shown() -> None:
    assert assign(Choices(), "motion=off") == Choices(motion=False)
    assert assign(Choices(), "escape_ms=120") == Choices(escape_ms=120)
    assert assign(Choices(), "name=cho") == Choices(name="cho")


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    file = ConfigFile(tmp_path / "deep" / "config.toml")
    assert file.load() == Choices()
    assert not file.notes
    assert file.save(Choices(theme="light")) == ""
    assert ConfigFile(file.path).load() == Choices(theme="light")


def test_a_broken_file_is_one_line_and_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for name in ("config.toml.bad", "config.toml.bad-2"):
        path.write_text(f"theme = dark # {name}\n")
        file = ConfigFile(path)
        assert file.load() == Choices()
        assert len(file.notes) == 1
        assert name in file.notes[0]
        assert (tmp_path / name).read_text() == f"theme = dark # {name}\n"
        assert not path.exists()


def test_bytes_that_are_no_text_are_a_broken_file(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert ConfigFile(path).load() == Choices()
    assert (tmp_path / "config.toml.bad").read_bytes() == b"\xff\xfe\x00"


def test_a_bad_value_is_kept_beside_before_the_file_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "pink"\ndeck = "4-colour"\n')
    file = ConfigFile(path)
    assert file.load() == Choices(deck="4-colour")
    assert "theme is" in file.notes[0]
    assert path.exists()
    file.save(Choices(deck="4-colour", theme="dark"))
    assert (tmp_path / "config.toml.bad").read_text() == 'theme = "pink"\ndeck = "4-colour"\n'
    assert ConfigFile(path).load() == Choices(deck="4-colour", theme="dark")


def test_a_file_that_breaks_while_we_run_is_kept_too(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    file = ConfigFile(path)
    file.load()
    path.write_text("theme = ")
    file.save(Choices(theme="dark"))
    assert (tmp_path / "config.toml.bad").read_text() == "theme = "
    assert ConfigFile(path).load() == Choices(theme="dark")


def test_a_folder_in_its_place_stops_nothing(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.mkdir()
    file = ConfigFile(path)
    assert file.load() == Choices()
    assert "could not be read" in file.notes[0]
    assert "could not be kept" in file.save(Choices(theme="dark"))


def test_the_folder_of_the_profile_holds_it_where_one_is_named(tmp_path: Path) -> None:
    assert config_file({"SPEED_HOME": str(tmp_path)}).path == tmp_path / "config.toml"
    assert config_file({}).path.name == "config.toml"
