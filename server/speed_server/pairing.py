"""Pairing a Swiss round in a process of its own: the one part that computes for long, and would hold the game's thread.

`python -m speed_server.pairing` takes a task as JSON and gives the round.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import msgspec

from speed_server.tournament.play import PlanRound
from speed_server.tournament.swiss import Task
from speed_server.tournament.wishes import pair_or_relax

LONGEST_S: Final = 60.0


def pair_apart(task: Task) -> PlanRound:
    """The round of a task, paired in another process, or here where there can be none."""
    try:
        done = subprocess.run(  # noqa: S603  # this very module
            [sys.executable, "-m", __name__],
            input=msgspec.json.encode(task),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST_S,
            check=True,
        )
        return msgspec.json.decode(done.stdout, type=PlanRound)
    except (OSError, subprocess.SubprocessError, msgspec.DecodeError):
        return pair_or_relax(task)


if __name__ == "__main__":
    found = pair_or_relax(msgspec.json.decode(sys.stdin.buffer.read(), type=Task))
    sys.stdout.buffer.write(msgspec.json.encode(found))
