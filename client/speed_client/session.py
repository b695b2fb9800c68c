"""The player's end of the protocol: messages in, messages out, and what a face must know. Pure.

The rim (`link`) says when the connection stands or falls, hands over what came and sends `outbox`; a face (screen,
line mode, JSON, bot) calls `play`, `ready`, `leave` and reads `news` and `mirror`. Every `now` and `press` is a reading
of this machine's `perf_counter_ns`; `*_at_ns` are server time, and only `server_now` stands between the two.

A card played is `pending` from the press to the answer: it has left its slot on the screen, and comes back if refused.
A press while the link is lost is dropped, never kept: it would come down seconds later on a table long changed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from speed_client.mirror import Mirror, Showing
from speed_client.news import (
    Denied,
    Ended,
    Happened,
    LinkChanged,
    LinkState,
    LobbyChanged,
    News,
    PlayRefused,
    Welcomed,
)
from speed_common import __version__, tactics
from speed_common.cards import NO_CARD, Card
from speed_common.clock import Clock
from speed_common.events import AUTO_PILE, Played, Voided, Won
from speed_common.table import DEALT, OVER
from speed_common.wire import (
    ANY_TABLE,
    PROTOCOL_HIGH,
    PROTOCOL_LOW,
    TICKET_BYTES,
    WAITING,
    Beat,
    BeatBack,
    Delta,
    DrawCard,
    Goodbye,
    Hello,
    Leave,
    Lobby,
    PlayCard,
    Ready,
    Refused,
    Resync,
    Sit,
    Snapshot,
    TableLine,
    Up,
    Welcome,
    WireError,
    decode_down,
    encode,
)
from speed_common.wire import OVER as ROOM_OVER

MILLISECOND_NS: Final = 1_000_000
SILENCE_NS: Final = 1_500 * MILLISECOND_NS
QUICK_BEATS: Final = 8
QUICK_BEAT_NS: Final = 20 * MILLISECOND_NS
LONGEST_BEAT_NS: Final = 500 * MILLISECOND_NS
RESYNC_NS: Final = 1_000 * MILLISECOND_NS
NO_ANSWER_NS: Final = 3_000 * MILLISECOND_NS
MOST_PENDING: Final = 2
RTT_SAMPLES: Final = 8

_DENIED: Final = {
    "table_full": "both seats of that table are taken; use --watch to watch it, or leave --table out",
    "no_such_table": "the server has no table of that number; leave --table out, or use --table new",
    "full": "the server has no free seat and can lay no more tables",
}


@dataclass(frozen=True, slots=True)
class Want:
    """What to sit down to: a table (`ANY_TABLE`, `NEW_TABLE`, a number) and a computer's level (0: a person).

    `ready` says so by itself as soon as there is a seat.
    """

    table: int = ANY_TABLE
    computer: int = 0
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """A play that waits for its answer; `pile` is where it is drawn, `AUTO_PILE` when it fits nowhere now."""

    card: Card
    pile: int
    seq: int
    sent_ns: int


class Session:
    """One player at one server, over as many connections as it takes."""

    def __init__(self, name: str, ticket: bytes, want: Want, now: int) -> None:
        self.name = name
        self.ticket = ticket
        self.want = want
        self.outbox: list[bytes] = []
        self.news: list[News] = []
        self.pending: dict[int, Pending] = {}
        self.lobby: tuple[TableLine, ...] = ()
        self.link: LinkState = "connecting"
        self.rtt_ns: int | None = None
        self.ended: Ended | None = None
        self.clock = Clock()
        self._showing = Showing()
        self._floor: int | None = None
        self._welcomed = False
        self._was_seated = False
        self._asked_ready = False
        self._seq = 0
        self._heard = now
        self._beat_ns = LONGEST_BEAT_NS
        self._beats = 0
        self._beat_at = now
        self._newest_back = (0, 0)
        self._rtts: deque[int] = deque(maxlen=RTT_SAMPLES)
        self._resync_at: int | None = None

    @property
    def mirror(self) -> Mirror:
        """The table as it may be shown now."""
        return self._showing.mirror

    @property
    def welcomed(self) -> bool:
        """Whether the server knows us on the present connection."""
        return self._welcomed

    @property
    def idle(self) -> bool:
        """Whether we sit at a table where no deal runs and we have not asked for one."""
        room, seat = self.mirror.room, self.mirror.seat
        if room is None or not 0 <= seat < len(room.seats):
            return False
        asked = self.want.ready or self._asked_ready or room.seats[seat].ready
        return room.phase == ROOM_OVER or (room.phase == WAITING and not asked)

    def server_now(self, now: int) -> int | None:
        """The server's clock, by our best guess; None before anything is known of it."""
        theta = self.clock.theta(now)
        if theta is None:
            theta = self._floor
        return None if theta is None else now + theta

    # --- the rim tells ----------------------------------------------------------------------------------------------

    def connected(self, now: int) -> None:
        """A connection stands: introduce ourselves, with the ticket if we have one."""
        if self.ended is not None:
            return
        self._welcomed = False
        self._heard = now
        self._send(Hello(PROTOCOL_LOW, PROTOCOL_HIGH, __version__, self.name, self.ticket))

    def lost(self, now: int) -> None:
        """The connection fell."""
        self._welcomed = False
        self._heard = now
        self._showing.forget()
        self.outbox.clear()
        if self.link == "up":
            self._set_link("lost")

    def receive(self, data: bytes, now: int) -> None:
        """One message of the server, read at `now`. Bytes that are no message are dropped."""
        if self.ended is not None:
            return
        try:
            message = decode_down(data)
        except WireError:
            return
        if not self._welcomed and not isinstance(message, Welcome | Goodbye):
            return  # meant for an earlier connection, or to be said again after the welcome
        self._heard = now
        if self._welcomed and self.link == "lost":
            self._set_link("up")
        if isinstance(message, Delta):
            self._delta(message, now)
        elif isinstance(message, BeatBack):
            self._beat_back(message, now)
        elif isinstance(message, Snapshot):
            self._snapshot(message, now)
        elif isinstance(message, Refused):
            self._refused(message)
        elif isinstance(message, Welcome):
            self._welcome(message, now)
        elif isinstance(message, Lobby):
            self.lobby = message.tables
            self.news.append(LobbyChanged(message.tables))
        else:
            self._goodbye(message, now)

    # --- a face asks ------------------------------------------------------------------------------------------------

    def why_not(self, slot: int) -> str | None:
        """Why the card of this slot cannot be sent to the server now, as a stable word; None when it can."""
        mirror = self.mirror
        if self.ended is not None or not self._welcomed or self.link != "up":
            return "no_link"
        if mirror.room is None or mirror.seat < 0:
            return "not_seated"
        if mirror.table is None or mirror.table.phase == DEALT:
            return "not_started"
        if mirror.table.phase == OVER:
            return "deal_over"
        hand = mirror.table.hands[mirror.seat]
        if not 0 <= slot < len(hand) or hand[slot] < 0:
            return "not_in_hand"
        if slot in self.pending or len(self.pending) >= MOST_PENDING:
            return "pending"
        return None

    def play(self, slot: int, pile: int, now: int, press: int) -> bool:
        """Send the card of a slot to a pile, or to the automatic one (`AUTO_PILE`). False: see `why_not`.

        A card that fits nowhere is sent all the same: the server says by how much it came too late.
        """
        if self.why_not(slot) is not None:
            return False
        table, seat = self.mirror.table, self.mirror.seat
        assert table is not None, "why_not has looked"
        card = table.hands[seat][slot]
        self._seq += 1
        drawn_on = self._guess(card) if pile == AUTO_PILE else pile
        self.pending[slot] = Pending(card, drawn_on, self._seq, now)
        self._send(PlayCard(self.ticket, self._seq, card, pile, self.mirror.revision, press))
        return True

    def draw(self, _now: int, press: int) -> bool:
        """Ask for one card of the own draw pile (manual refill)."""
        if not self._seated_and_up:
            return False
        self._seq += 1
        self._send(DrawCard(self.ticket, self._seq, press))
        return True

    def ready(self, _now: int) -> bool:
        """Ready for what comes next: the deal, its start without the countdown, the rematch. Said once."""
        room, seat = self.mirror.room, self.mirror.seat
        if not self._seated_and_up or room is None:
            return False
        if room.seats[seat].ready:
            return True
        self._send(Ready(self.ticket))
        self._asked_ready = True
        return True

    def leave(self, _now: int) -> None:
        """Give the seat up and end."""
        if self.ended is None and self._seated_and_up:
            self._send(Leave(self.ticket))
        self._end("left", "you left the table")

    def stop(self, word: str, text: str) -> None:
        """End for a reason that only the rim can know, as a server whose key changed."""
        self._end(word, text)

    # --- time passes ------------------------------------------------------------------------------------------------

    def next_due(self) -> int | None:
        """When `due` must be called next, on our clock; None when nothing waits for time."""
        if self.ended is not None:
            return None
        times = [pending.sent_ns + NO_ANSWER_NS for pending in self.pending.values()]
        if self._welcomed:
            times.append(self._beat_at)
            if self.link == "up":
                times.append(self._heard + SILENCE_NS)
            if self._resync_at is not None:
                times.append(self._resync_at)
        show_at = self._showing.show_at_ns
        if show_at is not None:
            then = self.server_now(self._heard)
            times.append(self._heard if then is None else self._heard + show_at - then)
        return min(times, default=None)

    def due(self, now: int) -> None:
        """Do what is due: show what waited for its instant, beat, notice silence and missing answers."""
        if self.ended is not None:
            return
        self._tell(self._showing.due(self.server_now(now)))
        for slot, pending in list(self.pending.items()):
            if now >= pending.sent_ns + NO_ANSWER_NS:
                del self.pending[slot]
                self.news.append(PlayRefused(Refused(pending.seq, "no_answer"), pending.card, slot))
        if not self._welcomed:
            return
        if self.link == "up" and now >= self._heard + SILENCE_NS:
            self._set_link("lost")
        if self._resync_at is not None and now >= self._resync_at:
            self._resync(now)
        if now >= self._beat_at:
            self._beat(now)

    # --- inside -----------------------------------------------------------------------------------------------------

    @property
    def _seated_and_up(self) -> bool:
        return self.ended is None and self._welcomed and self.link == "up" and self.mirror.seat >= 0

    def _send(self, message: Up) -> None:
        self.outbox.append(encode(message))

    def _set_link(self, link: LinkState) -> None:
        if self.link != link:
            self.link = link
            self.news.append(LinkChanged(link))

    def _end(self, word: str, text: str) -> None:
        if self.ended is None:
            self.ended = Ended(word, text)
            self.news.append(self.ended)

    def _welcome(self, message: Welcome, now: int) -> None:
        if len(message.ticket) != TICKET_BYTES:
            return
        self.name, self.ticket = message.name, message.ticket
        self._welcomed = True
        self.clock, self._floor = Clock(), None
        self._beat_ns = min(max(message.beat_us * 1_000, MILLISECOND_NS), LONGEST_BEAT_NS)
        self._beats, self._beat_at, self._newest_back = 0, now, (0, 0)
        self._resync_at = None
        self._showing.forget()
        self.pending.clear()
        self.news.append(Welcomed(message.name, message.server_id, message.ticket, message.resumed))
        self._set_link("up")
        # A session that was resumed may hold a seat or none; the server refuses a second one as `seated`. A server that
        # was started anew has other tables than the one we sat at.
        table = ANY_TABLE if self._was_seated else self.want.table
        self._send(Sit(self.ticket, table, self.want.computer))
        self._beat(now)

    def _goodbye(self, message: Goodbye, now: int) -> None:
        if message.word != "unknown_ticket":
            self._end(message.word, message.text)
        elif self._welcomed:
            self.ticket = b""
            self.connected(now)

    def _snapshot(self, message: Snapshot, now: int) -> None:
        floor = message.s_sent - now
        self._floor = floor if self._floor is None else max(self._floor, floor)
        self._resync_at = None
        self._was_seated = self._was_seated or message.seat >= 0
        try:
            self._tell(self._showing.snapshot(message, self.server_now(now)))
        except ValueError:
            self._resync_at = now + RESYNC_NS
            return
        self._drop_settled()
        room = message.room
        if room.phase != WAITING or (0 <= message.seat < len(room.seats) and room.seats[message.seat].ready):
            self._asked_ready = False
        seated = 0 <= message.seat < len(room.seats)
        if self.want.ready and room.phase == WAITING and seated and not room.seats[message.seat].ready:
            self._send(Ready(self.ticket))

    def _drop_settled(self) -> None:
        """After a snapshot a pending card counts only if it still lies where it was played from."""
        table, seat = self.mirror.table, self.mirror.seat
        for slot, pending in list(self.pending.items()):
            if table is None or seat < 0 or table.phase == OVER or table.hands[seat][slot] != pending.card:
                del self.pending[slot]

    def _delta(self, message: Delta, now: int) -> None:
        news = self._showing.delta(message, self.server_now(now))
        if news is None:
            if self._resync_at is None:
                self._resync(now)
            return
        self._tell(news)

    def _resync(self, now: int) -> None:
        self._send(Resync(self.ticket))
        self._resync_at = now + RESYNC_NS

    def _tell(self, news: list[News]) -> None:
        for item in news:
            if isinstance(item, Happened):
                self._settle(item)
            self.news.append(item)

    def _settle(self, item: Happened) -> None:
        event = item.event
        if isinstance(event, Played):
            if event.seat == self.mirror.seat:
                self.pending.pop(event.slot, None)
        elif isinstance(event, Won | Voided):
            self.pending.clear()

    def _refused(self, message: Refused) -> None:
        if message.seq == 0:
            if message.word in _DENIED and self.mirror.seat < 0:
                self._end(message.word, _DENIED[message.word])
            elif message.word != "seated":
                self.news.append(Denied(message.word))
            return
        for slot, pending in self.pending.items():
            if pending.seq == message.seq:
                del self.pending[slot]
                self.news.append(PlayRefused(message, pending.card, slot))
                return
        self.news.append(PlayRefused(message, NO_CARD))

    def _guess(self, card: Card) -> int:
        """The automatic pile as the server will choose it if the pending cards land where they are drawn."""
        table, seat = self.mirror.table, self.mirror.seat
        assert table is not None, "only a card in hand is guessed"
        reach, held = list(table.reach), table.held[seat]
        for pending in self.pending.values():
            held &= ~(1 << pending.card)
            if 0 <= pending.pile < len(reach):
                reach[pending.pile] = table.landing(pending.card)
        return tactics.automatic_pile(held, reach, card, table.fits[card])

    def _beat(self, now: int) -> None:
        self._send(Beat(self.ticket, now, *self._newest_back))
        self._beats += 1
        self._beat_at = now + (QUICK_BEAT_NS if self._beats < QUICK_BEATS else self._beat_ns)

    def _beat_back(self, message: BeatBack, now: int) -> None:
        if message.c_send > now:
            return
        self.clock.heard(message.s_sent, now)
        self.clock.told(message.c_send, message.s_got, now)
        self._newest_back = (message.s_sent, now)
        self._rtts.append(now - message.c_send - (message.s_sent - message.s_got))
        self.rtt_ns = min(self._rtts)
