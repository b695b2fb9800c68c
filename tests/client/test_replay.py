from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.common.recording import Recorded, recorded, rehashed

from speed_client.account import account
from speed_client.replay import main
from speed_common.deck import CodeStream
from speed_common.events import Played
from speed_common.presets import make_rules
from speed_common.record_read import read

US = make_rules()


@pytest.fixture(scope="module")
def deal() -> Recorded:
    """A deal that was played to its end, with a lost race in it."""
    for seed in range(1, 60):
        found = recorded(US, seed)
        if any(entry.events for entry in found.entries if entry.refusal) and found.result and not found.result.forfeit:
            return found
    raise AssertionError("no deal has a lost race in it")


@pytest.fixture
def file(deal: Recorded, tmp_path: Path) -> Path:
    path = tmp_path / "deal.jsonl"
    path.write_bytes(deal.data)
    return path


def won(deal: Recorded) -> str:
    assert deal.result is not None
    return f"{('anna', 'bob')[deal.result.winner]} won by {deal.result.score}"


def test_a_right_record_is_verified_in_one_line(file: Path, deal: Recorded, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(file), "--verify"]) == 0
    assert capsys.readouterr() == (f"verified: {len(deal.entries)} requests, {won(deal)}\n", "")


def test_a_changed_record_is_named_with_its_line_and_code_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    lines[16] = lines[16].replace(b'"at_us":', b'"at_uS":', 1)
    file.write_bytes(b"".join(lines))
    assert main([str(file), "--verify"]) == 1
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(f"{file}: line 17: damaged")
    assert error.count("\n") == 1
    assert main([str(file)]) == 1


def test_a_record_with_another_winner_can_be_read_but_not_verified(
    file: Path, deal: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal.result is not None
    winner = deal.result.winner
    changed = deal.data.replace(b'"winner":%d' % winner, b'"winner":%d' % (1 - winner))
    file.write_bytes(rehashed(changed))
    assert main([str(file)]) == 0
    assert main([str(file), "--verify"]) == 1
    last = len(deal.entries) + 2
    assert capsys.readouterr().err == (
        f"{file}: line {last}: winner is recorded as {1 - winner}, but comes out as {winner}\n"
    )


def test_several_files_are_told_apart_and_one_bad_one_makes_the_code_1(
    file: Path, tmp_path: Path, deal: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.jsonl"
    assert main(["--verify", str(file), str(missing), str(file), str(tmp_path)]) == 1
    out, error = capsys.readouterr()
    assert out == f"{file}: verified: {len(deal.entries)} requests, {won(deal)}\n" * 2
    first, second = error.splitlines()
    assert first == f"{missing}: cannot be read: No such file or directory"
    assert second.startswith(f"{tmp_path}: cannot be read: ")


def test_a_pipe_that_nobody_writes_into_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main([str(pipe)]) == 1
    assert capsys.readouterr().err.startswith(f"{pipe}: ")


def test_a_pipe_that_a_program_writes_a_record_into_is_read(deal: Recorded, capsys: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as into:
            into.write(deal.data)

    writer = threading.Thread(target=write)
    writer.start()
    assert main([f"/dev/fd/{reading}", "--verify"]) == 0
    writer.join()
    os.close(reading)
    assert capsys.readouterr().out.startswith("verified: ")


def test_the_account_has_a_line_for_each_event_with_who_did_it(
    file: Path, deal: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("deal 7 at table 3, 2026-11-30T21:41:13Z, by speed-lan ")
    assert lines[1] == "rules: us; order: full"
    assert lines[2].startswith("cards: secret seed ")
    assert lines[3] == "players: anna, bob (computer of speed 1)"
    assert lines[-1] == f"result: {won(deal)}"
    played = [event for entry in deal.entries for event in entry.events if isinstance(event, Played)]
    told = [line for line in lines if " to the " in line and "beaten" not in line]
    assert len(told) == len(played)
    for line, event in zip(told, played, strict=True):
        assert line.split()[:2] == [f"{event.at / 1e6:.3f}", ("anna", "bob")[event.seat]]
        assert f"to the {('left', 'right')[event.pile]} pile" in line
    assert any("refused: beaten by 0." in line and " played " in line for line in lines)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"call_speed": True}, "has no cards left and must call"),
        ({"flip_trigger": "all_ready", "hand_size": 1}, "asks for the flip"),
        ({"refill": "manual"}, "draws "),
        ({"jokers": 4, "joker_mode": "declared"}, ", as "),
        ({"players": 4}, "far right pile"),
    ],
)
def test_the_other_ways_to_play_are_told_in_words_too(changes: dict[str, Any], words: str) -> None:
    rules = make_rules(**changes)
    told = [line for seed in range(4) for line in account(read(recorded(rules, seed).data))]
    assert any(words in line for line in told)
    assert not any("?" in line for line in told if "refused" not in line)
    assert not any("=" in line for line in told), "an event without a sentence"


