"""The order of one deal's plays: by race time, each held only while a rival could still have been earlier. Pure.

A play is let go once every rival that could contest it is past it (see `watermarks`), or at `hold_cap` after its race
time. Only who holds a card that fits the same pile can contest it, or everybody if it would end the deal. Piles do not
wait for each other. Race times within `tie` are settled by a token that passes to the other seat each time.

How it is driven (the package's docstring tells what the wire must carry):

* Feed each message to its sender's `FairPlayer` first, then what it says of showings to `shown`, a play to `submit`.
* In each tick, while `pop` gives a `Ruling`: let the table judge it and tell the outcome with `played` or `refused`
  before popping on. Then send a probe to each seat of `take_probes`. Run a tick at `next_due`, and as soon as any
  message of a seated player came while something is `waiting`.
* What became visible otherwise (the deal's reveal, a flip, tucked hands) is told with `turned`, the rest with `told`.

`FairOrder` knows no rule: the `Board` says which cards fit. It reads no clock; all times are server nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from speed_common.fair_settings import FairSettings
from speed_common.verdict import NO_ONE, Claim, Reason, Verdict, Waited, paid, race_time
from speed_server.fair.player import FairPlayer
from speed_server.fair.showing import Showing, Showings, own_thing
from speed_server.fair.waiting import CALL, NO_PILE, Board, FairPlay, Held, Ruling, Waiting
from speed_server.fair.watermarks import Ping, Watermarks

FAR: Final = 1 << 62
MOST_REFUSED: Final = 8
"""A seat's last refused plays, which one that rests on them falls with."""


