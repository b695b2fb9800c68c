"""What the terminal client costs: processor time of a redraw, of idling, of a start, and of a key on its way out.

Wall time says little where others use the machine too, so all but the start's is `thread_time`. The screen is the real
one: its painter, its container and prompt_toolkit's renderer, which write escape sequences to nobody.
"""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from benchmarks.figures import Figures, Goal
from benchmarks.measure import median, percentile
from speed_client.app import TableScreen
from speed_client.desk import Desk
from speed_client.model import CentrePile, Place, Side, TableModel
from speed_client.session import Session
from speed_client.story import Notice
from speed_client.wishes import Want
from speed_common.cards import HIDDEN, parse_card
from speed_common.events import Played
from speed_common.rules import Rules
from speed_common.table import PLAYING as TABLE_PLAYING
from speed_common.views import View
from speed_common.wire import PLAYING, Delta, Room, SeatInfo, Snapshot, Welcome, encode

SIZES: Final = ((80, 24), (160, 50))
KIND: Final = "client"
MS: Final = 1e6
SECOND_NS: Final = 1_000_000_000
HAND: Final = tuple(map(parse_card, ("10H", "3C", "7D", "QS", "AD")))
RATE: Final = 60

_START: Final = """
import sys, time
from speed_client.command import run
from speed_client import terminal
from prompt_toolkit.application import Application
def drawn(self):
    print(f"CPU {time.process_time()}", file=sys.stderr); self.exit(result=0)
before = Application.__init__
def made(self, *a, **k):
    before(self, *a, **k); self.after_render += drawn
Application.__init__ = made
sys.exit(run([]))
"""


class Screen:
    """A player's screen over a session that sits at a table, on a terminal that only counts bytes."""

    def __init__(self, width: int, height: int) -> None:
        self.sent = io.StringIO()
        output = Vt100_Output(
            self.sent,
            lambda: Size(rows=height, columns=width),
            term="xterm-256color",
            default_color_depth=ColorDepth.DEPTH_8_BIT,
        )
        self.session = _seated()
        self.screen = TableScreen(self.session, self, Desk(), terminal_input=DummyInput(), output=output)
        self.wired: list[int] = []

    async def run(self, _session: Session, on_change: Callable[[], None], /) -> None:
        """The link's part: nothing comes by itself."""
        on_change()
        await asyncio.Event().wait()

    def flush(self, session: Session, /) -> None:
        """The link's part: a message is on its way when this is called."""
        self.wired.append(time.thread_time_ns())
        session.outbox.clear()

    def draw(self) -> int:
        """Draw what is there now; the bytes that were sent."""
        app = self.screen.terminal.app
        self.sent.seek(0)
        self.sent.truncate()
        app.renderer.render(app, app.layout)
        return len(self.sent.getvalue().encode())

    def show(self, model: TableModel) -> None:
        """Give the screen a model."""
        self.screen.player.model = model


def measure_client(*, quick: bool) -> Figures:
    """All figures of the client."""
    figures = Figures()
    frames = 300 if quick else 2_000
    for width, height in SIZES:
        spent, sent = _one_card(width, height, frames)
        first = width == SIZES[0][0]
        name = f"one card changed, {width}x{height}"
        figures.add(
            f"{name}, CPU p50", KIND, percentile(spent, 0.5) / MS, "ms", goal=Goal("<=", 1.0) if first else None
        )
        figures.add(
            f"{name}, CPU p99", KIND, percentile(spent, 0.99) / MS, "ms", goal=Goal("<=", 2.5) if first else None
        )
        figures.add(f"{name}, bytes", KIND, median(sent), "bytes", goal=Goal("<=", 200) if first else None)
    figures.add(
        "60 changes a second", KIND, asyncio.run(_busy(1.5 if quick else 5.0)), "% of core", goal=Goal("<=", 8.0)
    )
    figures.add("idle at a table", KIND, asyncio.run(_idle(3.0 if quick else 10.0)), "% of core", goal=Goal("<=", 0.1))
    wire = _key_to_wire(100 if quick else 1_000)
    figures.add("key to wire, CPU p50", KIND, percentile(wire, 0.5) / MS, "ms", goal=Goal("<=", 1.0))
    figures.add("key to wire, CPU p99", KIND, percentile(wire, 0.99) / MS, "ms")
    figures.add(
        "first frame, CPU from process start", KIND, _first_frame(3 if quick else 7), "ms", goal=Goal("<=", 250)
    )
    return figures


