"""`speed-client`: the way in, which imports nothing before an interrupt is taken care of."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from speed_client.entry import guarded


def main(argv: Sequence[str] | None = None) -> int:
    """The command: 0 after play, 1 with one line when there was none, 2 with one line for a wrong command line."""

    def command() -> int:
        from speed_client.command import run  # noqa: PLC0415  # it takes long

        return run(sys.argv[1:] if argv is None else argv)

    return guarded("speed-client", command)


if __name__ == "__main__":
    sys.exit(main())
