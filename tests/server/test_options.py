from pathlib import Path

import pytest

from speed_common.fair_settings import FairSettings
from speed_common.presets import make_rules
from speed_server.limits import Limits
from speed_server.options import LONGEST_NAME, limits_of, parse
from speed_server.settings import HubSettings

EMPTY_PATHS = [[option, text] for option in ("--data", "--records", "--restore", "--stats") for text in ("", " ")]


def test_without_options_everything_is_as_the_settings_have_it() -> None:
    options, settings = parse([])
    assert settings == HubSettings()
    assert (options.host, options.port, options.data) == (None, 7770, None)
    assert options.name


def test_every_setting_has_its_option() -> None:
    words = "--fairness off --tick-ms 0.5 --countdown 0 --grace 12.5 --tables 9 --bots 3 --bot-speed 10"
    _, settings = parse(words.split())
    assert settings.fair == FairSettings(mode="off")
    assert settings.tick_ns == 500_000
    assert settings.countdown_ns == 0
    assert settings.grace_ns == 12_500_000_000
    assert (settings.max_tables, settings.bot_tables, settings.bot_level) == (9, 3, 10)


def test_where_and_who() -> None:
    options, _ = parse(["--host", "::1", "--port", "0", "--name", "  Zoë's ♠ table ", "--data", "/somewhere"])
    assert (options.host, options.port, options.name) == ("::1", 0, "Zoë's ♠ table")
    assert options.data == Path("/somewhere")


def test_a_temporary_folder_is_not_a_named_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["--temporary", "--no-announce", "--until-stdin-closes"])[0].temporary
    with pytest.raises(SystemExit):
        parse(["--temporary", "--data", "/somewhere"])
    assert "do not go together" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("--hand 3", {"hand_size": 3}),
        ("--hand 4 --draw 16 --side 5", {"hand_size": 4, "draw_size": 16, "side_size": 5}),
        ("--no-wrap --same-rank --no-tuck", {"wrap": False, "same_rank": True, "tuck": False}),
        ("--reshuffle per_pile", {"reshuffle": "per_pile"}),
        ("--jokers 2 --joker-mode declared", {"jokers": 2, "joker_mode": "declared"}),
        ("--flip-delay 0.5 --gap 0", {"flip_delay_us": 500_000, "min_play_gap_us": 0}),
        ("--match-target 30", {"match_target": 30}),
        ("--best-of 5", {"best_of": 5}),
        ("--players 3", {"players": 3}),
        ("--refill manual --flip-trigger all_ready", {"refill": "manual", "flip_trigger": "all_ready"}),
        ("--call-speed --false-call cards", {"call_speed": True, "false_call": "cards"}),
        ("--call-window 1.5 --idle-autoplay 20", {"call_window_us": 1_500_000, "idle_autoplay_us": 20_000_000}),
        ("--beaten-window 0.5", {"beaten_window_us": 500_000}),
    ],
)
def test_every_rule_has_its_option(words: str, changes: dict[str, int | bool | str]) -> None:
    assert parse(words.split())[1].rules == make_rules("us", **changes)


