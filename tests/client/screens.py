"""Screens for tests: models made by hand, a session that sits at a table, and the terminal's picture without a pty."""

from __future__ import annotations

import io
from collections.abc import Callable, Coroutine
from time import perf_counter_ns
from typing import Any

import pyte
from msgspec.structs import replace
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput, PipeInput, create_pipe_input
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth, DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from speed_client.container import Direct
from speed_client.model import CentrePile, Outcome, Pace, Place, Side, TableModel
from speed_client.painters.tiles import WatchModel
from speed_client.session import Session
from speed_client.story import Line, Notice
from speed_client.style import Look
from speed_client.wishes import Want
from speed_common.cards import HIDDEN, NO_CARD, parse_card
from speed_common.rules import Rules
from speed_common.table import PLAYING as TABLE_PLAYING
from speed_common.table import SPECTATOR
from speed_common.views import View
from speed_common.wire import PLAYING, Room, SeatInfo, Snapshot, TableLine, Up, Welcome, decode_up, encode

TICKET = bytes(16)
SECOND = 1_000_000_000
HIDDEN_HAND = (Place(HIDDEN),) * 5


def cards(names: str) -> tuple[int, ...]:
    """`9S -- ??` as cards, none, and a hidden one."""
    marks = {"--": NO_CARD, "??": HIDDEN}
    return tuple(marks[name] if name in marks else parse_card(name) for name in names.split())


def hand(names: str) -> tuple[Place, ...]:
    return tuple(Place(card) for card in cards(names))


def piles(names: str, side: int = 4) -> tuple[CentrePile, ...]:
    return tuple(CentrePile(card, side) for card in cards(names))


MINE = hand("10H 3C 7D QS AD")
TABLE = TableModel(
    stage="playing",
    table=1,
    bottom=Side("anna", (replace(MINE[0], hint="left"), *MINE[1:]), 11, 15, 1),
    foes=(Side("bob", HIDDEN_HAND, 12, 15, 0),),
    piles=piles("9S JD"),
    title="table 1 · deal 2",
    answer="0.4 ms",
    link=("there and back in 0.4 ms", "at worst 0.3 ms longer", "all see your plays in 9.2 ms"),
    clock="0:47",
    notice=Notice("beaten by 0.12 s — bob played J♦ first"),
    rules="5 in hand · 15 to draw · A next to K",
    log=(
        ("0:47.43", "anna", Line(47_430_000, 0, "Q♠ late 0.12 s", late=True)),
        ("0:47.31", "bob", Line(47_310_000, 1, "J♦ → right")),
        ("0:46.02", "anna", Line(46_020_000, 0, "9♠ → left")),
        ("0:43.77", "", Line(43_770_000, SPECTATOR, "flip  8♦ / K♣")),
    ),
    paces=(
        Pace("anna", "1.12 s", (1, 4, 2, 6, 1, 0, 2)),
        Pace("bob", "1.05 s", (2, 2, 1, 4, 1, 1, 0)),
    ),
    others=(TableLine(2, 2, ("cho", "dev"), (3, 7)), TableLine(4, 3, ("gus", "hana"), (0, 6))),
    address="192.168.1.20",
)
CALM = replace(TABLE, notice=Notice(""))
LIFTED = replace(
    TABLE,
    foes=(replace(TABLE.foes[0], hand=(HIDDEN_HAND[0], Place(HIDDEN, lifted=True), *HIDDEN_HAND[2:])),),
    bottom=replace(TABLE.bottom, hand=(*MINE[:2], replace(MINE[2], sent=True), *MINE[3:])),
    piles=(replace(TABLE.piles[0], flash=True), TABLE.piles[1]),
    notice=Notice("stuck — flip in 1"),
)
COUNTDOWN = replace(
    CALM,
    stage="countdown",
    space="skip",
    digit=3,
    clock="",
    bottom=replace(TABLE.bottom, hand=HIDDEN_HAND),
    piles=piles("?? ??", 5),
    log=(),
    paces=(),
)
OVER = replace(
    CALM,
    stage="over",
    space="rematch",
    clock="1:58",
    outcome=Outcome(
        "YOU WIN",
        True,
        "by 6 cards, in 1:58",
        ("anna", "bob"),
        (
            ("cards played", "20", "14"),
            ("seconds a card", "1.12", "1.47"),
            ("races won", "5", "3"),
            ("closest race", "+0.03 s", "−0.12 s"),  # noqa: RUF001
            ("late tries", "3", "6"),
        ),
        report=(("contested", "12", "9"), ("held, ms", "8 / 71", "0 / 2")),
        wish="bob wants a rematch",
    ),
)
WAITING = replace(
    CALM,
    stage="waiting",
    clock="",
    bottom=replace(TABLE.bottom, hand=(), draw=15),
    foes=(replace(TABLE.foes[0], hand=(), draw=15, ready=True),),
    space="ready",
    log=(),
    paces=(),
)
ALONE = replace(WAITING, foes=(Side(),), space="")
SPECTATING = replace(
    TABLE, seated=False, bottom=replace(TABLE.bottom, hand=HIDDEN_HAND), notice=Notice("anna 9♠ → left")
)
CONNECTING = TableModel()
LOST = replace(CALM, no_link=True, notice=Notice("bob is gone: the deal is forfeit in 1:27", "alarm"))
ENDED = replace(CALM, end="the server is stopping")
HELP = replace(CALM, overlay="help")
MENU = replace(CALM, overlay="menu", choice=1)
LEAVE = replace(CALM, overlay="leave")
FOUR_PILES = replace(
    CALM, piles=piles("9S JD AC 10H", 2), bottom=replace(TABLE.bottom, hand=hand("10H 3C 7D QS AD 2C 4D 5S 6H --"))
)

