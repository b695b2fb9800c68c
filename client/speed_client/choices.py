"""What a player may choose of the program, as data: the names as `config.toml` has them, values, defaults. Pure.

`SETTINGS` is the one list of them: the file, `--set NAME=VALUE` and the settings screen all go by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeAlias

from speed_client.bindings import BINDABLE, binding_fault

Value: TypeAlias = str | bool | int

THEMES: Final = ("auto", "dark", "light", "16-colour", "none")
LAYOUTS: Final = ("qwerty", "qwertz", "azerty", "dvorak", "colemak")


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything that was chosen. `keys` are the changed bindings: pairs of an action and the key that does it."""

    theme: str = "auto"
    deck: str = "2-colour"
    glyphs: str = "auto"
    suits: str = "signs"
    card_size: str = "auto"
    motion: bool = True
    bell: str = "off"
    clock: str = "seconds"
    status_ms: int = 1500
    layout: str = "qwerty"
    aliases: bool = True
    mirror: bool = False
    escape_ms: int = 50
    show_hints: str = "off"
    name: str = ""
    plain: bool = False
    keys: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """One of them. `values` are what the arrows go through; `least` and `most` bound a number that is typed."""

    name: str
    text: str
    values: tuple[Value, ...]
    least: int = 0
    most: int = 0

    @property
    def default(self) -> Value:
        """What it is where nothing was chosen."""
        value: Value = getattr(DEFAULTS, self.name)
        return value

    def fault(self, value: object) -> str:
        """What is wrong with a value; empty where nothing is."""
        if self.most:
            if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
                return f"{self.name} is a number from {self.least} to {self.most}, not {value!r}"
        elif self.name == "name":
            return _name_fault(value)
        elif type(value) is not type(self.values[0]) or value not in self.values:
            return f"{self.name} is {_listed(self.values)}, not {_shown(value)}"
        return ""

    def read(self, text: str) -> Value:
        """A value as it is typed after `NAME=`. Raises `ValueError`, whose text says what may be typed."""
        value: Value = text
        if self.most:
            value = int(text) if text.isascii() and text.isdigit() and len(text) < 8 else text  # noqa: PLR2004
        elif isinstance(self.values[0], bool):
            value = _SWITCH.get(text.lower(), text)
        fault = self.fault(value)
        if fault:
            raise ValueError(fault)
        return value


DEFAULTS: Final = Choices()
_SWITCH: Final[Mapping[str, Value]] = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}

SETTINGS: Final = (
    Setting("theme", "colours; auto asks the terminal for its ground", THEMES),
    Setting("deck", "colours of the four suits on the cards", ("2-colour", "4-colour", "colour-blind")),
    Setting("glyphs", "which signs are drawn; auto measures them", ("auto", "unicode", "ascii")),
    Setting("suits", "how a suit is shown: it does not count in Speed", ("signs", "letters", "none")),
    Setting("card_size", "filled cards, framed ones, or short ones", ("auto", "framed", "compact")),
    Setting("motion", "a pile flashes when it takes a card", (True, False)),
    Setting("bell", "the terminal's bell: in the countdown, or at all news", ("off", "countdown", "all")),
    Setting("clock", "the clock above counts seconds, or tenths too", ("seconds", "tenths")),
    Setting("status_ms", "how long a sentence stays, in milliseconds", (500, 1000, 1500, 2500, 4000), 200, 10_000),
    Setting("layout", "your keyboard: where the letters lie", LAYOUTS),
    Setting("aliases", "other alphabets and digit rows play too", (True, False)),
    Setting("mirror", "the right hand's keys play to the left pile", (False, True)),
    Setting("escape_ms", "how long Esc waits, in milliseconds", (20, 50, 100, 200, 500), 10, 2000),
    Setting("show_hints", "marks the cards that fit, in practice only", ("off", "practice")),
    Setting("name", "your name at the table; empty: your user's", ("",)),
    Setting("plain", "one short line an event, as with --plain", (False, True)),
)
BY_NAME: Final[Mapping[str, Setting]] = {setting.name: setting for setting in SETTINGS}


def from_table(table: Mapping[str, Any]) -> tuple[Choices, list[str]]:
    """The choices in a file's table, and a sentence for each that cannot be: it is as if it were not there.

    What this version does not know is no fault: another version may have written it.
    """
    faults: list[str] = []
    found: dict[str, Any] = {}
    for name, setting in BY_NAME.items():
        if name not in table:
            continue
        fault = setting.fault(table[name])
        if fault:
            faults.append(fault)
        else:
            found[name] = table[name]
    keys = table.get("keys", {})
    if not isinstance(keys, dict):
        faults.append("keys is a table of actions and keys")
        keys = {}
    kept: dict[str, str] = {}
    for action, key in keys.items():
        if action not in BINDABLE:
            continue
        fault = binding_fault(action, key, kept)
        if fault:
            faults.append(fault)
        else:
            kept[action] = key
    return Choices(**found, keys=tuple(sorted(kept.items()))), faults


def with_value(choices: Choices, name: str, value: Value) -> Choices:
    """The choices with one changed."""
    changes: dict[str, Any] = {name: value}
    return replace(choices, **changes)


def assign(choices: Choices, text: str) -> Choices:
    """The choices with one changed by `NAME=VALUE`. Raises `ValueError`, whose text says what may be written."""
    name, equals, value = text.partition("=")
    setting = BY_NAME.get(name.strip())
    if setting is None or not equals:
        raise ValueError(f"{text!r} sets nothing: write NAME=VALUE with a NAME of {', '.join(BY_NAME)}")
    return with_value(choices, setting.name, setting.read(value.strip()))


def changed(choices: Choices) -> dict[str, Value]:
    """What is not as it is by default, by name; bindings are apart."""
    return {
        field.name: getattr(choices, field.name)
        for field in fields(choices)
        if field.name != "keys" and getattr(choices, field.name) != getattr(DEFAULTS, field.name)
    }


def shown_value(value: Value) -> str:
    """A value as the settings screen shows it, and as `--set` takes it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _listed(values: tuple[Value, ...]) -> str:
    words = [shown_value(value) for value in values]
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _shown(value: object) -> str:
    return shown_value(value) if isinstance(value, bool) else repr(value)[:40]


def _name_fault(value: object) -> str:
    from speed_common.names import clean_name  # noqa: PLC0415  # it loads the width of every character

    if not isinstance(value, str):
        return f"name is a text, not {_shown(value)}"
    if value:
        try:
            if clean_name(value) != value:
                return f"name {value!r} is no name as it stands: {clean_name(value)!r} is"
        except ValueError as error:
            return str(error)
    return ""
