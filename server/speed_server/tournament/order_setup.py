"""The director's words before the start: name, settings, players' list, seeds, draw."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

from speed_common.names import clean_name
from speed_server.tournament import events as ev
from speed_server.tournament.bracket import single_elimination, size_for
from speed_server.tournament.clocks import drop_unchecked
from speed_server.tournament.config import MOST_PLAYERS, READERS, SHAPE, changed, duration
from speed_server.tournament.double import double_elimination
from speed_server.tournament.judging import Pen, Refused, find_player
from speed_server.tournament.model import Player, Spec, Stage, Tournament
from speed_server.tournament.orders import Order
from speed_server.tournament.schedule import group_matches, round_robin, snake

Read = TypeVar("Read")
BEFORE_DRAW = frozenset({"draft", "registration", "check_in"})
_LEAST = 2


def new(pen: Pen, order: Order) -> None:
    """Name the tournament."""
    if pen.state.name:
        raise Refused(f"this tournament is {pen.state.name} already", "`status` shows where it stands")
    name = " ".join(order.arguments)
    if not (len(name) <= 60 and name.isprintable()):  # noqa: PLR2004  # as wide as a report's title
        raise Refused(f"{name!r} is no name for a tournament", "write `new NAME` with at most 60 letters")
    tid = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower()).strip("-")[:24] or "evening"
    pen.write(ev.TournamentCreated(at=pen.now, tid=pen.state.tid or tid, name=name))


def set_(pen: Pen, order: Order) -> None:
    """Change a setting. `tables` opens tables 1 to N, `start` fixes when the evening begins."""
    key, text = order.arguments
    state = pen.state
    if key == "tables":
        _set_tables(pen, text)
    elif key == "start":
        pen.write(ev.StartSet(at=pen.now, start=pen.now + _read(lambda: duration(text), key, text)))
    elif key not in READERS:
        words = ", ".join([*READERS, "tables", "start"])
        raise Refused(f"there is no setting {key!r}", f"`set KEY VALUE` takes {words}")
    elif key in SHAPE and state.stages:
        raise Refused(f"{key} is fixed since the draw", "`undraw` first, while nothing is called")
    else:
        pen.write(ev.ConfigChanged(at=pen.now, config=_read(lambda: changed(state.config, key, text), key, text)))


def _read(read: Callable[[], Read], key: str, text: str) -> Read:
    try:
        return read()
    except ValueError as error:
        raise Refused(f"{key} cannot be {text!r}", f"write `set {key} VALUE` with {error}") from None


def _set_tables(pen: Pen, text: str) -> None:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 64):  # noqa: PLR2004
        raise Refused(f"there cannot be {text!r} tables", "write `set tables N` with 1 to 64")
    for number in range(1, int(text) + 1):
        if number not in pen.state.tables or not pen.state.tables[number].open:
            pen.write(ev.TableOpened(at=pen.now, table=number))
    for number, table in sorted(pen.state.tables.items()):
        if number > int(text) and table.open:
            pen.write(ev.TableClosed(at=pen.now, table=number))


def enter(pen: Pen, name: str, *, joined: int = 1, active: bool = False) -> None:
    """Put a name on the list."""
    try:
        name = clean_name(name)
    except ValueError as error:
        raise Refused(f"{name!r} cannot be entered, {error}", "`add` the player under another name") from None
    state = pen.state
    here = [player for player in state.players.values() if player.status != "removed"]
    if any(player.name.casefold() == name.casefold() for player in here):
        raise Refused(f"{name} is entered already", "`add` the other player under another name, or `rename` the first")
    if len(here) >= MOST_PLAYERS:
        raise Refused(f"{name} would be player {len(here) + 1}", f"`remove` somebody: {MOST_PLAYERS} is the most")
    number = max(state.players, default=0) + 1
    pen.write(ev.PlayerRegistered(at=pen.now, player=number, name=name, joined=joined, active=active))


def remove(pen: Pen, order: Order) -> None:
    """Take an entry back."""
    player = find_player(pen.state, order.arguments[0])
    if pen.state.phase not in BEFORE_DRAW:
        raise Refused(f"{player.name} is in the draw", f"`withdraw {player.name}`, or `undraw` first")
    pen.write(ev.PlayerRemoved(at=pen.now, player=player.number))
    _forget_seed(pen, player)


def _forget_seed(pen: Pen, player: Player) -> None:
    if player.number in pen.state.seeds:
        seeds = tuple(number for number in pen.state.seeds if number != player.number)
        pen.write(ev.SeedsSet(at=pen.now, players=seeds, how="without who was removed"))


def check_in(pen: Pen, order: Order) -> None:
    """Open or close the check-in, or check players in."""
    state = pen.state
    what = order.arguments or ("open",)
    if state.phase not in {"registration", "check_in"}:
        raise Refused(f"check-in is not possible in a tournament that is {state.phase}", "`add NAME` brings players in")
    if what == ("open",):
        if state.phase == "check_in":
            raise Refused("check-in is open already", "`checkin NAME` checks a player in")
        pen.write(ev.CheckInOpened(at=pen.now))
    elif what == ("close",):
        if state.phase != "check_in":
            raise Refused("check-in is not open", "`checkin open` opens it, `draw` needs none")
        drop_unchecked(pen)
    else:
        for name in what:
            player = find_player(pen.state, name)
            if player.status not in {"registered", "dropped"}:
                raise Refused(f"{player.name} is {player.status} already", "`status` shows who is missing")
            pen.write(ev.PlayerCheckedIn(at=pen.now, player=player.number))


def present(state: Tournament) -> list[Player]:
    """Who would be drawn now: with a check-in, those who are checked in."""
    wanted = {"checked_in"} if state.phase == "check_in" else {"checked_in", "registered"}
    return [player for player in state.players.values() if player.status in wanted]


def seed(pen: Pen, order: Order) -> None:
    """Set the order of the seeds; who is not named follows as before."""
    how, *names = order.arguments
    if pen.state.phase not in BEFORE_DRAW:
        raise Refused("the seeds are fixed since the draw", "`undraw` first, while nothing is called")
    known = [number for number in pen.state.seeds if pen.state.players[number].status != "removed"]
    everybody = [*known, *(n for n, p in pen.state.players.items() if p.status != "removed" and n not in known)]
    if how == "random":
        lot = names[0] if names else str(pen.now)
        everybody.sort(key=lambda number: sha256(f"{lot} {pen.state.name_of(number)}".encode()).digest())
        how = f"random {lot}"
    elif how in {"by", "last", "manual"}:
        first = list(dict.fromkeys(find_player(pen.state, name).number for name in names))
        everybody = [*first, *(number for number in everybody if number not in first)]
    else:
        raise Refused(
            f"seeding cannot be by {how!r}", "write `seed by NAME ...`, `seed random` or `seed last NAME ...`"
        )
    pen.write(ev.SeedsSet(at=pen.now, players=tuple(everybody), how=how))


def draw(pen: Pen, _: Order) -> None:
    """Fix the seeds and make the first stage."""
    state = pen.state
    if state.phase not in {"registration", "check_in"}:
        raise Refused(f"nothing can be drawn in a tournament that is {state.phase}", _draw_remedy(state))
    here = [player.number for player in present(state)]
    if len(here) < _LEAST:
        raise Refused(f"{len(here)} players are there", "`add` or `checkin` at least two")
    seeds = [number for number in state.seeds if number in here]
    seeds += [number for number in here if number not in seeds]
    _check_shape(state, len(seeds))
    if state.phase == "check_in":
        drop_unchecked(pen)
    pen.write(ev.SeedsSet(at=pen.now, players=tuple(seeds), how="draw"))
    stage, specs = _first_stage(pen.state, tuple(seeds))
    pen.write(ev.StageDrawn(at=pen.now, stage=stage, matches=specs))
    warning = _warning(stage)
    if warning:
        pen.write(ev.DirectorNote(at=pen.now, text=warning))
    if not any(table.open for table in pen.state.tables.values()):
        for number in range(1, max(1, len(seeds) // 2) + 1):
            pen.write(ev.TableOpened(at=pen.now, table=number))


def _draw_remedy(state: Tournament) -> str:
    return "`add NAME ...` players first" if state.phase == "draft" else "`undraw` takes the draw back first"


def _check_shape(state: Tournament, count: int) -> None:
    config = state.config
    if config.format == "groups":
        groups = config.groups or max(2, count // 4)
        if count < groups * max(2, config.qualifiers):
            raise Refused(
                f"{count} players are too few for {groups} groups with {config.qualifiers} going on",
                "`set groups N` with fewer groups, or `set format roundrobin`",
            )


def _first_stage(state: Tournament, seeds: tuple[int, ...]) -> tuple[Stage, tuple[Spec, ...]]:
    config, first = state.config, max(state.matches, default=0) + 1
    if config.format == "single":
        return Stage(kind="bracket", members=seeds), single_elimination(seeds, first, third=config.third)
    if config.format == "double":
        return Stage(kind="double", members=seeds), double_elimination(seeds, first)
    if config.format == "roundrobin":
        return Stage(kind="roundrobin", members=seeds), round_robin(seeds, first, config.legs)
    if config.format == "groups":
        groups = snake(seeds, config.groups or max(2, len(seeds) // 4))
        return Stage(kind="groups", members=seeds, groups=groups), group_matches(groups, first, config.legs)
    if config.format == "arena":
        return Stage(kind="arena", members=seeds), ()
    rounds = config.rounds or (size_for(len(seeds)).bit_length() - 1)
    return Stage(kind="swiss", members=seeds, rounds=rounds), ()


def _warning(stage: Stage) -> str:
    most = len(stage.members) - 1 + len(stage.members) % 2
    if stage.kind == "swiss" and stage.rounds > most:
        return f"{most} rounds without re-match are possible: `undraw` and `set rounds {most}`, or bear re-matches"
    return ""


def undraw(pen: Pen, _: Order) -> None:
    """Take the draw back."""
    state = pen.state
    if state.phase != "drawn":
        what = "nothing is drawn" if not state.stages else f"the tournament is {state.phase}"
        raise Refused(what, "`draw` makes the draw" if not state.stages else "`undo` takes the last command back")
    pen.write(ev.Undrawn(at=pen.now, stage=0))
