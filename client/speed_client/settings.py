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

PRACTICE_HIGHEST: Final = 0
"""The highest speed that is open."""

MOST_TABLES: Final = 10_000
LEVELS: Final = 10
THEMES: Final = ("auto", "dark", "light", "16-colour", "none")
MOST_COMPUTERS: Final = 3
MOST_PORT: Final = 65_535
_MOST_DIGITS: Final = 9

Face = Literal["screen", "plain", "json"]

_WHICH: Final = "speed-client HOST, as speed-server printed it (speed-client --list finds servers, --help tells more)"

_EPILOG: Final = """\
Without HOST: the servers of this network, to choose from.
HOST is the name or address that speed-server printed; an IPv6 address with a port goes in brackets: [fd00::7]:7770.
--computer 3 takes every other seat of a new table, --computer 3,5 a seat for each. --rules takes the words of
speed-server's options in one argument: --rules "four no-wrap", --rules "players 3 call-speed best-of 3".
Keys: 1-5 play a card, a s d f g to the left pile, h j k l ; to the right pile, Space ready, ? help.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """The command line, understood. `name` and `code` are empty, `rules` None, when none were given.

    Without a host (`host` is empty) it is practice against a computer of speed `practice` (`PRACTICE_HIGHEST`: the
    highest that is open), or a list of servers: to choose from, or with `listing` to read.
    """

    host: str
    port: int
    name: str = ""
    watch: bool = False
    table: int = ANY_TABLE
    computers: tuple[int, ...] = ()
    ready: bool = False
    face: Face = "screen"
    flags: tuple[tuple[str, str | bool | int], ...] = ()
    """Settings for this run, by name: see `choices`."""

    forget: bool = False
    rules: Rules | None = None
    code: str = ""
    listing: bool = False
    practice: int | None = None
    two: bool = False
    name2: str = ""
    passcode: str = ""
    invite: str = ""
    tournament: str | None = None
    """The tournament to play in, by its name in topics; empty: the first there is; None: none."""

    direct: str | None = None
    """The file with the director's secret, empty for asking for it; None: not directing."""


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
    face: Face = "json" if found.json else "plain" if found.plain else "screen"
    if face == "screen" and (not terminal or environment.get("TERM", "") in {"", "dumb"}):
        face = "plain" if sys.platform != "win32" or not terminal else "screen"
    _check_two(parser, found, face)
    if found.practice is not None or found.list or target is None:
        _check_alone(parser, found, face)
        return Options(
            "",
            DEFAULT_PORT,
            found.name or "",
            ready=found.ready,
            face=face,
            flags=_flags(found),
            code=found.code or "",
            listing=found.list,
            practice=found.practice,
            two=found.two,
            name2=found.name2 or "",
            passcode=found.passcode or "",
            invite=found.invite or "",
        )
    _check_tournament(parser, found)
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
    return Options(
        host,
        port,
        found.name or "",
        found.watch,
        NEW_TABLE if found.rules else found.table,
        found.computers,
        found.ready,
        face,
        _flags(found),
        found.forget is not None,
        found.rules,
        found.code or "",
        passcode=found.passcode or "",
        invite=found.invite or "",
        two=found.two,
        name2=found.name2 or "",
        tournament=found.tournament,
        direct=found.direct,
    )


def _check_tournament(parser: argparse.ArgumentParser, found: argparse.Namespace) -> None:
    """Complain of what does not go with playing in a tournament, or directing one."""
    other = {
        "--watch": found.watch,
        "--table": found.table != ANY_TABLE,
        "--computer": found.computers,
        "--rules": found.rules,
        "--code": found.code,
        "--two": found.two,
    }
    for option in ("--tournament", "--direct"):
        if getattr(found, option[2:]) is None:
            continue
        for word, given in other.items():
            if given:
                parser.error(f"{option} and {word} do not go together: the tournament seats its players")
    if found.tournament is not None and found.direct is not None:
        parser.error("--tournament and --direct do not go together: direct in one terminal, play in another")
    if found.direct is not None and found.json:
        parser.error("--direct speaks plain lines: leave --json out")


