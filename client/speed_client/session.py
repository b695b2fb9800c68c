"""The player's end of the protocol: messages in, messages out, and what a face must know. Pure.

The rim (`link`) says when the connection stands or falls, hands over what came and sends `outbox`; a face (screen,
line mode, JSON, bot) calls `play`, `ready`, `leave` and reads `news` and `mirror`. Every `now` and `press` is a reading
of this machine's `perf_counter_ns`; `*_at_ns` are server time, and only `server_now` stands between the two.

A press while the link is lost is dropped, never kept: it would come down seconds later on a table long changed.
"""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

from speed_client.contact import Contact
from speed_client.entrant import Entrant
from speed_client.mirror import Mirror, Showing
from speed_client.news import Answered, CallCame, Denied, Happened, LobbyChanged, MineChanged, News
from speed_client.plays import Pending, Plays
from speed_client.printable import printable
from speed_client.wishes import Want, Wishes, denied
from speed_common.cards import NO_RANK, Rank
from speed_common.events import Played
from speed_common.wire import (
    ANY_TABLE,
    COUNTDOWN,
    MAX_SHOWN,
    PLAYING,
    Called,
    Delta,
    Direct,
    Directed,
    Down,
    Enter,
    Heard,
    Leave,
    Lobby,
    Mine,
    Ready,
    Refused,
    Resync,
    Shown,
    Snapshot,
    TableLine,
    Withdraw,
)

RESYNC_NS: Final = 1_000_000_000
SETTLED: Final = 15