def _one_card(width: int, height: int, frames: int) -> tuple[list[int], list[int]]:
    """Processor time and bytes of each of so many frames in which one slot of the hand has another card."""
    screen = Screen(width, height)
    screen.show(_model())
    screen.draw()
    spent: list[int] = []
    sent: list[int] = []
    for frame in range(frames):
        slot = frame % len(HAND)
        model = screen.screen.model
        hand = list(model.bottom.hand)
        hand[slot] = Place((hand[slot].card + 17) % 52)
        screen.show(replace(model, bottom=replace(model.bottom, hand=tuple(hand))))
        begin = time.thread_time_ns()
        sent.append(screen.draw())
        spent.append(time.thread_time_ns() - begin)
    return spent, sent


async def _busy(seconds: float) -> float:
    """The share of a core, in percent, that sixty plays of the other a second cost, from the bytes to the picture."""
    return await _running(seconds, RATE)


async def _idle(seconds: float) -> float:
    """The same where nothing happens but the clock."""
    return await _running(seconds, 0)


async def _running(seconds: float, rate: int) -> float:
    screen = Screen(80, 24)
    task = asyncio.create_task(screen.screen.run())
    await asyncio.sleep(0.3)
    cards = [parse_card(name) for name in ("9S", "10H", "9C", "10D")]
    begin, cpu, revision = time.monotonic(), time.process_time(), 10
    while (now := time.monotonic()) < begin + seconds:
        if not rate:
            await asyncio.sleep(begin + seconds - now)
            continue
        event = Played(47_000_000 + revision * 1000, 1, revision % 5, cards[revision % 4], revision % 2, HIDDEN)
        screen.session.receive(encode(Delta(revision, 1, (event,))), time.perf_counter_ns())
        revision += 1
        screen.screen.changed()
        await asyncio.sleep(max(0.0, begin + (revision - 10) / rate - time.monotonic()))
    share = (time.process_time() - cpu) / (time.monotonic() - begin) * 100
    screen.screen.terminal.exit()
    await task
    return share


def _key_to_wire(presses: int) -> list[int]:
    """From the key's handler to the message handed to the socket, without the redraw, which comes after."""
    found: list[int] = []
    for press in range(presses):
        screen = Screen(80, 24)
        screen.screen.refresh = lambda *_: None  # type: ignore[method-assign]
        begin = time.thread_time_ns()
        screen.screen.press("12345"[press % 5], time.perf_counter_ns())
        found.append(screen.wired[0] - begin)
    return found


def _first_frame(starts: int) -> float:
    """Processor time from the start of a process to its first picture, the list of servers; the median, in ms.

    The bytecode is there already, as in a program that was installed: one start before the counted ones writes it.
    """
    import pty  # noqa: PLC0415  # not everywhere
    import tempfile  # noqa: PLC0415

    found: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env = kept | {"TERM": "linux", "SPEED_HOME": home, "PYTHONPYCACHEPREFIX": f"{home}/bytecode"}
        for _ in range(starts + 1):
            master, slave = pty.openpty()
            ended: subprocess.CompletedProcess[Any] = subprocess.run(
                [sys.executable, "-c", _START],
                stdin=slave,
                stdout=slave,
                stderr=subprocess.PIPE,
                text=True,
                timeout=60,
                check=False,
                env=env,
            )
            os.close(slave)
            os.close(master)
            line = next((line for line in ended.stderr.splitlines() if line.startswith("CPU ")), "CPU nan")
            found.append(float(line[4:]) * 1000)
    return median(found[1:])


def _model() -> TableModel:
    return TableModel(
        stage="playing",
        table=1,
        bottom=Side("anna", tuple(map(Place, HAND)), 11, 15, 1),
        foes=(Side("bob", (Place(HIDDEN),) * 5, 12, 15, 0),),
        piles=tuple(CentrePile(parse_card(name), 4) for name in ("9S", "JD")),
        title="table 1 · deal 2",
        clock="0:47",
        notice=Notice(""),
    )


def _seated() -> Session:
    now = time.perf_counter_ns()
    session = Session("anna", b"", Want(), now)
    session.connected(now)
    session.receive(encode(Welcome(1, "0.1.0", "f" * 16, "anna", bytes(16), 250_000)), now)
    room = Room(
        table=1,
        phase=PLAYING,
        seats=(SeatInfo("anna"), SeatInfo("bob")),
        rules=Rules(),
        deal=1,
        reveal_at_ns=now - 47 * SECOND_NS,
    )
    view = View(
        phase=TABLE_PLAYING,
        hands=(HAND, (HIDDEN,) * 5),
        draws=(11, 12),
        tops=tuple(map(parse_card, ("9S", "JD"))),
        under=(3, 3),
        sides=(4, 4),
        lifted=(-1, -1),
        beaten=(0, 0),
    )
    session.receive(encode(Snapshot(10, now, 0, room, view)), now)
    session.outbox.clear()
    return session
