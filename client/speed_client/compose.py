"""The model of a screen, from a session (or a spectator's mirror) and the story of what just happened.

Composing also says when the model would come out differently with nothing having happened. Pure: `now` is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from speed_client.banner import banner_of
from speed_client.mirror import Mirror
from speed_client.model import CentrePile, Overlay, Pace, Place, Side, Stage, TableModel
from speed_client.outcome import minutes, outcome_of
from speed_client.plays import Pending
from speed_client.printable import printable
from speed_client.session import Session
from speed_client.story import Line, Notice, Story, count
from speed_client.wake import Answers, Wake
from speed_client.wording import pile_word
from speed_common import tactics
from speed_common.cards import HIDDEN
from speed_common.rules import Rules
from speed_common.table import CALLING, DEALT, SPECTATOR, STUCK, Table
from speed_common.table import OVER as TABLE_OVER
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
    tenths: bool = False,
    marks: bool = False,
) -> tuple[TableModel, int | None]:
    """The player's screen at `now`, and when it next changes by itself.

    `tenths`: the clock shows them; `marks`: cards that fit are marked.
    """
    wake = Wake(now)
    model = _build(session.mirror, story, session.server_now(now), wake, session.pending, tenths=tenths, marks=marks)
    room = session.mirror.room
    return replace(
        model,
        answer=answers.text(session.rtt_ns, now) if session.link == "up" else "",
        link=answers.link(session.rtt_ns, session.jitter_ns, session.settled_ns, now) if session.link == "up" else (),
        no_link=session.link == "lost",
        others=tuple(line for line in session.lobby if room is None or line.number != room.table),
        overlay=overlay,
        choice=choice,
        end=session.ended.text if session.ended is not None else "",
        address=address,
        join=f" --table {room.table}" if session.apart and room is not None else "",
    ), wake.at


def from_mirror(
    mirror: Mirror,
    story: Story,
    server_now: int | None,
    now: int,
    *,
    no_link: bool = False,
    listed: bool = False,
    overlay: Overlay = "",
    end: str = "",
) -> tuple[TableModel, int | None]:
    """A spectator's screen of one table at `now`, and when it next changes by itself."""
    wake = Wake(now)
    model = _build(mirror, story, server_now, wake, {})
    return replace(model, seated=False, no_link=no_link, listed=listed, overlay=overlay, end=end), wake.at


def _build(
    mirror: Mirror,
    story: Story,
    server_now: int | None,
    wake: Wake,
    pending: Mapping[int, Pending],
    *,
    tenths: bool = False,
    marks: bool = False,
) -> TableModel:
    room, table = mirror.room, mirror.table
    if room is None:
        return TableModel(notice=_notice(story, wake))
    seated = mirror.seat >= 0
    near = mirror.seat if seated else 0
    others = [(near + step) % len(room.seats) for step in range(1, len(room.seats))]
    stage = stage_of(room, table)
    deal_ns = None if server_now is None else server_now - room.reveal_at_ns
    resume = room.resume_at_ns - server_now if stage == "playing" and server_now is not None else 0
    digit = 0
    if stage == "countdown" and deal_ns is not None:
        digit = wake.seconds_left(-deal_ns)
    elif resume > 0:
        digit = wake.seconds_left(resume)
    return TableModel(
        stage=stage,
        seated=seated,
        table=room.table,
        bottom=_side(
            room, table, near, _places(table, near, pending, hints=seated, marks=marks), story.players, deal_ns, wake
        ),
        foes=tuple(
            _side(room, table, far, _places(table, far, {}, hints=False), story.players, deal_ns, wake)
            for far in others
        ),
        piles=_piles(room, table, story, wake),
        title=_title(room),
        clock=_clock(room, table, deal_ns, wake, counting_in=resume > 0, tenths=tenths),
        notice=banner_of(room, table, mirror.seat, server_now, deal_ns, wake) or _notice(story, wake),
        digit=digit,
        outcome=outcome_of(room, near, story.players, seated=seated, gains=story.gains)
        if room.result and stage in {"waiting", "over"}
        else None,
        rules=rules_line(room.rules),
        space=_space(room, table, mirror.seat, stage) if seated else "",
        calls=room.rules.call_speed,
        log=tuple((log_time(line.at), _log_name(story, line), line) for line in story.log),
        paces=tuple(_pace(story, seat) for seat in (near, *others)),
    )


def _piles(room: Room, table: Table | None, story: Story, wake: Wake) -> tuple[CentrePile, ...]:
    if table is None:
        return tuple(CentrePile(HIDDEN, room.rules.side_size) for _ in range(room.rules.piles))
    flashing = {pile for pile, until in story.flashes.items() if until > wake.now}
    for pile in flashing:
        wake.by(story.flashes[pile])
    return tuple(
        CentrePile(top, len(table.sides[pile]), pile in flashing, table.named[pile])
        for pile, top in enumerate(table.tops)
    )


def _space(room: Room, table: Table | None, seat: int, stage: Stage) -> str:
    """What Space does now, in a word; empty where it does nothing."""
    ready = room.seats[seat].ready
    if stage in {"waiting", "over"}:
        complete = all(info.name for info in room.seats)
        return "" if ready or not complete else "ready" if stage == "waiting" else "rematch"
    if stage == "countdown":
        return "" if ready else "skip"
    if table is None or room.paused_until_ns:
        return ""
    if table.phase == CALLING:
        return "call Speed!"
    if table.phase == STUCK and room.rules.flip_trigger == "all_ready":
        return "" if table.asked[seat] else "flip"
    return "draw" if room.rules.refill == "manual" else ""


