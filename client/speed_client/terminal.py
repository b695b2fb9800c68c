"""The terminal: prompt_toolkit's Application as this program wants it. Part of the rim.

It is woken by keys, by the link and by one timer, never by a period. Left alone, prompt_toolkit stops the program at
any stray exception and asks for Enter, and a signal to end leaves the terminal raw in the alternate screen: so
the exception handler and the signals are ours. A fault while playing is kept for the end and the game goes on; on
every way out the terminal is as it was.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from time import perf_counter_ns
from typing import Any, Final, TypeAlias

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style

from speed_client.container import Direct, Paint
from speed_client.keys import SPECIAL
from speed_client.style import Look

ESCAPE_SECONDS: Final = 0.05
WORK_END_SECONDS: Final = 0.3
RESIZE_SECONDS: Final = 1 / 30
LATE_ANSWER_NS: Final = 3_000_000_000
ANSWER_NS: Final = 200_000_000
_ANSWER_END: Final = frozenset({"\\", "\x07"})

OnKey: TypeAlias = Callable[[str, int], None]
"""Called with the key's name or character and the instant (`perf_counter_ns`) at which it came."""

_log = logging.getLogger("speed_client")


class _Application(Application[int]):
    """Paints once for the many signals that a window sends while it is dragged."""

    _resize: asyncio.TimerHandle | None = None

    def _on_resize(self) -> None:
        if self._resize is None:
            self._resize = asyncio.get_running_loop().call_later(RESIZE_SECONDS, self._resized)

    def _resized(self) -> None:
        self._resize = None
        if self.is_running:
            super()._on_resize()


