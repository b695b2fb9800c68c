"""The settings screen: what may be chosen, how it looks now, the way to the keys. Pure but for the desk's `keep`."""

from __future__ import annotations

from typing import Final

from speed_client.choices import BY_NAME, SETTINGS, Setting, Value, shown_value
from speed_client.desk import Desk
from speed_client.keys_page import KeysPage
from speed_client.pages import ENTER, INTERRUPT, LEAVE, Back, Choice, Quit, step
from speed_client.painters.canvas import Canvas
from speed_client.painters.settings import SettingsModel, paint_settings
from speed_client.style import Look

KEYS_ROW: Final = "keys"
RESET_ROW: Final = "reset"
ROWS: Final = (*BY_NAME, KEYS_ROW, RESET_ROW)
LONGEST: Final = 24

_ABOUT: Final = {
    KEYS_ROW: "put what you do on other keys, by pressing them",
    RESET_ROW: "Enter puts everything back, but your name and keys",
}
_KEYS: Final = (("up down", "choose"), ("left right", "change"), ("d", "default"), ("Esc", "back"))


class SettingsPage:
    """The list and what is chosen on it. `typed` is a name being typed; `keys` the screen of the keys, when open."""

    def __init__(self, desk: Desk, *, tmux: bool = False) -> None:
        self.desk = desk
        self.typed: str | None = None
        self.keys: KeysPage | None = None
        self._chosen = 0
        self._said = ""
        self._tmux = tmux

    @property
    def look(self) -> Look:
        """How it looks now, after each change."""
        return self.desk.look

    def press(self, key: str, now: int) -> Choice | None:
        """A key; Escape goes back, or to what lay under it."""
        if self.keys is not None:
            choice = self.keys.press(key, now)
            if isinstance(choice, Back):
                self.keys, choice = None, None
            return choice
        if self.typed is not None:
            self._type(key)
            return None
        if key in INTERRUPT:
            return Quit()
        if key in LEAVE or key == "f2":
            return Back()
        self._said = ""
        name = ROWS[self._chosen]
        if step(key):
            self._chosen = (self._chosen + step(key)) % len(ROWS)
        elif name == KEYS_ROW:
            self.keys = KeysPage(self.desk) if key in ENTER | {"right", " "} else None
        elif name == RESET_ROW:
            if key in ENTER:
                self.desk.reset()
                self._said = self.desk.fault or "all as it was at the beginning"
        elif name == "name":
            self.typed = self.desk.choices.name if key in ENTER | {"right", " "} else None
        else:
            self._change(BY_NAME[name], key)
        return None

    def due(self, _now: int) -> Choice | None:
        """Nothing changes by itself."""
        return None

    def next_due(self) -> int | None:
        """Never."""
        return None

    def paint(self, width: int, height: int, _look: Look) -> Canvas:
        """The picture now, in the look that is being chosen."""
        if self.keys is not None:
            return self.keys.paint(width, height, self.look)
        return paint_settings(self.model(), width, height, self.look)

    def model(self) -> SettingsModel:
        """What is shown now."""
        choices = self.desk.choices
        values = [shown_value(getattr(choices, setting.name)) for setting in SETTINGS]
        count = len(choices.keys)
        values += [f"{count} changed" if count else "as usual", ""]
        about, style = self._about()
        return SettingsModel(
            tuple(zip((row.replace("_", " ") for row in ROWS), values, strict=True)),
            self._chosen,
            about,
            style,
            self.typed,
            choices.clock == "tenths",
            choices.show_hints == "practice",
            _KEYS if self.typed is None else (("Enter", "keep"), ("Esc", "back")),
        )

    # --- inside -----------------------------------------------------------------------------------------------------

    def _about(self) -> tuple[str, str]:
        name = ROWS[self._chosen]
        if self.desk.fault:
            return self.desk.fault, "late"
        if self._said:
            return self._said, "status"
        if name == "theme" and self.desk.traits.no_color:
            return "NO_COLOR is set: there are no colours, whatever is chosen", "status"
        if name == "escape_ms" and self._tmux:
            return "tmux waits by itself: set -sg escape-time 10 there; Backspace is quick", "status"
        if name in BY_NAME:
            return BY_NAME[name].text, "hint"
        return _ABOUT[name], "hint"

    def _change(self, setting: Setting, key: str) -> None:
        value: Value = getattr(self.desk.choices, setting.name)
        if key == "d":
            self.desk.set(setting.name, setting.default)
        elif key in {"left", "right", "h", "l", " "} | ENTER:
            values = setting.values if value in setting.values else (*setting.values, value)
            if setting.most:
                values = tuple(sorted(values, key=int))
            by = -1 if key in {"left", "h"} else 1
            self.desk.set(setting.name, values[(values.index(value) + by) % len(values)])

    def _type(self, key: str) -> None:
        assert self.typed is not None
        if key in INTERRUPT | {"escape"}:
            self.typed = None
        elif key in LEAVE:
            self.typed = self.typed[:-1]
        elif key in ENTER:
            typed = self.typed.strip()
            fault = BY_NAME["name"].fault(typed)
            if fault:
                self._said = fault
            else:
                self.desk.set("name", typed)
                self._said = self.desk.fault or "the name holds from the next table on"
            self.typed = None
        elif len(key) == 1 and key.isprintable():
            self.typed = (self.typed + key)[:LONGEST]
