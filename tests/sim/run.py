"""One seed, run and reported: what was met, what broke, and all that is needed to see it again."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from random import Random
from typing import Final, NamedTuple

import msgspec
from tests.sim.evening import Evening
from tests.sim.options import draw_options
from tests.sim.world import START_NS, World

from speed_common import wire

_MOST_TEXT: Final = 400


class Run(NamedTuple):
    """What came of one seed; `breach` is empty when all held, else the whole report."""

    seed: int
    digest: str
    steps: int
    messages: int
    deals: int
    met: Counter[str]
    breach: str


def run(seed: int, fault: Callable[[], AbstractContextManager[object]] = nullcontext) -> Run:
    """The evening of a seed, with a fault planted if one is given."""
    random = Random(seed)
    options = draw_options(random)
    evening: Evening | None = None
    breach = ""
    with fault():
        try:
            evening = Evening(options, random)
            evening.run()
        except Exception as error:  # noqa: BLE001  # whatever our own code raises is a finding
            breach = report(seed, str(options), evening.world if evening is not None else None, error)
    if evening is None:
        return Run(seed, "", 0, 0, 0, Counter(), breach)
    world = evening.world
    judged = world.watch.oracle.judged
    world.met["paused"], world.met["resumed"] = world.watch.truth.pauses, world.watch.truth.resumes
    return Run(seed, world.digest.hexdigest(), world.steps, judged, world.watch.finished, +world.met, breach)


def report(seed: int, options: str, world: World | None, error: Exception) -> str:
    """All that is needed to see a failure again."""
    lines = [f"seed {seed}: {type(error).__name__}: {error}", f"options: {options}"]
    if world is not None:
        lines.append(f"at {(world.now - START_NS) / 1e9:.6f} s, {'quiet' if world.calm else 'with faults'}; before it:")
        lines += [_event_line(*event) for event in world.trace]
    place = traceback.extract_tb(error.__traceback__)[-1]
    lines += [
        f"raised in {place.name}, {place.filename}:{place.lineno}",
        f"again: scripts/soak --seeds 1 --from {seed}",
    ]
    return "\n".join(lines)


def _event_line(now: int, what: str, who: str, data: bytes) -> str:
    text = ""
    if data:
        decode = wire.decode_up if what == "up" else wire.decode_down
        try:
            text = _short(decode(data))
        except wire.WireError as error:
            text = f"{data.hex()} ({error})"
    return f"  {(now - START_NS) / 1e9:10.6f} {what:4} {who}: {text}"


def _short(message: wire.Up | wire.Down) -> str:
    """The message without its ticket and without what it leaves out."""
    parts = {
        field.name: getattr(message, field.name)
        for field in msgspec.structs.fields(message)
        if getattr(message, field.name) != field.default and field.name != "ticket"
    }
    text = f"{type(message).__name__}({', '.join(f'{name}={value!r}' for name, value in parts.items())})"
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}.."
