from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.client.serving import closed_port, door, door_line, served

from speed_client.__main__ import main
from speed_client.command import invitation
from speed_client.settings import Options, parse_host

PATIENCE = 60.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPEED_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    short = ["--countdown", "0.3", "--draw", "3", "--side", "17", "--flip-delay", "0.2"]
    with served(tmp_path_factory.mktemp("server"), *short) as number:
        yield number


def client(home: Path, *argv: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "speed_client", *argv],
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "SPEED_HOME": str(home)},
    )


class Program:
    """A running `--json` client that somebody's own code talks to."""

    def __init__(self, home: Path, *argv: str) -> None:
        self.seat = 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "speed_client", *argv, "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**os.environ, "SPEED_HOME": str(home)},
        )

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the client has ended"
        fields: dict[str, Any] = json.loads(line)
        return fields

    def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        line = self.read()
        while line["type"] != kind or any(line[name] != value for name, value in fields.items()):
            line = self.read()
        return line

    def say(self, **command: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def close(self) -> int:
        code = self.process.wait(PATIENCE)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        return code


def fitting(state: dict[str, Any]) -> int | None:
    """The slot of a card that fits a top, by the rules of the README alone."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    tops = [ranks.index(card[:-1]) for card in state["tops"]]
    for slot, card in enumerate(state["hand"]):
        if card is not None and any((ranks.index(card[:-1]) - top) % 13 in {1, 12} for top in tops):
            return slot
    return None


# --- what ends before it begins ---------------------------------------------------------------------------------------


def complaint(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 1
    error = capsys.readouterr().err
    assert error.startswith("speed-client: ")
    assert error.count("\n") == 1
    return error


def test_a_closed_port_is_one_sentence_and_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing listens on" in complaint(capsys, f"127.0.0.1:{closed_port()}")


def test_another_service_is_one_sentence_and_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    with door(b"HTTP/1.0 400 Bad Request\r\n\r\n") as number:
        assert "it is not speed-server" in complaint(capsys, f"127.0.0.1:{number}", "--watch")


def test_another_protocol_is_one_sentence_and_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    with door(door_line(protocol=[9, 9])) as number:
        assert "protocol 9" in complaint(capsys, f"127.0.0.1:{number}")


def test_a_changed_key_is_one_sentence_until_the_server_is_forgotten(
    capsys: pytest.CaptureFixture[str], port: int, home: Path
) -> None:
    host = f"127.0.0.1:{port}"
    assert main([host, "--plain"]) == 0
    capsys.readouterr()
    servers = json.loads((home / "servers.json").read_text())
    for known in servers.values():
        known["key"] = known["key"][::-1]
    (home / "servers.json").write_text(json.dumps(servers))
    assert f"--forget {host}" in complaint(capsys, host)
    assert main(["--forget", host]) == 0
    assert "forgot the key of" in capsys.readouterr().out
    assert "no server is known" in complaint(capsys, "--forget", host)
    assert main([host, "--plain"]) == 0


def test_a_table_that_is_not_there_is_code_1(home: Path, port: int) -> None:
    done = client(home, f"127.0.0.1:{port}", "--table", "77", "--plain")
    assert done.returncode == 1
    assert "no table of that number" in done.stdout
    assert done.stderr == ""


def test_help_and_version_need_neither_the_screen_nor_the_sockets() -> None:
    code = (
        "import sys; from speed_client.__main__ import main\n"
        "assert main(['--version']) == 0\n"
        "assert not {'zmq', 'prompt_toolkit', 'asyncio', 'msgpack'} & set(sys.modules), 'too much was imported'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("speed-client ")


def test_the_list_of_servers_needs_neither_the_sockets_nor_the_table() -> None:
    code = (
        "import asyncio, sys\n"
        "from speed_client import command, front\n"
        "from speed_client.desk import Desk\n"
        "from speed_client.settings import parse_options\n"
        "async def shown(_front): return 0\n"
        "front.Front.run = shown\n"
        "assert asyncio.run(command._alone(parse_options([], {'TERM': 'xterm'}, terminal=True), Desk())) == 0\n"
        "late = {'zmq', 'zeroconf', 'speed_client.session', 'speed_client.painters.table'} & set(sys.modules)\n"
        "assert not late, late"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_line_modes_do_not_load_the_screen(home: Path, port: int) -> None:
    code = (
        "import sys; from speed_client.__main__ import main\n"
        f"assert main(['127.0.0.1:{port}', '--json']) == 0\n"
        "assert 'prompt_toolkit' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SPEED_HOME": str(home)},
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("host", "port", "typed"),
    [
        ("10.0.0.7", 7770, "10.0.0.7"),
        ("annas-laptop", 9000, "annas-laptop:9000"),
        ("fd00::2", 7770, "fd00::2"),
        ("fd00::2", 7780, "[fd00::2]:7780"),
        ("127.0.0.1", 7770, ""),
        ("127.0.1.1", 9000, ""),
        ("localhost", 7770, ""),
        ("::1", 9000, ""),
        ("0.0.0.0", 7770, ""),
        ("fe80::1%eth0", 7770, ""),
    ],
)
def test_others_are_told_what_they_can_type_too_and_nothing_that_means_their_own_machine(
    host: str, port: int, typed: str
) -> None:
    assert invitation(Options(host, port)) == typed
    if typed:
        assert parse_host(typed) == (host, port)


# --- a whole deal -----------------------------------------------------------------------------------------------------


def test_a_bot_and_a_program_play_a_whole_deal_while_a_spectator_reads_along(tmp_path: Path, port: int) -> None:
    host = f"127.0.0.1:{port}"
    watcher = Program(tmp_path / "w", host, "--watch")
    watcher.until("link", link="up")
    program = Program(tmp_path / "a", host, "--name", "anna", "--table", "new", "--ready")
    table = program.until("room", phase="waiting")["table"]
    bot = subprocess.Popen(
        [sys.executable, "-m", "speed_client.bot", host, "--speed", "10", "--deals", "1"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SPEED_HOME": str(tmp_path / "b")},
    )
    line = program.until("revealed")
    state: dict[str, Any] = {}
    while not (line["type"] == "room" and line["phase"] == "over"):
        state = line.get("state") or state
        if line["type"] in {"revealed", "played", "flipped", "tucked", "refused"} and fitting(state) is not None:
            program.say(play=fitting(state), pile=None)
        line = program.read()
    result = line
    seen = watcher.until("room", phase="over", table=table)
    assert {key: value for key, value in result["state"].items() if key != "hand"} == seen["state"]
    assert result["result"] == seen["result"]
    program.say(leave=True)
    watcher.say(leave=True)
    assert (program.close(), watcher.close()) == (0, 0)
    said, _ = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 0
    assert "deal 1: " in said


def test_a_client_killed_in_mid_deal_comes_back_to_its_hand(tmp_path: Path, port: int) -> None:
    argv = (f"127.0.0.1:{port}", "--name", "eva", "--bot", "1", "--ready")
    first = Program(tmp_path, *argv)
    hand = first.until("revealed")["state"]["hand"]
    first.process.kill()
    first.close()
    again = Program(tmp_path, *argv)
    assert again.until("welcome")["resumed"]
    assert again.until("room")["state"]["hand"] == hand
    again.say(leave=True)
    assert again.close() == 0


def test_a_second_client_of_the_same_name_does_not_take_the_seat(tmp_path: Path, port: int) -> None:
    argv = (f"127.0.0.1:{port}", "--name", "gus", "--table", "new")
    first = Program(tmp_path, *argv)
    first.until("room")
    second = Program(tmp_path, *argv)
    assert second.until("welcome")["name"] == "gus 2"
    first.say(leave=True)
    second.say(leave=True)
    assert (first.close(), second.close()) == (0, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_in_order(tmp_path: Path, port: int, number: signal.Signals) -> None:
    program = Program(tmp_path, f"127.0.0.1:{port}", "--name", "ivo", "--table", "new")
    program.until("room")
    program.process.send_signal(number)
    assert program.until("end")["word"] == "left"
    assert program.close() == 0


def test_a_plain_script_plays_from_a_pipe(home: Path, port: int) -> None:
    done = client(home, f"127.0.0.1:{port}", "--name", "uma", "--table", "new", given="help\nhand\n\nleave\n")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "You are uma."
    assert lines[-1] == "You left the table."
    assert all(line.isprintable() for line in lines)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the output")
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
@pytest.mark.parametrize("program", ["speed_client HOST --json", "speed_client HOST --plain", "speed_client.bot HOST"])
def test_an_output_that_takes_nothing_is_one_line_and_code_1(
    home: Path, port: int, program: str, redirection: str
) -> None:
    if redirection == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no full device here")
    solo = " --bot 10 --ready" if "HOST -" in program else " --speed 10 --count 2"
    line = f"exec {sys.executable} -m {program.replace('HOST', f'127.0.0.1:{port}')}{solo} {redirection}"
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "SPEED_HOME": str(home)},
    )
    assert done.returncode == 1, done.stderr
    assert "standard output cannot be written: " in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_reader_that_closes_its_pipe_ends_the_client_quietly(tmp_path: Path, port: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "speed_client", f"127.0.0.1:{port}", "--plain", "--bot", "10", "--ready"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SPEED_HOME": str(tmp_path)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
    assert process.stderr.read() == ""
    process.stdin.close()
    process.stderr.close()


def play_through(program: Program) -> dict[str, Any]:
    """Play by the README alone, calls and flips included, until the deal is over; its last line."""
    state: dict[str, Any] = {}
    asked: object = None
    while True:
        line = program.read()
        state = line.get("state") or state
        if line["type"] == "room" and line["phase"] == "over":
            return line
        if state.get("phase") == "calling" and line["type"] == "emptied":
            if line["seat"] == program.seat:
                program.say(call=True)
        elif state.get("phase") == "stuck" and state["due_us"] != asked:
            asked = state["due_us"]
            program.say(flip=True)
        elif state.get("phase") == "playing" and line["type"] not in {"error", "lobby", "beaten"}:
            slot = fitting(state)
            if slot is not None:
                program.say(play=slot)


def test_three_programs_play_a_table_of_three_to_its_winner(tmp_path: Path, port: int) -> None:
    host = f"127.0.0.1:{port}"
    rules = "players 3 draw 5 side 17 out 2 call-speed flip-trigger all_ready gap 0.03"
    programs = [Program(tmp_path / "a", host, "--name", "ana", "--rules", rules, "--ready")]
    table = programs[0].until("room")["table"]
    there = ("--table", str(table), "--ready")
    programs += [Program(tmp_path / name, host, "--name", name, *there) for name in ("bea", "cai")]
    for seat, program in enumerate(programs):
        program.seat = seat
    with ThreadPoolExecutor(len(programs)) as threads:
        ends = list(threads.map(play_through, programs))
    assert [end["result"]["winner"] for end in ends] == [ends[0]["result"]["winner"]] * 3
    assert ends[0]["result"]["winner"] in {0, 1, 2}
    assert ends[0]["rules"]["players"] == 3
    states = [{**end["state"], "hand": None} for end in ends]
    assert states[0] == states[1] == states[2]
    for program in programs:
        program.say(leave=True)
        assert program.close() == 0
