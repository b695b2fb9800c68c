"""Press the key: which key does what, and how to change that. Pure but for the desk's `keep`.

A key that does something already is not taken silently: what it does is said, and the two may be swapped. A spare way
to the same thing (an accented letter, F1) is simply taken.
"""

from __future__ import annotations

from typing import Final

from speed_client.bindings import BINDABLE, key_fault, key_name
from speed_client.desk import Desk
from speed_client.keymap import Keymap, make_keymap
from speed_client.keys import LETTERS
from speed_client.pages import ENTER, INTERRUPT, LEAVE, Back, Choice, Quit, step
from speed_client.painters.canvas import Canvas
from speed_client.painters.lists import Cells, Column, ListModel, paint_list
from speed_client.painters.panel import GAP, PanelLine, middle
from speed_client.style import Look

ACTIONS: Final = tuple(BINDABLE)
_KEYS: Final = (("up down", "choose"), ("Enter", "press a key"), ("d", "default"), ("r", "reset all"), ("Esc", "back"))


class KeysPage:
    """The actions and their keys. `asks` waits for a key, `clash` for an answer, `resets` for whether it is meant."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.asks = False
        self.clash: tuple[str, str] | None = None
        """A key that was pressed, and the action that has it."""
        self.resets = False
        self._chosen = 0
        self._said = ""

    @property
    def _keymap(self) -> Keymap:
        return self.desk.look.keys

    def press(self, key: str, _now: int) -> Choice | None:
        """A key: while one is asked for, any but Escape is the one."""
        action = ACTIONS[self._chosen]
        if self.clash is not None:
            self._answer(action, key)
        elif self.asks:
            self._pressed(action, key)
        elif self.resets:
            self.resets = False
            if key in {"y", "Y"}:
                self._keep(())
                self._said = self.desk.fault or "all keys are as they were"
        elif key in INTERRUPT:
            return Quit()
        elif key in LEAVE:
            return Back()
        else:
            self._in_list(action, key)
        return None

    def paint(self, width: int, height: int, look: Look) -> Canvas:
        """The picture now."""
        return paint_list(self.model(), width, height, look)

    def model(self) -> ListModel:
        """What is shown now."""
        keymap, own = self._keymap, dict(self.desk.choices.keys)
        rows = []
        for action in ACTIONS:
            key = keymap.key_for(action)
            # The letter for the rematch answers on the result card, whatever it plays in a deal.
            lost = keymap.holder(key) != action and not (action == "rematch" and key in LETTERS)
            rows.append(
                Cells((BINDABLE[action], "none" if lost else key_name(key), "yours" if action in own else ""), dim=lost)
            )
        about, style = (self.desk.fault, "late") if self.desk.fault else (self._said, "status")
        return ListModel(
            "KEYS · Enter, then press the one that you want",
            (Column("what it does", 30), Column("key", 9), Column("")),
            tuple(rows),
            self._chosen,
            about=about,
            about_style=style,
            keys=_KEYS,
            panel=self._panel(),
        )

    # --- inside -----------------------------------------------------------------------------------------------------

    def _panel(self) -> tuple[PanelLine, ...]:
        action = ACTIONS[self._chosen]
        if self.clash is not None:
            key, holder = self.clash
            return (
                middle(f"{key_name(key)} IS TAKEN", "panel-head"),
                GAP,
                middle(f"{key_name(key)} is: {BINDABLE[holder]}"),
                middle(f"swapped, {key_name(self._keymap.key_for(action))} is that"),
                GAP,
                middle("y swap the two    n leave it", "panel-key"),
            )
        if self.asks:
            return (
                middle("PRESS THE KEY", "panel-head"),
                GAP,
                middle(f"for: {BINDABLE[action]}"),
                *([GAP, middle(self._said, "panel-bad")] if self._said else []),
                GAP,
                middle("Esc leaves it as it is", "panel-hint"),
            )
        if self.resets:
            return (middle("ALL KEYS AS THEY WERE?", "panel-head"), GAP, middle("y yes    n no", "panel-key"))
        return ()

    def _in_list(self, action: str, key: str) -> None:
        self._said = ""
        if step(key):
            self._chosen = (self._chosen + step(key)) % len(ACTIONS)
        elif key in ENTER:
            self.asks = True
        elif key == "d":
            self._keep(_without(self.desk.choices.keys, action, self._plain))
        elif key == "r":
            self.resets = True

    def _pressed(self, action: str, key: str) -> None:
        if key == "escape" or key in INTERRUPT:
            self.asks, self._said = False, ""
            return
        fault = key_fault(key)
        if fault:
            self._said = fault
            return
        self.asks, self._said = False, ""
        holder = self._keymap.holder(key)
        if holder == action:
            if self._keymap.key_for(action) != key:
                self._bind({action: key})
        elif holder in BINDABLE and self._keymap.key_for(holder) == key:
            self.clash = (key, holder)
        else:
            self._bind({action: key})

    def _answer(self, action: str, key: str) -> None:
        assert self.clash is not None
        wanted, holder = self.clash
        self.clash = None
        if key in {"y", "Y"}:
            self._bind({action: wanted, holder: self._keymap.key_for(action)})

    def _bind(self, changes: dict[str, str]) -> None:
        keys = {**dict(self.desk.choices.keys), **changes}
        plain = self._plain
        self._keep(tuple((action, key) for action, key in keys.items() if plain.key_for(action) != key))
        if not self.desk.fault:
            self._said = ", ".join(f"{key_name(key)}: {BINDABLE[action]}" for action, key in changes.items())

    def _keep(self, keys: tuple[tuple[str, str], ...]) -> None:
        self.desk.bind(keys)

    @property
    def _plain(self) -> Keymap:
        """The keyboard without the player's own keys."""
        keymap = self._keymap
        return make_keymap(keymap.layout, aliases=keymap.aliases, mirror=keymap.mirror, language=keymap.language)


def _without(keys: tuple[tuple[str, str], ...], action: str, plain: Keymap) -> tuple[tuple[str, str], ...]:
    """The bindings without one, and without those that sit on the key that it gets back."""
    left = dict(keys)
    freed = [action]
    while freed:
        one = freed.pop()
        if left.pop(one, None) is not None or one == action:
            freed += [other for other, key in left.items() if key == plain.key_for(one)]
    return tuple(left.items())
