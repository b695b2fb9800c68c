"""What the client says when there is no game to be had: each cause its own sentence, soon, and no traceback."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq

from processes import BIN, Programs, Server

USAGE = 2
FAILURE = 1
SOON_S = 3.0
STARTING_S = 2.0

Line = dict[str, Any]


def client(*arguments: str, home: Path) -> subprocess.Popen[str]:
    """A client that should end by itself."""
    return subprocess.Popen(
        [str(BIN / "speed-client"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"SPEED_HOME": str(home)},
    )


def sentence(process: subprocess.Popen[str], code: int = FAILURE) -> str:
    """The one line that it ended with, in time and with the right code."""
    began = time.monotonic()
    said, complained = process.communicate(timeout=SOON_S + STARTING_S)
    assert time.monotonic() - began < SOON_S + STARTING_S
    assert process.returncode == code, (said, complained)
    lines = complained.splitlines()
    assert len(lines) == 1, complained
    return lines[0]


@contextmanager
def stranger() -> Iterator[tuple[socket.socket, int]]:
    """Somebody else's listener on a free port; `serve` lets one visitor in."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(SOON_S + STARTING_S)
        yield listener, listener.getsockname()[1]


def serve(listener: socket.socket, says: bytes) -> socket.socket:
    """Let one visitor in and say something to it."""
    visitor, _ = listener.accept()
    visitor.sendall(says)
    return visitor


def door_line(server: Server) -> Line:
    """What a server says at its door."""
    with (
        socket.create_connection((server.host, server.port), timeout=SOON_S) as visit,
        visit.makefile("rb") as said,
    ):
        line: Line = json.loads(said.readline())
    return line


def test_a_wrong_host_name(tmp_path: Path) -> None:
    said = sentence(client("no-such-host.invalid", "--json", home=tmp_path))
    assert "no-such-host.invalid" in said


def test_a_host_that_does_not_answer(tmp_path: Path) -> None:
    said = sentence(client("203.0.113.1", "--json", home=tmp_path))
    assert "203.0.113.1" in said


def test_a_closed_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    said = sentence(client(f"127.0.0.1:{port}", "--json", home=tmp_path))
    assert f"127.0.0.1:{port}" in said
    assert "speed-server" in said


@pytest.mark.parametrize(
    "greeting",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"220 mail ready\r\n",
        b"\x00\xff" * 5_000,
        b"{}\n",
        b'{"speed": "other"}\n',
        b"[" * 50_000,
    ],
)
def test_another_service(tmp_path: Path, greeting: bytes) -> None:
    with stranger() as (listener, port):
        process = client(f"127.0.0.1:{port}", "--json", home=tmp_path)
        serve(listener, greeting).close()
        said = sentence(process)
    assert f"127.0.0.1:{port}" in said


def test_a_service_that_waits_for_the_visitor_to_speak(tmp_path: Path) -> None:
    with stranger() as (listener, port):
        process = client(f"127.0.0.1:{port}", "--json", home=tmp_path)
        with serve(listener, b""):
            said = sentence(process)
    assert f"127.0.0.1:{port}" in said


def test_another_protocol_version_names_both(programs: Programs, tmp_path: Path) -> None:
    line = door_line(programs.server()) | {"protocol": [17, 19], "version": "9.8.7"}
    with stranger() as (listener, port):
        process = client(f"127.0.0.1:{port}", "--json", home=tmp_path)
        serve(listener, json.dumps(line).encode() + b"\n").close()
        said = sentence(process)
    assert "17" in said
    assert "1" in said.replace("17", "").replace("19", "").replace(str(port), "").replace("127.0.0.1", "")


def test_a_changed_server_key_is_refused_until_it_is_forgotten(programs: Programs) -> None:
    server = programs.server()
    anna = programs.player("anna", server)
    programs.until(lambda: anna.room, "seat for anna")
    anna.end(signal.SIGTERM)
    changed = door_line(server) | {"key": zmq.curve_keypair()[0].decode()}
    with stranger() as (listener, port):
        process = client(f"127.0.0.1:{port}", "--json", home=anna.home)
        serve(listener, json.dumps(changed).encode() + b"\n").close()
        said = sentence(process)
    assert "--forget" in said
    forgotten = client("--forget", server.address, home=anna.home)
    _, complained = forgotten.communicate(timeout=SOON_S + STARTING_S)
    assert (forgotten.returncode, complained) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["127.0.0.1:seven"],
        ["127.0.0.1:99999"],
        ["127.0.0.1", "--bot", "11"],
        ["127.0.0.1", "--table", "best"],
        ["127.0.0.1", "--name", "\x1b[2J"],
        ["127.0.0.1", "--what"],
        ["--forget", ""],
        ["127.0.0.1", "--watch", "--table", "new"],
    ],
)
def test_a_bad_command_line_ends_with_the_usage_code(tmp_path: Path, arguments: list[str]) -> None:
    process = client(*arguments, home=tmp_path)
    _, complained = process.communicate(timeout=SOON_S + STARTING_S)
    assert process.returncode == USAGE
    assert "Traceback" not in complained
    assert complained.splitlines()[-1].startswith("speed-client: ")
