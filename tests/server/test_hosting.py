from __future__ import annotations

import os
from pathlib import Path

import pytest

from speed_server.hosting import SECRET_FILE, director_secret, main
from speed_server.keys import KeysError


def test_the_secret_is_made_once_and_is_its_owners_only(tmp_path: Path) -> None:
    secret, is_new = director_secret(tmp_path)
    assert is_new
    assert director_secret(tmp_path) == (secret, False)
    if os.name == "posix":
        assert (tmp_path / SECRET_FILE).stat().st_mode & 0o777 == 0o600


def test_a_secret_that_is_too_short_is_refused(tmp_path: Path) -> None:
    (tmp_path / SECRET_FILE).write_text("abc\n")
    with pytest.raises(KeysError, match="not of 8 to 64 letters"):
        director_secret(tmp_path)


def test_verify_says_in_one_line_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing.db")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert main([]) == 2
    assert main([""]) == 2