def _check_two(parser: argparse.ArgumentParser, found: argparse.Namespace, face: Face) -> None:
    """Complain of what does not go with two players at one keyboard."""
    if found.name2 and not found.two:
        parser.error("--name2 is the second player's of --two")
    if not found.two:
        return
    if found.watch or found.list or found.forget is not None:
        parser.error("--two plays: it goes with neither --watch nor --list nor --forget")
    if found.host is None and found.practice is None:
        parser.error("--two needs a server or --practice: speed-client HOST --two")
    if found.practice is not None and (found.practice or found.code):
        parser.error("--two --practice is against each other: leave the speed and the code out")
    if face != "screen":
        parser.error("--two needs a screen: two keyboards need no --two")


def _check_alone(parser: argparse.ArgumentParser, found: argparse.Namespace, face: Face) -> None:
    """Complain of what does not go with having named no server, or with not wanting one."""
    if found.practice is not None and found.list:
        parser.error("--practice and --list do not go together: practice needs no server of others")
    what = "--practice" if found.practice is not None else "--list" if found.list else ""
    if what and (found.host is not None or found.forget is not None):
        parser.error(f"{what} needs no server: leave {found.host or '--forget'} out")
    chosen = {
        "--watch": found.watch,
        "--table": found.table != ANY_TABLE,
        "--computer": found.computers,
        "--rules": found.rules,
        "--code": found.code and found.practice is None,
        "--tournament": found.tournament is not None,
        "--direct": found.direct is not None,
    }
    for option, given in chosen.items():
        if given:
            parser.error(f"{option} does not go with {what}" if what else f"{option} needs a server: {_WHICH}")
    if not what and face != "screen":
        parser.error(f"no screen to choose a server on: {_WHICH}")


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
    parser.add_argument(
        "--tournament", nargs="?", const="", metavar="NAME", help="play in this tournament (else in the first there is)"
    )
    parser.add_argument(
        "--direct",
        nargs="?",
        const="",
        metavar="SECRET_FILE",
        help="direct tournaments, with the director's secret from a file, else from $SPEED_DIRECTOR or asked for",
    )
    parser.add_argument("--two", action="store_true", help="two players at this keyboard, at one table")
    parser.add_argument("--name2", type=player_name, help="the second player's name, with --two")
    parser.add_argument("--ready", action="store_true", help="be ready at once")
    faces = parser.add_mutually_exclusive_group()
    faces.add_argument("--plain", action="store_true", help="one short line an event, for screen readers and scripts")
    faces.add_argument("--json", action="store_true", help="one JSON object a line, out and in, for your own player")
    parser.add_argument("--theme", choices=THEMES, help="colours (auto: as the terminal's ground is)")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs only")
    add_pass_options(parser)
    parser.add_argument(
        "--set",
        dest="flags",
        type=_setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting for this run, as deck=4-colour; once more for another",
    )
    parser.add_argument("--forget", metavar="HOST", help="forget the key of the server that was met at HOST, and end")
    parser.add_argument("--list", action="store_true", help="list the servers of this network, and end")
    parser.add_argument(
        "--practice",
        type=level,
        nargs="?",
        const=PRACTICE_HIGHEST,
        metavar="SPEED",
        help="play a computer without a server: speed 1 to 10, else the highest that is open",
    )
    parser.add_argument("--version", action="version", version=f"speed-client {__version__}")
    return parser


def add_pass_options(parser: argparse.ArgumentParser) -> None:
    """The options that open a closed server."""
    opening = parser.add_mutually_exclusive_group()
    opening.add_argument("--passcode", type=_passcode, metavar="WORD", help="the passcode of a closed server")
    opening.add_argument("--invite", type=_invite, metavar="CODE", help="the invitation that a closed server printed")


def _passcode(text: str) -> str:
    from speed_common.passcode import PasscodeError, clean_passcode  # noqa: PLC0415  # most servers are open

    try:
        return clean_passcode(text)
    except PasscodeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _invite(text: str) -> str:
    from speed_common.passcode import PasscodeError, parse_invite  # noqa: PLC0415  # most servers are open

    try:
        parse_invite(text)
    except PasscodeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


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


def _flags(found: argparse.Namespace) -> tuple[tuple[str, str | bool | int], ...]:
    theme = [("theme", found.theme)] if found.theme else []
    glyphs = [("glyphs", "ascii")] if found.ascii else []
    return (*found.flags, *theme, *glyphs)


def _setting(text: str) -> tuple[str, str | bool | int]:
    from speed_client.choices import BY_NAME, Choices, assign  # noqa: PLC0415  # most need none

    try:
        chosen = assign(Choices(), text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    name = text.partition("=")[0].strip()
    assert name in BY_NAME, "assign has looked"
    return name, getattr(chosen, name)


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
