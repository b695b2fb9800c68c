"""`speed-replay`: what happened in a recorded deal, and whether its record is right. Part of the rim."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from speed_client.entry import OutputError, complain, guarded, output_error

if TYPE_CHECKING:
    from speed_common.record_read import Record

PROGRAM = "speed-replay"


def main(argv: Sequence[str] | None = None) -> int:
    """The command: 0 when every file could be read (and verified), 1 when one could not, 2 for a wrong option."""
    return guarded(PROGRAM, lambda: _command(sys.argv[1:] if argv is None else argv))


def _command(argv: Sequence[str]) -> int:
    from speed_client.settings import OneLineParser  # noqa: PLC0415
    from speed_common import __version__  # noqa: PLC0415

    parser = OneLineParser(prog=PROGRAM, description="Tell what happened in recorded deals.", allow_abbrev=False)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record that speed-server wrote")
    parser.add_argument(
        "--verify", action="store_true", help="deal and judge everything again, and compare it with the record"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    options = parser.parse_args(argv)
    if not all(options.files):
        parser.error("the name of a file is empty: name a record")
    good = True
    for file in options.files:
        good &= _replay(file, verify=options.verify, as_json=options.json, alone=len(options.files) == 1)
    return 0 if good else 1


def _replay(file: str, *, verify: bool, as_json: bool, alone: bool) -> bool:
    """Print one record; whether it could be read, and is right."""
    from speed_client.printable import printable  # noqa: PLC0415
    from speed_common.record_read import RecordError, read  # noqa: PLC0415
    from speed_common.verify import verify as verified  # noqa: PLC0415

    name = printable(file)
    try:
        record = (verified if verify else read)(_bytes_of(file))
    except OSError as error:
        problem, line = f"cannot be read: {error.strerror or error}", 0
    except RecordError as error:
        problem, line = printable(error), error.line
    else:
        _say(_verdict(name, record, as_json=as_json, alone=alone) if verify else _told(name, record, as_json=as_json))
        return True
    if verify and as_json:
        _say([_json({"file": name, "verified": False, "line": line or None, "error": problem})])
    else:
        complain(name, problem)
    return False


def _bytes_of(file: str) -> bytes:
    """The file, or so much of it that it is clear that it is no record."""
    from speed_common.record import MAX_BYTES  # noqa: PLC0415

    with open(file, "rb", opener=_open) as opened:  # as it was typed
        return opened.read(MAX_BYTES + 1)


def _open(file: str, flags: int) -> int:
    """Open as ever, but do not wait for a writer where a pipe has none: there is nothing to read then."""
    descriptor = os.open(file, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "set_blocking"):
        os.set_blocking(descriptor, True)  # positional only
    return descriptor


def _verdict(name: str, record: Record, *, as_json: bool, alone: bool) -> Iterator[str]:
    from speed_client.account import result_words  # noqa: PLC0415

    ending = record.ending
    if as_json:
        figures = {"requests": ending.requests, "end": ending.end, "winner": ending.winner, "score": ending.score}
        yield _json({"file": name, "verified": True, **figures})
    else:
        text = f"verified: {ending.requests} requests, {result_words(record)}"
        yield text if alone else f"{name}: {text}"


def _told(name: str, record: Record, *, as_json: bool) -> Iterator[str]:
    from speed_client.account import account, objects  # noqa: PLC0415

    if as_json:
        for each in objects(record):
            yield _json({**each, "file": name} if each["type"] == "deal" else each)
    else:
        yield from account(record)


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _say(lines: Iterable[str]) -> None:
    """Print lines. Raises `OutputError` where nobody takes them."""
    if sys.stdout is None:
        raise OutputError("it is closed")
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout.writelines(f"{line}\n" for line in lines)
    except (OSError, ValueError) as error:
        raise output_error(error) from None


if __name__ == "__main__":
    sys.exit(main())
