from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from tests.server.tournament.rehearsing import Evening

from speed_server.journal import Journal
from speed_server.journal_file import BACKUPS, ROOT, JournalError, chain, restore, verify
from speed_server.journal_file import connect as connect_to
from speed_server.tournament.archive import state_hash
from speed_server.tournament.config import MINUTE, SECOND
from speed_server.tournament.desk import Desk
from speed_server.tournament.entries import Entry
from speed_server.tournament.fold import fold
from speed_server.tournament.play import ReportDeal, Return


def evening() -> Evening:
    """A whole evening with a bit of everything."""
    return Evening("double", 6, "tables 2").do(
        "favourites 1", "withdraw 4", "undo", "absent 3", "after 4m", "back 3", "favourites 20", "after 1m"
    )


LOG = evening().desk.log


def written(path: Path, entries: tuple[Entry, ...] = LOG) -> Path:
    with Journal(path) as journal:
        for entry in entries:
            journal.append([entry])
    return path


def wait_until(condition: Callable[[], bool]) -> None:
    event = threading.Event()
    for _ in range(2_000):
        if condition():
            return
        event.wait(0.005)
    pytest.fail("nothing came of it")


def test_what_was_appended_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = written(tmp_path / "log.db")
    with Journal(path) as journal:
        assert tuple(journal.entries) == LOG
        assert journal.durable(LOG[0].tid) == len(LOG)
    assert verify(path) == len(LOG)


def test_an_entry_is_durable_only_after_the_thread_has_written_it(tmp_path: Path) -> None:
    woken = threading.Event()
    with Journal(tmp_path / "log.db", woken.set) as journal:
        assert journal.durable("evening") == 0
        journal.append(LOG[:3])
        assert woken.wait(10)
        assert journal.durable("evening") == 3
        with closing(sqlite3.connect(tmp_path / "log.db")) as other:
            assert other.execute("SELECT count(*) FROM event").fetchone() == (3,)


def test_the_desk_announces_nothing_before_it_is_durable() -> None:
    desk = Desk()
    desk.execute("new Club", "director", 1)
    desk.execute("add anna bob", "director", 2)
    entries = desk.take()
    assert desk.public.players == {}
    assert desk.durable(0) == []
    (first,) = desk.durable(2)
    assert first.entries == tuple(entries[:2])
    assert desk.public.name == "Club"
    assert len(desk.durable(len(entries))) == 1
    assert desk.public == desk.state
    assert desk.take() == []


def test_the_disk_is_written_in_the_safe_mode(tmp_path: Path) -> None:
    path = written(tmp_path / "log.db", LOG[:2])
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("statement", ["UPDATE event SET body = 'x' WHERE number = 2", "DELETE FROM event"])
def test_the_log_is_append_only(tmp_path: Path, statement: str) -> None:
    path = written(tmp_path / "log.db", LOG[:5])
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)


def test_each_hash_depends_on_all_before_it() -> None:
    first = chain(ROOT, LOG[0])
    assert chain(first, LOG[1]) != chain(ROOT, LOG[1])


def without_triggers(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER event_is_final")
        connection.execute("DROP TRIGGER event_stays")
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("UPDATE event SET actor = 'mallory' WHERE number = 7", "entry 7 "),
        ("UPDATE event SET at = '2001' || substr(at, 5) WHERE number = 7", "entry 7 "),
        ("UPDATE event SET body = replace(body, 'at', 'ta') WHERE number = 9", "entry 9 "),
        ("DELETE FROM event WHERE number = 4", "entry 5 "),
        ("UPDATE event SET seq = 900 WHERE number = 3", "entry 3 "),
    ],
)
def test_a_changed_log_is_found_at_the_start_which_names_the_entry(tmp_path: Path, statement: str, text: str) -> None:
    path = written(tmp_path / "log.db")
    without_triggers(path, statement)
    with pytest.raises(JournalError, match=text) as caught:
        Journal(path)
    assert "--restore" in str(caught.value)
    assert path.exists()