THREE = replace(
    CALM,
    bottom=replace(TABLE.bottom, hand=(replace(MINE[0], hint="middle"), *MINE[1:])),
    foes=(
        replace(TABLE.foes[0], hand=(HIDDEN_HAND[0], Place(HIDDEN, lifted=True), *HIDDEN_HAND[2:])),
        Side("cho", (*HIDDEN_HAND[:3], Place(NO_CARD), Place(NO_CARD)), 0, 15, 2),
    ),
    piles=piles("9S JD 2C", 12),
    title="table 1 · best of 5 · deal 4",
    notice=Notice("beaten by 0.12 s — cho played J♦ first"),
)
FOUR = replace(
    CALM,
    foes=(
        replace(TABLE.foes[0], state="flip?"),
        Side("cho", (*HIDDEN_HAND[:2], Place(HIDDEN, lifted=True), *HIDDEN_HAND[3:]), 7, 15, 2),
        Side("Maximilian", HIDDEN_HAND, 15, 15, 0, here=False, state="no link"),
    ),
    piles=piles("9S JD AC 10H", 5),
    paces=(*TABLE.paces, Pace("cho", "2.41 s", (1, 2, 3)), Pace("Maximilian")),
    others=(
        *TABLE.others,
        TableLine(5, 2, ("ida", "", "jon"), (20, 0, 11)),
        TableLine(6, 3, ("k", "l", "m"), (4, 0, 9)),
    ),
    notice=Notice("stuck — press Space to flip (waiting for cho and Maximilian)"),
    space="flip",
    title="table 1 · code B00KX-1K9Z4Q.P4 · deal 4",
)
FOUR_COUNTDOWN = replace(
    FOUR, stage="countdown", digit=2, clock="", piles=piles("?? ?? ?? ??", 5), notice=Notice(""), space="skip"
)
FOUR_CALLING = replace(
    FOUR,
    foes=(Side("bob", (Place(NO_CARD),) * 5, 0, 15, 1, state="no cards!"), *FOUR.foes[1:]),
    notice=Notice("bob is out — call Speed! (Space)", "call"),
    calls=True,
    space="call Speed!",
)
FOUR_RESUMING = replace(FOUR, digit=2, clock="pause", notice=Notice(""), space="")
FOUR_OVER = replace(
    FOUR,
    stage="over",
    space="rematch",
    notice=Notice(""),
    clock="1:58",
    outcome=Outcome(
        "CHO WINS",
        False,
        "by 21 cards, in 1:58",
        ("anna", "bob", "cho", "Maximilian"),
        (
            ("cards played", "20", "14", "19", "7"),
            ("seconds a card", "5.90", "8.43", "6.21", "16.86"),
            ("races won", "5", "3", "4", "0"),
            ("closest race", "+0.03 s", "−0.12 s", "+0.15 s", "−1.20 s"),  # noqa: RUF001
            ("late tries", "3", "6", "1", "9"),
        ),
        "match won by cho, 126 – 88 – 40 – 7",  # noqa: RUF001
        "B00KX-1K9Z4Q.P4",
        "bob and cho want a rematch",
        report=(("contested", "12", "9", "7", "0"), ("held, ms", "8 / 71", "0 / 2", "22 / 99", "0 / 0")),
    ),
)
FOUR_WAITING = replace(
    FOUR,
    stage="waiting",
    clock="",
    notice=Notice(""),
    bottom=replace(TABLE.bottom, hand=(), draw=15),
    foes=(Side("bob", draw=15, draw_of=15, ready=True), Side("cho", draw=15, draw_of=15), Side()),
    space="",
)
DECLARED = replace(
    CALM,
    piles=(replace(piles("*1")[0], named=11), CALM.piles[1]),
    bottom=replace(TABLE.bottom, hand=hand("*2 3C KD QS AD")),
)
LEFT_ALONE = replace(
    OVER,
    foes=(Side(),),
    space="",
    outcome=replace(
        OVER.outcome or Outcome("", won=True, how=""),
        code="A03KX-1K9Z4Q",
        match="match to 25 points: anna 17, bob 9",
        wish="bob has left: waiting for somebody to sit down",
        again=False,
    ),
)

