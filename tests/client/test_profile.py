from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from speed_client.door import Address, DoorError, DoorLine, Server, fingerprint
from speed_client.profile import Profile, default_name, open_profile
from speed_client.progress import Progress
from speed_common.names import clean_name
from speed_common.words import key_words

KEY = "k" * 40
ID = "0123456789abcdef"


def server(key: str = KEY, server_id: str = ID, host: str = "anna.local", numeric: str = "127.0.0.1") -> Server:
    line = DoorLine(
        speed="speed-lan", name="anna's", id=server_id, protocol=(1, 1), version="1", key=key, play=1, watch=2
    )
    return Server(Address(host, 7770), numeric, line)


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


def test_a_server_met_for_the_first_time_is_introduced_by_its_words_and_only_then(tmp_path: Path) -> None:
    profile = Profile(tmp_path)
    here = server(numeric="192.0.2.7")
    profile.remember(here)
    assert "first time" in profile.introduction
    assert key_words(here.line.key) in profile.introduction
    assert profile.notes == [profile.introduction]
    again = Profile(tmp_path)
    again.remember(here)
    assert (again.introduction, again.notes) == ("", [])


def test_another_server_at_a_known_address_is_introduced_as_such(tmp_path: Path) -> None:
    profile = Profile(tmp_path)
    first = server(numeric="192.0.2.7")
    profile.remember(first)
    other = msgspec.structs.replace(first.line, id="f" * 16)
    profile.remember(Server(first.address, first.numeric, other))
    assert "another server than before" in profile.introduction


def test_nobody_stands_between_a_machine_and_itself(tmp_path: Path) -> None:
    profile = Profile(tmp_path)
    profile.remember(server())
    assert profile.introduction == ""


def test_a_changed_key_is_told_with_both_fingerprints_both_words_and_the_way_out(tmp_path: Path) -> None:
    profile = Profile(tmp_path)
    first = server(numeric="192.0.2.7")
    profile.remember(first)
    changed = msgspec.structs.replace(first.line, key="x" * 40)
    with pytest.raises(DoorError, match="HAS CHANGED") as caught:
        profile.remember(Server(first.address, first.numeric, changed))
    for key in (first.line.key, changed.key):
        assert fingerprint(key) in str(caught.value)
        assert key_words(key) in str(caught.value)
    assert f"speed-client --forget {first.address}" in str(caught.value)


def test_a_pass_is_kept_for_its_server_and_forgotten_with_it(tmp_path: Path) -> None:
    profile = Profile(tmp_path)
    here = server()
    profile.remember(here)
    profile.keep_pass(here.line.id, "s" * 40, watching=False)
    assert profile.kept_pass(here.line.id, watching=False) == "s" * 40
    assert profile.kept_pass(here.line.id, watching=True) == "s" * 40, "who may play may watch"
    assert profile.kept_pass("f" * 16, watching=False) == ""
    profile.keep_pass(here.line.id, "w" * 40, watching=True)
    assert profile.kept_pass(here.line.id, watching=True) == "w" * 40
    assert profile.kept_pass(here.line.id, watching=False) == "s" * 40
    if os.name == "posix":
        assert (tmp_path / "passes.json").stat().st_mode & 0o777 == 0o600
    profile.forget(str(here.address))
    assert Profile(tmp_path).kept_pass(here.line.id, watching=True) == ""


def test_the_servers_come_back_the_last_used_first(tmp_path: Path) -> None:
    profile = Profile(tmp_path)
    for server_id, host in ((ID, "anna.local"), ("f" * 16, "fd00::7"), ("e" * 16, "10.0.0.3")):
        profile.remember(server(server_id=server_id, host=host))
    profile.used("f" * 16, 200)
    profile.used(ID, 100)
    profile.used("0" * 16, 300)
    profile.remember(server(server_id="f" * 16, host="fd00::8"))
    assert [(found, address.host) for found, _, address in Profile(tmp_path).recent()] == [
        ("f" * 16, "fd00::8"),
        (ID, "anna.local"),
        ("e" * 16, "10.0.0.3"),
    ]


def test_what_practice_brought_is_kept(tmp_path: Path) -> None:
    assert Profile(tmp_path).progress() == Progress()
    Profile(tmp_path).keep_progress(Progress(5, {4: 1}, True))
    assert Profile(tmp_path).progress() == Progress(5, {4: 1}, True)
