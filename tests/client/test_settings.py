from __future__ import annotations

import pytest

from speed_client import settings
from speed_client.settings import Options, parse_host, parse_options
from speed_common import wire
from speed_common.presets import make_rules

TERMINAL = {"TERM": "xterm-256color"}


def options(*argv: str, terminal: bool = True, term: str = "xterm-256color") -> Options:
    return parse_options(argv, {"TERM": term}, terminal=terminal)


def test_a_host_is_all_that_is_needed() -> None:
    assert options("annas-laptop") == Options("annas-laptop", 7770)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("10.0.0.7", "10.0.0.7", 7770),
        ("anna.local:9000", "anna.local", 9000),
        ("[fd00::7]:9000", "fd00::7", 9000),
        ("[fd00::7]", "fd00::7", 7770),
        ("fd00::7", "fd00::7", 7770),
        ("fe80::1%eth0", "fe80::1%eth0", 7770),
    ],
)
def test_a_host_may_have_a_port_and_ipv6_brackets(text: str, host: str, port: int) -> None:
    assert parse_host(text) == (host, port)


@pytest.mark.parametrize(
    "text", ["", "h:", "h:0", "h:65536", "h:x", "h:²", "[::1", "[::1]9", ":7770", "a b", "tcp://h:1", "h:99999999999"]
)
def test_a_host_that_is_none_says_how_to_write_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|use|names"):
        parse_host(text)


def test_every_option_arrives() -> None:
    argv = ["h:9", "--name", "cho", "--table", "new", "--bot", "3", "--ready", "--json", "--theme", "light", "--ascii"]
    assert options(*argv) == Options(
        "h",
        9,
        "cho",
        table=-1,
        computers=(3,),
        ready=True,
        face="json",
        flags=(("theme", "light"), ("glyphs", "ascii")),
    )


def test_several_computers_may_be_asked_for() -> None:
    assert options("h", "--computer", "3").computers == (3,)
    assert options("h", "--computer", "3, 5,9").computers == (3, 5, 9)


def test_rules_are_words_and_lay_a_table() -> None:
    found = options("h", "--rules", "four no-wrap")
    assert found.rules == make_rules("four", wrap=False)
    assert found.table == wire.NEW_TABLE


