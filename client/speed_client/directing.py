"""`speed-client HOST --direct`: the director's console over the network. Part of the rim.

Plain lines in and out; on a terminal a prompt with history and completion. The words come from the server's own help.
The secret is read from a file or asked for without being shown: never from the command line, where others may see it.
"""

from __future__ import annotations

import asyncio
import getpass
import secrets
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter_ns
from typing import Final, TextIO

from speed_client.console import run_lines
from speed_client.director import Director, DirectorLines
from speed_client.door import DoorError, Server
from speed_client.entry import output_error
from speed_client.link import Link
from speed_client.profile import Profile
from speed_client.settings import Options

LONGEST_SECRET: Final = 64
PROMPT: Final = "director> "


async def direct(options: Options, server: Server, profile: Profile) -> int:
    """Direct until the input ends; 1 where any line was refused. Raises `DoorError` without a secret."""
    secret = read_secret(options.direct or "", terminal=options.face == "screen" or sys.stdin.isatty())
    director = Director(options.name or "director", b"", secret, secrets.token_hex(4), perf_counter_ns())
    lines = DirectorLines(director)
    with Link(server, profile.remember) as link:
        joined = _Joined(director, link)
        if options.face == "screen":
            await _prompt(joined, lines)
        else:
            await run_lines(joined, lines)
    ended = director.ended
    return int(lines.failed or (ended is not None and ended.word != "left"))


def read_secret(file: str, *, terminal: bool) -> str:
    """The director's secret. Raises `DoorError` where there is none to be had."""
    if file:
        try:
            secret = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no text"
            raise DoorError(f"the director's secret cannot be read from {file!r}: {reason}") from None
    elif terminal:
        secret = getpass.getpass("director's secret: ").strip()
    else:
        raise DoorError("--direct needs a file with the director's secret where nobody can be asked: --direct FILE")
    if not 0 < len(secret) <= LONGEST_SECRET:
        raise DoorError(f"that is no director's secret: it has 1 to {LONGEST_SECRET} characters")
    return secret


class _Joined:
    """A director bound to his link."""

    def __init__(self, director: Director, link: Link) -> None:
        self.director = director
        self._link = link

    async def run(self, on_change: Callable[[], None]) -> None:
        await self._link.run(self.director, on_change)

    def flush(self) -> None:
        self._link.flush(self.director)

    def leave(self) -> None:
        self.director.stop("left", "you left")


async def _prompt(joined: _Joined, lines: DirectorLines) -> None:
    """Lines typed at a prompt; answers are printed above it."""
    from prompt_toolkit import PromptSession  # noqa: PLC0415  # only who types needs it
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415
    from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

    words: list[str] = []
    learning = [True]
    session: PromptSession[str] = PromptSession(PROMPT, completer=WordCompleter(words), complete_while_typing=False)

    def changed() -> None:
        found = list(lines.changed(perf_counter_ns()))
        if learning[0] and found:
            learning[0] = False
            words.extend(sorted({line.split()[0] for line in found if line[:1].isalpha()}))
            if not lines.failed:
                found = ["`help` lists the words, Tab completes them, `quit` leaves"]
        _print(found, sys.stdout)

    async def typed() -> None:
        try:
            while joined.director.ended is None:
                text = await session.prompt_async()
                now = perf_counter_ns()
                _print(lines.command(text, now, now), sys.stdout)
                joined.flush()
        except (EOFError, KeyboardInterrupt):
            joined.leave()
            joined.flush()

    lines.director.say("help", perf_counter_ns())
    with patch_stdout():
        typing = asyncio.create_task(typed())
        try:
            await joined.run(changed)
        finally:
            typing.cancel()
            await asyncio.gather(typing, return_exceptions=True)
            changed()


def _print(lines: Iterable[str], out: TextIO) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if text:
        try:
            out.write(text)
            out.flush()
        except (OSError, ValueError) as error:
            raise output_error(error) from None
