"""What befalls a machine in the middle of an evening: its clock steps, it sleeps, its cable is pulled."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from lab_sim.figures import percentile
from lab_sim.races import Evening, Plan, Race
from lab_sim.world import MS, SECOND

NAP_NS: Final = 3 * SECOND
CUT_NS: Final = 3 * SECOND
STEP_NS: Final = 1_000 * SECOND
EVERY_NS: Final = 12 * SECOND
AFTER_NS: Final = 2 * SECOND
CLEAR_MS: Final = 1.5
FAULTS: Final = ("step", "step-back", "nap", "dead")


class Faults(NamedTuple):
    """What came of one kind of fault: races away from it decided wrongly, how wrong a race time of a play ever was."""

    name: str
    times: int
    races: int
    wrong_elsewhere: int
    wrong_near: int
    worst_time_ms: float
    epochs: int
    longest_hold_ms: float


def befall(evening: Evening, name: str, times: list[int]) -> None:
    """Let it happen to seat 1 now, and again."""
    world, client = evening.world, evening.clients[1]
    times.append(world.now)
    if name == "step":
        client.machine.offset_ns += STEP_NS
    elif name == "step-back":
        client.machine.offset_ns -= STEP_NS
    elif name == "nap":
        client.asleep = True
        client.machine.offset_ns -= NAP_NS  # the clock stands still meanwhile
        world.at(world.now + NAP_NS, client.wake)
    else:
        wires = evening.wires_up[1], evening.wires_down[1]
        for wire in wires:
            wire.cut = True
            world.at(world.now + CUT_NS, partial(setattr, wire, "cut", False))
    world.at(world.now + EVERY_NS, lambda: befall(evening, name, times))


def suffer(name: str, races: int, seed: int) -> Faults:
    """Races in press mode over two cables, with that fault again and again."""
    evening = Evening(Plan(("cable", "good"), "press", races, seed))
    times: list[int] = []
    evening.world.at(10 * SECOND, lambda: befall(evening, name, times))
    run = evening.run()

    def near(race: Race) -> bool:
        return any(
            time - SECOND < press < time + NAP_NS + AFTER_NS for time in times for press in race.pressed_ns.values()
        )

    duels = [race for race in run if race.lone < 0 and race.whole]
    wrong = [race for race in duels if race.winner != race.first and abs(race.gap_ms) > CLEAR_MS]
    off = [
        abs(verdict.race_ns - race.pressed_ns[seat]) / MS
        for race in run
        for seat, verdict in race.verdicts.items()
        if seat in race.pressed_ns and verdict.reason != "epoch"
    ]
    holds = [verdict.hold_ns / MS for race in run for verdict in race.verdicts.values()]
    return Faults(
        name,
        len(times),
        len(duels),
        sum(not near(race) for race in wrong),
        sum(near(race) for race in wrong),
        max(off),
        evening.server.players[1].link.epoch,
        percentile(holds, 1.0),
    )
