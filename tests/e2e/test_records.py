"""The records of a running server, told and verified by the program that players have for it."""

from __future__ import annotations

import signal
import stat
import subprocess
from pathlib import Path

from headless import BRISK, pair
from processes import BIN, Programs, Server

FAILURE = 1


def replay(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(BIN / "speed-replay"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)


def records(server: Server) -> list[Path]:
    return sorted((server.data / "records").glob("*.jsonl"))


def test_a_deal_of_two_computers_is_recorded_and_verified(programs: Programs) -> None:
    server = programs.server(*BRISK, "--bots", "1", "--bot-speed", "10", "--hand", "3", "--draw", "2", "--side", "20")
    watcher = programs.watcher(server)
    programs.until(lambda: records(server) and watcher.state["phase"] == "over", "record of the first deal", 60)
    (path,) = records(server)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    verified = replay(path, "--verify")
    assert (verified.returncode, verified.stderr) == (0, "")
    winner = f"{watcher.room['seats'][watcher.state['winner']]['name']} won by {watcher.room['result']['score']}"
    assert verified.stdout.startswith("verified: ")
    assert verified.stdout.endswith(f" requests, {winner}\n")
    told = replay(path).stdout.splitlines()
    assert told[-1] == f"result: {winner}"
    assert sum(" to the " in line and "beaten" not in line for line in told) == len(watcher.of_type("played"))


def test_a_deal_of_two_players_is_written_before_the_server_ends(programs: Programs) -> None:
    server = programs.server(*BRISK)
    players = pair(programs, server)
    programs.until(lambda: all(player.result for player in players), "result", 60)
    assert server.end(signal.SIGTERM) == 0
    assert server.complaints == ""
    (path,) = records(server)
    result = players[0].result
    assert result is not None
    assert f"{players[result['winner']].name} won by {result['score']}" in replay(path, "--verify").stdout
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"accepted"', b'"acceptad"', 1))
    damaged = replay(path, "--verify")
    assert (damaged.returncode, damaged.stdout) == (FAILURE, "")
    assert damaged.stderr.startswith(f"{path}: line 2: damaged")


def test_no_records_leaves_no_folder_behind(programs: Programs) -> None:
    server = programs.server(*BRISK, "--no-records")
    players = pair(programs, server)
    programs.until(lambda: all(player.result for player in players), "result", 60)
    assert server.end(signal.SIGTERM) == 0
    assert not (server.data / "records").exists()


def test_a_folder_that_cannot_be_written_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    command = [str(BIN / "speed-server"), "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data")]
    ended = subprocess.run(
        [*command, "--records", str(tmp_path / "taken")], capture_output=True, text=True, timeout=10, check=False
    )
    assert ended.returncode == FAILURE
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"speed-server: cannot keep records in {tmp_path / 'taken'} (")
    assert "--records DIR" in line


def test_a_folder_that_goes_away_stops_no_game(programs: Programs) -> None:
    server = programs.server(*BRISK)
    (server.data / "records").rmdir()
    players = pair(programs, server)
    programs.until(lambda: all(player.result for player in players), "result", 60)
    for player in players:
        player.ask(rematch=True)
    programs.until(lambda: all(player.room["deal"] == 2 and player.result for player in players), "second result", 60)
    assert server.end(signal.SIGTERM) == 0
    (line,) = server.complaints.splitlines()
    assert "deals are not recorded any more" in line
