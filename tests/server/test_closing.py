from __future__ import annotations

import os
from pathlib import Path

import pytest
import zmq
from zmq.utils import z85

from speed_common.passcode import parse_invite, passcode_secret
from speed_server.closing import INVITE_FILE, close_doors, kept_invite
from speed_server.keys import Keys, KeysError

KEYS = Keys("0123456789abcdef", "k" * 40, "s" * 40)


def opened_by(passcode: str) -> bytes:
    return z85.decode(zmq.curve_public(z85.encode(passcode_secret(passcode, KEYS.server_id))))


def test_without_a_passcode_everything_is_open() -> None:
    closing = close_doors(KEYS, None, None, None)
    assert (closing.locks.play, closing.locks.watch) == (None, None)
    assert (closing.to_play, closing.to_watch) == ("", "")


def test_a_passcode_closes_playing_and_watching_and_is_not_printed() -> None:
    closing = close_doors(KEYS, "green frog", None, None)
    assert closing.locks.play == closing.locks.watch == frozenset({opened_by("green frog")})
    assert closing.to_play == closing.to_watch == " --passcode WORD"


def test_watchers_may_have_a_word_of_their_own_and_players_still_may_watch() -> None:
    closing = close_doors(KEYS, "green frog", None, "blue frog")
    assert closing.locks.play == frozenset({opened_by("green frog")})
    assert closing.locks.watch == frozenset({opened_by("green frog"), opened_by("blue frog")})


def test_watching_alone_may_be_closed() -> None:
    closing = close_doors(KEYS, None, None, "blue frog")
    assert closing.locks.play is None
    assert closing.locks.watch == frozenset({opened_by("blue frog")})
    assert (closing.to_play, closing.to_watch) == ("", " --passcode WORD")


def test_an_invitation_opens_what_it_is_printed_for(tmp_path: Path) -> None:
    invite = kept_invite(tmp_path, KEYS, new=False)
    closing = close_doors(KEYS, None, invite, None)
    assert closing.locks.play == frozenset({opened_by(parse_invite(invite)[0])})
    assert closing.to_play == f" --invite {invite}"


def test_an_invitation_stays_until_a_new_one_is_asked_for(tmp_path: Path) -> None:
    first = kept_invite(tmp_path, KEYS, new=False)
    assert kept_invite(tmp_path, KEYS, new=False) == first
    second = kept_invite(tmp_path, KEYS, new=True)
    assert second != first
    assert kept_invite(tmp_path, KEYS, new=False) == second


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_an_invitation_is_read_by_its_owner_only(tmp_path: Path) -> None:
    invite = kept_invite(tmp_path, KEYS, new=False)
    path = tmp_path / INVITE_FILE
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    assert kept_invite(tmp_path, KEYS, new=False) == invite
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "zz", "0011", "00" * 40, "\xe9"])
def test_a_damaged_invitation_is_named_and_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / INVITE_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(KeysError, match="--invite new"):
        kept_invite(tmp_path, KEYS, new=False)
    assert (tmp_path / INVITE_FILE).read_text(encoding="utf-8") == text


def test_an_invitation_that_cannot_be_kept_names_the_remedy(tmp_path: Path) -> None:
    (tmp_path / INVITE_FILE).mkdir()
    with pytest.raises(KeysError, match="mend its rights"):
        kept_invite(tmp_path, KEYS, new=False)