class FairOrder:
    """One deal's plays in their fair order. `players` by seat, None for a computer; `gap_ns` as the rules have it."""

    def __init__(
        self, settings: FairSettings, players: Sequence[FairPlayer | None], board: Board, piles: int, gap_ns: int
    ) -> None:
        self._settings = settings
        self._players = players
        self._board = board
        self._gap_ns = gap_ns
        self._showings = Showings(settings, players, piles)
        self._marks = Watermarks(settings, players, self._showings, piles)
        self._waiting = Waiting(len(players))
        self._gap_end_ns = [0] * len(players)
        self._refused: list[list[int]] = [[] for _ in players]
        self._taken: list[tuple[int, int]] = [(0, NO_ONE)] * piles
        self._epochs = [0 if player is None else player.link.epoch for player in players]
        self._token = 0
        self._due_ns = FAR

    @property
    def waiting(self) -> int:
        """How many plays wait."""
        return self._waiting.count

    # --- what happened ------------------------------------------------------------------------------------------------

    def shown(self, seat: int, revision: int, c_shown: int) -> None:
        """The client says when it showed `revision`."""
        self._showings.shown(seat, revision, c_shown)

    def turned(
        self,
        revision: int,
        now: int,
        piles: Iterable[int],
        hands: Mapping[int, Iterable[int]] | None = None,
        *,
        at_ns: int = 0,
        calm: bool = True,
    ) -> Showing:
        """New tops (and cards of hands, by seat) as the deal's reveal or a flip brings them; `at_ns`: not before then.

        Give `revision` as it is after the events. The answer says when they are shown, and sent to whom.
        """
        showing = self._showings.plan(now, calm=calm, at_ns=at_ns)
        self._showings.turn(showing, revision, piles, hands or {})
        return showing

    def told(self, now: int) -> Showing:
        """When events that bring nothing to react to (a lost race, a stuck table) are shown and sent."""
        return self._showings.plan(now, calm=False)

    def resumed(self, now: int) -> None:
        """A pause is over: no press from before counts."""
        for seat in range(len(self._players)):
            self._marks.raise_floor(seat, now)

    def submit(self, play: FairPlay, now: int) -> bool:
        """A play arrived at `now`. False, and it is not taken, when too many of that seat's wait already."""
        seat, player, settings = play.seat, self._players[play.seat], self._settings
        if len(self._waiting.queues[seat]) >= settings.most_pending:
            return False
        self._note_steps()
        claim = self._claim(play, player, now)
        race_ns = race_time(claim, settings.press_slack_ns)
        if player is not None and claim.theta_ns is not None and settings.mode == "full":
            player.play_ranks.play(now - min(max(play.c_press, play.c_send - settings.press_slack_ns), play.c_send))
        self._marks.raise_floor(seat, race_ns)
        self._waiting.add(Held(play, claim, race_ns, 0 if player is None else player.link.epoch))
        self._due_ns = now
        return True

    def forget(self, seat: int) -> list[FairPlay]:
        """Drop what a seat has waiting; the dropped plays are returned, to be answered."""
        return self._waiting.forget(seat)

    # --- what is due --------------------------------------------------------------------------------------------------

    def pop(self, now: int) -> Ruling | None:
        """The next play that may be judged, in order; None when none may be yet."""
        self._due_ns = FAR
        if not self._waiting.count:
            return None
        self._note_steps()
        for queue in self._waiting.queues:
            if queue:
                void = self._void(queue[0], now)
                if void is not None:
                    return void
                self._place(queue)
        for head in self._waiting.heads():
            if head.at_ns > now:
                self._wait_until(head.at_ns)
                continue
            found = self._ready(head, now)
            if found is not None:
                return self._let_go(head, *found, now)
        return None

    def played(self, ruling: Ruling, now: int, revision: int, pile: int, refill: Iterable[int] = ()) -> Showing:
        """The table took the play onto `pile` (`NO_PILE`: a draw), and its revision is now this.

        `refill`: the cards that it brought to the player's hand. The answer says when it is shown, and sent to whom.
        """
        seat, player = ruling.play.seat, self._players[ruling.play.seat]
        self._gap_end_ns[seat] = ruling.at_ns + self._gap_ns
        if player is not None:
            player.pay(ruling.verdict.paid_ns, won=True)
        if pile != NO_PILE:
            self._taken[pile] = (ruling.at_ns, seat)
        showing = self._showings.plan(now, calm=False)
        self._showings.played(showing, revision, pile, seat, ruling.own, refill)
        return showing

    def refused(self, ruling: Ruling) -> None:
        """The table refused the play: what was stacked on it falls with it."""
        seat = ruling.play.seat
        self._note_refused(ruling.play)
        player = self._players[seat]
        if player is not None and ruling.word == "judge":
            player.pay(ruling.verdict.paid_ns, won=False)

    def take_probes(self) -> list[Ping]:
        """Whom to ping now: the echo, being behind all that they sent, says whether they pressed before."""
        return self._marks.take_probes()

    def next_due(self) -> int | None:
        """When to call `pop` again if no message comes before; None while nothing waits for time."""
        return None if self._due_ns >= FAR else self._due_ns

    def watermark(self, seat: int, pile: int, now: int) -> int:
        """The race time before which that player can press nothing more on this pile; `now` if nobody waits for it."""
        return self._marks.at(seat, pile, self._board.fitting(seat, pile), now)[0]

    # --- inside -------------------------------------------------------------------------------------------------------

    def _claim(self, play: FairPlay, player: FairPlayer | None, now: int) -> Claim:
        """All that the play's race time is made of."""
        seat, settings, pile = play.seat, self._settings, play.pile_meant
        floor = self._marks.floor_ns(seat, pile)
        if player is None or settings.mode == "off" or not player.link.trusted(play.c_send, now, settings.doubt_ns):
            return Claim(now, play.c_press, play.c_send, 0, None, 0, 0, 0, 0, 0, 0, floor)
        link = player.link
        credit = shown_at = usual = 0
        allowed = settings.hold_cap_ns
        if settings.mode == "full":
            usual, allowed = player.usual_ns(), player.allowed_ns()
            thing = None if pile == NO_PILE else self._showings.thing(seat, play.card, pile, play.revision)
            if thing is not None:
                credit, shown_at = thing.credit_ns(player), thing.at_ns
        return Claim(
            now, play.c_press, play.c_send, link.c_before, link.theta_ns, link.error_ns, link.grain_ns, shown_at,
            credit, usual, allowed, floor,
        )  # fmt: skip

    def _note_steps(self) -> None:
        """See whose clock has stepped."""
        for seat, player in enumerate(self._players):
            if player is not None and player.link.epoch != self._epochs[seat]:
                self._epochs[seat] = player.link.epoch
                self._showings.forget(seat)

    def _void(self, held: Held, now: int) -> Ruling | None:
        """A seat's first play, if its clock stepped or the play under it was refused."""
        play, player = held.play, self._players[held.play.seat]
        word: Literal["dropped", "fallen"]
        reason: Reason
        if player is not None and held.epoch != player.link.epoch:
            word, reason = "dropped", "epoch"
        elif play.after and play.after in self._refused[play.seat]:
            word, reason = "fallen", "base"
        else:
            return None
        self._waiting.take(play.seat)
        self._note_refused(play)
        verdict = self._verdict(held, now, reason, (), NO_ONE)
        own = own_thing(play.revision, held.at_ns, 0)
        return Ruling(play, word, held.at_ns, held.claim.arrival_ns, held.race_ns, verdict, own)

    def _note_refused(self, play: FairPlay) -> None:
        refused = self._refused[play.seat]
        refused.append(play.seq)
        del refused[:-MOST_REFUSED]

    def _place(self, queue: Iterable[Held]) -> None:
        """Work out where a seat's plays land and when they take effect, as the table stands now."""
        gap_end = None
        for held in queue:
            play = held.play
            if gap_end is None:
                gap_end = self._gap_end_ns[play.seat]
            held.lands = NO_PILE if play.card < 0 else self._board.landing(play.seat, play.card, play.pile)
            held.gap_end_ns = 0 if play.card == CALL else gap_end
            held.top_at_ns = 0
            if held.lands != NO_PILE and self._settings.mode == "full":
                held.top_at_ns = self._showings.top_at_ns(play.seat, held.lands)
            held.at_ns = max(held.race_ns, held.gap_end_ns, held.top_at_ns)
            gap_end = held.at_ns + self._gap_ns

    def _ready(self, head: Held, now: int) -> tuple[Reason, tuple[Waited, ...], int] | None:
        """Why the first play of a seat may go now, past which rivals, and with whom it was tied; None: it may not."""
        play, settings = head.play, self._settings
        if head.lands == NO_PILE:
            return "alone", (), NO_ONE
        ends = self._board.ends(play.seat, play.card)
        contenders = self._waiting.contenders(head, self._board, ends=ends)
        earliest, tied = head.at_ns, NO_ONE
        if contenders:
            earliest = min(earliest, *[held.at_ns for held in contenders])
        if contenders and settings.mode != "off":
            group = [held for held in (head, *contenders) if held.at_ns <= earliest + settings.tie_ns]
            chosen = min(group, key=lambda held: self._turn(held.play.seat))
            if chosen is not head:
                return None  # it becomes due with the one it waits for
            tied = next((held.play.seat for held in group if held is not head), NO_ONE)
        if settings.mode != "full":
            return "order", (), tied
        waited, blockers = self._rivals(head, now, ends=ends)
        if not blockers:
            return ("clear" if waited else "alone"), waited, tied
        if now >= earliest + settings.hold_cap_ns:
            self._charge(head, blockers, now)
            return "cap", waited, tied
        head.blockers = blockers
        self._wait_until(earliest + settings.hold_cap_ns)
        return None

    def _turn(self, seat: int) -> int:
        """How many seats the token is away from this one."""
        return (seat - self._token) % len(self._players)

    def _rivals(self, head: Held, now: int, *, ends: bool) -> tuple[tuple[Waited, ...], tuple[int, ...]]:
        """Who could contest the play, and which of them may still have pressed before it."""
        waited: list[Waited] = []
        blockers: list[int] = []
        piles = range(len(self._taken)) if ends else (head.lands,)
        for seat, player in enumerate(self._players):
            if seat == head.play.seat or player is None:
                continue
            before_us = self._turn(seat) < self._turn(head.play.seat)
            needed = head.at_ns + (self._settings.tie_ns if before_us else 0)
            least, lowered = FAR, 0
            for pile in piles:
                cards = tuple(self._board.fitting(seat, pile))
                if cards or self._waiting.queues[seat]:  # a play that waits brings a card that nobody knows yet
                    mark, by = self._marks.at(seat, pile, cards, now)
                    self._marks.promise(seat, pile, min(mark, needed))
                    if mark < least:
                        least, lowered = mark, by
            if least == FAR:
                continue
            waited.append(Waited(seat, least, needed))
            if least < needed:
                blockers.append(seat)
                self._wait_until(needed + player.allowed_ns())
                self._wait_until(self._marks.probe(seat, player, needed + lowered, now) or FAR)
        return tuple(waited), tuple(blockers)

    def _charge(self, head: Held, blockers: Iterable[int], now: int) -> None:
        for seat in blockers:
            player = self._players[seat]
            if player is not None:
                player.stall.charge(now - max(head.at_ns, head.claim.arrival_ns), now)

    def _let_go(self, head: Held, reason: Reason, rivals: tuple[Waited, ...], tied: int, now: int) -> Ruling:
        play = head.play
        self._waiting.take(play.seat)
        if reason == "clear":
            self._charge(head, head.blockers, now)
        if tied != NO_ONE:
            self._token = (play.seat + 1) % len(self._players)
        own = own_thing(play.revision, head.at_ns, head.claim.credit_ns)
        verdict = self._verdict(head, now, reason, rivals, tied)
        return Ruling(play, "judge", head.at_ns, head.claim.arrival_ns, head.race_ns, verdict, own)

    def _verdict(self, held: Held, now: int, reason: Reason, rivals: tuple[Waited, ...], tied: int) -> Verdict:
        play, claim, behind = held.play, held.claim, 0
        pile = held.lands if held.lands != NO_PILE else play.pile_meant
        if held.lands == NO_PILE and pile != NO_PILE:
            taken_ns, by = self._taken[pile]
            behind = max(0, taken_ns - held.race_ns) if by not in {NO_ONE, play.seat} else 0
            if behind and reason == "alone":
                reason = "late"
        return Verdict(
            play.seat, play.seq, play.card, pile, claim, held.race_ns, held.gap_end_ns, held.top_at_ns, held.at_ns, now,
            now - claim.arrival_ns, reason, rivals, tied, behind, paid(claim, held.race_ns),
        )  # fmt: skip

    def _wait_until(self, when: int) -> None:
        self._due_ns = min(self._due_ns, when)
