"""How a deal ended, in the words and figures of the result card."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from speed_client.model import Outcome
from speed_client.story import count
from speed_common.events import NOBODY
from speed_common.wire import Result, Room, SeatResult


def outcome_of(room: Room, near: int, *, seated: bool) -> Outcome:
    """The result card of a room whose deal is over, seen from seat `near` (a spectator sees from seat 0)."""
    result, far = room.result, 1 - near
    assert result is not None, "asked only with a result"
    names = [info.name or "the other" for info in room.seats]
    won = result.winner == near
    if result.winner == NOBODY:
        title = "NO WINNER"
    elif seated:
        title = "YOU WIN" if won else f"{names[result.winner].upper()} WINS"
    else:
        title = f"{names[result.winner].upper()} WINS"
    time = minutes(result.duration_us // 1_000_000)
    if result.winner == NOBODY:
        how = f"the deal could not go on, {time}"
    elif result.forfeit:
        how = f"{names[1 - result.winner] if result.winner == near or not seated else 'you'} left, after {time}"
    else:
        how = f"by {count(result.score, 'card')}, in {time}"
    rows = _figures(result, near, far) if len(result.seats) > max(near, far) else ()
    return Outcome(title, won or not seated, how, rows, _wish(room, near) if seated else "")


def _wish(room: Room, near: int) -> str:
    other = room.seats[1 - near]
    if room.seats[near].ready:
        return f"waiting for {other.name}" if other.name else "waiting for somebody to sit down"
    return f"{other.name} wants a rematch" if other.ready and other.name else ""


def _figures(result: Result, near: int, far: int) -> tuple[tuple[str, str, str], ...]:
    mine, other = result.seats[near], result.seats[far]

    def each(seat: SeatResult) -> tuple[str, str, str, str, str]:
        pace = f"{result.duration_us / 1_000_000 / seat.played:.2f}" if seat.played else "–"
        closest = seat.closest_us
        margin = "–" if closest is None else f"{closest / 1_000_000:+.2f} s".replace("-", "−")
        return str(seat.played), pace, str(seat.races_won), margin, str(seat.beaten)

    labels = ("cards played", "seconds a card", "races won", "closest race", "late tries")
    return tuple(zip(labels, each(mine), each(other), strict=True))


def minutes(seconds: int) -> str:
    """`0:47`, `12:05`."""
    return f"{seconds // 60}:{seconds % 60:02d}"
