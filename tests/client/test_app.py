from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import pytest
from prompt_toolkit.input import PipeInput
from tests.client.screens import SECOND, StubLink, a_room, a_view, cards, seated, seats, show, with_keys

from speed_client.app import TableScreen
from speed_client.desk import Desk
from speed_client.session import Session
from speed_client.wishes import Want
from speed_common.cards import NO_CARD
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import CALLING, DEALT, STUCK
from speed_common.wire import (
    COUNTDOWN,
    OVER,
    WAITING,
    CallSpeed,
    DrawCard,
    FlipPlease,
    Goodbye,
    Leave,
    PlayCard,
    Ready,
    Refused,
    Result,
    SeatInfo,
    Up,
    encode,
)


class Play:
    """A screen that runs, and the hands on its keyboard."""

    def __init__(self, session: Session, keys: PipeInput) -> None:
        self.session = session
        self.keys = keys
        self.link = StubLink()
        self.screen = TableScreen(session, self.link, Desk(), terminal_input=keys)
        # Tests shall not wait for Escape.
        self.screen.terminal.app.ttimeoutlen = self.screen.terminal.app.timeoutlen = 0.01

    @property
    def sent(self) -> list[Up]:
        return self.link.sent

    @property
    def text(self) -> str:
        return "\n".join(self.screen.paint(80, 24).lines())

    async def until(self, done: Callable[[], object]) -> None:
        """Let the loop turn until `done()`."""
        async with asyncio.timeout(5):
            while not done():  # noqa: ASYNC110 - what is waited for tells nobody
                await asyncio.sleep(0.001)

    async def press(self, text: str, done: Callable[[], object]) -> None:
        self.keys.send_text(text)
        await self.until(done)


def on_screen(test: Callable[[Play], Any], session: Session | None = None) -> int:
    """Run a test beside its screen; the exit code. A test that ends with the screen still up takes it down."""

    async def main(keys: PipeInput) -> int:
        play = Play(session or seated(), keys)
        run = asyncio.create_task(play.screen.run())
        try:
            await play.until(lambda: play.link.started)
            await test(play)
        finally:
            play.session.stop("left", "")
            play.screen.terminal.exit()
            code = await run
        return code

    return asyncio.run(with_keys(main))


def in_phase(phase: int, **changes: object) -> Session:
    session = seated()
    view = changes.pop("view", a_view())
    fields = {"reveal_at_ns": perf_counter_ns() - 47 * SECOND, **changes}
    show(session, a_room(phase, **fields), view)  # type: ignore[arg-type]
    session.outbox.clear()
    return session


@pytest.mark.parametrize(
    ("key", "slot", "pile"), [("1", 0, -1), ("g", 4, 0), ("k", 2, 1), (";", 4, 1), ("é", 1, -1), ("ф", 0, 0)]
)
def test_a_key_sends_its_card_at_once_and_shows_it_as_sent(key: str, slot: int, pile: int) -> None:
    async def test(play: Play) -> None:
        before = perf_counter_ns()
        await play.press(key, lambda: play.sent)
        (message,) = play.sent
        assert isinstance(message, PlayCard)
        hand = play.session.mirror.table
        assert hand is not None
        assert (message.card, message.pile, message.revision) == (hand.hands[0][slot], pile, 10)
        assert before <= message.c_press <= perf_counter_ns()
        assert play.screen.model.bottom.hand[slot].sent
        assert "sent" in play.text

    on_screen(test)


def test_a_held_key_sends_one_play() -> None:
    async def test(play: Play) -> None:
        await play.press("222222", lambda: play.screen.model.bottom.hand[1].sent)
        await play.press("3", lambda: len(play.sent) == 2)

    on_screen(test)


def test_a_refused_card_comes_back_with_the_reason() -> None:
    async def test(play: Play) -> None:
        await play.press("4", lambda: play.sent)
        message = play.sent[0]
        assert isinstance(message, PlayCard)
        table = play.session.mirror.table
        assert table is not None
        play.session.receive(encode(Refused(message.seq, "beaten", 120_000, 1, 1, table.tops[1])), perf_counter_ns())
        play.link.changed()
        assert "beaten by 0.12 s — bob played J♦ first" in play.text
        assert not play.screen.model.bottom.hand[3].sent

    on_screen(test)


