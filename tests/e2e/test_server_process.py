"""The server as a process: how it starts, how it declines to, how it ends."""

from __future__ import annotations

import signal
import socket
import subprocess
from pathlib import Path

import pytest

from processes import BIN, Program, Programs

USAGE = 2
FAILURE = 1


def run(*options: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A server that should end by itself."""
    command = [str(BIN / "speed-server"), "--host", "127.0.0.1", "--data", str(folder / "data"), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=10, check=False, stdin=subprocess.DEVNULL)


def only_line(text: str) -> str:
    """The one line that it said."""
    lines = text.splitlines()
    assert len(lines) == 1, text
    return lines[0]


def three_ports_in_a_row() -> tuple[int, list[socket.socket]]:
    """Three neighbouring ports, the first's number and what holds them."""
    while True:
        holders = [socket.create_server(("127.0.0.1", 0))]
        first = holders[0].getsockname()[1]
        try:
            holders += [socket.create_server(("127.0.0.1", first + step)) for step in (1, 2)]
        except OSError:
            for holder in holders:
                holder.close()
        else:
            return first, holders


@pytest.mark.parametrize("offset", [0, 1, 2])
def test_a_port_in_use_is_named_in_one_line(tmp_path: Path, offset: int) -> None:
    first, holders = three_ports_in_a_row()
    taken = first + offset
    for other in {0, 1, 2} - {offset}:
        holders[other].close()
    with holders[offset]:
        ended = run("--port", str(first), folder=tmp_path)
    assert ended.returncode == FAILURE
    assert str(taken) in only_line(ended.stderr)


@pytest.mark.parametrize(
    "options",
    [
        ["--port", "70000"],
        ["--port", "seven"],
        ["--hand", "5", "--draw", "5", "--side", "5"],
        ["--bot-speed", "11"],
        ["--fairness", "mostly"],
        ["--what"],
    ],
)
def test_a_bad_option_ends_with_one_line_and_the_usage_code(tmp_path: Path, options: list[str]) -> None:
    ended = run(*options, folder=tmp_path)
    assert ended.returncode == USAGE
    assert "Traceback" not in ended.stderr
    assert ended.stderr.splitlines()[-1].startswith("speed-server: ")


def test_a_file_in_the_way_of_the_data_folder_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    ended = run("--port", "0", folder=tmp_path)
    assert ended.returncode == FAILURE
    assert str(tmp_path / "data") in only_line(ended.stderr)


def test_a_damaged_key_file_is_named_and_kept(programs: Programs, tmp_path: Path) -> None:
    first = programs.server()
    assert first.end(signal.SIGTERM) == 0
    files = [path for path in first.data.iterdir() if path.is_file() and path.stat().st_size]
    kept = {path: b"damaged " + path.read_bytes()[:20] for path in files}
    for path, damaged in kept.items():
        path.write_bytes(damaged)
    ended = run("--port", "0", "--data", str(first.data), folder=tmp_path)
    assert ended.returncode == FAILURE
    assert str(first.data) in only_line(ended.stderr)
    assert {path: path.read_bytes() for path in kept} == kept


def test_a_second_server_on_the_same_data_folder_names_the_remedy(programs: Programs, tmp_path: Path) -> None:
    first = programs.server()
    ended = run("--port", "0", "--data", str(first.data), folder=tmp_path)
    assert ended.returncode == FAILURE
    assert "--data" in only_line(ended.stderr)
    assert not first.ended


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_server_with_people_at_it_ends_cleanly(programs: Programs, ending: signal.Signals) -> None:
    server = programs.server()
    anna = programs.player("anna", server)
    programs.until(lambda: anna.room, "seat for anna")
    assert server.end(ending) == 0
    assert server.complaints == ""
    programs.until(lambda: anna.of_type("end") and anna.ended, "end of the client of a server that stopped")
    assert anna.told[-1]["word"] == "stopping"
    assert "Traceback" not in anna.complaints


def test_a_server_without_standard_input_serves(programs: Programs) -> None:
    server = programs.server(hears=False)
    anna = programs.player("anna", server)
    programs.until(lambda: anna.room, "seat for anna")


def test_the_printed_line_is_what_a_player_types(programs: Programs) -> None:
    server = programs.server()
    programs.until(lambda: any("speed-client" in line for line in server.lines), "line to type")
    printed = next(line.split() for line in server.lines if "speed-client" in line)
    client = programs.add(
        Program("typed", [str(BIN / printed[0]), *printed[1:], "--json", "--name", "typed"], programs.folder)
    )
    programs.until(lambda: client.lines, "word of the client")
    assert not client.ended
