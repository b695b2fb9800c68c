from __future__ import annotations

import dataclasses
import os
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.client.screens import (
    ALONE,
    CALM,
    COUNTDOWN,
    CROWDED_TILES,
    ENDED,
    HELP,
    LIFTED,
    OVER,
    SCREENS,
    SPECTATING,
    TABLE,
    TILES,
    WAITING,
    piles,
)
from wcwidth import wcswidth

from speed_client.model import CentrePile, Outcome, Pace, Place, Side, TableModel
from speed_client.painters.canvas import Canvas, cells, cut, to_ascii, width_of
from speed_client.painters.cards import CARD_HEIGHT, CARD_WIDTH, NUMERALS, face
from speed_client.painters.panel import middle, paint_panel
from speed_client.painters.sizes import paint_table
from speed_client.painters.tiles import WatchModel, paint_watch
from speed_client.story import Notice
from speed_client.style import THEMES, Look
from speed_common.cards import RANK_NAMES, parse_card
from speed_common.wire import TableLine

STYLES = THEMES["dark"].styles()
GOLDEN = Path(__file__).parent / "golden"
SIZES = [(80, 24), (120, 40), (50, 14), (40, 12)]
CROWDS = ["three", "four", "four-countdown", "four-calling", "four-result", "four-ready"]
LOOKS = {"signs": Look(), "ascii": Look("none", ascii=True)}


