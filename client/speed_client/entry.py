"""The first and the last moments of a command: Ctrl-C at any time, and a standard output that takes nothing.

Imports nothing that Python has not loaded already, so that the rest can be imported under its protection.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

INTERRUPTED = 130


class OutputError(Exception):
    """Standard output takes no more. `reason` is empty where the reader only went away, which is nobody's fault."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def output_error(error: OSError | ValueError) -> OutputError:
    """What a failed write means."""
    if isinstance(error, BrokenPipeError):
        return OutputError("")
    return OutputError((error.strerror if isinstance(error, OSError) else None) or str(error))


def guarded(program: str, command: Callable[[], int]) -> int:
    """Run a command to its exit code, with one line and no traceback for what ends it from outside."""
    lost: OutputError | None = None
    try:
        code = command()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except OutputError as error:
        code, lost = 0, error
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except (OSError, ValueError) as error:
            lost = lost or output_error(error)
        if lost is not None:
            _silence(sys.stdout.fileno)
    if lost is not None and lost.reason:
        complain(program, f"standard output cannot be written: {lost.reason}")
        return code or 1
    return code


def complain(program: str, text: str) -> None:
    """One line on standard error, if anybody reads it."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{program}: {text}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        _silence(sys.stderr.fileno)


def _silence(fileno: Callable[[], int]) -> None:
    """Python flushes its streams once more at its end, and would complain: let it write to nowhere."""
    try:
        descriptor = fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
    except (OSError, ValueError):
        return
