"""Being known to a server: hello and welcome, the ticket, the heartbeat, the link's state, the end. Pure.

A `Contact` lasts over as many connections as it takes; what is talked about, it does not know (`session` does).
"""

from __future__ import annotations

from typing import Final

import msgspec

from speed_client.news import Ended, LinkChanged, LinkState, News, Welcomed
from speed_client.printable import printable
from speed_client.pulse import Pulse
from speed_common import __version__
from speed_common.wire import (
    PROTOCOL_HIGH,
    PROTOCOL_LOW,
    TICKET_BYTES,
    Beat,
    BeatBack,
    CallSpeed,
    Down,
    DrawCard,
    Goodbye,
    Hello,
    Known,
    PlayCard,
    Probe,
    ProbeBack,
    Shown,
    Welcome,
    WireError,
    decode_down,
    encode,
)

HELLO_AGAIN_NS: Final = 1_000_000_000
"""Who is told that nobody knows the ticket says hello again, but not at once again: that could go on for ever."""

_TELLING = (Beat, ProbeBack, PlayCard, DrawCard, CallSpeed)
"""The messages that tell what was shown."""


class Contact:
    """One player's contact with one server. A subclass takes the messages that are about the game."""

    def __init__(self, name: str, ticket: bytes, now: int) -> None:
        self.name = name
        self.ticket = ticket
        self.outbox: list[bytes] = []
        self.news: list[News] = []
        self.link: LinkState = "connecting"
        self.ended: Ended | None = None
        self.welcomed = False
        """Whether the server knows us on the present connection."""
        self._pulse = Pulse(now)
        self._last_send = now
        self._again_at = now

    @property
    def jitter_ns(self) -> int:
        """By how much the time of the last answers differed."""
        return self._pulse.jitter_ns

    @property
    def rtt_ns(self) -> int | None:
        """How long a message and its answer take; None while it is not known."""
        return self._pulse.rtt_ns

    def server_now(self, now: int) -> int | None:
        """The server's clock, by our best guess; None before anything is known of it."""
        return self._pulse.server_now(now)

    def connected(self, now: int) -> None:
        """A connection stands: introduce ourselves, with the ticket if we have one."""
        if self.ended is not None:
            return
        self.welcomed = False
        self._pulse.heard(now)
        self.outbox.append(encode(Hello(PROTOCOL_LOW, PROTOCOL_HIGH, __version__, self.name, self.ticket)))

    def lost(self, now: int) -> None:
        """The connection fell."""
        self.welcomed = False
        self._pulse.heard(now)
        self._fallen()
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
        if not self.welcomed and not isinstance(message, Welcome | Goodbye):
            return  # meant for an earlier connection, or to be said again after the welcome
        self._pulse.heard(now)
        if self.welcomed and self.link == "lost":
            self._set_link("up")
        if isinstance(message, BeatBack):
            self._pulse.answered(message, now)
        elif isinstance(message, Probe):
            self._pulse.probed(message, now)
            self._echo(now)
        elif isinstance(message, Welcome):
            self._welcome(message, now)
        elif isinstance(message, Goodbye):
            self._goodbye(message, now)
        else:
            self._take(message, now)

    def stop(self, word: str, text: str) -> None:
        """End for a reason that only the rim can know, as a server whose key changed."""
        if self.ended is None:
            self.ended = Ended(word, text)
            self.news.append(self.ended)

    def next_due(self) -> int | None:
        """When `due` must be called next, on our clock; None when nothing waits for time."""
        if self.ended is not None or not self.welcomed:
            return None
        due = min(self._pulse.beat_at, self._pulse.silent_at) if self.link == "up" else self._pulse.beat_at
        echo_at = self._pulse.echo_at
        return due if echo_at is None else min(due, echo_at)

    def due(self, now: int) -> None:
        """Do what is due: notice silence, and beat."""
        if self.ended is not None or not self.welcomed:
            return
        if self.link == "up" and now >= self._pulse.silent_at:
            self._set_link("lost")
            self._pulse.hasten(now)
        self._echo(now)
        if now >= self._pulse.beat_at:
            self._send(self._pulse.beat(self.ticket, now), now)

    # --- for the subclass -------------------------------------------------------------------------------------------

    def _take(self, message: Down, now: int) -> None:
        """A message about the game came from the server that knows us."""
        raise NotImplementedError

    def _known(self, now: int) -> None:
        """A server welcomed us: what was under way with an earlier one is void, what is wanted is to be said."""
        raise NotImplementedError

    def _fallen(self) -> None:
        """What the connection brought last is not to be counted on."""
        raise NotImplementedError

    @property
    def _up(self) -> bool:
        """Whether what is said now gets there, by all we know."""
        return self.ended is None and self.welcomed and self.link == "up"

    def _shown(self) -> Shown:
        """What was shown since it was told last, to go with the message that leaves now."""
        return ()

    def _send(self, message: Known, now: int) -> None:
        """Hand a message over with the instant of that. It never goes back: what leaves later was pressed later."""
        self._last_send = max(self._last_send, now)
        if isinstance(message, _TELLING):
            message = msgspec.structs.replace(message, c_send=self._last_send, shown=self._shown())
        else:
            message = msgspec.structs.replace(message, c_send=self._last_send)
        self.outbox.append(encode(message))

    def _echo(self, now: int) -> None:
        while (echo := self._pulse.echo(self.ticket, now)) is not None:
            self._send(echo, now)

    # --- inside -----------------------------------------------------------------------------------------------------

    def _set_link(self, link: LinkState) -> None:
        if self.link != link:
            self.link = link
            self.news.append(LinkChanged(link))

    def _welcome(self, message: Welcome, now: int) -> None:
        if len(message.ticket) != TICKET_BYTES:
            return
        self.name, self.ticket = message.name, message.ticket
        self.welcomed = True
        self._pulse.start(message.beat_us, now)
        self.news.append(Welcomed(message.name, message.server_id, message.ticket, message.resumed))
        self._set_link("up")
        self._known(now)
        self._send(self._pulse.beat(self.ticket, now), now)

    def _goodbye(self, message: Goodbye, now: int) -> None:
        if message.word != "unknown_ticket":
            # A stranger's server may say anything, and this goes to the terminal as it is.
            self.stop(message.word, printable(message.text))
        elif self.welcomed and now >= self._again_at:
            self._again_at = now + HELLO_AGAIN_NS
            self.ticket = b""
            self.connected(now)
