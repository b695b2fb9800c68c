from __future__ import annotations

import subprocess
import sys

import pytest

from speed_client.entry import OutputError, guarded


def fail(error: BaseException) -> int:
    raise error


def test_a_command_keeps_its_code() -> None:
    assert guarded("program", lambda: 7) == 7
    assert guarded("program", lambda: fail(SystemExit(2))) == 2


def test_an_interrupt_is_quiet_at_any_moment(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded("program", lambda: fail(KeyboardInterrupt())) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_who_went_away_is_nobodys_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded("program", lambda: fail(OutputError(""))) == 0
    assert capsys.readouterr().err == ""


def test_an_output_that_takes_nothing_is_one_line_and_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded("program", lambda: fail(OutputError("it is closed"))) == 1
    assert capsys.readouterr().err == "program: standard output cannot be written: it is closed\n"


@pytest.mark.parametrize("module", ["speed_client", "speed_client.bot"])
@pytest.mark.parametrize("imported", ["argparse", "asyncio", "msgspec"])
def test_an_interrupt_during_an_import_leaves_no_trace(module: str, imported: str) -> None:
    code = (
        "import runpy, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {imported!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        f"for name in [n for n in sys.modules if n.partition('.')[0] == {imported!r}]: del sys.modules[name]\n"
        "sys.argv = ['program', '127.0.0.1:1']\n"
        f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")
