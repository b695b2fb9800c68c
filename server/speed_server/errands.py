"""What a director's line does with files: lists of players and exported evenings in, tables and reports out."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from speed_server.evening.line import CONSOLE, Errand
from speed_server.journal_file import JournalError, verify
from speed_server.tournament.archive import ArchiveError, final_order, import_json
from speed_server.tournament.entries import Entry
from speed_server.tournament.exports import export_files
from speed_server.tournament.model import Tournament
from speed_server.tournament.tables_csv import read_players

FOLDER: Final = "tournaments"
"""Where a director who is not at the console reads and writes, in the server's data folder."""


class Done(NamedTuple):
    """What came of an errand: `texts` to tell, or a line to obey in its place, or a log to take up."""

    errand: Errand
    texts: Sequence[str] = ()
    ok: bool = True
    obey: str = ""
    entries: Sequence[Entry] = ()


def run(errand: Errand, data: Path, log: Path, entries: Sequence[Entry], state: Tournament, now: int) -> Done:
    """Do an errand, however long it takes. `log` is the journal's file, the rest the tournament that it is for."""
    try:
        return _run(errand, data, log, entries, state, now)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is no text"
        return Done(errand, [f"{errand.path!r} does not do ({reason}): name another file or folder"], ok=False)
    except (ArchiveError, JournalError) as error:
        return Done(errand, [str(error)], ok=False)


def _run(errand: Errand, data: Path, log: Path, entries: Sequence[Entry], state: Tournament, now: int) -> Done:
    if errand.word == "verify":
        return Done(errand, [f"the log is whole: {verify(log)} entries"])
    if errand.word == "export":
        if not state.name:
            return Done(errand, ["there is no tournament to export: `new NAME` makes one"], ok=False)
        folder = _place(errand, data) if errand.path else data / FOLDER / state.tid
        return Done(errand, _export(folder, entries, state, now))
    path = _place(errand, data)
    if errand.word == "seed last":
        entered = {player.name.casefold() for player in state.players.values()}
        names = [name for name in final_order(path.read_bytes()) if name.casefold() in entered]
        return Done(errand, obey=shlex.join(["seed", "last", *names]))
    if path.suffix == ".json":
        return Done(errand, entries=import_json(path.read_bytes()))
    try:
        names = read_players(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise
    except ValueError as error:
        text = f"{errand.path} is no list of players: {error}"
        return Done(errand, [text], ok=False)
    return Done(errand, obey=shlex.join(["add", *names]))


def _export(folder: Path, entries: Sequence[Entry], state: Tournament, now: int) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    files = export_files(entries, state, now)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return [f"written to {folder}: {', '.join(files)}"]


def _place(errand: Errand, data: Path) -> Path:
    """Anywhere for who is at the server's own terminal, else inside `FOLDER`. Raises ArchiveError."""
    if not errand.path:
        raise ArchiveError(f"{errand.word} needs a file: write `{errand.word} FILE`")
    if errand.line.who == CONSOLE:
        return Path(errand.path).expanduser()
    home = (data / FOLDER).resolve()
    path = (home / errand.path).resolve()
    if not path.is_relative_to(home):
        raise ArchiveError(f"{errand.path!r} is not in the server's folder {home}: give it at the server's own console")
    return path
