"""One deal being played: the table, the plays that wait for their place in the order, and the computer players.

Everything here is in deal time (microseconds since the reveal); a pause is the room's affair, which stops this time.
`advance` runs what is due, in the order of its time, and leaves events and answers for the room to pick up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from speed_common.cards import NO_RANK
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
    Draw,
    Due,
    Event,
    Leave,
    Play,
    Played,
    Refusal,
    RefusalWord,
    Request,
    Reveal,
)
from speed_common.idle import autoplay_due
from speed_common.rules import Rules
from speed_common.table import OVER, evolve, new_table
from speed_common.tally import Tally
from speed_common.views import hide
from speed_common.wire import Result
from speed_server.race import CALL, DRAW, Pressed, Race

FOR_EVER: DealTime = 1 << 40

MOST_LOGGED: Final = 4_000
"""From here on the log leaves out what changed nothing: who floods the table with requests must not fill the memory."""

Logged: TypeAlias = tuple[Request, Decision, Pressed | None, Beaten | None]
"""A request, its answer, the play that it was pressed as, and the lost race that a refused one made known."""


class Answer(NamedTuple):
    """A refusal on its way to the seat that asked."""

    seat: int
    seq: int
    refusal: Refusal


class Deal:
    """One deal from the reveal to its end. Pick up `events` and `answers` after each call and clear them.

    Plays are handed to its `race`; `advance` judges them at their place in the order. `log` is all that was asked, in
    the order judged; `left_out` counts what is not in it (see `MOST_LOGGED`).
    """

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
        self.log: list[Logged] = []
        self.left_out = 0
        self._tally = Tally(rules.players)
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

    def ask_flip(self, seat: int, seq: int, at: DealTime) -> None:
        """A player asks for the flip of the stuck table."""
        refusal = self._ask(AskFlip(seat, at))
        if refusal is not None:
            self.answers.append(Answer(seat, seq, refusal))

    def refuse_waiting(self, word: RefusalWord) -> None:
        """Answer every play that still waits with a refusal: it is not made."""
        for seat in range(self.table.rules.players):
            self._forget(seat, word)

    def leave(self, seat: int, at: DealTime) -> None:
        """A player is gone for good; with several left the deal goes on without."""
        self._ask(Leave(seat, at))
        self._forget(seat, "deal_over")

    def advance(self, now_us: DealTime) -> None:
        """Run everything that is due by `now_us`, earliest first."""
        table, race = self.table, self.race
        while table.phase != OVER:
            if table.due is not None or self._computers or table.rules.idle_autoplay_us:
                seat, computer_due = self._first_computer()
                race_due = race.next_due(table.last_play)
                play_at = FOR_EVER if race_due is None else race_due
                table_due = FOR_EVER if table.due is None else table.due
                idle = autoplay_due(table)
                idle_due = FOR_EVER if idle is None else idle
                if computer_due <= min(now_us, play_at, table_due, idle_due):
                    self._move_computer(seat, computer_due)
                    continue
                if table_due <= min(now_us, play_at):
                    self._ask(Due(table_due))
                    continue
                if idle_due <= now_us and idle_due < play_at:
                    self._ask(Autoplay(idle_due))
                    continue
            elif not race.waiting:
                return
            play = race.pop(now_us, table.last_play)
            if play is None:
                return
            self._judge(play)

    def next_due(self) -> DealTime | None:
        """When `advance` has something to do if nothing arrives before."""
        table = self.table
        idle_due = autoplay_due(table)
        if table.phase == OVER or not (
            self._computers or self.race.waiting or table.due is not None or idle_due is not None
        ):
            return None
        times = [self.race.next_due(table.last_play), table.due, idle_due]
        if self._computers:
            times.append(self._first_computer()[1])
        known = [time for time in times if time is not None and time < FOR_EVER]
        return min(known) if known else None

    def result(self) -> Result:
        """The figures of a deal that is over."""
        assert self._end is not None, "a deal that is not over has no result"
        seed = self.stream.seed if isinstance(self.stream, SecretStream) else b""
        return self._tally.result(self.table, self._end, seed)

    def _judge(self, play: Pressed) -> None:
        refusal = self._ask(_request_of(play), play)
        if refusal is None:
            return
        if play.seat in self._computers:
            self._computers[play.seat].refused(play.race_time)
        else:
            self.answers.append(Answer(play.seat, play.seq, refusal))

    def _ask(self, request: Request, play: Pressed | None = None) -> Refusal | None:
        decision = decide(self.table, request)
        if isinstance(decision, Refusal):
            beaten = None
            if decision.word == "beaten" and isinstance(request, Play):
                beaten = self._tally.lost(request.seat, decision, request.at)
            self._log_idle(request, decision, play, beaten)
            if beaten is not None:
                self._happen((beaten,))
            return decision
        if decision:
            self.log.append((request, decision, play, None))
            self._happen(decision)
        else:
            self._log_idle(request, decision, play)
        return None

    def _log_idle(
        self, request: Request, decision: Decision, play: Pressed | None, beaten: Beaten | None = None
    ) -> None:
        """Keep what moved no card, unless it is too much."""
        if beaten is not None or len(self.log) < MOST_LOGGED:
            self.log.append((request, decision, play, beaten))
        else:
            self.left_out += 1

    def _happen(self, events: tuple[Event, ...]) -> None:
        table = self.table
        for event in events:
            evolve(table, event)
            self.events.append(event)
            if type(event) is Played:
                self._tally.played[event.seat] += 1
            if self._computers and type(event) in NOTICED:
                for seat, computer in self._computers.items():
                    computer.happened(event, table, seat)
        if table.phase == OVER:
            self._end = events[-1]
            self.refuse_waiting("deal_over")

    def _move_computer(self, seat: int, at: DealTime) -> None:
        """Let a computer do what it does now; it sees its own seat's view and nothing else."""
        move = self._computers[seat].due(at, hide(self.table, seat), seat)
        if isinstance(move, Play):
            self.race.submit(Pressed(seat, move.card, move.pile, move.named, 0, move.at))
        elif isinstance(move, Call):  # who calls first is a race as well
            self.race.submit(Pressed(seat, CALL, AUTO_PILE, NO_RANK, 0, move.at))
        elif move is not None:
            self._ask(move)

    def _forget(self, seat: int, word: RefusalWord) -> None:
        for play in self.race.forget(seat):
            refusal = Refusal(word)
            self._log_idle(_request_of(play), refusal, play)
            self.answers.append(Answer(seat, play.seq, refusal))

    def _first_computer(self) -> tuple[int, DealTime]:
        first, least = -1, FOR_EVER
        for seat, computer in self._computers.items():
            due = computer.next_due()
            if due is not None and due < least:
                first, least = seat, due
        return first, least


def _request_of(play: Pressed) -> Request:
    seat, at = play.seat, play.race_time
    if play.card == DRAW:
        return Draw(seat, at)
    if play.card == CALL:
        return Call(seat, at)
    return Play(seat, play.card, play.pile, at, play.named)
