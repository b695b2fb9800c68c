"""`speed-client --list`: the servers of this network in words or as JSON, once.

Part of the rim: it searches as the list on the screen does, for as long as that takes before it may say "none".
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Iterator
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final

from speed_client.entry import output_error
from speed_client.finding import SEARCH_NS, Finding, Row, shown
from speed_client.scout import Scout
from speed_client.server_page import BY_HAND, MS_NS, searched_lines

if TYPE_CHECKING:
    from speed_client.profile import Profile

NONE_FOUND: Final = 1


async def list_servers(profile: Profile, *, as_json: bool, seconds: float = SEARCH_NS / 1e9) -> int:
    """Search for `seconds` and say what was found; the exit code, 1 where no server answered.

    Raises `OutputError`.
    """
    finding = Finding(perf_counter_ns())
    for server_id, name, address in profile.recent():
        finding.remember(server_id, name, address, perf_counter_ns())
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await Scout(finding).run(lambda: None)
    lines = map(_json, finding.rows) if as_json else _words(finding)
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        raise output_error(error) from None
    return 0 if any(row.state == "here" for row in finding.rows) else NONE_FOUND


def row_object(row: Row) -> dict[str, Any]:
    """One server for programs. Where no door answered `ping_ms` is None and the counts are what was announced."""
    return {
        "type": "server",
        "id": row.id,
        "name": row.name,
        "address": shown(row.address),
        "answers": row.state == "here",
        "ping_ms": None if row.ping_ns is None else round(row.ping_ns / MS_NS, 2),
        "players": row.players,
        "tables": row.tables,
        "locked": row.locked,
        "version": row.version,
        "announced": row.announced,
        "remembered": row.recent is not None,
    }


def _json(row: Row) -> str:
    return json.dumps(row_object(row), ensure_ascii=False, separators=(",", ":"))


def _words(finding: Finding) -> Iterator[str]:
    """A line for each server: what to type, then who it is."""
    rows = finding.rows
    if not any(row.state == "here" for row in rows):
        yield "no server was found"
        yield from searched_lines(finding)
        yield f"by hand: {BY_HAND}, as speed-server printed it"
    broad = max((len(shown(row.address)) for row in rows), default=0)
    for row in rows:
        state = {"here": _counts(row), "silent": "no answer", "asking": "no answer yet"}[row.state]
        yield f"speed-client {shown(row.address):<{broad}}  {row.name}: {state}"


def _counts(row: Row) -> str:
    people = f"{row.players} player{'' if row.players == 1 else 's'}"
    tables = f"{row.tables} table{'' if row.tables == 1 else 's'}"
    ping = "" if row.ping_ns is None else f", {row.ping_ns / MS_NS:.1f} ms"
    return f"{people}, {tables}{ping}{', wants a passcode' if row.locked else ''}"