class Session(Contact):
    """One player at one server: the table, the plays on their way, and what else was asked for."""

    def __init__(self, name: str, ticket: bytes, want: Want, now: int) -> None:
        super().__init__(name, ticket, now)
        self.lobby: tuple[TableLine, ...] = ()
        self._showing = Showing()
        self._untold: list[tuple[int, int]] = []
        self._plays = Plays()
        self._wishes = Wishes(want)
        self._resync_at: int | None = None
        self.entrant = Entrant(want.tournament)
        self._settled: deque[int] = deque(maxlen=SETTLED)
        self.seat_kept = False
        """Whether the server has kept our seat for us, as it says when it is asked for one."""

    @property
    def mirror(self) -> Mirror:
        """The table as it may be shown now."""
        return self._showing.mirror

    @property
    def pending(self) -> dict[int, Pending]:
        """The plays that wait for their answer, by slot."""
        return self._plays.pending

    @property
    def settled_ns(self) -> int | None:
        """How long our plays take from the press until all see them, by the last few; None while there was none."""
        return int(median(self._settled)) if self._settled else None

    @property
    def idle(self) -> bool:
        """Whether we sit at a table where no deal runs and we have not asked for one, or our tournament is over."""
        room, seat = self.mirror.room, self.mirror.seat
        if self.entrant.tid:
            return self.entrant.over
        return room is not None and seat >= 0 and self._wishes.idle(room, seat)

    @property
    def ready_unasked(self) -> bool:
        """Whether ready is said without the player's doing."""
        return self._wishes.want.ready

    @property
    def apart(self) -> bool:
        """Whether our table may be one that nobody is led to who does not name it."""
        want = self._wishes.want
        return want.rules is not None or bool(want.code) or want.table > ANY_TABLE

    # --- a face asks ------------------------------------------------------------------------------------------------

    def why_not(self, slot: int) -> str | None:
        """Why the card of this slot cannot be sent to the server now, as a stable word; None when it can."""
        return self._plays.why_not(self.mirror, slot) if self._up else "no_link"

    def play(self, slot: int, pile: int, now: int, press: int, named: Rank = NO_RANK) -> bool:
        """Send the card of a slot to a pile, or to the automatic one (`AUTO_PILE`). False: see `why_not`.

        `named` is the rank that a declared joker stands for; the server chooses one where none is named. A card that
        fits nowhere is sent all the same: the server says by how much it came too late.
        """
        if self.why_not(slot) is not None:
            return False
        self._send(self._plays.play(self.mirror, self.ticket, slot, pile, now, press, named), now)
        return True

    def draw(self, now: int, press: int) -> bool:
        """Ask for one card of the own draw pile (manual refill)."""
        if not self._seated_and_up:
            return False
        self._send(self._plays.draw(self.mirror, self.ticket, press), now)
        return True

    def call(self, now: int, press: int) -> bool:
        """Call "Speed!". While a call for the same player is on its way it is not said again."""
        if not self._seated_and_up:
            return False
        if not self._plays.called:
            self._send(self._plays.call(self.mirror, self.ticket, press), now)
        return True

    def flip(self, now: int) -> bool:
        """Ask for the flip of a stuck table."""
        if not self._seated_and_up:
            return False
        self._send(self._plays.flip(self.ticket), now)
        return True

    def ready(self, now: int) -> bool:
        """Ready for what comes next: the deal, its start without the countdown, the rematch. Said once for each."""
        room, seat = self.mirror.room, self.mirror.seat
        if self.entrant.called is not None and not self.entrant.called.here:
            return self.come(now)
        if self.entrant.checks_in and self._up:
            self._send(Enter(self.ticket, self.entrant.tid), now)
            return True
        if not self._seated_and_up or room is None:
            return False
        self._say_ready(self._wishes.ready(room, seat, self.ticket), now)
        return True

    def come(self, now: int) -> bool:
        """Ready at the table that a tournament calls us to."""
        if not self._up:
            return False
        self._send(Ready(self.ticket), now)
        return True

    def heard(self, now: int) -> None:
        """A call to a table is shown: say so, once for each."""
        match = self.entrant.to_hear() if self._up else None
        if match is not None:
            self._send(Heard(self.ticket, self.entrant.tid, match), now)

    def withdraw(self, now: int) -> bool:
        """Leave the tournament for good."""
        if not self._up or not self.entrant.tid:
            return False
        self._send(Withdraw(self.ticket, self.entrant.tid), now)
        return True

    def direct(self, secret: str, command: str, line: str, now: int) -> bool:
        """Send a line of the director under its id."""
        if not self._up:
            return False
        self._send(Direct(self.ticket, secret, command, line), now)
        return True

    def leave(self, now: int) -> None:
        """Give the seat up and end. In a tournament only the screen is left: the match waits for its player a while."""
        if self._seated_and_up and not self.entrant.tid:
            self._send(Leave(self.ticket), now)
        self.stop("left", "you left the table")

    # --- time passes ------------------------------------------------------------------------------------------------

    def next_due(self) -> int | None:
        """When `due` must be called next, on our clock; None when nothing waits for time."""
        if self.ended is not None:
            return None
        times = [super().next_due(), self._plays.next_due(), self._resync_at if self.welcomed else None]
        show_at = self._showing.show_at_ns
        if show_at is not None:
            times.append(self._pulse.own_time(show_at))
        return min((time for time in times if time is not None), default=None)

    def due(self, now: int) -> None:
        """Do what is due: show what waited for its instant, beat, notice silence and missing answers."""
        if self.ended is not None:
            return
        self._show(self._showing.due(self.server_now(now)), now)
        self.news += self._plays.due(now)
        super().due(now)
        if self.welcomed and self._resync_at is not None and now >= self._resync_at:
            self._resync(now)

    # --- inside -----------------------------------------------------------------------------------------------------

    @property
    def _seated_and_up(self) -> bool:
        return self._up and self.mirror.seat >= 0

    def _shown(self) -> Shown:
        told, self._untold = self._untold[:MAX_SHOWN], self._untold[MAX_SHOWN:]
        return tuple(told)

    def _known(self, now: int) -> None:
        self._resync_at = None
        self.seat_kept = False
        self._showing.forget()
        self.pending.clear()
        self._plays.called = False
        self._untold.clear()
        self.entrant.again()
        self._send(self._wishes.start(self.ticket), now)

    def _fallen(self) -> None:
        self._showing.forget()

    def _take(self, message: Down, now: int) -> None:
        if isinstance(message, Delta):
            self._show(self._showing.delta(message, self.server_now(now)), now)
        elif isinstance(message, Snapshot):
            self._snapshot(message, now)
        elif isinstance(message, Refused):
            self._refused(message)
        elif isinstance(message, Mine):
            if self.entrant.stands(message):
                self.news.append(MineChanged(message))
                if self.ready_unasked and self.entrant.to_check_in():
                    self.ready(now)
        elif isinstance(message, Called):
            if self.entrant.calls(message, now):
                self.news.append(CallCame(message))
                if self.ready_unasked and self.entrant.to_come():
                    self.heard(now)
                    self.come(now)
        elif isinstance(message, Directed):
            self.news.append(Answered(message))
        elif isinstance(message, Lobby):
            self.lobby = message.tables
            self.news.append(LobbyChanged(message.tables, message.tournaments))

    def _snapshot(self, message: Snapshot, now: int) -> None:
        self._pulse.stamped(message.s_sent, now)
        self._resync_at = None
        try:
            news = self._showing.snapshot(message, self.server_now(now))
        except ValueError:
            self._resync_at = now + RESYNC_NS
            return
        self._show(news, now)
        self._plays.keep_only(self.mirror)
        room, seat = message.room, message.seat
        self._pulse.deal_runs(room.phase in {COUNTDOWN, PLAYING}, now)
        self._say_ready(self._wishes.seen(room, seat, self.ticket), now)

    def _show(self, news: list[News] | None, now: int) -> None:
        """Tell what is shown; None: something before it was missed, so ask for the whole table, once."""
        self._untold += [(revision, now) for revision in self._showing.shown]
        self._showing.shown.clear()
        for item in news or ():
            if isinstance(item, Happened):
                if isinstance(item.event, Played) and item.event.seat == self.mirror.seat:
                    sent = self.pending.get(item.event.slot)
                    self._settled += () if sent is None else (now - sent.sent_ns,)
                self._plays.happened(item.event, self.mirror.seat)
            self.news.append(item)
        if news is None and self._resync_at is None:
            self._resync(now)

    def _resync(self, now: int) -> None:
        self._send(Resync(self.ticket), now)
        self._resync_at = now + RESYNC_NS

    def _say_ready(self, message: Ready | None, now: int) -> None:
        if message is not None:
            self._send(message, now)

    def _refused(self, message: Refused) -> None:
        text = printable(message.text) or denied(message.word)
        if message.seq:
            self.news.append(self._plays.refused(message))
        elif denied(message.word) is not None and self.mirror.seat < 0:
            self.stop(message.word, text or message.word)
        elif message.word == "seated":
            self.seat_kept = True
        else:
            self.news.append(Denied(message.word, printable(message.text)))
