"""The director's desk: one tournament with its log, pure. The server's rim feeds it and writes its log to disk.

Every command goes through here and leaves entries in `outbox`. The rim gives them to the journal and tells `durable`
when they are on disk; only then do they come out to be announced, with the state that they led to. So nobody is ever
told what a power cut could take back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import msgspec

from speed_server.tournament import events as ev
from speed_server.tournament.clocks import next_due
from speed_server.tournament.decide import Command, decide
from speed_server.tournament.entries import Entry, entry
from speed_server.tournament.explain import answer
from speed_server.tournament.fold import evolve
from speed_server.tournament.judging import Refusal
from speed_server.tournament.model import Tournament
from speed_server.tournament.orders import ASKING, Order, parse
from speed_server.tournament.play import Boot, PlanRound, Tick
from speed_server.tournament.preview import differences
from speed_server.tournament.queue import NOWHERE, Elsewhere
from speed_server.tournament.settle import wanted_round
from speed_server.tournament.swiss import Task
from speed_server.tournament.undo import decide_undo
from speed_server.tournament.wishes import pair_or_relax

UNDO_DEPTH = 16


class Answer(msgspec.Struct, frozen=True):
    """What a command came to: lines for whoever gave it; `seq` is the last entry it wrote, 0 for none."""

    ok: bool
    lines: tuple[str, ...] = ()
    seq: int = 0
    refusal: Refusal | None = None


class News(msgspec.Struct, frozen=True):
    """Entries that are durable, and the state after them."""

    entries: tuple[Entry, ...]
    state: Tournament


class _Mark(msgspec.Struct):
    """A director's command that can be taken back: the state before it and where it is in the log."""

    before: Tournament
    given: ev.CommandGiven
    index: int


