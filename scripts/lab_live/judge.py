"""Races out of what the server recorded and what the players' fingers truly did. Pure.

A race is a play that was refused as beaten, or as come too late for its race time, and the play that took its pile,
where both were on their way to the same top. The truth is who pressed first, as if both had been shown it in time.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

import msgspec

from lab_live.pressed import Pressed
from lab_sim.races import GAPS_MS, Race
from lab_sim.world import MS
from speed_common.events import Play
from speed_common.record import ACCEPTED
from speed_common.record_read import Record
from speed_common.verdict import Claim, Verdict

LOST: Final = frozenset({"beaten", "late_link"})
NEAR: Final = 0.25
"""A gap counts as one of `GAPS_MS` if it is within so much of it; fingers on a busy machine are not exact."""

_Presses: TypeAlias = "defaultdict[tuple[int, int, int, int], deque[Pressed]]"


class _Judged(NamedTuple):
    """A play: its judgement, when it came (deal time), and its press."""

    verdict: Verdict
    arrival_us: int
    pressed: Pressed


def races(records: Iterable[Record], pressed: Iterable[Pressed]) -> list[Race]:
    """All races of these deals, and every play that nobody contested.

    A play is found among the presses by its table, deal, seat and card; pressed again, in the same order.
    """
    presses: _Presses = defaultdict(deque)
    for one in sorted(pressed, key=lambda one: one.pressed_ns):
        presses[one.table, one.deal, one.seat, one.card].append(one)
    found = [race for record in records for race in _of(record, presses)]
    for number, race in enumerate(found, 1):
        race.number = number
    return found


def _of(record: Record, presses: _Presses) -> Iterator[Race]:
    taken: dict[int, _Judged] = {}
    """By pile, the play that took it last."""
    raced: list[_Judged] = []
    accepted: list[_Judged] = []
    for line in record.lines:
        request = line.request
        if not isinstance(request, Play) or "arrival_us" not in line.extras:
            continue
        waiting = presses[record.heading.table, record.heading.deal, request.seat, request.card]
        if not waiting:
            continue
        judged = _Judged(_verdict(request, line.extras), line.extras["arrival_us"], waiting.popleft())
        if request.at > line.extras["press_us"]:  # the least gap after its player's last play moved it: no fair race
            taken.pop(request.pile, None)
            continue
        winner = taken.get(request.pile)
        if line.verdict == ACCEPTED:
            taken[request.pile] = judged
            accepted.append(judged)
        elif line.verdict in LOST and winner is not None and winner not in raced and _same_top(winner, judged):
            raced.append(winner)
            yield _race(winner, judged)
    for judged in accepted:
        if judged not in raced:
            machine = judged.pressed.machine
            yield Race(0, 0.0, 0, machine, winner=machine, verdicts={machine: judged.verdict})


def _same_top(winner: _Judged, loser: _Judged) -> bool:
    mine, other = winner.pressed, loser.pressed
    return mine.machine != other.machine and mine.revision == other.revision


def _race(winner: _Judged, loser: _Judged) -> Race:
    """The race, in which seat 0 is who sits at machine 0."""
    pressed = {one.pressed.machine: one.pressed for one in (winner, loser)}
    gap_ms = (pressed[1].fair_ns - pressed[0].fair_ns) / MS
    nominal = min(GAPS_MS, key=lambda gap: abs(abs(gap_ms) - gap))
    return Race(
        0,
        gap_ms,
        nominal if abs(abs(gap_ms) - nominal) <= NEAR * nominal else 0,
        pressed_ns={machine: one.pressed_ns for machine, one in pressed.items()},
        shown_ns={machine: one.shown_ns for machine, one in pressed.items()},
        arrived=[one.pressed.machine for one in sorted((winner, loser), key=lambda one: one.arrival_us)],
        winner=winner.pressed.machine,
        verdicts={one.pressed.machine: one.verdict for one in (winner, loser)},
        clock_error_ns={machine: one.believed_ns for machine, one in pressed.items()},
    )


def _verdict(request: Play, extras: Mapping[str, object]) -> Verdict:
    """The play's judgement; of one that nobody could contest only the times were kept."""
    if "order" in extras:
        return msgspec.convert(extras["order"], Verdict)
    claim = Claim(0, 0, 0, 0, None, 0, 0, 0, 0, 0, 0, 0)
    return Verdict(request.seat, 0, request.card, request.pile, claim, 0, 0, 0, 0, 0, 0, "alone")
