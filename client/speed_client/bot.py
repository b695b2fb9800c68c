"""`speed-bot`: computer players who join a server. The way in: what takes long is imported where it is needed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from speed_client.entry import guarded

MOST_BOTS = 400
MOST_DEALS = 1_000_000


def main(argv: Sequence[str] | None = None) -> int:
    """The command `speed-bot`; its codes are those of `speed-client`."""
    return guarded("speed-bot", lambda: _command(sys.argv[1:] if argv is None else argv))


def _command(argv: Sequence[str]) -> int:
    from speed_client.settings import OneLineParser, add_pass_options, level, number, parse_host, player_name  # noqa: PLC0415
    from speed_common import __version__  # noqa: PLC0415

    parser = OneLineParser(prog="speed-bot", description="Computer players who join a server.", allow_abbrev=False)
    parser.add_argument("host", metavar="HOST[:PORT]", help="the server (port 7770 if none is given)")
    parser.add_argument("--speed", type=level, default=5, metavar="1..10", help="how quick they are (default: 5)")
    parser.add_argument("--count", type=number(1, MOST_BOTS), default=1, metavar="N", help="how many come (default: 1)")
    parser.add_argument(
        "--deals", type=number(1, MOST_DEALS), default=0, metavar="N", help="leave after N deals (default: never)"
    )
    parser.add_argument("--name", type=player_name, default="bot", help="what they are called (default: bot)")
    parser.add_argument("--tournament", default="", metavar="TID", help="play in this tournament until it is over")
    add_pass_options(parser)
    parser.add_argument("--version", action="version", version=f"speed-bot {__version__}")
    options = parser.parse_args(argv)
    try:
        host, port = parse_host(options.host)
    except ValueError as error:
        parser.error(str(error))
    from speed_client.crew import play  # noqa: PLC0415
    from speed_client.door import Address  # noqa: PLC0415
    from speed_client.wishes import Want  # noqa: PLC0415

    opening = {"passcode": options.passcode or "", "invite": options.invite or ""}
    want = Want(tournament=options.tournament)
    return play(Address(host, port), options.name, options.speed, options.count, options.deals, want, **opening)


if __name__ == "__main__":
    sys.exit(main())
