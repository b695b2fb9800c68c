"""One table's life outside the cards: who sits there, the ready check, the countdown, the pause, the rematch.

A room gets requests and `now` (server time, nanoseconds) and leaves behind what its people must be told: events,
answers, and `changed` when something outside the cards is different. The hub picks these up once a tick. The room knows
seats, not sessions: who a seat belongs to is the hub's affair.

While a deal runs and somebody is away, it is paused: its clock stands still and plays are refused. When everybody is
back play goes on after a short count, at an instant that all are told beforehand. A seat given up in mid-deal of
several players stays free until the deal is over: nobody comes into cards that another held.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

import msgspec

from speed_common import wire
from speed_common.cards import HIDDEN, Card
from speed_common.codes import PEOPLE
from speed_common.computer import Computer
from speed_common.events import NOBODY
from speed_common.match import Match
from speed_common.rules import Rules
from speed_common.views import View, view_of
from speed_server.deal import Deal
from speed_server.deal_clock import DealClock
from speed_server.decks import Decks
from speed_server.fair.player import FairPlayer
from speed_server.fair.waiting import FairPlay
from speed_server.notice import code_level, room_message, rules_in_short
from speed_server.outcomes import Answer, Batch
from speed_server.records import Recorder
from speed_server.seats import NO_SEAT, Seats
from speed_server.settings import SECOND, HubSettings

_RUNNING: Final = frozenset({wire.COUNTDOWN, wire.PLAYING})
_NO_DEAL: Final = frozenset({wire.WAITING, wire.COUNTDOWN})

GRACES: Final = 2
"""How many graces in all a deal waits for one player: who drops again and again would hold the other for ever."""


class Room:
    """One table. `secrets(n)` gives n random bytes; it is the only chance in here.

    `first_deal` is the number of the first deal at a table laid by code (see `decks`), else None.
    """

    def __init__(
        self,
        number: int,
        rules: Rules,
        settings: HubSettings,
        secrets: Callable[[int], bytes],
        first_deal: int | None = None,
    ) -> None:
        self.number = number
        self.topic = wire.table_topic(number)
        self.rules = rules
        self.decks = Decks(secrets, first_deal, settings.deal_number)
        self.seats = Seats(rules.players)
        self.phase = wire.WAITING
        self.clock = DealClock()
        self.deal: Deal | None = None
        self.dealt_level = PEOPLE
        """The computers' speed as the game code of the deal on the table says it: who leaves later changes no code."""
        self.deals = 0
        self.revision = 0
        self.result: wire.Result | None = None
        self.match = Match.of(rules)
        self.fixture: wire.MatchInfo | None = None
        """What a tournament plays here."""
        self.resume_at_ns = 0
        """The instant at which a deal that waited goes on, until then; else 0."""
        self.changed = True
        self.quiet_at_ns = 0
        """When all that was told is shown: from then on a whole view of the table shows nothing too early."""
        self.recorder = Recorder(wanted=settings.records)
        self.ticked_ns = -settings.tick_ns
        """When `advance` ran last."""
        self._settings = settings
        self._secrets = secrets
        self._revealed = False
        self._rest_until_ns: int | None = None

    @cached_property
    def words(self) -> str:
        """The rules in words, kept because they take long to find."""
        return rules_in_short(self.rules)

    @property
    def running(self) -> bool:
        """Whether a deal is laid that is not over."""
        return self.phase in _RUNNING

    @property
    def paused(self) -> bool:
        """Whether a running deal waits for somebody who is away."""
        return self.running and self.seats.anybody_away

    @property
    def welcoming(self) -> bool:
        """Whether somebody sits here and waits for more."""
        return not self.running and self.seats.first_free() != NO_SEAT and self.seats.anybody_here

    # --- who sits here ------------------------------------------------------------------------------------------------

    def sit(self, name: str, now: int, level: int = 0, player: FairPlayer | None = None) -> int:
        """Seat a person, or a computer of `level`, on the lowest free seat; `NO_SEAT` when there is none now."""
        number = self.seats.first_free()
        if number == NO_SEAT or self.running:
            return NO_SEAT
        self.seats.take(number, name, level, player)
        if self.phase == wire.OVER:
            self._clear()
        self.match = Match.of(self.rules)
        self.changed = True
        self._start_if_ready(now)
        return number

    def leave(self, number: int, now: int) -> None:
        """Free a seat.

        In mid-deal that forfeits the deal for the last but one, else it goes on without the leaver; in the countdown
        the deal is taken back.
        """
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
        if not self._stand_still(now):
            seat.ready = False

    def back(self, number: int, now: int) -> None:
        """A player who had dropped is here again; play goes on, after a count, when nobody else is missing."""
        if self.seats[number].connected:
            return
        self.seats.come_back(number, now, self._settings.grace_ns)
        self.changed = True
        self._go_on(now)

    def move(self, number: int) -> None:
        """The table has another number from now on."""
        self.number, self.topic = number, wire.table_topic(number)
        self.changed = True

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

    def play(self, play: FairPlay, now: int) -> wire.RefusedWord | None:
        """Hand a play, a draw or a call to the deal; a word when the room refuses it outright."""
        word = self._closed(now)
        if word is None and self.deal is not None and not self.deal.submit(play, now):
            return "too_fast"
        return word

    def ask_flip(self, number: int, seq: int, now: int) -> wire.RefusedWord | None:
        """Hand a wish for the flip to the deal; a word when the room refuses it outright."""
        word = self._closed(now)
        if word is None and self.deal is not None:
            self._run(now)
            self.deal.ask_flip(number, seq, now)
            if self.deal.over:
                self._end(now)
        return word

    # --- time ---------------------------------------------------------------------------------------------------------

    def advance(self, now: int) -> None:
        """Run everything that is due: one tick."""
        self.ticked_ns = now
        if self.seats.away_until_ns:
            self._give_up_waiting(now)
        self._run(now)
        if self.resume_at_ns and now >= self.resume_at_ns:
            self.resume_at_ns = 0
            self.changed = True
        if self._rest_until_ns is not None and now >= self._rest_until_ns:
            self._rest_until_ns = None
            self._start(now)

    def next_due(self) -> int | None:
        """Server time at which `advance` has something to do if nothing arrives before."""
        first = self._rest_until_ns
        for due in (self._patience_ends_ns(), self.resume_at_ns or None, self._deal_due()):
            if due is not None and (first is None or due < first):
                first = due
        return first

    # --- what people see ----------------------------------------------------------------------------------------------

    def take_batches(self) -> list[Batch]:
        """The deal's events since the last call; `revision` counts those taken, which is what the receivers know."""
        deal = self.deal
        if deal is None or not deal.batches:
            return []
        batches, deal.batches = deal.batches, []
        self.revision = deal.revision
        self.quiet_at_ns = max(self.quiet_at_ns, batches[-1].showing.at_ns)
        return batches

    def take_answers(self) -> list[Answer]:
        """The refusals since the last call."""
        deal = self.deal
        if deal is None or not deal.answers:
            return []
        answers, deal.answers = deal.answers, []
        return answers

    def describe(self) -> wire.Room:
        """The table's life as a message; the same for every receiver."""
        return room_message(self)

    def ahead(self, seat: int) -> Card:
        """The card that the seat's next play brings; `HIDDEN` before the cards are turned."""
        turned = self.deal is not None and self._revealed and self.phase != wire.WAITING
        return self.deal.ahead(seat) if turned and self.deal is not None else HIDDEN

    def view(self, viewer: int) -> View | None:
        """The cards as `viewer` may see them; None while none are laid."""
        return None if self.deal is None else view_of(self.deal.table, viewer)

    # --- inside -------------------------------------------------------------------------------------------------------

    @property
    def _lead_ns(self) -> int:
        return min(self._settings.reveal_lead_ns, self._settings.countdown_ns)

    def _patience_ends_ns(self) -> int | None:
        """When somebody who is away has been waited for long enough."""
        return self.seats.away_until_ns or None

    def _deal_due(self) -> int | None:
        """Server time at which the cards have something to do, unless the deal is paused."""
        if self.deal is None or self.phase not in _RUNNING or self.seats.away_until_ns:
            return None
        if self.phase == wire.COUNTDOWN:
            return self.clock.reveal_at_ns - (0 if self._revealed else self._lead_ns)
        return self.deal.next_due()

    def _start_if_ready(self, now: int) -> None:
        if not self.running and self.seats.all_ready:
            self._start(now)

    def _closed(self, now: int) -> wire.RefusedWord | None:
        """Why nothing can be done with the cards now; None while it can."""
        if self.phase == wire.COUNTDOWN and not self.seats.away_until_ns:
            self._run_countdown(now)  # between the reveal and the next tick a play is not too early
        if self.deal is None or self.phase in _NO_DEAL:
            return "not_started"
        if self.phase == wire.OVER:
            return "deal_over"
        return "paused" if self.seats.away_until_ns or now < self.clock.resumed_at_ns else None

    def _start(self, now: int) -> None:
        if self.match.winner != NOBODY:
            self.match = Match.of(self.rules)
        self.dealt_level = code_level(self.seats)
        self.deal = Deal(
            self.rules,
            self.decks.stream(),
            {n: Computer(seat.level, self._dice) for n, seat in enumerate(self.seats) if seat.level},
            [seat.player for seat in self.seats],
            self._settings.fair,
            self.clock,
            self.revision,
        )
        self.deals += 1
        self.result = None
        self.phase = wire.COUNTDOWN
        self.clock.start(now, self._settings.countdown_ns)
        self.resume_at_ns = 0
        self._revealed = False
        self.seats.ask_anew()
        self.seats.grant(GRACES * self._settings.grace_ns)
        self.recorder.begin(self, self.deal, self._settings.fair, now)
        self.changed = True

    def _stand_still(self, now: int) -> bool:
        """Stop a deal that runs; false when none does."""
        if not self.running or self.deal is None:
            return False
        self.clock.stop(now)
        self.resume_at_ns = 0
        self.deal.refuse_waiting("paused", now)
        return True

    def _go_on(self, now: int) -> None:
        """Let a deal that waited go on, if nobody is missing any more.

        Nobody shall be surprised by the cards: they move again a while later, or turn no sooner than that.
        """
        if not self.running or self.seats.anybody_away or not self.clock.stopped:
            return
        count = self._settings.resume_ns
        if self.phase == wire.COUNTDOWN:
            self.clock.go(now + max(0, count - self.clock.before_reveal_ns(now)))
        else:
            self.resume_at_ns = now + count
            self.clock.go(self.resume_at_ns)
            if self.deal is not None:
                self.deal.order.resumed(self.resume_at_ns)

    def _run(self, now: int) -> None:
        """Run the countdown and the cards up to now, unless the deal is paused."""
        deal = self.deal
        if deal is None or self.phase not in _RUNNING or self.seats.away_until_ns:
            return
        if self.phase == wire.COUNTDOWN:
            self._run_countdown(now)
        if self.phase == wire.PLAYING:
            deal.advance(now)
            if deal.over:
                self._end(now)

    def _run_countdown(self, now: int) -> None:
        assert self.deal is not None
        rest = self.clock.before_reveal_ns(now)
        if not self._revealed and rest <= self._lead_ns and not self.changed:  # first all must know when
            self._revealed = True
            self.decks.used()
            self.deal.reveal(now)
        if self._revealed and rest <= 0:
            self.phase = wire.PLAYING

    def _end(self, now: int) -> None:
        assert self.deal is not None
        self.phase = wire.OVER
        self.resume_at_ns = 0
        result = self.deal.result()
        self.recorder.end(self.deal, result)
        self.match = self.match.scored(result.winner, result.score)
        # A deal forfeit leaves the winner alone at the table: nobody is there to go on with the match.
        ended = self.match.single or self.match.winner != NOBODY or result.forfeit
        self.result = msgspec.structs.replace(result, match_over=result.winner != NOBODY and ended)
        self.seats.ask_anew()
        if not self.seats.people:
            self._rest_until_ns = now + self._settings.bot_rest_ns
        self.changed = True

    def _leave(self, number: int, now: int) -> None:
        if self.running and self._revealed and self.deal is not None:
            self.deal.leave(number, now)
            if self.deal.over:
                self._end(now)
        elif self.phase == wire.COUNTDOWN:
            self._clear()
        self.seats.give_up(number)
        self._go_on(now)
        self.changed = True

    def _give_up_waiting(self, now: int) -> None:
        """Who was away for the whole grace loses the seat, and a running deal to whoever waited.

        With nobody here to win, the seats are kept on: for two people long, for one against a computer not at all.
        """
        for number in self.seats.overdue(now):
            seat = self.seats[number]
            if not self.seats.anybody_here:
                if self.seats.people > 1 and now - seat.away_since_ns < self._settings.keep_ns:
                    self.seats.keep(number, now + max(self._settings.grace_ns, SECOND))
                    continue
                self._clear()
            self._leave(number, now)

    def _clear(self) -> None:
        """Take the cards off the table; it waits for people again."""
        self.recorder.end(self.deal, None)
        self.phase = wire.WAITING
        self.deal = None
        self.result = None
        self.resume_at_ns = 0
        self._rest_until_ns = None
        self.seats.ask_anew()

    def _dice(self) -> float:
        return int.from_bytes(self._secrets(4)) / (1 << 32)
