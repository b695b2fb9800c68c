"""The matches of a state by what is to be done with them.

A round robin of 64 has 2,016 matches, and most questions are about a few.
"""

from __future__ import annotations

from typing import Final

import msgspec

from speed_server.tournament.model import Match, Tournament


class Buckets(msgspec.Struct, frozen=True):
    """Matches in the order of their entry in the state. `live` are the called and the running ones."""

    unfinished: tuple[Match, ...]
    ready: tuple[Match, ...]
    live: tuple[Match, ...]


def buckets(state: Tournament) -> Buckets:
    """The buckets of a state."""
    matches, found = _memo[0]
    if matches is not state.matches:
        unfinished = [match for match in state.matches.values() if match.result is None]
        ready, live = [], []
        for match in unfinished:
            if match.status == "ready":
                ready.append(match)
            elif match.status != "waiting":
                live.append(match)
        found = Buckets(tuple(unfinished), tuple(ready), tuple(live))
        _memo[0] = state.matches, found
    return found


_memo: Final[list[tuple[dict[int, Match], Buckets]]] = [({}, Buckets((), (), ()))]
"""The last answer: the same state is asked many times in a row. States are never changed, so it cannot be stale."""
