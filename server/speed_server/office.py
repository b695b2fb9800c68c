"""The tournaments' office, part of the rim: the log's thread, the worker that pairs, files, and the console.

The loop's thread owns the tournaments; threads of the office only leave things in a queue and ring the bell.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Protocol

from speed_server.bell import Bell
from speed_server.errands import Done, run
from speed_server.evening.evening import Evening
from speed_server.evening.line import CONSOLE, Errand, Line
from speed_server.journal import Journal
from speed_server.pairing import pair_apart
from speed_server.tournament.entries import Entry
from speed_server.tournament.model import Tournament
from speed_server.tournament.play import PlanRound
from speed_server.tournament.swiss import Task

LOG_FILE: Final = "tournaments.db"
BACKUP_FOLDER: Final = "backup"


class Teller(Protocol):
    """Whoever shows lines at the server's own terminal: `console.Console`."""

    def say(self, lines: Sequence[str]) -> None: ...  # noqa: D102


class Office:
    """`warn` is told, in one line, of trouble with the log and of its end."""

    def __init__(self, data: Path, journal: Journal, bell: Bell, evening: Evening, warn: Callable[[str], None]) -> None:
        self.bell = bell
        self.console: Teller | None = None
        self._data = data
        self._journal = journal
        self._evening = evening
        self._warn = warn
        self._trouble = ""
        self._paired: dict[str, Task] = {}
        self._inbox: queue.SimpleQueue[Done | Line | tuple[str, PlanRound]] = queue.SimpleQueue()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="office")

    @property
    def wanted(self) -> bool:
        """Whether there is anything to attend to. Asked at every turn of the loop."""
        evening = self._evening
        return (
            self.bell.rang
            or bool(evening.entries)
            or bool(evening.director.errands)
            or bool(evening.heard)
            or any(self._paired.get(tid) != task for tid, task in evening.tasks.items())
        )

    def attend(self, now: int) -> None:
        """Take in what threads have left, and hand them what there is to do."""
        self.bell.rang = False
        while not self._inbox.empty():
            self._take(self._inbox.get(), now)
        evening = self._evening
        entries, evening.entries = evening.entries, []
        self._journal.append(entries)
        evening.written(self._journal.durable, now)
        self._start_pairing()
        errands, evening.director.errands = evening.director.errands, []
        for errand in errands:
            self._start_errand(errand, now)
        backups, evening.backups = evening.backups, []
        for name in backups:
            self._journal.backup(self._data / BACKUP_FOLDER / name)
        heard, evening.heard = evening.heard, []
        if heard and self.console is not None:
            self.console.say(heard)
        if self._journal.trouble != self._trouble:
            self._trouble = self._journal.trouble
            self._warn(self._trouble or "the log can be written again")

    def line(self, text: str) -> None:
        """A line at the console; from any thread."""
        self._inbox.put(Line(CONSOLE, text))
        self.bell.ring()

    def close(self, now: int) -> None:
        """The server stops: the log is written to its end."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._evening.halt(now)
        self._journal.append(self._evening.entries)
        self._evening.entries = []
        self._journal.close()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _take(self, item: Done | Line | tuple[str, PlanRound], now: int) -> None:
        director = self._evening.director
        if isinstance(item, Line):
            director.direct(item, now)
        elif isinstance(item, Done):
            line = item.errand.line
            if item.entries:
                director.take_up(item.entries, line, now)
            elif item.obey:
                director.direct(line._replace(text=item.obey, tid=item.errand.tid), now)
            else:
                director.answer(line, item.texts, ok=item.ok)
        else:
            tid, found = item
            self._paired.pop(tid, None)
            self._evening.plan(tid, found, now)

    def _start_pairing(self) -> None:
        for tid, task in self._evening.tasks.items():
            if self._paired.get(tid) != task:
                self._paired[tid] = task
                self._worker.submit(self._pair, tid, task)

    def _pair(self, tid: str, task: Task) -> None:
        self._inbox.put((tid, pair_apart(task)))
        self.bell.ring()

    def _start_errand(self, errand: Errand, now: int) -> None:
        live = self._evening.lives.get(errand.tid)
        log = () if live is None else live.desk.log[: live.seq]
        state = Tournament() if live is None else live.public
        self._worker.submit(self._run, errand, log, state, self._evening.at(now))

    def _run(self, errand: Errand, log: Sequence[Entry], state: Tournament, now: int) -> None:
        self._inbox.put(run(errand, self._data, self._journal.path, log, state, now))
        self.bell.ring()
