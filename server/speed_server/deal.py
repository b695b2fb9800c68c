"""One deal being played: the table, the plays in their fair order, and the computer players.

Requests to the table are in deal time (microseconds since the reveal), as the room's clock reads it; the fair order
works in server time (nanoseconds). `advance` runs what is due and leaves batches of events and answers for the room to
pick up, each with the instant at which it is shown and those at which it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from speed_common.cards import NO_CARD, NO_RANK, Card
from speed_common.computer import NOTICED, Computer
from speed_common.decide import Decision, decide
from speed_common.deck import CodeStream, SecretStream, lay_out
from speed_common.events import (
    AUTO_PILE,
    AskFlip,
    Autoplay,
    Beaten,
    Call,
    DealTime,
    Drew,
    Due,
    Event,
    Flipped,
    Leave,
    Play,
    Played,
    Refusal,
    RefusalWord,
    Request,
    Reveal,
    Revealed,
    Took,
    Tucked,
)
from speed_common.fair_settings import FairSettings
from speed_common.idle import autoplay_due
from speed_common.rules import Rules
from speed_common.table import OVER, STUCK, evolve, new_table
from speed_common.tally import Tally
from speed_common.verdict import Verdict
from speed_common.views import hide, insiders_of
from speed_common.wire import Reactions, Result
from speed_server.board import TableBoard
from speed_server.deal_clock import NS_PER_US, DealClock
from speed_server.fair.arrival import ArrivalOrder
from speed_server.fair.cost import Cost
from speed_server.fair.order import FairOrder
from speed_server.fair.player import FairPlayer
from speed_server.fair.showing import Showing
from speed_server.fair.waiting import CALL, NO_PILE, FairPlay, Ruling
from speed_server.outcomes import Answer, Batch, Logged, request_of, turned_by

FOR_EVER: DealTime = 1 << 40

MOST_LOGGED: Final = 4_000
"""From here on the log leaves out what changed nothing: who floods the table with requests must not fill the memory."""


class Deal:
    """One deal from the reveal to its end. Pick up `batches` and `answers` after each call and clear them.

    `players` are by seat, None for a computer. `revision` is the table's count of events so far. `log` is all that was
    asked, in the order judged; `left_out` counts what is not in it (see `MOST_LOGGED`).
    """

    def __init__(
        self,
        rules: Rules,
        stream: CodeStream | SecretStream,
        computers: Mapping[int, Computer],
        players: Sequence[FairPlayer | None],
        fair: FairSettings,
        clock: DealClock,
        revision: int,
    ) -> None:
        self.table = new_table(rules, lay_out(rules, stream), stream)
        self.stream = stream
        gap_ns = rules.min_play_gap_us * NS_PER_US
        self.order: FairOrder | ArrivalOrder = (
            ArrivalOrder(fair, rules.players, gap_ns)
            if fair.mode == "off"
            else FairOrder(fair, players, TableBoard(self.table), rules.piles, gap_ns)
        )
        self.revision = revision
        self.batches: list[Batch] = []
        self.answers: list[Answer] = []
        self.log: list[Logged] = []
        self.left_out = 0
        self._clock = clock
        self._computers = dict(computers)
        self._flip_lead_us = fair.calm_reveal_ns // NS_PER_US if fair.mode == "full" else 0
        self._timed = bool(computers or rules.idle_autoplay_us)
        self._tally = Tally(rules.players)
        self._cost = Cost(rules.players)
        self._takers: dict[int, Verdict] = {}
        self._end: Event | None = None

    @property
    def over(self) -> bool:
        """Whether the deal has a winner or is void."""
        return self.table.phase == OVER

    def reveal(self, now: int) -> None:
        """Turn the cards, to be shown when the clock says 0."""
        self.order.resumed(self._clock.reveal_at_ns)
        self._ask(Reveal(), now, at_ns=self._clock.reveal_at_ns)
        for computer in self._computers.values():
            computer.revealed(0)

    def submit(self, play: FairPlay, now: int) -> bool:
        """A play arrived; `advance` judges it at its place in the order. False: too many wait, it is not taken.

        The order asks about piles by number, so one that this table has not got goes no further.
        """
        piles = self.table.rules.piles
        if play.pile >= piles:
            self._answer(play.seat, play.seq, Refusal("illegal"), now)
            return True
        if play.aimed >= piles:
            play = play._replace(aimed=NO_PILE)
        return self.order.submit(play, now)

    def ask_flip(self, seat: int, seq: int, now: int) -> None:
        """A player asks for the flip of the stuck table."""
        refusal = self._ask(AskFlip(seat, self._clock.at(now)), now)
        if refusal is not None:
            self._answer(seat, seq, refusal, now)

    def refuse_waiting(self, word: RefusalWord, now: int) -> None:
        """Answer every play that still waits with a refusal: it is not made."""
        for seat in range(self.table.rules.players):
            self._forget(seat, word, now)

    def leave(self, seat: int, now: int) -> None:
        """A player is gone for good; with several left the deal goes on without."""
        self._ask(Leave(seat, max(0, self._clock.at(now))), now)
        self._forget(seat, "deal_over", now)

    def advance(self, now: int) -> None:
        """Run everything that is due by `now`."""
        table, order = self.table, self.order
        while table.phase != OVER:
            if (self._timed or table.due is not None) and self._run_timer(now):
                continue
            if not order.waiting:
                return
            ruling = order.pop(now)
            if ruling is None:
                return
            self._judge(ruling, now)

    def next_due(self) -> int | None:
        """Server time at which `advance` has something to do if nothing arrives before."""
        table = self.table
        if table.phase == OVER:
            return None
        due = self.order.next_due() if self.order.waiting else None
        if self._timed or table.due is not None:
            timer = self._first_timer()[0]
            if timer < FOR_EVER:
                at_ns = self._clock.server_time(timer)
                due = at_ns if due is None or at_ns < due else due
        return due

    def result(self) -> Result:
        """The figures of a deal that is over."""
        assert self._end is not None, "a deal that is not over has no result"
        seed = self.stream.seed if isinstance(self.stream, SecretStream) else b""
        return msgspec.structs.replace(self._tally.result(self.table, self._end, seed), fair=self._cost.by_seat())

    # --- what is due --------------------------------------------------------------------------------------------------

    def _first_timer(self) -> tuple[DealTime, Computer | None, int]:
        """When the first timer runs out, and which computer's it is, at which seat; without one it is the table's."""
        table = self.table
        due, first, at_seat = FOR_EVER, None, -1
        if table.due is not None:
            # A flip is decided ahead and shown when it is due, so that every link gets it in time.
            due = table.due - (self._flip_lead_us if table.phase == STUCK else 0)
        idle = autoplay_due(table) if table.rules.idle_autoplay_us else None
        if idle is not None and idle < due:
            due = idle
        for seat, computer in self._computers.items():
            when = computer.next_due()
            if when is not None and when < due:
                due, first, at_seat = when, computer, seat
        return due, first, at_seat

    def _run_timer(self, now: int) -> bool:
        """Run the first timer that is due; false when none is."""
        due, computer, seat = self._first_timer()
        if due > self._clock.at(now):
            return False
        if computer is not None:
            self._move_computer(computer, seat, due, now)
        elif self.table.due is not None:
            flips = self.table.phase == STUCK
            self._ask(Due(self.table.due), now, at_ns=self._clock.server_time(self.table.due) if flips else 0)
        else:
            self._ask(Autoplay(due), now)
        return True

    def _move_computer(self, computer: Computer, seat: int, at: DealTime, now: int) -> None:
        """Let a computer do what it does now; it sees its own seat's view and nothing else."""
        move = computer.due(at, hide(self.table, seat), seat)
        if isinstance(move, Play):
            self._press_for(seat, move.card, move.pile, move.named, now)
        elif isinstance(move, Call):  # who calls first is a race as well
            self._press_for(seat, CALL, AUTO_PILE, NO_RANK, now)
        elif move is not None:
            self._ask(move, now)

    def _press_for(self, seat: int, card: Card, pile: int, named: int, now: int) -> None:
        self.order.submit(FairPlay(seat, 0, card, pile, named, NO_PILE, self.revision, 0, 0), now)

    # --- judging ------------------------------------------------------------------------------------------------------

    def _judge(self, ruling: Ruling, now: int) -> None:
        play = ruling.play
        request = request_of(play, self._deal_time(ruling.at_ns))
        if ruling.word == "judge":
            if play.card >= 0 and play.seat not in self._computers:
                self._cost.judged(play.seat, now - ruling.arrival_ns, contested=ruling.verdict.contested)
            refusal = self._ask(request, now, ruling)
            if refusal is None:
                self._takers[ruling.verdict.pile] = ruling.verdict
                return
            self.order.refused(ruling)
        else:
            refusal = Refusal("clock" if ruling.word == "dropped" else "fallen")
            self._log_idle(request, refusal, None, ruling)
        computer = self._computers.get(play.seat)
        if computer is not None:
            computer.refused(self._clock.at(now))
        else:
            self._answer(play.seat, play.seq, refusal, now, self._reactions(ruling.verdict, refusal))

    def _reactions(self, lost: Verdict, refusal: Refusal) -> Reactions | None:
        """Both players' reactions, where the refused one lost a race and it is known when either saw the pile."""
        won = self._takers.get(refusal.pile)
        if won is None or won.seat != refusal.by or not (won.claim.shown_at_ns and lost.claim.shown_at_ns):
            return None
        own, theirs = (verdict.race_ns - verdict.claim.shown_at_ns for verdict in (lost, won))
        doubt_ns = lost.claim.error_ns + won.claim.error_ns
        return Reactions(own // NS_PER_US, theirs // NS_PER_US, abs(lost.race_ns - won.race_ns) <= doubt_ns)

    def _ask(self, request: Request, now: int, ruling: Ruling | None = None, at_ns: int = 0) -> Refusal | None:
        """Let the table judge and tell what comes of it; `at_ns`: it is not to be shown before then."""
        decision = decide(self.table, request)
        if isinstance(decision, Refusal):
            beaten = None
            if decision.word == "beaten" and isinstance(request, Play):
                beaten = self._tally.lost(request.seat, decision, request.at)
            self._log_idle(request, decision, beaten, ruling)
            if beaten is not None:
                race = None if ruling is None else self._reactions(ruling.verdict, decision)
                self._happen((beaten,), now, self.order.told(now), race)
            return decision
        if not decision:
            self._log_idle(request, decision, None, ruling)
            return None
        self._log(request, decision, None, ruling)
        self._happen(decision, now, self._show(decision, now, ruling, at_ns))
        return None

    def _show(self, events: tuple[Event, ...], now: int, ruling: Ruling | None, at_ns: int) -> Showing:
        """When these events are shown and sent, as what they bring asks for."""
        order, revision, first = self.order, self.revision + len(events), events[0]
        if ruling is not None:
            if type(first) is Played:
                refill = () if first.refill == NO_CARD else (first.refill,)
                return order.played(ruling, now, revision, first.pile, refill)
            drawn = (first.card,) if type(first) is Drew else ()
            showing = order.played(ruling, now, revision, NO_PILE, drawn)
            if type(first) is not Took:
                return showing
        piles, hands = turned_by(events)
        if not piles and not hands:
            return order.told(now)
        calm = isinstance(first, (Revealed, Flipped, Tucked)) or at_ns > 0
        return order.turned(revision, now, piles, hands, at_ns=at_ns, calm=calm)

    def _happen(self, events: tuple[Event, ...], now: int, showing: Showing, race: Reactions | None = None) -> None:
        table = self.table
        for event in events:
            evolve(table, event)
            if type(event) is Played:
                self._tally.played[event.seat] += 1
            if self._computers and type(event) in NOTICED:
                for seat, computer in self._computers.items():
                    computer.happened(event, table, seat)
        self.revision += len(events)
        self.batches.append(Batch(events, showing, {seat: self.ahead(seat) for seat in insiders_of(events)}, race))
        if table.phase == OVER:
            self._end = events[-1]
            self.refuse_waiting("deal_over", now)

    def ahead(self, seat: int) -> Card:
        """The card that the seat's next play brings: its player turns it at the press, whatever the link."""
        table = self.table
        draw = table.draws[seat]
        return draw[-1] if draw and table.auto_refill else NO_CARD

    def _log_idle(
        self, request: Request, decision: Decision, beaten: Beaten | None = None, ruling: Ruling | None = None
    ) -> None:
        """Keep what moved no card, unless it is too much."""
        if beaten is not None or len(self.log) < MOST_LOGGED:
            self._log(request, decision, beaten, ruling)
        else:
            self.left_out += 1

    def _log(self, request: Request, decision: Decision, beaten: Beaten | None, ruling: Ruling | None) -> None:
        reveal_at_ns = self._clock.reveal_at_ns
        if ruling is None:
            self.log.append(Logged(request, decision, beaten, reveal_at_ns))
            return
        verdict = ruling.verdict
        kept = verdict if verdict.contested else None
        self.log.append(Logged(request, decision, beaten, reveal_at_ns, ruling.race_ns, ruling.arrival_ns, kept))

    def _forget(self, seat: int, word: RefusalWord, now: int) -> None:
        for play in self.order.forget(seat):
            refusal = Refusal(word)
            self._log_idle(request_of(play, self._clock.at(now)), refusal)
            if seat not in self._computers:
                self._answer(seat, play.seq, refusal, now)

    def _answer(self, seat: int, seq: int, refusal: Refusal, now: int, reactions: Reactions | None = None) -> None:
        """Behind what was told before: a lost race is not known before the play that won it is."""
        self.answers.append(Answer(seat, seq, refusal, self.order.told(now).send_at_ns[seat], reactions))

    def _deal_time(self, at_ns: int) -> DealTime:
        return max(0, (at_ns - self._clock.reveal_at_ns) // NS_PER_US)
