"""The model of a screen, from a session (or a spectator's mirror) and the story of what just happened.

Composing also says when the model would come out differently with nothing having happened. Pure: `now` is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from speed_client.mirror import Mirror
from speed_client.model import CentrePile, Overlay, Pace, Place, Side, Stage, TableModel
from speed_client.outcome import minutes, outcome_of
from speed_client.plays import Pending
from speed_client.session import Session
from speed_client.story import PILE_NAMES, Line, Notice, Story
from speed_client.wake import Answers, Wake
from speed_common import tactics
from speed_common.cards import HIDDEN
from speed_common.rules import Rules
from speed_common.table import DEALT, SPECTATOR, STUCK, Table
from speed_common.wire import COUNTDOWN, OVER, WAITING, Room, SeatInfo


def from_session(
    session: Session,
    story: Story,
    answers: Answers,
    now: int,
    *,
    overlay: Overlay = "",
    choice: int = 0,
    address: str = "",
) -> tuple[TableModel, int | None]:
    """The player's screen at `now`, and when it next changes by itself."""
    wake = Wake(now)
    model = _build(session.mirror, story, session.server_now(now), wake, session.pending)
    room = session.mirror.room
    return replace(
        model,
        answer=answers.text(session.rtt_ns, now) if session.link == "up" else "",
        no_link=session.link == "lost",
        others=tuple(line for line in session.lobby if room is None or line.number != room.table),
        overlay=overlay,
        choice=choice,
        end=session.ended.text if session.ended is not None else "",
        address=address,
    ), wake.at


def from_mirror(
    mirror: Mirror,
    story: Story,
    server_now: int | None,
    now: int,
    *,
    no_link: bool = False,
    overlay: Overlay = "",
    end: str = "",
) -> tuple[TableModel, int | None]:
    """A spectator's screen of one table at `now`, and when it next changes by itself."""
    wake = Wake(now)
    model = _build(mirror, story, server_now, wake, {})
    return replace(model, seated=False, no_link=no_link, overlay=overlay, end=end), wake.at


def _build(
    mirror: Mirror, story: Story, server_now: int | None, wake: Wake, pending: Mapping[int, Pending]
) -> TableModel:
    room, table = mirror.room, mirror.table
    if room is None:
        return TableModel(notice=_notice(story, wake))
    seated = mirror.seat >= 0
    near = mirror.seat if seated else 0
    far = 1 - near
    stage = stage_of(room, table)
    deal_ns = None if server_now is None else server_now - room.reveal_at_ns
    flashing = {pile for pile, until in story.flashes.items() if until > wake.now}
    for pile in flashing:
        wake.by(story.flashes[pile])
    return TableModel(
        stage=stage,
        seated=seated,
        table=room.table,
        bottom=_side(room, table, near, _places(table, near, pending, hints=seated)),
        top=_side(room, table, far, _places(table, far, {}, hints=False)),
        piles=tuple(
            CentrePile(top, len(side), pile in flashing)
            for pile, (top, side) in enumerate(zip(table.tops, table.sides, strict=True))
        )
        if table is not None
        else tuple(CentrePile(HIDDEN, room.rules.side_size) for _ in range(room.rules.piles)),
        title=_title(room),
        clock=_clock(room, table, deal_ns, wake),
        notice=_banner(room, table, near, server_now, deal_ns, wake) or _notice(story, wake),
        digit=wake.seconds_left(-deal_ns) if stage == "countdown" and deal_ns is not None else 0,
        outcome=outcome_of(room, near, seated=seated) if room.result and stage in {"waiting", "over"} else None,
        rules=rules_line(room.rules),
        draws=room.rules.refill == "manual",
        log=tuple((log_time(line.at), _log_name(story, line), line) for line in story.log),
        paces=tuple(_pace(story, seat) for seat in (near, far)),
    )


def stage_of(room: Room, table: Table | None) -> Stage:
    """What the screen is about. The cards turn by an event, with no word about the room: so the table decides that."""
    if room.phase == WAITING:
        return "waiting"
    if room.phase == OVER:
        return "over"
    dealt = table is None or table.phase == DEALT
    return "countdown" if room.phase == COUNTDOWN and dealt else "playing"