class Desk:
    """One tournament. Times are as in `model`; they never go back."""

    def __init__(self, tid: str = "", elsewhere: Elsewhere = NOWHERE) -> None:
        self.tid = tid
        self.state = Tournament(tid=tid)
        self.public = self.state
        """The state that people may be told: after the last durable entry."""
        self.elsewhere = elsewhere
        self.outbox: list[Entry] = []
        self._log: list[Entry] = []
        self._events: list[ev.Event] = []
        """The events that still count: without the commands that were taken back and what fell away with them."""
        self._marks: list[_Mark] = []
        self._answers: dict[str, Answer] = {}
        self._waiting: deque[tuple[int, News]] = deque()
        self._last_at = 0

    # --- the log ------------------------------------------------------------------------------------------------------

    @property
    def log(self) -> tuple[Entry, ...]:
        """All entries from the first."""
        return tuple(self._log)

    def load(self, entries: Iterable[Entry]) -> None:
        """Take up a log from disk or from another machine; all of it is durable."""
        for item in entries:
            self._append(item, item.event)
            if item.cmd_id is not None:
                self._answers[item.cmd_id] = Answer(ok=True, lines=("done before",), seq=item.seq)
        self.public = self.state
        self.tid = self.tid or self.state.tid

    def boot(self, now: int) -> None:
        """The server is up again: to be called once after `load`, before anything else."""
        if self._log and self.state.name:
            self.handle(Boot(max(0, now - self._last_at)), now)

    def take(self) -> list[Entry]:
        """The entries to be written to disk since the last call."""
        taken, self.outbox = self.outbox, []
        return taken

    def durable(self, seq: int) -> list[News]:
        """All entries up to `seq` are on disk: what may be announced now."""
        ready = []
        while self._waiting and self._waiting[0][0] <= seq:
            ready.append(self._waiting.popleft()[1])
        if ready:
            self.public = ready[-1].state
        return ready

    # --- commands -----------------------------------------------------------------------------------------------------

    def execute(self, line: str, actor: str, now: int, cmd_id: str | None = None) -> Answer:
        """Obey a line of the director. The same `cmd_id` again changes nothing and gets the same answer."""
        if cmd_id is not None and cmd_id in self._answers:
            return self._answers[cmd_id]
        order = parse(line)
        if isinstance(order, Refusal):
            return _refused(order)
        if order.word in ASKING:
            return self._ask(order, now)
        found = self._undo(now) if order.word == "undo" else decide(self.state, order, now, self.elsewhere)
        if isinstance(found, Refusal):
            return _refused(found)
        before = self.state
        after = before
        for event in found:
            after = evolve(after, event)
        lines = differences(before, after)
        if order.dry_run:
            return Answer(ok=True, lines=lines or ("nothing would change",))
        self._record(found, actor, cmd_id)
        result = Answer(ok=True, lines=lines, seq=len(self._log))
        if cmd_id is not None:
            self._answers[cmd_id] = result
        return result

    def handle(self, command: Command, now: int, actor: str = "hall", cmd_id: str | None = None) -> Answer:
        """Obey a command of the hall: of the clock, of a table, of a player."""
        if cmd_id is not None and cmd_id in self._answers:
            return self._answers[cmd_id]
        found = decide(self.state, command, now, self.elsewhere)
        if isinstance(found, Refusal):
            return _refused(found)
        self._record(found, actor, cmd_id)
        result = Answer(ok=True, seq=len(self._log) if found else 0)
        if cmd_id is not None:
            self._answers[cmd_id] = result
        return result

    def advance(self, now: int) -> None:
        """Do what is due by `now`."""
        self.handle(Tick(), now, actor="clock")

    def next_due(self, now: int) -> int | None:
        """When `advance` has something to do if nothing else happens before."""
        return next_due(self.state, now)

    def task(self, now: int) -> Task | None:
        """The Swiss round that wants pairing now: pair it in a worker, bring it back with `plan`."""
        return wanted_round(self.state, now)

    def plan(self, command: PlanRound, now: int) -> None:
        """Take a round that was paired; if people have come or gone since, `task` asks again."""
        self.handle(command, now, actor="pairing")

    def pair_here(self, now: int) -> None:
        """Pair all rounds that want it, in this thread: for rehearsals and tests."""
        task = self.task(now)
        if task is not None:
            self.plan(pair_or_relax(task), now)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _ask(self, order: Order, now: int) -> Answer:
        if order.word == "log":
            text = order.arguments[0] if order.arguments else "20"
            count = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 20  # noqa: PLR2004
            lines = (f"{item.seq} {item.at} {item.actor} {item.body}" for item in self._log[-count:])
            return Answer(ok=True, lines=tuple(lines))
        found = answer(self.state, order, now)
        return _refused(found) if isinstance(found, Refusal) else Answer(ok=True, lines=found)

    def _undo(self, now: int) -> tuple[ev.Event, ...] | Refusal:
        if not self._marks:
            return Refusal("there is no command to take back", "`log` shows what happened")
        mark = self._marks[-1]
        since = self._events[mark.index + 1 :]
        return decide_undo(mark.before, mark.given, since, self.state, now, self.elsewhere)

    def _record(self, found: Iterable[ev.Event], actor: str, cmd_id: str | None) -> None:
        written: list[Entry] = []
        found = tuple(found)
        tid = self.tid or next((event.tid for event in found if isinstance(event, ev.TournamentCreated)), "")
        for event in found:
            told = msgspec.structs.replace(event, actor=actor) if isinstance(event, ev.CommandGiven) else event
            item = entry(len(self._log) + 1, tid, told, actor, cmd_id if not written else None)
            self._append(item, told)
            written.append(item)
        if written:
            self.outbox += written
            self._waiting.append((written[-1].seq, News(tuple(written), self.state)))

    def _append(self, item: Entry, event: ev.Event) -> None:
        if isinstance(event, ev.CommandGiven):
            self._marks.append(_Mark(self.state, event, len(self._events)))
            del self._marks[:-UNDO_DEPTH]
        elif isinstance(event, ev.CommandUndone):
            mark = self._marks.pop()
            later = self._events[mark.index + 1 + mark.given.direct :]
            self._events[mark.index :] = [later[index] for index in event.kept]
        self.state = evolve(self.state, event)
        self._last_at = event.at
        self.tid = self.tid or self.state.tid
        self._log.append(item)
        if not isinstance(event, ev.CommandUndone):
            self._events.append(event)


def _refused(refusal: Refusal) -> Answer:
    return Answer(ok=False, lines=(str(refusal),), refusal=refusal)
