"""Pairing with the director's wishes, and without them where they allow no round. What a worker runs."""

from __future__ import annotations

from msgspec.structs import replace

from speed_server.tournament.model import EMPTY
from speed_server.tournament.play import PlanRound
from speed_server.tournament.swiss import Task, pair


def pair_or_relax(task: Task) -> PlanRound:
    """The round of a task. Wishes that are impossible together are dropped, which each line then says."""
    try:
        return PlanRound(task.number, pair(task))
    except ValueError as error:
        free = replace(task, fixed=(), forbidden=(), fixed_bye=EMPTY)
        lines = pair(free)
        return PlanRound(task.number, tuple(replace(line, why=f"{error}; {line.why}") for line in lines))