def test_a_key_before_the_cards_is_answered_here_and_not_sent() -> None:
    dealt = a_view("?? ?? ?? ?? ??", "?? ??", phase=DEALT)
    session = in_phase(COUNTDOWN, view=dealt, reveal_at_ns=perf_counter_ns() + 60 * SECOND)

    async def test(play: Play) -> None:
        await play.press("1", lambda: play.screen.story.notice.text == "wait for the cards")
        assert not play.sent

    on_screen(test, session)


@pytest.mark.parametrize("phase", [WAITING, COUNTDOWN, OVER])
def test_space_says_ready_wherever_that_means_something(phase: int) -> None:
    dealt = a_view("?? ?? ?? ?? ??", "?? ??", phase=DEALT)
    session = in_phase(phase, view=dealt, reveal_at_ns=perf_counter_ns() + 60 * SECOND)

    async def test(play: Play) -> None:
        await play.press(" ", lambda: [type(message) for message in play.sent] == [Ready])

    on_screen(test, session)


def test_r_asks_for_a_rematch_only_when_the_deal_is_over() -> None:
    async def before(play: Play) -> None:
        await play.press("r?", lambda: "KEYS" in play.text)
        assert not play.sent

    async def after(play: Play) -> None:
        assert "YOU WIN" in play.text
        await play.press("r", lambda: [type(message) for message in play.sent] == [Ready])

    on_screen(before)
    on_screen(after, in_phase(OVER, result=Result(0, 6, False, 118_000_000, ())))


def test_space_draws_where_cards_are_drawn_by_hand() -> None:
    async def test(play: Play) -> None:
        await play.press(" ", lambda: play.sent)
        assert isinstance(play.sent[0], DrawCard)
        assert "Space draw" in play.text

    on_screen(test, in_phase(2, rules=Rules(refill="manual")))


def test_space_in_a_deal_explains_that_flips_come_by_themselves() -> None:
    async def test(play: Play) -> None:
        await play.press(" ", lambda: "flips by itself" in play.text)
        assert not play.sent

    on_screen(test)


def test_help_and_menu_lie_over_a_game_that_goes_on() -> None:
    async def test(play: Play) -> None:
        await play.press("?", lambda: "KEYS" in play.text)
        await play.press("1", lambda: play.sent)
        assert "KEYS" not in play.text
        await play.press("\x1b", lambda: "MENU" in play.text)
        await play.press("\x1b", lambda: "MENU" not in play.text)
        await play.press("\x7f", lambda: "MENU" in play.text)
        await play.press("\x1b[B\r", lambda: "KEYS" in play.text)
        await play.press("?", lambda: "KEYS" not in play.text)

    on_screen(test)


def test_leaving_a_deal_asks_first() -> None:
    async def test(play: Play) -> None:
        await play.press("\x03", lambda: "LEAVE THIS DEAL?" in play.text)
        await play.press("n", lambda: "LEAVE" not in play.text)
        await play.press("\x1b", lambda: "MENU" in play.text)
        await play.press("x", lambda: "LEAVE THIS DEAL?" in play.text)
        await play.press("y", lambda: [type(message) for message in play.sent] == [Leave])
        assert play.session.ended is not None

    assert on_screen(test) == 0


def test_asking_twice_leaves() -> None:
    async def test(play: Play) -> None:
        await play.press("\x03", lambda: "LEAVE THIS DEAL?" in play.text)
        await play.press("\x03", lambda: play.session.ended)

    assert on_screen(test) == 0


def test_leaving_a_table_without_a_deal_does_not_ask() -> None:
    async def test(play: Play) -> None:
        await play.press("\x03", lambda: [type(message) for message in play.sent] == [Leave])

    assert on_screen(test, in_phase(WAITING, seats=seats(bob=False), view=None)) == 0


def test_escape_leaves_a_screen_that_only_connects() -> None:
    async def test(play: Play) -> None:
        assert "connecting" in play.text
        await play.press("\x1b", lambda: play.session.ended)

    assert on_screen(test, Session("anna", b"", Want(), perf_counter_ns())) == 0


