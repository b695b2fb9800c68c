"""A play's race time, and the record from which anyone can work it out anew. Pure.

The race time is `shown_at + (c_press - c_shown)`: the scheduled showing of the thing reacted to and the reaction, read
on the player's own clock. It is worked out as the press in server time less the credit, which is how much later than
scheduled the thing was shown; the two are the same. All times are nanoseconds, `c_*` the client's, others the server's.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from speed_common.fair_settings import FairSettings

Reason = Literal["alone", "clear", "cap", "order", "late", "epoch", "base"]
"""Why a play was let go when it was: nobody could contest it; everybody who could is past it; the longest hold is over;
the mode holds nothing. Why one was refused: an earlier race time that came after its hold; the clock stepped; the play
that it was stacked on was refused."""

NO_ONE: Final = -1


class Claim(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that a race time is made of. `theta_ns` None: the clock is not in step, or the mode counts arrivals.

    `c_floor` is when the player's message before this one left; `floor_ns` the latest of its last race time, the
    watermark that others' plays were let go by, and the end of the last pause.
    """

    arrival_ns: int
    c_press: int
    c_send: int
    c_floor: int
    theta_ns: int | None
    error_ns: int
    grain_ns: int
    shown_at_ns: int
    credit_ns: int
    usual_ns: int
    allowed_ns: int
    floor_ns: int


class Waited(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A rival that could have contested the play: its watermark when the play was let go, and what it had to reach."""

    seat: int
    watermark_ns: int
    needed_ns: int


class Verdict(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One play's judgement in the order: `at_ns` is the effective time, `hold_ns` the wait after its arrival.

    `gap_end_ns` is the end of the least gap after the player's last play; `top_at_ns` the showing of the top that it
    lands on. `behind_ns`: by how much it was earlier than the play that had taken its pile already, 0 if it was not.
    """

    seat: int
    seq: int
    card: int
    pile: int
    claim: Claim
    race_ns: int
    gap_end_ns: int
    top_at_ns: int
    at_ns: int
    decided_ns: int
    hold_ns: int
    reason: Reason
    rivals: tuple[Waited, ...] = ()
    tied_with: int = NO_ONE
    behind_ns: int = 0
    paid_ns: int = 0

    @property
    def contested(self) -> bool:
        """Whether anybody could have been earlier, or somebody was."""
        return bool(self.rivals) or self.tied_with != NO_ONE or self.behind_ns > 0


def race_time(claim: Claim, press_slack_ns: int) -> int:
    """The race time of a play. Whatever is claimed, it is no later than its arrival and no earlier than its bounds."""
    if claim.theta_ns is None:
        return claim.arrival_ns
    press = min(max(claim.c_press, claim.c_send - press_slack_ns, claim.c_floor), claim.c_send)
    instant = press + claim.grain_ns // 2 - claim.theta_ns - claim.credit_ns
    lowest = max(claim.arrival_ns - claim.allowed_ns, claim.shown_at_ns, claim.floor_ns)
    return min(max(instant, lowest), claim.arrival_ns)


def paid(claim: Claim, race_ns: int) -> int:
    """What the play costs its player's bucket: how much later than usual it came after its race time."""
    return 0 if claim.theta_ns is None else max(0, claim.arrival_ns - race_ns - claim.usual_ns)


def recompute(verdict: Verdict, settings: FairSettings) -> list[str]:
    """What is wrong with a verdict of the record, by its own figures; empty when all of it follows."""
    claim, wrong = verdict.claim, []
    if verdict.race_ns != race_time(claim, settings.press_slack_ns):
        wrong.append("race time")
    if verdict.paid_ns != paid(claim, verdict.race_ns):
        wrong.append("payment")
    if verdict.at_ns != max(verdict.race_ns, verdict.gap_end_ns, verdict.top_at_ns):
        wrong.append("effective time")
    if verdict.hold_ns != verdict.decided_ns - claim.arrival_ns:
        wrong.append("hold")
    if claim.credit_ns > settings.credit_max_ns:
        wrong.append("credit")
    passed = all(rival.watermark_ns >= rival.needed_ns for rival in verdict.rivals)
    follows = {
        "alone": not verdict.rivals,
        "clear": bool(verdict.rivals) and passed,
        "cap": not passed and verdict.decided_ns >= verdict.at_ns + settings.hold_cap_ns - settings.tie_ns,
        "late": verdict.behind_ns > 0,
        "order": settings.mode != "full",
    }
    if not follows.get(verdict.reason, True):
        wrong.append("reason")
    return wrong
