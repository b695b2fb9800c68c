"""When the terminal's bell rings, for who wants it: at a countdown's digits, or at all that must be heard. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from speed_client.model import TableModel
from speed_client.news import Happened, News, PlayRefused, RoomChanged
from speed_common.events import Emptied, Flipped, Stuck, Won
from speed_common.wire import COUNTDOWN

_HEARD = (Emptied, Flipped, Stuck, Won)


def rings(bell: str, before: TableModel, after: TableModel, news: Iterable[News]) -> bool:
    """Whether it rings now that one picture follows the other. `bell` is `off`, `countdown` or `all`."""
    if bell == "off":
        return False
    if after.stage == "countdown" and after.digit and after.digit != before.digit:
        return True
    if before.stage == "countdown" and after.stage == "playing":
        return True
    return bell == "all" and any(map(_heard, news))


def _heard(item: News) -> bool:
    if isinstance(item, Happened):
        return isinstance(item.event, _HEARD)
    if isinstance(item, PlayRefused):
        return item.refused.word in {"beaten", "late_link"}
    return isinstance(item, RoomChanged) and item.room.phase == COUNTDOWN
