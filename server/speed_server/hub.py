"""The pure top of the server: bytes and `now` in, bytes and due times out.

The hub finds the session that a message belongs to and the room it is for, and once a tick turns what happened in each
room into what each receiver may see. It owns no socket and reads no clock: the rim (`app`) hands it each message with
its arrival time, calls `advance` when something is due, and sends what it finds in `outbox` and `bulletins`.

Every request is answered. A peer's broken bytes are counted and dropped; they touch nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from speed_common import wire
from speed_common.cards import NO_RANK
from speed_common.wire import WireError
from speed_server.agenda import Agenda
from speed_server.deal_clock import NS_PER_US
from speed_server.evening.evening import Evening
from speed_server.fair.waiting import CALL, DRAW, NO_PILE, FairPlay
from speed_server.floor import Floor, Hall
from speed_server.lobby import Lobby, LobbyError
from speed_server.post import Post
from speed_server.reception import Reception
from speed_server.records import Finished
from speed_server.room import Room
from speed_server.seats import NO_SEAT
from speed_server.sessions import NO_ORIGIN, Session, Sessions
from speed_server.settings import HubSettings

SWEEP_NS: Final = 500_000_000


@dataclass(frozen=True, slots=True)
class HubSummary:
    """What the door tells of a running server."""

    players: int
    tables: int


class Hub:
    """All sessions and rooms of one server. `secrets(n)` gives n random bytes, `director` is who directs' secret."""

    def __init__(
        self,
        settings: HubSettings,
        server_id: str,
        secrets: Callable[[int], bytes],
        now: int,
        evening: Evening | None = None,
        director: str = "",
    ) -> None:
        self.broken_messages = 0
        self.evening = Evening() if evening is None else evening
        self._settings = settings
        self._sessions = Sessions(server_id, secrets, settings.fair)
        self._lobby = Lobby(settings, secrets)
        self._post = Post(self._lobby)
        self.outbox = self._post.outbox
        self.bulletins = self._post.bulletins
        self.records: list[Finished] = []
        self._agenda = Agenda()
        self._touched: dict[int, Room] = {}
        self._seated: dict[int, dict[int, Session]] = {}
        self._owed: dict[int, set[Session]] = {}
        self._by_stamps = settings.fair.mode != "off"
        hall = Hall(self._touch, self._take_seat, self._unseat, self._leave, self._flush, self._make_way)
        self._floor = Floor(hall, self.evening, self._lobby, self._post, settings, secrets, director)
        self._reception = Reception(
            self._sessions, self._post, settings, server_id, self._touch, self._show, self._floor
        )
        self._tick = 0
        self._next_keyframe_ns = now
        self._asked: set[bytes] = set()
        self._next_asked_ns: dict[bytes, int] = {}
        self._next_sweep_ns = now + SWEEP_NS
        self._next_lobby_ns = now
        for room in self._lobby.open_bot_tables(now):
            self._touch(room)

    # --- what the rim asks --------------------------------------------------------------------------------------------

    @property
    def dirty(self) -> bool:
        """Whether something was received for which `advance` is to be called as soon as nothing more waits."""
        return bool(self._touched) or self._floor.busy

    def summary(self) -> HubSummary:
        """How many people are here and how many tables are laid."""
        return HubSummary(sum(session.origin != NO_ORIGIN for session in self._sessions), len(self._lobby.rooms))

    def next_due(self) -> int | None:
        """Server time of the next timer; None while nothing will happen by itself."""
        due = self._agenda.next_due()
        if (release := self._post.next_due()) is not None and (due is None or release < due):
            due = release
        if len(self._sessions) and (due is None or self._next_sweep_ns < due):
            due = self._next_sweep_ns
        if self._post.topics and (due is None or self._next_keyframe_ns < due):
            due = self._next_keyframe_ns
        if self._lobby.changed and (due is None or self._next_lobby_ns < due):
            due = self._next_lobby_ns
        for topic in self._asked:
            if due is None or self._next_asked_ns[topic] < due:
                due = self._next_asked_ns[topic]
        if (floor := self._floor.due_ns) is not None and (due is None or floor < due):
            due = floor
        return due

    def receive(self, origin: bytes, data: bytes, now: int) -> None:
        """One message of the connection `origin`, read from its socket at `now`. Never raises on what a peer sent."""
        try:
            message = wire.decode_up(data)
        except WireError:
            self.broken_messages += 1
            return
        if isinstance(message, wire.Hello):
            self._reception.hello(origin, message, now)
            return
        session = self._sessions.by_ticket(message.ticket)
        if session is None:
            self._post.send(
                origin, wire.Goodbye("unknown_ticket", "this server does not know you any more: join again")
            )
            return
        session.last_heard_ns = now
        self._note(session, message, now)
        if session.origin != origin:
            self._reception.take_over(session, origin, now)
            self._show(session, now)
        elif session.lagging:
            # With a seat it lags until the table is told whole: what happened before must not come ahead of that.
            session.lagging = session.room is not None
            self._show(session, now)
        if type(message) is wire.PlayCard:
            self._play(session, message, now)
        elif type(message) is wire.Beat:
            self._reception.beat(session, message, now)
        elif type(message) is wire.DrawCard:
            self._press(session, message, DRAW, now)
        elif type(message) is not wire.ProbeBack:
            self._handle(session, message, now)

    def watched(self, topic: bytes, now: int) -> None:
        """Somebody subscribed to `topic`: its keyframe goes out at once. A topic of no table that can be is ignored.

        It goes to all who follow the topic, so a crowd that arrives is answered together, every `asked_ns`.
        """
        if not self._lobby.known_topic(topic) and not self._floor.known_topic(topic):
            return
        self._post.topics.add(topic)
        if now >= self._next_asked_ns.get(topic, now):
            self._answer_watchers(topic, now)
        else:
            self._asked.add(topic)

    def unwatched(self, topic: bytes, now: int) -> None:  # noqa: ARG002  # the rim tells both with their time
        """The last subscriber of `topic` left."""
        self._post.topics.discard(topic)
        self._asked.discard(topic)
        self._next_asked_ns.pop(topic, None)

    def unreachable(self, origin: bytes, now: int) -> None:
        """The connection is gone."""
        session = self._sessions.by_origin(origin)
        if session is not None:
            self._reception.drop(session, now)

    def lagging(self, origin: bytes, now: int) -> None:  # noqa: ARG002  # the rim tells both with their time
        """The connection takes no more: nothing is sent until it speaks, then one snapshot."""
        session = self._sessions.by_origin(origin)
        if session is not None:
            session.lagging = True

    def measured(self, origin: bytes, rtt_ns: int) -> None:
        """The kernel's own least round trip to this connection: no stamp that a client forges changes it."""
        session = self._sessions.by_origin(origin)
        if session is not None:
            session.fair.link.kernel_rtt_ns = rtt_ns

    def advance(self, now: int) -> None:
        """Run what is due by `now`: a tick of each room that waits for one and had none within the last `tick_ns`."""
        self._tick += 1
        if now >= self._next_sweep_ns:
            self._next_sweep_ns = now + SWEEP_NS
            self._reception.sweep(now)
        for number in self._agenda.pop_due(now):
            room = self._lobby.rooms.get(number)
            if room is not None:
                self._touched[number] = room
        self._post.release(now)
        if self._floor.busy or ((due := self._floor.due_ns) is not None and due <= now):
            self._floor.run(now)
        touched, self._touched = self._touched, {}
        for room in touched.values():
            next_tick_ns = room.ticked_ns + self._settings.tick_ns
            if now < next_tick_ns:
                self._agenda.set(room.number, next_tick_ns)
                continue
            room.advance(now)
            self._flush(room, now)
        if self._lobby.changed and now >= self._next_lobby_ns:
            self._lobby.changed = False
            self._next_lobby_ns = now + self._settings.lobby_ns
            self._post.announce_lobby(self._sessions)
        if self._post.topics and now >= self._next_keyframe_ns:
            self._next_keyframe_ns = now + self._settings.keyframe_ns
            for topic in self._post.topics:
                self._answer_watchers(topic, now)
        for topic in [topic for topic in self._asked if now >= self._next_asked_ns[topic]]:
            self._answer_watchers(topic, now)

    def stop(self, now: int) -> None:  # noqa: ARG002  # as every other entry
        """Tell everybody that the server ends."""
        goodbye = wire.Goodbye("stopping", "the server has stopped")
        for session in self._sessions:
            if not self._floor.waits_for(session):  # whose tournament goes on at the next start comes back by himself
                self._post.tell(session, goodbye)
        self._post.tell_watchers(goodbye)

    # --- requests -----------------------------------------------------------------------------------------------------

    def _handle(self, session: Session, message: wire.Known, now: int) -> None:
        if self._floor.hear(session, message, now):
            return
        if isinstance(message, wire.Sit):
            self._sit(session, message, now)
        elif session.room is None:
            self._post.tell(session, wire.Refused(getattr(message, "seq", 0), "not_seated"))
        elif isinstance(message, wire.Ready):
            session.room.ready(session.seat, now)
            self._touch(session.room)
        elif isinstance(message, wire.CallSpeed):
            self._press(session, message, CALL, now)
        elif isinstance(message, wire.FlipPlease):
            self._ask_flip(session, session.room, message.seq, now)
        elif isinstance(message, wire.Resync):
            self._show(session, now)
        elif isinstance(message, wire.Leave):
            self._leave(session, now)

    def _sit(self, session: Session, sit: wire.Sit, now: int) -> None:
        if session.room is not None:
            self._post.tell(session, wire.Refused(0, "seated"))
            return
        try:
            room, seat = self._lobby.seat(session.name, sit, now, session.fair)
        except LobbyError as refusal:
            self._post.tell(session, wire.Refused(0, refusal.word, text=refusal.text))
            return
        self._take_seat(session, room, seat)
        self._touch(room)

    def _take_seat(self, session: Session, room: Room, seat: int) -> None:
        session.room, session.seat = room, seat
        self._seated.setdefault(room.number, {})[seat] = session

    def _make_way(self, number: int, now: int) -> None:
        """A tournament wants this table: whatever is played there goes on under another number."""
        room = self._lobby.rooms.get(number)
        if room is None:
            return
        self._flush(room, now)
        self._lobby.renumber(room)
        self._seated[room.number] = self._seated.pop(number, {})
        self._owed.pop(number, None)
        self._touched.pop(number, None)
        self._agenda.set(number, None)
        self._touch(room)

    def _leave(self, session: Session, now: int) -> None:
        assert session.room is not None
        session.room.leave(session.seat, now)
        self._flush(session.room, now)

    def _ask_flip(self, session: Session, room: Room, seq: int, now: int) -> None:
        word = room.ask_flip(session.seat, seq, now)
        if word is not None:
            self._post.tell(session, wire.Refused(seq, word))
        self._touch(room)

    def _unseat(self, session: Session) -> None:
        assert session.room is not None
        self._seated[session.room.number].pop(session.seat, None)
        session.room, session.seat = None, NO_SEAT
        self._post.tell_lobby(session)

    def _note(self, session: Session, message: wire.Known, now: int) -> None:
        """Learn from a message what it tells of its sender's clock and link; what waits for that may go on."""
        if type(message) is wire.Beat or type(message) is wire.ProbeBack:
            session.fair.heard(message.c_send, now, message.s_sent, message.c_got)
        elif self._by_stamps and message.c_send != wire.UNSAID:
            session.fair.heard(message.c_send, now, beat=False)
        room = session.room
        if room is None or room.deal is None or not self._by_stamps:
            return
        order = room.deal.order
        for revision, c_shown in getattr(message, "shown", ()):
            order.shown(session.seat, revision, c_shown)
        if order.waiting:
            self._touched[room.number] = room

    def _play(self, session: Session, play: wire.PlayCard, now: int) -> None:
        self._submit(
            session,
            FairPlay(
                session.seat, play.seq, play.card, play.pile, play.named, play.aimed, play.revision, play.c_press,
                play.c_send or play.c_press, play.after,
            ),
            now,
        )  # fmt: skip

    def _press(self, session: Session, request: wire.DrawCard | wire.CallSpeed, mark: int, now: int) -> None:
        c_send = request.c_send or request.c_press
        play = FairPlay(
            session.seat, request.seq, mark, NO_PILE, NO_RANK, NO_PILE, request.revision, request.c_press, c_send
        )
        self._submit(session, play, now)

    def _submit(self, session: Session, play: FairPlay, now: int) -> None:
        """Hand a play, a draw or a call to the table, which finds its place in the order."""
        room = session.room
        if room is None:
            self._post.tell(session, wire.Refused(play.seq, "not_seated"))
            return
        link = session.fair.link
        word: wire.RefusedWord | None = "not_started"
        if (
            not self._by_stamps
            or not link.synced
            or link.server_time(play.c_press) + link.error_ns >= room.clock.reveal_at_ns
        ):
            word = room.play(play, now)
        if word is not None:
            self._post.answer(session, wire.Refused(play.seq, word), now, now)
        self._touched[room.number] = room

    # --- what goes out ------------------------------------------------------------------------------------------------

    def _answer_watchers(self, topic: bytes, now: int) -> None:
        self._asked.discard(topic)
        self._next_asked_ns[topic] = now + self._settings.asked_ns
        if not self._floor.publish(topic, now):
            self._post.publish(topic, now)

    def _show(self, session: Session, now: int) -> None:
        """The whole table for a player who may have missed something, after what happened before; else the lobby."""
        room = session.room
        if room is None:
            self._post.tell_lobby(session)
            return
        self._owed.setdefault(room.number, set()).add(session)
        self._flush(room, now)

    def _touch(self, room: Room) -> None:
        self._touched[room.number] = room

    def _flush(self, room: Room, now: int) -> None:
        """Turn what happened in a room into what each receiver may see of it, and when."""
        seated = self._seated.get(room.number, {})
        revision = room.revision
        for batch in room.take_batches():
            self._post.tell_events(room, seated.values(), revision, self._tick, batch, now)
            revision += len(batch.events)
        for seat, seq, refusal, send_at_ns, reactions in room.take_answers():
            if seat in seated:
                answer = wire.Refused(
                    seq, refusal.word, refusal.late, refusal.by, refusal.pile, refusal.took, "", *reactions or ()
                )
                self._post.answer(seated[seat], answer, send_at_ns, now)
        if room.deal is not None and seated:
            for seat, wait_ns in room.deal.order.take_probes():
                if seat in seated:
                    self._post.tell(seated[seat], wire.Probe(now, wait_ns // NS_PER_US))
        if room.changed:
            self._take_back_seats(room, now)
        due = room.next_due()
        if room.changed or room.number in self._owed or room.topic in self._post.owed:
            if now >= room.quiet_at_ns:
                self._tell_whole(room, now)
                due = room.next_due()
            elif due is None or room.quiet_at_ns < due:
                due = room.quiet_at_ns
        self._agenda.set(room.number, due)

    def _take_back_seats(self, room: Room, now: int) -> None:
        self._lobby.changed = True
        self.records += room.recorder.take()
        for seat, session in list(self._seated.get(room.number, {}).items()):
            if room.seats[seat].free:
                self._unseat(session)
        self._floor.ended(room, now)

    def _tell_whole(self, room: Room, now: int) -> None:
        """Everybody gets the table whole if something outside the cards changed, else who asked for it."""
        asked = self._owed.pop(room.number, set())
        for session in self._seated.get(room.number, {}).values():
            if not room.changed and session not in asked:
                continue
            if session in asked:
                session.lagging = False
            self._post.tell_table(session, now)
            if room.phase == wire.COUNTDOWN:  # only from here on is silence measured by the heartbeats of a deal
                session.last_heard_ns = now
        if room.changed or room.topic in self._post.owed:
            self._post.publish_table(room, now)
        room.changed = False
        self._lobby.close_if_empty(room)
