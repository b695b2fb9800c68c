"""What the fair order may be set to, each number with its reason. Durations are nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

MS: Final = 1_000_000
SECOND: Final = 1_000_000_000

Mode = Literal["full", "order", "off"]


@dataclass(frozen=True, slots=True)
class FairSettings:
    """The fair order's settings; the defaults are those of an evening among friends on an ordinary LAN."""

    mode: Mode = "full"
    """`full`: hold, credit and scheduled reveal. `order`: sort what waits by race time. `off`: arrival order."""

    hold_cap_ns: int = 100 * MS
    """Longest hold, from the race time: a stalled radio reaches 80-90 ms, people notice beyond about 100."""

    tie_ns: int = 1 * MS
    """Race times so close are settled by the token: the clocks know no better."""

    reveal_cap_ns: int = 20 * MS
    """Longest wait from a commit to its showing: what display costs is nearly saved in holds, but not quite."""

    reveal_guard_ns: int = 2 * MS
    """Sent so much before the time that 95 % of a link's messages need."""

    calm_reveal_ns: int = 250 * MS
    """The deal's reveal and every flip have no hurry and matter most: every link gets them in time."""

    credit_max_ns: int = 50 * MS
    """Most lateness of one showing that is made good."""

    bucket_max_ns: int = 160 * MS
    """What a link may spend, and starts with, on plays later than it usually is."""

    bucket_income_ns: int = 20 * MS
    """Earned back by each committed play; an honest bad Wi-Fi spends 8-10 ms a play."""

    lost_pays_percent: int = 50
    """A play that lost its race gained nothing by its lateness and pays this part: trying is not free either."""

    show_slack_ns: int = 2 * MS
    """A showing may be so much later than the link's slowest message explains: drawing takes time."""

    press_slack_ns: int = 5 * MS
    """An honest client sends a press at once; one said to be older than this before its sending is not believed."""

    doubt_ns: int = 500 * MS
    """A message that seems to come so late may be from a machine that slept: until an echo tells, arrivals count."""

    stall_budget_ns: int = 500 * MS
    """So much may others wait for a player in `stall_window_ns`; after that nobody waits until it was healthy."""

    stall_window_ns: int = 10 * SECOND
    stall_free_ns: int = 40 * MS
    """The first part of each hold is nobody's fault: a bad Wi-Fi's ordinary half."""

    healthy_ns: int = 2 * SECOND
    most_pending: int = 2
    """Plays of one seat that wait to be judged; a third would rest on two guesses."""

    calm_beat_ns: int = 500 * MS
    middle_beat_ns: int = 50 * MS
    quick_beat_ns: int = 10 * MS
    quick_jitter_ns: int = 10 * MS
    """A link whose 97 % is so far above its median beats quickly: the next beat comes sooner than a probe's echo."""

    quick_rtt_ns: int = 10 * MS
    middle_jitter_ns: int = MS // 2

    rank_slack_ns: int = 3 * MS
    """A play may be so much later than the heartbeats around it before that counts: reading a key takes time."""

    flag_z: float = 4.5
    """Two windows of plays later than the heartbeats around them by so many standard deviations: no credit."""

    kernel_slack_ns: int = 2 * MS
    """Round trips of the program may be so much longer than those of its kernel: the machine may be busy."""


COMPETITIVE: Final = FairSettings(hold_cap_ns=60 * MS)
KITCHEN: Final = FairSettings(hold_cap_ns=150 * MS)
PRESETS: Final = {"default": FairSettings(), "competitive": COMPETITIVE, "kitchen": KITCHEN}
