"""What a host may set, with its reason where a number needs one. Durations are nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from speed_common.fair_settings import FairSettings
from speed_common.rules import Rules

MS: Final = 1_000_000
SECOND: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class HubSettings:
    """The settings of the pure part of the server; the command line fills them."""

    rules: Rules = field(default_factory=Rules)

    fair: FairSettings = field(default_factory=FairSettings)
    """How plays are ordered and when they are shown."""

    tick_ns: int = 2 * MS
    """Least time between two ticks of a table: a calm one answers at once, at a busy one more is judged together."""

    countdown_ns: int = 3 * SECOND

    reveal_lead_ns: int = 250 * MS
    """The reveal goes out this long before its instant, so that every link gets it in time."""

    grace_ns: int = 90 * SECOND
    """How long a deal waits for a player who dropped, before it is forfeit."""

    resume_ns: int = 2 * SECOND
    """After a pause play goes on so long after everybody is back, so that nobody is surprised."""

    silence_ns: int = 2_500 * MS
    """A player who said nothing for so long has dropped: five heartbeats."""

    keep_ns: int = 600 * SECOND
    """How long two people who are both away find their deal as they left it: nobody is there to win it."""

    idle_silence_ns: int = 12 * SECOND
    """The same where no deal runs and heartbeats are rare: three of them."""

    beat_ns: int = 500 * MS
    keyframe_ns: int = SECOND
    lobby_ns: int = 500 * MS
    """Least time between two lobby lists: they grow with the number of tables."""

    asked_ns: int = 50 * MS
    """Least time between two keyframes of a topic that new watchers ask for: each goes to all who follow it, so that
    five hundred who come at once would else have each other's, a hundred thousand messages and more."""

    max_tables: int = 256
    max_players: int = 512
    bot_tables: int = 0
    bot_level: int = 5
    bot_rest_ns: int = 5 * SECOND
    """How long two computers leave their result on the table for people to read."""

    match_rest_ns: int = 4 * SECOND
    """How long a deal's result stays on a tournament's table before the next deal, and the last one after the match."""

    forget_ns: int = 600 * SECOND
    """A ticket without a seat is forgotten after so long a silence."""

    records: bool = True
    """Whether the hub leaves the records of finished deals in `records`."""

    deal_number: int | None = None
    """Every deal is this one: for practice and benchmarks. None: secret deals."""
