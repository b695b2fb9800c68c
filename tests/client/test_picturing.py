from __future__ import annotations

import pyte
from PIL import ImageFont

from picturing import CELL, MARGIN, PAPER, draw

FONT = ImageFont.load_default()


def drawn(text: str, theme: str = "dark") -> tuple[tuple[int, int, int], ...]:
    """The colours at the top and at the bottom of the first cell."""
    screen = pyte.Screen(4, 2)
    pyte.Stream(screen).feed(text)
    image = draw(screen, theme, FONT, FONT)
    assert image.size == (4 * CELL[0] + 2 * MARGIN, 2 * CELL[1] + 2 * MARGIN)
    pixels = [image.getpixel((MARGIN + 1, MARGIN + y)) for y in (1, CELL[1] - 2)]
    return tuple(pixel for pixel in pixels if isinstance(pixel, tuple) and len(pixel) == 3)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour))


def test_half_blocks_join_with_the_cells_beside_them() -> None:
    red, ground = (0xD7, 0, 0), rgb(PAPER["dark"][1])
    assert drawn("\x1b[38;5;160m▀") == (red, ground)
    assert drawn("\x1b[38;5;160m▄") == (ground, red)
    assert drawn("\x1b[38;5;160m█") == (red, red)


def test_reverse_video_changes_ink_and_ground() -> None:
    ink = rgb(PAPER["light"][0])
    assert drawn("\x1b[7m ", "light") == (ink, ink)
