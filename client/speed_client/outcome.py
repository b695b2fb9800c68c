"""How a deal ended, in the words and figures of the result card."""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from collections.abc import Mapping, Sequence

from speed_client.model import Outcome
from speed_client.story import count
from speed_client.wording import is_match, listed, milliseconds, next_word
from speed_common.events import NOBODY
from speed_common.wire import OVER, Result, Room, SeatResult


def outcome_of(
    room: Room, near: int, players: Mapping[int, str], *, seated: bool, gains: tuple[str, ...] = ()
) -> Outcome:
    """The result card of a room whose deal is over, seen from seat `near` (a spectator sees from seat 0).

    `players` are the names of who played it, of whom some may have left since; `gains` what it brought in practice.
    """
    result = room.result
    assert result is not None, "asked only with a result"
    names = [players.get(seat) or info.name or "the other" for seat, info in enumerate(room.seats)]
    won = result.winner == near
    if result.winner == NOBODY:
        title = "NO WINNER"
    else:
        title = "YOU WIN" if won and seated else f"{names[result.winner].upper()} WINS"
    order = [(near + step) % len(names) for step in range(len(names))]
    has_figures = len(result.seats) == len(names)
    wish, again = _wish(room, near, names) if seated else ("", False)
    return Outcome(
        title,
        won or not seated,
        _how(result, near, names, seated=seated),
        tuple(names[seat] for seat in order) if has_figures else (),
        _figures(result, order) if has_figures else (),
        _match(room, result, names, near if seated else NOBODY),
        room.code,
        wish,
        again,
        gains,
        next_word(room),
        _report(result, order),
    )


def _how(result: Result, near: int, names: Sequence[str], *, seated: bool) -> str:
    time = minutes(result.duration_us // 1_000_000)
    if result.winner == NOBODY:
        return f"the deal could not go on, {time}"
    if not result.forfeit:
        return f"by {count(result.score, 'card')}, in {time}"
    if seated and result.winner != near:
        return f"you left, after {time}"
    left = [name for seat, name in enumerate(names) if seat != result.winner]
    return f"{left[0] if len(left) == 1 else 'the others'} left, after {time}"


def _match(room: Room, result: Result, names: Sequence[str], viewer: int) -> str:
    """How the match stands after this deal; empty where single deals are played."""
    rules = room.rules
    if not is_match(rules):
        return ""
    by_points = bool(rules.match_target)
    score = [info.points if by_points else info.wins for info in room.seats]
    if result.match_over and result.winner != NOBODY:
        winner = "you" if result.winner == viewer else names[result.winner]
        standing = " – ".join(str(points) for points in sorted(score, reverse=True))
        return f"match won by {winner}, {standing}"
    aim = f"match to {rules.match_target} points" if by_points else f"best of {rules.best_of}"
    return f"{aim}: {', '.join(f'{name} {points}' for name, points in zip(names, score, strict=True))}"


def _wish(room: Room, near: int, names: Sequence[str]) -> tuple[str, bool]:
    """What is waited for, and whether a rematch can be asked for."""
    others = [seat for seat in range(len(room.seats)) if seat != near]
    left = [names[seat] for seat in others if not room.seats[seat].name]
    if left:
        have = "has" if len(left) == 1 else "have"
        return f"{listed(left)} {have} left: waiting for somebody to sit down", False
    if room.seats[near].ready:
        return f"waiting for {listed([room.seats[seat].name for seat in others if not room.seats[seat].ready])}", False
    ready = [room.seats[seat].name for seat in others if room.seats[seat].ready]
    what = "the next deal" if next_word(room) == "next deal" else "a rematch"
    wish = f"{listed(ready)} {'wants' if len(ready) == 1 else 'want'} {what}" if ready else ""
    return wish, room.phase == OVER


def _figures(result: Result, order: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    def each(seat: SeatResult) -> tuple[str, str, str, str, str]:
        pace = f"{result.duration_us / 1_000_000 / seat.played:.2f}" if seat.played else "–"
        closest = seat.closest_us
        margin = "–" if closest is None else f"{closest / 1_000_000:+.2f} s".replace("-", "−")
        return str(seat.played), pace, str(seat.races_won), margin, str(seat.beaten)

    labels = ("cards played", "seconds a card", "races won", "closest race", "late tries")
    return tuple(zip(labels, *(each(result.seats[seat]) for seat in order), strict=True))


def _report(result: Result, order: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """How many plays others could have contested, and how long plays were held for that: mean and 99 %."""
    if len(result.fair) != len(order):
        return ()
    own = [result.fair[seat] for seat in order]
    held = (f"{milliseconds(seat.hold_mean_us)} / {milliseconds(seat.hold_p99_us)}" for seat in own)
    return ("contested", *(str(seat.contested) for seat in own)), ("held, ms", *held)


def minutes(seconds: int) -> str:
    """`0:47`, `12:05`."""
    return f"{seconds // 60}:{seconds % 60:02d}"
