"""One player as the fair order sees it: the link and the trust in it. It outlives a deal: the session owns it. Pure."""

from __future__ import annotations

from speed_common.fair_settings import FairSettings
from speed_server.fair.link import Link
from speed_server.fair.trust import Ranks, Stall


class FairPlayer:
    """Feed it every message that carries `c_send`; ask for `beat_ns` when answering a heartbeat."""

    __slots__ = ("_settings", "beat_ns", "bucket_ns", "link", "play_ranks", "show_ranks", "stall")

    def __init__(self, settings: FairSettings, grain_ns: int = 0) -> None:
        self._settings = settings
        self.link = Link(settings.kernel_slack_ns, grain_ns)
        self.play_ranks = Ranks(settings)
        """Plays among the heartbeats around them: how long each was on its way up, by its stamp."""
        self.show_ranks = Ranks(settings)
        """Showings among the echoes around them: how long each was on its way down, by what is said of it."""
        self.stall = Stall(settings)
        self.bucket_ns = settings.bucket_max_ns
        """What is left for plays later than usual."""
        self.beat_ns = settings.middle_beat_ns
        """How often this link shall beat while a deal runs."""

    def heard(self, c_send: int, now: int, s_sent: int = 0, c_got: int = 0, *, beat: bool = True) -> bool:
        """A message came; see `Link.heard`. False: its clock has stepped, what is held of this player is void."""
        link = self.link
        silent = now - link.heard_at
        same = link.heard(c_send, now, s_sent, c_got, beat=beat)
        if not same:
            self.play_ranks.forget()
            self.show_ranks.forget()
        elif beat:
            self.play_ranks.beat(now - c_send)
            if link.down_newest is not None:
                self.show_ranks.beat(link.down_newest)
            self._choose_beat()
        if self.stall.shunned:
            self.stall.heard(now - link.server_time(c_send) if link.synced else 0, silent, now)
        return same

    @property
    def flagged(self) -> bool:
        """Whether plays or showings were later than the heartbeats around them for too long: no credit any more."""
        return self.play_ranks.flagged or self.show_ranks.flagged

    @property
    def waited_for(self) -> bool:
        """Whether others' plays are held for this one: its clock is in step and its stall budget not spent."""
        return self.link.theta_ns is not None and not self.stall.shunned

    def usual_ns(self) -> int:
        """How late after its race time a play of this link usually comes; that is free."""
        link = self.link
        return link.up_ns + max(0, link.down_ns - self._settings.reveal_cap_ns)

    def allowed_ns(self) -> int:
        """How long before its arrival a play may count: as long as heartbeats took, and can be paid for."""
        if self.flagged:
            return self.link.up_low_ns
        usual = self.usual_ns()
        settings, link = self._settings, self.link
        seen = link.slowest_up_ns + settings.press_slack_ns
        if link.slowest_down_ns > settings.reveal_cap_ns:
            seen += min(link.slowest_down_ns - settings.reveal_cap_ns, settings.credit_max_ns)
        return min(max(seen, usual), usual + self.bucket_ns)

    def credit_limit_ns(self, lead_ns: int) -> int:
        """The most lateness of a showing that was sent `lead_ns` ahead that this link explains."""
        if self.flagged:
            return 0
        settings = self._settings
        explained = self.link.slowest_down_ns - lead_ns + settings.show_slack_ns
        return min(settings.credit_max_ns, max(settings.show_slack_ns, explained))

    def pay(self, paid_ns: int, *, won: bool) -> None:
        """A play was judged that came so much later than usual.

        One that lost pays a part and earns nothing, as does every one while the last window of plays was suspicious.
        """
        settings = self._settings
        if not won:
            paid_ns = paid_ns * settings.lost_pays_percent // 100
        earned = settings.bucket_income_ns if won and not self.play_ranks.suspicious else 0
        self.bucket_ns = min(settings.bucket_max_ns, max(0, self.bucket_ns - paid_ns) + earned)

    def _choose_beat(self) -> None:
        settings, link = self._settings, self.link
        jitter = link.up_high_ns - link.up_ns
        if not link.down_high_ns:
            self.beat_ns = settings.middle_beat_ns
        elif (
            jitter >= settings.quick_jitter_ns
            or link.up_ns + link.down_ns >= settings.quick_rtt_ns
            or self.stall.shunned
        ):
            self.beat_ns = settings.quick_beat_ns
        elif jitter >= settings.middle_jitter_ns:
            self.beat_ns = settings.middle_beat_ns
        else:
            self.beat_ns = settings.calm_beat_ns
