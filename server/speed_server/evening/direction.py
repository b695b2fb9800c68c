"""The director's lines: each goes to a tournament, makes one, or is about files; and is answered when it is on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from speed_common import wire
from speed_server.evening.line import CONSOLE, Errand, Line, choose, errand_of, fitting, slug
from speed_server.evening.live import Live
from speed_server.evening.register import Register
from speed_server.tournament.entries import Entry
from speed_server.tournament.judging import Refusal
from speed_server.tournament.model import GONE
from speed_server.tournament.orders import parse
from speed_server.tournament.play import Lose


class _Promise(NamedTuple):
    """An answer that is to be told when its last entry is on disk."""

    live: Live
    seq: int
    line: Line
    texts: tuple[str, ...]


class Direction:
    """Every director of the server, at the console or at a client. `errands` is a tray for who can read and write."""

    def __init__(self, register: Register) -> None:
        self.errands: list[Errand] = []
        self._register = register
        self._using: dict[str, str] = {}
        self._made: dict[str, str] = {}
        self._promises: list[_Promise] = []
        for tid, live in register.lives.items():
            if live.desk.log and (command := live.desk.log[0].cmd_id) is not None:
                self._made[command] = tid

    def direct(self, line: Line, now: int) -> None:
        """Obey a line; `answer` is told what came of it, now or when it is on disk."""
        lives = self._register.lives
        live = choose(lives.values(), line.tid or self._using.get(line.who, ""))
        errand = errand_of(line)
        order = parse(line.text)
        word = line.text.split()[0] if isinstance(order, Refusal) and line.text.split() else getattr(order, "word", "")
        if word == "use":
            self._use(line)
        elif word == "tournaments":
            texts = [f"{one.tid}  {one.desk.state.name}, {one.desk.state.phase}" for one in lives.values()]
            self.answer(line, texts or ["there is none: `new NAME` makes one"])
        elif word == "new":
            self._new(line, now)
        elif errand is not None:
            self.errands.append(errand._replace(tid="" if live is None else live.tid))
        elif live is not None:
            self._execute(live, line, now)
        elif word in {"help", "plan"}:
            self._answer_or_promise(Live(""), line, now)
        else:
            self.answer(line, ["there is no tournament: `new NAME` makes one"], ok=False)

    def take_up(self, entries: Sequence[Entry], line: Line, now: int) -> None:
        """A tournament of another machine goes on here: its log, as it was exported."""
        tid = entries[0].tid if entries else ""
        if not entries or tid in self._register.lives:
            text = f"{tid or 'it'} is here already: take it up at a server with another --data"
            self.answer(line, [text], ok=False)
            return
        self._register.entries += entries
        live = self._register.enrol(tid, entries, now)
        self._using[line.who] = tid
        self._promises.append(_Promise(live, len(live.desk.log), line, (f"{live.desk.state.name} goes on here",)))

    def answer(self, line: Line, texts: Sequence[str], *, ok: bool = True) -> None:
        """Tell the director what came of a line."""
        if line.who == CONSOLE:
            self._register.heard += texts
        else:
            self._register.tell(line.who, wire.Directed(line.command, ok, fitting(texts)))

    def keep_promises(self) -> None:
        """Give the answers whose entries are on disk."""
        due = [promise for promise in self._promises if promise.seq <= promise.live.seq]
        for promise in due:
            self._promises.remove(promise)
            self.answer(promise.line, promise.texts)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _execute(self, live: Live, line: Line, now: int) -> None:
        self._answer_or_promise(live, line, now)
        self._send_away_who_is_not_here(live, now)

    def _answer_or_promise(self, live: Live, line: Line, now: int) -> None:
        answer = self._register.execute(live, line.text, now, line.unique)
        if answer.seq > live.seq:
            self._promises.append(_Promise(live, answer.seq, line, answer.lines or ("done",)))
        else:
            self.answer(line, answer.lines, ok=answer.ok)

    def _new(self, line: Line, now: int) -> None:
        made = self._made.get(line.unique or "")
        if made is not None:
            self._execute(self._register.lives[made], line, now)
            return
        trial = Live("").desk
        answer = trial.execute(line.text, "director", self._register.at(now))
        if not answer.seq:
            self.answer(line, answer.lines, ok=answer.ok)
            return
        live = self._register.enrol(slug(trial.state.name, self._register.lives), (), now)
        self._using[line.who] = live.tid
        if line.unique is not None:
            self._made[line.unique] = live.tid
        self._execute(live, line, now)

    def _use(self, line: Line) -> None:
        tid = line.text.partition(" ")[2].strip()
        live = self._register.lives.get(tid)
        if live is None:
            self.answer(line, [f"there is no tournament {tid!r}: `tournaments` lists them"], ok=False)
            return
        self._using[line.who] = tid
        self.answer(line, [f"{live.desk.state.name}: the lines that follow are for it"])

    def _send_away_who_is_not_here(self, live: Live, now: int) -> None:
        """Names that the director entered have no connection until somebody takes them up."""
        for player in list(live.desk.state.players.values()):
            gone = player.status in GONE or player.status == "removed"
            if player.connected and not gone and live.people.mark_of(player.number) not in self._register.here:
                self._register.obey(live, Lose(player.number), now)
