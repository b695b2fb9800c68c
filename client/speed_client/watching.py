"""The spectator's end: public state by topic, over as many tables as are followed. Pure; it has nothing to send.

A keyframe (a `Snapshot` for `SPECTATOR`) comes for a new subscriber and every second; deltas move it on in between.
A missed delta is healed by the next keyframe. Nobody answers a spectator, so the server's clock is known only from
below, by the send time of the keyframes: cards may turn here some milliseconds late, never early.
"""

from __future__ import annotations

from typing import Final

from speed_client.evening import Evening
from speed_client.mirror import Mirror, Showing
from speed_client.news import Ended, EveningChanged, LinkChanged, LinkState, LobbyChanged, News
from speed_client.printable import printable
from speed_common.wire import (
    LOBBY_TOPIC,
    Board,
    BoardPage,
    Delta,
    Goodbye,
    Lobby,
    Snapshot,
    TableLine,
    TournamentLine,
    WireError,
    board_topic,
    decode_down,
    table_topic,
)

MOST_FOLLOWED: Final = 64


class Watching:
    """Everything that one spectator sees. `focus` is the table looked at, 0 for all that run.

    Without `tables` only the list of tables is followed, as a lobby does, and a tournament only once it is chosen. A
    spectator of tables follows the first tournament there is; it stays when it is over, until another one is chosen.
    """

    def __init__(self, focus: int, now: int, *, tables: bool = True) -> None:
        self.focus = focus
        self._follows_tables = tables
        self.lobby: tuple[TableLine, ...] = ()
        self.tournaments: tuple[TournamentLine, ...] = ()
        self.evening: Evening | None = None
        self.news: list[News] = []
        self.link: LinkState = "connecting"
        self.ended: Ended | None = None
        self._showings: dict[int, Showing] = {}
        self._floor: int | None = None
        self._stale: set[int] = set()
        """Tables that may be another server's since the link fell: the next keyframe counts, however old it seems."""
        self._started = now

    @property
    def tables(self) -> dict[int, Mirror]:
        """The tables seen so far, by number."""
        return {number: showing.mirror for number, showing in self._showings.items() if showing.mirror.room}

    def subscriptions(self) -> set[bytes]:
        """The topics wanted now: the lobby, and the focus or every table that the lobby names."""
        wanted = {LOBBY_TOPIC}
        if self.evening is not None:
            wanted.add(board_topic(self.evening.tid))
        if self._follows_tables and self.focus > 0:
            wanted.add(table_topic(self.focus))
        elif self._follows_tables:
            wanted |= {table_topic(line.number) for line in self.lobby[:MOST_FOLLOWED]}
        return wanted

    def choose(self, tid: str) -> Evening:
        """Follow this tournament instead of another one."""
        if self.evening is None or self.evening.tid != tid:
            self.evening = Evening(tid)
        return self.evening

    def choose_next(self) -> None:
        """Follow the tournament that comes after the present one in the list."""
        tids = [line.tid for line in self.tournaments]
        if tids:
            now = self.evening.tid if self.evening is not None else ""
            self.choose(tids[(tids.index(now) + 1) % len(tids)] if now in tids else tids[0])

    def server_now(self, now: int) -> int | None:
        """The server's clock at least; None before the first keyframe."""
        return None if self._floor is None else now + self._floor

    def connected(self, _now: int) -> None:
        """A connection stands."""
        if self.link != "up":
            self.link = "up"
            self.news.append(LinkChanged("up"))

    def lost(self, _now: int) -> None:
        """The connection fell; keyframes will heal what is missed."""
        if self.link == "up":
            self.link = "lost"
            self.news.append(LinkChanged("lost"))
        # A server that was started anew has another clock.
        self._floor = None
        self._stale = set(self._showings)
        for showing in self._showings.values():
            showing.forget()
        if self.evening is not None:
            self.evening.anew()

    def receive(self, topic: bytes, data: bytes, now: int) -> None:
        """One publication, read at `now`. Bytes that are no message are dropped."""
        try:
            message = decode_down(data)
        except WireError:
            return
        if isinstance(message, Lobby):
            self._lobby(message)
        elif isinstance(message, Board | BoardPage):
            if self.evening is not None and self.evening.take(message):
                self.news.append(EveningChanged(message))
        elif isinstance(message, Goodbye):
            self.stop(message.word, printable(message.text))
        elif isinstance(message, Snapshot) and topic == table_topic(message.room.table):
            floor = message.s_sent - now
            self._floor = floor if self._floor is None else max(self._floor, floor)
            showing = self._showings.setdefault(message.room.table, Showing())
            self._keyframe(showing, message, now)
        elif isinstance(message, Delta):
            whole = ((n, s) for n, s in self._showings.items() if n not in self._stale)
            known = next((s for n, s in whole if table_topic(n) == topic), None)
            if known is not None:
                self.news.extend(known.delta(message, self.server_now(now)) or ())

    def stop(self, word: str, text: str) -> None:
        """End for a reason that only the rim can know."""
        if self.ended is None:
            self.ended = Ended(word, text)
            self.news.append(self.ended)

    def next_due(self) -> int | None:
        """When `due` must be called next, on our clock; None when nothing waits for time."""
        times = [showing.show_at_ns for showing in self._showings.values()]
        known = [at for at in times if at is not None]
        if not known:
            return None
        return min(known) - self._floor if self._floor is not None else 0

    def due(self, now: int) -> None:
        """Show what waited for its instant."""
        for showing in self._showings.values():
            self.news.extend(showing.due(self.server_now(now)) or ())

    def _lobby(self, message: Lobby) -> None:
        self.lobby, self.tournaments = message.tables, message.tournaments
        if self.evening is None and self._follows_tables and message.tournaments:
            self.choose(message.tournaments[0].tid)
        numbers = {line.number for line in message.tables}
        for gone in [number for number in self._showings if number not in numbers]:
            del self._showings[gone]
        self.news.append(LobbyChanged(message.tables, message.tournaments))

    def _keyframe(self, showing: Showing, message: Snapshot, now: int) -> None:
        mirror, number = showing.mirror, message.room.table
        older = (
            message.revision < showing.revision and mirror.room is not None and message.room.deal == mirror.room.deal
        )
        if older and number not in self._stale:
            return
        self._stale.discard(number)
        same = mirror.room == message.room and mirror.revision == message.revision and not showing.waits
        try:
            news = showing.snapshot(message, self.server_now(now))
        except ValueError:
            return
        if not same:
            self.news.extend(news)
