"""What every screen has: the bar of keys along its bottom, and the word that a window is too small for it."""

from __future__ import annotations

from speed_client.painters.canvas import Canvas, width_of
from speed_client.painters.plan import SMALL_HEIGHT, SMALL_WIDTH
from speed_client.style import Look


def paint_bar(canvas: Canvas, items: list[tuple[str, str]], y: int | None = None, x: int = 1) -> None:
    """The key bar; where room is short it drops the words and keeps the keys."""
    row = canvas.height - 1 if y is None else y
    canvas.fill(0, row, canvas.width, 1, (" ", "bar"))
    text = "   ".join(f"{key} {word}" for key, word in items)
    if x + width_of(text) > canvas.width:
        text = "  ".join(key for key, _ in items)
    canvas.text(x, row, text, "bar")


def paint_too_small(width: int, height: int, look: Look) -> Canvas:
    """What stands where no table fits."""
    canvas = Canvas(width, height, ascii_only=look.ascii, suits=look.suits)
    canvas.centred(width // 2, max(0, height // 2 - 1), "too small", "status")
    canvas.centred(width // 2, height // 2, f"{width}x{height}, {SMALL_WIDTH}x{SMALL_HEIGHT} needed", "hint")
    return canvas
