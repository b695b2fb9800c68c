"""A QR code for a terminal: two rows of squares in one line of half blocks, white on black whatever the theme."""

from __future__ import annotations

from typing import Final

QUIET: Final = 2
"""Squares of margin. The standard asks for four, which would not fit into 24 lines; phones do not mind."""

_SIGNS: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def qr_lines(text: str, *, colour: bool) -> list[str]:
    """The lines of the code for a text; `colour` adds escape codes, without which it needs a dark terminal."""
    import segno  # noqa: PLC0415  # only an invitation needs it

    rows = [[bool(square) for square in row] for row in segno.make_qr(text, error="l").matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    before, after = ("\x1b[97;40m", "\x1b[0m") if colour else ("", "")
    return [
        before + "".join(_SIGNS[pair] for pair in zip(upper, lower, strict=True)) + after
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
