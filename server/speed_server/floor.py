"""The floor of the hall: what tournaments ask of tables and players' connections, and what these tell tournaments.

Between the hub, which owns sessions and rooms, and `evening`, which knows neither. Table N of a tournament is table N
of the server: a game that was begun there under its number goes on under another one.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final, NamedTuple

from speed_common import wire
from speed_common.presets import RulesError, check
from speed_common.rules import Rules
from speed_server.evening.evening import Evening
from speed_server.evening.line import Line
from speed_server.evening.live import Move
from speed_server.evening.people import mark_of
from speed_server.evening.personal import title
from speed_server.guesses import Guesses
from speed_server.limits import Limits
from speed_server.lobby import Lobby
from speed_server.match_room import MatchRoom
from speed_server.post import Post
from speed_server.room import Room
from speed_server.sessions import Session
from speed_server.settings import HubSettings
from speed_server.tournament.hall import Call, Clear, NextDeal, Play, Suspend
from speed_server.tournament.model import EMPTY, Match, Tournament

_PLAYERS: Final = 2


class Hall(NamedTuple):
    """What the floor needs of the hub."""

    touch: Callable[[Room], None]
    take_seat: Callable[[Session, Room, int], None]
    unseat: Callable[[Session], None]
    leave: Callable[[Session, int], None]
    flush: Callable[[Room, int], None]
    make_way: Callable[[int, int], None]


class Floor:
    """`secret` is the director's; empty: nobody directs from a client. `secrets(n)` gives n random bytes."""

    def __init__(
        self,
        hall: Hall,
        evening: Evening,
        lobby: Lobby,
        post: Post,
        settings: HubSettings,
        secrets: Callable[[int], bytes],
        secret: str = "",
    ) -> None:
        self._hall = hall
        self._evening = evening
        self._lobby = lobby
        self._post = post
        self._settings = settings
        self._secrets = secrets
        self._secret = secret
        self._guesses = Guesses(Limits())
        self._rules = _rules_for_two(settings.rules)
        self._sessions: dict[str, Session] = {}
        self._rooms: dict[int, MatchRoom] = {}
        self._players: dict[int, tuple[int, int]] = {}
        self._lingering: dict[int, tuple[int, list[Move]]] = {}
        self._late: set[int] = set()
        """Tables to which somebody is called who still plays elsewhere."""
        self._stood_up: set[Session] = set()
        """Who left the table of a match that is not over."""
        self._follow_lists()

    # --- time ---------------------------------------------------------------------------------------------------------

    @property
    def due_ns(self) -> int | None:
        """When `run` has something to do if nothing else happens before."""
        first = self._evening.due_ns
        for due, _ in self._lingering.values():
            if first is None or due < first:
                first = due
        return first

    @property
    def busy(self) -> bool:
        """Whether `run` has something to do at once."""
        evening = self._evening
        return bool(evening.moves or evening.notices or evening.boards_changed or evening.lines_changed)

    def run(self, now: int) -> None:
        """Do what is due, carry out what tournaments ask, and tell people."""
        evening = self._evening
        evening.advance(now)
        for table in [table for table, (due, _) in self._lingering.items() if due <= now]:
            self._end_lingering(table, now)
        moves, evening.moves = evening.moves, []
        for move in moves:
            if move.change.table in self._lingering:
                self._lingering[move.change.table][1].append(move)
            else:
                self._carry_out(move, now)
        self._settle(now)
        notices, evening.notices = evening.notices, []
        for mark, message in notices:
            session = self._sessions.get(mark)
            if session is not None:
                self._post.tell(session, message)
        changed, evening.boards_changed = evening.boards_changed, set()
        for tid in changed:
            self._publish(tid, now, changed_only=True)
        if evening.lines_changed:
            self._follow_lists()

    # --- people -------------------------------------------------------------------------------------------------------

    def knows(self, key: bytes) -> bool:
        """Whether the ticket of this key is a player's, though the session may be gone with an earlier run."""
        return self._evening.knows(mark_of(key))

    def waits_for(self, session: Session) -> bool:
        """Whether the session plays in a tournament that goes on, be it after the server was started anew."""
        return bool(self._evening.entries_of(mark_of(session.key)))

    def attend(self, session: Session, now: int, *, here: bool) -> None:
        """Somebody came, came back or dropped."""
        mark = mark_of(session.key)
        if here:
            self._sessions[mark] = session
            self._stood_up.discard(session)
            self._evening.came(mark, now)
            self._bring_all(now)
        else:
            self._evening.went(mark, self._stake_of(session), now)

    def forget(self, session: Session) -> None:
        """The session's ticket is forgotten."""
        self._sessions.pop(mark_of(session.key), None)
        self._stood_up.discard(session)

    def hear(self, session: Session, message: wire.Known, now: int) -> bool:
        """Take a message that is about a tournament; false for any other."""
        mark = mark_of(session.key)
        if isinstance(message, wire.Enter):
            self._stood_up.discard(session)
            self._evening.enter(mark, session.name, message.tid, now)
            self._bring_all(now)
        elif isinstance(message, wire.Withdraw):
            self._evening.withdraw(mark, message.tid, now)
        elif isinstance(message, wire.Heard):
            self._stood_up.discard(session)
            self._evening.saw(mark, message.tid, message.match, now)
            self._bring_all(now)
        elif isinstance(message, wire.Direct):
            self._direct(session, message, now)
        elif isinstance(session.room, MatchRoom) and isinstance(message, wire.Ready):
            self._ready(session, session.room, now)
        elif isinstance(session.room, MatchRoom) and isinstance(message, wire.Leave):
            self._leave(session, session.room, now)
        elif isinstance(message, wire.Sit) and session.room is None and message.table in self._rooms:
            return self._bring(session, message.table, now)
        else:
            return False
        return True

    def ended(self, room: Room, now: int) -> None:
        """Report the deals of a room that are over; who was called from there may come now."""
        if not isinstance(room, MatchRoom):
            if self._late:
                self._bring_all(now)
            return
        reports, room.reports = room.reports, []
        for report in reports:
            winner = self._players[room.number][report.winner]
            self._evening.deal_ended(room.fixture.tid, room.fixture.match, winner, report.score, now)

    # --- boards -------------------------------------------------------------------------------------------------------

    def known_topic(self, topic: bytes) -> bool:
        """Whether the topic is that of a tournament's board."""
        return any(topic == wire.board_topic(live.tid) for live in self._evening.lives.values())

    def publish(self, topic: bytes, now: int) -> bool:
        """The whole board of a topic; false if the topic is none of a board."""
        for live in self._evening.lives.values():
            if topic == wire.board_topic(live.tid):
                self._publish(live.tid, now, changed_only=False)
                return True
        return False

    def _publish(self, tid: str, now: int, *, changed_only: bool) -> None:
        topic, live = wire.board_topic(tid), self._evening.lives[tid]
        if topic not in self._post.topics or not live.public.name:
            return
        self._post.bulletins.append((topic, wire.encode(live.board(self._evening.at(now)))))
        for page in live.pages(changed_only=changed_only):
            self._post.bulletins.append((wire.page_topic(tid, page.page), wire.encode(page)))

    def _follow_lists(self) -> None:
        self._evening.lines_changed = False
        self._lobby.tournaments = self._evening.lines()
        self._lobby.reserved = self._evening.tables()
        self._lobby.changed = True

    # --- the director -------------------------------------------------------------------------------------------------

    def _direct(self, session: Session, message: wire.Direct, now: int) -> None:
        who = session.key.hex()
        if not self._secret or self._guesses.too_many(who, now):
            text = "too many wrong secrets were tried: wait a minute" if self._secret else "nobody directs from here"
            self._post.tell(session, wire.Directed(message.command, ok=False, lines=(text,)))
            return
        if not hmac.compare_digest(message.secret.encode(), self._secret.encode()):
            self._guesses.wrong(who, now)
            text = "that is not the director's secret: it is in the file `director` of the server's data folder"
            self._post.tell(session, wire.Directed(message.command, ok=False, lines=(text,)))
            return
        self._guesses.right(who)
        self._evening.director.direct(Line(mark_of(session.key), message.line, message.command, message.tid), now)

    # --- tables -------------------------------------------------------------------------------------------------------

    def _carry_out(self, move: Move, now: int) -> None:
        change, state = move
        if isinstance(change, Clear):
            self._clear(change, state, now)
            return
        match = state.matches[change.match]
        room = self._room(change.table, match, state, now)
        room.score(match.score)
        if isinstance(change, Suspend):
            ends = [until for until in change.until if until]
            room.hold(self._evening.server_time(min(ends)) if ends else 0, now)
        elif isinstance(change, NextDeal):
            room.lay(now, self._settings.match_rest_ns)
        elif isinstance(change, Play) and not room.running and not (change.resumed and room.phase == wire.OVER):
            room.lay(now)
        elif isinstance(change, Call):
            for side, seated in enumerate(change.seated):
                room.seats[side].ready = seated
        self._bring_both(change.table, now)
        self._hall.touch(room)

    def _room(self, table: int, match: Match, state: Tournament, now: int) -> MatchRoom:
        """The room of a match, laid if it is not."""
        room = self._rooms.get(table)
        if room is not None and (room.fixture.tid, room.fixture.match) == (state.tid, match.number):
            return room
        if room is not None:
            self._give_up(table, now)
        self._lingering.pop(table, None)
        self._hall.make_way(table, now)
        names = (state.name_of(match.known[0]), state.name_of(match.known[1]))
        length, measure = state.config.wins_needed, state.config.measure
        fixture = wire.MatchInfo(state.tid, match.number, title(state, match), match.score, length, measure)
        room = MatchRoom(table, self._rules, self._settings, self._secrets, fixture, names)
        self._lobby.lay(room)
        self._rooms[table], self._players[table] = room, match.known
        return room

    def _clear(self, change: Clear, state: Tournament, now: int) -> None:
        room = self._rooms.get(change.table)
        if room is None:
            return
        match = state.matches.get(change.match)
        over = match is not None and match.result is not None and room.phase == wire.OVER and room.seats.anybody_here
        if match is not None and over:
            room.finish(match.score)
            self._lingering[change.table] = (now + self._settings.match_rest_ns, [])
            self._hall.touch(room)
        else:
            self._give_up(change.table, now)

    def _end_lingering(self, table: int, now: int) -> None:
        _, moves = self._lingering.pop(table)
        self._give_up(table, now)
        for move in moves:
            self._carry_out(move, now)

    def _give_up(self, table: int, now: int) -> None:
        """The match is not at this table any more."""
        room = self._rooms.pop(table)
        del self._players[table]
        self._late.discard(table)
        room.clear()
        self._hall.touch(room)
        self._hall.flush(room, now)

    def _settle(self, now: int) -> None:
        """Let each match stand or go on as its tournament does."""
        for room in self._rooms.values():
            if room.number in self._lingering:
                continue
            state = self._evening.lives[room.fixture.tid].public
            match = state.matches.get(room.fixture.match)
            if match is None or match.result is not None:
                continue
            if state.phase == "paused" and match.status != "called":
                if not room.held:
                    room.hold(0, now)
                    self._hall.touch(room)
            elif match.status == "playing" and room.held:
                room.release(now)
                self._hall.touch(room)

    # --- who sits there -----------------------------------------------------------------------------------------------

    def _bring_all(self, now: int) -> None:
        for table in list(self._rooms):
            if table not in self._lingering:
                self._bring_both(table, now)

    def _bring_both(self, table: int, now: int) -> None:
        """Seat who is here; who plays a deal elsewhere is not torn from it."""
        self._late.discard(table)
        room = self._rooms[table]
        people = self._evening.lives[room.fixture.tid].people
        for player in self._players[table]:
            session = self._sessions.get(people.mark_of(player)) if player != EMPTY else None
            if session is None or session.room is room or not session.origin or session in self._stood_up:
                continue
            elsewhere = session.room
            if elsewhere is not None and not isinstance(elsewhere, MatchRoom) and elsewhere.running:
                self._late.add(table)
            elif not (isinstance(elsewhere, MatchRoom) and elsewhere.running):
                self._bring(session, table, now)

    def _bring(self, session: Session, table: int, now: int) -> bool:
        """Seat a player at his match; false for anybody else."""
        room = self._rooms[table]
        live = self._evening.lives[room.fixture.tid]
        player = live.people.player_of(mark_of(session.key), live.public)
        if not player or player not in self._players[table]:
            return False
        side = self._players[table].index(player)
        if isinstance(session.room, MatchRoom):
            self._stand_up(session, session.room, now)
        elif session.room is not None:
            self._hall.leave(session, now)
        self._stood_up.discard(session)
        self._evening.back(mark_of(session.key), now)
        self._hall.take_seat(session, room, side)
        room.arrive(side, session.fair, now)
        self._hall.touch(room)
        return True

    def _ready(self, session: Session, room: MatchRoom, now: int) -> None:
        if room.number in self._lingering:
            self._stand_up(session, room, now)
            return
        room.ready(session.seat, now)
        self._hall.touch(room)
        if room.phase == wire.WAITING:
            self._evening.sat(mark_of(session.key), now)

    def _leave(self, session: Session, room: MatchRoom, now: int) -> None:
        """Up from the table, but still in the tournament: as one who dropped, until he asks for his seat."""
        stake = self._stake_of(session)
        self._stand_up(session, room, now)
        if room.number not in self._lingering:
            self._stood_up.add(session)
            self._evening.stood_up(mark_of(session.key), stake, now)

    def _stand_up(self, session: Session, room: MatchRoom, now: int) -> None:
        seat = session.seat
        self._hall.unseat(session)
        room.dropped(seat, now)
        self._hall.touch(room)
        if room.number in self._lingering and not room.seats.anybody_here:
            self._lingering[room.number] = (now, self._lingering[room.number][1])

    def _stake_of(self, session: Session) -> Callable[[Match], int]:
        room, seat = session.room, session.seat

        def stake(match: Match) -> int:
            return room.stake(seat) if isinstance(room, MatchRoom) and room.fixture.match == match.number else 0

        return stake


def _rules_for_two(rules: Rules) -> Rules:
    """The server's rules if they are for two, else the usual ones: a match is between two."""
    try:
        check(rules)
    except RulesError:
        return Rules()
    return rules if rules.players == _PLAYERS else Rules()
