"""What a terminal answers before the first screen: how wide three signs are, and whether its ground is light.

All is asked in one write and waited for a tenth of a second at most, since a mute terminal answers nothing. The colour
of the ground is asked for first: when the widths have come, it has been answered or never will be. Part of the rim;
`read_answers` is pure.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import monotonic
from typing import Final

from speed_client.style import Traits, prints_signs, traits_of

if sys.platform != "win32":
    import termios
    import tty

WAIT_SECONDS: Final = 0.1
SIGNS: Final = ("♠", "─", "█")
_MUTE: Final = frozenset({"", "dumb", "linux"})
_GROUND: Final = "\x1b]11;?\x1b\\"
_WIDTHS: Final = "".join(f"\r{sign}\x1b[6n" for sign in SIGNS)
_AFTER: Final = "\r\x1b[2K"

_PLACE: Final = re.compile(rb"\x1b\[\d+;(\d+)R")
_COLOUR: Final = re.compile(rb"\x1b\]11;rgba?:([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})")
_NARROW: Final = 2
"""The column, counted from 1, after a sign of one cell."""


def probe(environment: Mapping[str, str], encoding: str | None) -> Traits:
    """What the environment and the terminal tell. Nothing is asked of a terminal that has no answers, or of a pipe."""
    traits = traits_of(environment, encoding)
    if sys.platform == "win32" or traits.term in _MUTE or not prints_signs(encoding):
        return traits
    try:
        into, out = sys.stdin.fileno(), sys.stdout.fileno()
        if not (os.isatty(into) and os.isatty(out)):
            return traits
        return read_answers(ask(into, out), traits)
    except (OSError, ValueError, AttributeError, termios.error):
        return traits


def ask(into: int, out: int) -> bytes:
    """Write the questions to one descriptor and read what comes from the other; it is a terminal."""
    answers = b""
    with _raw(into):
        os.write(out, (_GROUND + _WIDTHS + _AFTER).encode())
        end = monotonic() + WAIT_SECONDS
        while len(_PLACE.findall(answers)) < len(SIGNS):
            ready, _, _ = select.select([into], [], [], max(0.0, end - monotonic()))
            if not ready:
                break
            data = os.read(into, 1024)
            if not data:
                break
            answers += data
    return answers


def read_answers(answers: bytes, traits: Traits) -> Traits:
    """What the answers say. A question without one changes nothing."""
    colour = _COLOUR.search(answers)
    light = _luminance(colour) > 0.5 if colour else traits.light  # noqa: PLR2004
    columns = [int(place) for place in _PLACE.findall(answers)]
    if len(columns) < len(SIGNS):
        return replace(traits, light=light)
    suit, *lines = columns[: len(SIGNS)]
    return replace(traits, light=light, wide_suits=suit > _NARROW, wide_lines=any(line > _NARROW for line in lines))


def _luminance(colour: re.Match[bytes]) -> float:
    """How light a colour is, 0 to 1, as an eye weighs its parts."""
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in colour.groups())
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


@contextlib.contextmanager
def _raw(descriptor: int) -> Iterator[None]:
    """Let the terminal hand over what it answers, unseen and at once."""
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSANOW)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)
