from __future__ import annotations

import segno

from speed_server.qr import QUIET, qr_lines

LINE = "speed-client 192.168.100.200:65533 --invite K7QM-2XZP-9TRA-44CN"
SQUARES = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def test_the_lines_are_the_squares_of_the_code_two_rows_each() -> None:
    lines = qr_lines(LINE, colour=False)
    rows = [[SQUARES[sign][half] for sign in line] for line in lines for half in (0, 1)]
    meant = [list(row) for row in segno.make_qr(LINE, error="l").matrix]
    inner = [row[QUIET:-QUIET] for row in rows[QUIET : QUIET + len(meant)]]
    assert inner == meant
    assert not any(any(row) for row in (*rows[:QUIET], *rows[QUIET + len(meant) :]))


def test_the_longest_line_fits_a_terminal_of_24_lines() -> None:
    lines = qr_lines(LINE, colour=False)
    assert len(lines) <= 22
    assert max(map(len, lines)) <= 80


def test_colour_makes_it_white_on_black_and_ends_with_each_line() -> None:
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in qr_lines("x", colour=True))
