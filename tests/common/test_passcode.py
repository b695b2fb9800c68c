from __future__ import annotations

import pytest

from speed_common.passcode import (
    INVITE_BYTES,
    PasscodeError,
    clean_passcode,
    is_invited_to,
    make_invite,
    parse_invite,
    passcode_secret,
)

KEY, OTHER_KEY = "k" * 40, "x" * 40


@pytest.mark.parametrize("typed", ["green frog 7", " Green  FROG 7 ", "\uff27\uff32\uff25\uff25\uff2e frog 7"])
def test_capitals_and_blanks_make_no_difference(typed: str) -> None:
    assert clean_passcode(typed) == "green frog 7"


@pytest.mark.parametrize("typed", ["", "abc", "   a   b ", "x" * 65, "abcd\x1b[2J"])
def test_what_cannot_be_typed_or_is_too_short_is_no_passcode(typed: str) -> None:
    with pytest.raises(PasscodeError, match="4 to 64"):
        clean_passcode(typed)


def test_the_secret_is_the_passcode_s_and_the_server_s() -> None:
    secret = passcode_secret("green frog", "0123456789abcdef")
    assert secret.hex() == "2e156a181f32339ddd75d3206a91e388ca2c670223ce9fd56759aeabf2dda537"
    assert secret != passcode_secret("green frog", "0123456789abcdee")
    assert secret != passcode_secret("green frogs", "0123456789abcdef")


def test_an_invitation_is_sixteen_signs_that_nobody_mistakes() -> None:
    invite = make_invite(bytes(range(INVITE_BYTES)), KEY)
    assert [len(part) for part in invite.split("-")] == [4, 4, 4, 4]
    assert not set(invite) & set("ILOU")


@pytest.mark.parametrize("change", [str, str.lower, lambda text: text.replace("-", ""), lambda text: f" {text} "])
def test_an_invitation_is_read_as_it_was_meant(change: object) -> None:
    assert callable(change)
    invite = make_invite(b"\x00\x44\x32\x14\xc7", KEY)
    assert "0" in invite or "1" in invite
    passcode, check = parse_invite(change(invite))
    assert passcode == invite.replace("-", "")[:8].casefold()
    assert clean_passcode(passcode) == passcode
    assert is_invited_to(check, KEY)
    assert not is_invited_to(check, OTHER_KEY)
    assert parse_invite(change(invite).replace("0", "O").replace("1", "l")) == (passcode, check)


@pytest.mark.parametrize("typed", ["", "K7QM-2XZP-9TRA-44C", "K7QM-2XZP-9TRA-44CNN", "K7QM-2XZP-9TRA-44C!", "hello"])
def test_what_is_no_invitation_says_what_one_looks_like(typed: str) -> None:
    with pytest.raises(PasscodeError, match="16 letters and digits"):
        parse_invite(typed)


def test_two_invitations_share_their_half_of_the_key_and_no_more() -> None:
    first, second = (make_invite(bytes([n] * INVITE_BYTES), KEY) for n in (1, 2))
    assert first[10:] == second[10:]
    assert first[:9] != second[:9]
