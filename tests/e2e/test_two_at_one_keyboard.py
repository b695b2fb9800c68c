"""Two at one keyboard, as they see it: both hands on one screen, both play, and the deal is left by both."""

from __future__ import annotations

import itertools
from pathlib import Path

from tests.e2e.terminal import Terminal

from processes import BIN, Programs

LEFT_PLAYS, RIGHT_PLAYS = "asdfg", "hjkl;"


def test_two_play_a_deal_to_its_end_at_one_terminal(programs: Programs, tmp_path: Path) -> None:
    server = programs.server("--countdown", "0", "--draw", "3", "--side", "17", "--flip-delay", "0.2")
    command = [str(BIN / "speed-client"), server.address, "--two", "--name", "anna", "--name2", "bob"]
    watcher = programs.watcher(server)
    with Terminal(command, {"SPEED_HOME": str(tmp_path / "home")}) as terminal:
        terminal.until(lambda: "both are ready" in terminal.shown, "table with both")
        terminal.press(" ")
        keys = itertools.cycle(LEFT_PLAYS + RIGHT_PLAYS)

        def over() -> bool:
            if "WINS" in terminal.shown:
                return True
            terminal.press(next(keys))
            return False

        terminal.until(over, "end of the deal", 60)
        assert "rematch" in terminal.shown
        terminal.press("\x03")
        assert terminal.end() == 0
        terminal.assert_restored()
    programs.until(lambda: {told["seat"] for told in watcher.of_type("played")} == {0, 1}, "plays of both")
