"""Faults planted on purpose, one at a time: what the simulation is worth is which of them it finds, and how soon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Final
from unittest.mock import patch

from tests.sim.run import run

from speed_client import mirror
from speed_client.plausible import can_happen
from speed_common import calls, leaving, stuck, views, wire
from speed_common import decide as deciding
from speed_common.deck import SecretStream
from speed_common.events import AUTO_PILE, NOBODY, Left, Play, Played, Refusal, Won
from speed_common.table import SPECTATOR, evolve
from speed_common.verdict import Claim
from speed_server.deal_clock import DealClock
from speed_server.fair import order
from speed_server.hub import Hub
from speed_server.post import Post
from speed_server.reception import Reception
from speed_server.room import Room
from speed_server.seats import Seats

Patched = AbstractContextManager[Any]


def _around(owner: Any, name: str, wrapper: Callable[..., Any]) -> Patched:
    """The function or method `name` replaced by `wrapper`, which is given the real one first."""
    real = getattr(owner, name)
    return patch.object(owner, name, lambda *given, **named: wrapper(real, *given, **named))


def _play_judged(wrapper: Callable[..., Any]) -> Patched:
    real = deciding._DECIDE[Play]
    return patch.dict(deciding._DECIDE, {Play: lambda table, request: wrapper(real(table, request), table, request)})


def trusted_stamp() -> Patched:
    def believed(claim: Claim, _: int) -> int:
        if claim.theta_ns is None:
            return claim.arrival_ns
        return min(claim.c_press - claim.theta_ns, claim.arrival_ns)

    return patch.object(order, "race_time", believed)


def illegal_play_accepted() -> Patched:
    def lenient(answer: Any, table: Any, play: Play) -> Any:
        if isinstance(answer, Refusal) and answer.word == "illegal":
            slot, draw = table.hands[play.seat].index(play.card), table.draws[play.seat]
            refill = draw[-1] if draw and table.auto_refill else -1
            return (Played(play.at, play.seat, slot, play.card, 0, refill),)
        return answer

    return _play_judged(lenient)


def double_play_accepted() -> Patched:
    def lenient(answer: Any, table: Any, play: Play) -> Any:
        if isinstance(answer, Refusal) and answer.word == "not_in_hand" and table.fits_on(play.card):
            return (Played(play.at, play.seat, 0, play.card, table.fits_on(play.card)[0], table.hands[play.seat][0]),)
        return answer

    return _play_judged(lenient)


def leaked_hand() -> Patched:
    return patch.object(views, "_hide_hands", lambda hands, _: tuple(map(tuple, hands)))


def leaked_refill() -> Patched:
    return _around(views, "hide_event", lambda real, e, viewer: e if isinstance(e, Played) else real(e, viewer))


def draw_piles_visible() -> Patched:
    return patch.object(views, "_hide_all", lambda piles: tuple(map(tuple, piles)))


def spectators_see_a_hand() -> Patched:
    return _around(Room, "view", lambda real, room, viewer: real(room, 0 if viewer == SPECTATOR else viewer))


def wrong_seats_view() -> Patched:
    def other(real: Any, room: Any, viewer: int) -> Any:
        return real(room, viewer if viewer < 0 else (viewer + 1) % room.rules.players)

    return _around(Room, "view", other)


def seed_told_early() -> Patched:
    return patch.object(SecretStream, "commitment", lambda stream: stream.seed)


def odd_card_lost_at_reshuffle() -> Patched:
    def careless(real: Any, table: Any) -> Any:
        sides, position = real(table)
        if sum(map(len, sides)) % 2:
            max(sides, key=len).pop()
        return sides, position

    return _around(stuck, "_reshuffle", careless)


def leavers_cards_vanish() -> Patched:
    def careless(real: Any, table: Any, seat: int, at: int) -> Any:
        events = real(table, seat, at)
        if not isinstance(events[0], Left):
            return events
        return Left(at, seat, tuple(map(tuple, table.sides)), events[0].position), *events[1:]

    return _around(leaving, "leave", careless)


def wrong_score() -> Patched:
    def generous(real: Any, *given: Any, **named: Any) -> Won:
        won: Won = real(*given, **named)
        return Won(won.at, won.seat, won.score + 1, won.forfeit)

    return _around(calls, "won", generous)


def lost_race_called_illegal() -> Patched:
    return patch.object(deciding, "lost_race", lambda *_: Refusal("illegal", pile=AUTO_PILE))


def nobody_is_caught() -> Patched:
    return patch.object(calls, "_take", lambda *_, by=NOBODY: ())  # noqa: ARG005  # the real one's arguments


def seat_by_name() -> Patched:
    def trusting(real: Any, reception: Any, origin: bytes, hello: Any, now: int) -> Any:
        name = getattr(hello, "name", hello)
        session = next((one for one in reception._sessions if one.name == name and one.origin != origin), None)
        if session is None or session.room is None:
            return real(reception, origin, hello, now)
        reception.take_over(session, origin, now)
        return session, bytes(wire.TICKET_BYTES)

    return _around(Reception, "_open", trusting)


def seat_lost_too_soon() -> Patched:
    def hasty(real: Any, seats: Any, number: int, now: int, grace_ns: int) -> None:
        real(seats, number, now, grace_ns // 4)

    return _around(Seats, "leave_for_now", hasty)


def old_window_not_told() -> Patched:
    def silent(real: Any, post: Any, origin: bytes, message: Any) -> None:
        if not (isinstance(message, wire.Goodbye) and message.word == "taken_over"):
            real(post, origin, message)

    return _around(Post, "send", silent)


def old_delta_applied() -> Patched:
    def eager(real: Any, showing: Any, delta: Any, server_now: Any) -> Any:
        table = showing.mirror.table
        if delta.revision < showing.revision and table is not None:
            for event in delta.events:
                if can_happen(table, event):
                    evolve(table, event)
        return real(showing, delta, server_now)

    return _around(mirror.Showing, "delta", eager)


def refusal_not_answered() -> Patched:
    def mute(real: Any, room: Any) -> Any:
        return [answer for answer in real(room) if answer.refusal.word != "illegal"]

    return _around(Room, "take_answers", mute)


def resync_ignored() -> Patched:
    def deaf(real: Any, hub: Any, session: Any, message: Any, now: int) -> None:
        if not isinstance(message, wire.Resync):
            real(hub, session, message, now)

    return _around(Hub, "_handle", deaf)


def pause_does_not_stop_the_clock() -> Patched:
    def unstopped(real: Any, clock: Any, now: int) -> None:
        real(clock, now - 1_000_000_000_000)  # as if it had stood still for long already
        clock._stopped_at_ns = None

    return _around(DealClock, "stop", unstopped)


FAULTS: Final[dict[str, Callable[[], Patched]]] = {
    fault.__name__.replace("_", " "): fault
    for fault in (
        *(trusted_stamp, illegal_play_accepted, double_play_accepted, leaked_hand, leaked_refill, draw_piles_visible),
        *(spectators_see_a_hand, wrong_seats_view, seed_told_early, odd_card_lost_at_reshuffle, leavers_cards_vanish),
        *(wrong_score, lost_race_called_illegal, nobody_is_caught, seat_by_name, seat_lost_too_soon),
        *(old_window_not_told, old_delta_applied, refusal_not_answered, resync_ignored, pause_does_not_stop_the_clock),
    )
}


@contextmanager
def planted(fault: str) -> Iterator[None]:
    """The program with one fault in it."""
    with ExitStack() as stack:
        stack.enter_context(FAULTS[fault]())
        yield


def found_by(fault: str, seeds: Iterable[int]) -> tuple[int | None, str]:
    """The first seed in whose evening the fault shows, and how; None: it hides in all of them."""
    for seed in seeds:
        breach = run(seed, lambda: planted(fault)).breach
        if breach:
            return seed, breach.partition("\n")[0].partition(": ")[2][:160]
    return None, ""