def test_a_server_that_stops_is_told_until_a_key_is_pressed() -> None:
    async def test(play: Play) -> None:
        play.session.receive(encode(Goodbye("stopping", "the server is stopping")), perf_counter_ns())
        play.link.changed()
        assert "the server is stopping" in play.text
        await play.press("1z", lambda: True)
        await play.press("\r", lambda: not play.screen.terminal.app.is_running)

    assert on_screen(test) == 0


def test_an_unbound_key_says_so() -> None:
    async def test(play: Play) -> None:
        await play.press("€", lambda: "key € is not bound" in play.text)

    on_screen(test)


def test_what_is_pasted_is_not_played() -> None:
    async def test(play: Play) -> None:
        await play.press("\x1b[200~12345\x1b[201~?", lambda: "KEYS" in play.text)
        assert not play.sent

    on_screen(test)


def test_a_press_without_a_link_is_dropped_and_told() -> None:
    async def test(play: Play) -> None:
        play.session.lost(perf_counter_ns())
        play.link.changed()
        assert "NO LINK" in play.text
        await play.press("1", lambda: "that press was dropped" in play.text)
        assert not play.sent

    on_screen(test)


def test_a_fault_in_a_key_or_a_callback_does_not_end_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    async def test(play: Play) -> None:
        flush, play.link.flush = play.link.flush, lambda _end: 1 // 0  # type: ignore[method-assign, assignment]
        await play.press("1", lambda: len(play.screen.terminal.faults) == 1)
        play.link.flush = flush  # type: ignore[method-assign]
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await play.until(lambda: len(play.screen.terminal.faults) == 2)
        assert "the program made a mistake" in play.text
        await play.press("?", lambda: "KEYS" in play.text)

    assert on_screen(test) == 0
    assert "2 faults, the first in the screen: ZeroDivisionError" in capsys.readouterr().err


def test_a_link_that_fails_ends_the_session_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    async def test(play: Play) -> None:
        await play.until(lambda: play.session.ended)
        assert "the link failed: OSError: gone" in play.text

    class Broken(StubLink):
        async def run(self, _end: object, on_change: Callable[[], None]) -> None:
            self.started = True
            on_change()
            raise OSError("gone")

    async def main(keys: PipeInput) -> int:
        play = Play(seated(), keys)
        play.screen.link = play.link = Broken()
        run = asyncio.create_task(play.screen.run())
        await test(play)
        play.screen.terminal.exit()
        return await run

    assert asyncio.run(with_keys(main)) == 0
    assert "OSError: gone" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_takes_the_screen_down(number: signal.Signals) -> None:
    async def test(play: Play) -> None:
        os.kill(os.getpid(), number)
        await play.until(lambda: not play.screen.terminal.app.is_running)
        assert play.session.ended is None

    assert on_screen(test) == 0


def test_an_interrupt_signal_is_the_interrupt_key() -> None:
    async def test(play: Play) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await play.until(lambda: "LEAVE THIS DEAL?" in play.text)

    on_screen(test)


def test_a_screen_that_cannot_be_drawn_is_one_line_and_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    async def main(keys: PipeInput) -> int:
        play = Play(seated(), keys)

        def fail(_app: object) -> None:
            raise ZeroDivisionError("no screen")

        play.screen.terminal.app.before_render += fail
        return await play.screen.run()

    assert asyncio.run(with_keys(main)) == 1
    assert capsys.readouterr().err == ("speed-client: a fault in the screen: ZeroDivisionError: no screen\n")


def test_the_end_of_the_input_ends_the_screen() -> None:
    async def test(play: Play) -> None:
        play.keys.close()
        await play.until(lambda: not play.screen.terminal.app.is_running)

    assert on_screen(test) == 0


def test_nothing_is_redrawn_while_nothing_changes() -> None:
    async def test(play: Play) -> None:
        before = play.screen.model
        redraws: list[int] = []
        play.screen.terminal.redraw = lambda: redraws.append(1)  # type: ignore[method-assign]
        for _ in range(3):
            play.link.changed()
        assert len(redraws) <= (play.screen.model != before)

    on_screen(test)


def test_the_clock_redraws_by_itself() -> None:
    async def test(play: Play) -> None:
        shown = play.screen.model.clock
        await play.until(lambda: play.screen.model.clock != shown)

    on_screen(test, in_phase(2, reveal_at_ns=perf_counter_ns() - 47 * SECOND - 800_000_000))


# --- more piles, and the rules of the house --------------------------------------------------------------------------