def check_golden(name: str, canvas: Canvas) -> None:
    """Compare with the golden file; `SPEED_GOLDEN=write` writes it anew."""
    path = GOLDEN / f"{name}.txt"
    text = "\n".join(canvas.lines()) + "\n"
    if os.environ.get("SPEED_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_at_80x24_is_the_golden_one(name: str, look: str) -> None:
    check_golden(f"{name}-80x24-{look}", paint_table(SCREENS[name], 80, 24, LOOKS[look]))


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("name", ["table", "lifted", "countdown", "result", "ready", "spectator", *CROWDS])
def test_the_screen_at_other_sizes_is_the_golden_one(name: str, size: tuple[int, int]) -> None:
    check_golden(f"{name}-{size[0]}x{size[1]}-signs", paint_table(SCREENS[name], *size, Look()))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", LOOKS)
def test_the_tiles_are_the_golden_ones(size: tuple[int, int], look: str) -> None:
    check_golden(f"tiles-{size[0]}x{size[1]}-{look}", paint_watch(TILES, *size, LOOKS[look]))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", LOOKS)
def test_the_tiles_of_three_and_four_players_are_the_golden_ones(size: tuple[int, int], look: str) -> None:
    check_golden(f"tiles-crowded-{size[0]}x{size[1]}-{look}", paint_watch(CROWDED_TILES, *size, LOOKS[look]))


def assert_fits(canvas: Canvas, width: int, height: int, look: Look) -> None:
    assert len(canvas.rows) == height
    for row in canvas.rows:
        text = "".join(char for char, _ in row)
        assert len(row) == width
        assert wcswidth(text) == width
        assert not look.ascii or text.isascii()
        assert {style for _, style in row} <= {"", *STYLES}


@given(
    st.sampled_from(sorted(SCREENS)),
    st.integers(1, 220),
    st.integers(1, 70),
    st.booleans(),
    st.sampled_from(sorted(THEMES)),
)
@settings(deadline=None, database=None)
def test_every_screen_fits_every_size(name: str, width: int, height: int, ascii_only: bool, theme: str) -> None:  # noqa: FBT001
    look = Look(theme, ascii=ascii_only)
    assert_fits(paint_table(SCREENS[name], width, height, look), width, height, look)
    assert_fits(paint_watch(TILES, width, height, look), width, height, look)


@given(st.text(max_size=64), st.text(max_size=64), st.sampled_from(SIZES), st.booleans())
@settings(deadline=None, database=None)
def test_no_name_breaks_a_row(mine: str, other: str, size: tuple[int, int], ascii_only: bool) -> None:  # noqa: FBT001
    look = Look(ascii=ascii_only)
    for base in (TABLE, OVER, WAITING):
        model = replace(base, bottom=replace(base.bottom, name=mine), foes=(replace(base.foes[0], name=other),))
        assert_fits(paint_table(model, *size, look), *size, look)
        assert_fits(paint_watch(WatchModel((model,), 1), *size, look), *size, look)


def test_every_two_numerals_differ_in_four_cells() -> None:
    ranks = [NUMERALS[name] for name in RANK_NAMES]
    assert len(ranks) == 13
    for one, other in combinations(ranks, 2):
        pairs = [
            (a, b)
            for left, right in zip(one, other, strict=True)
            for a, b in zip(left.center(7), right.center(7), strict=True)
        ]
        assert sum(a != b for a, b in pairs) >= 4, (one, other)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_card_is_a_rectangle_that_names_itself(ascii_only: bool) -> None:  # noqa: FBT001
    for card in (*range(52), 104, 107):
        rows = face(card, CARD_WIDTH, CARD_HEIGHT, ascii_only=ascii_only)
        assert [len(row) for row in rows] == [CARD_WIDTH] * CARD_HEIGHT
        assert any(char.strip() for row in rows for char, _ in row)


def test_every_suit_has_its_own_style() -> None:
    def styles(name: str) -> set[str]:
        return {style for row in face(parse_card(name), 9, 5, ascii_only=False) for _, style in row}

    for name, suit in {"9H": "heart", "9D": "diamond", "9S": "spade", "9C": "club"}.items():
        assert styles(name) == {"paper", f"paper-{suit}"}


def test_a_played_card_shows_as_sent_until_the_answer() -> None:
    lines = paint_table(LIFTED, 80, 24, Look()).lines()
    assert "7♦" in lines[15]
    assert "sent" in lines[16]


def test_a_lifted_back_leaves_its_row() -> None:
    lines = paint_table(LIFTED, 80, 24, Look()).lines()
    assert lines[2][19:38] == "▒▒▒     ▒▒▒ ▒▒▒ ▒▒▒"
    assert lines[3].strip() == "▒▒▒"


def test_a_flash_reverses_the_pile_unless_motion_is_off() -> None:
    def styles(look: Look) -> set[str]:
        return {style for _, style in paint_table(LIFTED, 80, 24, look).rows[5][28:37]}

    assert styles(Look()) == {"flash", "flash-spade"}
    assert styles(Look(motion=False)) == {"paper", "paper-spade"}


def test_the_countdown_is_a_large_digit_between_backs() -> None:
    for digit in (1, 2, 3):
        lines = paint_table(replace(COUNTDOWN, digit=digit), 80, 24, Look()).lines()
        assert any("█" in line or "▄" in line for line in lines[9:12])
    assert ">>> 3 <<<" in paint_table(COUNTDOWN, 80, 24, Look(ascii=True)).lines()[10]


def test_no_card_shows_beside_the_result() -> None:
    lines = paint_table(OVER, 80, 24, Look()).rows[4:18]
    assert all(style == "panel" or style.startswith("panel-") for row in lines for _, style in row[14:68])
    assert all(cell == (" ", "") for row in lines for cell in (*row[:14], *row[68:]))


def test_the_result_says_who_won_in_the_colour_of_the_winner() -> None:
    def style(model: TableModel) -> str:
        return next(
            s for row in paint_table(model, 80, 24, Look()).rows for _, s in row if s in {"panel-good", "panel-bad"}
        )

    assert OVER.outcome is not None
    assert style(OVER) == "panel-good"
    assert style(replace(OVER, outcome=replace(OVER.outcome, won=False))) == "panel-bad"


def test_an_empty_table_tells_how_others_join() -> None:
    text = "\n".join(paint_table(ALONE, 80, 24, Look()).lines())
    assert "waiting for somebody to sit down" in text
    assert "speed-client 192.168.1.20" in text


def test_a_deal_that_was_given_up_is_told_at_the_empty_table() -> None:
    assert OVER.outcome is not None
    model = replace(ALONE, outcome=replace(OVER.outcome, how="the other left, after 0:12"))
    assert any("YOU WIN: the other left, after 0:12" in line for line in paint_table(model, 80, 24, Look()).lines())


def test_who_sits_down_is_told_before_the_deal() -> None:
    model = replace(WAITING, notice=Notice("bob sits down"))
    for size in SIZES:
        assert any("bob sits down" in line for line in paint_table(model, *size, Look()).lines())


def test_the_reason_of_the_end_stands_over_everything() -> None:
    assert any("the server is stopping" in line for line in paint_table(ENDED, 80, 24, Look()).lines())
    assert any(
        "the server is stopping" in line for line in paint_table(replace(HELP, end=ENDED.end), 40, 12, Look()).lines()
    )


@pytest.mark.parametrize("size", SIZES)
def test_a_lost_link_is_told_at_every_size(size: tuple[int, int]) -> None:
    assert "NO LINK" in paint_table(replace(CALM, no_link=True), *size, Look()).lines()[0]
    assert "NO LINK" in paint_watch(dataclasses.replace(TILES, no_link=True), *size, Look()).lines()[0]


def test_below_the_least_size_the_screen_says_what_it_needs() -> None:
    assert "40x12 needed" in "\n".join(paint_table(TABLE, 39, 12, Look()).lines())


def test_a_long_sentence_is_cut_to_the_screen() -> None:
    model = replace(TABLE, notice=Notice("x" * 300))
    assert paint_table(model, 80, 24, Look()).lines()[11].endswith("…")


def test_a_narrow_bar_drops_words_and_keeps_keys() -> None:
    line = paint_watch(TILES, 40, 12, Look()).lines()[-1]
    assert line.split() == ["1-9", "Enter", "?", "Esc"]


def test_a_spectator_sees_backs_and_no_play_keys() -> None:
    text = "\n".join(paint_table(SPECTATING, 80, 24, Look()).lines())
    assert "a s d f g" not in text
    assert "10♥" not in text


def test_a_player_who_dropped_is_dim() -> None:
    model = replace(CALM, foes=(replace(CALM.foes[0], here=False),))
    assert paint_table(model, 80, 24, Look()).rows[2][14] == ("b", "hint")


def test_the_page_of_tiles_follows_the_focus() -> None:
    many = WatchModel(tuple(replace(TILES.tables[0], table=number) for number in range(1, 10)), 9)
    text = "\n".join(paint_watch(many, 80, 24, Look()).lines())
    assert "═ 9 ═" in text
    assert "9–9 of 9" in text  # noqa: RUF001


def test_two_computers_at_one_table_can_be_told_apart_in_a_tile() -> None:
    table = TILES.tables[0]
    names = replace(table, bottom=replace(table.bottom, name="left-10"), foes=(replace(table.foes[0], name="right-5"),))
    for size in ((80, 24), (60, 14)):
        text = "\n".join(paint_watch(WatchModel((names,), 1), *size, Look()).lines())
        assert "left-10 " in text
        assert "right-5 " in text


def test_without_tables_the_spectator_is_told_so() -> None:
    assert "no table is laid yet" in "\n".join(paint_watch(WatchModel(), 80, 24, Look()).lines())


def test_a_pile_of_three_or_more_shows_its_side_pile_above() -> None:
    model = replace(CALM, piles=piles("9S JD AC", 3))
    assert paint_table(model, 80, 24, Look()).lines()[3].split() == ["side", "3"] * 3


def test_our_signs_have_ascii_stand_ins() -> None:
    assert to_ascii("beaten — J♦ → left · 2 – 1 é 日") == "beaten - JD -> left, 2-1 e ?"  # noqa: RUF001


def test_text_is_cut_in_columns_not_in_characters() -> None:
    assert width_of("日本語") == 6
    assert cut("日本語", 4) == "日…"
    assert cut("anna", 4) == "anna"
    assert cut("anna", 0) == ""


def test_half_of_a_wide_character_is_never_left() -> None:
    canvas = Canvas(6, 1)
    canvas.text(0, 0, "日本語")
    canvas.text(1, 0, "x")
    assert canvas.lines() == [" x本語"]
    canvas.text(2, 0, "y")
    assert wcswidth("".join(char for char, _ in canvas.rows[0])) == 6
    canvas.text(-1, 0, "日")
    canvas.text(5, 0, "日")
    assert wcswidth("".join(char for char, _ in canvas.rows[0])) == 6


def test_a_name_without_a_seat_is_a_free_one() -> None:
    model = replace(TILES.tables[0], foes=(Side(),))
    assert any("free seat" in line for line in paint_watch(WatchModel((model,), 1), 80, 24, Look()).lines())


def test_an_empty_table_without_an_address_for_others_sends_them_to_the_server() -> None:
    text = "\n".join(paint_table(replace(ALONE, address=""), 80, 24, Look()).lines())
    assert "the line that speed-server printed" in text


def test_two_names_of_full_length_stand_whole_and_apart_over_the_results() -> None:
    names = ("Maria Antoinette", "Wilhelm von Ems.")
    bottom, foe = replace(OVER.bottom, name=names[0]), replace(OVER.foes[0], name=names[1])
    assert OVER.outcome is not None
    outcome = replace(OVER.outcome, names=names)
    text = "\n".join(paint_table(replace(OVER, bottom=bottom, foes=(foe,), outcome=outcome), 80, 24, Look()).lines())
    assert "Maria Antoinette Wilhelm von Ems." in text
    assert "Maria Antoinette  1 – 0  Wilhelm von Ems." in text  # noqa: RUF001


@pytest.mark.parametrize(
    "name", ["0\u1067", "\u2764\ufe0f", "\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd", "e\u0301"]
)
def test_marks_that_widen_and_signs_that_melt_do_not_shift_what_follows(name: str) -> None:
    assert wcswidth("".join(char for char, _ in cells(name))) == width_of(name)


def test_a_spectator_reads_why_it_ended_over_the_tiles_and_over_one_table() -> None:
    for model in (dataclasses.replace(TILES, end="the server has stopped"), WatchModel(end="the server has stopped")):
        text = "\n".join(paint_watch(model, 80, 24, Look()).lines())
        assert "the server has stopped" in text
        assert "KEYS" not in text


# --- three and four players, three and four piles ---------------------------------------------------------------------

TEXT = st.text(max_size=40)
PLACES = st.lists(
    st.builds(Place, st.integers(-2, 107), st.booleans(), st.booleans(), st.sampled_from(["", "far left", "right"])),
    max_size=10,
).map(tuple)
SIDES = st.builds(
    Side, TEXT, PLACES, st.integers(0, 60), st.integers(1, 60), st.integers(0, 500), st.booleans(), st.booleans(),
    st.booleans(), st.sampled_from(["", "flip?", "frozen 2", "has left", "no cards!"]),
)  # fmt: skip
OUTCOMES = st.integers(2, 4).flatmap(
    lambda players: st.builds(
        Outcome,
        TEXT,
        st.booleans(),
        TEXT,
        st.tuples(*[TEXT] * players),
        st.lists(st.tuples(*[TEXT] * (players + 1)), max_size=5).map(tuple),
        TEXT,
        TEXT,
        TEXT,
        st.booleans(),
    )
)
MODELS = st.builds(
    TableModel,
    stage=st.sampled_from(["waiting", "countdown", "playing", "over"]),
    seated=st.booleans(),
    table=st.integers(0, 300),
    bottom=SIDES,
    foes=st.lists(SIDES, min_size=1, max_size=3).map(tuple),
    piles=st.lists(
        st.builds(CentrePile, st.integers(-2, 107), st.integers(0, 40), st.booleans(), st.integers(-1, 12)),
        min_size=2,
        max_size=4,
    ).map(tuple),
    title=TEXT,
    clock=st.sampled_from(["", "0:47", "pause"]),
    notice=st.builds(Notice, TEXT, st.sampled_from(["status", "late", "call", "alarm"])),
    digit=st.integers(0, 12),
    outcome=st.none() | OUTCOMES,
    space=st.sampled_from(["", "flip", "call Speed!", "draw", "ready"]),
    calls=st.booleans(),
    listed=st.booleans(),
    paces=st.lists(st.builds(Pace, TEXT, st.just("1.12 s"), st.just((1, 2, 6))), max_size=4).map(tuple),
    others=st.lists(
        st.builds(
            TableLine, st.integers(1, 99), st.integers(0, 3), st.lists(TEXT, max_size=4).map(tuple), st.just((0, 3))
        ),
        max_size=3,
    ).map(tuple),
    overlay=st.sampled_from(["", "", "", "help", "menu", "leave"]),
)


@given(MODELS, st.sampled_from([*SIZES, (100, 30), (79, 24)]), st.booleans())
@settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_every_table_of_two_to_four_fits_every_size(model: TableModel, size: tuple[int, int], ascii_only: bool) -> None:  # noqa: FBT001
    look = Look(ascii=ascii_only)
    assert_fits(paint_table(model, *size, look), *size, look)
    assert_fits(paint_watch(WatchModel((model, model), model.table), *size, look), *size, look)


@pytest.mark.parametrize("size", SIZES)
def test_every_opponent_of_three_and_four_is_named_and_counted(size: tuple[int, int]) -> None:
    text = "\n".join(paint_table(SCREENS["four"], *size, Look()).lines())
    for said in ("bob", "cho", "Maximi", "12", "15"):
        assert said in text
    for row in ("qwert", "asdfg", "hjkl;", "yuiop"):
        assert row in text or " ".join(row) in text


def test_the_keys_of_three_and_four_piles_stand_under_them_and_in_the_bar() -> None:
    lines = paint_table(SCREENS["four"], 80, 24, Look()).lines()
    assert lines[10].split() == list("qwertasdfghjkl;yuiop")
    assert "q-t  a-g  h-;  y-p piles" in lines[-1]
    assert "a-g  h-;  y-p piles" in paint_table(SCREENS["three"], 80, 24, Look()).lines()[-1]


def test_a_lifted_back_of_one_of_several_leaves_its_row() -> None:
    canvas = paint_table(SCREENS["three"], 80, 24, Look())
    assert canvas.lines()[2][1:20] == "▒▒▒     ▒▒▒ ▒▒▒ ▒▒▒"
    assert canvas.rows[3][5] == ("▒", "lift")


@pytest.mark.parametrize("size", SIZES)
def test_the_call_stands_on_a_ground_of_its_own(size: tuple[int, int]) -> None:
    canvas = paint_table(SCREENS["four-calling"], *size, Look())
    (row,) = [row for row in canvas.rows if "call Speed! (Space)" in "".join(char for char, _ in row)][:1]
    assert ("b", "call") in row
    assert sum(style == "call" for _, style in row) >= 40


@pytest.mark.parametrize("size", SIZES)
def test_a_deal_that_waited_shows_the_digits_that_it_counts_in_with(size: tuple[int, int]) -> None:
    model = SCREENS["four-resuming"]
    plain = paint_table(replace(model, digit=0), *size, Look())
    assert paint_table(model, *size, Look()).lines() != plain.lines()


def test_the_result_of_four_has_four_columns_at_every_size() -> None:
    for size in SIZES:
        text = "\n".join(paint_table(SCREENS["four-result"], *size, Look()).lines())
        for said in ("+0.03", "−0.12", "+0.15", "−1.20", "match won by cho", "code B00KX"):  # noqa: RUF001
            assert said in text


def test_the_count_before_a_deal_goes_on_covers_no_key() -> None:
    for name in ("four-resuming", "four-piles"):
        still, counting = (paint_table(replace(SCREENS[name], digit=digit), 80, 24, Look()).lines() for digit in (0, 2))
        letters = next(row for row, line in enumerate(still) if "q w e r t" in line)
        assert counting[letters] == still[letters]


def test_a_result_without_the_other_offers_no_rematch() -> None:
    text = "\n".join(paint_table(SCREENS["left-alone"], 80, 24, Look()).lines())
    assert "bob has left" in text
    assert "rematch" not in text


def test_what_was_said_ready_to_is_offered_no_more() -> None:
    assert OVER.outcome is not None
    asked = replace(OVER, space="", outcome=replace(OVER.outcome, again=False, wish="waiting for bob"))
    text = "\n".join(paint_table(asked, 80, 24, Look()).lines())
    assert "waiting for bob" in text
    assert "rematch" not in text
    assert paint_table(replace(WAITING, space=""), 80, 24, Look()).lines()[-1].split() == ["?", "help", "Esc", "menu"]


def test_a_long_reason_of_the_end_goes_on_in_the_next_line() -> None:
    reason = "all seats of that table are taken; use --watch to watch it, or leave --table out"
    for size in SIZES:
        alone = replace(CALM, end=reason, log=(), paces=(), link=(), others=())
        text = " ".join("\n".join(paint_table(alone, *size, Look()).lines()).split())
        assert reason in text.replace("│ ", "").replace(" │", "")


def test_a_spectator_of_one_of_many_tables_goes_back_to_them() -> None:
    assert "Esc leave" in paint_table(SPECTATING, 80, 24, Look()).lines()[-1]
    assert "Esc all tables" in paint_table(replace(SPECTATING, listed=True), 80, 24, Look()).lines()[-1]


def test_a_spectators_help_speaks_of_no_card_to_play() -> None:
    text = "\n".join(paint_table(replace(SPECTATING, overlay="help"), 80, 24, Look()).lines())
    assert "look at that table" in text
    assert "asks in a deal" not in text
    assert "lays a card" not in text


def test_a_named_joker_shows_the_rank_that_counts_and_what_it_is() -> None:
    queen, joker = NUMERALS["Q"], parse_card("*1")
    rows = ["".join(char for char, _ in row) for row in face(joker, 9, 5, ascii_only=False, named=11)]
    assert [row.strip() for row in rows[1:4]] == [part.strip() for part in queen]
    assert rows[4].startswith("★Q")
    assert "*Q" in "".join(char for row in face(joker, 9, 5, ascii_only=True, named=11) for char, _ in row)


def test_others_are_told_the_number_of_a_table_that_must_be_named() -> None:
    text = "\n".join(paint_table(replace(ALONE, join=" --table 3"), 80, 24, Look()).lines())
    assert "speed-client 192.168.1.20 --table 3" in text
    text = "\n".join(paint_table(replace(ALONE, join=" --table 3", address=""), 80, 24, Look()).lines())
    assert "the line that speed-server printed and --table 3" in text


@pytest.mark.parametrize("width", range(20, 60))
def test_a_match_line_that_goes_on_keeps_each_name_with_its_points(width: int) -> None:
    canvas = Canvas(width, 12)
    paint_panel(canvas, 0, 0, width, 12, [middle("match to 25 points: anna 17, bob 9, Maximilian 12")])
    lines = ["".join(char for char, _ in row).strip() for row in canvas.rows]
    for said in ("anna 17,", "bob 9,", "Maximilian 12"):
        assert any(said in line for line in lines), said
