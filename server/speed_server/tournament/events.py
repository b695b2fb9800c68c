"""What happened in a tournament. The log is these, in order, and nothing else makes the state.

Everything that chance or an algorithm decided is in the event (draw, pairs, bye, table, deadline): a replay never pairs
anything, so a later version cannot change history. `at` is in nanoseconds, as in `model`.
"""

from __future__ import annotations

import re

import msgspec

from speed_server.tournament.config import Config
from speed_server.tournament.model import Match, Pair, Player, Result, Spec, Stage, Tournament


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=_tag):
    """The root of all events."""

    at: int


class CommandGiven(Event, frozen=True, kw_only=True):
    """A director's command, before the events it led to: the mark that `undo` goes back to."""

    line: str
    actor: str = ""
    reason: str = ""
    direct: int = 0
    """How many of the events after it are the command's own; the others followed by themselves."""


class TournamentCreated(Event, frozen=True, kw_only=True):
    """A tournament exists, under the name that people see."""

    tid: str
    name: str


class ConfigChanged(Event, frozen=True, kw_only=True):
    """The settings are these now."""

    config: Config


class StartSet(Event, frozen=True, kw_only=True):
    """The evening is announced for `start`; check-in closes before it. 0: no time is set."""

    start: int


class RegistrationOpened(Event, frozen=True, kw_only=True):
    """People may enter."""


class CheckInOpened(Event, frozen=True, kw_only=True):
    """People who entered say that they are here."""


class PlayerRegistered(Event, frozen=True, kw_only=True):
    """Somebody entered; `joined` is his first Swiss round."""

    player: int
    name: str
    joined: int = 1
    active: bool = False


class PlayerCheckedIn(Event, frozen=True, kw_only=True):
    """A player is here for the evening."""

    player: int


class PlayerDropped(Event, frozen=True, kw_only=True):
    """Check-in closed without him."""

    player: int


class PlayerRemoved(Event, frozen=True, kw_only=True):
    """An entry was taken back before the draw."""

    player: int


class PlayerRested(Event, frozen=True, kw_only=True):
    """A player is not called and not paired for a while; `no_show` when he missed a call."""

    player: int
    no_show: bool = False


class PlayerActivated(Event, frozen=True, kw_only=True):
    """A player is in again, from Swiss round `joined` if that is not 0."""

    player: int
    joined: int = 0


class PlayerWithdrawn(Event, frozen=True, kw_only=True):
    """A player left: he loses all open and coming matches. `left` is the first Swiss round without him."""

    player: int
    left: int = 0
    by_himself: bool = False


class PlayerDisqualified(Event, frozen=True, kw_only=True):
    """A player was put out by the director."""

    player: int
    left: int = 0
    reason: str = ""


class PlayerRenamed(Event, frozen=True, kw_only=True):
    """A player has another name now."""

    player: int
    name: str


class SeedsSet(Event, frozen=True, kw_only=True):
    """The order of the seeds, best first."""

    players: tuple[int, ...]
    how: str = ""


class StageDrawn(Event, frozen=True, kw_only=True):
    """A stage with all its matches that are known from the start."""

    stage: Stage
    matches: tuple[Spec, ...]


class Undrawn(Event, frozen=True, kw_only=True):
    """The draw of stage `stage` and of later ones was taken back."""

    stage: int = 0


class RoundPlanned(Event, frozen=True, kw_only=True):
    """A Swiss round was paired; only the director sees it."""

    number: int
    pairs: tuple[Pair, ...]


class RoundPublished(Event, frozen=True, kw_only=True):
    """A planned round is there to be played."""

    number: int


class RoundUnpublished(Event, frozen=True, kw_only=True):
    """A published round of which nothing was played is only planned again; `hold`: until the director says more."""

    number: int
    hold: bool = False


class MatchAdded(Event, frozen=True, kw_only=True):
    """A match outside the draw: an arena pairing or a play-off."""

    match: Spec
    stage: int


class StageClosed(Event, frozen=True, kw_only=True):
    """A stage is over; its standings are frozen."""

    stage: int
    order: tuple[tuple[tuple[int, ...], ...], ...]


class Started(Event, frozen=True, kw_only=True):
    """Matches may be called."""


class CoolingStarted(Event, frozen=True, kw_only=True):
    """A round is over; the next step is taken at `until`."""

    until: int


class Paused(Event, frozen=True, kw_only=True):
    """All clocks stand."""

    reason: str


class Resumed(Event, frozen=True, kw_only=True):
    """Clocks run again; who was called or away has a fresh period to sit down."""


class ServerStarted(Event, frozen=True, kw_only=True):
    """The server is up again after `down`; whoever played has been interrupted."""

    down: int = 0


class ServerStopped(Event, frozen=True, kw_only=True):
    """The server was stopped in order."""


class TournamentFinished(Event, frozen=True, kw_only=True):
    """Nothing is left to play; `early` when the director ended it before that."""

    early: bool = False


class TournamentReopened(Event, frozen=True, kw_only=True):
    """A finished tournament goes on."""


class TournamentArchived(Event, frozen=True, kw_only=True):
    """Nothing changes any more."""


class TournamentCancelled(Event, frozen=True, kw_only=True):
    """There will be no result."""


class DirectorNote(Event, frozen=True, kw_only=True):
    """A line of the director for everybody."""

    text: str


