"""A director's line: who says it, of which tournament, and the words that are about files or about which tournament."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from typing import Final, NamedTuple

from speed_server.evening.live import Live

CONSOLE: Final = "console"
"""Who speaks at the server's own terminal."""

WORDS: Final = {
    "use": ("TID", "which tournament the lines that follow are for"),
    "tournaments": ("", "all tournaments of this server"),
    "import": ("FILE", "enter the players of a CSV file, or take up an exported tournament (.json)"),
    "export": ("[FOLDER]", "write tables, report and the whole tournament as files"),
    "verify": ("", "check the log on disk"),
}
"""The words beside those of a tournament, with arguments and meaning."""

_ERRANDS: Final = frozenset({"import", "export", "verify"})
_MOST_LINES: Final = 200
_MOST_TEXT: Final = 300


class Line(NamedTuple):
    """What somebody said; `who` is a mark, or `CONSOLE`. `command` is the sender's own number of it."""

    who: str
    text: str
    command: str = ""
    tid: str = ""

    @property
    def unique(self) -> str | None:
        """The id under which it has no second effect; the console never says anything twice."""
        return f"{self.who}/{self.command}" if self.command else None


class Errand(NamedTuple):
    """A line that needs files; `word` is `import`, `export`, `verify` or `seed last`."""

    line: Line
    word: str
    path: str
    tid: str = ""


def errand_of(line: Line) -> Errand | None:
    """The errand of a line; None for one without files."""
    try:
        words = shlex.split(line.text, comments=True)
    except ValueError:
        return None
    if words[:2] == ["seed", "last"] and len(words) == 3 and words[2].endswith(".json"):  # noqa: PLR2004
        return Errand(line, "seed last", words[2])
    if words and words[0] in _ERRANDS and len(words) <= 2:  # noqa: PLR2004
        return Errand(line, words[0], words[1] if len(words) > 1 else "")
    return None


def choose(lives: Iterable[Live], tid: str) -> Live | None:
    """The tournament of that tid, else the newest that is not over, else the newest."""
    found = list(lives)
    named = [live for live in found if live.tid == tid]
    going = [live for live in found if not live.over]
    chosen = named or going or found
    return chosen[-1] if chosen else None


def slug(name: str, taken: Collection[str]) -> str:
    """A tid of a name, not taken yet: lower-case letters, digits and hyphens."""
    plain = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower())
    base = "-".join(filter(None, plain.split("-")))[:24] or "evening"
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(found for found in names if found not in taken)


def fitting(texts: Sequence[str]) -> tuple[str, ...]:
    """Lines of an answer as one message can carry them."""
    split = [line for text in texts for line in text.split("\n")]
    cut = [line if len(line) <= _MOST_TEXT else line[: _MOST_TEXT - 2] + ".." for line in split]
    if len(cut) > _MOST_LINES:
        cut = [*cut[: _MOST_LINES - 1], f"and {len(cut) - _MOST_LINES + 1} lines more"]
    return tuple(cut)