def test_a_flipped_byte_anywhere_is_found_or_harmless(tmp_path: Path) -> None:
    path = written(tmp_path / "log.db")
    whole = path.read_bytes()
    dice = Random(2)
    found = named = 0
    for _ in range(120):
        broken = bytearray(whole)
        broken[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        copy = tmp_path / "copy.db"
        copy.write_bytes(broken)
        try:
            assert verify(copy) == len(LOG)
        except JournalError as error:
            found += 1
            named += "is not as it was written" in str(error)
        for suffix in ("-wal", "-shm"):
            Path(f"{copy}{suffix}").unlink(missing_ok=True)
    assert named > found // 2 > 20


def test_a_log_cut_off_at_any_byte_of_its_last_writes_loses_only_its_end(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    dice = Random(3)
    with Journal(path) as journal:
        for entry in LOG[:60]:
            journal.append([entry])
        wait_until(lambda: journal.durable(LOG[0].tid) == 60)
        main, wal = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    frame = 4_096 + 24
    cuts = [32 + n * frame + d for n in range(len(wal) // frame) for d in (-1, 0, 1)]
    longest = 0
    for cut in [*dice.sample(cuts, 40), *(dice.randrange(len(wal)) for _ in range(20)), len(wal)]:
        copy = tmp_path / "cut" / "log.db"
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(main)
        Path(f"{copy}-wal").write_bytes(wal[: max(0, cut)])
        with Journal(copy) as again:
            assert tuple(again.entries) == LOG[: len(again.entries)]
            longest = max(longest, len(again.entries))
        shutil.rmtree(copy.parent)
    assert longest == 60


def test_a_cut_off_main_file_is_refused_and_kept(tmp_path: Path) -> None:
    path = written(tmp_path / "log.db")
    whole = path.read_bytes()
    for size in (100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(JournalError, match="--restore"):
            Journal(path)
        assert path.read_bytes()[:50] == whole[:50]


def test_rubbish_in_place_of_a_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    path.write_bytes(b"this is no database, " * 300)
    with pytest.raises(JournalError, match="is damaged"):
        Journal(path)


def test_every_prefix_of_an_evening_folds_to_what_the_desk_had(tmp_path: Path) -> None:
    desk = Desk()
    for count, entry in enumerate(LOG, 1):
        desk.load([entry])
        if count % 9 == 0:
            path = written(tmp_path / f"{count}.db", LOG[:count])
            with Journal(path) as journal:
                state = fold(found.event for found in journal.entries)
            assert state_hash(state) == state_hash(desk.state)


def test_after_a_crash_a_match_goes_on_with_its_score_and_no_clock_has_run() -> None:
    before = Evening("single", 4, "tables 2").do("deal 1-4 1 17", "deal 1-4 4 12", "lose 3", "after 60s")
    desk = Desk()
    desk.load(before.desk.log)
    assert state_hash(desk.state) == state_hash(before.desk.state)
    now = before.now + 20 * MINUTE
    desk.boot(now)
    match = desk.state.matches[1]
    assert (match.status, match.score) == ("suspended", (17, 12))
    desk.advance(now + 179 * SECOND)
    assert not [m for m in desk.state.matches.values() if m.result is not None]
    for player in (1, 4):
        desk.handle(Return(player), now + 170 * SECOND)
    assert desk.state.matches[1].status == "playing"
    desk.handle(ReportDeal(1, 1, 8), now + 200 * SECOND)
    result = desk.state.matches[1].result
    assert result is not None
    assert result.score == (25, 12)


def test_a_command_id_is_known_after_a_restart(tmp_path: Path) -> None:
    desk = Desk()
    desk.execute("new Club", "director", 1, "one")
    desk.execute("add anna bob", "director", 2, "two")
    path = written(tmp_path / "log.db", tuple(desk.take()))
    again = Desk()
    with Journal(path) as journal:
        again.load(journal.entries)
    length = len(again.log)
    assert again.execute("add anna bob", "director", 3, "two").ok
    assert len(again.log) == length


def test_two_tournaments_share_one_log(tmp_path: Path) -> None:
    first, second = LOG[:3], tuple(Entry(e.seq, "other", e.at, e.actor, e.kind, e.body, e.cmd_id) for e in LOG[:3])
    mixed = [entry for pair in zip(first, second, strict=True) for entry in pair]
    with Journal(tmp_path / "log.db") as journal:
        journal.append(mixed)
    with Journal(tmp_path / "log.db") as journal:
        assert journal.entries == mixed
        assert (journal.durable("evening"), journal.durable("other")) == (3, 3)


def test_a_second_writer_is_told_and_loses_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "log.db") as one, Journal(tmp_path / "log.db") as other:
        one.append(LOG[:2])
        wait_until(lambda: one.durable("evening") == 2)
        other.append(LOG[:2])
        wait_until(lambda: bool(other.trouble))
        assert "stop the other server" in other.trouble
        assert other.durable("evening") == 0


def test_a_full_disk_is_told_and_the_entries_are_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import speed_server.journal as module  # noqa: PLC0415

    monkeypatch.setattr(module, "RETRY_S", 0.01)
    with Journal(tmp_path / "log.db") as journal:
        full = threading.Event()
        real = connect_to

        def refuse(path: Path) -> sqlite3.Connection:
            if not full.is_set():
                raise sqlite3.OperationalError("database or disk is full")
            return real(path)

        monkeypatch.setattr(module, "connect", refuse)
        journal.append(LOG[:4])
        wait_until(lambda: "disk is full" in journal.trouble)
        assert journal.durable("evening") == 0
        full.set()
        wait_until(lambda: journal.durable("evening") == 4)
        assert journal.trouble == ""


def test_backups_are_whole_and_the_last_ten_stay(tmp_path: Path) -> None:
    with Journal(tmp_path / "log.db") as journal:
        for n in range(BACKUPS + 2):
            journal.append([LOG[n]])
            journal.backup(tmp_path / "backup" / f"evening-{n:02d}.db")
    copies = sorted((tmp_path / "backup").iterdir())
    assert len(copies) == BACKUPS
    assert verify(copies[-1]) == BACKUPS + 2


def test_a_backup_takes_the_place_of_a_damaged_log_which_is_kept(tmp_path: Path) -> None:
    backup = written(tmp_path / "backup.db", LOG[:20])
    path = written(tmp_path / "log.db")
    without_triggers(path, "UPDATE event SET actor = 'x' WHERE number = 25")
    restore(backup, path)
    with Journal(path) as journal:
        assert tuple(journal.entries) == LOG[:20]
    assert (tmp_path / "log.db.damaged").exists()


def test_no_log_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no log"):
        verify(tmp_path / "nothing.db")


WRITER = """
import sys
from pathlib import Path
from speed_server.journal import Journal
from tests.server.test_journal import LOG
with Journal(Path(sys.argv[1])) as journal:
    for entry in LOG:
        journal.append([entry])
        while journal.durable(entry.tid) < entry.seq:
            pass
        print(entry.seq, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 9, 40])
def test_what_was_announced_before_a_kill_is_in_the_log(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "log.db"
    hall = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], cwd=hall, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        announced = [int(writer.stdout.readline()) for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        rest = [int(line) for line in writer.stdout.read().split() if line]
    with Journal(path) as journal:
        assert tuple(journal.entries) == LOG[: len(journal.entries)]
        assert len(journal.entries) >= max(announced + rest[:-1])
