from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from speed_common import record
from speed_common.deck import SecretStream
from speed_common.fair_settings import FairSettings
from speed_common.presets import make_rules
from speed_common.record import Heading, Player
from speed_common.verify import verify
from speed_server.archive import MOST_WAITING, Archive, ArchiveError
from speed_server.deal import Deal
from speed_server.deal_clock import DealClock
from speed_server.records import Finished

PATIENCE_S = 10
SECOND = 1_000_000_000
DAY_S = 1_796_074_873.0
"""2026-11-30, 21:41:13 in UTC."""

POSIX = pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="rights do not stop root")


def finished(table: int = 3, deal: int = 7, started_ns: int = 0) -> Finished:
    """A deal that somebody left as soon as it was revealed."""
    rules, stream = make_rules(), SecretStream(bytes(range(32)))
    clock = DealClock()
    clock.start(0, 0)
    played = Deal(rules, stream, {}, [None, None], FairSettings(), clock, 0)
    played.reveal(0)
    played.leave(1, 500_000)
    heading = Heading(
        rules=rules,
        cards=record.cards_of(stream),
        table=table,
        deal=deal,
        players=(Player("anna"), Player("bob")),
        fair=FairSettings(),
    )
    return Finished(heading, started_ns, played.log, played.result(), 0)


def until(done: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.001)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "records"


@pytest.fixture
def archive(folder: Path) -> Iterator[Archive]:
    archive = Archive(folder, wall=lambda: DAY_S)
    yield archive
    archive.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_deal_becomes_a_file_named_by_date_table_and_deal(archive: Archive, folder: Path) -> None:
    archive.keep([finished(started_ns=5 * SECOND)], 65 * SECOND)
    archive.close()
    assert names(folder) == ["2026-11-30T21-40-13Z-table-3-deal-7.jsonl"]
    found = verify((folder / names(folder)[0]).read_bytes())
    assert found.heading.started == "2026-11-30T21:40:13Z"
    assert (found.ending.end, found.ending.winner, found.ending.score) == ("forfeit", 0, 20)


def test_two_deals_of_one_name_are_both_kept(archive: Archive, folder: Path) -> None:
    archive.keep([finished(), finished()], 0)
    archive.close()
    assert names(folder) == [f"2026-11-30T21-41-13Z-table-3-deal-7{end}.jsonl" for end in ("-2", "")]


@pytest.mark.skipif(os.name != "posix", reason="rights are of POSIX")
def test_only_the_owner_may_read_them(archive: Archive, folder: Path) -> None:
    archive.keep([finished()], 0)
    archive.close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()] == [0o600]


def test_the_newest_are_kept_and_nothing_else_is_touched(folder: Path) -> None:
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"2026-01-0{day}T00-00-00Z-table-1-deal-1.jsonl").write_text("old")
    for other in ("letters.jsonl", "notes"):
        (folder / other).write_text("mine")
    archive = Archive(folder, 2, wall=lambda: DAY_S)
    archive.keep([finished()], 0)
    archive.close()
    assert names(folder) == [
        "2026-01-03T00-00-00Z-table-1-deal-1.jsonl",
        "2026-11-30T21-41-13Z-table-3-deal-7.jsonl",
        "letters.jsonl",
        "notes",
    ]


def test_what_a_crash_left_half_written_is_removed_at_the_start(folder: Path) -> None:
    folder.mkdir()
    (folder / "2026-01-01T00-00-00Z-table-1-deal-1.half").write_text("half")
    Archive(folder).close()
    assert names(folder) == []


def test_a_folder_that_holds_other_files_keeps_them(folder: Path) -> None:
    folder.mkdir()
    others = ["notes.half", "trial.half", "deals.jsonl"]
    for name in others:
        (folder / name).write_text("precious")
    archive = Archive(folder, most=1)
    archive.keep([finished(deal=1), finished(deal=2)], 0)
    archive.close()
    assert [name for name in names(folder) if name in others] == sorted(others)
    assert all((folder / name).read_text() == "precious" for name in others)
    assert len(names(folder)) == len(others) + 1


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system cannot open without following a link")
def test_a_link_laid_in_the_folder_does_not_lead_to_another_file(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    other = tmp_path / "precious"
    other.write_text("precious")
    (folder / ".speed-server-trial").symlink_to(other)
    with pytest.raises(ArchiveError):
        Archive(folder)
    assert other.read_text() == "precious"


def test_a_disk_that_takes_no_more_is_one_line_and_what_comes_later_is_written(
    archive: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full, tried = threading.Event(), []
    full.set()
    write = os.fsync

    def fsync(handle: int) -> None:
        tried.append(handle)
        if full.is_set():
            raise OSError(28, "No space left on device")
        write(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    archive.keep([finished(deal=1), finished(deal=2)], 0)
    until(lambda: len(tried) == 2)
    full.clear()
    archive.keep([finished(deal=3)], 0)
    archive.close()
    assert names(folder) == ["2026-11-30T21-41-13Z-table-3-deal-3.jsonl"]
    assert capsys.readouterr().err.splitlines() == [
        f"speed-server: deals are not recorded any more: cannot write in {folder} (No space left on device)",
        "speed-server: deals are recorded again; 2 have no record",
    ]


def test_a_disk_that_hangs_keeps_neither_the_game_waiting_nor_the_end(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hanging, go_on = threading.Event(), threading.Event()

    def fsync(_: int) -> None:
        hanging.set()
        go_on.wait(PATIENCE_S)

    monkeypatch.setattr(os, "fsync", fsync)
    one = finished()
    archive.keep([one], 0)
    assert hanging.wait(PATIENCE_S)
    archive.keep([one] * (MOST_WAITING + 5), 0)
    archive.close(patience_s=0.01)
    assert "1001 deals have no record" in capsys.readouterr().err
    monkeypatch.setattr(archive, "_write", lambda *_: None)
    go_on.set()
    archive.close()


def test_a_folder_that_is_gone_is_said_once(archive: Archive, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.rmdir()
    archive.keep([finished(), finished(), finished()], 0)
    archive.close()
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_in_the_way_is_an_error_that_names_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "records").write_text("not a folder")
    with pytest.raises(ArchiveError, match=r"cannot keep records in .*records \(.*\): give another .*--records DIR"):
        Archive(tmp_path / "records")


@POSIX
def test_a_folder_without_rights_is_an_error_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir(mode=0o500)
    with pytest.raises(ArchiveError, match="Permission denied"):
        Archive(tmp_path / "records")


def test_closing_twice_is_closing_once(archive: Archive) -> None:
    archive.close()
    archive.close()