def test_a_code_is_understood_here_before_the_server_sees_it() -> None:
    found = options("h", "--code", " a03kx-1k9z4q")
    assert (found.code, found.table, found.rules) == ("A03KX-1K9Z4Q", wire.ANY_TABLE, None)


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        (["--code", "A03KX"], "is no game code"),
        (["--code", "A03KX-1K9Z4Q.QQ"], "means nothing to this version"),
        (["--rules", "five"], "no rule is called 'five'"),
        (["--rules", "us draw 3 side 2"], "would balance"),
        (["--rules", "us", "--code", "A03KX-1K9Z4Q"], "do not go together"),
        (["--rules", "us", "--table", "3"], "leave --table out"),
        (["--code", "A03KX-1K9Z4Q", "--table", "3"], "leave --table out"),
        (["--rules", "us", "--watch"], "a spectator lays no table"),
        (["--computer", "1,2,3,4"], "are too many"),
        (["--computer", "1,,2"], "is no speed"),
    ],
)
def test_wishes_that_cannot_be_end_with_code_2_and_the_reason(
    argv: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        options("h", *argv)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert what in said
    assert said.count("\n") == 1


def test_the_table_words_are_the_wires() -> None:
    assert (settings.ANY_TABLE, settings.NEW_TABLE) == (wire.ANY_TABLE, wire.NEW_TABLE)


@pytest.mark.parametrize(("terminal", "term"), [(False, "xterm"), (True, "dumb"), (True, "")])
def test_where_there_is_no_screen_the_line_mode_speaks(terminal: bool, term: str) -> None:  # noqa: FBT001
    assert options("h", terminal=terminal, term=term).face == "plain"


def test_the_faces_that_were_asked_for_are_taken() -> None:
    assert options("h").face == "screen"
    assert options("h", "--plain").face == "plain"
    assert options("h", "--json", terminal=False).face == "json"


def test_forgetting_names_the_host_itself() -> None:
    assert options("--forget", "h:9") == Options("h", 9, forget=True)


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        ("--plain", "no screen to choose a server on: speed-client HOST"),
        ("--json", "no screen to choose a server on"),
        ("--watch", "--watch needs a server"),
        ("--table 2", "--table needs a server"),
        ("--code A03KX-1K9Z4Q", "--code needs a server"),
        ("--practice --list", "do not go together"),
        ("--practice 3 h", "--practice needs no server: leave h out"),
        ("--practice --computer 3", "--computer does not go with --practice"),
        ("--practice --rules four", "--rules does not go with --practice"),
        ("--practice 11", "1 (slow) to 10 (fast)"),
        ("--list --watch", "--watch does not go with --list"),
        ("--list --forget h", "--list needs no server: leave --forget out"),
        ("h --forget g", "stands alone"),
        ("h --watch --bot 1", "do not go together"),
        ("h --watch --table new", "do not go together"),
        ("h --plain --json", "not allowed with"),
        ("h --name a/b", "use letters, digits"),
        ("h --table x", "use its number, or new"),
        ("h --table 0", "use its number, or new"),
        ("h --bot 11", "1 (slow) to 10 (fast)"),
        ("h --theme pink", "invalid choice"),
        ("h --no", "unrecognized arguments"),
        ("h:0", "is no port"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_code_2(argv: str, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        options(*argv.split())
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert what in error
    assert error.count("\n") == 1
    assert error.startswith("speed-client: ")


def test_without_a_host_there_is_a_list_of_servers() -> None:
    assert options() == Options("", 7770)
    assert options("--list", terminal=False) == Options("", 7770, face="plain", listing=True)
    assert options("--list", "--json").face == "json"


def test_practice_takes_a_speed_or_the_highest_that_is_open() -> None:
    assert options("--practice").practice == settings.PRACTICE_HIGHEST
    assert options("--practice", "4").practice == 4
    assert options("--practice", "--code", "a07kx-1k9z4q").code == "A07KX-1K9Z4Q"
    assert options("--practice", terminal=False).face == "plain"
    assert options("h").practice is None


@pytest.mark.parametrize(("terminal", "term"), [(False, "xterm"), (True, "dumb")])
def test_where_there_is_no_screen_a_host_is_asked_for(
    terminal: bool,  # noqa: FBT001
    term: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        options(terminal=terminal, term=term)
    assert "speed-client --list finds servers" in capsys.readouterr().err


def test_to_forget_nothing_is_not_to_join(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["--forget", ""], ["h", "--forget", ""]):
        with pytest.raises(SystemExit) as ended:
            options(*argv)
        assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_setting_for_one_run_is_checked_here() -> None:
    assert options("h", "--set", "deck=4-colour", "--set", "motion=off").flags == (
        ("deck", "4-colour"),
        ("motion", False),
    )
    with pytest.raises(SystemExit):
        options("h", "--set", "deck=5-colour")


def test_a_closed_server_is_opened_by_a_passcode_or_an_invitation() -> None:
    assert options("h", "--passcode", " Green  FROG ").passcode == "green frog"
    assert options("h", "--invite", "K7QM-2XZP-9TRA-44CN").invite == "K7QM-2XZP-9TRA-44CN"


@pytest.mark.parametrize(
    "argv", [["--passcode", "abc"], ["--invite", "K7QM"], ["--passcode", "green", "--invite", "K7QM-2XZP-9TRA-44CN"]]
)
def test_what_opens_nothing_is_told_before_anybody_is_asked(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        options("h", *argv)
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_tournament_is_named_or_the_first_there_is() -> None:
    assert options("h").tournament is None
    assert options("h", "--tournament").tournament == ""
    assert options("h", "--tournament", "friday-cup").tournament == "friday-cup"
    assert options("h", "--direct", "director").direct == "director"


@pytest.mark.parametrize("option", ["--tournament", "--direct"])
@pytest.mark.parametrize("other", [["--watch"], ["--table", "3"], ["--computer", "3"], ["--rules", "us"], ["--two"]])
def test_a_tournament_seats_its_players_itself(
    option: str, other: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        options("h", option, *other)
    assert ended.value.code == 2
    assert "do not go together" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["--tournament"], ["--direct"], ["--practice", "--tournament"]])
def test_a_tournament_needs_a_server(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        options(*argv)
    assert ended.value.code == 2
    assert argv[-1] in capsys.readouterr().err