SCREENS = {
    "table": TABLE,
    "lifted": LIFTED,
    "countdown": COUNTDOWN,
    "result": OVER,
    "ready": WAITING,
    "alone": ALONE,
    "spectator": SPECTATING,
    "connecting": CONNECTING,
    "no-link": LOST,
    "ended": ENDED,
    "help": HELP,
    "menu": MENU,
    "leave": LEAVE,
    "four-piles": FOUR_PILES,
    "declared": DECLARED,
    "left-alone": LEFT_ALONE,
    "three": THREE,
    "four": FOUR,
    "four-countdown": FOUR_COUNTDOWN,
    "four-calling": FOUR_CALLING,
    "four-resuming": FOUR_RESUMING,
    "four-result": FOUR_OVER,
    "four-ready": FOUR_WAITING,
    "four-help": replace(FOUR, overlay="help"),
    "four-spectator": replace(FOUR, seated=False, listed=True, bottom=replace(FOUR.bottom, hand=HIDDEN_HAND)),
}


def watched(number: int, bottom: Side, top: Side, tops: str, clock: str, said: str) -> TableModel:
    return replace(
        SPECTATING, table=number, bottom=bottom, foes=(top,), piles=piles(tops), clock=clock, notice=Notice(said)
    )


def holder(name: str, in_hand: int, draw: int) -> Side:
    return Side(name, (Place(HIDDEN),) * in_hand, draw, 15)


TILES = WatchModel(
    (
        watched(1, holder("anna", 5, 11), holder("bob", 5, 12), "9S JD", "0:47", "anna 9♠ → left"),
        watched(2, holder("cho", 5, 3), holder("dev", 4, 7), "4H 4C", "1:12", "stuck — flip in 2"),
        watched(
            3, holder("eva", 5, 15), holder("finn", 5, 15), "10C AH", "0:05", "left: eva beats finn by 2 ms, close"
        ),
        watched(4, holder("gus", 0, 0), holder("hana", 2, 4), "KD 2S", "1:58", "gus wins by 6 cards"),
    ),
    1,
)


