"""The director at a client: lines out under their own ids, answers in. Pure.

One line is under way at a time, so that answers come in the order of the lines, and a line that rests on the one before
finds its work done. A line whose answer has not come is said again on the next connection under the same id, which has
no second effect. The secret goes into the messages and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from speed_client.contact import Contact
from speed_client.news import Answered, Denied, Ended, LinkChanged
from speed_client.printable import printable
from speed_common.wire import Direct, Directed, Down, Refused

LONGEST_LINE: Final = 500


class Director(Contact):
    """`run` is part of every id: no two runs of the program may share one."""

    def __init__(self, name: str, ticket: bytes, secret: str, run: str, now: int) -> None:
        super().__init__(name, ticket, now)
        self.waiting: dict[str, str] = {}
        """The lines that have no answer yet, by id, in the order in which they were said."""
        self._secret = secret
        self._run = run
        self._count = 0

    def say(self, line: str, now: int) -> None:
        """A line of the director; it waits where there is no connection."""
        self._count += 1
        command = f"{self._run}-{self._count}"
        self.waiting[command] = line[:LONGEST_LINE]
        if len(self.waiting) == 1:
            self._direct_next(now)

    def _known(self, now: int) -> None:
        self._direct_next(now)

    def _fallen(self) -> None:
        """What was said and not answered is kept."""

    def _take(self, message: Down, now: int) -> None:
        if isinstance(message, Directed):
            if self.waiting.pop(message.command, None) is not None:
                self.news.append(Answered(message))
                self._direct_next(now)
        elif isinstance(message, Refused):
            self.news.append(Denied(message.word, printable(message.text)))

    def _direct_next(self, now: int) -> None:
        command = next(iter(self.waiting), None)
        if command is not None and self._up:
            self._send(Direct(self.ticket, self._secret, command, self.waiting[command]), now)


class DirectorLines:
    """The director's face: plain lines. Answers are printed in the order in which they come."""

    listening = True

    def __init__(self, director: Director) -> None:
        self.director = director
        self.failed = False
        """Whether any line was refused: a script wants to know."""
        self._leaving = False

    def changed(self, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """A line for each thing learned."""
        news, self.director.news = self.director.news, []
        for item in news:
            if isinstance(item, Answered):
                self.failed = self.failed or not item.directed.ok
                yield from (printable(line) for line in item.directed.lines)
            elif isinstance(item, Denied):
                self.failed = True
                yield item.text or f"refused: {item.word}"
            elif isinstance(item, LinkChanged) and item.link == "lost":
                yield "No link: what was not answered is said again once it is back."
            elif isinstance(item, Ended) and item.word != "left":
                yield item.text
        self._leave_if_done()

    def command(self, line: str, press: int, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """A line for the server; empty ones and comments (`#`) are none."""
        said = line.strip()
        if said in {"quit", "exit", "leave"}:
            self.director.stop("left", "you left")
        elif said and not said.startswith("#"):
            if len(said) > LONGEST_LINE:
                self.failed = True
                yield f"a line has at most {LONGEST_LINE} characters: say it in two"
            else:
                self.director.say(said, now)

    def closed(self, now: int) -> Iterator[str]:  # noqa: ARG002  # a face's signature
        """Input is closed: wait for the answers, then go."""
        self._leaving = True
        self._leave_if_done()
        yield from ()

    def _leave_if_done(self) -> None:
        if self._leaving and not self.director.waiting:
            self.director.stop("left", "you left")
