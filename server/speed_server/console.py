"""The director's prompt on the server's own terminal: completion, history, and lines that do not tear it.

Plain `readline`, where the machine has one: the server knows no terminal program.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from speed_server.evening.line import WORDS as HALL_WORDS
from speed_server.tournament.config import FORMATS, READERS
from speed_server.tournament.orders import WORDS

PROMPT: Final = "director> "


def candidates(line: str, names: Sequence[str] = ()) -> list[str]:
    """What the last word of a line may be: a command, a setting, a format, or a player's name."""
    *before, start = line.split(" ")
    if not before:
        known: Sequence[str] = [*WORDS, *HALL_WORDS]
    elif before[0] == "set":
        known = [*READERS, "tables", "start"] if len(before) == 1 else FORMATS if before[1] == "format" else ()
    elif before[0] == "help":
        known = [*WORDS]
    else:
        known = [*names, "--dry-run"]
    return sorted(word for word in known if word.startswith(start))


def usable() -> bool:
    """Whether a person sits at standard input and output, and this program is in the foreground there."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty() and _in_front()
    except (AttributeError, ValueError, OSError):
        return False


def _in_front() -> bool:
    return sys.platform == "win32" or os.tcgetpgrp(0) == os.getpgrp()


class Console:
    """Reads lines in a thread of its own and gives them to `obey`. `names` are the players' for completion."""

    def __init__(self, obey: Callable[[str], None], names: Callable[[], Sequence[str]]) -> None:
        self._obey = obey
        self._names = names
        self._asking = False
        self._terminal = _terminal_state()
        self._readline = _readline()

    def start(self) -> None:
        """Begin to read."""
        if self._readline is not None:
            self._readline.set_completer(self._complete)
            self._readline.set_completer_delims(" ")
            self._readline.parse_and_bind("tab: complete")
        if sys.platform != "win32":
            signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # sent to the background it reads nothing, and goes on
        threading.Thread(target=self._read, name="console", daemon=True).start()

    def say(self, lines: Sequence[str]) -> None:
        """Show lines above the prompt, which is written anew with what was typed so far."""
        text = "".join(f"{line}\n" for line in lines)
        if self._asking:
            typed = self._readline.get_line_buffer() if self._readline is not None else ""
            text = f"\r\x1b[K{text}{PROMPT}{typed}"
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.write(text)
            sys.stdout.flush()

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._terminal is not None:
            import termios  # noqa: PLC0415  # not on every machine

            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, self._terminal)
        if self._asking:
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.write("\n")

    # --- inside -------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        while True:
            self._asking = True
            try:
                line = input(PROMPT)
            except (EOFError, OSError, ValueError):
                self._asking = False
                self.say(["", "the console is closed: the server goes on, Ctrl-C stops it"])
                return
            self._asking = False
            if line.strip():
                self._obey(line)

    def _complete(self, _: str, number: int) -> str | None:
        line = self._readline.get_line_buffer() if self._readline is not None else ""
        found = candidates(line, self._names())
        return f"{found[number]} " if number < len(found) else None


def _readline() -> Any:
    try:
        import readline  # noqa: PLC0415  # not on every machine
    except ImportError:
        return None
    return readline


def _terminal_state() -> list[Any] | None:
    try:
        import termios  # noqa: PLC0415  # not on every machine
    except ImportError:
        return None
    try:
        return termios.tcgetattr(0)
    except (OSError, termios.error):
        return None
