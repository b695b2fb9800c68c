"""The command line of `speed-server` as values: what may be asked for, within which bounds."""

from __future__ import annotations

import argparse
import math
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NoReturn

from speed_common import __version__
from speed_common.fair_settings import PRESETS
from speed_common.passcode import PasscodeError, clean_passcode
from speed_common.paths import given_path
from speed_common.presets import RulesError
from speed_common.rule_words import add_rule_options, rules_from
from speed_server.addresses import DEFAULT_PORT, LAST_PORT
from speed_server.limits import Limits
from speed_server.settings import MS, SECOND, HubSettings

LOOPBACK: Final = "127.0.0.1"
LONGEST_NAME: Final = 40
MOST_TABLES: Final = 512
"""As many as a lobby list can carry."""
MOST_RECORDS: Final = 1_000_000
MOST_RATE: Final = 100_000
MICROSECONDS: Final = 1_000_000


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (speed-server --help lists the options)\n")


def parse(arguments: Sequence[str] | None = None) -> tuple[argparse.Namespace, HubSettings]:
    """The options `host`, `port`, `name`, `data`, those of the records, and the settings of the hub.

    `arguments` None means `sys.argv`.

    Exits with code 2 and one line on stderr when an option is wrong.
    """
    parser = _make_parser()
    options = parser.parse_args(arguments)
    if options.temporary and options.data:
        parser.error("--temporary and --data do not go together: what is temporary has a folder of its own")
    if options.insecure and (options.host not in {None, LOOPBACK} or _is_closed(options)):
        parser.error(f"--insecure listens on {LOOPBACK} alone and has no lock: leave --host and passcodes out")
    if options.bots > options.tables:
        parser.error(f"--bots {options.bots} needs --tables {options.bots} at least, not {options.tables}")
    try:
        rules = rules_from(options)
    except RulesError as error:
        parser.error(str(error))
    return options, HubSettings(
        rules=rules,
        fair=replace(PRESETS[options.fair_preset], mode=options.fairness),
        tick_ns=round(options.tick_ms * MS),
        countdown_ns=round(options.countdown * SECOND),
        # Who wants no count before a deal wants none after a pause.
        resume_ns=min(HubSettings().resume_ns, round(options.countdown * SECOND)),
        grace_ns=round(options.grace * SECOND),
        max_tables=options.tables,
        bot_tables=options.bots,
        bot_level=options.bot_speed,
        records=not options.no_records,
        deal_number=options.deal,
    )


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="speed-server", description="Serve the card game Speed to players and watchers on a LAN.")
    add = parser.add_argument
    add("--version", action="version", version=f"speed-server {__version__}")
    add("--host", metavar="ADDR", help="listen on this address only (default: on all)")
    add(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        metavar="N",
        help="the door's port; the next two are taken as well; 0 takes three free ones (default %(default)s)",
    )
    add("--name", type=_name, default=_own_name(), metavar="NAME", help="what players see (default: this machine's)")
    add(
        "--data",
        type=given_path,
        metavar="DIR",
        help="the folder of the server's key (default: the user's data folder)",
    )
    add("--temporary", action="store_true", help="a folder that is removed at the end, for practice and tests")
    closing = parser.add_mutually_exclusive_group()
    closing.add_argument(
        "--passcode", type=_passcode, metavar="WORD", help="let in only who gives this word (default: everybody)"
    )
    closing.add_argument(
        "--invite",
        nargs="?",
        const="kept",
        choices=("kept", "new"),
        metavar="new",
        help="let in only who gives the code that is printed; it stays the same until a new one is asked for",
    )
    add("--watch-passcode", type=_passcode, metavar="WORD", help="let watchers in by another word than players")
    add(
        "--player-rate",
        type=_whole(0, MOST_RATE),
        default=Limits().requests_per_second,
        metavar="N",
        help="requests a second that one player may make; 0: any number, for benchmarks (default %(default)s)",
    )
    add("--insecure", action="store_true", help=f"no encryption, on {LOOPBACK} only: to look at what is said")
    records = parser.add_mutually_exclusive_group()
    records.add_argument(
        "--records",
        type=given_path,
        metavar="DIR",
        help="the folder of the deals' records (default: records in the data folder)",
    )
    records.add_argument("--no-records", action="store_true", help="keep no records of deals")
    add(
        "--keep-records",
        type=_whole(1, MOST_RECORDS),
        default=10_000,
        metavar="N",
        help="delete the oldest records beyond so many (default %(default)s)",
    )
    add(
        "--restore",
        type=given_path,
        metavar="FILE",
        help="start from this backup of the tournaments' log; the log that is there is kept as .damaged",
    )
    add("--tables", type=_whole(1, MOST_TABLES), default=256, metavar="N", help="most tables (default %(default)s)")
    add("--bots", type=_whole(0, MOST_TABLES), default=0, metavar="N", help="tables where computers play")
    add("--bot-speed", type=_whole(1, 10), default=5, metavar="1..10", help="how fast these are (default %(default)s)")
    add("--countdown", type=_number(0, 60), default=3, metavar="S", help="seconds before a deal (default %(default)s)")
    add(
        "--grace",
        type=_number(0, 3_600),
        default=90,
        metavar="S",
        help="seconds that a deal waits for a player who dropped (default %(default)s)",
    )
    add(
        "--fairness",
        choices=("full", "order", "off"),
        default="full",
        help="who was first: full waits for slow links and shows to all at once, order sorts what is there, off takes "
        "plays as they arrive (default %(default)s)",
    )
    add(
        "--fair-preset",
        choices=tuple(PRESETS),
        default="default",
        help="how long a play may be held for a slower link: competitive 60 ms, default 100, kitchen 150",
    )
    add(
        "--deal",
        type=_deal,
        metavar="CODE",
        help="every deal is this one, six digits or letters: for practice and benchmarks (default: secret deals)",
    )
    add(
        "--stats",
        type=given_path,
        metavar="FILE",
        help="add a line to this file every five seconds: how punctual the server is, who is here, who was cut off",
    )
    add("--no-announce", action="store_true", help="be not found by speed-client without a host (by multicast DNS)")
    add(
        "--until-stdin-closes",
        action="store_true",
        help="end when standard input does: for a program that starts a server of its own",
    )
    add("--tick-ms", type=_number(0, 100), default=2, metavar="MS", help="least time between ticks (%(default)s)")
    add_rule_options(parser)
    return parser