def _side(room: Room, table: Table | None, seat: int, hand: tuple[Place, ...]) -> Side:
    info = room.seats[seat] if seat < len(room.seats) else SeatInfo("")
    return Side(
        info.name,
        hand,
        len(table.draws[seat]) if table is not None else room.rules.draw_size,
        max(1, room.rules.draw_size),
        info.points if room.rules.match_target else info.wins,
        info.ready,
        info.connected,
    )


def _places(table: Table | None, seat: int, pending: Mapping[int, Pending], *, hints: bool) -> tuple[Place, ...]:
    if table is None:
        return ()
    lifted = table.lifted[seat]
    held = table.held[seat]
    for waits in pending.values():
        held &= ~(1 << waits.card)
    found = []
    for slot, card in enumerate(table.hands[seat]):
        sent = slot in pending and pending[slot].card == card
        hint = ""
        if hints and not sent and len(table.fits_on(card)) > 1:
            pile = tactics.automatic_pile(held, table.reach, card, table.fits[card])
            hint = PILE_NAMES[pile] if pile >= 0 else ""
        found.append(Place(card, sent, slot == lifted, hint))
    return tuple(found)


def _title(room: Room) -> str:
    parts = [f"table {room.table}"]
    if room.rules.match_target:
        parts.append(f"to {room.rules.match_target} points")
    if room.deal:
        parts.append(f"deal {room.deal}")
    return " · ".join(parts)


def _clock(room: Room, table: Table | None, deal_ns: int | None, wake: Wake) -> str:
    if room.result is not None and room.phase == OVER:
        return minutes(room.result.duration_us // 1_000_000)
    if deal_ns is None or deal_ns < 0 or stage_of(room, table) != "playing":
        return ""
    if room.paused_until_ns:
        return "pause"
    return minutes(wake.seconds_gone(deal_ns))


def _banner(
    room: Room, table: Table | None, near: int, server_now: int | None, deal_ns: int | None, wake: Wake
) -> Notice | None:
    """The sentence that the state itself speaks, for as long as it lasts."""
    if server_now is None:
        return None
    if room.paused_until_ns:
        left = minutes(wake.seconds_left(room.paused_until_ns - server_now))
        gone = [info.name for seat, info in enumerate(room.seats) if not info.connected and seat != near]
        return Notice(f"{gone[0] if gone else 'a player'} is gone: the deal is forfeit in {left}", "alarm")
    if table is None or table.phase != STUCK or table.due is None or deal_ns is None:
        return None
    left_s = wake.seconds_left(table.due * 1_000 - deal_ns)
    if any(table.sides):
        return Notice(f"stuck — flip in {left_s}")
    if table.rules.tuck and not table.played_since_filling and not table.tucked_since_filling and any(table.draws):
        return Notice(f"stuck, side piles empty — hands tuck under in {left_s}")
    return Notice(f"stuck, side piles empty — reshuffle in {left_s}")


def _notice(story: Story, wake: Wake) -> Notice:
    if story.until <= wake.now:
        return Notice("")
    wake.by(story.until)
    return story.notice


def _pace(story: Story, seat: int) -> Pace:
    gaps = story.gaps.get(seat)
    name = story.name(seat)
    if not gaps:
        return Pace(name)
    most = max(*gaps, 1)
    return Pace(
        name,
        f"{sum(gaps) / len(gaps) / 1_000_000:.2f} s a card",
        tuple(min(6, gap * 7 // (most + 1)) for gap in gaps),
    )


def _log_name(story: Story, line: Line) -> str:
    return "" if line.seat == SPECTATOR else story.name(line.seat)


def rules_line(rules: Rules) -> str:
    """The parameters that a player wants to know before the deal."""
    parts = [f"{rules.hand_size} in hand", f"{rules.draw_size} to draw"]
    parts.append("A next to K" if rules.wrap else "A not next to K")
    if rules.same_rank:
        parts.append("same rank fits")
    if rules.refill == "manual":
        parts.append("draw by hand")
    return " · ".join(parts)


def log_time(at: int) -> str:
    """Deal time as `0:47.31`."""
    hundredths = max(0, at) // 10_000
    return f"{hundredths // 6000}:{hundredths // 100 % 60:02d}.{hundredths % 100:02d}"
