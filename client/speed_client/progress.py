"""What practice has brought so far: which speeds of the computer are open, and the best time against each. Pure.

Speeds 1 to 3 are open at first. A win against an open speed opens the next one at once, up to 10; losing closes
nothing. A game code may carry a speed that is not open yet: it can be played and opens nothing; no deal by code sets a
best time, since it can be played again.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from speed_client.news import News, Practised, RoomChanged
from speed_common.events import NOBODY
from speed_common.presets import PRESETS, make_rules
from speed_common.rules import Rules
from speed_common.wire import OVER, Room

OPEN_AT_FIRST: Final = 3
LEVELS: Final = 10

_Level = Annotated[int, Meta(ge=1, le=LEVELS)]


class Progress(Struct, frozen=True):
    """One player's practice on this machine. `best_us` is the shortest won deal against each speed, in microseconds."""

    unlocked: Annotated[int, Meta(ge=OPEN_AT_FIRST, le=LEVELS)] = OPEN_AT_FIRST
    best_us: dict[_Level, Annotated[int, Meta(ge=0)]] = {}
    taught: bool = False
    """Whether the lesson before the first practice was shown."""

    def is_open(self, level: int) -> bool:
        """Whether this speed may be chosen."""
        return level <= self.unlocked


def what_opens(progress: Progress, level: int) -> str:
    """The sentence for a speed that is not open."""
    return (
        f"speed {level} is not open yet: a win against speed {level - 1} opens it (open now: 1 to {progress.unlocked})"
    )


def after_win(progress: Progress, level: int, duration_us: int, *, by_code: bool) -> tuple[Progress, Practised]:
    """What a win against `level` brings."""
    opened = level + 1 if level == progress.unlocked < LEVELS else 0
    before = progress.best_us.get(level, 0)
    record = not by_code and (not before or duration_us < before)
    return (
        replace(
            progress,
            unlocked=max(progress.unlocked, opened),
            best_us={**progress.best_us, level: duration_us} if record else progress.best_us,
        ),
        Practised(level, True, opened, duration_us if record else before, record),
    )


def is_common(rules: Rules) -> bool:
    """Whether a win by these rules counts: the presets for two, with kings and aces and equal ranks as one likes."""
    return any(
        rules == make_rules(preset, wrap=rules.wrap, same_rank=rules.same_rank)
        for preset in PRESETS
        if preset != "four"
    )


def exact_time(duration_us: int) -> str:
    """A deal's length as `1:02.3`."""
    tenths = duration_us // 100_000
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def practised_words(item: Practised) -> tuple[str, ...]:
    """What a deal brought, a sentence each."""
    opened = (f"level {item.opened} is open now",) if item.opened else ()
    if item.record:
        return *opened, f"best time against speed {item.level}: {exact_time(item.best_us)}"
    if item.best_us:
        return *opened, f"best time against speed {item.level} is still {exact_time(item.best_us)}"
    return opened


class Coach:
    """Follows the news of a session and adds what its deals bring; `progress` is kept by whoever started it."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self._counted: tuple[int, int] | None = None

    def follow(self, news: list[News]) -> bool:
        """Put a `Practised` behind each result that is news; whether the progress has changed."""
        before = self.progress
        for item in tuple(news):
            if isinstance(item, RoomChanged) and item.room.phase == OVER and item.room.result is not None:
                moment = item.room.table, item.room.deal
                if moment != self._counted:
                    self._counted = moment
                    practised = self._result(item.room, item.seat)
                    if practised is not None:
                        news.insert(news.index(item) + 1, practised)
        return self.progress != before

    def _result(self, room: Room, seat: int) -> Practised | None:
        result = room.result
        others = [info.level for number, info in enumerate(room.seats) if number != seat]
        if result is None or seat < 0 or len(others) != 1 or not others[0] or result.winner == NOBODY:
            return None
        level = others[0]
        if result.winner != seat or result.forfeit or not is_common(room.rules):
            return Practised(level, result.winner == seat, 0, self.progress.best_us.get(level, 0), False)
        self.progress, practised = after_win(self.progress, level, result.duration_us, by_code=bool(room.code))
        return practised