class Terminal:
    """One full screen: a painter, a key handler, a timer."""

    def __init__(
        self,
        paint: Paint,
        look: Look,
        on_key: OnKey,
        on_wake: Callable[[], None],
        *,
        redraw_seconds: float | None = None,
        terminal_input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._on_key = on_key
        self._on_wake = on_wake
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: int | None = None
        self._escape_at: int | None = None
        self._answer_ends = 0
        self._asked_until = perf_counter_ns() + LATE_ANSWER_NS
        self.faults: list[BaseException] = []
        self.on_fault: Callable[[], None] = lambda: None
        self.on_paste: Callable[[str], None] = lambda _text: None
        """Called with what was pasted; at a table nobody wants it, since what is pasted was not pressed."""
        self.cut_off = False
        """Whether a signal or the end of the input ended the screen: then the program ends, whatever screen it was."""
        self.app: Application[int] = _Application(
            layout=Layout(Direct(paint, lambda: self.app.renderer.last_rendered_screen)),
            style=Style.from_dict(look.styles),
            key_bindings=self._bindings(),
            full_screen=True,
            mouse_support=False,
            enable_page_navigation_bindings=False,
            terminal_size_polling_interval=None,
            refresh_interval=None,
            min_redraw_interval=redraw_seconds,
            input=terminal_input,
            output=output,
        )
        self.app.ttimeoutlen = ESCAPE_SECONDS
        self.app.timeoutlen = ESCAPE_SECONDS

    def dress(self, look: Look, escape_seconds: float = ESCAPE_SECONDS) -> None:
        """Show in another theme from now on, and wait so long for what may follow Escape."""
        self.app.style = Style.from_dict(look.styles)
        self.app.ttimeoutlen = self.app.timeoutlen = escape_seconds
        self.app.invalidate()

    def ring(self) -> None:
        """The terminal's bell."""
        self.app.output.bell()
        self.app.output.flush()

    def drop_typed(self) -> None:
        """Forget the keys that wait to be read: they were pressed before what the player sees now."""
        self.app.key_processor.empty_queue()
        self.app.input.flush_keys()
        with contextlib.suppress(OSError, ValueError, NotImplementedError):
            drop_waiting(self.app.input.fileno())

    def redraw(self) -> None:
        """Paint soon, once, however often it is asked for."""
        self.app.invalidate()

    def repaint(self) -> None:
        """Paint everything anew, as after another program wrote on the screen."""
        self.app.renderer.clear()
        self.app.invalidate()

    def exit(self, code: int = 0) -> None:
        """Leave the screen; `run` returns the code."""
        if self.app.is_running and self.app.future is not None and not self.app.future.done():
            self.app.exit(result=code)

    def wake_at(self, instant: int | None) -> None:
        """Call `on_wake` at that instant of `perf_counter_ns`, and only then (None: not at all)."""
        if instant == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_at = instant
        if instant is not None:
            seconds = max(0, instant - perf_counter_ns()) / 1e9
            self._timer = asyncio.get_running_loop().call_later(seconds, self._woken)

    async def run(self, work: Coroutine[Any, Any, None]) -> int:
        """Show the screen and do the work beside it, until `exit`, a signal, or the end of the input."""
        loop = asyncio.get_running_loop()
        handler = loop.get_exception_handler()
        loop.set_exception_handler(self._loop_fault)
        _log.addHandler(quiet := logging.NullHandler())
        for number in _ENDING:
            loop.add_signal_handler(number, self._cut_off)
        atexit.register(_restore)
        task = asyncio.create_task(work)
        task.add_done_callback(self._worked)
        try:
            return await self.app.run_async(pre_run=self._started, set_exception_handler=False)
        except EOFError:
            self.cut_off = True
            return 0
        except Exception as error:  # noqa: BLE001 - told in one line once the terminal is as it was
            self.fault(error)
            return 1
        finally:
            self.wake_at(None)
            for number in _ENDING:
                loop.remove_signal_handler(number)
            # Work that is at its end closes its sockets: to cancel it then would leave them open.
            await asyncio.wait({task}, timeout=WORK_END_SECONDS)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            loop.set_exception_handler(handler)
            atexit.unregister(_restore)
            _log.removeHandler(quiet)
            self._confess()

    def _started(self) -> None:
        # Called before prompt_toolkit sets its own handlers, the last of them.
        asyncio.get_running_loop().call_soon(_hush)

    def fault(self, error: BaseException) -> None:
        """Keep an error of ours for the end, and go on."""
        _log.error("a fault in the screen", exc_info=error)
        self.faults.append(error)
        self.on_fault()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def named(name: str) -> Callable[[KeyPressEvent], None]:
            def press(_event: KeyPressEvent) -> None:
                self._press(name, perf_counter_ns())

            return press

        for name in SPECIAL:
            bindings.add(name, eager=True)(named(name))

        @bindings.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            self._press(event.data, perf_counter_ns())

        @bindings.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self.on_paste(event.data)

        return bindings

    def _press(self, key: str, now: int) -> None:
        if self._late_answer(key, now):
            return
        self._deliver(key, now)

    def _late_answer(self, key: str, now: int) -> bool:
        """Hold back Escape until what was read with it is seen; drop the colour that a slow terminal answers late.

        It was asked before the first screen (`probe`), and would else be taken for an Escape and letters.
        """
        held, self._escape_at = self._escape_at, None
        if self._answer_ends > now:
            if key in _ANSWER_END:
                self._answer_ends = 0
            return True
        if held is not None:
            if key == "]" and now < self._asked_until:
                self._answer_ends = now + ANSWER_NS
                return True
            self._deliver("escape", held)
        if key == "escape" and self._asked_until > now:
            self._escape_at = now
            asyncio.get_running_loop().call_soon(self._escaped)
            return True
        return False

    def _escaped(self) -> None:
        held, self._escape_at = self._escape_at, None
        if held is not None:
            self._deliver("escape", held)

    def _deliver(self, key: str, now: int) -> None:
        try:
            self._on_key(key, now)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end a deal
            self.fault(error)

    def _cut_off(self) -> None:
        self.cut_off = True
        self.exit()

    def _woken(self) -> None:
        self._timer = self._timer_at = None
        self._on_wake()

    def _loop_fault(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.fault(context.get("exception") or RuntimeError(str(context.get("message", "a fault"))))

    def _worked(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fault(error)

    def _confess(self) -> None:
        if self.faults and sys.stderr is not None:
            first = self.faults[0]
            count = f"{len(self.faults)} faults, the first" if len(self.faults) > 1 else "a fault"
            sys.stderr.write(f"speed-client: {count} in the screen: {type(first).__name__}: {first}\n")


_ENDING: Final = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name) and sys.platform != "win32"
)


def _hush() -> None:
    """Let Python not write on the screen that more signals came than the loop has read yet.

    Called when all handlers are set, since setting one turns the warning on again.
    """
    descriptor = signal.set_wakeup_fd(-1)
    if descriptor != -1:
        signal.set_wakeup_fd(descriptor, warn_on_full_buffer=False)


def drop_waiting(descriptor: int) -> None:
    """Throw away what a terminal holds unread; where it is none, nothing is to be done."""
    if sys.platform != "win32":
        import termios  # noqa: PLC0415  # not everywhere

        with contextlib.suppress(termios.error):
            termios.tcflush(descriptor, termios.TCIFLUSH)


def _restore() -> None:
    """The last resort, where the interpreter ends under a screen that still stands."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write("\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1049l")
        sys.stdout.flush()
