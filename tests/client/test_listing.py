from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.client.serving import closed_port, door, door_line
from tests.client.test_finding import ANNA, HOME, MS, line

from speed_client import listing
from speed_client.browse import Gone, Seen
from speed_client.door import Address, Server
from speed_client.finding import Finding
from speed_client.listing import list_servers, row_object
from speed_client.profile import Profile
from speed_client.scout import Scout


async def silence(_seen: Seen, _gone: Gone) -> str:
    await asyncio.Event().wait()
    return ""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "Scout", lambda finding: Scout(finding, browse=silence))


def remembering(folder: Path, port: int) -> Profile:
    profile = Profile(folder)
    profile.remember(Server(Address("127.0.0.1", port), "127.0.0.1", line("0123456789abcdef")))
    return profile


def test_a_remembered_server_that_answers_is_a_line_to_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with door(door_line()) as port:
        assert asyncio.run(list_servers(remembering(tmp_path, port), as_json=False, seconds=0.5)) == 0
        said = capsys.readouterr().out
        assert said.startswith(f"speed-client 127.0.0.1:{port}  anna's laptop: 3 players, 2 tables, ")
        assert asyncio.run(list_servers(remembering(tmp_path, port), as_json=True, seconds=0.5)) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answers"], found["remembered"], found["announced"]) == (True, True, False)
    assert found["address"] == f"127.0.0.1:{port}"


def test_none_is_exit_code_1_with_what_was_searched_and_what_to_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asyncio.run(list_servers(remembering(tmp_path, closed_port()), as_json=False, seconds=0.5)) == 1
    said = capsys.readouterr().out
    assert "no server was found" in said
    assert "and 1 remembered server\n" in said
    assert "by hand: speed-client HOST" in said
    assert said.endswith("no answer\n")


def test_a_server_as_an_object_says_what_is_known() -> None:
    finding = Finding(0)
    finding.remember(ANNA, "anna", HOME, 0)
    finding.answered(ANNA, HOME, line(ANNA, players=1), 2 * MS, 0)
    assert row_object(finding.rows[0]) == {
        "type": "server",
        "id": ANNA,
        "name": "anna's laptop",
        "address": "192.168.1.20",
        "answers": True,
        "ping_ms": 2.0,
        "players": 1,
        "tables": 0,
        "locked": False,
        "version": "0.1.0",
        "announced": False,
        "remembered": True,
    }