def stage_of(room: Room, table: Table | None) -> Stage:
    """What the screen is about. The cards turn by an event, with no word about the room: so the table decides that."""
    if room.phase == WAITING:
        return "waiting"
    if room.phase == OVER:
        return "over"
    dealt = table is None or table.phase == DEALT
    return "countdown" if room.phase == COUNTDOWN and dealt else "playing"


def _side(
    room: Room,
    table: Table | None,
    seat: int,
    hand: tuple[Place, ...],
    players: Mapping[int, str],
    deal_ns: int | None,
    wake: Wake,
) -> Side:
    info = room.seats[seat] if seat < len(room.seats) else SeatInfo("")
    gone = table is not None and table.gone[seat]
    return Side(
        info.name or (players.get(seat, "") if gone else ""),
        hand,
        len(table.draws[seat]) if table is not None else room.rules.draw_size,
        max(1, room.rules.draw_size),
        _score(room, seat),
        info.ready,
        info.connected,
        gone,
        ("next deal" if info.name else "has left") if gone else _state(room, table, seat, deal_ns, wake),
    )


def _score(room: Room, seat: int) -> int:
    """What a player has won so far: of the tournament's match, if it is one, else points or deals."""
    if room.match is not None and len(room.seats) == len(room.match.score):
        return room.match.score[seat]
    info = room.seats[seat] if seat < len(room.seats) else SeatInfo("")
    return info.points if room.rules.match_target else info.wins


def _state(room: Room, table: Table | None, seat: int, deal_ns: int | None, wake: Wake) -> str:
    if not room.seats[seat].connected:
        return "no link"
    if table is None or table.phase in {DEALT, TABLE_OVER} or deal_ns is None:
        return ""
    left = wake.seconds_left(table.frozen[seat] * 1_000 - deal_ns)
    if left:
        return f"frozen {left}"
    if table.emptied == seat:
        return "no cards!"
    return "flip?" if table.asked[seat] else ""


def _places(
    table: Table | None, seat: int, pending: Mapping[int, Pending], *, hints: bool, marks: bool = False
) -> tuple[Place, ...]:
    if table is None:
        return ()
    lifted = table.lifted[seat]
    held = table.held[seat]
    for waits in pending.values():
        held &= ~(1 << waits.card)
    found = []
    for slot, card in enumerate(table.hands[seat]):
        waits_here = pending.get(slot)
        if waits_here is not None and waits_here.card == card and waits_here.refill >= 0:
            found.append(Place(waits_here.refill, away=card))
            continue
        sent = waits_here is not None and waits_here.card == card
        hint = ""
        if hints and not sent and len(table.fits_on(card)) > 1:
            pile = tactics.automatic_pile(held, table.reach, card, table.fits[card])
            hint = pile_word(pile, len(table.tops)) if pile >= 0 else ""
        fits = marks and not sent and bool(table.fits_on(card))
        found.append(Place(card, sent, slot == lifted, hint, fits))
    return tuple(found)


def _title(room: Room) -> str:
    parts = [f"table {room.table}"]
    if room.code:
        parts.append(f"code {room.code}")
    if room.match is not None:
        match = room.match
        parts.append(printable(match.title, 30))
        parts.append(f"to {match.length} points" if match.measure == "points" else f"{match.length} deals win")
    elif room.rules.match_target:
        parts.append(f"to {room.rules.match_target} points")
    elif room.rules.best_of:
        parts.append(f"best of {room.rules.best_of}")
    if room.deal:
        parts.append(f"deal {room.deal}")
    return " · ".join(parts)


def _clock(room: Room, table: Table | None, deal_ns: int | None, wake: Wake, *, counting_in: bool, tenths: bool) -> str:
    if room.result is not None and room.phase == OVER:
        return minutes(room.result.duration_us // 1_000_000)
    if deal_ns is None or stage_of(room, table) != "playing":
        return ""
    if room.paused_until_ns or counting_in:
        return "pause"
    if deal_ns < 0:
        return ""
    seconds = minutes(wake.seconds_gone(deal_ns))
    return f"{seconds}.{wake.tenths_gone(deal_ns) % 10}" if tenths else seconds


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
        f"{sum(gaps) / len(gaps) / 1_000_000:.2f} s",
        tuple(min(6, gap * 7 // (most + 1)) for gap in gaps),
    )


def _log_name(story: Story, line: Line) -> str:
    return "" if line.seat == SPECTATOR else story.name(line.seat)


def rules_line(rules: Rules) -> str:
    """The parameters that a player wants to know before the deal."""
    parts = [f"{rules.hand_size} in hand", f"{rules.draw_size} to draw"]
    if rules.jokers:
        parts.append(f"{count(rules.jokers, 'joker')}{', declared' if rules.declared else ''}")
    parts.append("A next to K" if rules.wrap else "A not next to K")
    if rules.same_rank:
        parts.append("same rank fits")
    if rules.refill == "manual":
        parts.append("draw by hand")
    if rules.flip_trigger == "all_ready":
        parts.append("flip when all ask")
    if rules.call_speed:
        parts.append("call Speed!")
    if rules.match_target:
        parts.append(f"match to {rules.match_target}")
    elif rules.best_of:
        parts.append(f"best of {rules.best_of}")
    return " · ".join(parts)


def log_time(at: int) -> str:
    """Deal time as `0:47.31`."""
    hundredths = max(0, at) // 10_000
    return f"{hundredths // 6000}:{hundredths // 100 % 60:02d}.{hundredths % 100:02d}"
