"""How much one peer may ask of the server: every limit with its reason. Durations are nanoseconds.

An honest client stays far below each of them; who goes over one is dropped, refused or cut off, and counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from speed_server.settings import MS, SECOND


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits. `docs/security.md` names each of them for hosts."""

    requests_per_second: int = 40
    """Requests of one connection: a held key repeats 30 times a second, and nobody plays ten cards in one. 0: any."""

    requests_burst: int = 20
    """So many requests may come together: what piles up behind a stall of half a second of a held key."""

    beats_per_second: int = 200
    """Heartbeats and answers to probes: they come as often as the server asks for them, every 10 ms at most."""

    beats_burst: int = 800
    """What piles up of them in the four seconds after which a stalled connection is given up anyway."""

    flood_requests: int = 200
    flood_ns: int = 100 * MS
    """So many requests in so short a time end the connection: a held key behind the longest stall brings 120."""

    stubborn_requests: int = 400
    stubborn_ns: int = SECOND
    """The same for who stays below that and goes on: ten times what is allowed, for a second."""

    connections_of_one_address: int = 512
    """To one socket. This machine's own are not counted: benchmarks and bots live there."""

    arrivals_per_second: int = 20
    arrivals_burst: int = 128
    """New connections of one address (not this machine's): each costs half a millisecond of encryption. A classroom
    behind one address arrives at once; a loop of reconnects goes on."""

    silence_ns: int = 3 * SECOND
    """Who came and has said nothing that makes sense by then is no client: ours speaks at once."""

    play_bytes_per_second: int = 64 * 1_024
    play_bytes_burst: int = 512 * 1_024
    """Bytes of a player's connection, ten times what the budgets above can take: frames of a message that never ends
    are seen by nobody, and stay in memory. Linux only."""

    watch_bytes_per_second: int = 1_024
    watch_bytes_burst: int = 64 * 1_024
    """Bytes of a watcher's: it says topics, 60 bytes each with their encryption, and a ping a second. Linux only."""

    topics_per_second: int = 20
    topics_burst: int = 1_200
    """Subscriptions of one connection: a watcher of every table of the largest server, twice over."""

    guesses_of_one_address: int = 5
    guesses_in_all: int = 30
    guesses_ns: int = 60 * SECOND
    """Wrong passcodes in so long a time, of one address (a typing error or four) and of all: at 30 a minute a word of
    a small dictionary of 10,000 stands for three hours, one of a random invitation for longer than the sun."""


KNOWN_BEFORE = 4_096
"""Addresses or connections that are remembered where a peer could make them up: the oldest is forgotten first."""
