from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from speed_client.door import Address, DoorError, DoorLine, Server, fingerprint
from speed_client.profile import Profile, default_name, open_profile
from speed_common.names import clean_name

KEY = "k" * 40
ID = "0123456789abcdef"


def server(key: str = KEY, server_id: str = ID, host: str = "anna.local") -> Server:
    line = DoorLine(
        speed="speed-lan", name="anna's", id=server_id, protocol=(1, 1), version="1", key=key, play=1, watch=2
    )
    return Server(Address(host, 7770), "10.0.0.1", line)


def test_a_server_is_remembered_by_its_key(tmp_path: Path) -> None:
    Profile(tmp_path).remember(server())
    again = Profile(tmp_path)
    again.remember(server())
    again.remember(server(host="10.0.0.1"))
    assert again.notes == []


def test_a_changed_key_is_refused_with_both_fingerprints_and_the_way_out(tmp_path: Path) -> None:
    Profile(tmp_path).remember(server())
    other = "z" * 40
    with pytest.raises(DoorError) as refused:
        Profile(tmp_path).remember(server(other))
    text = str(refused.value)
    assert fingerprint(KEY) in text
    assert fingerprint(other) in text
    assert "speed-client --forget anna.local:7770" in text


def test_a_forgotten_server_may_have_a_new_key(tmp_path: Path) -> None:
    profile = Profile(tmp_path)
    profile.remember(server())
    assert profile.forget("elsewhere:7770") == []
    assert profile.forget("anna.local:7770") == ["anna's"]
    profile.remember(server("z" * 40))


def test_a_ticket_is_kept_for_the_next_visit_of_that_name_at_that_server(tmp_path: Path) -> None:
    claim = Profile(tmp_path).claim(ID, "anna")
    assert (claim.name, claim.ticket) == ("anna", b"")
    claim.save(b"t" * 16)
    claim.release()
    for server_id, name, ticket in ((ID, "anna", b"t" * 16), (ID, "bob", b""), ("f" * 16, "anna", b"")):
        other = Profile(tmp_path).claim(server_id, name)
        assert (other.name, other.ticket) == (name, ticket)
        other.release()


def test_a_second_client_of_the_same_name_gets_another_name_and_no_ones_ticket(tmp_path: Path) -> None:
    first = Profile(tmp_path).claim(ID, "anna")
    first.save(b"t" * 16)
    second = Profile(tmp_path).claim(ID, "anna")
    assert (second.name, second.ticket) == ("anna 2", b"")
    third = Profile(tmp_path).claim(ID, "anna")
    assert third.name == "anna 3"
    first.release()
    fourth = Profile(tmp_path).claim(ID, "anna")
    assert (fourth.name, fourth.ticket) == ("anna", b"t" * 16)
    for claim in (second, third, fourth):
        claim.release()


@pytest.mark.parametrize("name", ["sixteen letters.", "日本語日本語日本"])
def test_a_numbered_name_is_still_a_name(tmp_path: Path, name: str) -> None:
    first, second = Profile(tmp_path).claim(ID, name), Profile(tmp_path).claim(ID, name)
    assert clean_name(second.name) == second.name
    assert second.name.endswith(" 2")
    first.release()
    second.release()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_what_is_kept_is_for_the_player_alone(tmp_path: Path) -> None:
    profile = Profile(tmp_path / "new" / "home")
    profile.remember(server())
    claim = profile.claim(ID, "anna")
    claim.save(b"t" * 16)
    claim.release()
    for path in profile.folder.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert not list(profile.folder.rglob(".new-*"))


@pytest.mark.parametrize("damage", [b"", b"garbage", b"[1]", b'{"a": 1}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_list_of_servers_is_put_aside_and_play_goes_on(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "servers.json").write_bytes(damage)
    profile = Profile(tmp_path)
    profile.remember(server())
    (note,) = profile.notes
    assert "servers.json.bad" in note
    assert (tmp_path / "servers.json.bad").read_bytes() == damage
    Profile(tmp_path).remember(server())


@pytest.mark.parametrize("damage", [b"{", b'{"name": "anna", "ticket": "xyz"}', b'{"name": "anna", "ticket": "00"}'])
def test_a_damaged_ticket_is_put_aside_and_play_goes_on(tmp_path: Path, damage: bytes) -> None:
    claim = Profile(tmp_path).claim(ID, "anna")
    claim.save(b"t" * 16)
    claim.release()
    (path,) = (tmp_path / "tickets").glob("*.json")
    path.write_bytes(damage)
    profile = Profile(tmp_path)
    again = profile.claim(ID, "anna")
    assert again.ticket == b""
    assert len(profile.notes) == 1
    assert path.with_name(path.name + ".bad").read_bytes() == damage
    again.release()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_put_aside_and_play_goes_on(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "servers.json")
    profile = Profile(tmp_path)
    profile.remember(server())
    assert "servers.json.bad" in profile.notes[0]
    again = Profile(tmp_path)
    assert again.forget("anna.local:7770") == ["anna's"]
    assert again.notes == []


def test_a_folder_that_cannot_be_written_is_noted_and_play_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    profile = Profile(tmp_path / "file" / "home")
    profile.remember(server())
    claim = profile.claim(ID, "anna")
    claim.save(b"t" * 16)
    claim.release()
    assert claim.name == "anna"
    assert 1 <= len(profile.notes) <= 4


def test_a_home_variable_overrides_the_folder(tmp_path: Path) -> None:
    assert open_profile({"SPEED_HOME": str(tmp_path)}).folder == tmp_path
    assert open_profile({}).folder.name == "client"
    assert "speed-lan" in str(open_profile({}).folder)


def test_the_users_name_is_made_fit_or_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "Anna")
    assert default_name() == "Anna"
    monkeypatch.setattr("getpass.getuser", lambda: "dom\\anna")
    assert default_name() == "player"