def house(**changes: object) -> Session:
    """A deal with four piles, whose table flips when both ask and where "Speed!" is called."""
    rules = make_rules(piles=4, side_size=2, call_speed=True, flip_trigger="all_ready")
    fields: dict[str, Any] = {"under": (3,) * 4, "sides": (2,) * 4, **changes}
    return in_phase(2, rules=rules, view=a_view(tops="9S JD 2C 4H", **fields))


@pytest.mark.parametrize(("key", "slot", "pile"), [("q", 0, 0), ("r", 3, 0), ("a", 0, 1), (";", 4, 2), ("y", 0, 3)])
def test_each_row_of_keys_plays_its_pile_of_four(key: str, slot: int, pile: int) -> None:
    async def test(play: Play) -> None:
        await play.press(key, lambda: play.sent)
        (message,) = play.sent
        assert isinstance(message, PlayCard)
        assert message.pile == pile
        assert play.screen.model.bottom.hand[slot].sent

    on_screen(test, house())


def test_space_calls_when_somebody_is_out() -> None:
    empty = (cards("10H 3C 7D QS AD"), (NO_CARD,) * 5)

    async def test(play: Play) -> None:
        assert "bob is out — call Speed! (Space)" in play.text
        await play.press("  !1", lambda: len(play.sent) > 1)
        assert [type(message) for message in play.sent] == [CallSpeed, PlayCard], "a call is said once"

    on_screen(test, house(phase=CALLING, emptied=1, due=60_000_000, hands=empty, draws=(11, 0)))


def test_the_sign_calls_at_any_time() -> None:
    async def test(play: Play) -> None:
        assert "! Speed!" in play.text
        await play.press("!", lambda: [type(message) for message in play.sent] == [CallSpeed])

    on_screen(test, house())


def test_space_asks_for_the_flip_of_a_stuck_table() -> None:
    async def test(play: Play) -> None:
        assert "press Space to flip (waiting for bob)" in play.text
        await play.press(" ", lambda: [type(message) for message in play.sent] == [FlipPlease])

    on_screen(test, house(phase=STUCK, due=60_000_000))


def test_space_before_a_table_is_stuck_explains_when_it_flips() -> None:
    async def test(play: Play) -> None:
        await play.press(" ", lambda: "all ask for it" in play.text)
        assert not play.sent

    on_screen(test, house())


def test_y_answers_the_question_though_it_plays_a_card_elsewhere() -> None:
    async def test(play: Play) -> None:
        await play.press("\x03", lambda: "LEAVE THIS DEAL?" in play.text)
        await play.press("y", lambda: [type(message) for message in play.sent] == [Leave])

    on_screen(test, house())


def test_a_rematch_without_the_other_is_not_asked_for() -> None:
    session = in_phase(OVER, seats=seats(bob=False), result=Result(0, 6, False, 118_000_000, ()))

    async def test(play: Play) -> None:
        assert "r rematch" not in play.text
        await play.press("r", lambda: play.screen.story.notice.text.startswith("a rematch needs everybody"))
        await play.press(" ?", lambda: "KEYS" in play.text)
        assert not play.sent

    on_screen(test, session)


def test_a_rematch_that_was_asked_for_is_offered_no_more() -> None:
    ready = (SeatInfo("anna", ready=True), SeatInfo("bob"))
    session = in_phase(OVER, seats=ready, result=Result(0, 6, False, 118_000_000, ()))

    async def test(play: Play) -> None:
        assert "waiting for bob" in play.text
        assert "rematch" not in play.text.splitlines()[-1]

    on_screen(test, session)


def test_settings_open_over_a_game_that_goes_on() -> None:
    async def test(play: Play) -> None:
        await play.press("\x1bOQ", lambda: "SETTINGS" in play.text)
        await play.press("\x1b[B\x1b[C", lambda: play.screen.look.deck == "4-colour")
        await play.press("\x1b", lambda: "SETTINGS" not in play.text)
        await play.press("1", lambda: play.sent)

    on_screen(test)


def test_a_late_answer_of_a_slow_terminal_is_no_key() -> None:
    async def test(play: Play) -> None:
        await play.press("\x1b]11;rgb:1111/2222/3333\x1b\\?", lambda: "KEYS" in play.text)
        assert not play.sent

    on_screen(test)
