"""The command line of `speed-server` as values: what may be asked for, within which bounds."""

from __future__ import annotations

import argparse
import math
import re
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn

from speed_common import __version__
from speed_common.rules import PRESETS, Rules, RulesError, make_rules
from speed_server.addresses import DEFAULT_PORT, LAST_PORT
from speed_server.settings import MS, SECOND, HubSettings

LONGEST_NAME: Final = 40
MOST_TABLES: Final = 512
"""As many as a lobby list can carry."""

_MICROSECONDS: Final = 1_000_000


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (speed-server --help lists the options)\n")


def parse(arguments: Sequence[str] | None = None) -> tuple[argparse.Namespace, HubSettings]:
    """The options `host`, `port`, `name`, `data`, and the settings of the hub; `arguments` None means `sys.argv`.

    Exits with code 2 and one line on stderr when an option is wrong.
    """
    parser = _make_parser()
    options = parser.parse_args(arguments)
    if options.bots > options.tables:
        parser.error(f"--bots {options.bots} needs --tables {options.bots} at least, not {options.tables}")
    try:
        rules = _rules(options)
    except RulesError as error:
        parser.error(str(error))
    return options, HubSettings(
        rules=rules,
        order=options.fairness,
        tick_ns=round(options.tick_ms * MS),
        countdown_ns=round(options.countdown * SECOND),
        grace_ns=round(options.grace * SECOND),
        max_tables=options.tables,
        bot_tables=options.bots,
        bot_level=options.bot_speed,
        deal_number=options.deal,
    )


def _rules(options: argparse.Namespace) -> Rules:
    return make_rules(
        options.rules,
        hand_size=options.hand,
        draw_size=options.draw,
        side_size=options.side,
        wrap=options.wrap,
        same_rank=options.same_rank,
        tuck=options.tuck,
        reshuffle=options.reshuffle,
        jokers=options.jokers,
        joker_mode=options.joker_mode,
        flip_delay_us=None if options.flip_delay is None else round(options.flip_delay * _MICROSECONDS),
        min_play_gap_us=None if options.gap is None else round(options.gap * _MICROSECONDS),
        match_target=options.match_target,
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
    add("--data", type=Path, metavar="DIR", help="the folder of the server's key (default: the user's data folder)")
    add("--tables", type=_whole(1, MOST_TABLES), default=256, metavar="N", help="most tables (default %(default)s)")
    add("--bots", type=_whole(0, MOST_TABLES), default=0, metavar="N", help="tables where two computers play")
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
        choices=("order", "off"),
        default="order",
        help="plays by the instant of the press, or by arrival (default %(default)s)",
    )
    add(
        "--deal",
        type=_deal,
        metavar="CODE",
        help="every deal is this one, six digits or letters: for practice and benchmarks (default: secret deals)",
    )
    add("--tick-ms", type=_number(0, 100), default=2, metavar="MS", help="least time between ticks (%(default)s)")
    _add_rules(parser.add_argument_group("rules", "Sizes must balance: 2 x (hand + draw) + 2 x (side + 1) = cards."))
    return parser


def _add_rules(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--rules", choices=tuple(PRESETS), default="us", help="the preset that the others change (default %(default)s)")
    add("--hand", type=int, metavar="N", help="cards in the hand")
    add("--draw", type=int, metavar="N", help="cards in the draw pile")
    add("--side", type=int, metavar="N", help="cards in a side pile")
    add("--no-wrap", dest="wrap", action="store_const", const=False, help="ace and king do not meet")
    add("--same-rank", action="store_const", const=True, help="the same rank fits too")
    add("--no-tuck", dest="tuck", action="store_const", const=False, help="hands are never put back when stuck")
    add("--reshuffle", choices=("pooled", "per_pile"), help="where new side piles come from")
    add("--jokers", type=int, metavar="N", help="jokers in the deck")
    add("--joker-mode", choices=("open", "declared"), help="whether a joker stands for a rank")
    add("--flip-delay", type=_number(0, 5), metavar="S", help="seconds from stuck to the flip")
    add("--gap", type=_number(0, 1), metavar="S", help="least seconds between two plays of one player")
    add("--match-target", type=int, metavar="N", help="points that win a match; 0 plays single deals")


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
