"""The player's desk: what was chosen, what the terminal is like, and the look that comes of both. Pure but for `keep`.

Flags override the file for one run, and are not written into it. Whoever changes a setting on the screen means it from
now on: it is kept, and a flag that said otherwise is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from speed_client.choices import Choices, Value, with_value
from speed_client.style import Look, Traits, choose_look


def _forget(_choices: Choices) -> str:
    return ""


class Desk:
    """`choices` hold now; `kept` are those of the file. `keep` writes them and gives a sentence where that failed."""

    def __init__(
        self,
        kept: Choices | None = None,
        traits: Traits | None = None,
        flags: Iterable[tuple[str, Value]] = (),
        keep: Callable[[Choices], str] = _forget,
        language: str = "",
    ) -> None:
        self.kept = kept or Choices()
        self.traits = traits or Traits()
        self.language = language
        self._flags = dict(flags)
        self._keep = keep
        self.fault = ""
        """Why the last change could not be kept; it holds for this run all the same."""

    @property
    def choices(self) -> Choices:
        """What holds now."""
        found = self.kept
        for name, value in self._flags.items():
            found = with_value(found, name, value)
        return found

    @property
    def look(self) -> Look:
        """How it looks now."""
        return choose_look(self.choices, self.traits, self.language)

    @property
    def escape_seconds(self) -> float:
        """How long Escape waits for what may follow it."""
        return self.choices.escape_ms / 1000

    def set(self, name: str, value: Value) -> None:
        """Choose something, from now on."""
        self._flags.pop(name, None)
        self._changed(with_value(self.kept, name, value))

    def bind(self, keys: tuple[tuple[str, str], ...]) -> None:
        """Choose the bindings."""
        self._changed(replace(self.kept, keys=tuple(sorted(keys))))

    def reset(self) -> None:
        """Everything as it is by default, but the name and the keys."""
        self._flags.clear()
        self._changed(Choices(name=self.kept.name, keys=self.kept.keys))

    def _changed(self, choices: Choices) -> None:
        self.kept = choices
        self.fault = self._keep(choices)
