"""One table's life outside the cards: who sits there, the ready check, the countdown, the pause, the rematch.

A room gets requests and `now` (server time, nanoseconds) and leaves behind what its people must be told: `deal.events`,
`deal.answers`, and `changed` when something outside the cards is different. The hub picks these up once a tick. The
room knows seats, not sessions: who a seat belongs to is the hub's affair.

Deal time is server time counted from `reveal_at_ns`. A pause stops it: on resuming, `reveal_at_ns` moves by as long
as the pause took, and with it everything that was due.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from speed_common import wire
from speed_common.computer import Computer
from speed_common.deck import SEED_BYTES, CodeStream, SecretStream
from speed_common.events import NOBODY, Event, Refusal
from speed_common.match import Match
from speed_common.rules import Rules
from speed_common.views import View, view_of
from speed_server.deal import Answer, Deal
from speed_server.pause import Pause
from speed_server.race import NS_PER_US, Pressed
from speed_server.settings import HubSettings

NO_SEAT: Final = -1


@dataclass(slots=True)
class Seat:
    """One place at the table. An empty name is a free place; `level` 1..10 is a computer."""

    name: str = ""
    level: int = 0
    ready: bool = False
    connected: bool = True

    @property
    def free(self) -> bool:
        """Whether nobody sits here."""
        return not self.name

    @property
    def person(self) -> bool:
        """Whether a person sits here."""
        return bool(self.name) and not self.level


class Room:
    """One table. `secrets(n)` gives n random bytes; it is the only chance in here."""

    def __init__(self, number: int, rules: Rules, settings: HubSettings, secrets: Callable[[int], bytes]) -> None:
        self.number = number
        self.topic = wire.table_topic(number)
        self.rules = rules
        self.seats = [Seat() for _ in range(rules.players)]
        self.phase = wire.WAITING
        self.deal: Deal | None = None
        self.deals = 0
        self.revision = 0
        self.reveal_at_ns = 0
        self.result: wire.Result | None = None
        self.match = Match(rules.match_target)
        self.changed = True
        self._settings = settings
        self._secrets = secrets
        self._revealed = False
        self._pause = Pause()
        self._rest_until_ns: int | None = None

    # --- who sits here ------------------------------------------------------------------------------------------------

    @property
    def people(self) -> int:
        """How many persons sit here, connected or not."""
        return sum(seat.person for seat in self.seats)

    @property
    def running(self) -> bool:
        """Whether a deal is laid that is not over."""
        return self.phase in {wire.COUNTDOWN, wire.PLAYING}

    @property
    def paused(self) -> bool:
        """Whether the deal waits for somebody who dropped."""
        return bool(self._pause)

    @property
    def welcoming(self) -> bool:
        """Whether somebody sits here and waits for an opponent."""
        return self.free_seat() != NO_SEAT and any(seat.person and seat.connected for seat in self.seats)

    def free_seat(self) -> int:
        """The lowest free seat, or `NO_SEAT`."""
        return next((number for number, seat in enumerate(self.seats) if seat.free), NO_SEAT)

    def sit(self, name: str, now: int, level: int = 0) -> int:
        """Seat a person, or a computer of `level`, on the lowest free seat; `NO_SEAT` when there is none."""
        number = self.free_seat()
        if number == NO_SEAT:
            return NO_SEAT
        self.seats[number] = Seat(name, level, ready=level > 0)
        if self.phase == wire.OVER:
            self._clear()
        self.match = Match(self.rules.match_target)
        self.changed = True
        self._start_if_ready(now)
        return number

    def leave(self, number: int, now: int) -> None:
        """Free a seat. In mid-deal that forfeits the deal; in the countdown the deal is taken back."""
        if self.phase == wire.PLAYING and self.deal is not None:
            self.deal.leave(number, self.deal_time(now))
            self._resume(now)
            self._end_if_over(now)
        elif self.phase == wire.COUNTDOWN:
            self._clear()
        self.seats[number] = Seat()
        self.changed = True

    def dropped(self, number: int, now: int) -> None:
        """A player's connection is gone: a running deal waits for the grace."""
        seat = self.seats[number]
        if not seat.connected:
            return
        seat.connected = False
        self.changed = True
        if self.deal is not None:
            for play in self.deal.race.forget(number):
                self.deal.answers.append(Answer(number, play.seq, Refusal("not_due")))
        self._pause.wait(now, self._settings.grace_ns)

    def back(self, number: int, now: int) -> None:
        """A player who had dropped is here again; play goes on when nobody else is missing."""
        seat = self.seats[number]
        if seat.connected:
            return
        seat.connected = True
        self.changed = True
        if all(other.connected for other in self.seats):
            self._resume(now)
        else:  # whoever waits, waits a whole grace for the other
            self._pause.wait(now, self._settings.grace_ns)

    # --- what people ask ----------------------------------------------------------------------------------------------

    def ready(self, number: int, now: int) -> None:
        """Ready for the deal or the rematch; during the countdown, a vote to skip the rest of it."""
        if self.seats[number].ready:
            return
        self.seats[number].ready = True
        self.changed = True
        if self.phase == wire.COUNTDOWN:
            if not self._revealed and all(seat.ready or seat.level for seat in self.seats):
                self.reveal_at_ns = min(self.reveal_at_ns, now + self._lead_ns)
        else:
            self._start_if_ready(now)

    def play(self, play: Pressed) -> str | None:
        """Hand a play to the deal; a word when the room refuses it outright."""
        if self.deal is None or self.phase == wire.WAITING:
            return "not_started"
        if self.phase == wire.OVER:
            return "deal_over"
        if self.paused:
            return "paused"
        if self.phase == wire.COUNTDOWN:
            return "not_started"
        self.deal.submit(play)
        return None

    def draw(self, number: int, seq: int, now: int) -> str | None:
        """Take a card (manual refill); a word when the room refuses it outright."""
        if self.deal is None or self.phase != wire.PLAYING:
            return "not_started"
        if self.paused:
            return "paused"
        self.deal.draw(number, seq, self.deal_time(now))
        return None

    # --- time ---------------------------------------------------------------------------------------------------------

    def deal_time(self, now: int) -> int:
        """Microseconds since the reveal; negative before it. Stands still in a pause."""
        return ((self._pause.since_ns if self._pause else now) - self.reveal_at_ns) // NS_PER_US

    def advance(self, now: int) -> None:
        """Run everything that is due."""
        if self._pause and not (self._pause.over(now) and self._give_up_waiting(now)):
            return
        if self.phase == wire.COUNTDOWN:
            self._advance_countdown(now)
        if self.phase == wire.PLAYING and self.deal is not None:
            self.deal.advance(self.deal_time(now))
            self._end_if_over(now)
        elif self._rest_until_ns is not None and now >= self._rest_until_ns:
            self._rest_until_ns = None
            self._start(now)

    def next_due(self) -> int | None:
        """Server time at which `advance` has something to do if nothing arrives before."""
        if self._pause:
            return self._pause.until_ns
        if self.phase == wire.COUNTDOWN:
            return self.reveal_at_ns if self._revealed else self.reveal_at_ns - self._lead_ns
        if self.phase == wire.PLAYING and self.deal is not None:
            due = self.deal.next_due()
            return None if due is None else self.reveal_at_ns + due * NS_PER_US
        return self._rest_until_ns

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
            self.reveal_at_ns,
            stream.commitment() if isinstance(stream, SecretStream) else b"",
            self._pause.until_ns,
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
        if not self.running and all(not seat.free and seat.ready for seat in self.seats):
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
        self.reveal_at_ns = now + self._settings.countdown_ns
        self._revealed = False
        for seat in self.seats:
            seat.ready = seat.level > 0
        self.changed = True
        if any(not seat.connected for seat in self.seats):
            self._pause.wait(now, self._settings.grace_ns)

    def _advance_countdown(self, now: int) -> None:
        assert self.deal is not None
        if not self._revealed and now >= self.reveal_at_ns - self._lead_ns:
            self._revealed = True
            self.deal.reveal()
        if self._revealed and now >= self.reveal_at_ns:
            self.phase = wire.PLAYING

    def _end_if_over(self, now: int) -> None:
        if self.deal is None or not self.deal.over or self.phase == wire.OVER:
            return
        self.phase = wire.OVER
        result = self.deal.result()
        self.match = self.match.scored(result.winner, result.score)
        over = self.match.winner != NOBODY or (not self.match.target and result.winner != NOBODY)
        self.result = wire.Result(
            result.winner, result.score, result.forfeit, result.duration_us, result.seats, result.seed, over
        )
        for seat in self.seats:
            seat.ready = seat.level > 0
        if not self.people:
            self._rest_until_ns = now + self._settings.bot_rest_ns
        self.changed = True

    def _resume(self, now: int) -> None:
        self.reveal_at_ns += self._pause.end(now)

    def _give_up_waiting(self, now: int) -> bool:
        """The grace is over: who is missing loses the seat, and a running deal to whoever waited.

        With nobody here to win, the table waits on: for two people long, for one against a computer not at all.
        """
        missing = [number for number, seat in enumerate(self.seats) if not seat.connected]
        if any(seat.person and seat.connected for seat in self.seats):
            for number in missing:
                self.leave(number, now)
            self._pause.end(now)
            return True
        if len(missing) > 1 and now - self._pause.since_ns < self._settings.forget_ns:
            self._pause.wait(now, self._settings.grace_ns)
            return False
        self._clear()
        for number in missing:
            self.seats[number] = Seat()
        self.changed = True
        return True

    def _clear(self) -> None:
        """Take the cards off the table; it waits for people again."""
        self.phase = wire.WAITING
        self.deal = None
        self.result = None
        self._pause = Pause()
        self._rest_until_ns = None
        for seat in self.seats:
            seat.ready = seat.level > 0

    def _dice(self) -> float:
        return int.from_bytes(self._secrets(4)) / (1 << 32)