CROWDED_TILES = WatchModel(
    (
        TILES.tables[0],
        replace(FOUR, table=5, seated=False, bottom=holder("anna", 5, 11), notice=Notice("anna 9♠ → far left")),
        replace(THREE, table=6, seated=False, bottom=holder("ida", 4, 0), notice=Notice("cho J♦ → middle")),
    ),
    5,
)


def seats(*, ready: bool = False, bob: bool = True) -> tuple[SeatInfo, ...]:
    return (SeatInfo("anna", ready=ready), SeatInfo("bob" if bob else ""))


def a_room(phase: int = PLAYING, **changes: Any) -> Room:
    return Room(**{"table": 1, "phase": phase, "seats": seats(), "rules": Rules(), "deal": 1, **changes})


def a_view(mine: str = "10H 3C 7D QS AD", tops: str = "9S JD", **changes: Any) -> View:
    fields: dict[str, Any] = {
        "phase": TABLE_PLAYING,
        "hands": (cards(mine), (HIDDEN,) * 5),
        "draws": (11, 12),
        "tops": cards(tops),
        "under": (3, 3),
        "sides": (4, 4),
        "lifted": (-1, -1),
        "beaten": (0, 0),
    }
    return View(**{**fields, **changes})


def seated(room: Room | None = None, view: View | None = None, now: int | None = None) -> Session:
    """A session that was welcomed and holds seat 0 of a running deal that was revealed 47 s ago."""
    now = perf_counter_ns() if now is None else now
    session = Session("anna", b"", Want(), now)
    session.connected(now)
    session.receive(encode(Welcome(1, "0.1.0", "f" * 16, "anna", TICKET, 250_000)), now)
    show(session, room or a_room(reveal_at_ns=now - 47 * SECOND), view or a_view(), now=now)
    session.outbox.clear()
    return session


def show(session: Session, room: Room, view: View | None, revision: int = 10, now: int | None = None) -> None:
    """Give the session a snapshot; the server's clock is taken to be ours."""
    now = perf_counter_ns() if now is None else now
    session.receive(encode(Snapshot(revision, now, 0, room, view)), now)


class StubLink:
    """A link to nobody: keeps what was sent, and runs until it is told to stop."""

    def __init__(self) -> None:
        self.sent: list[Up] = []
        self.changed: Callable[[], None] = lambda: None
        self.started = False

    async def run(self, end: Any, on_change: Callable[[], None]) -> None:
        import asyncio  # noqa: PLC0415

        self.changed = on_change
        self.started = True
        on_change()
        while end.ended is None:  # noqa: ASYNC110 - a stub need not be woken
            await asyncio.sleep(0.001)

    def flush(self, end: Any) -> None:
        self.sent += [decode_up(data) for data in getattr(end, "outbox", [])]
        if hasattr(end, "outbox"):
            end.outbox.clear()


async def with_keys(run: Callable[[PipeInput], Coroutine[Any, Any, int]]) -> int:
    """Run a screen over an input that a test types into."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        return await run(keys)


class Painted:
    """A painter's canvas through the real renderer: what was sent, and the picture that pyte makes of it."""

    def __init__(self, paint: Any, look: Look, width: int = 80, height: int = 24) -> None:
        self.sent = io.StringIO()
        self.screen = pyte.Screen(width, height)
        self.size = Size(rows=height, columns=width)
        self._stream = pyte.Stream(self.screen)
        output = Vt100_Output(
            self.sent, lambda: self.size, term="xterm-256color", default_color_depth=ColorDepth.DEPTH_8_BIT
        )
        self.direct = Direct(paint, lambda: self.app.renderer.last_rendered_screen)
        self.app: Application[None] = Application(
            layout=Layout(self.direct),
            output=output,
            input=DummyInput(),
            full_screen=True,
            style=Style.from_dict(look.styles),
            color_depth=ColorDepth.DEPTH_8_BIT,
        )

    def frame(self) -> str:
        """Draw once; what was sent."""
        self.sent.seek(0)
        self.sent.truncate()
        self.app.renderer.render(self.app, self.app.layout)
        sent = self.sent.getvalue()
        self._stream.feed(sent)
        return sent

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]