def test_a_preset_is_taken_whole() -> None:
    assert parse(["--rules", "pagat"])[1].rules == make_rules("pagat")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--port", "65534"], "--port: 65534 leaves no room for the two ports above it: at most 65533"),
        (["--port", "-1"], "--port: -1 is no whole number from 0 to 65535"),
        (["--port", "http"], "--port: http is no whole number"),
        (["--tables", "0"], "--tables: 0 is no whole number from 1 to 512"),
        (["--bots", "5", "--tables", "4"], "--bots 5 needs --tables 5 at least"),
        (["--bot-speed", "11"], "--bot-speed: 11 is no whole number from 1 to 10"),
        (["--countdown", "nan"], "--countdown: nan is no number from 0 to 60"),
        (["--grace", "soon"], "--grace: soon is no number"),
        (["--tick-ms", "1e9"], "--tick-ms: 1e9 is no number from 0 to 100"),
        (["--flip-delay", "6"], "flip-delay is 6 s, it may be at most 5 s"),
        (["--name", ""], "--name: '' is no name"),
        (["--name", "a\x1b[2Jb"], "--name: 'a\\x1b[2Jb' is no name"),
        (["--name", "x" * (LONGEST_NAME + 1)], f"is no name of 1 to {LONGEST_NAME}"),
        (["--rules", "whist"], "--rules: no rule is called 'whist': the words are us, pagat"),
        (["--rules", "four hand"], "--rules: hand takes a whole number"),
        (["--fairness", "mostly"], "--fairness: invalid choice: 'mostly'"),
        (["--hand", "9", "--draw", "3", "--side", "5"], "there are 52: draw 3 with side 13 would balance"),
        (["--jokers", "9"], "jokers is 9, it may be at most 4"),
        (["--joker-mode", "declared"], "joker-mode declared needs jokers"),
        (["--players", "3", "--decks", "1"], "3 players with 20 cards each hold 60, one deck has 52"),
        (["--best-of", "4"], "best of 4 could end level: take 3 or 5"),
        (["--idle-autoplay", "3"], "idle-autoplay is 0 (off) or at least 10 seconds"),
        *((words, "the path is empty: name one, or leave the option out") for words in EMPTY_PATHS),
        (["--cheat"], "unrecognized arguments: --cheat"),
        (["host"], "unrecognized arguments: host"),
    ],
)
def test_a_wrong_option_is_one_line_and_exit_code_2(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(words)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("speed-server: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_version_and_help_are_answered(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--version", "--help"):
        with pytest.raises(SystemExit) as caught:
            parse([option])
        assert caught.value.code == 0
        assert "speed-server" in capsys.readouterr().out


def test_a_machine_with_an_unprintable_name_still_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "\x1b]0;x")
    assert parse([])[0].name == "a Speed server"


def test_records_are_kept_unless_the_host_wants_none() -> None:
    options, settings = parse([])
    assert (options.records, options.keep_records, settings.records) == (None, 10_000, True)
    options, settings = parse(["--records", "deals", "--keep-records", "5"])
    assert (str(options.records), options.keep_records, settings.records) == ("deals", 5, True)
    assert not parse(["--no-records"])[1].records


@pytest.mark.parametrize("words", [["--records", "x", "--no-records"], ["--keep-records", "0"]])
def test_records_that_cannot_be_kept_as_asked_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        parse(words)


def test_a_passcode_is_read_in_its_one_spelling() -> None:
    options, _ = parse(["--passcode", " Green  FROG ", "--watch-passcode", "Blue Frog"])
    assert (options.passcode, options.watch_passcode) == ("green frog", "blue frog")


@pytest.mark.parametrize(("words", "meant"), [([], None), (["--invite"], "kept"), (["--invite", "new"], "new")])
def test_an_invitation_is_kept_or_new(words: list[str], meant: str | None) -> None:
    assert parse(words)[0].invite == meant


@pytest.mark.parametrize(
    "words",
    [
        ["--passcode", "abc"],
        ["--passcode", "green frog", "--invite"],
        ["--insecure", "--host", "0.0.0.0"],
        ["--insecure", "--passcode", "green frog"],
        ["--insecure", "--invite"],
        ["--player-rate", "-1"],
    ],
)
def test_a_door_that_cannot_be_so_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(words)
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_the_rules_allow_is_never_over_the_limits() -> None:
    assert limits_of(*parse([])) == Limits()
    quick = limits_of(*parse(["--gap", "0.01"]))
    assert quick.requests_per_second == 200
    assert quick.requests_burst == 100
    assert quick.flood_requests > quick.requests_burst
    generous = limits_of(*parse(["--player-rate", "80"]))
    assert (generous.requests_per_second, generous.flood_requests) == (80, 400)


def test_a_benchmark_may_have_no_limit() -> None:
    limits = limits_of(*parse(["--player-rate", "0"]))
    assert (limits.requests_per_second, limits.play_bytes_per_second) == (0, 0)
