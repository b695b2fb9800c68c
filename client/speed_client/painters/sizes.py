"""The table in whichever of its three sizes fits: full, compact, or word that the window is too small."""

from __future__ import annotations

from speed_client.model import TableModel
from speed_client.painters.any_screen import paint_too_small
from speed_client.painters.canvas import Canvas
from speed_client.painters.compact import paint_compact
from speed_client.painters.plan import FULL_HEIGHT, FULL_WIDTH, SMALL_HEIGHT, SMALL_WIDTH
from speed_client.painters.table import paint_full
from speed_client.style import Look


def paint_table(model: TableModel, width: int, height: int, look: Look) -> Canvas:
    """The table as it looks in `width` columns and `height` rows, whichever of the three sizes that is."""
    if look.frame != "compact" and width >= FULL_WIDTH and height >= FULL_HEIGHT:
        return paint_full(model, width, height, look)
    if width >= SMALL_WIDTH and height >= SMALL_HEIGHT:
        return paint_compact(model, width, height, look)
    return paint_too_small(width, height, look)
