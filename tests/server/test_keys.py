import json
import os
from pathlib import Path

import pytest
import zmq

from speed_server.keys import KEY_FILE, DataFolder, Keys, KeysError


def keys_in(path: Path) -> Keys:
    folder = DataFolder(path)
    try:
        return folder.keys()
    finally:
        folder.close()


def test_the_first_start_makes_an_id_and_a_key_pair(tmp_path: Path) -> None:
    keys = keys_in(tmp_path / "server")
    assert len(bytes.fromhex(keys.server_id)) == 8
    assert zmq.curve_public(keys.secret.encode()) == keys.public.encode()


def test_later_starts_find_the_same(tmp_path: Path) -> None:
    assert keys_in(tmp_path) == keys_in(tmp_path)


def test_two_folders_are_two_servers(tmp_path: Path) -> None:
    assert keys_in(tmp_path / "a").server_id != keys_in(tmp_path / "b").server_id


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_folder_and_key_are_the_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "server"
    keys_in(path)
    assert path.stat().st_mode & 0o777 == 0o700
    assert (path / KEY_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_key_that_others_may_read_is_closed_again(tmp_path: Path) -> None:
    keys_in(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o644)
    keys_in(tmp_path)
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600


def test_the_secret_key_shows_in_no_log() -> None:
    assert "hush" not in repr(Keys("id", "public", "hush"))


def _with(**changes: object) -> bytes:
    public, secret = zmq.curve_keypair()
    fields = {"format": 1, "id": "00" * 8, "public": public.decode(), "secret": secret.decode()}
    return json.dumps({**fields, **changes}).encode()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\x00" * 200,
        b"[]",
        b"null",
        b'{"format": 1}',
        b"[" * 100_000,
        _with()[:-20],
        _with(format=2),
        _with(id="short"),
        _with(id=7),
        _with(secret="x" * 39),
        _with(secret=None),
        _with(public="x" * 40),
        _with(secret="\u00e9" * 40),
    ],
)
def test_a_damaged_key_is_named_and_kept(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / KEY_FILE
    path.write_bytes(text)
    with pytest.raises(KeysError, match=r"server-key\.json is damaged.*move it away"):
        keys_in(tmp_path)
    assert path.read_bytes() == text


def test_a_second_server_on_the_folder_is_told_to_take_another(tmp_path: Path) -> None:
    first = DataFolder(tmp_path)
    with pytest.raises(KeysError, match=r"another speed-server uses.*--data DIR"):
        DataFolder(tmp_path)
    first.close()
    DataFolder(tmp_path).close()


def test_a_folder_that_cannot_be_made_names_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(KeysError, match=r"cannot write in the folder .*--data DIR"):
        DataFolder(tmp_path / "file" / "server")


def test_a_key_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).mkdir()
    with pytest.raises(KeysError, match="cannot read the server's key"):
        keys_in(tmp_path)


def test_what_a_crash_left_half_written_does_not_stop_the_next_start(tmp_path: Path) -> None:
    half = (tmp_path / KEY_FILE).with_suffix(".new")
    half.write_bytes(b'{"format"')
    keys = keys_in(tmp_path)
    assert not half.exists()
    assert keys_in(tmp_path) == keys