def _is_closed(options: argparse.Namespace) -> bool:
    return any((options.passcode, options.invite, options.watch_passcode))


def limits_of(options: argparse.Namespace, settings: HubSettings) -> Limits:
    """The limits that the options ask for; what the rules let a player do is never over them."""
    most = Limits()
    rate: int = options.player_rate
    if not rate:
        return replace(most, requests_per_second=0, play_bytes_per_second=0)
    gap_us = settings.rules.min_play_gap_us
    if gap_us:
        rate = max(rate, 2 * MICROSECONDS // gap_us)
    times = max(1, rate // most.requests_per_second)
    return replace(
        most,
        requests_per_second=rate,
        requests_burst=most.requests_burst * times,
        flood_requests=most.flood_requests * times,
        stubborn_requests=most.stubborn_requests * times,
        play_bytes_per_second=most.play_bytes_per_second * times,
        play_bytes_burst=most.play_bytes_burst * times,
    )


def _passcode(text: str) -> str:
    try:
        return clean_passcode(text)
    except PasscodeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _port(text: str) -> int:
    port = _whole(0, 65_535)(text)
    if port > LAST_PORT:
        raise argparse.ArgumentTypeError(f"{port} leaves no room for the two ports above it: at most {LAST_PORT}")
    return port


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text} is no whole number from {least} to {most}")
        return number

    return read


def _number(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text} is no number from {least} to {most}")
        return number

    return read


def _deal(text: str) -> int:
    """The number of a deal, from its six base-36 digits."""
    if not re.fullmatch("[0-9A-Za-z]{6}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no deal: write six digits or letters, as 00A1ZX")
    return int(text, 36)


def _name(text: str) -> str:
    """A name of printable characters: it goes to other people's screens."""
    name = text.strip()
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise argparse.ArgumentTypeError(f"{text!r} is no name of 1 to {LONGEST_NAME} printable characters")
    return name


def _own_name() -> str:
    name = socket.gethostname()[:LONGEST_NAME]
    return name if name and name.isprintable() else "a Speed server"
