import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from speed_common import __version__, wire
from speed_server.__main__ import _say, main
from speed_server.hosting import SECRET_FILE
from speed_server.keys import KEY_FILE, DataFolder

PATIENCE_S = 20


class Server:
    """A server process on loopback, up and greeting."""

    def __init__(self, data: Path, *words: str, before: tuple[str, ...] = ()) -> None:
        command = [*before, sys.executable, "-m", "speed_server", "--host", "127.0.0.1", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--data", str(data), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.greeting: list[str] = []
        for line in self.process.stdout:
            self.greeting.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        found = re.fullmatch(r"ports: door (\d+), play (\d+), watch (\d+)", self.greeting[1])
        assert found is not None
        self.door, self.play, self.watch = map(int, found.groups())

    def door_line(self) -> bytes:
        with socket.create_connection(("127.0.0.1", self.door), timeout=PATIENCE_S) as visitor:
            return b"".join(iter(lambda: visitor.recv(4_096), b""))

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, "--name", "anna's laptop", "--bots", "1")
    yield server
    if server.process.returncode is None:
        server.process.kill()
        server.process.communicate()


def test_the_greeting_tells_what_to_type(server: Server, tmp_path: Path) -> None:
    assert server.greeting == [
        f"speed-server {__version__}: anna's laptop",
        f"ports: door {server.door}, play {server.door + 1}, watch {server.door + 2}",
        "Players type:",
        f"  speed-client 127.0.0.1:{server.door}",
        "Watchers type:",
        f"  speed-client 127.0.0.1:{server.door} --watch",
        f"The director's secret, for tournaments: {(tmp_path / SECRET_FILE).read_text().strip()}",
        "Ctrl-C stops the server.",
    ]


def test_the_door_is_open_once_the_greeting_is_out(server: Server, tmp_path: Path) -> None:
    line = json.loads(server.door_line())
    assert (line["name"], line["players"], line["tables"]) == ("anna's laptop", 0, 1)
    assert (line["play"], line["watch"]) == (server.play, server.watch)
    kept = json.loads((tmp_path / KEY_FILE).read_text())
    assert (line["id"], line["key"]) == (kept["id"], kept["public"])


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_it_cleanly(server: Server, name: str) -> None:
    assert server.end(getattr(signal, name)) == (0, "stopped\n", "")


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_a_server_without_stdin_serves_and_ends_like_any_other(tmp_path: Path) -> None:
    server = Server(tmp_path, before=("sh", "-c", 'exec "$@" <&-', "sh"))
    assert server.door_line()
    assert server.end() == (0, "stopped\n", "")


def test_a_server_started_by_a_program_ends_with_its_pipe_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command = [sys.executable, "-m", "speed_server", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(
        [*command, "--temporary", "--until-stdin-closes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        while not process.stdout.readline().startswith("Ctrl-C"):
            pass
        assert [path.name[:13] for path in tmp_path.iterdir()] == ["speed-server-"]
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
        assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_a_server_whose_greeting_nobody_reads_any_more_ends_cleanly_too(tmp_path: Path) -> None:
    server = Server(tmp_path)
    assert server.process.stdout is not None
    server.process.stdout.close()
    server.process.stdout = None
    server.process.terminate()
    _, err = server.process.communicate(timeout=PATIENCE_S)
    assert (server.process.returncode, err) == (0, "")


def test_a_name_that_the_output_cannot_write_is_escaped_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    server = Server(tmp_path, "--name", "Zoë")
    assert server.greeting[0].endswith(": Zo\\xeb")
    assert json.loads(server.door_line())["name"] == "Zoë"
    assert server.end()[0] == 0


def test_a_server_without_any_output_greets_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    _say(["hello"])


def test_a_player_says_hello_and_hears_that_the_server_stops(server: Server) -> None:
    key = json.loads(server.door_line())["key"]
    with zmq.Context() as context, context.socket(zmq.DEALER) as player:
        player.linger = 0
        player.rcvtimeo = PATIENCE_S * 1_000
        player.curve_serverkey = key.encode()
        player.curve_publickey, player.curve_secretkey = zmq.curve_keypair()
        player.connect(f"tcp://127.0.0.1:{server.play}")
        player.send(wire.encode(wire.Hello(wire.PROTOCOL_LOW, wire.PROTOCOL_HIGH, __version__, "anna")))
        assert isinstance(wire.decode_down(player.recv()), wire.Welcome)
        assert server.end()[0] == 0
        said = wire.decode_down(player.recv())
        while not isinstance(said, wire.Goodbye):
            said = wire.decode_down(player.recv())
        assert said.word == "stopping"


def test_a_watcher_gets_the_table_where_two_computers_play(server: Server) -> None:
    key = json.loads(server.door_line())["key"]
    with zmq.Context() as context, context.socket(zmq.SUB) as watcher:
        watcher.linger = 0
        watcher.rcvtimeo = PATIENCE_S * 1_000
        watcher.curve_serverkey = key.encode()
        watcher.curve_publickey, watcher.curve_secretkey = zmq.curve_keypair()
        watcher.connect(f"tcp://127.0.0.1:{server.watch}")
        watcher.subscribe(wire.table_topic(1))
        topic, data = watcher.recv_multipart()
    assert topic == wire.table_topic(1)
    snapshot = wire.decode_down(data)
    assert isinstance(snapshot, wire.Snapshot)
    assert all(seat.level for seat in snapshot.room.seats)


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the one line on stderr says of a server that could not start."""
    assert main(["--host", "127.0.0.1", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("speed-server: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("above", [0, 1, 2], ids=["door", "play", "watch"])
def test_a_port_in_use_names_the_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str], above: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        said = complaint(capsys, "--port", str(taken - above), "--data", str(tmp_path))
    assert "is in use" in said
    assert "--port" in said


def test_a_folder_that_cannot_be_written_names_the_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert "--data DIR" in complaint(capsys, "--port", "0", "--data", str(tmp_path / "file" / "x"))


def test_a_second_server_on_the_folder_names_the_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = DataFolder(tmp_path)
    assert "another speed-server" in complaint(capsys, "--port", "0", "--data", str(tmp_path))
    folder.close()


def test_a_damaged_key_is_named_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / KEY_FILE).write_text("{")
    assert "is damaged" in complaint(capsys, "--port", "0", "--data", str(tmp_path))
    assert (tmp_path / KEY_FILE).read_text() == "{"


def test_a_host_that_is_not_here_names_the_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--host" in complaint(capsys, "--host", "203.0.113.9", "--port", "0", "--data", str(tmp_path))