class MatchCalled(Event, frozen=True, kw_only=True):
    """Two players shall sit down; the clock starts at `clock_from`, or when both have seen the call."""

    match: int
    table: int
    players: tuple[int, int]
    clock_from: int
    deadline: int


class CallAcknowledged(Event, frozen=True, kw_only=True):
    """A player's client shows the call; `deadline` is the new one if that started the clock, else 0."""

    match: int
    player: int
    deadline: int = 0


class BellRung(Event, frozen=True, kw_only=True):
    """The call is repeated to who does not sit yet."""

    match: int
    number: int


class LatenessPenalty(Event, frozen=True, kw_only=True):
    """A started minute of lateness: points for the one who sits, and one more minute for the other."""

    match: int
    winner: int
    points: int
    deadline: int


class MatchRecalled(Event, frozen=True, kw_only=True):
    """A call was taken back; nobody is punished."""

    match: int


class MatchMoved(Event, frozen=True, kw_only=True):
    """A called or running match is on another table."""

    match: int
    table: int


class MatchPinned(Event, frozen=True, kw_only=True):
    """A match goes before all others of the queue, or not any more."""

    match: int
    on: bool


class MatchHeld(Event, frozen=True, kw_only=True):
    """A match is not called until it is let go."""

    match: int
    on: bool


class PlayerReady(Event, frozen=True, kw_only=True):
    """A called player sits at the table."""

    match: int
    player: int


class MatchStarted(Event, frozen=True, kw_only=True):
    """Both sit: the first deal is laid."""

    match: int


class DealFinished(Event, frozen=True, kw_only=True):
    """A deal was won; `forfeit` when the other was away too long."""

    match: int
    winner: int
    points: int
    forfeit: bool = False


class PlayerLost(Event, frozen=True, kw_only=True):
    """A player's connection is gone; `stake` is the number of cards he held if he was in a deal."""

    player: int
    stake: int = 0


class PlayerBack(Event, frozen=True, kw_only=True):
    """A player is connected again."""

    player: int


class MatchFinished(Event, frozen=True, kw_only=True):
    """A match has its result."""

    match: int
    players: tuple[int, int]
    result: Result


class ResultCorrected(Event, frozen=True, kw_only=True):
    """The result of a finished match was another one."""

    match: int
    players: tuple[int, int]
    result: Result


class MatchReopened(Event, frozen=True, kw_only=True):
    """A finished match is to be played again."""

    match: int


class TableOpened(Event, frozen=True, kw_only=True):
    """A table can be used."""

    table: int


class TableClosed(Event, frozen=True, kw_only=True):
    """A table is not used any more once its match is over."""

    table: int


class PairFixed(Event, frozen=True, kw_only=True):
    """Two players meet in the next Swiss round, or need not any more."""

    a: int
    b: int
    on: bool = True


class ByeFixed(Event, frozen=True, kw_only=True):
    """Who has the bye of the next Swiss round; EMPTY: as the pairing finds."""

    player: int


class PairForbidden(Event, frozen=True, kw_only=True):
    """Two players never meet in a Swiss round, or may again."""

    a: int
    b: int
    on: bool = True


class CommandUndone(Event, frozen=True, kw_only=True):
    """The last command was taken back: what differs afterwards, in full."""

    line: str
    players: tuple[Player, ...]
    matches: tuple[Match, ...]
    removed_players: tuple[int, ...]
    removed_matches: tuple[int, ...]
    rest: Tournament
    """Everything else; its players and matches are empty."""
    kept: tuple[int, ...] = ()
    """Which of the events after the command's own ones still count, by their place among them."""


AnyEvent = (
    CommandGiven
    | TournamentCreated
    | ConfigChanged
    | StartSet
    | RegistrationOpened
    | CheckInOpened
    | PlayerRegistered
    | PlayerCheckedIn
    | PlayerDropped
    | PlayerRemoved
    | PlayerRested
    | PlayerActivated
    | PlayerWithdrawn
    | PlayerDisqualified
    | PlayerRenamed
    | SeedsSet
    | StageDrawn
    | Undrawn
    | RoundPlanned
    | RoundPublished
    | RoundUnpublished
    | MatchAdded
    | StageClosed
    | Started
    | CoolingStarted
    | Paused
    | Resumed
    | ServerStarted
    | ServerStopped
    | TournamentFinished
    | TournamentReopened
    | TournamentArchived
    | TournamentCancelled
    | DirectorNote
    | MatchCalled
    | CallAcknowledged
    | BellRung
    | LatenessPenalty
    | MatchRecalled
    | MatchMoved
    | MatchPinned
    | MatchHeld
    | PlayerReady
    | MatchStarted
    | DealFinished
    | PlayerLost
    | PlayerBack
    | MatchFinished
    | ResultCorrected
    | MatchReopened
    | TableOpened
    | TableClosed
    | PairFixed
    | ByeFixed
    | PairForbidden
    | CommandUndone
)
"""All that a log can hold."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def encode_event(event: Event) -> str:
    """An event as one line of JSON, the same on every machine."""
    return _encoder.encode(event).decode()


def decode_event(text: str | bytes) -> AnyEvent:
    """The event of a line. Raises msgspec.ValidationError or DecodeError for anything else."""
    return _decoder.decode(text)
