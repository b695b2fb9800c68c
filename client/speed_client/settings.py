"""What a player may choose on the command line, as one value. Importing it costs nothing: no socket, no terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NoReturn

from speed_common import __version__

if TYPE_CHECKING:
    from speed_common.rules import Rules

DEFAULT_PORT: Final = 7770
ANY_TABLE: Final = 0
NEW_TABLE: Final = -1
"""The same two as `wire` has, which takes too long to import for `--help`."""

MOST_TABLES: Final = 10_000
LEVELS: Final = 10
MOST_COMPUTERS: Final = 3
MOST_PORT: Final = 65_535
_MOST_DIGITS: Final = 9

Face = Literal["screen", "plain", "json"]

_EPILOG: Final = """\
HOST is the name or address that speed-server printed; an IPv6 address with a port goes in brackets: [fd00::7]:7770.
--computer 3 takes every other seat of a new table, --computer 3,5 a seat for each. --rules takes the words of
speed-server's options in one argument: --rules "four no-wrap", --rules "players 3 call-speed best-of 3".
Keys: 1-5 play a card, a s d f g to the left pile, h j k l ; to the right pile, Space ready, ? help.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """The command line, understood. `name` and `code` are empty, `rules` None, when none were given."""

    host: str
    port: int
    name: str = ""
    watch: bool = False
    table: int = ANY_TABLE
    computers: tuple[int, ...] = ()
    ready: bool = False
    face: Face = "screen"
    theme: str = "dark"
    ascii: bool = False
    forget: bool = False
    rules: Rules | None = None
    code: str = ""


class OneLineParser(argparse.ArgumentParser):
    """A parser whose complaint is one line, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def parse_options(argv: Sequence[str], environment: Mapping[str, str], *, terminal: bool) -> Options:
    """The options of `speed-client`; `terminal` says whether input and output are one.

    Raises `SystemExit` with code 2 after one line for what cannot be, and with 0 after `--help` and `--version`.
    """
    parser = _parser()
    found = parser.parse_args(argv)
    target = found.host if found.forget is None else found.forget
    if target is None:
        parser.error("say which server: speed-client HOST, as speed-server printed it (or --help)")
    if found.forget is not None and found.host is not None:
        parser.error("--forget stands alone: speed-client --forget HOST")
    if found.watch and found.computers:
        parser.error("--watch and --computer do not go together: a spectator plays nobody")
    if found.watch and (found.rules or found.code):
        parser.error("--watch goes with neither --rules nor --code: a spectator lays no table")
    if found.rules and found.code:
        parser.error("--rules and --code do not go together: a code says its rules")
    if (found.rules or found.code) and found.table > ANY_TABLE:
        parser.error("--rules and --code lay a table of their own: leave --table out")
    if found.watch and found.table == NEW_TABLE:
        parser.error("--watch and --table new do not go together: watch a table by its number, or all of them")
    try:
        host, port = parse_host(target)
    except ValueError as error:
        parser.error(str(error))
    face: Face = "json" if found.json else "plain" if found.plain else "screen"
    if face == "screen" and (not terminal or environment.get("TERM", "") in {"", "dumb"}):
        face = "plain" if sys.platform != "win32" or not terminal else "screen"
    return Options(
        host,
        port,
        found.name or "",
        found.watch,
        NEW_TABLE if found.rules else found.table,
        found.computers,
        found.ready,
        face,
        found.theme,
        found.ascii,
        found.forget is not None,
        found.rules,
        found.code or "",
    )


def parse_host(text: str) -> tuple[str, int]:
    """The host and port of `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or a bare IPv6 address.

    Raises `ValueError`, whose text says how to write it.
    """
    host, port = text.strip(), ""
    if host.startswith("["):
        host, bracket, port = host[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            raise ValueError(f"{text!r} is no address: write [ADDRESS]:PORT")
        port = port[1:]
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
        if not port:
            raise ValueError(f"{text!r} names no port after the colon")
    if not host or any(character.isspace() for character in host) or "://" in text:
        raise ValueError(f"{text!r} is no host: write HOST or HOST:PORT")
    if not port:
        return host, DEFAULT_PORT
    if not _within(port, 1, MOST_PORT):
        raise ValueError(f"{port!r} is no port: use 1 to {MOST_PORT}")
    return host, int(port)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog="speed-client",
        description="Play the card game Speed at a server in the network, or watch.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("host", nargs="?", metavar="HOST[:PORT]", help="the server (port 7770 if none is given)")
    parser.add_argument("--name", type=player_name, help="your name at the table (default: your user's)")
    parser.add_argument("--watch", action="store_true", help="watch instead of playing")
    parser.add_argument("--table", type=_table, default=ANY_TABLE, metavar="N|new", help="sit at, or watch, this table")
    parser.add_argument(
        "--computer",
        "--bot",
        dest="computers",
        type=levels,
        default=(),
        metavar="L[,L,L]",
        help="play a computer of speed 1 to 10, or several",
    )
    parser.add_argument("--rules", type=_rules, metavar="WORDS", help="lay a new table with these rules")
    parser.add_argument("--code", type=_code, metavar="CODE", help="play this game code, as A03KX-1K9Z4Q")
    parser.add_argument("--ready", action="store_true", help="be ready at once")
    faces = parser.add_mutually_exclusive_group()
    faces.add_argument("--plain", action="store_true", help="one short line an event, for screen readers and scripts")
    faces.add_argument("--json", action="store_true", help="one JSON object a line, out and in, for your own player")
    parser.add_argument("--theme", choices=("dark", "light", "none"), default="dark", help="colours (default: dark)")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs only")
    parser.add_argument("--forget", metavar="HOST", help="forget the key of the server that was met at HOST, and end")
    parser.add_argument("--version", action="version", version=f"speed-client {__version__}")
    return parser


def level(text: str) -> int:
    """A computer's speed on a command line."""
    if not _within(text, 1, LEVELS):
        raise argparse.ArgumentTypeError(f"{text!r} is no speed: use 1 (slow) to {LEVELS} (fast)")
    return int(text)


def levels(text: str) -> tuple[int, ...]:
    """The speeds of one computer or several on a command line."""
    found = tuple(level(part.strip()) for part in text.split(","))
    if len(found) > MOST_COMPUTERS:
        raise argparse.ArgumentTypeError(f"{text!r} are too many: a table has at most {MOST_COMPUTERS} other seats")
    return found


def _rules(text: str) -> Rules:
    from speed_common.presets import RulesError  # noqa: PLC0415  # most need no rules
    from speed_common.rule_words import parse_words  # noqa: PLC0415

    try:
        return parse_words(text)
    except RulesError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _code(text: str) -> str:
    from speed_common.codes import CodeError, parse_code  # noqa: PLC0415  # most need no code

    try:
        parse_code(text)
    except CodeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text.strip().upper()


def player_name(text: str) -> str:
    """A name on a command line."""
    from speed_common.names import clean_name  # noqa: PLC0415  # it loads the width of every character

    try:
        return clean_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def number(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` to `most` on a command line."""

    def read(text: str) -> int:
        if not _within(text, least, most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")
        return int(text)

    return read


def _table(text: str) -> int:
    if text == "new":
        return NEW_TABLE
    if not _within(text, 1, MOST_TABLES):
        raise argparse.ArgumentTypeError(f"{text!r} is no table: use its number, or new")
    return int(text)


def _within(text: str, least: int, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and least <= int(text) <= most
