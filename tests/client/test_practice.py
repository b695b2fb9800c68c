from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from speed_client import practice
from speed_client.door import DoorError, knock
from speed_client.practice import PracticeServer


@pytest.fixture(autouse=True)
def passing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_a_server_of_ones_own_runs_for_as_long_as_it_is_needed(passing: Path) -> None:
    async def main() -> None:
        async with PracticeServer() as server:
            assert server.numeric == "127.0.0.1"
            assert server.line.name == "practice"
            assert (await knock(server.address)).line.id == server.line.id
            address = server.address
        with pytest.raises(DoorError, match="nothing listens"):
            await knock(address)

    asyncio.run(main())
    assert list(passing.iterdir()) == []


def test_it_ends_too_when_the_practice_fails(passing: Path) -> None:
    async def main() -> None:
        async with PracticeServer():
            raise RuntimeError

    with pytest.raises(RuntimeError):
        asyncio.run(main())
    assert list(passing.iterdir()) == []


def test_a_server_that_does_not_start_is_one_sentence_with_its_reason() -> None:
    async def main() -> None:
        async with PracticeServer(("--rules", "nonsense")):
            pytest.fail("it must not start")

    with pytest.raises(DoorError, match=r"which ended: speed-server: .*nonsense") as failed:
        asyncio.run(main())
    assert "\n" not in str(failed.value)


def test_a_server_that_cannot_be_started_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def main() -> None:
        async with PracticeServer():
            pytest.fail("it must not start")

    with pytest.raises(DoorError, match="does not start"):
        asyncio.run(main())


def test_a_server_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "START_SECONDS", 0.0)

    async def main() -> None:
        async with PracticeServer():
            pytest.fail("it must not start")

    with pytest.raises(DoorError, match="said nothing"):
        asyncio.run(main())
