"""The whole tournament as one JSON file: its log, and what it comes to for those who only want to read.

The log is all that an import takes: the rest is computed anew, and must come to the same state. So an evening can be
taken to another machine and go on there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from speed_server.tournament.entries import Entry
from speed_server.tournament.fold import fold
from speed_server.tournament.model import Tournament
from speed_server.tournament.narrate import standings_line
from speed_server.tournament.standings import standings

FORMAT: Final = "speed-lan tournament"
VERSION: Final = 1
MOST_BYTES: Final = 64_000_000

_encoder = msgspec.json.Encoder()


class ArchiveError(ValueError):
    """A file that is no tournament, or not a whole one; the text is safe to show."""


class _Archive(msgspec.Struct):
    format: str
    version: int
    tid: str
    state_hash: str
    log: list[Entry]


def state_hash(state: Tournament) -> str:
    """The same for the same state on every machine."""
    ordered = msgspec.structs.replace(
        state,
        players=dict(sorted(state.players.items())),
        matches=dict(sorted(state.matches.items())),
        tables=dict(sorted(state.tables.items())),
    )
    return hashlib.sha256(_encoder.encode(ordered)).hexdigest()


def export_json(entries: Sequence[Entry], state: Tournament) -> str:
    """The file's text; `state` is what the entries fold to."""
    whole: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "tid": state.tid,
        "name": state.name,
        "phase": state.phase,
        "state_hash": state_hash(state),
        "players": [player.name for player in state.players.values() if player.status != "removed"],
        "standings": [standings_line(state, stage, 0)["tables"] for stage in range(len(state.stages))],
        "log": list(entries),
    }
    return msgspec.json.format(_encoder.encode(whole), indent=1).decode() + "\n"


def import_json(text: str | bytes) -> list[Entry]:
    """The log of a file. Raises ArchiveError if it is none, was cut off or was changed."""
    if len(text) > MOST_BYTES:
        raise ArchiveError(f"the file has more than {MOST_BYTES} bytes: choose a tournament's export")
    try:
        archive = msgspec.json.decode(text, type=_Archive)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ArchiveError(f"the file is no exported tournament ({error}): choose another one") from None
    if archive.format != FORMAT or archive.version != VERSION:
        raise ArchiveError(
            f"the file is {archive.format} {archive.version}, not {FORMAT} {VERSION}: choose another one"
        )
    if [entry.seq for entry in archive.log] != list(range(1, len(archive.log) + 1)):
        raise ArchiveError("entries are missing in the file: export it again")
    if state_hash(_folded(archive.log)) != archive.state_hash:
        raise ArchiveError("the file was changed after its export: export it again")
    return archive.log


def final_order(text: str | bytes) -> list[str]:
    """The names of an exported evening from the first place on: the seeds of the next. Raises ArchiveError."""
    state = _folded(import_json(text))
    if not state.stages:
        raise ArchiveError("that evening was never drawn: choose another file")
    found: list[str] = []
    for stage in reversed(range(len(state.stages))):
        lines = [line for table in standings(state, stage) for line in table.lines if line.player]
        lines.sort(key=lambda line: line.first or len(state.players) + 1)
        found += [name for line in lines if (name := state.name_of(line.player)) not in found]
    return found


def _folded(entries: Iterable[Entry]) -> Tournament:
    try:
        return fold(entry.event for entry in entries)
    except (msgspec.DecodeError, KeyError, IndexError, ValueError, TypeError, AssertionError) as error:
        raise ArchiveError(f"the log in the file does not fit together ({error}): export it again") from None
