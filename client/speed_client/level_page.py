"""Choosing the speed of the computer to practise against: which are open, and the best time against each. Pure."""

from __future__ import annotations

from speed_client.pages import DOWN, ENTER, INTERRUPT, LEAVE, UP, Back, Choice, Practise, Quit, step
from speed_client.painters.panel import GAP, PanelLine, Part, middle
from speed_client.progress import LEVELS, Progress, exact_time, what_opens


class LevelPage:
    """The ten speeds; the highest open one is chosen at first."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.level = progress.unlocked
        self.notice = ""

    def press(self, key: str, _now: int) -> Choice | None:
        """A key: a choice, or None."""
        self.notice = ""
        if key in INTERRUPT:
            return Quit()
        if key in LEAVE:
            return Back()
        if key in UP | DOWN:
            self.level = max(1, min(LEVELS, self.level + step(key)))
        elif len(key) == 1 and key in "1234567890":
            self.level = int(key) or LEVELS
        elif key in ENTER | {"p", " "}:
            if self._progress.is_open(self.level):
                return Practise(self.level)
            self.notice = what_opens(self._progress, self.level)
        return None

    def lines(self) -> tuple[PanelLine, ...]:
        """The panel."""
        return (
            middle(self.notice, "panel-key") if self.notice else middle("PRACTICE", "panel-head"),
            GAP,
            *(self._line(level) for level in range(1, LEVELS + 1)),
            GAP,
            middle("arrows or a digit, Enter plays, Esc back", "panel-key"),
        )

    def _line(self, level: int) -> PanelLine:
        chosen = level == self.level
        if not self._progress.is_open(level):
            said = f"beat speed {level - 1}"
        else:
            best = self._progress.best_us.get(level, 0)
            said = f"best {exact_time(best)}" if best else "open"
        style = "panel-head" if chosen else "panel" if self._progress.is_open(level) else "panel-hint"
        return (Part(f"{'>' if chosen else ' '} speed {level}", style, "left"), Part(said, style, "right"))
