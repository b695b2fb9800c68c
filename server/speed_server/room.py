"""One table's life outside the cards: who sits there, the ready check, the countdown, the pause, the rematch.

A room gets requests and `now` (server time, nanoseconds) and leaves behind what its people must be told: events,
answers, and `changed` when something outside the cards is different. The hub picks these up once a tick. The room knows
seats, not sessions: who a seat belongs to is the hub's affair.

While a deal runs and somebody is away, it is paused: its clock stands still and plays are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from speed_common import wire
from speed_common.computer import Computer
from speed_common.deck import SEED_BYTES, CodeStream, SecretStream
from speed_common.events import NOBODY, Event
from speed_common.match import Match
from speed_common.rules import Rules
from speed_common.views import View, view_of
from speed_server.deal import Answer, Deal
from speed_server.deal_clock import DealClock
from speed_server.race import Pressed
from speed_server.seats import NO_SEAT, Seats
from speed_server.settings import SECOND, HubSettings

GRACES: Final = 2
"""How many graces in all a deal waits for one player: who drops again and again would hold the other for ever."""


class Room:
    """One table. `secrets(n)` gives n random bytes; it is the only chance in here."""

    def __init__(self, number: int, rules: Rules, settings: HubSettings, secrets: Callable[[int], bytes]) -> None:
        self.number = number
        self.topic = wire.table_topic(number)
        self.rules = rules
        self.seats = Seats(rules.players)
        self.phase = wire.WAITING
        self.clock = DealClock()
        self.deal: Deal | None = None
        self.deals = 0
        self.revision = 0
        self.result: wire.Result | None = None
        self.match = Match(rules.match_target)
        self.changed = True
        self._settings = settings
        self._secrets = secrets
        self._revealed = False
        self._rest_until_ns: int | None = None

    @property
    def running(self) -> bool:
        """Whether a deal is laid that is not over."""
        return self.phase in {wire.COUNTDOWN, wire.PLAYING}

    @property
    def paused(self) -> bool:
        """Whether a running deal waits for somebody who is away."""
        return self.running and self.seats.anybody_away

    @property
    def welcoming(self) -> bool:
        """Whether somebody sits here and waits for an opponent."""
        return self.seats.first_free() != NO_SEAT and self.seats.anybody_here

    # --- who sits here ------------------------------------------------------------------------------------------------

    def sit(self, name: str, now: int, level: int = 0) -> int:
        """Seat a person, or a computer of `level`, on the lowest free seat; `NO_SEAT` when there is none."""
        number = self.seats.first_free()
        if number == NO_SEAT:
            return NO_SEAT
        self.seats.take(number, name, level)
        if self.phase == wire.OVER:
            self._clear()
        self.match = Match(self.rules.match_target)
        self.changed = True
        self._start_if_ready(now)
        return number

    def leave(self, number: int, now: int) -> None:
        """Free a seat. In mid-deal that forfeits the deal; in the countdown the deal is taken back."""
        self._run(now)
        self._leave(number, now)

    def dropped(self, number: int, now: int) -> None:
        """A player's connection is gone: the seat is kept for the grace, and a running deal waits as long."""
        seat = self.seats[number]
        if not seat.connected:
            return
        self._run(now)
        self.seats.leave_for_now(number, now, self._settings.grace_ns)
        self.changed = True
        if self.running and self.deal is not None:
            self.clock.stop(now)
            self.deal.refuse_waiting("paused")
        else:
            seat.ready = False

    def back(self, number: int, now: int) -> None:
        """A player who had dropped is here again; play goes on when nobody else is missing."""
        if self.seats[number].connected:
            return
        self.seats.come_back(number, now, self._settings.grace_ns)
        self.changed = True
        if self.running and not self.seats.anybody_away:
            self.clock.go(now)

    # --- what people ask ----------------------------------------------------------------------------------------------

    def ready(self, number: int, now: int) -> None:
        """Ready for the deal or the rematch; during the countdown, a vote to skip the rest of it."""
        if self.phase == wire.PLAYING or self.seats[number].ready:
            return
        self.seats[number].ready = True
        self.changed = True
        if self.phase != wire.COUNTDOWN:
            self._start_if_ready(now)
        elif not self._revealed and self.seats.all_ready:
            self.clock.hasten(now, self._lead_ns)

    def play(self, play: Pressed, now: int) -> wire.RefusedWord | None:
        """Hand a play or a draw to the deal; a word when the room refuses it outright."""
        if self.phase == wire.COUNTDOWN and not self.paused:
            self._run_countdown(now)  # between the reveal and the next tick a play is not too early
        if self.deal is None or self.phase in {wire.WAITING, wire.COUNTDOWN}:
            return "not_started"
        if self.phase == wire.OVER:
            return "deal_over"
        if self.paused:
            return "paused"
        return None if self.deal.submit(play) else "too_fast"

    # --- time ---------------------------------------------------------------------------------------------------------

    def advance(self, now: int) -> None:
        """Run everything that is due."""
        if self.seats.anybody_away:
            self._give_up_waiting(now)
        self._run(now)
        if self._rest_until_ns is not None and now >= self._rest_until_ns:
            self._rest_until_ns = None
            self._start(now)

    def next_due(self) -> int | None:
        """Server time at which `advance` has something to do if nothing arrives before."""
        times = [self._rest_until_ns, self.seats.away_until_ns or None]
        if self.running and not self.paused and self.deal is not None:
            if self.phase == wire.COUNTDOWN:
                times.append(self.clock.reveal_at_ns - (0 if self._revealed else self._lead_ns))
            else:
                due = self.deal.next_due()
                times.append(None if due is None else self.clock.server_time(due))
        return min((time for time in times if time is not None), default=None)

    # --- what people see ----------------------------------------------------------------------------------------------

    def take_events(self) -> tuple[Event, ...]:
        """The deal's events since the last call; `revision` counts those taken, which is what the receivers know."""
        if self.deal is None or not self.deal.events:
            return ()
        events = tuple(self.deal.events)
        self.deal.events.clear()
        self.revision += len(events)
        return events

    def take_answers(self) -> list[Answer]:
        """The refusals since the last call."""
        if self.deal is None or not self.deal.answers:
            return []
        answers = self.deal.answers[:]
        self.deal.answers.clear()
        return answers

    def describe(self) -> wire.Room:
        """The table's life as a message; the same for every receiver."""
        stream = self.deal.stream if self.deal is not None else None
        return wire.Room(
            self.number,
            self.phase,
            tuple(
                wire.SeatInfo(
                    seat.name,
                    seat.level,
                    seat.ready,
                    seat.connected,
                    self.match.wins[number],
                    self.match.points[number],
                )
                for number, seat in enumerate(self.seats)
            ),
            self.rules,
            self.deals,
            self.clock.reveal_at_ns,
            stream.commitment() if isinstance(stream, SecretStream) else b"",
            self.seats.away_until_ns,
            self.result,
        )

    def view(self, viewer: int) -> View | None:
        """The cards as `viewer` may see them; None while none are laid."""
        return None if self.deal is None else view_of(self.deal.table, viewer)

    def line(self) -> wire.TableLine:
        """The table's line in the lobby."""
        left = (
            tuple(self.deal.table.cards_left(seat) for seat in range(len(self.seats))) if self.deal is not None else ()
        )
        return wire.TableLine(self.number, self.phase, tuple(seat.name for seat in self.seats), left)

    # --- inside -------------------------------------------------------------------------------------------------------

    @property
    def _lead_ns(self) -> int:
        return min(self._settings.reveal_lead_ns, self._settings.countdown_ns)

    def _start_if_ready(self, now: int) -> None:
        if not self.running and self.seats.all_ready:
            self._start(now)

    def _start(self, now: int) -> None:
        if self.match.winner != NOBODY:
            self.match = Match(self.rules.match_target)
        number = self._settings.deal_number
        stream = SecretStream(self._secrets(SEED_BYTES)) if number is None else CodeStream(number)
        self.deal = Deal(
            self.rules,
            stream,
            {n: Computer(seat.level, self._dice) for n, seat in enumerate(self.seats) if seat.level},
            arrival_order=self._settings.order == "off",
        )
        self.deals += 1
        self.result = None
        self.phase = wire.COUNTDOWN
        self.clock.start(now, self._settings.countdown_ns)
        self._revealed = False
        self.seats.ask_anew()
        self.seats.grant(GRACES * self._settings.grace_ns)
        self.changed = True

    def _run(self, now: int) -> None:
        """Run the countdown and the cards up to now, unless the deal is paused."""
        if self.deal is None or not self.running or self.paused:
            return
        if self.phase == wire.COUNTDOWN:
            self._run_countdown(now)
        if self.phase == wire.PLAYING:
            self.deal.advance(self.clock.at(now))
            self._end_if_over(now)

    def _run_countdown(self, now: int) -> None:
        assert self.deal is not None
        rest = self.clock.before_reveal_ns(now)
        if not self._revealed and rest <= self._lead_ns:
            self._revealed = True
            self.deal.reveal()
        if self._revealed and rest <= 0:
            self.phase = wire.PLAYING

    def _end_if_over(self, now: int) -> None:
        if self.deal is None or not self.deal.over:
            return
        self.phase = wire.OVER
        result = self.deal.result()
        self.match = self.match.scored(result.winner, result.score)
        decided = result.winner != NOBODY and (not self.match.target or self.match.winner != NOBODY)
        self.result = msgspec.structs.replace(result, match_over=decided)
        self.seats.ask_anew()
        if not self.seats.people:
            self._rest_until_ns = now + self._settings.bot_rest_ns
        self.changed = True

    def _leave(self, number: int, now: int) -> None:
        if self.running and self._revealed and self.deal is not None:
            self.deal.leave(number, max(0, self.clock.at(now)))
            self._end_if_over(now)
        elif self.phase == wire.COUNTDOWN:
            self._clear()
        self.seats.give_up(number)
        self.changed = True

    def _give_up_waiting(self, now: int) -> None:
        """Who was away for the whole grace loses the seat, and a running deal to whoever waited.

        With nobody here to win, the seats are kept on: for two people long, for one against a computer not at all.
        """
        for number in self.seats.overdue(now):
            seat = self.seats[number]
            if not self.seats.anybody_here:
                if self.seats.people > 1 and now - seat.away_since_ns < self._settings.keep_ns:
                    seat.away_until_ns = now + max(self._settings.grace_ns, SECOND)
                    continue
                self._clear()
            self._leave(number, now)

    def _clear(self) -> None:
        """Take the cards off the table; it waits for people again."""
        self.phase = wire.WAITING
        self.deal = None
        self.result = None
        self._rest_until_ns = None
        self.seats.ask_anew()

    def _dice(self) -> float:
        return int.from_bytes(self._secrets(4)) / (1 << 32)
