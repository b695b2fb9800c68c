from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import zmq
from zmq.utils import z85

from speed_client.connection import Connection
from speed_client.door import Address, DoorError, DoorLine, Server
from speed_client.passes import TOO_MANY, not_admitted, where_it_is_typed, with_pass, with_word
from speed_client.profile import Profile
from speed_client.watching import Watching
from speed_common.passcode import make_invite, parse_invite, passcode_secret

ID = "0123456789abcdef"
KEY = zmq.curve_keypair()[0].decode()
LINE = DoorLine(
    speed="speed-lan", name="anna's", id=ID, protocol=(1, 1), version="1", key=KEY, play=1, watch=2, locked=True,
    watch_locked=True,
)  # fmt: skip
SERVER = Server(Address("anna.local", 7770), "192.0.2.7", LINE)


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return Profile(tmp_path)


def opened_by(passcode: str) -> bytes:
    return zmq.curve_public(z85.encode(passcode_secret(passcode, ID)))


def test_an_open_server_takes_no_pass_whatever_is_given(profile: Profile) -> None:
    server = Server(SERVER.address, SERVER.numeric, msgspec.structs.replace(LINE, locked=False))
    assert with_pass(server, profile, watching=False) is server
    assert with_pass(server, profile, passcode="green frog", watching=False) is server


def test_a_closed_server_without_a_passcode_is_one_sentence_with_the_remedy(profile: Profile) -> None:
    with pytest.raises(DoorError, match="is closed: ask its host, then give --passcode WORD or --invite CODE"):
        with_pass(SERVER, profile, watching=False)


def test_a_passcode_becomes_the_pair_that_the_server_knows(profile: Profile) -> None:
    pass_ = with_pass(SERVER, profile, passcode="green frog", watching=False).pass_
    assert pass_ is not None
    assert pass_.public == opened_by("green frog")
    assert pass_.secret.decode() not in repr(pass_)


def test_it_is_kept_once_the_server_took_it_and_not_before(profile: Profile) -> None:
    given = with_pass(SERVER, profile, passcode="green frog", watching=False).pass_
    with pytest.raises(DoorError):
        with_pass(SERVER, profile, watching=False)
    assert given is not None
    given.admitted()
    kept = with_pass(SERVER, profile, watching=True).pass_
    assert kept is not None
    assert (kept.public, kept.secret, kept.kept) == (given.public, given.secret, True)


def test_an_invitation_is_a_passcode(profile: Profile) -> None:
    invite = make_invite(b"12345", KEY)
    pass_ = with_pass(SERVER, profile, invite=invite, watching=False).pass_
    assert pass_ is not None
    assert pass_.public == opened_by(parse_invite(invite)[0])


def test_an_invitation_to_another_server_is_refused_even_at_an_open_one(profile: Profile) -> None:
    server = Server(SERVER.address, SERVER.numeric, msgspec.structs.replace(LINE, locked=False))
    with pytest.raises(DoorError, match="not the one that this invitation is to"):
        with_pass(server, profile, invite=make_invite(b"12345", "x" * 40), watching=False)


def test_a_damaged_kept_pass_asks_for_the_passcode(profile: Profile) -> None:
    profile.keep_pass(ID, "~" * 40, watching=False)
    with pytest.raises(DoorError, match="give its passcode again"):
        with_pass(SERVER, profile, watching=False)


def test_each_refusal_has_its_own_sentence(profile: Profile) -> None:
    given = with_pass(SERVER, profile, passcode="green frog", watching=False)
    assert given.pass_ is not None
    given.pass_.admitted()
    kept = with_pass(SERVER, profile, watching=False)
    said = [not_admitted(server, code) for server in (SERVER, given, kept) for code in (400, TOO_MANY)]
    assert "is closed now" in said[0]
    assert "did not take this passcode" in said[2]
    assert "another passcode than at the last visit" in said[4]
    assert all("wait a minute" in sentence for sentence in said[1::2])


@pytest.mark.parametrize(
    ("was_in", "code", "ended"),
    [(False, 400, True), (False, TOO_MANY, True), (True, 400, True), (True, TOO_MANY, False)],
)
def test_only_who_was_in_before_waits_until_others_have_guessed_enough(was_in: bool, code: int, ended: bool) -> None:  # noqa: FBT001
    end = Watching(0, 0)
    with Connection(SERVER) as connection:
        if was_in:
            connection._let_in()
        connection._turned_away(end, code)
    assert (end.ended is not None) is ended
    if end.ended is not None:
        assert end.ended.word == "locked"


def test_a_typed_word_is_an_invitation_to_this_server_or_else_a_passcode(profile: Profile) -> None:
    invite = make_invite(b"12345", KEY).casefold()
    other = make_invite(b"12345", zmq.curve_keypair()[0].decode()).casefold()
    words = {invite: parse_invite(invite)[0], other: other, "green frog": "green frog"}
    for typed, passcode in words.items():
        pass_ = with_word(SERVER, profile, typed, watching=False).pass_
        assert pass_ is not None
        assert pass_.public == opened_by(passcode)


def test_where_a_passcode_can_be_typed_no_option_is_named() -> None:
    said = not_admitted(with_word(SERVER, Profile(Path()), "green frog", watching=False), 400)
    assert where_it_is_typed(said).endswith("did not take this passcode")
    assert "minute" in where_it_is_typed(not_admitted(SERVER, TOO_MANY))