def test_a_deal_by_number_and_one_broken_off_say_so() -> None:
    told = list(account(read(recorded(US, 1, CodeStream(36), most=9).data)))
    assert told[2] == "cards: deal number 36"
    assert told[-1] == "result: broken off"


def test_what_others_wrote_cannot_steer_the_terminal(
    file: Path, deal: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = deal.data.replace(b'"name":"anna"', b'"name":"an\\u001b[2Jna"')
    evil = evil.replace(b'"type":"won"', b'"type":"\\u001b]0;x\\u0007"').replace(
        b'"pile":1,"refill":"', b'"pile":1,"refill":"\\u009b'
    )
    file.write_bytes(rehashed(evil))
    assert main([str(file)]) == 0
    assert main([str(file), "--verify"]) == 1
    out, error = capsys.readouterr()
    assert all(character.isprintable() or character == "\n" for character in out + error)


def test_json_gives_an_object_for_the_deal_for_each_event_and_refusal_and_for_the_result(
    file: Path, deal: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(file), "--json"]) == 0
    first, *events, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["type"], first["file"], first["players"][0]["name"]) == ("deal", str(file), "anna")
    assert (last["type"], last["end"]) == ("result", "won")
    refused = [event for event in events if event["type"] == "refused"]
    assert len(refused) == sum(entry.refusal is not None for entry in deal.entries)
    assert len(events) - len(refused) == sum(len(entry.events) for entry in deal.entries)
    assert all(event["name"] == ("anna", "bob")[event["seat"]] for event in events if event["type"] == "played")


def test_json_of_a_verification_is_one_object_a_file(
    file: Path, tmp_path: Path, deal: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(deal.data[:-30])
    assert main([str(file), str(cut), str(tmp_path / "none"), "--verify", "--json"]) == 1
    out, error = capsys.readouterr()
    right, wrong, missing = map(json.loads, out.splitlines())
    assert deal.result is not None
    assert right == {
        "file": str(file),
        "verified": True,
        "requests": len(deal.entries),
        "end": "won",
        "winner": deal.result.winner,
        "score": deal.result.score,
    }
    assert (wrong["verified"], wrong["line"]) == (False, len(deal.entries) + 2)
    assert (missing["verified"], missing["line"]) == (False, None)
    assert "No such file" in missing["error"]
    assert error == ""


@pytest.mark.parametrize("argv", [[], ["--what"], ["--verify"], ["a.jsonl", ""]])
def test_a_wrong_command_line_is_one_line_and_code_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert error.startswith("speed-replay: ")
    assert error.count("\n") == 1


def test_names_that_the_output_cannot_write_are_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "four.jsonl"
    path.write_bytes(recorded(make_rules("four"), 1).data)
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main([str(path)]) == 0
    assert b"Zo\\xeb" in raw.getvalue()


def test_a_reader_who_went_away_is_no_failure(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

        def fileno(self) -> int:
            raise OSError

    monkeypatch.setattr(sys, "stdout", Gone())
    assert main([str(file)]) == 0
    assert capsys.readouterr().err == ""


def test_without_an_output_there_is_one_line_and_code_1(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main([str(file)]) == 1
    assert capsys.readouterr().err == "speed-replay: standard output cannot be written: it is closed\n"
