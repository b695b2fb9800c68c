"""One deal being played: the table, the plays that wait for their place in the order, and the computer players.

Everything here is in deal time (microseconds since the reveal); a pause is the room's affair, which stops this time.
`advance` runs what is due, in the order of its time, and leaves events and answers for the room to pick up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from speed_common.cards import Card
from speed_common.computer import Computer
from speed_common.decide import decide
from speed_common.deck import CodeStream, SecretStream, lay_out
from speed_common.events import (
    Beaten,
    DealTime,
    Draw,
    Due,
    Event,
    Flipped,
    Leave,
    Play,
    Refusal,
    RefusalWord,
    Request,
    Reveal,
    Won,
)
from speed_common.rules import Rules
from speed_common.table import OVER, evolve, new_table
from speed_common.views import hide
from speed_common.wire import Result, SeatResult
from speed_server.race import DRAW, Pressed, Race

FOR_EVER: DealTime = 1 << 40


class Answer(NamedTuple):
    """A refusal on its way to the seat that asked."""

    seat: int
    seq: int
    refusal: Refusal


class Deal:
    """One deal from the reveal to its end. Pick up `events` and `answers` after each call and clear them."""

    def __init__(
        self,
        rules: Rules,
        stream: CodeStream | SecretStream,
        computers: Mapping[int, Computer],
        *,
        arrival_order: bool = False,
    ) -> None:
        self.table = new_table(rules, lay_out(rules, stream), stream)
        self.stream = stream
        self.race = Race(rules.players, rules.min_play_gap_us, arrival_order=arrival_order)
        self.events: list[Event] = []
        self.answers: list[Answer] = []
        self._computers = dict(computers)
        self._races_won = [0] * rules.players
        self._closest: list[int | None] = [None] * rules.players
        self._lost: set[tuple[int, Card]] = set()
        self._end: Event | None = None

    @property
    def over(self) -> bool:
        """Whether the deal has a winner or is void."""
        return self.table.phase == OVER

    def reveal(self) -> None:
        """Turn the cards."""
        self._ask(Reveal())
        for computer in self._computers.values():
            computer.revealed(0)

    def submit(self, play: Pressed) -> bool:
        """A play arrived; `advance` judges it at its place in the order. False: too many wait, it is not taken."""
        return self.race.submit(play)

    def refuse_waiting(self, word: RefusalWord) -> None:
        """Answer every play that still waits with a refusal: it is not made."""
        for seat in range(self.table.rules.players):
            for play in self.race.forget(seat):
                self.answers.append(Answer(seat, play.seq, Refusal(word)))

    def leave(self, seat: int, at: DealTime) -> None:
        """A player is gone for good."""
        self._ask(Leave(seat, at))

    def advance(self, now_us: DealTime) -> None:
        """Run everything that is due by `now_us`, earliest first."""
        table, race = self.table, self.race
        while table.phase != OVER:
            if table.due is not None or self._computers:
                seat, computer_due = self._first_computer()
                race_due = race.next_due(table.last_play)
                play_at = FOR_EVER if race_due is None else race_due
                table_due = FOR_EVER if table.due is None else table.due
                if computer_due <= min(now_us, play_at, table_due):
                    self._move_computer(seat, computer_due)
                    continue
                if table_due <= min(now_us, play_at):
                    self._ask(Due(table_due))
                    continue
            play = race.pop(now_us, table.last_play)
            if play is None:
                return
            self._judge(play)

    def next_due(self) -> DealTime | None:
        """When `advance` has something to do if nothing arrives before."""
        if self.over or not (self._computers or self.race.waiting or self.table.due is not None):
            return None
        times = [self.race.next_due(self.table.last_play), self.table.due]
        if self._computers:
            times.append(self._first_computer()[1])
        known = [time for time in times if time is not None and time < FOR_EVER]
        return min(known) if known else None

    def result(self) -> Result:
        """The figures of a deal that is over."""
        assert self._end is not None, "a deal that is not over has no result"
        table = self.table
        held = table.rules.hand_size + table.rules.draw_size
        return Result(
            table.winner,
            table.score,
            isinstance(self._end, Won) and self._end.forfeit,
            self._end.at,
            tuple(
                SeatResult(
                    held - table.cards_left(seat),
                    table.cards_left(seat),
                    self._races_won[seat],
                    table.beaten[seat],
                    self._closest[seat],
                )
                for seat in range(table.rules.players)
            ),
            self.stream.seed if isinstance(self.stream, SecretStream) else b"",
        )

    def _judge(self, play: Pressed) -> None:
        seat, at = play.seat, play.race_time
        draws = play.card == DRAW
        refusal = self._ask(Draw(seat, at) if draws else Play(seat, play.card, play.pile, at, play.named))
        if refusal is None:
            return
        if refusal.word == "beaten":
            self._count_race(play.seat, refusal, play.race_time)
        if play.seat in self._computers:
            self._computers[play.seat].refused(play.race_time)
        else:
            self.answers.append(Answer(play.seat, play.seq, refusal))

    def _count_race(self, loser: int, refusal: Refusal, at: DealTime) -> None:
        winner, margin = refusal.by, refusal.late
        if (loser, refusal.took) in self._lost:  # the same card thrown again is the same lost race
            return
        self._lost.add((loser, refusal.took))
        self._races_won[winner] += 1
        for seat, signed in ((winner, margin), (loser, -margin)):
            closest = self._closest[seat]
            if closest is None or margin < abs(closest):
                self._closest[seat] = signed
        self._happen((Beaten(at, loser, refusal.pile, winner, margin),))

    def _ask(self, request: Request) -> Refusal | None:
        decision = decide(self.table, request)
        if isinstance(decision, Refusal):
            return decision
        self._happen(decision)
        return None

    def _happen(self, events: tuple[Event, ...]) -> None:
        table = self.table
        for event in events:
            evolve(table, event)
            self.events.append(event)
            if self._computers and isinstance(event, Flipped):
                for computer in self._computers.values():
                    computer.flipped(event.at)
        if table.phase == OVER:
            self._end = events[-1]
            self.refuse_waiting("deal_over")

    def _move_computer(self, seat: int, at: DealTime) -> None:
        """Let a computer do what it does now; it sees its own seat's view and nothing else."""
        move = self._computers[seat].due(at, hide(self.table, seat), seat)
        if isinstance(move, Play):
            self.race.submit(Pressed(seat, move.card, move.pile, move.named, 0, move.at))
        elif move is not None:
            self._ask(move)

    def _first_computer(self) -> tuple[int, DealTime]:
        first, least = -1, FOR_EVER
        for seat, computer in self._computers.items():
            due = computer.next_due()
            if due is not None and due < least:
                first, least = seat, due
        return first, least
